#include "scene/fields.h"

#include <utility>

namespace pliant {

namespace {

template <std::size_t N>
Value make_value(char* at) {
  return std::variant_alternative_t<N, Value>(
      reinterpret_cast<std::variant_alternative_t<N, Value>>(at));
}

template <std::size_t... N>
Value choose(std::size_t type, char* at, std::index_sequence<N...>) {
  Value value;
  ((type == N + 1 ? void(value = make_value<N + 1>(at)) : void()), ...);
  return value;
}

}  // namespace

Value value_at(const Slot& slot, const void* object) {
  // Those who read the tables of a const object do not write.
  char* at = const_cast<char*>(static_cast<const char*>(object)) + slot.offset;
  return choose(slot.type, at, std::make_index_sequence<std::variant_size_v<Value> - 1>{});
}

}  // namespace pliant
