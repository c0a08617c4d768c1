// Sheets never pass through each other: the last word on their motion in a substep.
//
// The nearest points of a vertex and a triangle, or of two edges, have a plane between them with
// all of one side's particles before it and all of the other's behind. While that holds along the
// same normal at the end of the substep, it holds all the way, because every particle goes
// straight: so nothing has crossed. Any other plane will do as well, if it is between them at the
// beginning and at the end. What would come nearer along its normal than a fifth of the
// thickness (or than it was, if that was less), or would end nearer than 0.83 of it, has its motion
// shortened: each particle goes a share t of its way,
//
//   x = x_begin + u + t (x_end - x_begin - u)
//
//   u the mean motion of the zone: of all particles that are joined by contacts that offend. First
//   shares are scaled to what the contacts allow. What still offends then goes with its zone alone,
//   and with it whatever that makes offend, at last whole zones: they only grow, and what goes with
//   its zone keeps its distances, so this ends.
//
// Particles without inverse mass go as they do. Those that have one in `begin` are led for this
// substep only: they give way when zones go as a whole.
//
// Sources: the separating planes of penetration-free contact (Chen et al. 2025), the zones of
// Provot 1997 and Bridson et al. 2002.
#pragma once

#include <span>
#include <vector>

#include "core/pool.h"
#include "model/particles.h"
#include "model/sheet.h"

namespace pliant {

// Keeps its memory.
struct HoldScratch {
  std::vector<std::uint8_t> offends;    // lanes of each batch, level after level
  std::vector<std::int32_t> members;    // particles of all zones
  std::vector<std::int32_t> shortened;  // of these in this round
  // Of each particle; as for one that is in no zone but for the members.
  std::vector<std::uint8_t> is_member;
  std::vector<std::int32_t> zone;  // a particle nearer the first one of its zone
  std::vector<Real> share, next;
  std::vector<Vec4> drift;  // kg m, at the first one of a zone: sum of mass times motion; w = kg
  std::vector<Vec4> end;    // d with the present shares
};

// Whether some contact would hold something back: then more sweeps are worth their time.
bool sheets_too_near(const SheetContacts& contacts, std::span<const Vec4> begin,
                     Particles& particles, TaskPool* pool, HoldScratch& scratch);
// Returns how many contacts held something back; `bound` gets a mark for each deformable that was.
int hold_sheets(const SheetContacts& contacts, std::span<const Vec4> begin, Particles& particles,
                TaskPool* pool, HoldScratch& scratch, std::span<std::uint8_t> bound);

}  // namespace pliant
