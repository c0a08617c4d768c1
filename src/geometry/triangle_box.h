// Whether a triangle meets a box.
#pragma once

#include <pliant/math.h>

namespace pliant {

// By separating axes (13 of them). Touching counts as meeting.
bool triangle_meets_box(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& centre,
                        const Vec3& half);

}  // namespace pliant
