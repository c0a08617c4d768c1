// Materials by name: sound values, what other keys change, and the document's table.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <pliant/material.h>
#include <pliant/scene.h>

#include "scene/check_definitions.h"

namespace pliant {
namespace {

TEST(Materials, are_sound_and_have_sources) {
  EXPECT_GE(materials().size(), 8u);
  std::set<std::string> names;
  for (const Material& material : materials()) {
    EXPECT_TRUE(names.insert(material.name).second) << material.name;
    EXPECT_GT(std::string(material.source).size(), 20u) << material.name;
    SolidDef def;
    def.tets = make_lattice(1, 1, 1, 1);
    use_material(material, def);
    EXPECT_TRUE(check(def).empty()) << material.name;
    EXPECT_EQ(def.youngs_modulus, material.youngs_modulus);
    EXPECT_EQ(find_material(material.name), &material);
  }
  EXPECT_EQ(find_material("adamant"), nullptr);
}

// By hand: Gent's formula at 80 is 0.0981 (56 + 609.9) / (0.137505 * 50.8) MPa, and 86 psi are 593
// kPa. The shear modulus of Ogden's three terms is quoted as 0.4225 MPa. 1 kgf/cm2 is 98.07 kPa.
TEST(Materials, derived_moduli) {
  EXPECT_NEAR(find_material("soft_rubber")->youngs_modulus, 3 * 0.4225e6, 1);
  EXPECT_NEAR(find_material("cork")->youngs_modulus, 360.67 * 98.07e3, 2e3);
  EXPECT_NEAR(find_material("hard_rubber")->youngs_modulus, 9.352e6, 0.002e6);
  EXPECT_NEAR(find_material("silicone")->youngs_modulus, 593e3 / 1.75 * 3, 1e3);
}

TEST(Materials, document_has_the_table) {
  std::ifstream file(PLIANT_SOURCE_DIR "/docs/materials.md");
  std::stringstream text;
  text << file.rdbuf();
  for (const Material& m : materials())
    EXPECT_NE(text.str().find(fmt::format("| `{}` | {} | {} | {:.4g} MPa | {:.3g} |", m.name,
                                          m.description, m.density, m.youngs_modulus * 1e-6,
                                          m.poisson_ratio)),
              std::string::npos)
        << m.name;
}

}  // namespace
}  // namespace pliant
