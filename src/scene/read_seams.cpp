// Seams of a scene: which vertices of which cloths are sewn together.
#include <algorithm>

#include <fmt/format.h>

#include "scene/check_definitions.h"
#include "scene/read_scene.h"

namespace pliant {
namespace {

void refuse(Reader& reader, const Json& json, const Place& place, const char* key,
            std::string_view chosen) {
  if (json.contains(key))
    reader.error(Place(place, std::string_view(key)),
                 fmt::format("means nothing beside {}", chosen));
}

void read_run(Reader& reader, const Json& json, const Place& place, const SeamSideSource& source,
              const TriMesh& mesh, std::vector<std::int32_t>& out) {
  if (!json.contains("to"))
    return reader.error(Place(place, "to"), "is missing: the last vertex of the run");
  const auto run = boundary_run(mesh, source.from, source.to);
  if (!run.ok())
    return reader.error(Place(place, std::string_view(run.error().place)), run.error().message);
  out = run.value();
}

// The cloth of the side, or null with an error. Meshes that are not `sound` have their own errors
// and are not walked.
const ClothDef* read_side(SceneReader& in, const Json& json, const Place& place, bool sound,
                          SceneSeamSide& out) {
  SeamSideSource source;
  if (!read_checked(in.reader, json, place, source)) return nullptr;
  const char* chosen = read_choice(in.reader, json, place, {"vertices", "from", "side"});
  const NamedThing* thing =
      find_named(in, source.cloth, SubjectKind::cloth, Place(place, std::string_view("cloth")));
  if (!chosen || !thing || !sound) return nullptr;
  const std::string_view how = chosen;
  const ClothDef& cloth = in.scene.cloths[thing->index];
  const std::size_t before = in.reader.errors.size();
  out.cloth = source.cloth;
  if (how != "from") refuse(in.reader, json, place, "to", how);
  if (how == "vertices") out.vertices = source.vertices;
  if (how == "side") out.vertices = boundary_side(cloth.mesh, source.side);
  if (how == "from") read_run(in.reader, json, place, source, cloth.mesh, out.vertices);
  if (in.reader.errors.size() == before && out.vertices.empty())
    in.reader.error(Place(place, how), "gives no vertex; accepted: at least one");
  if (source.reverse) std::reverse(out.vertices.begin(), out.vertices.end());
  return in.reader.errors.size() == before ? &cloth : nullptr;
}

}  // namespace

void read_seams(SceneReader& in, const Json& json, const Place& place) {
  if (!is_array(in.reader, json, place, "an array of seams")) return;
  const bool sound = in.reader.errors.empty();
  for (std::size_t i = 0; i < json.size(); ++i) {
    const Place here(place, i);
    SceneSeam seam;
    if (!is_object(in.reader, json[i], here)) continue;
    const std::size_t before = in.reader.errors.size();
    read_checked(in.reader, json[i], here, seam);
    const ClothDef *a = nullptr, *b = nullptr;
    if (json[i].contains("a")) a = read_side(in, json[i]["a"], Place(here, "a"), sound, seam.a);
    if (json[i].contains("b")) b = read_side(in, json[i]["b"], Place(here, "b"), sound, seam.b);
    if (a && b) in.reader.add_checked(here, check(seam_def(seam), *a, *b), before);
    if (seam.name.empty()) seam.name = fmt::format("seam_{}", i);
    claim_name(in, seam.name, SubjectKind::seam, in.scene.seams.size(), here);
    in.scene.seams.push_back(std::move(seam));
  }
}

}  // namespace pliant
