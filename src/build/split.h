// Copies of particles, so that constraints that meet in a particle can have the same colour.
//
// A particle of more than q constraints gets ceil(their number / q) copies, and its constraints are
// dealt among them (partial split after Fratarcangeli and Pellacini 2015). Each of n copies has the
// inverse mass n w (Tonge 2012): with w unchanged the material would be n times too soft, however
// many sweeps are done.
#pragma once

#include <cstdint>
#include <vector>

#include "build/colouring.h"
#include "build/constraint_rows.h"

namespace pliant {

// Renames the particles of the elements to their copies, which are counted from `first_copy`. Held
// particles have copies too: threads must not meet there, though nobody moves them.
ParticleCopies split_particles(ElementList& elements, std::int32_t particle_count, int q,
                               std::int32_t first_copy);
// The same for all rows but tethers, which move one particle each and keep to the particles.
ParticleCopies split_particles(ConstraintRows& rows, std::int32_t particle_count, int q,
                               std::int32_t first_copy);

}  // namespace pliant
