// Fields of meshes: made grids, boxes, spheres and lattices, files, and points by hand.
#include "scene/field_ranges.h"
#include "scene/fields.h"

namespace pliant {

template <>
std::span<const Field<GridSource>> fields_of<GridSource>() {
  static const std::vector<Field<GridSource>> table = {
      {"columns", &GridSource::columns, "", "cells along x", {1, 10000}},
      {"rows", &GridSource::rows, "", "cells along z", {1, 10000}},
      {"width", &GridSource::width, "m", "along x", k_size},
      {"depth", &GridSource::depth, "m", "along z", k_size},
  };
  return table;
}

template <>
std::span<const Field<BoxSource>> fields_of<BoxSource>() {
  static const std::vector<Field<BoxSource>> table = {
      {"half", &BoxSource::half, "m", "half of each side", k_size},
      {"cells", &BoxSource::cells, "", "each face is cut into cells x cells", {1, 1000}},
  };
  return table;
}

template <>
std::span<const Field<SphereSource>> fields_of<SphereSource>() {
  static const std::vector<Field<SphereSource>> table = {
      {"radius", &SphereSource::radius, "m", "radius", k_size},
      {"levels", &SphereSource::levels, "", "subdivisions of an icosahedron", {0, 10}},
  };
  return table;
}

template <>
std::span<const Field<LatticeSource>> fields_of<LatticeSource>() {
  static const std::vector<Field<LatticeSource>> table = {
      {"cells", &LatticeSource::cells, "", "cubes along x, y and z", {1, 1000}},
      {"cell", &LatticeSource::cell, "m", "edge of a cube", k_size},
  };
  return table;
}

template <>
std::span<const Field<TriSource>> fields_of<TriSource>() {
  static const std::vector<Field<TriSource>> table = {
      {"grid", std::monostate{}, "", "flat rectangle in the xz plane, centred on the origin", k_any,
       false, "grid"},
      {"box", std::monostate{}, "", "closed box", k_any, false, "mesh_box"},
      {"sphere", std::monostate{}, "", "closed sphere", k_any, false, "mesh_sphere"},
      {"file", &TriSource::file, "", ".obj .ply .stl or .vtk, relative to the scene file"},
      {"vertices", &TriSource::vertices, "m", "points", k_place},
      {"triangles", std::monostate{}, "",
       "three vertex numbers each, counter-clockwise seen from outside", k_any, false, "triangles"},
      {"scale", &TriSource::scale, "", "factor of all coordinates", {1e-9, 1e9}},
  };
  return table;
}

template <>
std::span<const Field<TetSource>> fields_of<TetSource>() {
  static const std::vector<Field<TetSource>> table = {
      {"lattice", std::monostate{}, "", "cubes of five tetrahedra each, centred on the origin",
       k_any, false, "lattice"},
      {"file", &TetSource::file, "",
       ".node with .ele, .vtk or .msh, relative to the scene file; what is flat or wound the wrong "
       "way is mended, with a warning"},
      {"vertices", &TetSource::vertices, "m", "points", k_place},
      {"tetrahedra", std::monostate{}, "", "four vertex numbers each, of positive volume", k_any,
       false, "tetrahedra"},
      {"scale", &TetSource::scale, "", "factor of all coordinates", {1e-9, 1e9}},
  };
  return table;
}

}  // namespace pliant
