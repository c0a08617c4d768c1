// Which benchmarks there are: a scene file, what is changed in it, and whom it is measured against.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <pliant/scene.h>

#include "bench/quality.h"

namespace pliant::bench {

// What of a file is made many times over.
struct Copies {
  enum class What { nothing, dynamic, rectangles };
  What what = What::nothing;          // all dynamic bodies with their joints, or all rectangles
  std::array<int, 3> count{1, 1, 1};  // along x, y, z
  Vec3 spacing{};                     // m
};

struct Benchmark {
  std::string name;
  std::string file;                    // in scenes/benchmark, without its extension
  std::vector<std::string> overrides;  // of the file's values, as for load_scene
  Standing rule = Standing::in_place;
  // Those of one turn run by turns, run by run, so that their ratios mean something.
  std::string turn;
  // Whose Bullet row this one is compared with; empty = its own, and peers run it too.
  std::string reference;
  bool peers = true;       // whether other engines run it
  int last_frame = 0;      // where it ends before the others; 0 = with them
  int repeats = 0;         // at least; its times are compared with each other's
  int minutes = 0;         // measured from the beginning, where no frames are asked for; 0 = not
  bool sweep = false;      // only the inner loop of its cloth, beside a loop over single edges
  bool rotations = false;  // only the rotations of shape matching
  bool sleep = false;      // what rests may sleep
  bool elements = false;   // its peer is Bullet's finite elements
  bool stands = false;     // its first solid does, and its sag is told
  Copies copies{};
  // Cells along the sides of a closed box that the first solid's surface becomes; 0 = as it is.
  std::array<int, 3> shell{};
};

// In place, with names of their own.
void make_copies(const Copies& copies, Scene& scene);
// A closed box of the size of a cube of a metre: 2 (ab + bc + ca) + 2 vertices of cells a, b, c.
TriMesh make_shell(const std::array<int, 3>& cells);
// Makes a solid of it, all vertices of one mass: springs hold the surface itself, shape matching
// has one more vertex in the middle, from which its tetrahedra go.
void set_shell(const std::array<int, 3>& cells, SolidDef& solid);

const std::vector<Benchmark>& all_benchmarks();
const Benchmark* find_benchmark(const std::string& name);

// Benchmarks that are named together. The first is what runs where nothing is named.
struct BenchGroup {
  std::string name;
  std::vector<std::string> members;
};
const std::vector<BenchGroup>& all_groups();
// Groups replaced by their members; each benchmark once, in the order named. Other names stay.
std::vector<std::string> expand_groups(const std::vector<std::string>& names);

const std::vector<std::string>& solid_models();
// Sizes of a solid, from the smallest on: rows named solid_<kind>_<size>. Kinds are the models and,
// last, shape matching in clusters of 2 x 2 x 2 cells that overlap.
const std::vector<std::string>& block_kinds();
const std::vector<std::string>& solid_sizes();
// Rows that are named after the checks of the specifications of solids: where one doubles the size
// of the one before, they follow each other.
const std::vector<std::string>& detection_rows();         // deformable_A10
const std::vector<std::string>& matching_rows();          // elastic_A10
const std::vector<std::string>& spring_rows(bool large);  // elastic_A17, the first of edges alone
// Likewise standing on the floor, as hard as each other: shape matching first, then springs.
const std::vector<std::string>& standing_rows(bool large);
// All of them, and the four animals under every model and contact.
void add_solid_checks(std::vector<Benchmark>& out);
// The rows of the scaling table, from the smallest cloth on.
const std::vector<std::string>& scaling_at_fixed_substeps();
const std::vector<std::string>& scaling_at_equal_stretch();

}  // namespace pliant::bench
