// Pairs of a cloth's particles that are nearer than they may be: groups of eight that lie together
// in the rest shape, a tree of boxes over them, eight children a node, and within two groups that
// come near each other eight distances at a time. All is taken anew in every substep from where the
// particles are: nothing is remembered, and nothing can come near unseen.
#pragma once

#include <vector>

#include "core/pool.h"
#include "model/particles.h"
#include "model/rigid.h"
#include "model/self_particles.h"

namespace pliant {

// Boxes of eight nodes, m, from the body's first particle.
struct SelfBoxes {
  Vec3W low, high;
};

// Keeps its memory.
struct SelfParticleScratch {
  std::vector<Vec3W> place;                    // m, of each leaf's particles, likewise
  std::vector<std::vector<SelfBoxes>> levels;  // the first is of leaves
  std::vector<std::vector<SelfPair>> found;    // of each block of leaves
};

// Those of a body whose particles begin at `begin`: each pair once, in an order that depends on
// them alone.
void find_self_pairs(const SelfParticles& body, std::int32_t begin, std::int32_t count,
                     const Particles& particles, TaskPool* pool, SelfParticleScratch& scratch,
                     std::vector<SelfPair>& pairs);
// The same by all against all, i < j, rising.
std::vector<SelfPair> find_self_pairs_brute(const SelfParticles& body, std::int32_t begin,
                                            std::int32_t count, const Particles& particles);

// m, of a particle from the body's first one: small numbers far from the origin too.
inline Vec3R self_place(const Particles& particles, std::int32_t begin, std::int32_t i) {
  const Vec4& origin = particles.base[std::size_t(begin)];
  const Vec4& base = particles.base[std::size_t(begin + i)];
  const Vec4& d = particles.d[std::size_t(begin + i)];
  return {(base.x - origin.x) + d.x, (base.y - origin.y) + d.y, (base.z - origin.z) + d.z};
}

}  // namespace pliant
