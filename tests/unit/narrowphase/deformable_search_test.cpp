// The search for contacts of deformables against trying all features, and eight distances at once
// against one.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <algorithm>

#include "build/deformable_build.h"
#include "geometry/closest_point.h"
#include "narrowphase/deformable_search.h"
#include "narrowphase/shape_distance_wide.h"
#include "random_points.h"
#include "unit/narrowphase/deepest.h"

namespace pliant {
namespace {

using test::Random;

// A crumpled sheet or closed box as a deformable without constraints.
Deformable make_body(const TriMesh& mesh, bool closed, Random& random, const Vec3& at,
                     std::uint32_t key, Particles& particles) {
  Deformable body;
  body.key = key;
  body.begin = particles.size();
  body.count = std::int32_t(mesh.vertices.size());
  body.constraints.clusters = {0, body.count / 2, body.count};
  body.thickness = 0.01;
  body.kind = closed ? DeformableKind::solid : DeformableKind::cloth;
  body.surface.closed = closed;
  body.surface.triangles = mesh.triangles;
  if (closed) body.surface.rest = mesh.vertices;
  particles.resize(body.begin + body.count + 1);
  for (std::int32_t v = 0; v < body.count; ++v) {
    body.surface.vertices.push_back({{v, v, v, v}, {1, 0, 0, 0}});
    const Vec3 p = mesh.vertices[std::size_t(v)] + at + random.point(0.05);
    const Vec3 u = random.point(3);
    const std::size_t n = std::size_t(body.begin + v);
    particles.base[n] = {Real(p.x), Real(p.y), Real(p.z), 0};
    particles.d[n] = {0, 0, 0, 1};
    particles.velocity[n] = {Real(u.x), Real(u.y), Real(u.z), 0};
  }
  finish_surface(body.surface);
  return body;
}

Vec3 place(const Particles& p, std::int32_t n) {
  const Vec4& b = p.base[std::size_t(n)];
  return {double(b.x), double(b.y), double(b.z)};
}
Vec3 velocity(const Particles& p, std::int32_t n) {
  const Vec4& v = p.velocity[std::size_t(n)];
  return {double(v.x), double(v.y), double(v.z)};
}

TEST(ShapeDistanceWide, is_that_of_one_point) {
  Random random(1);
  for (const Shape& shape : {Shape{Sphere{0.4}}, Shape{Box{{0.3, 0.5, 0.2}}},
                             Shape{Capsule{0.2, 0.4}}, Shape{HalfSpace{}}}) {
    const ShapeNumbers<Real> numbers = shape_numbers<Real>(make_convex(shape));
    for (int trial = 0; trial < 200; ++trial) {
      Vec3W p;
      for (int k = 0; k < 8; ++k) {
        const Vec3 q = trial == 0 ? Vec3{} : random.point(0.8);
        p.x[k] = Real(q.x);
        p.y[k] = Real(q.y);
        p.z[k] = Real(q.z);
      }
      Vec3W wide;
      const RealW distance = signed_distance(numbers, p, wide);
      for (int k = 0; k < 8; ++k) {
        Vec3R gradient;
        const Real one = signed_distance(numbers, Vec3R{p.x[k], p.y[k], p.z[k]}, gradient);
        EXPECT_NEAR(distance[k], one, 1e-6);
        if (trial == 0) continue;  // at the centre any direction is right
        EXPECT_NEAR(wide.x[k], gradient.x, 1e-5);
        EXPECT_NEAR(wide.y[k], gradient.y, 1e-5);
        EXPECT_NEAR(wide.z[k], gradient.z, 1e-5);
      }
    }
  }
}

TEST(DeformableSearch, finds_every_vertex_and_bulging_triangle_that_a_shape_can_reach) {
  const SearchContext context{1. / 60, 0.01, {0, -9.81, 0}};
  Random random(2);
  for (int trial = 0; trial < 40; ++trial) {
    Particles particles;
    const std::vector<Deformable> bodies{
        make_body(make_grid(10, 10, 1, 1), false, random, {}, 7, particles)};
    RigidBodies rigid;
    BodyDef def;
    def.shape = trial % 3 == 0   ? Shape{Sphere{0.05}}
                : trial % 3 == 1 ? Shape{Box{{0.1, 0.2, 0.1}}}
                                 : Shape{Capsule{0.05, 0.2}};
    def.position = random.point(0.4);
    def.rotation = random.rotation();
    def.velocity = random.point(5);
    append_body(rigid, def, 3);
    SweptSurface swept;
    sweep_surface(particles, bodies[0], context, nullptr, swept);
    ContactSlots slots;
    slots.clear();
    search_rigid(particles, bodies, 0, swept, rigid, 0, context, slots);
    std::vector<std::int32_t> vertices, triangles;
    for (const VertexBatch& b : slots.batches)
      for (int k = 0; k < b.lanes; ++k) vertices.push_back(b.particle[std::size_t(k)]);
    for (const ContactSlot& s : slots.slots) triangles.push_back(s.feature);
    EXPECT_TRUE(std::is_sorted(vertices.begin(), vertices.end()));
    EXPECT_TRUE(std::is_sorted(triangles.begin(), triangles.end()));
    // Moved straight through the step in small parts: what ever touches must have been found.
    const auto shape = shape_numbers<double>(make_convex(def.shape));
    for (int part = 0; part <= 16; ++part) {
      const double t = context.dt * part / 16;
      const Transform pose{def.position + def.velocity * t, def.rotation};
      Vec3 gradient;
      const auto at = [&](std::int32_t v) {
        return to_local(pose, place(particles, v) + velocity(particles, v) * t);
      };
      for (std::int32_t v = 0; v < bodies[0].count; ++v)
        if (signed_distance(shape, at(v), gradient) < 0.005) {
          EXPECT_TRUE(std::binary_search(vertices.begin(), vertices.end(), v));
        }
      for (std::int32_t n = 0; n < std::int32_t(bodies[0].surface.triangles.size()); ++n) {
        const Triangle& tri = bodies[0].surface.triangles[std::size_t(n)];
        const std::array<Vec3, 3> x{at(tri[0]), at(tri[1]), at(tri[2])};
        const auto w = test::deepest_on_triangle(shape, x, {1. / 3, 1. / 3, 1. / 3});
        if (*std::max_element(w.begin(), w.end()) > 0.98) continue;  // a vertex has it
        const Vec3 p = x[0] * w[0] + x[1] * w[1] + x[2] * w[2];
        if (part == 0 && signed_distance(shape, p, gradient) < 0.002) {
          const bool found = std::binary_search(triangles.begin(), triangles.end(), n);
          // A flat meeting is left to the vertices.
          Vec3 g[3];
          for (std::size_t k = 0; k < 3; ++k) signed_distance(shape, x[k], g[k]);
          if (dot(g[0], g[1]) < 0.5 && dot(g[1], g[2]) < 0.5) {
            EXPECT_TRUE(found);
          }
        }
      }
    }
  }
}

TEST(DeformableSearch, finds_every_triangle_that_a_vertex_can_reach) {
  const SearchContext context{1. / 60, 0.01, {0, -9.81, 0}};
  Random random(3);
  for (int trial = 0; trial < 40; ++trial) {
    Particles particles;
    std::vector<Deformable> bodies;
    bodies.push_back(make_body(make_grid(9, 9, 1, 1), false, random, {}, 2, particles));
    bodies.push_back(
        make_body(make_box({0.3, 0.2, 0.3}, 4), true, random, random.point(0.4), 9, particles));
    SweptSurface swept[2];
    for (std::size_t n = 0; n < 2; ++n)
      sweep_surface(particles, bodies[n], context, nullptr, swept[n]);
    for (const auto& [body, other] : {std::pair{0, 1}, std::pair{1, 0}}) {
      ContactSlots slots;
      slots.clear();
      search_deformable(particles, bodies, body, swept[body], other, swept[other], context, slots);
      std::vector<std::pair<std::int32_t, std::int32_t>> found;
      for (const ContactSlot& s : slots.slots)
        for (std::int32_t n = s.first; n < s.first + s.count; ++n)
          found.push_back({s.feature, slots.candidates[std::size_t(n)].triangle});
      EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
      const Deformable &a = bodies[std::size_t(body)], &b = bodies[std::size_t(other)];
      std::size_t near = 0;
      for (std::int32_t v = 0; v < a.count; ++v)
        for (std::int32_t t = 0; t < std::int32_t(b.surface.triangles.size()); ++t)
          for (int part = 0; part <= 8; ++part) {
            const double time = context.dt * part / 8;
            const auto at = [&](std::int32_t p) {
              return place(particles, p) + velocity(particles, p) * time;
            };
            const Triangle& tri = b.surface.triangles[std::size_t(t)];
            const Vec3 p = at(a.begin + v), x = at(b.begin + tri[0]), y = at(b.begin + tri[1]),
                       z = at(b.begin + tri[2]);
            const auto w = closest_on_triangle(p, x, y, z);
            if (length(x * w[0] + y * w[1] + z * w[2] - p) > 0.01) continue;
            ++near;
            EXPECT_TRUE(std::binary_search(found.begin(), found.end(), std::pair{v, t}));
            break;
          }
      EXPECT_LE(near, found.size());
    }
  }
}

// The pairs of edges that come within the thickness during the step, straight through it.
std::vector<std::pair<std::int32_t, std::int32_t>> edges_in_reach(const Particles& particles,
                                                                  const SearchContext& context,
                                                                  const Deformable& a,
                                                                  const Deformable& b) {
  std::vector<std::array<std::int32_t, 2>> edges = a.surface.edges;
  if (a.surface.closed) {
    edges.clear();
    for (const SharpEdge& e : a.surface.sharp) edges.push_back(e.vertex);
  }
  std::vector<std::pair<std::int32_t, std::int32_t>> near;
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (std::size_t s = 0; s < b.surface.sharp.size(); ++s)
      for (int part = 0; part <= 8; ++part) {
        const double time = context.dt * part / 8;
        const auto at = [&](const Deformable& body, std::int32_t v) {
          return place(particles, body.begin + v) + velocity(particles, body.begin + v) * time;
        };
        const Vec3 p = at(a, edges[e][0]), q = at(a, edges[e][1]),
                   x = at(b, b.surface.sharp[s].vertex[0]), y = at(b, b.surface.sharp[s].vertex[1]);
        const SegmentPair w = closest_on_segments(p, q, x, y);
        if (length(p + (q - p) * w.s - x - (y - x) * w.t) > 0.01) continue;
        near.push_back({std::int32_t(e), std::int32_t(s)});
        break;
      }
  return near;
}

TEST(DeformableSearch, finds_every_sharp_edge_that_an_edge_can_reach) {
  const SearchContext context{1. / 60, 0.01, {0, -9.81, 0}};
  Random random(5);
  std::size_t all = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const bool cloth = trial % 2 == 0;
    Particles particles;
    std::vector<Deformable> bodies;
    bodies.push_back(make_body(cloth ? make_grid(9, 9, 1, 1) : make_box({0.2, 0.3, 0.2}, 3), !cloth,
                               random, {}, 2, particles));
    bodies.push_back(
        make_body(make_box({0.3, 0.2, 0.3}, 4), true, random, random.point(0.4), 9, particles));
    SweptSurface swept[2];
    for (std::size_t n = 0; n < 2; ++n)
      sweep_surface(particles, bodies[n], context, nullptr, swept[n]);
    ContactSlots slots;
    slots.clear();
    search_deformable(particles, bodies, 0, swept[0], 1, swept[1], context, slots);
    std::vector<std::pair<std::int32_t, std::int32_t>> found;
    for (const ContactSlot& s : slots.slots)
      if (s.kind == ContactKind::edge_edge) found.push_back({s.feature, s.sharp});
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    for (const auto& pair : edges_in_reach(particles, context, bodies[0], bodies[1])) {
      ++all;
      EXPECT_TRUE(std::binary_search(found.begin(), found.end(), pair));
    }
    // The other order has no edges: each pair once.
    slots.clear();
    search_deformable(particles, bodies, 1, swept[1], 0, swept[0], context, slots);
    for (const ContactSlot& s : slots.slots) EXPECT_EQ(s.kind, ContactKind::vertex_triangle);
  }
  EXPECT_GT(all, 1000u);
}

TEST(DeformableSearch, knows_when_a_particle_has_left_its_box) {
  const SearchContext context{1. / 60, 0.01, {}};
  Random random(4);
  Particles particles;
  const Deformable body = make_body(make_grid(4, 4, 1, 1), false, random, {}, 1, particles);
  SweptSurface swept;
  sweep_surface(particles, body, context, nullptr, swept);
  for (std::size_t n = 0; n < std::size_t(body.count); ++n) {
    const Vec4& v = particles.velocity[n];
    const Real dt = Real(context.dt);
    particles.d[n] = {v.x * dt, v.y * dt, v.z * dt, 1};
  }
  EXPECT_FALSE(left_sweep(particles, body, swept, nullptr));
  particles.d[7].y += particles.velocity[7].y > 0 ? Real(0.02) : Real(-0.02);
  EXPECT_TRUE(left_sweep(particles, body, swept, nullptr));
}

}  // namespace
}  // namespace pliant
