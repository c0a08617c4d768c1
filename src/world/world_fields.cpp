// World: fields of force, by name and the user's.
#include <pliant/world.h>

#include <algorithm>

#include "core/assert.h"
#include "scene/check_definitions.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {

FieldId World::add_field(std::shared_ptr<const ForceField> field) {
  PLIANT_ASSERT(field != nullptr);
  impl_->user_fields.push_back({std::move(field), {}, false});
  impl_->wake_all();
  return impl_->fields.add(std::int32_t(impl_->user_fields.size()) - 1);
}

Result<FieldId> World::add_field(const FieldDef& def) {
  if (const auto errors = check(def); !errors.empty()) return errors.front();
  impl_->user_fields.push_back({nullptr, def, false});
  impl_->wake_all();
  return impl_->fields.add(std::int32_t(impl_->user_fields.size()) - 1);
}

Status World::change(FieldId id, const FieldDef& def) {
  if (const auto errors = check(def); !errors.empty()) return errors.front();
  UserField& field = impl_->user_fields[std::size_t(impl_->fields[id])];
  if (field.field) return Error{"kind", "is a field of the user's; accepted: one by name"};
  const std::string name = field.def.name;
  field.def = def;
  field.def.name = name;
  impl_->wake_all();
  return Done{};
}

// The place stays, so that others keep theirs.
void World::remove(FieldId id) {
  impl_->user_fields[std::size_t(impl_->fields[id])] = {nullptr, {}, true};
  impl_->fields.remove(id);
  impl_->wake_all();
}

bool World::valid(FieldId id) const { return impl_->fields.valid(id); }

std::vector<FieldId> World::fields() const {
  std::vector<FieldId> out = impl_->fields.all();
  std::erase_if(out, [&](FieldId id) {
    return impl_->user_fields[std::size_t(impl_->fields[id])].field != nullptr;
  });
  return out;
}

FieldDef World::describe(FieldId id) const {
  const UserField& field = impl_->user_fields[std::size_t(impl_->fields[id])];
  PLIANT_ASSERT(field.field == nullptr);
  return field.def;
}

bool World::Impl::has_fields() const {
  return std::any_of(user_fields.begin(), user_fields.end(),
                     [](const UserField& field) { return !field.gone; });
}

void World::Impl::measure_fields(Measurements& m) const {
  if (!has_fields()) return;
  bodies.for_each([&](std::int32_t i, BodyId id) {
    if (!state.rigid.dynamic(i)) return;
    FieldSample sample = field_sample(i);
    sample.time = state.time;
    sample.body = id;
    m.potential_energy += potential(sample);
  });
  for (std::size_t n = 0; n < state.deformables.size(); ++n) {
    const Deformable& body = state.deformables[n];
    for (std::int32_t k = 0; k < body.count; ++k) {
      const std::size_t p = std::size_t(body.begin + k);
      if (state.particles.d[p].w <= 0) continue;
      FieldSample sample;
      sample.position =
          cast<double>(xyz(state.particles.base[p])) + cast<double>(xyz(state.particles.d[p]));
      sample.velocity = cast<double>(xyz(state.particles.velocity[p]));
      sample.mass = double(state.particles.force[p].w);
      sample.time = state.time;
      sample.body = any_id(body.key);
      m.potential_energy += potential(sample);
    }
  }
}

}  // namespace PLIANT_ABI
}  // namespace pliant
