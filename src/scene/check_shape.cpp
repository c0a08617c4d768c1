// What a shape must be, besides the ranges of its numbers.
#include <cmath>

#include <fmt/format.h>

#include "geometry/hull.h"
#include "scene/check_definitions.h"
#include "scene/check_fields.h"

namespace pliant {
namespace {

constexpr Range k_coordinates{-1e7, 1e7};

template <class T>
void check_inside(const T& shape, const std::string& place, Errors& errors) {
  check_fields(shape, place, errors);
}

void check_inside(const Hull& hull, const std::string& place, Errors& errors) {
  const std::size_t before = errors.size();
  check_fields(hull, place, errors);
  if (errors.size() > before) return;
  if (hull.points.size() > k_most_hull_points) {
    errors.push_back({place + ".points", fmt::format("found {}; accepted: at most {}",
                                                     hull.points.size(), k_most_hull_points)});
    return;
  }
  if (const Result<HullData> made = make_hull(hull.points); !made.ok())
    errors.push_back({place + "." + made.error().place, made.error().message});
}

void check_inside(const Mesh& mesh, const std::string& place, Errors& errors) {
  Errors found;
  check_triangles(mesh.mesh, found);
  const std::string outer = place.substr(0, place.rfind('.') + 1);  // these begin with "mesh"
  for (const Error& e : found) errors.push_back({outer + e.place, e.message});
}

void check_inside(const HeightField& field, const std::string& place, Errors& errors) {
  check_fields(field, place, errors);
  const std::size_t wanted = std::size_t(field.columns + 1) * std::size_t(field.rows + 1);
  if (field.heights.size() != wanted)
    errors.push_back({place + ".heights",
                      fmt::format("found {} numbers; accepted: {}", field.heights.size(), wanted)});
  for (std::size_t i = 0; i < field.heights.size(); ++i)
    if (!(std::fabs(field.heights[i]) <= k_coordinates.max)) {
      errors.push_back({element_place(place + ".heights", i),
                        fmt::format("found {}; accepted: from -1e7 to 1e7", field.heights[i])});
      return;
    }
}

void check_inside(const Compound& compound, const std::string& place, Errors& errors) {
  if (compound.parts.empty())
    errors.push_back({place + ".parts", "is empty; accepted: at least one part"});
  for (std::size_t i = 0; i < compound.parts.size(); ++i) {
    const std::string here = element_place(place + ".parts", i);
    check_fields(compound.parts[i], here, errors);
    check_shape(compound.parts[i].shape, here + ".shape", errors);
  }
}

void check_inside(const UserShape& user, const std::string& place, Errors& errors) {
  if (bool(user.support) == bool(user.distance)) {
    errors.push_back({place, user.support ? "has both functions; accepted: one of the two"
                                          : "has no function; accepted: support or distance"});
    return;
  }
  const TriMesh mesh = user_mesh(user);
  if (mesh.triangles.empty() || !is_closed(mesh))
    errors.push_back({place, user.support
                                 ? "its support points span no solid"
                                 : "its distance is nowhere negative inside its box, or reaches "
                                   "beyond it; accepted: a solid within low() and high()"});
}

}  // namespace

bool check_shape(const Shape& shape, const std::string& place, std::vector<Error>& errors) {
  const std::size_t before = errors.size();
  const std::string name =
      shape.index() < k_shape_names.size() ? k_shape_names[shape.index()] : "user";
  std::visit([&](const auto& s) { check_inside(s, place + "." + name, errors); }, shape);
  return errors.size() == before;
}

}  // namespace pliant
