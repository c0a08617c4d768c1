// Fabrics by name: sound values, the derived ones by hand, and what other keys change.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <pliant/fabric.h>
#include <pliant/scene.h>

#include "scene/check_definitions.h"

namespace pliant {
namespace {

TEST(Fabrics, are_sound_and_have_sources) {
  EXPECT_GE(fabrics().size(), 12u);
  std::set<std::string> names;
  for (const Fabric& fabric : fabrics()) {
    EXPECT_TRUE(names.insert(fabric.name).second) << fabric.name;
    EXPECT_GT(std::string(fabric.source).size(), 20u) << fabric.name;
    ClothDef def;
    def.mesh = make_grid(1, 1, 1, 1);
    use_fabric(fabric, def);
    EXPECT_TRUE(check(def).empty()) << fabric.name;
    EXPECT_EQ(def.membrane, Membrane::strain);
    EXPECT_EQ(find_fabric(fabric.name), &fabric);
  }
  EXPECT_EQ(find_fabric("adamant"), nullptr);
}

// The energy of the sheet is that of the measurement: with e_u = a, e_v = b the database gives
// c11 a^2 + 2 c12 a b + c22 b^2, the sheet half of e C e; denim has c11 205.35, c12 10.23, c22
// 1013.9 N/m.
TEST(Fabrics, measured_moduli_have_the_measured_energy) {
  const Sheet& s = find_fabric("denim")->sheet;
  const double nu_weft = s.poisson_ratio * s.weft_modulus / s.warp_modulus;
  const double q = 1 - s.poisson_ratio * nu_weft;
  const double uu = s.weft_modulus / q * s.thickness, vv = s.warp_modulus / q * s.thickness;
  EXPECT_NEAR(0.5 * uu, 205.352, 0.01);
  EXPECT_NEAR(0.5 * vv, 1013.886, 0.01);
  EXPECT_NEAR(0.5 * uu * s.poisson_ratio, 10.234, 0.001);
}

// With E1 = a, E2 = b the fitted energy of silk is (4.3 a^2 + 2 4.971 a b + 9.942 b^2) / 2 MJ/m3,
// and its shear energy 0.57 (g / 2)^2 for an engineering shear g, which is G g^2 / 2.
TEST(Fabrics, fitted_moduli_have_the_fitted_energy) {
  const Sheet& s = find_fabric("silk")->sheet;
  const double q = 1 - s.poisson_ratio * s.poisson_ratio * s.weft_modulus / s.warp_modulus;
  EXPECT_NEAR(s.warp_modulus / q, 4.3e6, 1);
  EXPECT_NEAR(s.weft_modulus / q, 9.942e6, 1);
  EXPECT_NEAR(s.weft_modulus / q * s.poisson_ratio, 4.971e6, 1);
  EXPECT_NEAR(s.shear_modulus, 0.57e6 / 2, 1);
}

// Strips of 10 mm bear 314 N at 58.3 %: 53.9 kN/m. Rings of E I = 193 GPa pi / 64 mm^4 = 9.474e-3
// N m2 and R = 3 mm: 9.474e-3 / (0.149 27e-9) = 2.355 MN/m.
TEST(Fabrics, derived_stiffness_by_hand) {
  const Sheet& leather = find_fabric("leather")->sheet;
  EXPECT_NEAR(leather.warp_modulus * leather.thickness, 53.86e3, 10);
  const Sheet& mail = find_fabric("chain_mail")->sheet;
  EXPECT_NEAR(mail.warp_modulus * mail.thickness, 2.355e6, 1e3);
}

// Cloths for wearing bend under their own weight over 1.5 to 5 cm: a slip of a power of ten in a
// rigidity changes this length 2.2 times.
TEST(Fabrics, bending_lengths_are_those_of_cloth) {
  for (const char* name : {"denim", "cotton_twill", "jersey", "rib_knit", "ponte", "sweater",
                           "nylon_swimwear", "blanket", "silk", "cotton", "canvas", "wool"}) {
    const Fabric& fabric = *find_fabric(name);
    const double length = std::cbrt(fabric.bend_rigidity / (fabric.areal_density * 9.81));
    EXPECT_GT(length, 0.015) << name;
    EXPECT_LT(length, 0.05) << name;
  }
}

// Paper of 5 GPa and 0.1 mm: 0.5 MN/m and 0.417 mN m.
TEST(Fabrics, homogeneous_sheets_follow_their_thickness) {
  const Fabric& paper = *find_fabric("paper");
  EXPECT_NEAR(paper.sheet.warp_modulus * paper.sheet.thickness, 5e5, 1);
  EXPECT_NEAR(paper.bend_rigidity, 4.1667e-4, 1e-8);
  EXPECT_NEAR(paper.areal_density, 0.1, 1e-12);
}

TEST(Fabrics, other_keys_of_a_scene_change_them) {
  const std::string text = R"({"cloths": [{"mesh": {"grid": {}}, "fabric": "denim",
    "bend_rigidity": 0.5, "sheet": {"shear_modulus": 7, "warp": [1, 0, 0]}}]})";
  SceneProblems problems;
  const auto scene = parse_scene(text, "", "", {}, problems);
  ASSERT_TRUE(scene.has_value());
  const ClothDef& def = scene->cloths[0];
  const Fabric& denim = *find_fabric("denim");
  EXPECT_EQ(def.areal_density, denim.areal_density);
  EXPECT_EQ(def.sheet.warp_modulus, denim.sheet.warp_modulus);
  EXPECT_EQ(def.sheet.shear_modulus, 7);
  EXPECT_EQ(def.sheet.warp, (Vec3{1, 0, 0}));
  EXPECT_EQ(def.bend_rigidity, 0.5);
  const auto again = parse_scene(scene_to_json(*scene), "", "", {}, problems);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->cloths[0].sheet.weft_modulus, denim.sheet.weft_modulus);
  EXPECT_EQ(again->cloths[0].membrane, Membrane::strain);
}

TEST(Fabrics, unknown_names_are_told_with_the_known) {
  SceneProblems problems;
  EXPECT_FALSE(parse_scene(R"({"cloths": [{"mesh": {"grid": {}}, "fabric": "denin"}]})", "", "", {},
                           problems)
                   .has_value());
  ASSERT_EQ(problems.errors.size(), 1u);
  EXPECT_NE(problems.errors[0].text().find("denim"), std::string::npos);
}

TEST(Fabrics, every_one_is_in_the_document) {
  std::ifstream file(PLIANT_SOURCE_DIR "/docs/fabrics.md");
  std::ostringstream text;
  text << file.rdbuf();
  for (const Fabric& fabric : fabrics()) {
    std::string quoted(1, '`');
    quoted.append(fabric.name).append(1, '`');
    EXPECT_NE(text.str().find(quoted), std::string::npos) << fabric.name;
  }
}

}  // namespace
}  // namespace pliant
