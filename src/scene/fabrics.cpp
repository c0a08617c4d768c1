// Values of fabrics, each with its source.
#include <array>

#include <pliant/fabric.h>

namespace pliant {
namespace {

// Measured at small strain: c11, c12, c22, c33 of the energy per area c11 e_u^2 + 2 c12 e_u e_v +
// c22 e_v^2 + c33 e_uv^2 in N/m, u the weft (course), v the warp (wale), e_uv the tensor's shear.
// Rigidity: mean of the three directions at the least curvature, in 1e-6 N m. The database has no
// thickness: a nominal one of 1 mm turns N/m into Pa. Negative c12, which come from noise, are 0.
constexpr const char* k_wang =
    "Wang, O'Brien, Ramamoorthi 2011, Data-driven elastic models for cloth: modeling and "
    "measurement, ACM Trans. Graph. 30 (4); first rows of the database";
constexpr double k_nominal = 1e-3;  // m

struct Measured {
  double c11, c12, c22, c33;  // N/m
  double weft, bias, warp;    // 1e-6 N m
  double areal_density;       // kg/m2
};

Fabric measured(const char* name, const char* description, const Measured& m) {
  // Half the energy's second derivatives are in the database.
  const double uu = 2 * m.c11, uv = 2 * m.c12, vv = 2 * m.c22;
  Sheet sheet;
  sheet.thickness = k_nominal;
  sheet.weft_modulus = (uu - uv * uv / vv) / k_nominal;
  sheet.warp_modulus = (vv - uv * uv / uu) / k_nominal;
  sheet.shear_modulus = 2 * m.c33 / 4 / k_nominal;  // e_uv is half the engineering shear
  sheet.poisson_ratio = uv / uu;
  const double rigidity = (m.weft + m.bias + m.warp) / 3 * 1e-6;
  return {name, description, k_wang, m.areal_density, sheet, rigidity};
}

// A homogeneous sheet: B = E t^3 / (12 (1 - nu^2)).
struct Solid {
  double modulus;  // Pa
  double poisson;
  double density;    // kg/m3
  double thickness;  // m
};

Fabric homogeneous(const char* name, const char* description, const char* source, const Solid& s) {
  Sheet sheet;
  sheet.warp_modulus = sheet.weft_modulus = s.modulus;
  sheet.shear_modulus = s.modulus / (2 * (1 + s.poisson));
  sheet.poisson_ratio = s.poisson;
  sheet.thickness = s.thickness;
  const double t = s.thickness;
  const double rigidity = s.modulus * t * t * t / (12 * (1 - s.poisson * s.poisson));
  return {name, description, source, s.density * s.thickness, sheet, rigidity};
}

std::array<Fabric, 14> make_fabrics() {
  constexpr const char* k_ashby =
      "Ashby, Materials Selection in Mechanical Design, tables of density and Young's modulus";
  return {
      measured(
          "denim", "jeans, 11 oz, 99 % cotton, 1 % spandex",
          {205.352005, 10.234077, 1013.88629, 53.387184, 64.196457, 73.384567, 96.951576, 0.324}),
      measured("cotton_twill", "trousers, 65 % cotton, 35 % polyester",
               {2016.55456, 9.170511, 2034.97644, 104.759674, 125.409805, 107.997696, 125.409805,
                0.220}),
      measured("jersey", "T-shirt, interlock knit, 60 % cotton, 40 % polyester",
               {16.593832, 0, 34.477123, 36.860302, 23.191698, 24.749964, 14.267624, 0.187}),
      measured("rib_knit", "underwear, 95 % cotton, 5 % spandex",
               {42.871021, 0, 65.166023, 83.175644, 46.237591, 30.015930, 32.243889, 0.276}),
      measured("ponte", "jacket, double knit, 60 % polyester, 40 % rayon",
               {31.146198, 0, 44.028667, 31.896357, 36.348366, 33.013252, 37.157593, 0.284}),
      measured("sweater", "knit, 96 % polyester, 4 % spandex",
               {12.486332, 0, 3.272434, 17.616289, 59.469658, 40.072277, 45.625023, 0.224}),
      measured(
          "nylon_swimwear", "87 % nylon, 13 % spandex",
          {47.971176, 6.834521, 104.615456, 60.773663, 60.237942, 58.803211, 51.018833, 0.204}),
      measured(
          "polyester_tablecloth", "woven, 100 % polyester",
          {2002.08618, 0.345588, 2027.48559, 19.189022, 51.713814, 40.659470, 31.282822, 0.128}),
      measured(
          "polyester_jacket", "light, 100 % polyester",
          {43.067627, 54.373299, 171.424835, 14.314700, 14.293814, 21.951700, 20.345654, 0.113}),
      measured(
          "blanket", "100 % polyester",
          {151.503906, 106.028160, 244.830673, 30.250183, 117.070122, 87.509773, 59.774277, 0.228}),
      homogeneous("paper", "office paper, 0.1 mm, 100 g/m2, alike in both directions",
                  "Narain, Pfaff, O'Brien 2013, Folding and crumpling adaptive sheets, ACM Trans. "
                  "Graph. 32 (4), material of the published program; Poisson's ratio 0 as there",
                  {5e9, 0, 1000, 0.1e-3}),
      homogeneous("leather", "1.2 mm; moduli of leathers go from 0.1 to 0.5 GPa",
                  "Ashby, Materials Selection in Mechanical Design, leather: 0.1-0.5 GPa, 810-1050 "
                  "kg/m3; thickness and Poisson's ratio 0.3 chosen",
                  {0.2e9, 0.3, 930, 1.2e-3}),
      homogeneous("rubber_sheet", "natural rubber, 1 mm", k_ashby, {2e6, 0.49, 925, 1e-3}),
      homogeneous("aluminium_foil", "household foil, 16 micrometres", k_ashby,
                  {70e9, 0.33, 2700, 16e-6}),
  };
}

}  // namespace

std::span<const Fabric> fabrics() {
  static const std::array<Fabric, 14> table = make_fabrics();
  return table;
}

const Fabric* find_fabric(std::string_view name) {
  for (const Fabric& fabric : fabrics())
    if (name == fabric.name) return &fabric;
  return nullptr;
}

void use_fabric(const Fabric& fabric, ClothDef& cloth) {
  const Vec3 warp = cloth.sheet.warp;
  cloth.areal_density = fabric.areal_density;
  cloth.sheet = fabric.sheet;
  cloth.sheet.warp = warp;
  cloth.membrane = Membrane::strain;
  cloth.stretch_stiffness =
      0.5 * (fabric.sheet.warp_modulus + fabric.sheet.weft_modulus) * fabric.sheet.thickness;
  cloth.bend_rigidity = fabric.bend_rigidity;
}

}  // namespace pliant
