// Our hulls beside qhull's, an independent program: the same volume, area, corners and sides, of
// random points and of points that are degenerate in many ways. (The library does not use qhull:
// its hulls reach the state, whose bits must not depend on a library.)
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>

#include "geometry/hull.h"

#ifdef PLIANT_QHULL
extern "C" {
#include <libqhull_r/qhull_ra.h>
}
#endif

namespace pliant {
namespace {

using Points = std::vector<Vec3>;

struct Plane {
  Vec3 normal;
  double offset;  // m: normal . x = offset
};
struct Reference {
  double volume = 0, area = 0;
  Points corners;
  std::vector<Plane> sides;
};

#ifdef PLIANT_QHULL
Reference qhull(const Points& points) {
  std::vector<double> flat;
  for (const Vec3& p : points) flat.insert(flat.end(), {p.x, p.y, p.z});
  qhT state{};
  qh_zero(&state, nullptr);
  char options[] = "qhull FA";  // with area and volume
  Reference out;
  if (qh_new_qhull(&state, 3, int(points.size()), flat.data(), False, options, nullptr, nullptr) ==
      0) {
    out = {state.totvol, state.totarea, {}, {}};
    for (const facetT* f = state.facet_list; f && f->next; f = f->next)
      out.sides.push_back({{f->normal[0], f->normal[1], f->normal[2]}, -f->offset});
    for (const vertexT* v = state.vertex_list; v && v->next; v = v->next)
      out.corners.push_back({v->point[0], v->point[1], v->point[2]});
  }
  qh_freeqhull(&state, qh_ALL);
  int leaked = 0, blocks = 0;
  qh_memfreeshort(&state, &leaked, &blocks);
  return out;
}
#else
Reference qhull(const Points&) { return {}; }
#endif

double extent(const Points& points) {
  Vec3 low = points[0], high = low;
  for (const Vec3& p : points) low = min(low, p), high = max(high, p);
  return length(high - low);
}

// Where a side is, to 1e-6 of the extent over the whole hull: slivers have badly known normals.
bool has_side(const std::vector<Plane>& sides, const Plane& side, const Points& corners,
              double size) {
  for (const Plane& s : sides) {
    bool same = dot(s.normal, side.normal) > 0;
    for (const Vec3& p : corners) {
      const double own = dot(side.normal, p) - side.offset;
      if (own < -1e-3 * size) continue;  // far from the side
      same = same && std::fabs(dot(s.normal, p) - s.offset - own) < 1e-6 * size;
    }
    if (same) return true;
  }
  return false;
}

void expect_same(const Points& points, const std::string& what) {
  const Result<HullData> made = make_hull(points);
  ASSERT_TRUE(made.ok()) << what << ": " << made.error().text();
  const HullData& ours = made.value();
  const Reference theirs = qhull(points);
  const TriMesh mesh = hull_mesh(ours);
  const double size = extent(points);
  EXPECT_TRUE(is_closed(mesh)) << what;
  EXPECT_NEAR(volume(mesh), theirs.volume, 1e-8 * size * size * size) << what;
  EXPECT_NEAR(area(mesh), theirs.area, 1e-8 * size * size) << what;
  EXPECT_EQ(ours.vertices.size(), theirs.corners.size()) << what;
  // Ours are one side where they are flat to 1e-8 of the extent, qhull's to rounding.
  EXPECT_LE(ours.faces.size(), theirs.sides.size()) << what;
  for (const Vec3& p : theirs.corners) {
    double nearest = size;
    for (const Vec3& q : ours.vertices) nearest = std::min(nearest, length(p - q));
    EXPECT_LE(nearest, 1e-8 * size) << what;
  }
  std::vector<Plane> sides;
  for (const HullFace& f : ours.faces) sides.push_back({f.normal, f.offset});
  for (const Plane& side : theirs.sides)
    EXPECT_TRUE(has_side(sides, side, theirs.corners, size)) << what;
  for (const Plane& side : sides)
    EXPECT_TRUE(has_side(theirs.sides, side, theirs.corners, size)) << what;
}

class Cloud {
 public:
  explicit Cloud(unsigned seed) : rng_(seed) {}
  double normal() { return normal_(rng_); }
  double uniform() { return uniform_(rng_); }
  int upto(int n) { return int(rng_() % unsigned(n)); }
  Vec3 gauss() { return {normal(), normal(), normal()}; }
  Vec3 in_cube() { return {uniform(), uniform(), uniform()}; }

