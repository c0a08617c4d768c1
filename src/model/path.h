// Motion given by keyframes.
#pragma once

#include <pliant/defs.h>

namespace pliant {

// Positions are linear between keyframes, rotations turn at constant speed the shorter way round;
// before the first and after the last keyframe they hold. An empty path stays at the origin.
Transform path_at(const Path& path, double time);

}  // namespace pliant
