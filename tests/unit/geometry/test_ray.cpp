// Rays against every kind of shape, compared with the signed distance sampled along them, which
// shares no code with them; rays against meshes compared with all triangles.
#include "geometry/ray.h"

#include <gtest/gtest.h>

#include "../../random_points.h"
#include "geometry/shape_data.h"
#include "pliant/mesh.h"

namespace pliant {
namespace {

using test::Random;

class Lens : public SupportFunction {  // a ball that is flattened along y
 public:
  Vec3 support(const Vec3& d) const override {
    const Vec3 e{0.5, 0.2, 0.5}, s = scaled(e, d);
    const double l = length(s);
    return l > 0 ? scaled(e, s) / l : Vec3{0, 0.2, 0};
  }
};

std::vector<Vec3> some_points() {
  Random random(3);
  std::vector<Vec3> points;
  for (int i = 0; i < 12; ++i) points.push_back(random.point(0.5));
  return points;
}

Shape two_parts() {
  return Compound{{{Box{{0.4, 0.1, 0.1}}, {0.2, 0, 0}, {}, 0},
                   {Sphere{0.2}, {-0.5, 0.1, 0}, {}, 0},
                   {Cylinder{0.1, 0.3}, {0.7, 0, 0.1}, normalized(Quat{0.3, 0.1, 0.2, 1}), 0}}};
}

struct Counts {
  int rays = 0, hits = 0, from_inside = 0, wrong = 0;
};

// What the ray says about `told` must be true of the distances of `truth`.
Counts compare(const Shape& told, const Shape& truth, int rays, int samples) {
  const ConvexShape a = make_convex(told), b = make_convex(truth);
  const ShapeNumbers<double> cast = shape_numbers<double>(a), real = shape_numbers<double>(b);
  const auto distance = [&](const Vec3& p) {
    Vec3 g;
    return signed_distance(real, p, g);
  };
  Random random(17);
  Counts n;
  for (int i = 0; i < rays; ++i) {
    // Half of them aim at the shape.
    const Vec3 from = random.point(1);
    Vec3 d = i % 2 == 0 ? random.point(0.4) - from : random.point(1);
    const Ray ray{from, normalized(d), 3};
    const auto hit = cast_ray(cast, ray);
    const double begin = distance(from);
    if (std::fabs(begin) < 1e-4) continue;
    ++n.rays;
    n.from_inside += begin < 0;
    const double to = hit ? hit->distance : ray.length;
    bool wrong = false;
    for (int k = 1; k < samples; ++k) {
      const double at = distance(from + ray.direction * (to * k / samples));
      // Within a hair of the surface rounding decides on which side a point is.
      wrong |= at * begin < 0 && std::fabs(at) > 1e-6;
    }
    if (hit) {
      ++n.hits;
      const Vec3 p = from + ray.direction * to;
      wrong |= std::fabs(distance(p)) > 1e-6;
      const double out = distance(p + hit->normal * 1e-3), in = distance(p - hit->normal * 1e-3);
      wrong |= !(out > 0) || !(in < out) || std::fabs(length(hit->normal) - 1) > 1e-9;
    }
    n.wrong += wrong;
  }
  return n;
}

TEST(ray, meets_every_shape_where_its_distance_is_zero) {
  const std::pair<const char*, Shape> shapes[] = {
      {"sphere", Sphere{0.5}},        {"box", Box{{0.5, 0.2, 0.3}}},
      {"capsule", Capsule{0.2, 0.3}}, {"cylinder", Cylinder{0.3, 0.4}},
      {"cone", Cone{0.4, 0.8}},       {"ellipsoid", Ellipsoid{{0.5, 0.2, 0.3}}},
      {"half-space", HalfSpace{}}};
  for (const auto& [name, shape] : shapes) {
    const Counts n = compare(shape, shape, 10000, 60);
    EXPECT_EQ(n.wrong, 0) << name;
    EXPECT_GT(n.hits, 2000) << name;
    EXPECT_GT(n.from_inside, 100) << name;
  }
}

TEST(ray, meets_hulls_meshes_compounds_and_users_shapes) {
  const std::pair<const char*, Shape> shapes[] = {
      {"hull", Hull{some_points()}},
      {"mesh", Mesh{make_sphere(0.5, 2)}},
      {"user", UserShape{std::make_shared<Lens>(), nullptr}}};
  for (const auto& [name, shape] : shapes) {
    const Counts n = compare(shape, shape, 1500, 20);
    EXPECT_EQ(n.wrong, 0) << name;
    EXPECT_GT(n.hits, 300) << name;
    EXPECT_GT(n.from_inside, 10) << name;
  }
}

// From outside the parts of a compound are one surface.
TEST(ray, meets_the_first_part_of_a_compound) {
  const ConvexShape whole = make_convex(two_parts());
  const ShapeNumbers<double> numbers = shape_numbers<double>(whole);
  Random random(5);
  int hits = 0;
  for (int i = 0; i < 10000; ++i) {
    const Vec3 from = normalized(random.point(1)) * 2.0;
    const Ray ray{from, normalized(random.point(0.5) - from), 5};
    const auto hit = cast_ray(numbers, ray);
    Vec3 g;
    double t = 0;  // by spheres that are free
    for (int k = 0; k < 400 && t < ray.length; ++k)
      t += std::max(1e-7, signed_distance(numbers, from + ray.direction * t, g));
    if (!hit) {
      EXPECT_GT(t, 1e-2 + ray.length - 1) << i;
      continue;
    }
    ++hits;
    EXPECT_LT(t, ray.length);
    EXPECT_NEAR(signed_distance(numbers, from + ray.direction * hit->distance, g), 0, 1e-7);
    EXPECT_LT(t, hit->distance + 1e-4);
  }
  EXPECT_GT(hits, 1000);
}

// A shape that is a hundredth too large is found out.
TEST(ray, the_comparison_sees_a_wrong_shape) {
  EXPECT_GT(compare(Sphere{0.505}, Sphere{0.5}, 1000, 20).wrong, 300);
  EXPECT_GT(compare(Cone{0.404, 0.8}, Cone{0.4, 0.8}, 1000, 20).wrong, 100);
  EXPECT_GT(compare(Box{{0.5, 0.202, 0.3}}, Box{{0.5, 0.2, 0.3}}, 1000, 20).wrong, 100);
}

TEST(ray, meets_a_rectangle_from_both_sides_and_nothing_beside_it) {
  const ConvexShape plate = make_convex(Rectangle{1, 2});
  const ShapeNumbers<double> numbers = shape_numbers<double>(plate);
  for (const double side : {1.0, -1.0}) {
    const auto hit = cast_ray(numbers, {{0.9, 3 * side, -1.9}, {0, -side, 0}, 10});
    ASSERT_TRUE(hit);
    EXPECT_DOUBLE_EQ(hit->distance, 3);
    EXPECT_EQ(hit->normal, (Vec3{0, side, 0}));
    EXPECT_FALSE(cast_ray(numbers, {{1.1, 3 * side, 0}, {0, -side, 0}, 10}));
    EXPECT_FALSE(cast_ray(numbers, {{0, 3 * side, 0}, {0, -side, 0}, 2.9}));
  }
}

TEST(ray, the_tree_of_a_mesh_gives_what_all_triangles_give) {
  const TriMesh mesh = make_sphere(1, 3);
  const TriangleTree tree(mesh);
  Random random(8);
  int hits = 0;
  for (int i = 0; i < 4000; ++i) {
    const Ray ray{random.point(2), normalized(random.point(1)), 3};
    std::int32_t first = -1;
    double best = 1e30;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const auto corner = [&](std::size_t k) {
        return mesh.vertices[std::size_t(mesh.triangles[t][k])];
      };
      const auto hit = cast_ray(corner(0), corner(1), corner(2), ray);
      if (hit && hit->distance < best) best = hit->distance, first = std::int32_t(t);
    }
    const MeshRay found = tree.along(ray.from, ray.direction, ray.length);
    EXPECT_EQ(found.triangle, first);
    if (first >= 0) {
      EXPECT_EQ(found.distance, best);
    }
    hits += first >= 0;
  }
  EXPECT_GT(hits, 300);
}

// No ray slips through between two triangles.
TEST(ray, none_passes_through_an_edge) {
  const TriMesh mesh = make_sphere(1, 2);
  const TriangleTree tree(mesh);
  Random random(9);
  for (int i = 0; i < 3000; ++i) {
    const Triangle& t = mesh.triangles[std::size_t(i) % mesh.triangles.size()];
    const double share = 0.5 + random.number(0.5);
    const Vec3 at =
        mesh.vertices[std::size_t(t[0])] * share + mesh.vertices[std::size_t(t[1])] * (1 - share);
    const Vec3 from = random.point(0.3);
    EXPECT_GE(tree.along(from, normalized(at - from), 3).triangle, 0) << i;
  }
}

}  // namespace
}  // namespace pliant
