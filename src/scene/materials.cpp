// Values of materials, each with its source.
#include <array>

#include <pliant/material.h>

namespace pliant {
namespace {

// Data sheets of rubbers give the stress at twice the length. An incompressible neo-Hookean bar has
// mu (2 - 1/4) there, and E = 3 mu.
constexpr double from_stress_at_double(double stress) { return 3 * stress / 1.75; }

constexpr double k_psi = 6894.76;          // Pa
constexpr double k_kgf_per_cm2 = 98066.5;  // Pa
// Ogden's energy is sum m_p / a_p (l1^a_p + l2^a_p + l3^a_p - 3) of the principal stretches: its
// shear modulus is sum m_p a_p / 2, and Young's three times that.
constexpr double from_ogden(std::array<double, 3> m, std::array<double, 3> a) {
  return 1.5 * (m[0] * a[0] + m[1] * a[1] + m[2] * a[2]);
}
// Of what hardly changes its volume: liquids would have 0.5.
constexpr double k_incompressible = 0.499;

// Gent 1958 from Shore's hardness A.
constexpr double from_hardness(double shore) {
  return 1e6 * 0.0981 * (56 + 7.62336 * shore) / (0.137505 * (254 - 2.54 * shore));
}

constexpr std::array<Material, 10> k_materials = {{
    {"soft_rubber", "natural rubber without filler",
     "Ogden 1972, Proc. R. Soc. A 326: fit to Treloar's measurements of 1944 with three terms", 940,
     from_ogden({0.63e6, 0.0012e6, -0.01e6}, {1.3, 5, -2}), k_incompressible},
    {"hard_rubber", "filled rubber of hardness Shore A 80, as of a tyre or a shoe's heel",
     "Gent 1958, Trans. Inst. Rubber Industry 34: modulus from hardness", 1150, from_hardness(80),
     k_incompressible},
    {"silicone", "cast silicone of hardness Shore A 30",
     "Smooth-On, technical bulletin of Dragon Skin 30: 86 psi at twice the length", 1080,
     from_stress_at_double(86 * k_psi), k_incompressible},
    {"soft_silicone", "skin-like silicone of hardness Shore 00-30",
     "Smooth-On, technical bulletin of Ecoflex 00-30: 10 psi at twice the length", 1070,
     from_stress_at_double(10 * k_psi), k_incompressible},
    {"gelatine", "dessert jelly: one part of gelatine in 20 of water",
     "Bonavia 2025, arXiv:2512.20502: 4.34 kPa in compression", 1010, 4.34e3, k_incompressible},
    {"firm_gelatine", "one part of gelatine in two of water", "Bonavia 2025: 277 kPa", 1100, 277e3,
     k_incompressible},
    {"foam", "flexible open-cell polyurethane, as of a firm mattress",
     "International Wound Journal 15 (2018) 402, table 3: 15 kPa, ratio 0.3; density of the "
     "lightest "
     "foam of Casavola et al. 2022, Phys. Sci. Forum 4, 20",
     46, 15e3, 0.3},
    {"muscle", "relaxed skeletal muscle",
     "Engler et al. 2004, J. Cell Biol. 166: passive modulus about 12 kPa; density Mendez, Keys "
     "1960",
     1060, 12e3, 0.495},
    {"liver", "healthy human liver",
     "Roulot et al. 2008, J. Hepatology 48: 5.49 +- 1.59 kPa by elastography; density of the table "
     "in "
     "Phys. Med. Biol. 64 (2019) 225001",
     1060, 5.49e3, 0.495},
    {"cork", "natural cork, mean of its directions",
     "riss.kr 73876a2c6ad81b15, on Quercus suber: 484, 316 and 282 kgf/cm2 in compression, air-dry "
     "0.19 g/cm3; ratio of Greaves et al. 2011, Nature Materials 10, 823",
     190, (484 + 316 + 282) / 3.0 * k_kgf_per_cm2, 0},
}};

}  // namespace

std::span<const Material> materials() { return k_materials; }

const Material* find_material(std::string_view name) {
  for (const Material& material : k_materials)
    if (name == material.name) return &material;
  return nullptr;
}

void use_material(const Material& material, SolidDef& solid) {
  solid.density = material.density;
  solid.youngs_modulus = material.youngs_modulus;
  solid.poisson_ratio = material.poisson_ratio;
}

}  // namespace pliant
