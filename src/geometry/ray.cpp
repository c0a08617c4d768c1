#include "geometry/ray.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/gjk.h"
#include "geometry/shape_data.h"

namespace pliant {

namespace {

constexpr double k_never = std::numeric_limits<double>::infinity();

using Meeting = std::optional<RayMeeting>;

// The part of the line of a ray that is inside a convex set, and the outward normals at its ends.
struct Inside {
  double enter = -k_never, leave = k_never;
  Vec3 at_enter, at_leave;

  bool empty() const { return !(enter <= leave); }
  void clear() { enter = k_never, leave = -k_never; }
  // Keeps what is behind the plane: height (m) above it at the ray's beginning, slope along it.
  void clip(const Vec3& normal, double height, double slope) {
    if (slope == 0) {
      if (height > 0) clear();
      return;
    }
    const double t = -height / slope;
    if (slope < 0 && t > enter) enter = t, at_enter = normal;
    if (slope > 0 && t < leave) leave = t, at_leave = normal;
  }
};

// The first of the two ends that is on the ray.
Meeting first_of(const Inside& s, const Ray& ray) {
  if (s.empty()) return {};
  if (s.enter >= 0 && s.enter <= ray.length) return RayMeeting{s.enter, s.at_enter};
  if (s.enter < 0 && s.leave >= 0 && s.leave <= ray.length) return RayMeeting{s.leave, s.at_leave};
  return {};
}

// Roots of a t^2 + 2 b t + c <= 0 for a > 0, without cancellation.
bool roots(double a, double b, double c, double& low, double& high) {
  const double disc = b * b - a * c;
  if (disc < 0) return false;
  const double q = -(b + (b < 0 ? -1 : 1) * std::sqrt(disc));
  const double t1 = q / a, t2 = q != 0 ? c / q : t1;
  low = std::min(t1, t2);
  high = std::max(t1, t2);
  return true;
}

Inside in_ball(const Vec3& centre, double radius, const Ray& ray) {
  const Vec3 f = ray.from - centre;
  Inside s;
  if (!roots(1, dot(f, ray.direction), dot(f, f) - radius * radius, s.enter, s.leave)) {
    s.clear();
    return s;
  }
  s.at_enter = normalized(f + ray.direction * s.enter);
  s.at_leave = normalized(f + ray.direction * s.leave);
  return s;
}

Inside in_ellipsoid(const Vec3& half, const Ray& ray) {
  const auto shrunk = [&](const Vec3& v) { return Vec3{v.x / half.x, v.y / half.y, v.z / half.z}; };
  const Vec3 f = shrunk(ray.from), d = shrunk(ray.direction);
  Inside s;
  if (!roots(dot(d, d), dot(f, d), dot(f, f) - 1, s.enter, s.leave)) {
    s.clear();
    return s;
  }
  s.at_enter = normalized(shrunk(f + d * s.enter));
  s.at_leave = normalized(shrunk(f + d * s.leave));
  return s;
}

Inside in_box(const Vec3& half, const Ray& ray) {
  Inside s;
  for (int i = 0; i < 3; ++i)
    for (const double side : {-1.0, 1.0}) {
      Vec3 n;
      n[i] = side;
      s.clip(n, side * ray.from[i] - half[i], side * ray.direction[i]);
    }
  return s;
}

// x^2 + z^2 <= r^2, of any height.
Inside in_tube(double radius, const Ray& ray) {
  const Vec3 f{ray.from.x, 0, ray.from.z}, d{ray.direction.x, 0, ray.direction.z};
  const double a = dot(d, d), c = dot(f, f) - radius * radius;
  Inside s;
  if (a == 0) {
    if (c > 0) s.clear();
    return s;
  }
  if (!roots(a, dot(f, d), c, s.enter, s.leave)) {
    s.clear();
    return s;
  }
  s.at_enter = normalized(f + d * s.enter);
  s.at_leave = normalized(f + d * s.leave);
  return s;
}

Inside in_cylinder(const Vec3& half, const Ray& ray) {
  Inside s = in_tube(half.x, ray);
  if (s.empty()) return s;
  s.clip({0, 1, 0}, ray.from.y - half.y, ray.direction.y);
  s.clip({0, -1, 0}, -ray.from.y - half.y, -ray.direction.y);
  return s;
}

// The union of a cylinder and two balls is convex: its ends are the outermost of theirs.
Inside in_capsule(const Vec3& half, double radius, const Ray& ray) {
  Inside all;
  all.clear();
  for (const Inside& s :
       {in_cylinder({radius, half.y, radius}, ray), in_ball({0, -half.y, 0}, radius, ray),
        in_ball({0, half.y, 0}, radius, ray)}) {
    if (s.empty()) continue;
    if (s.enter < all.enter) all.enter = s.enter, all.at_enter = s.at_enter;
    if (s.leave > all.leave) all.leave = s.leave, all.at_leave = s.at_leave;
  }
  return all;
}

// r^2 <= k^2 (tip - y)^2 with k = radius / height, above the base and below the tip.
Inside in_cone(const Vec3& half, const Ray& ray) {
  const double height = cone_height(half.y), k = half.x / height;
  const Vec3 &f = ray.from, &d = ray.direction;
  const double down = half.y - f.y;
  const double a = d.x * d.x + d.z * d.z - k * k * d.y * d.y;
  const double b = f.x * d.x + f.z * d.z + k * k * down * d.y;
  const double c = f.x * f.x + f.z * f.z - k * k * down * down;
  // The ends of the part between the planes of base and tip, and what lies on the mantle.
  Inside slab;
  slab.clip({0, 1, 0}, f.y - half.y, d.y);
  slab.clip({0, -1, 0}, half.y - height - f.y, -d.y);
  Inside s;
  s.clear();
  if (slab.empty()) return s;
  const auto consider = [&](double t, const Vec3& normal) {
    if (t < s.enter) s.enter = t, s.at_enter = normal;
    if (t > s.leave) s.leave = t, s.at_leave = normal;
  };
  const auto mantle = [&](double t) {
    const Vec3 p = f + d * t;
    if (t < slab.enter || t > slab.leave) return;
    const double r = std::sqrt(p.x * p.x + p.z * p.z);
    consider(t, r > 0 ? normalized(Vec3{p.x / r, k, p.z / r}) : Vec3{0, 1, 0});
  };
  double low = 0, high = 0;
  if (std::fabs(a) < 1e-14) {
    if (b != 0) mantle(-c / (2 * b));
  } else if (roots(std::fabs(a), a < 0 ? -b : b, a < 0 ? -c : c, low, high)) {
    mantle(low);
    mantle(high);
  }
  if (d.y != 0) {
    const double t = (half.y - height - f.y) / d.y;
    const Vec3 p = f + d * t;
    if (p.x * p.x + p.z * p.z <= half.x * half.x) consider(t, {0, -1, 0});
  }
  return s;
}

Inside in_hull(const HullData& hull, const Ray& ray) {
  Inside s;
  for (const HullFace& f : hull.faces)
    s.clip(f.normal, dot(f.normal, ray.from) - f.offset, dot(f.normal, ray.direction));
  return s;
}

// From outside, by planes between the point and the shape: the way to each is free (van den Bergen
// 2004 has the same with the simplex kept).
Meeting advance(const ShapeNumbers<double>& shape, const Ray& ray) {
  constexpr int k_rounds = 200;
  constexpr double k_touch = 1e-9;  // m
  const ConvexCore core = make_core(shape, {}, {});
  double t = 0;
  Vec3 normal = -ray.direction;
  for (int round = 0; round < k_rounds; ++round) {
    const ClosestPoints c = closest_points(core, {{}, {}, ray.from + ray.direction * t});
    if (c.distance <= k_touch) return RayMeeting{t, normal};
    normal = c.normal;
    const double speed = -dot(ray.direction, c.normal);
    if (speed <= 0) return {};
    const double step = c.distance / speed;
    t += step;
    if (t > ray.length) return {};
    if (step < k_touch) return RayMeeting{t, normal};
  }
  return {};
}

// From inside, the way back from beyond the shape ends where the ray leaves it.
Meeting cast_support(const ShapeNumbers<double>& shape, const Ray& ray) {
  const ClosestPoints at = closest_points(make_core(shape, {}, {}), {{}, {}, ray.from});
  if (at.distance > 0) return advance(shape, ray);
  const double beyond = 2 * length(shape.half) + 1;
  const Meeting back = advance(shape, {ray.from + ray.direction * beyond, -ray.direction, beyond});
  if (!back || beyond - back->distance > ray.length) return {};
  return RayMeeting{beyond - back->distance, back->normal};
}

Meeting cast_mesh(const ShapeData& data, const Ray& ray) {
  const MeshRay hit = data.tree.along(ray.from, ray.direction, ray.length);
  if (hit.triangle < 0) return {};
  Vec3 n = data.tree.normal(hit.triangle);
  const bool solid = data.closed || data.solid_below;
  if (!solid && dot(n, ray.direction) > 0) n = -n;
  return RayMeeting{hit.distance, n, hit.triangle};
}

Meeting cast_parts(const ShapeData& data, const Ray& ray) {
  Meeting best;
  Ray rest = ray;
  for (const ShapePart& part : data.parts) {
    const Ray local{part.axes * (rest.from - part.position), part.axes * rest.direction,
                    rest.length};
    Meeting m = cast_ray(part.shape, local);
    if (!m || (best && m->distance >= best->distance)) continue;
    m->normal = transposed(part.axes) * m->normal;
    m->triangle = -1;
    rest.length = m->distance;
    best = m;
  }
  return best;
}

// A plate is met from the side that the ray comes from.
Meeting cast_box(const Vec3& half, const Ray& ray) {
  Meeting m = first_of(in_box(half, ray), ray);
  const bool plate = half.x == 0 || half.y == 0 || half.z == 0;
  if (m && plate && dot(m->normal, ray.direction) > 0) m->normal = -m->normal;
  return m;
}

}  // namespace

std::optional<RayMeeting> cast_ray(const ShapeNumbers<double>& shape, const Ray& ray) {
  const Vec3& half = shape.half;
  switch (shape.kind) {
    case ShapeKind::sphere:
      return first_of(in_ball({}, shape.radius, ray), ray);
    case ShapeKind::capsule:
      return first_of(in_capsule(half, shape.radius, ray), ray);
    case ShapeKind::box:
      return cast_box(half, ray);
    case ShapeKind::half_space: {
      Inside s;
      s.clip({0, 1, 0}, ray.from.y, ray.direction.y);
      return first_of(s, ray);
    }
    case ShapeKind::cylinder:
      return first_of(in_cylinder(half, ray), ray);
    case ShapeKind::cone:
      return first_of(in_cone(half, ray), ray);
    case ShapeKind::ellipsoid:
      return first_of(in_ellipsoid(half, ray), ray);
    case ShapeKind::hull:
      return first_of(in_hull(shape.data->hull, ray), ray);
    case ShapeKind::compound:
      return cast_parts(*shape.data, ray);
    case ShapeKind::mesh:
      return cast_mesh(*shape.data, ray);
    default:
      return cast_support(shape, ray);
  }
}

// Moeller and Trumbore 1997, with the tests by signs of volumes, so that no ray passes between two
// triangles that share an edge.
std::optional<TriangleRay> cast_ray(const Vec3& a, const Vec3& b, const Vec3& c, const Ray& ray) {
  const Vec3 pa = a - ray.from, pb = b - ray.from, pc = c - ray.from;
  const double u = dot(ray.direction, cross(pc, pb)), v = dot(ray.direction, cross(pa, pc)),
               w = dot(ray.direction, cross(pb, pa));
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return {};
  const double sum = u + v + w;
  if (sum == 0) return {};
  const std::array<double, 3> weights{u / sum, v / sum, w / sum};
  const double t = dot(ray.direction, pa * weights[0] + pb * weights[1] + pc * weights[2]);
  if (t < 0 || t > ray.length) return {};
  return TriangleRay{t, weights};
}

}  // namespace pliant
