// Any two shapes by brute force: taken apart into convex pieces, of meshes and height fields the
// triangles, of which all are compared with all. Pieces are passed over only where a ball around
// each, or a plane between them, proves that others are nearer.
#pragma once

#include <memory>

#include "geometry/impact_time.h"
#include "unit/narrowphase/moving_twin.h"

namespace pliant::twin {

struct Piece {
  Shape shape;  // convex, or a half-space
  Vec3 at;
  Quat turn;
  double reach = 0;  // m, of a ball around `at` that holds it
};

// --- users' shapes whose extents are closed forms
struct EllipsoidSupport final : SupportFunction {
  Vec3 half;
  explicit EllipsoidSupport(const Vec3& h) : half(h) {}
  Vec3 support(const Vec3& d) const override {
    const Vec3 s = scaled(half, d);
    const double l = length(s);
    return l > 0 ? scaled(half, s) / l : Vec3{};
  }
};
// A box with rounded edges.
struct RoundedBox final : DistanceFunction {
  Vec3 half;
  double radius;
  RoundedBox(const Vec3& h, double r) : half(h), radius(r) {}
  double distance(const Vec3& p) const override {
    const Vec3 q{std::fabs(p.x) - half.x, std::fabs(p.y) - half.y, std::fabs(p.z) - half.z};
    const Vec3 out{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
    return length(out) + std::min(std::max({q.x, q.y, q.z}), 0.0) - radius;
  }
  Vec3 low() const override { return -high(); }
  Vec3 high() const override { return half + Vec3{1, 1, 1} * (1.05 * radius); }
};

inline double piece_extent(const Piece& p, const Vec3& n) {
  const Vec3 local = rotate_inverse(p.turn, n);
  if (const auto* r = std::get_if<Rectangle>(&p.shape))
    return r->half_x * std::fabs(local.x) + r->half_z * std::fabs(local.z);
  if (const auto* user = std::get_if<UserShape>(&p.shape)) {
    if (user->support)
      return length(scaled(static_cast<const EllipsoidSupport&>(*user->support).half, local));
    const auto& block = static_cast<const RoundedBox&>(*user->distance);
    return extent(Box{block.half}, local) + block.radius;
  }
  return reach(p.shape, p.turn, n);
}
// m, between the two along n, from a to b.
inline double piece_gap(const Piece& a, const Piece& b, const Vec3& n) {
  return dot(b.at - a.at, n) - piece_extent(a, n) - piece_extent(b, -n);
}

inline void add_piece(const Shape& shape, const Vec3& at, const Quat& turn,
                      std::vector<Piece>& out) {
  Piece piece{shape, at, turn, 0};
  const auto along = [&](const Vec3& n) { return piece_extent(piece, rotate(turn, n)); };
  const Vec3 most{std::max(along({1, 0, 0}), along({-1, 0, 0})),
                  std::max(along({0, 1, 0}), along({0, -1, 0})),
                  std::max(along({0, 0, 1}), along({0, 0, -1}))};
  piece.reach = length(most);
  out.push_back(piece);
}
inline void add_triangles(const TriMesh& mesh, const Vec3& at, const Quat& turn,
                          std::vector<Piece>& out) {
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[std::size_t(t[0])], b = mesh.vertices[std::size_t(t[1])],
               c = mesh.vertices[std::size_t(t[2])], middle = (a + b + c) / 3.0;
    add_piece(Hull{{a - middle, b - middle, c - middle}}, at + rotate(turn, middle), turn, out);
  }
}
// Each cell has the diagonal from its first vertex to the one across.
inline TriMesh height_triangles(const HeightField& f) {
  TriMesh mesh = make_grid(f.columns, f.rows, f.width, f.depth);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    mesh.vertices[i].x = f.width * (double(int(i) % (f.columns + 1)) / f.columns - 0.5);
    mesh.vertices[i].z = f.depth * (double(int(i) / (f.columns + 1)) / f.rows - 0.5);
    mesh.vertices[i].y = f.heights[i];
  }
  return mesh;
}
inline void collect(const Shape& shape, const Vec3& at, const Quat& turn, std::vector<Piece>& out) {
  if (const auto* compound = std::get_if<Compound>(&shape)) {
    for (const CompoundPart& p : compound->parts)
      collect(p.shape, at + rotate(turn, p.position), turn * p.rotation, out);
  } else if (const auto* mesh = std::get_if<Mesh>(&shape)) {
    add_triangles(mesh->mesh, at, turn, out);
  } else if (const auto* field = std::get_if<HeightField>(&shape)) {
    add_triangles(height_triangles(*field), at, turn, out);
  } else {
    add_piece(shape, at, turn, out);
  }
}

