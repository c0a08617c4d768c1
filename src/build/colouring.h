// Colouring of constraints at creation: two constraints of one colour share no particle.
//
// Greedy over the smallest-last order (Matula and Beck 1983): at most degeneracy + 1 colours. The
// order matters beyond the count: with one sweep per substep a row-by-row order can explode where
// the coloured order of the same constraints does not, so everything is solved colour by colour,
// also on one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pliant {

// Elements are consecutive tuples of `arity` particle indices. Returns each element's colour.
std::vector<std::int32_t> colour_elements(std::span<const std::int32_t> particles, int arity,
                                          std::int32_t particle_count);

// The elements of each colour, in rising order of their smallest particle; for packing into
// batches.
std::vector<std::vector<std::int32_t>> group_by_colour(std::span<const std::int32_t> particles,
                                                       int arity,
                                                       std::span<const std::int32_t> colours);

}  // namespace pliant
