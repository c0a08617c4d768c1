#include "solver/contact_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

namespace pliant {
namespace {

constexpr std::int32_t k_most_in_unit = 512;  // slots
constexpr int k_most_phases = 64;

// Colours live slots in turn and gives them sorted by colour; two lists of slots that share no
// particle may be coloured at the same time.
class Colouring {
 public:
  struct Live {
    std::int32_t slot;
    int colour;
  };
  // `live` is memory for as many as will be added.
  Colouring(const ContactSlots& slots, std::vector<std::uint64_t>& marks, Live* live)
      : slots_(slots), marks_(marks), live_(live) {}

  void add(std::int32_t begin, std::int32_t end) {
    for (std::int32_t s = begin; s < end; ++s) {
      if (!slots_.live[std::size_t(s)]) continue;
      const ParticleContact& c = slots_.contacts[std::size_t(s)];
      std::uint64_t used = 0;
      for (std::size_t n = 0; n < std::size_t(c.particles); ++n)
        used |= marks_[std::size_t(c.particle[n])];
      const int colour = std::min(std::countr_one(used), k_most_colours);
      for (std::size_t n = 0; n < std::size_t(c.particles); ++n)
        marks_[std::size_t(c.particle[n])] |= 1ull << colour;
      live_[count_++] = {s, colour};
      ++sizes_[std::size_t(colour)];
      colours_ = std::max(colours_, colour + 1);
    }
  }
  std::int32_t count() const { return count_; }
  int colours() const { return colours_; }
  std::int32_t size(int colour) const { return sizes_[std::size_t(colour)]; }

  // `to` has room for all; the marks are zero again.
  void give(std::int32_t* to) {
    std::array<std::int32_t, k_most_colours + 1> next{};
    for (int c = 1; c < colours_; ++c)
      next[std::size_t(c)] = next[std::size_t(c - 1)] + sizes_[std::size_t(c - 1)];
    for (const auto& [s, colour] : std::span(live_, std::size_t(count_))) {
      to[next[std::size_t(colour)]++] = s;
      const ParticleContact& c = slots_.contacts[std::size_t(s)];
      for (std::size_t n = 0; n < std::size_t(c.particles); ++n)
        marks_[std::size_t(c.particle[n])] = 0;
    }
  }

 private:
  const ContactSlots& slots_;
  std::vector<std::uint64_t>& marks_;
  std::array<std::int32_t, k_most_colours + 1> sizes_{};
  int colours_ = 0;
  Live* live_;
  std::int32_t count_ = 0;
};

// The pairs from `first` on that have the same two bodies.
std::size_t end_of_unit(const ContactSlots& slots, std::size_t first) {
  std::size_t last = first;
  while (last < slots.pairs.size() && slots.pairs[last].key == slots.pairs[first].key) ++last;
  return last;
}

}  // namespace

void list_units(const std::vector<std::uint8_t>& pressed, std::int32_t deformables,
                ContactSlots& slots) {
  static thread_local std::vector<std::uint64_t> taken;  // phases of each deformable
  taken.assign(std::size_t(deformables), 0);
  slots.units.clear();
  for (std::size_t first = 0, last = 0; first < slots.pairs.size(); first = last) {
    last = end_of_unit(slots, first);
    const ContactPair& pair = slots.pairs[first];
    const std::int32_t begin = pair.slot_begin, end = slots.pairs[last - 1].slot_end;
    for (std::size_t n = first; n < last; ++n) slots.pairs[n].in_unit = false;
    if (pair.other < 0 || pressed[std::size_t(pair.group)]) continue;
    if (end == begin || end - begin > k_most_in_unit) continue;
    std::uint64_t &a = taken[std::size_t(pair.body)], &b = taken[std::size_t(pair.other)];
    const int phase = std::countr_one(a | b);
    if (phase >= k_most_phases) continue;
    a |= 1ull << phase, b |= 1ull << phase;
    for (std::size_t n = first; n < last; ++n) slots.pairs[n].in_unit = true;
    slots.units.push_back({phase, begin, end, 0, 0});
  }
  std::sort(slots.units.begin(), slots.units.end(), [](const ContactUnit& a, const ContactUnit& b) {
    return a.phase != b.phase ? a.phase < b.phase : a.slot_begin < b.slot_begin;
  });
}

void order_live(ContactSlots& slots, std::vector<std::uint64_t>& marks, TaskPool* pool) {
  static thread_local std::vector<std::int32_t> order_memory;
  static thread_local std::vector<Colouring::Live> live_memory;
  std::vector<std::int32_t>& order = order_memory;  // those of this thread, also for the others
  std::vector<Colouring::Live>& live = live_memory;
  order.resize(slots.slots.size());
  live.resize(slots.slots.size());
  each_phase(slots, pool, [&](ContactUnit& unit) {
    Colouring colouring(slots, marks, live.data() + unit.slot_begin);
    colouring.add(unit.slot_begin, unit.slot_end);
    colouring.give(order.data() + unit.slot_begin);
    unit.end = colouring.count();
  });
  slots.coloured.clear();
  for (ContactUnit& unit : slots.units) {
    const std::int32_t* first = order.data() + unit.slot_begin;
    unit.begin = std::int32_t(slots.coloured.size());
    slots.coloured.insert(slots.coloured.end(), first, first + unit.end);
    unit.end += unit.begin;
  }
  Colouring rest(slots, marks, live.data());
  for (const ContactPair& pair : slots.pairs)
    if (!pair.in_unit) rest.add(pair.slot_begin, pair.slot_end);
  slots.colour_begin.assign(1, std::int32_t(slots.coloured.size()));
  for (int c = 0; c < rest.colours(); ++c)
    slots.colour_begin.push_back(slots.colour_begin.back() + rest.size(c));
  slots.coloured.resize(std::size_t(slots.colour_begin.back()));
  rest.give(slots.coloured.data() + slots.colour_begin.front());
}

}  // namespace pliant
