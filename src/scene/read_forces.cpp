// Fields of force: reading and checks.
#include <fmt/format.h>

#include "scene/check_definitions.h"
#include "scene/read_scene.h"

namespace pliant {
namespace {

void read_kind(Reader& reader, const Json& json, const Place& place, FieldKind& out) {
  if (!is_object(reader, json, place)) return;
  const std::size_t before = reader.errors.size();
  report_unknown_keys(reader, json, place, {k_field_names.begin(), k_field_names.end()});
  if (reader.errors.size() > before) return;
  const char* chosen =
      read_choice(reader, json, place, {k_field_names.begin(), k_field_names.end()});
  if (!chosen) return;
  const FieldKind kinds[] = {UniformGravity{}, PointGravity{}, Drag{},
                             Explosion{},      Magnet{},       Vortex{}};
  for (std::size_t i = 0; i < k_field_names.size(); ++i)
    if (chosen == k_field_names[i]) out = kinds[i];
  const Place here(place, std::string_view(chosen));
  std::visit([&](auto& kind) { read_fields(reader, json[chosen], here, kind); }, out);
}

}  // namespace

void read_field(SceneReader& in, const Json& json, const Place& place, std::size_t index) {
  Reader& reader = in.reader;
  const std::size_t before = reader.errors.size();
  if (!is_object(reader, json, place)) return;
  FieldDef def;
  read_fields(reader, json, place, def);
  if (const auto it = json.find("kind"); it != json.end())
    read_kind(reader, *it, Place(place, "kind"), def.kind);
  reader.add_checked(place, check(def), before);
  if (def.name.empty()) def.name = fmt::format("field_{}", index);
  for (std::size_t i = 0; i < in.scene.fields.size(); ++i)
    if (in.scene.fields[i].name == def.name)
      reader.error(Place(place, "name"), fmt::format("\"{}\" is already the name of fields[{}]; "
                                                     "accepted: a name of its own",
                                                     def.name, i));
  in.scene.fields.push_back(std::move(def));
}

std::vector<Error> check(const FieldDef& def) {
  Errors errors;
  check_fields(def, "", errors);
  const std::string place = join_place("kind", k_field_names[def.kind.index()]);
  std::visit([&](const auto& kind) { check_fields(kind, place, errors); }, def.kind);
  if (const auto* vortex = std::get_if<Vortex>(&def.kind); vortex && length(vortex->axis) < 1e-9)
    errors.push_back({place + ".axis", "has no direction; accepted: three numbers, not all zero"});
  const bool placed =
      !std::holds_alternative<UniformGravity>(def.kind) && !std::holds_alternative<Drag>(def.kind);
  if (!placed && def.range > 0)
    errors.push_back(
        {"range", fmt::format("{} has no position; accepted: 0", k_field_names[def.kind.index()])});
  return errors;
}

}  // namespace pliant