// --- signed distances
inline const std::vector<Vec3>& directions() {
  static const std::vector<Vec3> list = [] {
    constexpr int count = 1500;
    std::vector<Vec3> out;
    for (int i = 0; i < count; ++i) {
      const double y = 1 - (i + 0.5) * 2 / count, r = std::sqrt(1 - y * y);
      const double angle = i * 2.39996322972865;
      out.push_back({r * std::cos(angle), y, r * std::sin(angle)});
    }
    return out;
  }();
  return list;
}

// Uphill from a direction; ends where it is above `enough`.
inline double climb(const Piece& a, const Piece& b, Vec3& n, double enough) {
  double value = piece_gap(a, b, n);
  for (double step = 0.1; step > 1e-7 && value <= enough; step *= 0.6) {
    bool better = true;
    for (int round = 0; better && round < 20; ++round) {
      better = false;
      const Vec3 u = any_perpendicular(n), v = cross(n, u);
      for (int k = 0; k < 12; ++k) {
        const double angle = k * M_PI / 6 + round;
        const Vec3 d = normalized(n + (u * std::cos(angle) + v * std::sin(angle)) * step);
        const double g = piece_gap(a, b, d);
        if (g <= value) continue;
        value = g;
        n = d;
        better = true;
      }
    }
  }
  return value;
}

struct Nearest {
  double distance = 1e30;  // m, negative: how deep
  Vec3 normal;             // from a to b
};

// The greatest gap over all directions, `more` among them, or what is above `enough`. Never too
// great; too small where the maximum is so sharp that it was missed.
inline Nearest piece_distance(const Piece& a, const Piece& b, double enough, const Vec3& more) {
  const bool plane_a = std::holds_alternative<HalfSpace>(a.shape);
  if (plane_a || std::holds_alternative<HalfSpace>(b.shape)) {
    const Vec3 n = plane_a ? rotate(a.turn, {0, 1, 0}) : rotate(b.turn, {0, -1, 0});
    const Piece& other = plane_a ? b : a;
    return {dot(b.at - a.at, n) - piece_extent(other, plane_a ? -n : n), n};
  }
  const Vec3 between = b.at - a.at;
  if (length(between) > a.reach + b.reach + std::max(enough, 0.0)) return {enough, between};
  const double first = piece_gap(a, b, more);
  if (first > enough) return {first, more};
  std::vector<std::pair<double, int>> tried;
  for (int i = 0; i < int(directions().size()); i += 10) {  // a few first: most pairs end here
    const Vec3& d = directions()[std::size_t(i)];
    const double g = piece_gap(a, b, d);
    if (g > enough) return {g, d};
  }
  for (int i = 0; i < int(directions().size()); ++i) {
    const double g = piece_gap(a, b, directions()[std::size_t(i)]);
    if (g > enough) return {g, directions()[std::size_t(i)]};
    tried.push_back({g, i});
  }
  std::sort(tried.begin(), tried.end(), [](const auto& x, const auto& y) { return x > y; });
  constexpr std::size_t starts = 24;
  std::vector<Vec3> begun;
  Nearest best{first, more};
  for (std::size_t i = 0; i < tried.size() && begun.size() < starts; ++i) {
    Vec3 d = directions()[std::size_t(tried[i].second)];
    if (std::any_of(begun.begin(), begun.end(), [&](const Vec3& o) { return dot(o, d) > 0.97; }))
      continue;
    begun.push_back(d);
    const double g = climb(a, b, d, enough);
    if (g > best.distance) best = {g, d};
    if (best.distance > enough) break;
    if (best.distance > 0 && begun.size() >= 3) break;  // apart: there is one maximum alone
  }
  return best;
}

