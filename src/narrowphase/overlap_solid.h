// A solid as the search for overlaps sees it: who is whose neighbour in its tetrahedra, and the
// trees and normals of its boundary where it is now.
#pragma once

#include <span>
#include <vector>

#include "geometry/box_tree.h"
#include "geometry/topology.h"
#include "narrowphase/eight_tree.h"

namespace pliant {

// What follows from the tetrahedra alone. Numbers are particles of the body's range.
struct SolidTopology {
  std::vector<Tetrahedron> tets;
  std::vector<std::int32_t> points;                      // those that a tetrahedron has, rising
  std::vector<std::int32_t> neighbour_begin, neighbour;  // along edges of tetrahedra
  std::vector<Triangle> faces;                           // the boundary, outward
  std::vector<std::int32_t> face_tet;
  std::vector<std::int32_t> ring_begin, ring;  // the faces around each particle
  EdgeList edges;                              // of the faces

  std::span<const std::int32_t> neighbours(std::int32_t p) const {
    const std::size_t n = std::size_t(p), begin = std::size_t(neighbour_begin[n]);
    return std::span(neighbour).subspan(begin, std::size_t(neighbour_begin[n + 1]) - begin);
  }
  std::span<const std::int32_t> faces_at(std::int32_t p) const {
    const std::size_t n = std::size_t(p), begin = std::size_t(ring_begin[n]);
    return std::span(ring).subspan(begin, std::size_t(ring_begin[n + 1]) - begin);
  }
};

// Of a cell: as long as no particle has moved further along an axis, what was found around the
// places where they were is good for finding everything around those where they are.
inline constexpr double k_kept = 0.1;

struct OverlapSolid {
  SolidTopology topology;
  std::int32_t body = 0;   // deformable
  std::int32_t begin = 0;  // of its particles
  bool awake = true;
  bool self = false;              // meets itself
  double cell = 0;                // m, shortest edge at rest
  TreeBox box;                    // of its points
  RoughBox rough_all = k_no_box;  // likewise
  std::vector<RoughBox> rough;    // of each point alone, where it is now
  std::vector<Vec3> kept;   // m, of each particle: where it was when it was last looked around
  std::int64_t looked = 0;  // how often that was
  std::vector<Vec3> then;   // m, of each particle: where its contacts were last looked for
  bool fresh = false;       // they are looked for in this substep
  // Made when they are asked for:
  std::vector<TreeBox> tet_boxes, face_boxes;
  BoxTree tet_tree, face_tree;
  bool has_face_tree = false;  // it is that of the present places
  EightTree near_faces;        // the faces once more, for short ways
  std::vector<Vec3> normals;   // of the boundary at each particle, weighted by area
  bool has_faces = false;      // `near_faces` and normals are those of the present places

  double reach() const { return k_kept * cell; }  // m
};

// `count` particles in its range.
SolidTopology make_topology(std::span<const Tetrahedron> tets, std::int32_t count);
double mean_edge(const OverlapSolid& solid, std::span<const Vec3> x);  // m

void refresh_box(OverlapSolid& solid, std::span<const Vec3> x);
void refresh_tets(OverlapSolid& solid, std::span<const Vec3> x);
// After `refresh_box` with the same places.
void refresh_faces(OverlapSolid& solid, std::span<const Vec3> x);
void refresh_face_tree(OverlapSolid& solid, std::span<const Vec3> x);
// m2, of the faces around a particle of its range.
double area_around(const OverlapSolid& solid, std::int32_t particle, std::span<const Vec3> x);

// Where a line from `from`, along `way` up to `way` times `reach`, meets the boundary.
struct FaceHit {
  std::int32_t face = -1;  // none
  double at = 0;           // in parts of `way`
  std::array<double, 3> weight{};
};
// Of one face; -1 where it does not. A hit may be outside the triangle by rounding.
FaceHit meet_face(const OverlapSolid& solid, std::int32_t face, std::span<const Vec3> x,
                  const Vec3& from, const Vec3& way, double reach);
// The first along the way, of equals the one with the lowest number; `first_guess` is a face to
// look at first, which changes nothing but the time. Faces that have the particle `skip` or
// `skip_too` as a corner are left out.
FaceHit first_face(const OverlapSolid& solid, std::span<const Vec3> x, const Vec3& from,
                   const Vec3& way, double reach, std::int32_t first_guess, std::int32_t skip,
                   std::int32_t skip_too);

// Four faces where they are, for many ways that lie in one box. A face of none has no area.
struct alignas(32) FourFaces {
  using Four = double __attribute__((vector_size(4 * sizeof(double))));
  std::array<Four, 3> a{}, ab{}, ac{};  // m: a corner, and from there to the others, by axes
  std::array<std::int32_t, 4> face{};
};
void list_faces(const OverlapSolid& solid, std::span<const Vec3> x, const TreeBox& box,
                std::vector<FourFaces>& faces);
// Like the other, along the whole way, if the list is of a box that the way lies in.
FaceHit first_face(const OverlapSolid& solid, std::span<const FourFaces> faces,
                   std::span<const Vec3> x, const Vec3& from, const Vec3& way, std::int32_t skip,
                   std::int32_t skip_too);

}  // namespace pliant
