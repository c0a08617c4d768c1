// Ranges that many fields of a scene share. They keep float arithmetic meaningful: sizes from 10
// micrometres to 1000 km. For the tables in fields_*.cpp: key, member, unit, meaning, range; the
// defaults are those of the structs.
#pragma once

#include "scene/fields.h"

namespace pliant {

inline constexpr Range k_any{};
inline constexpr Range k_place{-1e7, 1e7};  // m
inline constexpr Range k_speed{-1e6, 1e6};  // m/s, rad/s
inline constexpr Range k_size{1e-5, 1e6};   // m
inline constexpr Range k_thin{0, 1e3};      // m
inline constexpr Range k_positive{0, 1e15, true};
inline constexpr Range k_not_negative{0, 1e15};
inline constexpr Range k_unit{0, 1};
inline constexpr Range k_index{0, 2147483647};
inline constexpr Range k_bits{0, 4294967295};

}  // namespace pliant
