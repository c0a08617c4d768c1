// What a viewer draws over a scene to show what met in the last step, as plain lines: the colours
// are those of PolyPhysics' tester. There is no window in it; a host draws the list as it likes.
#pragma once

#include <span>
#include <vector>

#include <pliant/diagnostics.h>
#include <pliant/math.h>
#include <pliant/query.h>

namespace pliant {

enum class MarkKind {
  point,            // yellow, where they met: `from` and `to` are the same
  normal,           // violet, from a to b
  velocity_before,  // blue, ends at the point
  velocity_after,   // blue, begins at the point
  penetration,      // red, from a vertex that is in a solid the way out of it
};

struct Mark {
  MarkKind kind = MarkKind::point;
  Vec3 from{}, to{};  // m
  Vec3 colour{};      // red, green and blue, 0 to 1
  AnyId of{};         // whose velocity it is; none of the other kinds
};

struct MarkStyle {
  double normal_length = 0.25;  // m
  double seconds = 0.1;         // s: an arrow is as long as the way in that time
  double depth_scale = 100;     // times which depths are drawn
};

// Of each contact that begins and each impact among the events: a point, a normal, and of each side
// that is a rigid body and moves its velocity before and after. In the order of the events.
std::vector<Mark> contact_marks(std::span<const Event> events, const MarkStyle& style = {});
// Of each vertex that is in a solid its depth.
std::vector<Mark> penetration_marks(std::span<const Penetration> penetrations,
                                    const MarkStyle& style = {});

}  // namespace pliant
