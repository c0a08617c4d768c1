// What an expectation can speak about: the quantities of each kind of thing.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace pliant {

struct Quantity {
  const char* name;
  const char* unit;
  const char* help;
};

enum class SubjectKind { world, body, cloth, solid, anchor, joint, seam };
inline constexpr std::array<const char*, 7> k_subject_names = {"world",  "body",  "cloth", "solid",
                                                               "anchor", "joint", "seam"};

std::span<const Quantity> quantities_of(SubjectKind kind);
bool has_quantity(SubjectKind kind, std::string_view name);

}  // namespace pliant
