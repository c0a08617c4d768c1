// Rays, shape casts, overlaps and nearest points over bodies, cloths and solids.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <algorithm>
#include <cmath>

#include "../random_points.h"

namespace pliant {
namespace {

using test::Random;

constexpr double k_dt = 1.0 / 60;

struct Yard {
  World world{{.gravity = {}}};
  BodyId floor, ball, box;
  ClothId sheet;
  SolidId block;
  Yard() {
    floor = world.add_body({.motion = Motion::fixed, .shape = HalfSpace{}}).value();
    ball = world.add_body({.shape = Sphere{0.5}, .position = {0, 2, 0}, .filter = {2, 0xffffffffu}})
               .value();
    box = world.add_body({.shape = Box{{0.5, 0.5, 0.5}}, .position = {5, 2, 0}}).value();
    ClothDef cloth;
    cloth.mesh = make_grid(8, 8, 2, 2);
    cloth.position = {0, 4, 0};
    cloth.filter = {4, 0xffffffffu};
    sheet = world.add_cloth(cloth).value();
    SolidDef solid;
    solid.mesh = make_box({0.5, 0.5, 0.5}, 2);
    solid.cells = 3;
    solid.position = {-5, 2, 0};
    block = world.add_solid(solid).value();
  }
};

TEST(queries, a_ray_meets_the_nearest_thing_and_all_come_by_distance) {
  Yard y;
  const auto hit = y.world.cast_ray({0.1, 9, 0.05}, {0, -3, 0}, 100);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->thing, AnyId(y.sheet));
  EXPECT_NEAR(hit->distance, 5, 1e-6);
  EXPECT_NEAR(length(hit->point - Vec3{0.1, 4, 0.05}), 0, 1e-6);
  EXPECT_NEAR(hit->normal.y, 1, 1e-9);
  // The weights lead to the same point.
  std::vector<Vec3> places;
  y.world.copy_positions(y.sheet, places);
  const Triangle t = y.world.describe(y.sheet).mesh.triangles[std::size_t(hit->triangle)];
  Vec3 at;
  for (std::size_t k = 0; k < 3; ++k) at += hit->weights[k] * places[std::size_t(t[k])];
  EXPECT_NEAR(length(at - hit->point), 0, 1e-9);

  const auto all = y.world.cast_ray_all({0, 9, 0}, {0, -1, 0}, 100);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].thing, AnyId(y.sheet));
  EXPECT_EQ(all[1].thing, AnyId(y.ball));
  EXPECT_NEAR(all[1].distance, 6.5, 1e-6);
  EXPECT_EQ(all[2].thing, AnyId(y.floor));
  EXPECT_NEAR(all[2].distance, 9, 1e-9);
  EXPECT_FALSE(y.world.cast_ray({0, 9, 0}, {0, -1, 0}, 4.9)) << "too short";
  EXPECT_FALSE(y.world.cast_ray({0, 9, 0}, {0, 1, 0}, 100)) << "nothing up there";
  const auto solid = y.world.cast_ray({-9, 2.05, 0.03}, {1, 0, 0}, 100);
  ASSERT_TRUE(solid);
  EXPECT_EQ(solid->thing, AnyId(y.block));
  EXPECT_NEAR(solid->distance, 3.5, 1e-5);
  EXPECT_NEAR(solid->normal.x, -1, 1e-5);
}

TEST(queries, filters_choose_by_group_kind_and_name) {
  Yard y;
  const Vec3 from{0, 9, 0}, down{0, -1, 0};
  const auto first = [&](const QueryFilter& f) {
    const auto hit = y.world.cast_ray(from, down, 100, f);
    return hit ? hit->thing : AnyId{};
  };
  EXPECT_EQ(first({.cloths = false}), AnyId(y.ball));
  EXPECT_EQ(first({.bodies = false}), AnyId(y.sheet));
  EXPECT_EQ(first({.groups = 2}), AnyId(y.ball));
  EXPECT_EQ(first({.groups = 1}), AnyId(y.floor));
  EXPECT_EQ(first({.groups = 8}), AnyId{});
  const AnyId ignored[] = {y.sheet, y.ball};
  EXPECT_EQ(first({.ignore = ignored}), AnyId(y.floor));
}

