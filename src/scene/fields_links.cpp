// Fields of what ties things together: anchors and seams.
#include "scene/field_ranges.h"
#include "scene/fields.h"

namespace pliant {

template <>
std::span<const Field<SceneAnchor>> fields_of<SceneAnchor>() {
  static const std::vector<Field<SceneAnchor>> table = {
      {"name", &SceneAnchor::name, "", "unique in the scene; anchor_<number> where it is left out"},
      {"a", std::monostate{}, "", "one end", k_any, true, "anchor_end"},
      {"b", std::monostate{}, "", "the other end", k_any, true, "anchor_end"},
      {"compliance", &SceneAnchor::compliance, "m/N", "0 = rigid", k_not_negative},
      {"max_force", &SceneAnchor::max_force, "N", "with which it pulls at most; 0 = no limit",
       k_not_negative},
  };
  return table;
}

template <>
std::span<const Field<AnchorEndSource>> fields_of<AnchorEndSource>() {
  static const std::vector<Field<AnchorEndSource>> table = {
      {"world", &AnchorEndSource::world, "m", "a point of the world", k_place},
      {"body", &AnchorEndSource::body, "", "name of a rigid body"},
      {"cloth", &AnchorEndSource::cloth, "", "name of a cloth"},
      {"solid", &AnchorEndSource::solid, "", "name of a solid"},
      {"local", &AnchorEndSource::local, "m", "with body: the point in the body's frame", k_place},
      {"vertex", &AnchorEndSource::vertex, "", "with cloth or solid: number of the vertex",
       k_index},
      {"triangle", &AnchorEndSource::triangle, "",
       "with cloth or solid: number of a triangle of its surface", k_index},
      {"weights", &AnchorEndSource::weights, "",
       "with triangle: barycentric coordinates of the point, which add up to 1", k_unit},
  };
  return table;
}

template <>
std::span<const Field<SceneSeam>> fields_of<SceneSeam>() {
  static const std::vector<Field<SceneSeam>> table = {
      {"name", &SceneSeam::name, "", "unique in the scene; seam_<number> where it is left out"},
      {"a", std::monostate{}, "", "one side", k_any, true, "seam_side"},
      {"b", std::monostate{}, "", "the other side, of the same cloth or of another", k_any, true,
       "seam_side"},
      {"speed",
       &SceneSeam::speed,
       "m/s",
       "at which the threads are drawn in: the sides come together no faster",
       {0, 1e4, true}},
      {"merge_distance",
       &SceneSeam::merge_distance,
       "m",
       "vertices nearer than this become one; 0 = never",
       {0, 1}},
      {"compliance", &SceneSeam::compliance, "m/N", "of each stitch until it is merged; 0 = rigid",
       k_not_negative},
      {"bend", &SceneSeam::bend, "",
       "what has become one resists bending, as stiff as the cloths and flat at rest"},
  };
  return table;
}

template <>
std::span<const Field<SeamSideSource>> fields_of<SeamSideSource>() {
  static const std::vector<Field<SeamSideSource>> table = {
      {"cloth", &SeamSideSource::cloth, "", "name of a cloth", k_any, true},
      {"vertices", &SeamSideSource::vertices, "",
       "numbers of vertices, in the order in which they are sewn: one, the two of an edge, or a "
       "run",
       k_index},
      {"from", &SeamSideSource::from, "",
       "first vertex of a run along a border, the shorter way to the vertex to", k_index},
      {"to", &SeamSideSource::to, "", "with from: last vertex of the run", k_index},
      {"side", &SeamSideSource::side, "",
       "the border at the least x (left), greatest x (right), least z (top) or greatest z (bottom) "
       "of the mesh, with z or x going up"},
      {"reverse", &SeamSideSource::reverse, "", "sews the run from its other end"},
  };
  return table;
}

}  // namespace pliant
