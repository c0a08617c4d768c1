// Fields of the world, of the scene around it, of the camera and of what a run must fulfil.
#include "scene/field_ranges.h"
#include "scene/fields.h"

namespace pliant {
namespace {

constexpr Range k_up_to_10000{0, 1e4}, k_wind{-1e4, 1e4}, k_share{1e-6, 1};
constexpr Range k_up_to_1000{0, 1e3};

}  // namespace

template <>
std::span<const Field<TileMap>> fields_of<TileMap>() {
  static const std::vector<Field<TileMap>> table = {
      {"low", &TileMap::low, "m", "corner of the map", k_place},
      {"high", &TileMap::high, "m", "the opposite corner; tiles at the border reach beyond it",
       k_place},
      {"count", &TileMap::count, "", "tiles along each axis; 4 million of them at most", {1, 4096}},
      {"detector", &TileMap::detector, "",
       "which tiles a body is in. box: those that its swept box meets; rotated_box: those that the "
       "box around its turned corners meets; relative_index: a list made once, around the tile of "
       "its centre; mask_points: those that hold one of a lattice of points of its swept box"},
  };
  return table;
}

template <>
std::span<const Field<WorldDef>> fields_of<WorldDef>() {
  static const std::vector<Field<WorldDef>> table = {
      {"gravity", &WorldDef::gravity, "m/s2", "acceleration of everything", {-1e5, 1e5}},
      {"substeps",
       &WorldDef::substeps,
       "",
       "per step; the main knob of accuracy against time",
       {1, 10000}},
      {"sweeps", &WorldDef::sweeps, "", "of the constraints per substep", {1, 1000}},
      {"medium_density",
       &WorldDef::medium_density,
       "kg/m3",
       "of the air or water around; 0 = no drag, no wind",
       {0, 1e5}},
      {"wind", &WorldDef::wind, "m/s", "mean velocity of the medium", k_wind},
      {"gust_speed", &WorldDef::gust_speed, "m/s", "root mean square of the gusts along each axis",
       k_up_to_10000},
      {"gust_period",
       &WorldDef::gust_period,
       "s",
       "of the middle of the gusts' spectrum",
       {1e-3, 1e6}},
      {"gust_seed", &WorldDef::gust_seed, "", "other seeds, other gusts", k_index},
      {"push_speed", &WorldDef::push_speed, "m/s",
       "fastest removal of an overlap that is there already", k_up_to_10000},
      {"restitution_speed", &WorldDef::restitution_speed, "m/s", "slower contacts do not bounce",
       k_up_to_10000},
      {"contact_margin",
       &WorldDef::contact_margin,
       "m",
       "how far ahead contacts are looked for, besides the motion",
       {1e-6, 1e3}},
      {"sleep", &WorldDef::sleep, "", "lets what has come to rest sleep"},
      {"sleep_distance", &WorldDef::sleep_distance, "m",
       "what moves less in half a second may sleep", k_up_to_1000},
      {"cloth_search", &WorldDef::cloth_search, "",
       "what finds triangles of cloths that may meet, with the same result. bvh: a tree made with "
       "the cloth, fastest; rtree: an R-tree, loaded for each search; rtree_inserted: the same, "
       "one insertion for each group of triangles"},
      {"impacts", &WorldDef::impacts, "",
       "of rigid bodies. together: all of a substep at once; ordered: one after the other, at "
       "their "
       "times within it"},
      {"impact_time", &WorldDef::impact_time, "",
       "how these times are found: by conservative advancement or by bisection"},
      {"max_impacts",
       &WorldDef::max_impacts,
       "",
       "that are ordered, of bodies that may meet, in a substep; the rest of it goes the other way",
       {1, 1000000}},
      {"solid_contact", &WorldDef::solid_contact, "",
       "how solids that meet each other are parted. position: contacts found before they touch; "
       "pressure: what overlaps is moved to where both press equally hard; penalty: springs draw "
       "it back to where it came in. Solids meet bodies and cloth as under position always"},
      {"overlap_search", &WorldDef::overlap_search, "",
       "what finds the points inside tetrahedra under pressure and penalty, with the same result. "
       "hash: a table of cells of space; bvh: trees of tetrahedra; brute: all against all"},
      {"pressure_iterations",
       &WorldDef::pressure_iterations,
       "",
       "of the comparison of pressures",
       {1, 20}},
      {"penalty_share", &WorldDef::penalty_share, "",
       "of an overlap that the springs of penalty remove in a substep", k_share},
      {"broad_phase", &WorldDef::broad_phase, "",
       "what finds the pairs of bodies whose boxes meet, with the same result. sweep: boxes sorted "
       "along an axis; bvh: trees of boxes; tiles: a map of tiles; sphere_tree: trees of spheres; "
       "brute: all against all"},
      {"tiles", &WorldDef::tiles, "", "the map of the broad phase tiles"},
      {"time_speed", &WorldDef::time_speed, "",
       "seconds of the world for a second of the program that shows it", k_up_to_1000},
  };
  return table;
}

template <>
std::span<const Field<Camera>> fields_of<Camera>() {
  static const std::vector<Field<Camera>> table = {
      {"eye", &Camera::eye, "m", "where the camera is", k_place},
      {"target", &Camera::target, "m", "what it looks at", k_place},
      {"field_of_view",
       &Camera::field_of_view,
       "rad",
       "vertical angle of the picture",
       {0.01, 3.1}},
  };
  return table;
}

template <>
std::span<const Field<Scene>> fields_of<Scene>() {
  static const std::vector<Field<Scene>> table = {
      {"$schema", std::monostate{}, "", "where an editor finds the schema; not read", k_any, false,
       "text"},
      {"name", &Scene::name, "", "of the scene"},
      {"description", &Scene::description, "", "what the scene shows"},
      {"world", std::monostate{}, "", "gravity, medium and solver", k_any, false, "world"},
      {"dt", &Scene::dt, "s", "a step; also the time between two frames", {1e-6, 10}},
      {"seconds", &Scene::seconds, "s", "how long a run is", {0, 1e6, true}},
      {"bodies", std::monostate{}, "", "rigid bodies", k_any, false, "bodies"},
      {"cloths", std::monostate{}, "", "cloths", k_any, false, "cloths"},
      {"solids", std::monostate{}, "", "elastic solids", k_any, false, "solids"},
      {"anchors", std::monostate{}, "", "attachments between two points", k_any, false, "anchors"},
      {"joints", std::monostate{}, "", "what holds two things and lets them move in some ways",
       k_any, false, "joints"},
      {"seams", std::monostate{}, "", "what is sewn together", k_any, false, "seams"},
      {"fields", std::monostate{}, "", "forces that act from afar", k_any, false, "fields"},
      {"expect", std::monostate{}, "", "physical statements that a run checks", k_any, false,
       "expectations"},
      {"camera", std::monostate{}, "", "for pictures; left out: chosen to show everything", k_any,
       false, "camera"},
  };
  return table;
}

template <>
std::span<const Field<ExpectSource>> fields_of<ExpectSource>() {
  static const std::vector<Field<ExpectSource>> table = {
      {"at", &ExpectSource::at, "s", "when; negative = the end of the run", {-1, 1e6}, true},
      {"body", &ExpectSource::body, "", "name of a rigid body"},
      {"cloth", &ExpectSource::cloth, "", "name of a cloth"},
      {"solid", &ExpectSource::solid, "", "name of a solid"},
      {"anchor", &ExpectSource::anchor, "", "name of an anchor"},
      {"joint", &ExpectSource::joint, "", "name of a joint"},
      {"seam", &ExpectSource::seam, "", "name of a seam"},
      {"reason", &ExpectSource::reason, "", "why this value and this tolerance"},
  };
  return table;
}

template <>
std::span<const Field<BoundSource>> fields_of<BoundSource>() {
  static const std::vector<Field<BoundSource>> table = {
      {"near", &BoundSource::near, "", "expected value"},
      {"within", &BoundSource::within, "", "accepted distance from near", k_not_negative},
      {"min", &BoundSource::min, "", "least accepted value"},
      {"max", &BoundSource::max, "", "greatest accepted value"},
  };
  return table;
}

}  // namespace pliant
