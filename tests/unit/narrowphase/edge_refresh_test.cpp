// Edges against sharp edges of a solid: the contact against the distance of two lines, its gradient
// against differences, the arcs of directions in which a ridge is met, and what is sharp.
#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <cmath>

#include "build/deformable_build.h"
#include "math/trig.h"
#include "narrowphase/deformable_refresh.h"

namespace pliant {
namespace {

constexpr double k_thickness = 0.004;  // m

// The box of 2 x 0.2 x 0.2 m around the origin, turned about its length; eight particles, or one
// tetrahedron around it that carries them.
struct Solid {
  TriMesh mesh = make_box({1, 0.1, 0.1});
  Quat turn;
  bool embedded = false;
};

struct Rig {
  std::vector<Deformable> bodies{2};
  Particles particles;
  RigidBodies rigid;
  ContactSlots slots;
  RefreshContext context;

  // Side b: a strip of cloth across the solid's length, or another solid.
  Rig(const Solid& solid, const TriMesh& other, bool other_closed, const Vec3& at) {
    add(bodies[0], other, other_closed, {}, at);
    if (solid.embedded)
      embed(bodies[1], solid.mesh);
    else
      add(bodies[1], solid.mesh, true, solid.turn, {});
    particles.d_before = particles.d;
    slots.clear();
    ContactPair pair;
    pair.body = 0;
    pair.other = 1;
    pair.thickness = Real(k_thickness);
    slots.pairs.push_back(pair);
    context = {1.0 / 480, 1, 0.01, bodies, &particles, &rigid, {}};
  }

  void add(Deformable& body, const TriMesh& mesh, bool closed, const Quat& turn, const Vec3& at) {
    body.kind = closed ? DeformableKind::solid : DeformableKind::cloth;
    body.cell = 0.1;
    body.thickness = k_thickness;
    body.surface.closed = closed;
    body.surface.triangles = mesh.triangles;
    body.surface.rest = mesh.vertices;
    body.begin = particles.size();
    body.count = std::int32_t(mesh.vertices.size());
    particles.resize(body.begin + body.count);
    for (std::int32_t v = 0; v < body.count; ++v) {
      body.surface.vertices.push_back({{v, v, v, v}, {1, 0, 0, 0}});
      set(body.begin + v, rotate(turn, mesh.vertices[std::size_t(v)]) + at);
    }
    finish_surface(body.surface);
  }
  void embed(Deformable& body, const TriMesh& mesh) {
    body.kind = DeformableKind::solid;
    body.cell = 0.1;
    body.surface.closed = true;
    body.surface.direct = false;
    body.surface.triangles = mesh.triangles;
    body.surface.rest = mesh.vertices;
    body.begin = particles.size();
    body.count = 4;
    const Vec3 corner[4] = {{-3, -1, -1}, {4, -1, -1}, {0, 3, -1}, {0, -1, 4}};
    particles.resize(body.begin + 4);
    for (std::int32_t n = 0; n < 4; ++n) set(body.begin + n, corner[n]);
    const Mat3 inverted = inverse(
        transposed(Mat3{{corner[1] - corner[0], corner[2] - corner[0], corner[3] - corner[0]}}));
    for (const Vec3& x : mesh.vertices) {
      const Vec3 b = inverted * (x - corner[0]);
      body.surface.vertices.push_back(
          {{0, 1, 2, 3}, {Real(1 - b.x - b.y - b.z), Real(b.x), Real(b.y), Real(b.z)}});
      body.surface.tet_origin.push_back(corner[0]);
      body.surface.tet_inverse.push_back(inverted);
    }
    finish_surface(body.surface);
  }
  void set(std::int32_t p, const Vec3& x) {
    const std::size_t n = std::size_t(p);
    particles.base[n] = {Real(x.x), Real(x.y), Real(x.z), 0};
    particles.d[n] = {0, 0, 0, 1};
  }
  Vec3 place(std::int32_t p) const {
    const Vec4 &b = particles.base[std::size_t(p)], &d = particles.d_before[std::size_t(p)];
    return {double(b.x) + double(d.x), double(b.y) + double(d.y), double(b.z) + double(d.z)};
  }

