// Colouring of constraints at creation: two constraints of one colour share no particle.
//
// Greedy over the smallest-last order (Matula and Beck 1983): at most degeneracy + 1 colours. The
// order matters beyond the count: with one sweep per substep a row-by-row order can explode where
// the coloured order of the same constraints does not, so everything is solved colour by colour,
// also on one thread. Regular grids have a formula, which needs no more colours than constraints
// meet in a vertex.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/mesh.h>

namespace pliant {

// Constraints of any number of particles, by the particles that they move.
struct ElementList {
  std::vector<std::int32_t> particle;
  std::vector<std::int32_t> begin{0};  // element e: [begin[e], begin[e + 1])

  std::size_t size() const { return begin.size() - 1; }
  std::span<const std::int32_t> of(std::size_t e) const {
    return {particle.data() + begin[e], std::size_t(begin[e + 1] - begin[e])};
  }
  void add(std::span<const std::int32_t> particles) {
    particle.insert(particle.end(), particles.begin(), particles.end());
    begin.push_back(std::int32_t(particle.size()));
  }
};

// Returns each element's colour.
std::vector<std::int32_t> colour_elements(const ElementList& elements, std::int32_t particle_count);
// Elements are consecutive tuples of `arity` particle indices.
std::vector<std::int32_t> colour_elements(std::span<const std::int32_t> particles, int arity,
                                          std::int32_t particle_count);

// --- regular grids
// ---------------------------------------------------------------------------------
using GridPlace = std::array<std::int32_t, 2>;  // column and row
// Of each vertex of a mesh whose triangles are those of make_grid, in any shape; else nothing.
std::vector<GridPlace> grid_places(const TriMesh& mesh);
// Elements of such a grid: its edges in 6 colours, triangles in 6 (or one kind of the two in 3),
// hinges in 12. `place` is that of each particle.
std::vector<std::int32_t> colour_grid(std::span<const std::int32_t> particles, int arity,
                                      std::span<const GridPlace> place);

// The elements of each colour, in rising order of their smallest particle; for packing into
// batches.
std::vector<std::vector<std::int32_t>> group_by_colour(std::span<const std::int32_t> particles,
                                                       int arity,
                                                       std::span<const std::int32_t> colours);

}  // namespace pliant
