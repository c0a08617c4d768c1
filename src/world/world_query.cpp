// Queries: rays, shapes that move, overlaps, nearest points; and what sensors overlap.
#include <algorithm>

#include "narrowphase/surface_points.h"
#include "world/query_index.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

bool is_wanted(const QueryThing& thing, const QueryFilter& filter) {
  if ((thing.filter.groups & filter.groups) == 0 || (thing.sensor && !filter.sensors)) return false;
  const AnyId::Kind kind = thing.id.kind;
  if ((kind == AnyId::Kind::body && !filter.bodies) ||
      (kind == AnyId::Kind::cloth && !filter.cloths) ||
      (kind == AnyId::Kind::solid && !filter.solids))
    return false;
  return std::find(filter.ignore.begin(), filter.ignore.end(), thing.id) == filter.ignore.end();
}

}  // namespace

void World::Impl::list_things(QueryIndex& index) const {
  index.listed = index.topology;
  index.things.clear();
  std::int32_t surfaces = 0;
  const auto add = [&](AnyId id, std::int32_t node, const Filter& filter, bool soft) {
    QueryThing thing;
    thing.id = id;
    thing.key = key_of(node);
    thing.node = node;
    thing.filter = filter;
    if (soft) thing.surface = surfaces++;
    index.things.push_back(thing);
  };
  bodies.for_each([&](std::int32_t i, BodyId id) {
    add(id, i, body_defs[std::size_t(i)].filter, false);
    index.things.back().sensor = body_defs[std::size_t(i)].sensor;
  });
  cloths.for_each([&](std::int32_t n, ClothId id) {
    add(id, state.rigid.size() + n, def_of(id).filter, true);
  });
  solids.for_each([&](std::int32_t n, SolidId id) {
    add(id, state.rigid.size() + n, deformable_defs[std::size_t(n)].solid.filter, true);
  });
  // Of sewn cloths, which have one key, by their ids.
  std::sort(index.things.begin(), index.things.end(), [](const QueryThing& a, const QueryThing& b) {
    return a.key != b.key ? a.key < b.key : a.id.index < b.id.index;
  });
  index.surfaces.resize(std::size_t(surfaces));
}

// Everything as it is now.
const QueryIndex& World::Impl::query_index() const {
  QueryIndex& index = *queries;
  if (index.made == index.moment && index.listed == index.topology) return index;
  if (index.listed != index.topology) list_things(index);
  index.made = index.moment;
  index.boxes.clear();
  index.in_tree.clear();
  index.endless.clear();
  index.tree_boxes.clear();
  for (std::size_t n = 0; n < index.things.size(); ++n) {
    QueryThing& thing = index.things[n];
    const std::size_t i = std::size_t(thing.node);
    if (thing.surface < 0) {
      thing.place = place_shape(widen_numbers(state.rigid.shape[i]),
                                {state.rigid.position[i], state.rigid.rotation[i]});
      index.boxes.push_back(box_around(thing.place));
    } else {
      TreeBox box;
      const Deformable& body = state.deformables[i - std::size_t(state.rigid.size())];
      for (std::int32_t p = body.begin; p < body.begin + body.count; ++p)
        box.add(place(state.particles.base[std::size_t(p)], state.particles.d[std::size_t(p)]));
      index.boxes.push_back(box);
    }
    const bool endless = thing.surface < 0 && thing.place.shape.kind == ShapeKind::half_space;
    (endless ? index.endless : index.in_tree).push_back(std::int32_t(n));
    if (!endless) index.tree_boxes.push_back(index.boxes.back());
  }
  index.tree.build(index.tree_boxes);
  return index;
}

// The triangles of a cloth or solid, of the mesh that the user gave.
const QuerySurface& World::Impl::query_surface(const QueryThing& thing) const {
  QuerySurface& s = queries->surfaces[std::size_t(thing.surface)];
  const bool same_tree = s.topology == queries->topology && !s.tree.empty();
  if (same_tree && s.moment == queries->moment) return s;
  TriMesh& mesh = s.data.mesh;
  if (thing.id.kind == AnyId::Kind::cloth) {
    const ClothId id{thing.id.index, thing.id.generation};
    if (!same_tree) mesh.triangles = def_of(id).mesh.triangles;
    copy(order_of(id), state.particles.d, true, mesh.vertices);
  } else {
    const Deformable& body = state.deformables[std::size_t(thing.node - state.rigid.size())];
    if (!same_tree) mesh.triangles = body.surface.triangles;
    mesh.vertices.resize(body.surface.vertices.size());
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      mesh.vertices[v] =
          stencil_place(state.particles, vertex_stencil(body, std::int32_t(v)), Moment::now);
    s.closed = body.surface.closed;
  }
  s.boxes.assign(mesh.triangles.size(), {});
  for (std::size_t t = 0; t < s.boxes.size(); ++t)
    for (const std::int32_t v : mesh.triangles[t]) s.boxes[t].add(mesh.vertices[std::size_t(v)]);
  if (same_tree)
    s.tree.refit(s.boxes);
  else
    s.tree.build(s.boxes);
  s.moment = queries->moment;
  s.topology = queries->topology;
  return s;
}

