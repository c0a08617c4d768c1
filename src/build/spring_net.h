// Springs of a solid: which there are, and packed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/defs.h>

#include "geometry/topology.h"
#include "model/springs.h"

namespace pliant {

struct SpringRow {
  std::array<std::int32_t, 2> particle;
  double rest;       // m
  double stiffness;  // N/m
  double damping;    // N s/m
};
struct AreaRow {
  std::array<std::int32_t, 3> particle;
  double rest;       // m2
  double stiffness;  // J/m4
};
struct SpringVolumeRow {
  std::array<std::int32_t, 4> particle;
  double rest;       // m3
  double stiffness;  // J/m6
};
struct SpringRows {
  std::vector<SpringRow> springs;
  std::vector<AreaRow> areas;
  std::vector<SpringVolumeRow> volumes;
  int missing = 0;  // springs that were asked for and found no place
};

// Springs on the edges of the tetrahedra, which on a lattice are the sides of its cubes and one
// diagonal of each face; areas of the boundary, volumes of all tetrahedra. By user vertices.
SpringRows lattice_springs(const Springs& def, const TetMesh& mesh);

// Springs through the inside of a surface.
struct InnerSprings {
  std::vector<VertexPair> springs;  // in the order in which they were placed
  int missing = 0;                  // that were asked for and found no place
  int tests = 0;                    // most that were made for one spring
};
// No edge of the mesh and none twice. Candidates for the other end of a spring are drawn at random;
// but for `random` their normal must look away from that of the first, and `nearest` takes the
// nearest of them. Source: N. Martinec 2013.
InnerSprings place_inner(const Springs& def, const TriMesh& mesh);
// On the edges of the surface and through it; areas of its triangles.
SpringRows surface_springs(const Springs& def, const TriMesh& mesh);

// `rest` of the particles, which the rows name; masses 0 where they are held. The order of the rows
// changes no bit, that of the particles the last ones: a solid's are numbered by place.
SpringNet make_spring_net(SpringRows rows, const std::vector<Vec3>& rest,
                          const std::vector<double>& mass, SpringIntegrator integrator);
}  // namespace pliant
