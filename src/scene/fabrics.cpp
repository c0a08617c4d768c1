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

// Fitted to tests: energy per volume a11 E1^2 / 2 + a12 E1 E2 + a22 E2^2 / 2 + g12 E12^2 at small
// strain, 1 the warp, E12 the tensor's shear. The rigidity is that of a plate, a t^3 / 12, mean of
// warp and weft, where the thickness was fitted to bending; otherwise it is given.
constexpr const char* k_clyde =
    "Clyde, Teran, Tamstorf 2017, Modeling and data-driven parameter estimation for woven fabrics, "
    "Symposium on Computer Animation; as in the programs of Kairanda et al. 2024 (NeuralClothSim) "
    "and of Li, Kaufman, Jiang 2021 (Codimensional IPC)";

struct Fitted {
  double a11, a12, a22, g12;  // MPa
  double thickness;           // m
  double areal_density;       // kg/m2
};

Fabric fitted(const char* name, const char* description, const Fitted& f) {
  Sheet sheet;
  sheet.thickness = f.thickness;
  sheet.warp_modulus = (f.a11 - f.a12 * f.a12 / f.a22) * 1e6;
  sheet.weft_modulus = (f.a22 - f.a12 * f.a12 / f.a11) * 1e6;
  sheet.shear_modulus = f.g12 / 2 * 1e6;  // E12 is half the engineering shear
  sheet.poisson_ratio = f.a12 / f.a22;
  const double t = f.thickness;
  const double rigidity = (f.a11 + f.a22) / 2 * 1e6 * t * t * t / 12;
  return {name, description, k_clyde, f.areal_density, sheet, rigidity};
}

// A coating 1.28 mm thick, of which only the gauge is known: as a plate it would have 0.39 mN m.
// Its bending length is taken as 25 mm, amid those of silk, canvas and cotton (21 to 30 mm).
Fabric wool() {
  Fabric fabric =
      fitted("wool", "coating, woollen, 1.3 mm", {2.29, 1.145, 2.219, 0.371, 1.28e-3, 0.4806});
  fabric.bend_rigidity = fabric.areal_density * 9.81 * 0.025 * 0.025 * 0.025;
  return fabric;
}

// Rings of 6 mm in the middle of a wire of 1 mm. Two opposite forces lengthen a ring by 0.149 P R^3
// / (E I), so that rows as far apart as columns have E I / (0.149 R^3) newtons per metre. Within
// their play rings turn freely: no bending, and a shear stiffness that only keeps the mesh in
// order.
Fabric chain_mail() {
  constexpr double k_modulus = 193e9, k_radius = 3e-3, k_wire = 1e-3;
  constexpr double k_inertia = 3.14159265358979 / 64 * k_wire * k_wire * k_wire * k_wire;
  constexpr double k_stiffness = k_modulus * k_inertia / (0.149 * k_radius * k_radius * k_radius);
  Sheet sheet;
  sheet.thickness = 2 * k_wire;
  sheet.warp_modulus = sheet.weft_modulus = k_stiffness / sheet.thickness;
  sheet.shear_modulus = 100 / sheet.thickness;
  sheet.poisson_ratio = 0;
  return {"chain_mail",
          "stainless steel, rings of 7 mm over all, wire of 1 mm",
          "GDS Metal, Chainmail vests (product page): 2.5-3.5 kg for 0.4-0.6 m2, rings of 6-8 mm, "
          "wire of 0.8-1.2 mm; stretch from the elasticity of a ring, shear and bending chosen",
          6,
          sheet,
          0};
}

// Upholstery leather. The modulus is the secant to the breaking point of strips 10 mm wide (314 N
// along and 250 N across at 58.3 % and 58.8 %).
Fabric leather() {
  constexpr double k_poisson = 0.3, k_thickness = 1.31e-3, k_width = 0.01;
  Sheet sheet;
  sheet.thickness = k_thickness;
  sheet.warp_modulus = 314 / (k_width * k_thickness * 0.583);
  sheet.weft_modulus = 250 / (k_width * k_thickness * 0.588);
  const double mean = (sheet.warp_modulus + sheet.weft_modulus) / 2;
  sheet.shear_modulus = mean / (2 * (1 + k_poisson));
  sheet.poisson_ratio = k_poisson;
  const double rigidity =
      mean * k_thickness * k_thickness * k_thickness / (12 * (1 - k_poisson * k_poisson));
  return {"leather",
          "upholstery, 1.3 mm",
          "Inpelle, Technical data report leather: thickness, weight per area, breaking force and "
          "elongation; width of the strips as in ISO 3376, Poisson's ratio chosen",
          0.863,
          sheet,
          rigidity};
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

std::array<Fabric, 20> make_fabrics() {
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
      leather(),
      homogeneous("rubber_sheet", "natural rubber, vulcanized, 1 mm",
                  "MatWeb, Natural Rubber, Vulcanized (NR, IR, Polyisoprene): 950 kg/m3, shear "
                  "modulus 0.5 MPa; Young's modulus three times that, thickness chosen",
                  {1.5e6, 0.49, 950, 1e-3}),
      homogeneous(
          "aluminium_foil", "household foil, 16 micrometres",
          "Wikipedia, Aluminium foil: 16 micrometres; Engineering ToolBox, Young's modulus of "
          "materials: 69 GPa; 2700 kg/m3 and Poisson's ratio 0.33 of aluminium",
          {69e9, 0.33, 2700, 16e-6}),
      fitted("silk", "charmeuse", {4.3, 4.971, 9.942, 0.57, 0.239e-3, 0.083}),
      fitted("cotton", "light, plain weave", {15.557, 7.779, 25.004, 1.076, 0.253e-3, 0.1036}),
      fitted("canvas", "cotton canvas", {5.366, 2.683, 19.804, 2.009, 0.37e-3, 0.294}),
      wool(),
      homogeneous(
          "felt", "thin non-woven facing, 0.35 mm",
          "Jaouen, Becot 2011, Acoustical characterization of perforated facings, J. Acoust. "
          "Soc. Am. 129 (3), example B (non-woven): 10 MPa, 171 kg/m3, 0.35 mm, Poisson's "
          "ratio 0; as in the material files of PLANES",
          {10e6, 0, 171, 0.35e-3}),
      chain_mail(),
  };
}

}  // namespace

std::span<const Fabric> fabrics() {
  static const std::array<Fabric, 20> table = make_fabrics();
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