// Things whose boxes meet a box that grows, and all half-spaces, by creation.
void World::Impl::collect_things(const QueryFilter& filter, const TreeBox& box,
                                 std::vector<const QueryThing*>& out) const {
  const QueryIndex& index = query_index();
  std::vector<std::int32_t>& found = queries->found;
  found.assign(index.endless.begin(), index.endless.end());
  index.tree.overlapping(box,
                         [&](std::int32_t n) { found.push_back(index.in_tree[std::size_t(n)]); });
  std::sort(found.begin(), found.end());
  for (const std::int32_t n : found)
    if (is_wanted(index.things[std::size_t(n)], filter))
      out.push_back(&index.things[std::size_t(n)]);
}

std::optional<RayHit> World::Impl::cast_at(const QueryThing& thing, const Ray& ray) const {
  std::optional<RayHit> hit;
  if (thing.surface >= 0) {
    hit = pliant::cast_ray(query_surface(thing), ray);
  } else {
    const ShapePlace& at = thing.place;
    const auto met = pliant::cast_ray(
        at.shape, Ray{at.axes * (ray.from - at.centre), at.axes * ray.direction, ray.length});
    if (!met) return {};
    hit.emplace();
    hit->distance = met->distance;
    hit->normal = transposed(at.axes) * met->normal;
  }
  if (!hit) return {};
  hit->thing = thing.id;
  hit->point = ray.from + ray.direction * hit->distance;
  return hit;
}

// --- the public face
// -------------------------------------------------------------------------------------

std::optional<RayHit> World::cast_ray(const Vec3& from, const Vec3& direction, double max_distance,
                                      const QueryFilter& filter) const {
  const QueryIndex& index = impl_->query_index();
  const double size = length(direction);
  if (!(size > 0) || !(max_distance >= 0)) return {};
  Ray ray{from, direction / size, max_distance};
  std::optional<RayHit> best;
  std::int32_t of = 0;
  const auto look = [&](std::int32_t n) {
    const QueryThing& thing = index.things[std::size_t(n)];
    if (!is_wanted(thing, filter)) return;
    const auto hit = impl_->cast_at(thing, ray);
    if (!hit || (best && hit->distance == best->distance && n > of)) return;
    best = hit;
    of = n;
    ray.length = hit->distance;
  };
  for (const std::int32_t n : index.endless) look(n);
  index.tree.along(from, ray.direction, ray.length, {},
                   [&](std::int32_t n) { look(index.in_tree[std::size_t(n)]); });
  return best;
}

std::vector<RayHit> World::cast_ray_all(const Vec3& from, const Vec3& direction,
                                        double max_distance, const QueryFilter& filter) const {
  const QueryIndex& index = impl_->query_index();
  const double size = length(direction);
  if (!(size > 0) || !(max_distance >= 0)) return {};
  const Ray ray{from, direction / size, max_distance};
  std::vector<std::pair<std::int32_t, RayHit>> found;
  const auto look = [&](std::int32_t n) {
    const QueryThing& thing = index.things[std::size_t(n)];
    if (!is_wanted(thing, filter)) return;
    if (const auto hit = impl_->cast_at(thing, ray)) found.emplace_back(n, *hit);
  };
  for (const std::int32_t n : index.endless) look(n);
  index.tree.along(from, ray.direction, ray.length, {},
                   [&](std::int32_t n) { look(index.in_tree[std::size_t(n)]); });
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.second.distance != b.second.distance ? a.second.distance < b.second.distance
                                                  : a.first < b.first;
  });
  std::vector<RayHit> hits;
  hits.reserve(found.size());
  for (const auto& [n, hit] : found) hits.push_back(hit);
  return hits;
}

