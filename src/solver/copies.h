// Particles with copies (ParticleCopies in model/batches.h) around a sweep.
//
//   before: d_c = d, w_c = n w          after: d <- d + 1/n sum (d_c - d)
//
// n copies of a particle with inverse mass w: the impulses of a sweep move the mean as they would
// move the particle, so momentum and the limit of many sweeps are those of the unsplit material.
// Source: Tonge et al. 2012. What no constraint moved stays where it is to the last bit.
#pragma once

#include "core/pool.h"
#include "model/deformable.h"
#include "model/particles.h"

namespace pliant {

void follow_particles(Particles& particles, const Deformable& body, TaskPool* pool);
void take_mean_of_copies(Particles& particles, const Deformable& body, TaskPool* pool);
// Once per step, when the particles have their new bases.
void rebase_copies(Particles& particles, const Deformable& body, TaskPool* pool);

}  // namespace pliant
