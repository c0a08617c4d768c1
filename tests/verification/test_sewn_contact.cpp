// Cloths that are sewn together are one body, and still meet each other as other cloths do; one of
// them meets itself if it was asked to; the outer one comes to its side.
//
// Seen to fail: with bodies that have the flags of the cloth that was made first (front and back
// pass through each other; which part meets itself depends on the order), with a search that takes
// panels which lie on each other and face the same way for one flat piece, because they are sewn,
// and with distances at rest taken from where the panels were drawn.
#include "sheet_rig.h"

namespace pliant {
namespace {

constexpr double k_thickness = 4e-3;
constexpr double k_size = 0.3, k_cell = 0.025;

struct MeshTriangle {
  std::size_t cloth;
  std::int32_t triangle;  // of its mesh
};

// Pairs that pass through each other.
std::vector<std::pair<MeshTriangle, MeshTriangle>> crossing_pairs(SheetRig& rig) {
  rig.crossings();  // takes the places
  std::vector<std::int32_t> begin{0};
  for (const ClothId id : rig.cloths)
    begin.push_back(begin.back() + std::int32_t(rig.world.describe(id).mesh.triangles.size()));
  const auto named = [&](std::int32_t t) {
    const auto at = std::upper_bound(begin.begin(), begin.end(), t) - 1;
    return MeshTriangle{std::size_t(at - begin.begin()), t - *at};
  };
  std::vector<std::pair<MeshTriangle, MeshTriangle>> pairs;
  for (const auto& [s, t] : self_intersections(rig.joined)) pairs.push_back({named(s), named(t)});
  return pairs;
}

std::size_t crossings_between(SheetRig& rig, std::size_t a, std::size_t b) {
  std::size_t count = 0;
  for (const auto& [s, t] : crossing_pairs(rig))
    count += (s.cloth == a && t.cloth == b) || (s.cloth == b && t.cloth == a);
  return count;
}

SeamSide side_of(const SheetRig& rig, std::size_t cloth, MeshSide side) {
  const ClothId id = rig.cloths[cloth];
  return {id, boundary_side(rig.world.describe(id).mesh, side)};
}

SeamId sew(SheetRig& rig, std::size_t a, MeshSide side_a, std::size_t b, MeshSide side_b,
           bool bend = true) {
  SeamDef seam;
  seam.bend = bend;
  seam.a = side_of(rig, a, side_a);
  seam.b = side_of(rig, b, side_b);
  return rig.world.add_seam(seam).value();
}

// --- a book: one page lies on the floor, the other leans over it, sewn to it at its back, and
// falls
struct Book {
  bool upper_first = false;   // in the order in which they are made
  bool drawn_closed = false;  // the meshes, wherever they begin: as patterns may lie
  bool meet = true;
  bool sewn = true;
  ClothDef lower{}, upper{};
};

constexpr std::size_t k_cells = 12;

// Pages are cloths 0 and 1 of the rig, whichever is the upper one.
SeamId make_book(SheetRig& rig, Book book) {
  rig.add_floor();
  const double angle = 2 * k_pi / 3;
  for (ClothDef* page : {&book.lower, &book.upper}) {
    page->mesh = make_grid(int(k_cells), int(k_cells), k_size, k_size);
    if (!book.meet) page->filter = {2, 1};  // but the floor
  }
  book.lower.position = {0, 0.01, 0};
  const Vec3 back{k_size / 2, 0.01, 0};
  book.upper.position = back + Vec3{std::cos(angle), std::sin(angle), 0} * (k_size / 2);
  book.upper.rotation = {0, 0, std::sin(angle / 2), std::cos(angle / 2)};
  if (book.drawn_closed) {
    for (ClothDef* page : {&book.lower, &book.upper}) {
      for (const Vec3& v : page->mesh.vertices)
        page->initial_positions.push_back(page->position + rotate(page->rotation, v));
      page->initial_velocities.assign(page->mesh.vertices.size(), Vec3{});
      page->position = {};
      page->rotation = {};
    }
    for (Vec3& v : book.upper.mesh.vertices) v.x = -v.x;
    for (Triangle& t : book.upper.mesh.triangles) std::swap(t[1], t[2]);
  }
  rig.add(book.upper_first ? book.upper : book.lower);
  rig.add(book.upper_first ? book.lower : book.upper);
  if (!book.sewn) return {};
  const std::size_t lower = book.upper_first ? 1 : 0;
  return sew(rig, lower, MeshSide::right, 1 - lower,
             book.drawn_closed ? MeshSide::right : MeshSide::left);
}

// The most crossings between the pages in any frame.
std::size_t close_book(SheetRig& rig, int frames) {
  std::size_t most = 0;
  for (int frame = 0; frame < frames; ++frame) {
    EXPECT_EQ(rig.world.step(1. / 60).frozen, 0);
    most = std::max(most, crossings_between(rig, 0, 1));
  }
  return most;
}

constexpr int k_closed = 90;  // frames: a page of 0.3 m falls in a quarter of a second

TEST(SewnContact, pages_that_were_not_asked_to_meet_themselves_meet_each_other) {
  for (const bool upper_first : {false, true}) {
    SheetRig rig;
    const SeamId seam = make_book(rig, {.upper_first = upper_first});
    EXPECT_EQ(rig.world.seam_status(seam).merged, int(k_cells) + 1);
    EXPECT_EQ(close_book(rig, k_closed), 0u) << upper_first;
    // It has closed: the upper page lies on the lower one, far below where it leant.
    std::vector<Vec3> upper;
    rig.world.copy_positions(rig.cloths[upper_first ? 0 : 1], upper);
    double highest = 0;
    for (const Vec3& p : upper) highest = std::max(highest, p.y);
    EXPECT_LT(highest, 0.15);
  }
}

// The control: pages whose filters keep them apart pass through each other, sewn or not.
TEST(SewnContact, control_pages_of_filters_that_do_not_fit_cross) {
  for (const bool sewn : {false, true}) {
    SheetRig rig;
    make_book(rig, {.meet = false, .sewn = sewn});
    EXPECT_GT(close_book(rig, k_closed), 20u) << sewn;
  }
}

TEST(SewnContact, pages_meet_wherever_they_were_drawn) {
  for (const bool self_contact : {false, true}) {
    SheetRig rig;
    Book book{.drawn_closed = true};
    book.lower.self_contact = book.upper.self_contact = self_contact;
    make_book(rig, book);
    EXPECT_EQ(close_book(rig, k_closed), 0u) << self_contact;
  }
}

// Cells smaller than the thickness: what is near a seam is no contact, and does not stand off it.
TEST(SewnContact, fine_cells_at_a_seam_are_left_alone) {
  SheetRig rig(weightless_sheets());
  ClothDef page;
  page.mesh = make_grid(20, 20, 0.04, 0.04);
  rig.add(page);
  page.position = {0.04, 0, 0};
  rig.add(page);
  sew(rig, 0, MeshSide::right, 1, MeshSide::left);
  for (int n = 0; n < 60; ++n) rig.world.step(1. / 60);
  EXPECT_LT(rig.world.measurements().kinetic_energy, 1e-12);
  EXPECT_EQ(rig.world.measurements().contacts, 0);
}

// Its borders begin in one place then and may cross each other by a triangle; what is beyond does
// not.
TEST(SewnContact, pages_meet_still_when_the_seam_is_cut) {
  SheetRig rig;
  const SeamDef seam = rig.world.describe(make_book(rig, {}));
  const TriMesh mesh = make_grid(int(k_cells), int(k_cells), k_size, k_size);
  const auto at_border = [&](const MeshTriangle& t) {
    const SeamSide& side = rig.cloths[t.cloth] == seam.a.cloth ? seam.a : seam.b;
    const Triangle& corners = mesh.triangles[std::size_t(t.triangle)];
    return std::find_first_of(corners.begin(), corners.end(), side.vertices.begin(),
                              side.vertices.end()) != corners.end();
  };
  EXPECT_EQ(close_book(rig, 10), 0u);
  rig.world.remove(rig.world.seams().front());
  for (int frame = 0; frame < k_closed; ++frame) {
    rig.world.step(1. / 60);
    for (const auto& [s, t] : crossing_pairs(rig))
      EXPECT_TRUE(s.cloth == t.cloth || (at_border(s) && at_border(t))) << frame;
  }
}

// Laid on each other, both facing up, a border of one drawn to that of the other while they fall on
// a rail, over which they fold: as flat as they are, they are not one piece.
TEST(SewnContact, panels_that_face_the_same_way_meet) {
  SheetRig rig;
  rig.add_floor();
  BodyDef rail;
  rail.motion = Motion::fixed;
  rail.shape = Capsule{0.02, 0.3};
  rail.position = {0.03, 0.25, 0};
  rail.rotation = {std::sin(k_pi / 4), 0, 0, std::cos(k_pi / 4)};
  rig.world.add_body(rail).value();
  ClothDef panel;
  panel.mesh = make_grid(14, 14, k_size, k_size);
  panel.position = {0, 0.29, 0};
  rig.add(panel);
  panel.mesh = make_grid(12, 14, k_size, k_size);
  panel.position = {0, 0.3, 0};
  rig.add(panel);
  sew(rig, 0, MeshSide::left, 1, MeshSide::left, false);
  EXPECT_EQ(close_book(rig, 120), 0u);
  EXPECT_EQ(rig.world.seam_status(rig.world.seams().front()).merged, 15);
}

// --- one part that is laid double meets itself if it was asked to, whatever the other one was
std::size_t crossings_of_the_double_part(bool it_asks, bool other_asks, bool it_first) {
  SheetRig rig;
  rig.add_floor();
  ClothDef twice = folded_sheet(20), strip;
  twice.self_contact = it_asks;
  strip.self_contact = other_asks;
  strip.mesh = make_grid(2, 20, 0.1, 1);
  strip.position = {-0.05, 0.02, 0};
  rig.add(it_first ? twice : strip);
  rig.add(it_first ? strip : twice);
  const std::size_t it = it_first ? 0 : 1;
  sew(rig, it, MeshSide::left, 1 - it, MeshSide::right);
  std::size_t most = 0;
  for (int frame = 0; frame < 40; ++frame) {
    EXPECT_EQ(rig.world.step(1. / 60).frozen, 0);
    EXPECT_EQ(crossings_between(rig, 0, 1), 0u) << frame;
    most = std::max(most, crossings_between(rig, it, it));
  }
  return most;
}

TEST(SewnContact, each_part_meets_itself_if_it_was_asked_to) {
  for (const bool it_first : {false, true}) {
    EXPECT_EQ(crossings_of_the_double_part(true, true, it_first), 0u);
    EXPECT_EQ(crossings_of_the_double_part(true, false, it_first), 0u);
    EXPECT_GT(crossings_of_the_double_part(false, true, it_first), 20u);
    EXPECT_GT(crossings_of_the_double_part(false, false, it_first), 20u);
  }
}

// --- a shell and its lining, sewn along one border, the outer one below
std::size_t add_lined(SheetRig& rig, int inner_layer, int outer_layer, bool outer_first) {
  ClothDef inner, outer;
  inner.mesh = make_grid(16, 16, k_size, k_size);
  outer.mesh = make_grid(13, 16, k_size, k_size);  // no vertex over another but at the seam
  inner.layer = inner_layer;
  outer.layer = outer_layer;
  outer.position = {0, -5e-3, 0};
  rig.add(outer_first ? outer : inner);
  rig.add(outer_first ? inner : outer);
  sew(rig, 0, MeshSide::left, 1, MeshSide::left, false);  // flat, one would hang out
  return outer_first ? 0 : 1;
}

constexpr double k_beyond_the_seam = -k_size / 2 + 0.05;

TEST(SewnContact, layers_that_are_sewn_together_come_to_their_sides) {
  for (const bool outer_first : {false, true}) {
    SheetRig rig(weightless_sheets());
    const std::size_t outer = add_lined(rig, 1, 2, outer_first);
    ASSERT_NEAR(least_height(rig, outer, 1 - outer, k_beyond_the_seam), -5e-3, 1e-6);
    for (int n = 0; n < 60; ++n) rig.world.step(1. / 60);
    EXPECT_GT(least_height(rig, outer, 1 - outer, k_beyond_the_seam), 0.85 * k_thickness);
    EXPECT_EQ(crossings_between(rig, 0, 1), 0u);
  }
}

TEST(SewnContact, without_layers_what_is_sewn_stays) {
  SheetRig rig(weightless_sheets());
  const std::size_t outer = add_lined(rig, 2, 2, false);
  for (int n = 0; n < 60; ++n) rig.world.step(1. / 60);
  EXPECT_LT(least_height(rig, outer, 1 - outer, k_beyond_the_seam), -0.85 * k_thickness);
}

// --- by particles a body meets itself as a whole
TEST(SewnContact, contact_by_particles_is_asked_for_by_both_or_refused) {
  const auto sewn = [](const ClothDef& a, const ClothDef& b) {
    World world;
    SeamDef seam;
    seam.a = {world.add_cloth(a).value(), {2}};
    seam.b = {world.add_cloth(b).value(), {0}};
    const Result<SeamId> result = world.add_seam(seam);
    return result.ok() ? std::string() : result.error().text();
  };
  ClothDef plain, particles, features;
  plain.mesh = make_grid(2, 2, 0.2, 0.2);
  particles = features = plain;
  particles.self_contact = features.self_contact = true;
  particles.self_contact_by = SelfContact::particles;
  EXPECT_EQ(sewn(particles, particles), "");
  EXPECT_EQ(sewn(plain, features), "");
  EXPECT_NE(
      sewn(particles, features).find("its self_contact_by is features, that of a is particles"),
      std::string::npos);
  EXPECT_NE(sewn(plain, particles).find("self_contact"), std::string::npos);
  ClothDef outer = particles;
  outer.layer = 2;
  EXPECT_NE(sewn(particles, outer).find("layer"), std::string::npos);
  features.layer = 2;
  EXPECT_EQ(sewn(plain, features), "");
}

// --- the same bits
std::uint64_t hash_of_book(int threads, int saved_at) {
  SheetRig rig({}, threads);
  Book book;
  book.lower.layer = 1;
  book.upper.self_contact = true;
  make_book(rig, book);
  const auto run = [&](int frames) {
    for (int n = 0; n < frames; ++n) rig.world.step(1. / 60);
  };
  run(saved_at);
  if (saved_at > 0) {
    const std::vector<std::byte> saved = rig.world.snapshot();
    SheetRig other({}, threads);
    make_book(other, book);
    EXPECT_TRUE(other.world.restore(saved));
    for (int n = saved_at; n < k_closed; ++n) other.world.step(1. / 60);
    EXPECT_EQ(crossings_between(other, 0, 1), 0u);
    run(20);
    EXPECT_TRUE(rig.world.restore(saved));
    run(k_closed - saved_at);
    EXPECT_EQ(other.world.state_hash(), rig.world.state_hash());
  } else {
    run(k_closed);
  }
  return rig.world.state_hash();
}

TEST(SewnContact, same_bits_for_any_threads_and_after_snapshots) {
  const std::uint64_t expected = hash_of_book(1, 0);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(hash_of_book(threads, 0), expected);
  for (const int at : {5, 25, 60}) EXPECT_EQ(hash_of_book(1, at), expected) << at;
}

}  // namespace
}  // namespace pliant
