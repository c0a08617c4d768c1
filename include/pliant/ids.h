// Typed, opaque, generational ids: an index and the generation of its slot. Zero is null.
#pragma once

#include <cstdint>

namespace pliant {

template <class Tag>
struct Id {
  std::uint32_t index = 0;
  std::uint32_t generation = 0;  // 0 = null; a removed thing's id never becomes valid again
  constexpr bool operator==(const Id&) const = default;
  constexpr explicit operator bool() const { return generation != 0; }
};

using BodyId = Id<struct BodyTag>;      // a rigid body
using ClothId = Id<struct ClothTag>;    // a cloth
using SolidId = Id<struct SolidTag>;    // an elastic solid
using AnchorId = Id<struct AnchorTag>;  // an attachment
using FieldId = Id<struct FieldTag>;    // a user's force field

}  // namespace pliant