  // Every pair of edges; those that are live. The slots are those of one step.
  std::vector<ParticleContact> live() {
    if (slots.slots.empty()) add_slots();
    std::vector<ParticleContact> found;
    for (ContactSlot& slot : slots.slots) {
      ParticleContact contact;
      if (refresh_edges(context, slots, slot, contact)) found.push_back(contact);
    }
    return found;
  }
  void add_slots() {
    const DeformableSurface &b = bodies[0].surface, &a = bodies[1].surface;
    const std::size_t edges = b.closed ? b.sharp.size() : b.edges.size();
    for (std::size_t e = 0; e < edges; ++e)
      for (std::size_t s = 0; s < a.sharp.size(); ++s) {
        ContactSlot& slot = slots.slots.emplace_back();
        slot.kind = ContactKind::edge_edge;
        slot.feature = std::int32_t(e);
        slot.sharp = std::int32_t(s);
      }
  }
};

const Quat k_ridge_up = exp_quat({std::atan(1.) / 2, 0, 0});
const double k_ridge = 0.1 * std::sqrt(2.);  // m, height of the ridge

// Two edges of 0.4 m, and the triangle between them, over the ridge.
TriMesh strip() { return {{{0.1, 0, -0.2}, {0.1, 0, 0.2}, {-0.3, 0, -0.19}}, {{0, 1, 2}}}; }

TEST(EdgeRefresh, an_edge_of_cloth_over_a_ridge) {
  const double height = k_ridge + k_thickness + 0.003;
  Rig rig({.turn = k_ridge_up}, strip(), false, {0, height, 0});
  const std::vector<ParticleContact> found = rig.live();
  // The edge straight across, and the slanting one.
  ASSERT_EQ(found.size(), 2u);
  for (const ParticleContact& c : found) {
    EXPECT_NEAR(double(c.gap), 0.003, 1e-6);
    EXPECT_NEAR(double(c.normal.y), 1, 1e-6);
    ASSERT_EQ(c.particles, 4);
    EXPECT_NEAR(double(c.weight[0] + c.weight[1]), 1, 1e-6);
    EXPECT_NEAR(double(c.weight[2] + c.weight[3]), -1, 1e-6);
  }
}

TEST(EdgeRefresh, what_comes_through_in_a_step_is_led_back_out) {
  const double height = k_ridge + k_thickness + 0.003;
  Rig rig({.turn = k_ridge_up}, strip(), false, {0, height, 0});
  EXPECT_EQ(rig.live().size(), 2u);
  for (std::size_t p = 0; p < 3; ++p)
    rig.particles.d_before[p].y = rig.particles.d[p].y = Real(k_ridge - 0.01 - height);
  const std::vector<ParticleContact> found = rig.live();
  ASSERT_EQ(found.size(), 2u);
  for (const ParticleContact& c : found) {
    EXPECT_NEAR(double(c.gap), -0.01 - k_thickness, 1e-6);
    EXPECT_NEAR(double(c.normal.y), 1, 1e-6);
    EXPECT_GT(c.push, 0);
  }
}

TEST(EdgeRefresh, what_was_inside_when_the_step_began_is_left_to_vertices) {
  Rig rig({.turn = k_ridge_up}, strip(), false, {0, k_ridge - 0.01, 0});
  EXPECT_TRUE(rig.live().empty());
  // No deeper than the thickness it still counts as outside.
  Rig shallow({.turn = k_ridge_up}, strip(), false, {0, k_ridge - 0.5 * k_thickness, 0});
  EXPECT_EQ(shallow.live().size(), 2u);
}

// The ridge's ends were below the cloth by what is remembered. Where it is above now, the strip
// went through it: what leads on is no contact.
TEST(EdgeRefresh, what_went_through_is_let_back) {
  for (const int side : {-1, 1}) {
    Rig rig({.turn = k_ridge_up}, strip(), false, {0, k_ridge + k_thickness + 0.003, 0});
    std::vector<RememberedSide> sides;
    for (std::int32_t v = 0; v < 8; ++v) sides.push_back({0, rig.bodies[1].key, v, side});
    rig.context.sides = sides;
    // The strip's normal points down: below it is its upper side.
    EXPECT_EQ(rig.live().size(), side > 0 ? 2u : 0u);
  }
}

TEST(EdgeRefresh, an_edge_that_meets_a_face_first_is_left_to_vertices) {
  // Stands on its side beside the ridge: across both is the direction along the face and beyond.
  TriMesh steep = strip();
  for (Vec3& x : steep.vertices) x = rotate(exp_quat({0.6, 0, 0}), x);
  Rig rig({.turn = k_ridge_up}, steep, false, {0, k_ridge + 0.005, 0});
  EXPECT_TRUE(rig.live().empty());
}

TEST(EdgeRefresh, parallel_edges_ends_and_what_is_far_are_none) {
  const TriMesh along{{{-0.3, 0, 0}, {0.3, 0, 0.01}, {0, 0.5, 0}}, {{0, 1, 2}}};
  EXPECT_TRUE(Rig({.turn = k_ridge_up}, along, false, {0, k_ridge + 0.005, 0}).live().empty());
  TriMesh end = strip();
  for (Vec3& x : end.vertices) x.z += 0.2;
  EXPECT_TRUE(Rig({.turn = k_ridge_up}, end, false, {0, k_ridge + 0.005, 0}).live().empty());
  Rig far({.turn = k_ridge_up}, strip(), false, {0, k_ridge + 0.05, 0});
  EXPECT_TRUE(far.live().empty());
  for (std::int32_t p = 0; p < 3; ++p) far.particles.d[std::size_t(p)].y = Real(-0.1);
  EXPECT_EQ(far.live().size(), 2u) << "what comes down may reach it";
}

// Two planks, one across the other: four crossings, all upwards, none with the edges below.
TEST(EdgeRefresh, planks_across_each_other_meet_at_four_crossings) {
  TriMesh across;
  across = make_box({0.1, 0.1, 1});
  Rig rig({}, across, true, {0.03, 0.2 + k_thickness + 0.002, 0});
  const std::vector<ParticleContact> found = rig.live();
  ASSERT_EQ(found.size(), 4u);
  for (const ParticleContact& c : found) {
    EXPECT_NEAR(double(c.normal.y), 1, 1e-6);
    EXPECT_NEAR(double(c.gap), 0.002, 1e-6);
  }
}

// The distance of the two lines is what the gap becomes when a particle moves, to first order.
void check_gradient(Rig& rig, const ParticleContact& contact) {
  constexpr double k_move = 1e-4;
  for (std::size_t n = 0; n < std::size_t(contact.particles); ++n)
    for (int axis = 0; axis < 3; ++axis) {
      Vec4& d = rig.particles.d_before[std::size_t(contact.particle[n])];
      Real& x = axis == 0 ? d.x : axis == 1 ? d.y : d.z;
      double gap[2];
      for (const int side : {0, 1}) {
        x = Real(side == 0 ? -k_move : k_move);
        const std::vector<ParticleContact> found = rig.live();
        ASSERT_EQ(found.size(), 1u);
        gap[side] = double(found[0].gap);
      }
      x = 0;
      const double slope = (gap[1] - gap[0]) / (2 * k_move);
      const double expected = double(contact.weight[n]) * double(axis == 0   ? contact.normal.x
                                                                 : axis == 1 ? contact.normal.y
                                                                             : contact.normal.z);
      // Second differences of lengths of 0.4 m vanish; floats of 1 m round to 6e-8.
      EXPECT_NEAR(slope, expected, 2e-3);
    }
}

TEST(EdgeRefresh, the_gradient_is_that_of_the_distance) {
  // One edge that crosses; its triangle stands upright over it.
  const TriMesh fin{{{0.15, 0.01, -0.2}, {0.05, -0.01, 0.22}, {0.1, 0.4, 0}}, {{0, 1, 2}}};
  for (const bool embedded : {false, true}) {
    Solid solid{.turn = k_ridge_up, .embedded = embedded};
    if (embedded)
      for (Vec3& x : solid.mesh.vertices) x = rotate(k_ridge_up, x);
    Rig rig(solid, fin, false, {0, k_ridge + 0.006, 0});
    const std::vector<ParticleContact> found = rig.live();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].particles, embedded ? 6 : 4);
    check_gradient(rig, found[0]);
  }
}

TEST(SharpEdges, are_the_ridges_of_a_solid) {
  DeformableSurface box;
  const TriMesh mesh = make_box({1, 1, 1}, 3);
  box.triangles = mesh.triangles;
  box.rest = mesh.vertices;
  box.vertices.resize(mesh.vertices.size());
  box.closed = true;
  finish_surface(box);
  EXPECT_EQ(box.sharp.size(), 36u) << "12 edges of 3 cells, without diagonals and seams of faces";
  // Inside out all are hollows.
  for (Triangle& t : box.triangles) std::swap(t[1], t[2]);
  finish_surface(box);
  EXPECT_TRUE(box.sharp.empty());
}

}  // namespace
}  // namespace pliant
