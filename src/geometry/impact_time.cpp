#include "geometry/impact_time.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/convex.h"
#include "geometry/gjk.h"
#include "geometry/shape_data.h"
#include "math/trig.h"

namespace pliant {

namespace {

constexpr int k_bisections = 24;
constexpr double k_infinite = 1e30;  // m
constexpr double k_clear = 1e-5;     // m; of what is nearer, the normal is mostly rounding

// A convex part of a body in motion.
struct Part {
  ShapeNumbers<double> shape;
  Vec3 position;  // m, in the body's frame
  Mat3 axes{{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}};
  double reach = 0;  // m, from `position`
};

struct Posed {
  Vec3 position;
  Mat3 axes;  // rows are the axes
};

Posed pose_at(const MovingShape& body, const Part& part, double t) {
  const Quat q = exp_quat(body.angular_velocity * (t / 2)) * body.rotation;
  const Vec3 centre = body.position + body.velocity * t + body.acceleration * (t * t / 2);
  return {centre + rotate(q, part.position), part.axes * transposed(to_matrix(q))};
}

// From a half-space to a convex part.
double plane_gap(const Part& part, const Posed& at, const Posed& plane, Vec3& up) {
  up = plane.axes.row[1];
  const Vec3 local{dot(at.axes.row[0], -up), dot(at.axes.row[1], -up), dot(at.axes.row[2], -up)};
  const Vec3 lowest = core_support(part.shape, local);
  const Vec3 point = at.position + at.axes.row[0] * lowest.x + at.axes.row[1] * lowest.y +
                     at.axes.row[2] * lowest.z;
  return dot(point - plane.position, up) - part.shape.radius;
}

bool is_plane(const Part& part) { return part.shape.kind == ShapeKind::half_space; }

// The normal goes from a to b.
double part_gap(const Part& a, const Posed& at_a, const Part& b, const Posed& at_b, Vec3& normal) {
  if (is_plane(a) && is_plane(b)) return k_infinite;
  if (is_plane(a)) return plane_gap(b, at_b, at_a, normal);
  if (is_plane(b)) {
    const double gap = plane_gap(a, at_a, at_b, normal);
    normal = -normal;
    return gap;
  }
  const Vec3 between = at_b.position - at_a.position;
  const double radii = a.shape.radius + b.shape.radius;
  if (a.shape.kind == ShapeKind::sphere && b.shape.kind == ShapeKind::sphere) {
    const double distance = length(between);
    normal = distance > 0 ? between / distance : Vec3{0, 1, 0};
    return distance - radii;
  }
  // Around the first centre, so that no digits are lost far from the origin.
  const ClosestPoints c =
      closest_points(make_core(a.shape, at_a.axes, {}), make_core(b.shape, at_b.axes, between));
  normal = c.normal;
  return c.distance - radii;
}

// How far the centre of a body comes from where it was.
double travel(const MovingShape& body, double duration) {
  return length(body.velocity) * duration + length(body.acceleration) * (duration * duration / 2);
}

double reach_of(const ShapeNumbers<double>& s) {
  return s.kind == ShapeKind::half_space ? k_infinite : length(s.half) + s.radius;
}

// How far from the body's centre its points are that turning moves and the other may meet. A ball
// in its centre has none, a half-space those that the other comes to.
double turning_reach(const MovingShape& body, const Part& part, const MovingShape& other,
                     double duration) {
  if (is_plane(part))
    return length(other.position - body.position) + reach_of(other.shape) + travel(body, duration) +
           travel(other, duration);
  const bool ball = part.shape.kind == ShapeKind::sphere;
  return length(part.position) + (ball ? 0 : length(part.shape.half));
}
// m/s, at most, of what the turning of a body does to a surface.
double turning_speed(const MovingShape& body, const Part& part, const MovingShape& other,
                     double duration) {
  const double spin = length(body.angular_velocity);
  return spin > 0 ? spin * turning_reach(body, part, other, duration) : 0;
}

struct Pair {
  const MovingShape &body_a, &body_b;
  const Part &a, &b;
  double turning = 0;  // m/s, at most, of both surfaces

