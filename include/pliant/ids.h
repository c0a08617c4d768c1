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
using SeamId = Id<struct SeamTag>;      // a seam
using JointId = Id<struct JointTag>;    // a joint
using FieldId = Id<struct FieldTag>;    // a user's force field

// Names which body of which kind.
struct AnyId {
  enum class Kind { none, body, cloth, solid };
  Kind kind = Kind::none;
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
  constexpr AnyId() = default;
  constexpr AnyId(Kind k, std::uint32_t i, std::uint32_t g) : kind(k), index(i), generation(g) {}
  constexpr AnyId(BodyId id) : AnyId(Kind::body, id.index, id.generation) {}    // NOLINT
  constexpr AnyId(ClothId id) : AnyId(Kind::cloth, id.index, id.generation) {}  // NOLINT
  constexpr AnyId(SolidId id) : AnyId(Kind::solid, id.index, id.generation) {}  // NOLINT
  constexpr bool operator==(const AnyId&) const = default;
};

}  // namespace pliant
