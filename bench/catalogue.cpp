#include "bench/catalogue.h"

#include <algorithm>

#include <fmt/format.h>

namespace pliant::bench {
namespace {

constexpr int k_fixed_substeps = 4;  // cloth128's own
constexpr int k_huge_last_frame = 120;
constexpr int k_statics_last_frame = 180;
constexpr int k_phase_last_frame = 180;

// The drape meets itself by particles; so, and as thin as that allows, by features.
const std::vector<std::string> k_by_features{"cloths.cloth.self_contact_by=\"features\"",
                                             "cloths.cloth.thickness=0.002"};

Benchmark plain(const char* name, Standing rule = Standing::in_place) {
  Benchmark b;
  b.name = b.file = b.turn = name;
  b.rule = rule;
  return b;
}

// Ours only; `reference` has the Bullet row that it is compared with.
Benchmark ours(const char* name, const char* file, std::vector<std::string> overrides,
               const char* turn, const char* reference) {
  Benchmark b;
  b.name = name;
  b.file = file;
  b.overrides = std::move(overrides);
  b.turn = turn;
  b.reference = reference;
  b.peers = false;
  return b;
}

// The cloth of a file with n x n vertices instead; those of cloth128 are held at two corners.
std::vector<std::string> grid(int n, int substeps, bool held) {
  std::vector<std::string> out{fmt::format("cloths.cloth.mesh.grid.columns={}", n - 1),
                               fmt::format("cloths.cloth.mesh.grid.rows={}", n - 1),
                               fmt::format("world.substeps={}", substeps)};
  if (held) out.push_back(fmt::format("cloths.cloth.pins=[{{\"vertices\": [0, {}]}}]", n - 1));
  return out;
}

Benchmark scaled(const char* name, int n, int substeps) {
  Benchmark b = ours(name, "cloth128", grid(n, substeps, true), "scaling", "");
  if (n > 256) b.last_frame = k_huge_last_frame;
  return b;
}

void add_first_bench(std::vector<Benchmark>& out) {
  for (const char* name : {"cloth64", "cloth128", "softcubes", "pyramid"})
    out.push_back(plain(name));
  for (const char* name : {"boxes", "spheres"}) out.push_back(plain(name, Standing::contained));
  out.push_back(plain("mix"));
}

void add_cloth_bench(std::vector<Benchmark>& out) {
  const std::string self = "cloths.cloth.self_contact=true";
  out.push_back(ours("cloth64_self", "cloth64", {self}, "cloth64", "cloth64"));
  // Folds that hold each other draw single edges out further: with 4 and 5 substeps to twice their
  // length.
  out.push_back(
      ours("cloth128_self", "cloth128", {self, "world.substeps=6"}, "cloth128", "cloth128"));
  out.push_back(ours("drape128", "drape128", {}, "cloth128", "cloth128"));
  out.push_back(ours("drape128_features", "drape128", k_by_features, "cloth128", "cloth128"));
  // Of cloth128's cloth: without bending and nearly without drag, which is what no fabric is.
  std::vector<std::string> limp{"cloths.cloth.areal_density=0.2", "cloths.cloth.bend_rigidity=0",
                                "cloths.cloth.linear_drag=0.1", "cloths.cloth.thickness=0.004",
                                "world.substeps=4"};
  out.push_back(ours("drape128_limp", "drape128", limp, "cloth128", "cloth128"));
  limp.push_back(k_by_features.front());
  out.push_back(ours("drape128_limp_features", "drape128", limp, "cloth128", "cloth128"));
  out.push_back(scaled("cloth32", 32, k_fixed_substeps));
  out.push_back(scaled("cloth64_fixed", 64, k_fixed_substeps));
  out.push_back(scaled("cloth256", 256, k_fixed_substeps));
  out.push_back(scaled("cloth512", 512, k_fixed_substeps));
  // The least substeps with a mean stretch of about 1.02 in the worst frame, as cloth64 and
  // cloth128 have.
  out.push_back(scaled("cloth32_equal", 32, 1));
  out.push_back(scaled("cloth256_equal", 256, 5));
  out.push_back(scaled("cloth512_equal", 512, 9));
  // The timed parts of check 25 of the cloth's specification.
  std::vector<std::string> small = grid(30, 20, false), large = grid(100, 20, false);
  for (std::vector<std::string>* drape : {&small, &large}) {
    drape->push_back(k_by_features.front());
    drape->push_back("cloths.cloth.thickness=0.004");  // the default
  }
  out.push_back(ours("cloth_A25_900", "drape128", small, "cloth_A25", ""));
  out.push_back(ours("cloth_A25_10k", "cloth128", grid(100, 20, true), "cloth_A25", ""));
  out.push_back(ours("cloth_A25_10k_self", "drape128", large, "cloth_A25", ""));
  out.push_back(ours("cloth_A25_simd", "cloth128", grid(100, 1, true), "cloth_A25", ""));
  out.back().sweep = true;
}

// The rigid bodies of spec-rigid A24 and of the peers' own demonstrations.
void add_rigid_bench(std::vector<Benchmark>& out) {
  for (const char* name : {"hulls", "meshes", "statics"})
    out.push_back(plain(name, Standing::contained));
  out.back().last_frame = k_statics_last_frame;
  Benchmark ragdolls = plain("ragdolls", Standing::contained);
  ragdolls.copies = {Copies::What::dynamic, {10, 5, 10}, {1.8, 2.1, 0.7}};
  out.push_back(ragdolls);
  Benchmark far = ours("statics_far", "statics", {}, "statics", "statics");
  far.rule = Standing::contained;
  far.last_frame = k_statics_last_frame;
  far.copies = {Copies::What::rectangles, {1, 1, 11}, {0, 0, 1000}};
  out.push_back(far);
  Benchmark sleeping = ours("sleeping", "sleeping", {}, "sleeping", "");
  sleeping.sleep = true;
  out.push_back(sleeping);
  // Every broad phase on a bin, on the pyramid and on A24.
  for (const char* scene : {"spheres", "boxes", "pyramid", "statics"})
    for (const char* phase : {"sweep", "bvh", "sphere_tree", "tiles"}) {
      const std::string name = fmt::format("{}_{}", scene, phase);
      Benchmark b = ours(name.c_str(), scene, {fmt::format("world.broad_phase=\"{}\"", phase)},
                         name.c_str(), "");
      b.turn = fmt::format("{}_phases", scene);
      b.last_frame = k_phase_last_frame;
      b.rule = scene == std::string("pyramid") ? Standing::in_place : Standing::contained;
      if (scene == std::string("statics"))
        b.overrides.push_back(
            "world.tiles={\"low\": [-115, 0, -60], \"high\": [115, 5, 60], \"count\": [230, 1, "
            "120]}");
      out.push_back(b);
    }
}

// The drape of n x n vertices over the ball of 0.3 m, or (crumple) of one so small that the cloth
// closes around it like an umbrella; with another structure that searches.
Benchmark searched(const char* name, int n, bool crumple, const char* structure) {
  std::vector<std::string> overrides = grid(n, k_fixed_substeps, false);
  overrides.push_back(fmt::format("world.cloth_search=\"{}\"", structure));
  overrides.insert(overrides.end(), k_by_features.begin(), k_by_features.end());
  if (crumple) {
    overrides.push_back("bodies.ball.shape={\"sphere\": {\"radius\": 0.08}}");
    overrides.push_back("bodies.ball.position=[0, 1.25, 0]");
  }
  Benchmark b = ours(name, "drape128", overrides, crumple ? "crumple" : "drape", "");
  if (n > 128) b.last_frame = k_huge_last_frame;
  return b;
}

void add_search_bench(std::vector<Benchmark>& out) {
  out.push_back(searched("drape32", 32, false, "bvh"));
  out.push_back(searched("drape32_rtree", 32, false, "rtree"));
  out.push_back(searched("drape64", 64, false, "bvh"));
  out.push_back(searched("drape64_rtree", 64, false, "rtree"));
  out.push_back(searched("drape128_fixed", 128, false, "bvh"));
  out.push_back(searched("drape128_rtree", 128, false, "rtree"));
  out.push_back(searched("drape128_inserted", 128, false, "rtree_inserted"));
  out.push_back(searched("drape256", 256, false, "bvh"));
  out.push_back(searched("drape256_rtree", 256, false, "rtree"));
  out.push_back(searched("crumple64", 64, true, "bvh"));
  out.push_back(searched("crumple64_rtree", 64, true, "rtree"));
  out.push_back(searched("crumple64_inserted", 64, true, "rtree_inserted"));
}

// Three cubes under every model and every contact of solids; a block of 1k to 200k tetrahedra under
// every model.
void add_solid_bench(std::vector<Benchmark>& out) {
  // A wave of the stiff direction crosses an element in 2.5 ms, and damping shortens what is
  // stable (8 substeps are not, 9 are); the others need neither.
  const std::vector<std::string> explicit_cube{"world.substeps=10", "solids.cube.damping=0.0005"};
  for (const std::string& model : solid_models()) {
    const std::string with = fmt::format("solids.cube.model=\"{}\"", model);
    for (const char* contact : {"position", "pressure", "penalty"}) {
      const std::string name = fmt::format("three_cubes_{}_{}", model, contact);
      out.push_back(ours(name.c_str(), "three_cubes",
                         {with, fmt::format("world.solid_contact=\"{}\"", contact)}, "three_cubes",
                         ""));
      std::vector<std::string>& overrides = out.back().overrides;
      if (model == "explicit_fem")
        overrides.insert(overrides.end(), explicit_cube.begin(), explicit_cube.end());
    }
  }
  constexpr int k_cells[] = {6, 10, 17, 34};
  constexpr int k_block_first_frames = 90;
  for (const std::string& kind : block_kinds())
    for (std::size_t n = 0; n < solid_sizes().size(); ++n) {
      const std::string name = fmt::format("solid_{}_{}", kind, solid_sizes()[n]);
      const bool clusters = kind == block_kinds().back();
      out.push_back(
          ours(name.c_str(), "solid_block",
               {fmt::format("solids.block.model=\"{}\"", clusters ? "shape_matching" : kind),
                fmt::format("solids.block.tets.lattice.cells=[{0}, {0}, {0}]", k_cells[n])},
               name.c_str(), ""));
      if (clusters) out.back().overrides.emplace_back("solids.block.matching.cluster_cells=2");
      out.back().last_frame = k_block_first_frames;
    }
  add_solid_checks(out);
  Benchmark elements = plain("fem_cubes");
  elements.elements = true;
  elements.last_frame = k_phase_last_frame;
  out.push_back(elements);
}

std::vector<Benchmark> make_benchmarks() {
  std::vector<Benchmark> out;
  add_first_bench(out);
  add_cloth_bench(out);
  add_search_bench(out);
  add_rigid_bench(out);
  add_solid_bench(out);
  return out;
}

std::vector<std::string> solid_members() {
  std::vector<std::string> out{"softcubes", "fem_cubes"};
  std::vector<Benchmark> rows;
  add_solid_bench(rows);
  for (const Benchmark& row : rows)
    if (!row.elements) out.push_back(row.name);
  return out;
}

std::vector<BenchGroup> make_groups() {
  return {
      {"first", {"cloth64", "cloth128", "softcubes", "pyramid", "boxes", "spheres", "mix"}},
      {"cloth", {"cloth64",           "cloth64_self",      "cloth128",       "cloth128_self",
                 "drape128",          "drape128_features", "cloth32",        "cloth64_fixed",
                 "cloth256",          "cloth512",          "cloth32_equal",  "cloth256_equal",
                 "cloth512_equal",    "cloth_A25_900",     "cloth_A25_10k",  "cloth_A25_10k_self",
                 "cloth_A25_simd",    "drape32",           "drape32_rtree",  "drape64",
                 "drape64_rtree",     "drape128_fixed",    "drape128_rtree", "drape128_inserted",
                 "drape256",          "drape256_rtree",    "crumple64",      "crumple64_rtree",
                 "crumple64_inserted"}},
      {"search",
       {"drape32", "drape32_rtree", "drape64", "drape64_rtree", "drape128_fixed", "drape128_rtree",
        "drape128_inserted", "drape256", "drape256_rtree", "crumple64", "crumple64_rtree",
        "crumple64_inserted"}},
      {"rigid",
       {"pyramid", "boxes", "spheres", "hulls", "meshes", "ragdolls", "statics", "statics_far",
        "sleeping"}},
      {"solids", solid_members()},
      {"broad_phases",
       {"spheres_sweep", "spheres_bvh", "spheres_sphere_tree", "spheres_tiles", "boxes_sweep",
        "boxes_bvh", "boxes_sphere_tree", "boxes_tiles", "pyramid_sweep", "pyramid_bvh",
        "pyramid_sphere_tree", "pyramid_tiles", "statics_sweep", "statics_bvh",
        "statics_sphere_tree", "statics_tiles"}}};
}

}  // namespace

const std::vector<Benchmark>& all_benchmarks() {
  static const std::vector<Benchmark> benchmarks = make_benchmarks();
  return benchmarks;
}

const Benchmark* find_benchmark(const std::string& name) {
  for (const Benchmark& b : all_benchmarks())
    if (name == b.name) return &b;
  return nullptr;
}

const std::vector<BenchGroup>& all_groups() {
  static const std::vector<BenchGroup> groups = make_groups();
  return groups;
}

std::vector<std::string> expand_groups(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& name) {
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  };
  for (const std::string& name : names) {
    const auto group = std::find_if(all_groups().begin(), all_groups().end(),
                                    [&](const BenchGroup& g) { return g.name == name; });
    if (group == all_groups().end()) {
      add(name);
      continue;
    }
    for (const std::string& member : group->members) add(member);
  }
  return out;
}

const std::vector<std::string>& solid_models() {
  static const std::vector<std::string> names{"xpbd", "fem", "explicit_fem", "mass_spring",
                                              "shape_matching"};
  return names;
}

const std::vector<std::string>& block_kinds() {
  static const std::vector<std::string> names{
      "xpbd", "fem", "explicit_fem", "mass_spring", "shape_matching", "clusters"};
  return names;
}

const std::vector<std::string>& solid_sizes() {
  static const std::vector<std::string> names{"1k", "5k", "25k", "200k"};
  return names;
}

const std::vector<std::string>& scaling_at_fixed_substeps() {
  static const std::vector<std::string> names{"cloth32", "cloth64_fixed", "cloth128", "cloth256",
                                              "cloth512"};
  return names;
}

const std::vector<std::string>& scaling_at_equal_stretch() {
  static const std::vector<std::string> names{"cloth32_equal", "cloth64", "cloth128",
                                              "cloth256_equal", "cloth512_equal"};
  return names;
}

}  // namespace pliant::bench