  double gap(double t, Vec3& normal) const {
    return part_gap(a, pose_at(body_a, a, t), b, pose_at(body_b, b, t), normal);
  }
};

// The first d > 0 for which closing * d + growth * d^2 = gap; infinite where there is none.
double safe_time(double closing, double growth, double gap) {
  if (growth == 0) return closing > 0 ? gap / closing : k_infinite;
  const double square = closing * closing + 4 * growth * gap;
  if (square < 0) return k_infinite;
  const double root = std::sqrt(square);
  const double below = closing + root;
  return below > 0 ? 2 * gap / below : k_infinite;
}

// How long the gap stays above `keep`, at least.
double safe_advance(const Pair& p, double t, double gap, const Vec3& normal, double keep) {
  const Vec3 velocity =
      p.body_a.velocity - p.body_b.velocity + (p.body_a.acceleration - p.body_b.acceleration) * t;
  const double closing = dot(normal, velocity) + p.turning;
  const double growth = 0.5 * dot(normal, p.body_a.acceleration - p.body_b.acceleration);
  return safe_time(closing, growth, gap - keep);
}

Impact advance(const Pair& p, double duration, const ImpactSearch& search) {
  Impact impact;
  for (int n = 0; n < search.iterations; ++n) {
    impact.gap = p.gap(impact.time, impact.normal);
    ++impact.iterations;
    if (impact.gap <= search.gap) {
      const bool at_once = n == 0 && impact.gap < 0;
      impact.kind = at_once ? Impact::Kind::overlap : Impact::Kind::touch;
      return impact;
    }
    const double d = safe_advance(p, impact.time, impact.gap, impact.normal, 0.5 * search.gap);
    if (impact.time + d > duration) return {.iterations = impact.iterations};
    impact.time += d;
  }
  impact.kind = Impact::Kind::near;
  return impact;
}

// Halves [low, high], at whose ends the two are apart and overlap. Where they are apart in the
// middle they may have met before and parted again: what is known to be free ends at the safe step.
Impact bisect(const Pair& p, Impact low, double high, const ImpactSearch& search) {
  low.kind = Impact::Kind::touch;
  int halvings = 0;
  for (int n = 0; n < search.iterations; ++n) {
    if (high - low.time < search.min_time || low.gap < search.gap) return low;
    if (halvings == k_bisections) return low;
    double middle = 0.5 * (low.time + high);
    const double safe = low.time + safe_advance(p, low.time, low.gap, low.normal, 0);
    Vec3 normal;
    double gap = p.gap(middle, normal);
    ++low.iterations;
    if (gap < 0) {
      high = middle;
      ++halvings;
      continue;
    }
    if (safe < middle && low.gap > k_clear) {
      middle = safe;
      gap = p.gap(middle, normal);
      ++low.iterations;
    } else {
      ++halvings;
    }
    low.time = middle;
    low.gap = gap;
    if (gap > k_clear) low.normal = normal;
  }
  low.kind = Impact::Kind::near;
  return low;
}

// Safe steps until four of them at once overlap, then bisection.
Impact march(const Pair& p, double duration, const ImpactSearch& search) {
  constexpr double k_ahead = 4;
  Impact impact;
  impact.gap = p.gap(0, impact.normal);
  ++impact.iterations;
  if (impact.gap < 0) {
    impact.kind = Impact::Kind::overlap;
    return impact;
  }
  for (int n = 0; n < search.iterations; ++n) {
    if (impact.gap < search.gap) {
      impact.kind = Impact::Kind::touch;
      return impact;
    }
    const double d = safe_advance(p, impact.time, impact.gap, impact.normal, 0);
    if (impact.time + d > duration) return {.iterations = impact.iterations};
    const double ahead = std::min(impact.time + k_ahead * d, duration);
    Vec3 normal;
    const double gap = p.gap(ahead, normal);
    ++impact.iterations;
    if (gap < 0) return bisect(p, impact, ahead, search);
    impact.time += d;
    impact.gap = p.gap(impact.time, impact.normal);
    ++impact.iterations;
  }
  impact.kind = Impact::Kind::near;
  return impact;
}

// Whether two parts can come together at all.
bool within_reach(const MovingShape& a, const Part& part_a, const MovingShape& b,
                  const Part& part_b, double duration) {
  if (part_a.reach >= k_infinite || part_b.reach >= k_infinite) return true;
  const double apart = length(pose_at(b, part_b, 0).position - pose_at(a, part_a, 0).position);
  const double turned = (length(a.angular_velocity) * length(part_a.position) +
                         length(b.angular_velocity) * length(part_b.position)) *
                        duration;
  const double moved = length(b.velocity - a.velocity) * duration +
                       length(b.acceleration - a.acceleration) * (duration * duration / 2);
  return apart <= part_a.reach + part_b.reach + moved + turned;
}

// The triangles of a mesh, which is `whole` in its body's frame, that the other body may come as
// near to as `near`.
void add_triangles(const Part& whole, const MovingShape& body, const MovingShape& other,
                   double duration, double near, std::vector<Part>& parts) {
  const ShapeData& data = *whole.shape.data;
  const Posed at = pose_at(body, whole, 0);
  const Vec3 offset = other.position - at.position;
  const double other_reach = reach_of(other.shape);
  const Vec3 centre{dot(at.axes.row[0], offset), dot(at.axes.row[1], offset),
                    dot(at.axes.row[2], offset)};
  const double moved = travel(body, duration) + travel(other, duration);
  const double turned =
      length(body.angular_velocity) * duration * (length(other.position - body.position) + moved);
  const double reach = other_reach + moved + turned + near;
  const Vec3 extent{reach, reach, reach};
  std::vector<std::int32_t> found;
  data.tree.overlapping(centre - extent, centre + extent, found);
  for (const std::int32_t triangle : found) {
    Part part = whole;
    part.shape.kind = ShapeKind::triangle;
    part.shape.item = triangle;
    parts.push_back(part);
  }
}

// The convex parts of a body that may come as near to the other one as `near`.
std::vector<Part> parts_of(const MovingShape& body, const MovingShape& other, double duration,
                           double near) {
  std::vector<Part> parts;
  const auto add = [&](const Part& part) {
    if (part.shape.kind == ShapeKind::mesh)
      add_triangles(part, body, other, duration, near, parts);
    else
      parts.push_back(part);
  };
  if (body.shape.kind != ShapeKind::compound) {
    add({body.shape, {}, Part{}.axes, reach_of(body.shape)});
    return parts;
  }
  for (const ShapePart& part : body.shape.data->parts)
    add({part.shape, part.position, part.axes, part.reach});
  return parts;
}

// The least gap of the parts that are within `near` of the other body.
double gap_within(const MovingShape& a, const MovingShape& b, double t, double near, Vec3& normal) {
  double least = k_infinite;
  const std::vector<Part> parts_b = parts_of(b, a, t, near);
  for (const Part& part_a : parts_of(a, b, t, near))
    for (const Part& part_b : parts_b) {
      Vec3 n;
      const double gap = part_gap(part_a, pose_at(a, part_a, t), part_b, pose_at(b, part_b, t), n);
      if (gap >= least) continue;
      least = gap;
      normal = n;
    }
  return least;
}

}  // namespace

Impact find_impact(const MovingShape& a, const MovingShape& b, double duration,
                   const ImpactSearch& search) {
  Impact first;
  int iterations = 0;
  const std::vector<Part> parts_b = parts_of(b, a, duration, search.gap);
  for (const Part& part_a : parts_of(a, b, duration, search.gap)) {
    for (const Part& part_b : parts_b) {
      if (!within_reach(a, part_a, b, part_b, duration)) continue;
      const Pair pair{
          a, b, part_a, part_b,
          turning_speed(a, part_a, b, duration) + turning_speed(b, part_b, a, duration)};
      const Impact found = search.method == ImpactTime::bisection ? march(pair, duration, search)
                                                                  : advance(pair, duration, search);
      iterations += found.iterations;
      if (found.kind == Impact::Kind::none) continue;
      if (first.kind != Impact::Kind::none && found.time >= first.time) continue;
      first = found;
      duration = found.time;
    }
  }
  first.iterations = iterations;
  return first;
}

double gap_at(const MovingShape& a, const MovingShape& b, double t, Vec3& normal) {
  constexpr double k_near = 0.01;  // m; mostly what is asked about is nearer
  const double gap = gap_within(a, b, t, k_near, normal);
  if (gap <= k_near) return gap;
  // Further away all that is nearer than what was found counts, or everything.
  const double all = length(b.position - a.position) + reach_of(a.shape) + reach_of(b.shape);
  return gap_within(a, b, t, std::min(gap, all), normal);
}

}  // namespace pliant
