// Under contact by position: solids that are deep in each other are led apart as they are, along
// the mean of their ways out. To shift the particles in contact alone would press into each other
// what has no place there. Like all that removes an old overlap it is no motion, no faster than the
// push speed, and leaves the common centre of mass where it is.
#include <algorithm>

#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

// Cells of the finer one: what is deeper than the first is led, than the second where its ways out
// agree by so much. All else is pressed apart particle by particle.
constexpr double k_led = 0.5, k_led_alike = 0.005, k_alike = 0.5;

void add(Vec4& to, const Vec3& by) {
  to = {to.x + Real(by.x), to.y + Real(by.y), to.z + Real(by.z), to.w};
}

// 1/kg; what is held or sleeps does not.
double gives_way(const Deformable& body) {
  return body.awake && !body.frozen && body.pins.empty() ? 1 / body.mass : 0;
}

}  // namespace

OverlapLead& World::Impl::overlap_lead(const OverlapContact& c) {
  const auto key_of_body = [&](std::int32_t n) { return state.deformables[std::size_t(n)].key; };
  const bool rising = key_of_body(c.a.body) < key_of_body(c.b.body);
  OverlapLead lead;
  lead.low = rising ? c.a.body : c.b.body, lead.high = rising ? c.b.body : c.a.body;
  lead.key = std::uint64_t(key_of_body(lead.low)) << 32 | key_of_body(lead.high);
  std::vector<OverlapLead>& leads = scratch.overlaps.leads;
  const auto at = std::lower_bound(leads.begin(), leads.end(), lead.key,
                                   [](const OverlapLead& l, std::uint64_t k) { return l.key < k; });
  return at != leads.end() && at->key == lead.key ? *at : *leads.insert(at, lead);
}

// Whose contacts all act along its way.
void World::Impl::choose_led() {
  Overlaps& o = scratch.overlaps;
  o.leads.clear();
  for (const OverlapContact& c : o.contacts) {
    OverlapLead& lead = overlap_lead(c);
    lead.way += (c.a.body == lead.high ? c.depth : -c.depth) * c.normal;
    lead.deepest = std::max(lead.deepest, c.depth);
    lead.sum += c.depth;
  }
  for (OverlapLead& lead : o.leads) {
    const Deformable& low = state.deformables[std::size_t(lead.low)];
    const Deformable& high = state.deformables[std::size_t(lead.high)];
    const double size = length(lead.way), cell = std::min(low.cell, high.cell);
    const double least = size > k_alike * lead.sum ? k_led_alike : k_led;
    lead.led = lead.deepest > least * cell && (gives_way(low) > 0 || gives_way(high) > 0);
    lead.way = size > 1e-6 * lead.deepest ? lead.way / size : Vec3{0, 1, 0};
  }
  for (OverlapContact& c : o.contacts) {
    const OverlapLead& lead = overlap_lead(c);
    c.led = lead.led;
    if (c.led) c.normal = c.a.body == lead.high ? lead.way : -lead.way;
  }
}

void World::Impl::lead_apart(double h) {
  Overlaps& o = scratch.overlaps;
  o.led_by.assign(state.deformables.size(), Vec3{});
  const double most = def.push_speed * h;
  for (const OverlapLead& lead : o.leads) {
    if (!lead.led) continue;
    const double low = gives_way(state.deformables[std::size_t(lead.low)]);
    const double high = gives_way(state.deformables[std::size_t(lead.high)]);
    const Vec3 shift = std::min(lead.deepest, most) / (low + high) * lead.way;
    o.led_by[std::size_t(lead.low)] -= low * shift;
    o.led_by[std::size_t(lead.high)] += high * shift;
  }
  each_body([&](std::size_t n, TaskPool*) {
    const Deformable& body = state.deformables[n];
    const double size = length(o.led_by[n]);
    if (!(size > 0)) return;
    const Vec3 shift = std::min(1.0, most / size) * o.led_by[n];
    for (std::int32_t k = body.begin; k < body.begin + body.count; ++k) {
      const std::size_t p = std::size_t(k);
      if (!(state.particles.d[p].w > 0)) continue;
      add(state.particles.d[p], shift);
      add(state.particles.d_before[p], shift);
    }
  });
}

}  // namespace PLIANT_ABI
}  // namespace pliant
