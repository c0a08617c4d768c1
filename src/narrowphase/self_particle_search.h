// Pairs of a cloth's particles that are nearer than they may be, or may soon be: groups of eight
// that lie together in the rest shape (leaves), a tree of boxes over them, eight children a node,
// and within two leaves that come near each other eight distances at a time.
//
// A leaf has a margin m: pairs are found up to r + m of one leaf + m of the other. As long as no
// particle has moved, against the mean of all, by more than its margin, what was not found is still
// r apart. Slow cloth is searched once a step, for all that is left of it; fast cloth in every
// substep, with the margin that it moves by in it, so that what passes each other is seen.
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

// Those that are nearer than about r, and the others, which hardly ever act.
struct SelfPairs {
  std::vector<SelfPair> near, far;
  void clear() { near.clear(), far.clear(); }
};

// Keeps its memory.
struct SelfSearch {
  std::vector<Vec3W> place;  // m, of each leaf's particles when they were searched, likewise
  std::vector<Vec4> d;       // m, of each particle then
  std::vector<Real> margin;  // m, of each leaf
  bool lasting = false;      // the margins are for the rest of the step
  std::vector<std::vector<SelfBoxes>> levels;  // the first is of leaves
  std::vector<Vec3R> sums;                     // over blocks of leaves
  std::vector<SelfPairs> found;                // of each block of leaves
  std::vector<std::uint8_t> left;              // of each block: some particle has left its margin
};

// The particles of a body.
struct SelfRange {
  const SelfParticles& body;
  std::int32_t begin, count;  // of the particles
};

// Puts particles to where they are in this substep of h seconds, and chooses margins from their
// speeds, if they can for all that is `left` of the step (s).
void place_self_particles(const SelfRange& range, const Particles& particles, double h, double left,
                          TaskPool* pool, SelfSearch& search);
// Whether what was found then still has all that is nearer than r.
bool self_pairs_last(const SelfRange& range, const Particles& particles, TaskPool* pool,
                     SelfSearch& search);
// Pairs of particles as they were placed: each once, in an order that depends on them alone.
void find_self_pairs(const SelfRange& range, TaskPool* pool, SelfSearch& search, SelfPairs& pairs);
// The same by all against all, rising.
std::vector<SelfPair> find_self_pairs_brute(const SelfRange& range, const SelfSearch& search);

// m2, that margins add to r^2 at most: (r + m)^2 - r^2 of the largest r.
inline Real widened_sq(const SelfParticles& body, Real margin) {
  return (2 * body.reach + margin) * margin;
}

}  // namespace pliant