// Of all pieces with all, trying the direction `more` as well; `most` is a distance beyond which it
// does not matter.
inline Nearest least_distance(const std::vector<Piece>& a, const std::vector<Piece>& b,
                              const Vec3& more, double most = 1e30) {
  std::vector<std::pair<double, std::pair<std::size_t, std::size_t>>> order;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k) {
      const bool endless = std::holds_alternative<HalfSpace>(a[i].shape) ||
                           std::holds_alternative<HalfSpace>(b[k].shape);
      const double bound = endless ? -1e30 : length(b[k].at - a[i].at) - a[i].reach - b[k].reach;
      order.push_back({bound, {i, k}});
    }
  std::sort(order.begin(), order.end());
  Nearest best{most, {0, 1, 0}};
  for (const auto& [bound, pair] : order) {
    if (bound > best.distance) break;
    const Nearest n = piece_distance(a[pair.first], b[pair.second], best.distance, more);
    if (n.distance < best.distance) best = n;
  }
  return best;
}

// --- random shapes of every kind
enum Kind {
  k_rectangle = k_shapes,
  k_hull,
  k_solid_mesh,
  k_open_mesh,
  k_compound,
  k_height_field,
  k_user_support,
  k_user_distance,
  k_half_space,
  k_all_kinds
};
inline const char* kind_name(int kind) {
  constexpr const char* names[] = {"sphere",
                                   "box",
                                   "capsule",
                                   "cylinder",
                                   "cone",
                                   "ellipsoid",
                                   "rectangle",
                                   "hull",
                                   "mesh",
                                   "open mesh",
                                   "compound",
                                   "height field",
                                   "user shape by support",
                                   "user shape by distance",
                                   "half-space"};
  return names[kind];
}

inline Shape any_shape(int kind, std::mt19937& rng, int depth = 0) {
  std::uniform_real_distribution<double> u(-1, 1), size(0.2, 1);
  const auto point = [&] { return Vec3{u(rng), u(rng), u(rng)}; };
  switch (kind) {
    case k_rectangle:
      return Rectangle{size(rng), size(rng)};
    case k_hull: {
      Hull hull;
      const int count = 4 + int(rng() % 9);
      for (int i = 0; i < count; ++i) hull.points.push_back(point());
      return hull;  // its origin may be outside
    }
    case k_solid_mesh: {  // a star: every vertex of an icosahedron at a distance of its own
      TriMesh mesh = make_sphere(1, 0);
      for (Vec3& v : mesh.vertices) v = v * (0.8 + 0.4 * u(rng));
      return Mesh{mesh};
    }
    case k_open_mesh: {
      TriMesh mesh = make_grid(2, 2, 2 * size(rng), 2 * size(rng));
      for (Vec3& v : mesh.vertices) v += point() * 0.1;
      return Mesh{mesh};
    }
    case k_compound: {
      Compound compound;
      const int count = 2 + int(rng() % 2);
      for (int i = 0; i < count; ++i) {
        constexpr int parts[] = {0, 1, 2, 3, 4, 5, k_hull, k_solid_mesh, k_compound};
        const int part = parts[rng() % (depth == 0 ? 9 : 8)];
        compound.parts.push_back(
            {any_shape(part, rng, depth + 1), point() * 0.7, random_rotation(rng), 0});
      }
      return compound;
    }
    case k_height_field: {
      HeightField field{2 + int(rng() % 2), 2, 2 * size(rng), 2 * size(rng), {}};
      for (int i = 0; i < (field.columns + 1) * (field.rows + 1); ++i)
        field.heights.push_back(0.3 * u(rng));
      return field;
    }
    case k_user_support:
      return UserShape{std::make_shared<EllipsoidSupport>(Vec3{size(rng), size(rng), size(rng)}),
                       nullptr};
    case k_user_distance:
      return UserShape{nullptr, std::make_shared<RoundedBox>(Vec3{size(rng), size(rng), size(rng)},
                                                             0.2 * size(rng))};
    case k_half_space:
      return HalfSpace{};
    default:
      return random_shape(kind, rng);
  }
}

