// Local collision sets: bodies that share a tile of a map with each other, closed over chains of
// those that move. A body that stands may be in several sets; it joins none to another. Built with
// three stacks (spec-rigid 6.3): tiles to open, bodies to spread, and the set itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pliant {

// Lists behind each other: list n is [begin[n], begin[n + 1]) of `entry`.
struct ListOfLists {
  std::vector<std::int32_t> begin, entry;
  std::span<const std::int32_t> operator[](std::int32_t n) const {
    const auto first = entry.begin() + begin[std::size_t(n)];
    return {first, entry.begin() + begin[std::size_t(n) + 1]};
  }
  std::int32_t size() const { return std::int32_t(begin.size()) - 1; }
};

struct LocalSets {
  ListOfLists sets;  // bodies; those that move are in exactly one
};

// The stacks after an action, from the bottom up.
struct SetState {
  std::vector<std::int32_t> expand, tiles, set;
};

// Marks of bodies and tiles; they keep their memory and need no clearing.
struct SetMarks {
  std::vector<std::uint32_t> tile, body;  // the run or the set in which they were last used
  std::uint32_t run = 0;
  std::vector<std::int32_t> expand, tiles, set;  // the stacks
};

struct SetInput {
  std::span<const std::int32_t> bodies;  // that move, in order
  const ListOfLists& tiles_of;           // beside `bodies`, rising
  const ListOfLists& live_in;            // of each tile: bodies that move or may move
  const ListOfLists& fixed_in;           // of each tile: bodies that never move
  std::span<const std::uint8_t> moves;   // of each body
  std::span<const std::int32_t> place;   // of each body that moves: where it is in `bodies`
};

// Opens every tile that a moving body is in once: open(tile). `trace` may be null.
template <class Open>
void build_local_sets(const SetInput& in, SetMarks& marks, LocalSets& out, const Open& open,
                      std::vector<SetState>* trace = nullptr) {
  if (marks.run > 0x7fffffffu) marks = {};  // before the numbers run out
  marks.tile.resize(std::size_t(in.live_in.size()));
  marks.body.resize(in.moves.size());
  // A body that moves is marked with the run; one that stands with run + the set's number.
  const std::uint32_t run = marks.run + 1;
  marks.run = run + std::uint32_t(in.bodies.size());
  out.sets.begin.assign(1, 0);
  out.sets.entry.clear();
  std::uint32_t set_mark = run;
  const auto note = [&] {
    if (trace) trace->push_back({marks.expand, marks.tiles, marks.set});
  };
  const auto take = [&](std::int32_t b) {
    const bool moves = in.moves[std::size_t(b)] != 0;
    std::uint32_t& mark = marks.body[std::size_t(b)];
    if (moves ? mark >= run : mark == set_mark) return;
    mark = set_mark;
    marks.set.push_back(b);
    if (moves) marks.expand.push_back(b);
  };
  for (const std::int32_t q : in.bodies) {
    if (marks.body[std::size_t(q)] >= run) continue;
    marks.set.clear();
    take(q);
    note();
    while (!marks.expand.empty()) {
      while (!marks.expand.empty()) {
        const std::int32_t e = marks.expand.back();
        marks.expand.pop_back();
        for (const std::int32_t t : in.tiles_of[in.place[std::size_t(e)]])
          if (marks.tile[std::size_t(t)] < run) {
            marks.tile[std::size_t(t)] = run;
            marks.tiles.push_back(t);
          }
        note();
      }
      while (!marks.tiles.empty()) {
        const std::int32_t t = marks.tiles.back();
        marks.tiles.pop_back();
        open(t);
        for (const std::int32_t b : in.live_in[t]) take(b);
        for (const std::int32_t b : in.fixed_in[t]) take(b);
        note();
      }
    }
    out.sets.entry.insert(out.sets.entry.end(), marks.set.begin(), marks.set.end());
    out.sets.begin.push_back(std::int32_t(out.sets.entry.size()));
    ++set_mark;
  }
}

// Pairs with at least one body that moves, if all of a set were tested against all.
std::int64_t pairs_in_sets(const LocalSets& sets, std::span<const std::uint8_t> moves);

}  // namespace pliant
