// The stages of a substep that concern contacts between sheets.
#pragma once

#include <span>
#include <vector>

#include "core/pool.h"
#include "model/deformable.h"
#include "model/particles.h"
#include "model/sheet.h"
#include "solver/sheet_order.h"

namespace pliant {

// Keeps its memory.
struct PackScratch {
  std::vector<std::int32_t> members;  // candidates of the level
  std::vector<std::uint8_t> colour;   // of each of them
  std::vector<std::int32_t> next;     // free lane of each colour and feature
  std::vector<std::uint64_t> marks;   // colours in use, of each particle; zero before and after
};

// Chooses the levels to look at in a substep in which no particle is further than `stray` (m) from
// its predicted way. Those that were not needed before are coloured, in the order of the
// candidates, and packed eight wide: two of a colour share no particle that moves.
int needs_levels(const SheetContacts& contacts, Real stray);
void choose_levels(std::span<const Deformable> bodies, const Particles& particles, Real stray,
                   PackScratch& scratch, SheetContacts& contacts);

// Nearest points, normals and distances as they were when the substep began; `begin` is d of all
// particles then. Live are those that come near as the particles are going now.
void refresh_sheets(SheetContacts& contacts, const Particles& particles,
                    std::span<const Vec4> begin, const SheetSides& sides, double h,
                    double push_speed, TaskPool* pool);
void refresh_level(SheetLevel& level, const Particles& particles, std::span<const Vec4> begin,
                   const SheetSides& sides, double h, double push_speed, TaskPool* pool);
// Cloths of which some part is on the wrong side of another may pass through it from now on.
void note_wrong_sides(const SheetContacts& contacts, std::span<Deformable> bodies);
// What they are pushed there gives them no velocity.
void forget_pushes(const SheetContacts& contacts, std::span<const Deformable> bodies,
                   Particles& particles);
// One sweep, colour after colour.
void project_sheets(SheetContacts& contacts, Particles& particles, TaskPool* pool);

}  // namespace pliant
