// Checks of seams.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "scene/check_definitions.h"
#include "scene/check_fields.h"

namespace pliant {
namespace {

void check_side(const SeamSide& side, std::size_t vertex_count, const char* name, Errors& errors) {
  const std::string place = std::string(name) + ".vertices";
  if (side.vertices.empty()) errors.push_back({place, "holds no vertex; accepted: at least one"});
  std::map<std::int32_t, std::size_t> seen;
  for (std::size_t k = 0; k < side.vertices.size(); ++k) {
    const std::int32_t v = side.vertices[k];
    if (v < 0 || static_cast<std::size_t>(v) >= vertex_count)
      errors.push_back(
          {element_place(place, k),
           fmt::format("found vertex {}; accepted: from 0 to {}", v, vertex_count - 1)});
    else if (const auto [at, is_new] = seen.try_emplace(v, k); !is_new)
      errors.push_back({element_place(place, k),
                        fmt::format("vertex {} stands at {} already; accepted: each vertex once", v,
                                    at->second)});
  }
}

// Of one cloth: no vertex can be sewn to itself, nor to an edge of its own.
void check_same_cloth(const SeamDef& def, Errors& errors) {
  const auto &a = def.a.vertices, &b = def.b.vertices;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const auto at = std::find(b.begin(), b.end(), a[k]);
    if (at == b.end() || (a.size() == b.size() && at - b.begin() != std::ptrdiff_t(k))) continue;
    errors.push_back({element_place("a.vertices", k),
                      fmt::format("vertex {} would be sewn to itself; accepted: sides of one cloth "
                                  "without it, such as a dart without its tip",
                                  a[k])});
  }
}

// What a body has once must be the same in cloths that become one body.
template <class T>
void check_same(const char* field, const T& a, const T& b, const char* unit, Errors& errors) {
  if (a == b) return;
  errors.push_back({"b.cloth", fmt::format("its {} is {}{}, that of a is {}; accepted: cloths that "
                                           "are sewn together have the same",
                                           field, b, unit, a)});
}

bool meets_by_particles(const ClothDef& def) {
  return def.self_contact && def.self_contact_by == SelfContact::particles;
}

void check_alike(const ClothDef& a, const ClothDef& b, Errors& errors) {
  const auto word = [](auto value) { return words_of(value)[static_cast<std::size_t>(value)]; };
  check_same("membrane", word(a.membrane), word(b.membrane), "", errors);
  check_same("method", word(a.method), word(b.method), "", errors);
  check_same("schedule", word(a.schedule), word(b.schedule), "", errors);
  check_same("strain_limit", a.strain_limit, b.strain_limit, "", errors);
  if (a.method == Method::pbd) {
    check_same("pbd_stretch", a.pbd_stretch, b.pbd_stretch, "", errors);
    check_same("pbd_bend", a.pbd_bend, b.pbd_bend, "", errors);
  }
  check_same("thickness", a.thickness, b.thickness, " m", errors);
  check_same("linear_drag", a.linear_drag, b.linear_drag, " 1/s", errors);
  check_same("max_speed", a.max_speed, b.max_speed, " m/s", errors);
  check_same("wind_drag", a.wind_drag, b.wind_drag, "", errors);
  check_same("wind_lift", a.wind_lift, b.wind_lift, "", errors);
  // As features parts have these for themselves; by particles a body meets itself as a whole.
  if (meets_by_particles(a) || meets_by_particles(b)) {
    check_same("self_contact", a.self_contact, b.self_contact, "", errors);
    check_same("self_contact_by", word(a.self_contact_by), word(b.self_contact_by), "", errors);
    check_same("layer", a.layer, b.layer, "", errors);
  }
  const Surface &s = a.surface, &t = b.surface;
  check_same("surface.friction_static", s.friction_static, t.friction_static, "", errors);
  check_same("surface.friction_kinetic", s.friction_kinetic, t.friction_kinetic, "", errors);
  check_same("surface.restitution", s.restitution, t.restitution, "", errors);
  check_same("surface.friction_combine", word(s.friction_combine), word(t.friction_combine), "",
             errors);
  check_same("surface.restitution_combine", word(s.restitution_combine),
             word(t.restitution_combine), "", errors);
  check_same("filter.groups", a.filter.groups, b.filter.groups, "", errors);
  check_same("filter.mask", a.filter.mask, b.filter.mask, "", errors);
}

}  // namespace

SeamDef seam_def(const SceneSeam& seam) {
  SeamDef def;
  def.name = seam.name;
  def.a.vertices = seam.a.vertices;
  def.b.vertices = seam.b.vertices;
  def.speed = seam.speed;
  def.merge_distance = seam.merge_distance;
  def.compliance = seam.compliance;
  def.bend = seam.bend;
  return def;
}

std::vector<Error> check(const SeamDef& def, const ClothDef& a, const ClothDef& b) {
  Errors errors;
  SceneSeam numbers;
  numbers.speed = def.speed;
  numbers.merge_distance = def.merge_distance;
  numbers.compliance = def.compliance;
  check_fields(numbers, "", errors);
  check_side(def.a, a.mesh.vertices.size(), "a", errors);
  check_side(def.b, b.mesh.vertices.size(), "b", errors);
  const std::size_t na = def.a.vertices.size(), nb = def.b.vertices.size();
  if (na != nb && std::min(na, nb) == 1)
    errors.push_back({na < nb ? "a.vertices" : "b.vertices",
                      fmt::format("one vertex against {}; accepted: sides of the same number, or "
                                  "runs of at least two",
                                  std::max(na, nb))});
  if (a.schedule == Schedule::split)
    errors.push_back({"a.cloth", "its schedule is split; accepted: clusters or colours"});
  if (&a == &b)
    check_same_cloth(def, errors);
  else
    check_alike(a, b, errors);
  return errors;
}

}  // namespace pliant