TEST(queries, they_see_what_has_moved_come_or_gone) {
  Yard y;
  const auto first = [&] { return y.world.cast_ray({5, 9, 0}, {0, -1, 0}, 100)->thing; };
  EXPECT_EQ(first(), AnyId(y.box));
  y.world.set_pose(y.box, {{8, 2, 0}, {}});
  EXPECT_EQ(first(), AnyId(y.box)) << "commands wait for the step";
  y.world.step(k_dt);
  EXPECT_EQ(first(), AnyId(y.floor));
  const BodyId other = y.world.add_body({.shape = Sphere{0.2}, .position = {5, 3, 0}}).value();
  EXPECT_EQ(first(), AnyId(other));
  y.world.remove(other);
  EXPECT_EQ(first(), AnyId(y.floor));
  const auto before = y.world.snapshot();
  y.world.set_pose(y.box, {{5, 2, 0}, {}});
  y.world.step(k_dt);
  EXPECT_EQ(first(), AnyId(y.box));
  ASSERT_TRUE(y.world.restore(before));
  EXPECT_EQ(first(), AnyId(y.floor));
}

// Bodies by the hundred: the tree gives what each of them gives alone.
TEST(queries, among_many_bodies_the_same_as_one_by_one) {
  World world{{.gravity = {}}};
  Random random(2);
  const Shape shapes[] = {Sphere{0.3},        Box{{0.2, 0.3, 0.4}}, Capsule{0.2, 0.3},
                          Cylinder{0.2, 0.3}, Cone{0.3, 0.5},       Ellipsoid{{0.2, 0.3, 0.4}},
                          Rectangle{0.5, 0.4}};
  std::vector<BodyId> ids;
  for (int i = 0; i < 300; ++i)
    ids.push_back(world
                      .add_body({.motion = Motion::fixed,
                                 .shape = shapes[i % 7],
                                 .position = random.point(5),
                                 .rotation = random.rotation()})
                      .value());
  std::vector<std::unique_ptr<World>> alone;
  for (const BodyId id : ids) {
    alone.push_back(std::make_unique<World>(WorldDef{.gravity = {}}));
    (void)alone.back()->add_body(world.describe(id)).value();
  }
  int hits = 0, casts = 0, overlaps = 0;
  for (int n = 0; n < 300; ++n) {
    const Vec3 from = random.point(6), direction = random.point(1);
    const Transform pose{random.point(6), random.rotation()};
    const Vec3 motion = random.point(6);
    const Shape probe = shapes[n % 6];
    double nearest = 1e30, share = 1e30, near = 1e30;
    std::size_t of = 0;
    std::vector<AnyId> inside;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto hit = alone[i]->cast_ray(from, direction, 8);
      if (hit && hit->distance < nearest) nearest = hit->distance, of = i;
      if (const auto cast = alone[i]->cast_shape(probe, pose, motion))
        share = std::min(share, cast->share);
      if (!alone[i]->overlap(probe, pose).empty()) inside.push_back(ids[i]);
      if (const auto c = alone[i]->closest(from, 3)) near = std::min(near, c->distance);
    }
    const auto hit = world.cast_ray(from, direction, 8);
    ASSERT_EQ(hit.has_value(), nearest < 1e30);
    if (hit) {
      EXPECT_NEAR(hit->distance, nearest, 1e-12);
      EXPECT_EQ(hit->thing, AnyId(ids[of]));
    }
    const auto cast = world.cast_shape(probe, pose, motion);
    ASSERT_EQ(cast.has_value(), share < 1e30);
    if (cast) {
      EXPECT_NEAR(cast->share, share, 1e-7);
    }
    EXPECT_EQ(world.overlap(probe, pose), inside);
    const auto c = world.closest(from, 3);
    ASSERT_EQ(c.has_value(), near < 1e30);
    if (c) {
      EXPECT_NEAR(c->distance, near, 1e-12);
    }
    hits += hit.has_value();
    casts += cast && cast->share > 0;
    overlaps += !inside.empty();
  }
  EXPECT_GT(hits, 50);
  EXPECT_GT(casts, 50);
  EXPECT_GT(overlaps, 10);
}

TEST(queries, a_cast_ball_stops_where_it_touches) {
  Yard y;
  const auto down = [&](double x) {
    return y.world.cast_shape(Sphere{0.25}, {{x, 8, 0}, {}}, {0, -10, 0});
  };
  const auto sheet = down(0);
  ASSERT_TRUE(sheet);
  EXPECT_EQ(sheet->thing, AnyId(y.sheet));
  EXPECT_NEAR(sheet->share, (8 - 0.25 - 4) / 10.0, 1e-6);
  EXPECT_NEAR(sheet->normal.y, 1, 1e-6);
  const auto box = down(5);
  ASSERT_TRUE(box);
  EXPECT_EQ(box->thing, AnyId(y.box));
  EXPECT_NEAR(box->share, (8 - 0.25 - 2.5) / 10.0, 1e-6);
  EXPECT_NEAR(length(box->point - Vec3{5, 2.5, 0}), 0, 1e-5);
  const auto floor = down(20);
  ASSERT_TRUE(floor);
  EXPECT_EQ(floor->thing, AnyId(y.floor));
  EXPECT_NEAR(floor->share, 0.775, 1e-7);
  const auto solid = down(-5);
  ASSERT_TRUE(solid);
  EXPECT_EQ(solid->thing, AnyId(y.block));
  EXPECT_NEAR(solid->share, 0.525, 1e-5);
  const auto inside = y.world.cast_shape(Sphere{0.1}, {{-5, 2, 0}, {}}, {0, -10, 0});
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->thing, AnyId(y.block));
  EXPECT_EQ(inside->share, 0);
  EXPECT_FALSE(y.world.cast_shape(Sphere{0.25}, {{0, 8, 0}, {}}, {0, -3.7, 0}));
}

