// Generational ids: which object an id means, and whether it still exists.
#pragma once

#include <cstdint>
#include <vector>

#include <pliant/ids.h>

#include "core/assert.h"

namespace pliant {

// Objects are places in some array of the owner. Slots are reused with a new generation.
template <class IdType>
class IdTable {
 public:
  IdType add(std::int32_t object) {
    std::uint32_t index;
    if (free_.empty()) {
      index = std::uint32_t(object_.size());
      object_.push_back(object);
      generation_.push_back(1);
    } else {
      index = free_.back();
      free_.pop_back();
      object_[index] = object;
    }
    return {index, generation_[index]};
  }
  void remove(IdType id) {
    PLIANT_ASSERT(valid(id));
    object_[id.index] = -1;
    ++generation_[id.index];
    free_.push_back(id.index);
  }
  bool valid(IdType id) const {
    return id.index < object_.size() && generation_[id.index] == id.generation &&
           object_[id.index] >= 0;
  }
  // The object of a valid id; an invalid one is the caller's bug.
  std::int32_t operator[](IdType id) const {
    PLIANT_ASSERT(valid(id));
    return object_[id.index];
  }
  IdType id_of(std::int32_t object) const {
    // As long as nothing was removed, the object is at its own place.
    const std::size_t guess = std::size_t(object);
    if (guess < object_.size() && object_[guess] == object)
      return {std::uint32_t(object), generation_[guess]};
    for (std::uint32_t i = 0; i < object_.size(); ++i)
      if (object_[i] == object) return {i, generation_[i]};
    return {};
  }
  // The object has gone to another place, or become a part of another.
  void move(IdType id, std::int32_t object) {
    PLIANT_ASSERT(valid(id));
    object_[id.index] = object;
  }
  // Objects behind `removed` have moved down by one.
  void close_gap(std::int32_t removed) {
    for (std::int32_t& object : object_)
      if (object > removed) --object;
  }
  // Calls visit(object, id) for everything that exists.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::uint32_t i = 0; i < object_.size(); ++i)
      if (object_[i] >= 0) visit(object_[i], IdType{i, generation_[i]});
  }
  std::size_t count() const { return object_.size() - free_.size(); }
  std::vector<IdType> all() const {
    std::vector<IdType> ids;
    for (std::uint32_t i = 0; i < object_.size(); ++i)
      if (object_[i] >= 0) ids.push_back({i, generation_[i]});
    return ids;
  }

 private:
  std::vector<std::int32_t> object_;  // -1 where free
  std::vector<std::uint32_t> generation_;
  std::vector<std::uint32_t> free_;
};

}  // namespace pliant
