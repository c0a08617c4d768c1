#include "solver/self_particle_stages.h"

#include <algorithm>
#include <array>
#include <bit>

#include "constraints/contact_self_particle.h"
#include "model/rigid.h"

namespace pliant {
namespace {

constexpr int k_batch_grain = 32;
constexpr int k_overflow = 63;  // the last colour
constexpr int k_colours = k_overflow + 1;
// Of the distance in the rest shape that is kept at most: what was modelled touching is not driven
// apart.
constexpr Real k_of_rest = Real(0.9);
// Of the push speed, as of sheets (solver/sheet_stages.cpp): what comes apart keeps its velocity.
constexpr double k_push = 0.1;

using Sizes = std::array<std::int32_t, k_colours>;

bool at_one_seam(const std::vector<std::int32_t>& seam, const SelfPair& pair) {
  const std::int32_t i = seam[std::size_t(pair.i)];
  return i != 0 && i == seam[std::size_t(pair.j)];
}

// Returns how many pairs there are of each colour.
Sizes colour_pairs(std::vector<SelfPair>& pairs, const Deformable& body, SelfPackScratch& scratch) {
  const std::vector<std::int32_t>& seam = body.self_particles.seam;
  if (!seam.empty())
    std::erase_if(pairs, [&](const SelfPair& pair) { return at_one_seam(seam, pair); });
  Sizes sizes{};
  scratch.marks.resize(std::size_t(body.count), 0);
  scratch.colour.resize(pairs.size());
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    std::uint64_t &i = scratch.marks[std::size_t(pairs[n].i)],
                  &j = scratch.marks[std::size_t(pairs[n].j)];
    const int colour = std::min(std::countr_one(i | j), k_overflow);
    i |= 1ull << colour;
    j |= 1ull << colour;
    scratch.colour[n] = std::uint8_t(colour);
    ++sizes[std::size_t(colour)];
  }
  for (const SelfPair& pair : pairs)
    scratch.marks[std::size_t(pair.i)] = scratch.marks[std::size_t(pair.j)] = 0;
  return sizes;
}

// Where the pairs of each colour begin, in lanes; those of the overflow have a batch each.
Sizes lay_out(const Sizes& sizes, std::int32_t unused, SelfContacts& contacts) {
  Sizes next{};
  std::int32_t batches = 0;
  contacts.colour_begin.assign(1, 0);
  contacts.serial = false;
  for (int colour = 0; colour < k_colours && sizes[std::size_t(colour)] > 0; ++colour) {
    const int wide = colour == k_overflow ? 1 : k_lanes;
    next[std::size_t(colour)] = batches * k_lanes;
    batches += (sizes[std::size_t(colour)] + wide - 1) / wide;
    contacts.colour_begin.push_back(batches);
    contacts.serial = colour == k_overflow;
  }
  contacts.batches.resize(std::size_t(batches));
  for (SelfPairBatch& b : contacts.batches) {
    b.i.fill(unused);
    b.j.fill(unused);
    b.lanes = 0;
  }
  return next;
}

void fill_batch(SelfPairBatch& b, const Deformable& body, const Particles& particles) {
  const auto q = [&](std::int32_t p) {
    return body.self_particles.q[std::size_t(p / k_lanes)][p % k_lanes];
  };
  Lanes i{}, j{};  // unused ones stay 0
  RealW both{};
  for (std::size_t k = 0; k < std::size_t(b.lanes); ++k) {
    i[k] = b.i[k] - body.begin;
    j[k] = b.j[k] - body.begin;
    both[int(k)] = q(i[k]) + q(j[k]);
  }
  const auto between = [](const Vec4* array, const Lanes& from, const Lanes& to) {
    return gather(array, from.data()).xyz() - gather(array, to.data()).xyz();
  };
  const Vec3W rest = between(body.tree.rest.data(), i, j);
  b.base = between(particles.base.data(), b.i, b.j);
  b.kept = min(sqrt(both), k_of_rest * sqrt(dot(rest, rest)));
}

}  // namespace

void pack_self_contacts(const Deformable& body, const Particles& particles, TaskPool* pool,
                        SelfPackScratch& scratch, SelfContacts& contacts) {
  const Sizes sizes = colour_pairs(contacts.pairs, body, scratch);
  Sizes next = lay_out(sizes, body.begin + body.count, contacts);
  for (std::size_t n = 0; n < contacts.pairs.size(); ++n) {
    std::int32_t& at = next[scratch.colour[n]];
    SelfPairBatch& b = contacts.batches[std::size_t(at / k_lanes)];
    at += scratch.colour[n] == k_overflow ? k_lanes : 1;
    b.i[std::size_t(b.lanes)] = body.begin + contacts.pairs[n].i;
    b.j[std::size_t(b.lanes)] = body.begin + contacts.pairs[n].j;
    ++b.lanes;
  }
  parallel_for(pool, int(contacts.batches.size()), k_batch_grain, [&](int first, int last) {
    for (int n = first; n < last; ++n)
      fill_batch(contacts.batches[std::size_t(n)], body, particles);
  });
}

void refresh_self_contacts(SelfContacts& contacts, const Particles& particles, double h,
                           double push_speed, TaskPool* pool) {
  parallel_for(pool, int(contacts.batches.size()), k_batch_grain, [&](int first, int last) {
    for (int n = first; n < last; ++n)
      refresh_self_pairs(contacts.batches[std::size_t(n)], particles,
                         Real(k_push * push_speed * h));
  });
}

void project_self_contacts(SelfContacts& contacts, Particles& particles, TaskPool* pool) {
  for (int c = 0; c < contacts.colours(); ++c) {
    const std::int32_t first = contacts.colour_begin[std::size_t(c)];
    const std::int32_t count = contacts.colour_begin[std::size_t(c) + 1] - first;
    const bool serial = contacts.serial && c + 1 == contacts.colours();
    parallel_for(serial ? nullptr : pool, count, k_batch_grain, [&](int begin, int end) {
      for (std::int32_t n = first + begin; n < first + end; ++n)
        if (SelfPairBatch& b = contacts.batches[std::size_t(n)]; b.live)
          project_self_pairs(b, contacts.friction_static, contacts.friction_kinetic, particles);
    });
  }
}

std::int32_t loaded_self_contacts(const SelfContacts& contacts) {
  std::int32_t count = 0;
  for (const SelfPairBatch& b : contacts.batches)
    if (b.live) count += std::popcount(lane_bits(b.multiplier > splat(0)));
  return count;
}

void list_self_depths(const SelfContacts& contacts, std::vector<double>& depths) {
  for (const SelfPairBatch& b : contacts.batches) {
    if (!b.live) continue;
    const RealW depth = max(b.kept - sqrt(dot(b.before, b.before)), splat(0));
    for (unsigned lanes = lane_bits(b.multiplier > splat(0)); lanes != 0; lanes &= lanes - 1)
      depths.push_back(double(depth[std::countr_zero(lanes)]));
  }
}

}  // namespace pliant