 private:
  std::mt19937 rng_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

// `count` points of one sort, and others inside of them.
void compare(const char* what, int rounds, const std::function<Points(Cloud&)>& make) {
#ifndef PLIANT_QHULL
  GTEST_SKIP() << "built without qhull (Debian: libqhull-dev)";
#endif
  Cloud cloud(17);
  for (int n = 0; n < rounds; ++n)
    expect_same(make(cloud), std::string(what) + " " + std::to_string(n));
}

}  // namespace

TEST(hull_qhull, random_points) {
  compare("gauss", 300, [](Cloud& c) {
    Points points(std::size_t(4 + c.upto(200)));
    for (Vec3& p : points) p = c.gauss();
    return points;
  });
  compare("cube", 300, [](Cloud& c) {
    Points points(std::size_t(4 + c.upto(200)));
    for (Vec3& p : points) p = c.in_cube();
    return points;
  });
}

// Every point is a corner.
TEST(hull_qhull, points_on_spheres_and_ellipsoids) {
  compare("sphere", 100, [](Cloud& c) {
    Points points(std::size_t(8 + c.upto(150)));
    const Vec3 half{0.2 + std::fabs(c.normal()), 0.2 + std::fabs(c.normal()), 1};
    for (Vec3& p : points) p = scaled(half, normalized(c.gauss()));
    return points;
  });
}

// Many points in one plane, on one edge and at one place.
TEST(hull_qhull, lattices_and_repeated_points) {
  compare("lattice", 60, [](Cloud& c) {
    Points points;
    const int a = 1 + c.upto(4), b = 1 + c.upto(4), d = 1 + c.upto(4);
    for (int x = 0; x <= a; ++x)
      for (int y = 0; y <= b; ++y)
        for (int z = 0; z <= d; ++z) points.push_back({double(x), 0.5 * y, 0.25 * z});
    return points;
  });
  // Turned, they lie in planes to rounding only.
  compare("turned", 300, [](Cloud& c) {
    Points points;
    const Mat3 turn = to_matrix(normalized(Quat{c.normal(), c.normal(), c.normal(), c.normal()}));
    for (int n = 0; n < 60; ++n)
      points.push_back(turn * Vec3{double(c.upto(5)), double(c.upto(4)), double(c.upto(3))});
    return points;
  });
  compare("repeated", 200, [](Cloud& c) {
    Points points(20);
    for (Vec3& p : points) p = c.gauss();
    for (int n = 0; n < 20; ++n) points.push_back(points[std::size_t(c.upto(20))]);
    return points;
  });
}

// Sides of many corners, and edges that others lie on.
TEST(hull_qhull, prisms_and_pyramids) {
  compare("prism", 100, [](Cloud& c) {
    Points points;
    const int sides = 3 + c.upto(30);
    const double top = c.upto(3) == 0 ? 0 : 0.2 + std::fabs(c.uniform());  // 0: a pyramid
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * 3.14159265358979 * k / sides;
      const Vec3 rim{std::cos(angle), 0, std::sin(angle)};
      points.push_back(rim - Vec3{0, 1, 0});
      points.push_back(rim * top + Vec3{0, 1, 0});
    }
    return points;
  });
}

// Long, flat, small, large and far away.
TEST(hull_qhull, thin_and_distant_sets) {
  compare("thin", 400, [](Cloud& c) {
    Points points(40);
    const double flat = std::pow(10, -1 - c.upto(3)), scale = std::pow(10, c.upto(7) - 3);
    const Vec3 away = c.gauss() * (10 * scale);
    for (Vec3& p : points) {
      p = c.gauss();
      p.y *= flat;
      p = away + p * scale;
    }
    return points;
  });
}

// The comparison sees a corner too many and one too few.
TEST(hull_qhull, control_a_moved_corner_is_seen) {
#ifndef PLIANT_QHULL
  GTEST_SKIP() << "built without qhull (Debian: libqhull-dev)";
#endif
  Cloud cloud(3);
  Points points(30);
  for (Vec3& p : points) p = cloud.gauss();
  const HullData hull = make_hull(points).value();
  const Reference theirs = qhull(points);
  points.push_back(hull.vertices[0] * 1.01);
  const HullData other = make_hull(points).value();
  EXPECT_GT(std::fabs(volume(hull_mesh(other)) - theirs.volume), 1e-5);
}

}  // namespace pliant