std::optional<CastHit> World::cast_shape(const Shape& shape, const Transform& pose,
                                         const Vec3& motion, const QueryFilter& filter) const {
  const ConvexShape made = make_convex(shape);
  const ShapePlace probe = place_shape(shape_numbers<double>(made), pose);
  TreeBox swept = box_around(probe);
  swept.add({swept.low + motion, swept.high + motion});
  std::vector<const QueryThing*> things;
  impl_->collect_things(filter, swept, things);
  std::optional<CastHit> best;
  for (const QueryThing* thing : things) {
    const double most = best ? best->share : 1;
    const auto touch = thing->surface >= 0
                           ? first_touch(probe, motion, impl_->query_surface(*thing), most)
                           : first_touch(probe, motion, thing->place, most);
    if (touch && (!best || touch->share < best->share))
      best = CastHit{thing->id, touch->share, touch->point, touch->normal};
  }
  return best;
}

std::vector<AnyId> World::overlap(const Shape& shape, const Transform& pose,
                                  const QueryFilter& filter) const {
  const ConvexShape made = make_convex(shape);
  const ShapePlace probe = place_shape(shape_numbers<double>(made), pose);
  std::vector<const QueryThing*> things;
  impl_->collect_things(filter, box_around(probe), things);
  std::vector<AnyId> found;
  for (const QueryThing* thing : things)
    if (impl_->overlaps_thing(*thing, probe)) found.push_back(thing->id);
  return found;
}

std::optional<ClosestPoint> World::closest(const Vec3& point, double max_distance,
                                           const QueryFilter& filter) const {
  const Vec3 reach{max_distance, max_distance, max_distance};
  std::vector<const QueryThing*> things;
  impl_->collect_things(filter, {point - reach, point + reach}, things);
  std::optional<ClosestPoint> best;
  for (const QueryThing* thing : things) {
    std::optional<ClosestPoint> found;
    if (thing->surface >= 0) {
      found = pliant::closest(impl_->query_surface(*thing), point, max_distance);
    } else {
      Vec3 gradient;
      const ShapePlace& at = thing->place;
      const double d = signed_distance(at.shape, at.axes * (point - at.centre), gradient);
      if (d <= max_distance)
        found = ClosestPoint{{}, d, point - transposed(at.axes) * gradient * d};
    }
    if (!found || (best && found->distance >= best->distance)) continue;
    best = found;
    best->thing = thing->id;
  }
  return best;
}

// --- sensors
// -----------------------------------------------------------------------------------------

bool World::Impl::overlaps_thing(const QueryThing& thing, const ShapePlace& probe) const {
  return thing.surface >= 0 ? overlaps(query_surface(thing), probe)
                            : shapes_overlap(thing.place, probe);
}

// What overlaps sensors at the end of the step, and what of it is new or over. A sensor meets what
// its filter fits, but no other sensor.
void World::Impl::publish_sensors() {
  things_moved();
  if (!scratch.traits.sensors && state.sensed.empty()) return;
  scratch.sensed.clear();
  const QueryIndex& index = query_index();
  std::vector<const QueryThing*>& things = queries->near_sensor;
  for (const QueryThing& sensor : index.things) {
    if (!sensor.sensor) continue;
    things.clear();
    collect_things({.groups = sensor.filter.mask}, box_around(sensor.place), things);
    for (const QueryThing* thing : things)
      if ((sensor.filter.groups & thing->filter.mask) != 0 && overlaps_thing(*thing, sensor.place))
        scratch.sensed.push_back(std::uint64_t(sensor.key) << 32 | thing->key);
  }
  std::sort(scratch.sensed.begin(), scratch.sensed.end());
  scratch.sensed.erase(std::unique(scratch.sensed.begin(), scratch.sensed.end()),
                       scratch.sensed.end());
  const auto report_missing = [&](const std::vector<std::uint64_t>& from,
                                  const std::vector<std::uint64_t>& in, EventKind kind) {
    for (const std::uint64_t key : from)
      if (!std::binary_search(in.begin(), in.end(), key))
        events.push_back({kind, any_id(std::uint32_t(key >> 32)), any_id(std::uint32_t(key)), 0});
  };
  report_missing(scratch.sensed, state.sensed, EventKind::sensor_begin);
  report_missing(state.sensed, scratch.sensed, EventKind::sensor_end);
  std::swap(state.sensed, scratch.sensed);
}

}  // namespace PLIANT_ABI
}  // namespace pliant