TEST(queries, overlap_comes_in_order_of_making_and_closest_finds_the_surface) {
  Yard y;
  const auto all = y.world.overlap(Box{{9, 9, 9}}, {{0, 2, 0}, {}});
  EXPECT_EQ(all, (std::vector<AnyId>{y.floor, y.ball, y.box, y.sheet, y.block}));
  EXPECT_TRUE(y.world.overlap(Sphere{0.4}, {{0, 3, 0}, {}}).empty());
  EXPECT_EQ(y.world.overlap(Sphere{0.1}, {{-5, 2, 0}, {}}), std::vector<AnyId>{y.block})
      << "inside a solid, without touching its surface";
  const auto c = y.world.closest({0, 2.8, 0}, 10);
  ASSERT_TRUE(c);
  EXPECT_EQ(c->thing, AnyId(y.ball));
  EXPECT_NEAR(c->distance, 0.3, 1e-6);
  EXPECT_NEAR(length(c->point - Vec3{0, 2.5, 0}), 0, 1e-6);
  EXPECT_NEAR(y.world.closest({0, 2.1, 0}, 10)->distance, -0.4, 1e-6);
  const auto cloth = y.world.closest({0.3, 3.9, 0.2}, 10);
  EXPECT_EQ(cloth->thing, AnyId(y.sheet));
  EXPECT_NEAR(cloth->distance, 0.1, 1e-6);
  EXPECT_FALSE(y.world.closest({0, 6, 0}, 1.9));
}

TEST(queries, every_kind_of_shape_can_be_asked_about) {
  World world{{.gravity = {}}};
  const auto add = [&](const Shape& shape, const Vec3& at, Motion motion) {
    return world.add_body({.motion = motion, .shape = shape, .position = at}).value();
  };
  HeightField field;
  field.columns = field.rows = 2;
  field.width = field.depth = 2;
  field.heights = {0, 0, 0, 0, 0.5, 0, 0, 0, 0};
  std::vector<std::pair<BodyId, Vec3>> things;
  const auto put = [&](const Shape& shape, double x, Motion motion = Motion::dynamic) {
    things.push_back({add(shape, {x, 0, 0}, motion), {x, 0, 0}});
  };
  put(Hull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}}, 0);
  put(Mesh{make_sphere(0.5, 2)}, 4);
  put(Compound{{{Sphere{0.4}, {}, {}, 0}, {Box{{0.5, 0.1, 0.1}}, {0.5, 0, 0}, {}, 0}}}, 8);
  put(field, 12, Motion::fixed);
  put(Rectangle{0.5, 0.5}, 16, Motion::fixed);
  for (const auto& [id, at] : things) {
    const Vec3 above = at + Vec3{0.2, 5, 0.2};
    const auto hit = world.cast_ray(above, {0, -1, 0}, 20);
    ASSERT_TRUE(hit) << at.x;
    EXPECT_EQ(hit->thing, AnyId(id));
    const auto cast = world.cast_shape(Sphere{0.01}, {above, {}}, {0, -20, 0});
    ASSERT_TRUE(cast) << at.x;
    EXPECT_EQ(cast->thing, AnyId(id));
    // A small ball stops a little before the ray, by its radius over the slope.
    EXPECT_LT(cast->share * 20, hit->distance);
    EXPECT_GT(cast->share * 20, hit->distance - 0.04);
    EXPECT_EQ(world.overlap(Sphere{0.02}, {hit->point, {}}), std::vector<AnyId>{id});
    EXPECT_NEAR(world.closest(hit->point, 1)->distance, 0, 1e-6);
    EXPECT_TRUE(world.overlap(Sphere{0.02}, {hit->point + hit->normal * 0.03, {}}).empty());
  }
}

}  // namespace
}  // namespace pliant
