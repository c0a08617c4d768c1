// Overlap and first touch of shapes: balls against the signed distance, which knows both exactly;
// other pairs against small steps.
#include "geometry/shape_gap.h"

#include <gtest/gtest.h>

#include "../../random_points.h"
#include "geometry/shape_data.h"

namespace pliant {
namespace {

using test::Random;

struct Named {
  const char* name;
  Shape shape;
};

std::vector<Named> all_shapes() {
  Random random(4);
  std::vector<Vec3> points;
  for (int i = 0; i < 10; ++i) points.push_back(random.point(0.5));
  return {{"sphere", Sphere{0.4}},
          {"box", Box{{0.5, 0.2, 0.3}}},
          {"capsule", Capsule{0.2, 0.3}},
          {"cylinder", Cylinder{0.3, 0.4}},
          {"cone", Cone{0.4, 0.8}},
          {"ellipsoid", Ellipsoid{{0.5, 0.3, 0.4}}},
          {"half-space", HalfSpace{}},
          {"rectangle", Rectangle{0.4, 0.6}},
          {"hull", Hull{points}},
          {"mesh", Mesh{make_sphere(0.5, 1)}},
          {"compound", Compound{{{Box{{0.4, 0.1, 0.1}}, {0.2, 0, 0}, {}, 0},
                                 {Sphere{0.2}, {-0.5, 0.1, 0}, {}, 0}}}}};
}

TEST(shape_gap, a_ball_overlaps_where_its_centre_is_nearer_than_its_radius) {
  for (const Named& n : all_shapes()) {
    const ConvexShape shape = make_convex(n.shape), ball = make_convex(Sphere{0.2});
    Random random(6);
    int overlaps = 0, wrong = 0, wrong_if_larger = 0;
    for (int i = 0; i < 10000; ++i) {
      const Transform pose{random.point(0.2), random.rotation()};
      const ShapePlace place = place_shape(shape_numbers<double>(shape), pose);
      const Vec3 at = random.point(1.2);
      const ShapePlace probe = place_shape(shape_numbers<double>(ball), {at, random.rotation()});
      Vec3 g;
      const double d = signed_distance(place.shape, to_local(pose, at), g);
      if (std::fabs(d - 0.2) < 1e-5) continue;
      const bool found = shapes_overlap(place, probe);
      overlaps += found;
      wrong += found != (d < 0.2) || found != shapes_overlap(probe, place);
      wrong_if_larger += found != (d < 0.21);
    }
    EXPECT_EQ(wrong, 0) << n.name;
    EXPECT_GT(overlaps, 100) << n.name;
    EXPECT_GT(wrong_if_larger, 0) << n.name << ": the comparison does not see a centimetre";
  }
}

// Balls that go as far as is free for them.
TEST(shape_gap, a_ball_touches_first_where_its_distance_says) {
  for (const Named& n : all_shapes()) {
    const ConvexShape shape = make_convex(n.shape), ball = make_convex(Sphere{0.1});
    Random random(7);
    int hits = 0;
    for (int i = 0; i < 3000; ++i) {
      const Transform pose{random.point(0.2), random.rotation()};
      const ShapePlace place = place_shape(shape_numbers<double>(shape), pose);
      const Vec3 from = normalized(random.point(1)) * 1.5, motion = random.point(0.6) * 2.0 - from;
      const ShapePlace probe = place_shape(shape_numbers<double>(ball), {from, {}});
      Vec3 g;
      const auto gap = [&](double share) {
        return signed_distance(place.shape, to_local(pose, from + motion * share), g) - 0.1;
      };
      double share = 0;
      for (int k = 0; k < 300 && share < 1; ++k)
        share += std::max(gap(share), 1e-8) / length(motion);
      const auto touch = first_touch(probe, motion, place, 1);
      if (gap(0) < 0) {
        ASSERT_TRUE(touch) << n.name;
        EXPECT_EQ(touch->share, 0) << n.name;
        continue;
      }
      if (!touch) {
        double least = 1;
        for (int k = 0; k <= 500; ++k) least = std::min(least, gap(k / 500.0));
        EXPECT_GT(least, -1e-7) << n.name << i;
        continue;
      }
      ++hits;
      EXPECT_NEAR(gap(touch->share), 0, 1e-6) << n.name << i;
      EXPECT_LT(share, touch->share + 1e-3) << n.name << i;
      // Back along the normal there is room, on both sides of the point found.
      EXPECT_NEAR(length(touch->point - (from + motion * touch->share)), 0.1, 1e-5) << n.name;
      EXPECT_NEAR(length(touch->normal), 1, 1e-9);
      EXPECT_LT(dot(touch->normal, motion), 1e-6) << n.name << i;
    }
    EXPECT_GT(hits, 200) << n.name;
  }
}

TEST(shape_gap, any_two_shapes_touch_between_the_last_free_step_and_the_next) {
  const std::vector<Named> shapes = all_shapes();
  constexpr int k_steps = 60;
  Random random(12);
  int hits = 0, pairs = 0;
  for (const Named& a : shapes)
    for (const Named& b : shapes) {
      if (std::holds_alternative<HalfSpace>(a.shape)) continue;
      const ConvexShape sa = make_convex(a.shape), sb = make_convex(b.shape);
      for (int i = 0; i < 6; ++i, ++pairs) {
        const Vec3 from = normalized(random.point(1)) * 2.0;
        ShapePlace moving = place_shape(shape_numbers<double>(sa), {from, random.rotation()});
        const ShapePlace other = place_shape(shape_numbers<double>(sb), {{}, random.rotation()});
        const Vec3 motion = random.point(0.3) - from;
        const auto touch = first_touch(moving, motion, other, 1);
        int first = k_steps + 1;
        for (int k = 0; k <= k_steps && first > k_steps; ++k) {
          moving.centre = from + motion * (double(k) / k_steps);
          if (shapes_overlap(moving, other)) first = k;
        }
        const std::string what = std::string(a.name) + " to " + b.name;
        if (first > k_steps) continue;  // what it touched it may have grazed between two steps
        ++hits;
        ASSERT_TRUE(touch) << what;
        EXPECT_LE(touch->share, double(first) / k_steps + 1e-6) << what;
        moving.centre = from + motion * std::max(0.0, touch->share - 1e-4);
        if (touch->share == 0) continue;
        EXPECT_FALSE(shapes_overlap(moving, other)) << what;
        // Within a hair beyond the touch they overlap, unless it only grazes.
        moving.centre = from + motion * touch->share + motion * (2e-6 / length(motion));
        const bool grazes = dot(touch->normal, motion) > -0.1 * length(motion);
        EXPECT_TRUE(grazes || shapes_overlap(moving, other)) << what << " " << touch->share;
      }
    }
  EXPECT_GT(hits, pairs / 2);
}

}  // namespace
}  // namespace pliant