// Two shapes somewhere near each other, and what the library makes of them.
struct AnyPair {
  Shape shape_a, shape_b;
  ConvexShape made_a, made_b;
  Quat turn_a, turn_b;
  Vec3 at_a, at_b;
  Vec3 velocity_a, velocity_b, acceleration_a, acceleration_b, spin_a, spin_b;

  MovingShape moving_a() const {
    return {shape_numbers<double>(made_a), at_a, turn_a, velocity_a, acceleration_a, spin_a};
  }
  MovingShape moving_b() const {
    return {shape_numbers<double>(made_b), at_b, turn_b, velocity_b, acceleration_b, spin_b};
  }
  std::vector<Piece> pieces_a(double t = 0) const {
    std::vector<Piece> out;
    collect(shape_a, at_a + velocity_a * t + acceleration_a * (t * t / 2),
            turned(turn_a, spin_a, t), out);
    return out;
  }
  std::vector<Piece> pieces_b(double t = 0) const {
    std::vector<Piece> out;
    collect(shape_b, at_b + velocity_b * t + acceleration_b * (t * t / 2),
            turned(turn_b, spin_b, t), out);
    return out;
  }
};

// Made with the library's form of it, which takes long for users' shapes.
struct MadeShape {
  Shape shape;
  ConvexShape made;
};
inline MadeShape made_shape(int kind, std::mt19937& rng) {
  if (kind != k_user_distance) {
    const Shape shape = any_shape(kind, rng);
    return {shape, make_convex(shape)};
  }
  static const std::vector<MadeShape> few = [] {
    std::mt19937 own(5);
    std::vector<MadeShape> out;
    for (int i = 0; i < 8; ++i) {
      const Shape shape = any_shape(k_user_distance, own);
      out.push_back({shape, make_convex(shape)});
    }
    return out;
  }();
  return few[rng() % few.size()];
}

inline AnyPair any_pair(int a, int b, std::mt19937& rng) {
  std::uniform_real_distribution<double> u(-1.9, 1.9);
  const MadeShape of_a = made_shape(a, rng), of_b = made_shape(b, rng);
  AnyPair p;
  p.shape_a = of_a.shape, p.shape_b = of_b.shape;
  p.made_a = of_a.made, p.made_b = of_b.made;
  p.turn_a = random_rotation(rng), p.turn_b = random_rotation(rng);
  p.at_a = {3, -2, 5};
  p.at_b = p.at_a + Vec3{u(rng), u(rng), u(rng)};
  return p;
}
// What can move: all kinds but surfaces, height fields and half-spaces.
inline constexpr int k_movable[] = {
    0, 1, 2, 3, 4, 5, k_hull, k_solid_mesh, k_compound, k_user_support};
inline constexpr int k_pairings = int(std::size(k_movable)) * k_all_kinds;
// Users' shapes by distance have thousands of triangles, too many to try with all of others.
inline std::pair<int, int> kinds_of(int number) {
  const int n = number % k_pairings, b = n % k_all_kinds;
  const int a = b == k_user_distance ? n / k_all_kinds % k_shapes : k_movable[n / k_all_kinds];
  return {a, b};
}
inline AnyPair any_pair(int number, std::mt19937& rng) {
  const auto [a, b] = kinds_of(number);
  return any_pair(a, b, rng);
}
inline std::string pairing_name(int number) {
  const auto [a, b] = kinds_of(number);
  return std::to_string(number) + ": " + kind_name(a) + " and " + kind_name(b);
}

// Flies about past each other or together, within a second.
inline void set_in_motion(AnyPair& p, std::mt19937& rng) {
  std::uniform_real_distribution<double> u(-1, 1);
  const auto vector = [&](double by) { return Vec3{by * u(rng), by * u(rng), by * u(rng)}; };
  const Vec3 offset = (p.at_b - p.at_a) * 2.5;
  p.at_b = p.at_a + offset;
  p.velocity_a = offset * (1 + 0.4 * u(rng)) + vector(0.5);
  p.velocity_b = vector(0.5);
  p.acceleration_a = vector(1);
  p.acceleration_b = vector(1);
  p.spin_a = vector(4);
  p.spin_b = vector(4);
}

}  // namespace pliant::twin
