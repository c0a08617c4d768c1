#include "model/body_boxes.h"

namespace pliant {

namespace {

constexpr int k_grain = 256;  // bodies

// Casting may round towards the inside by half a unit in the last place.
Real outward(double x, double direction) { return Real(x + direction * 1.2e-7 * (x < 0 ? -x : x)); }

// A kinematic body on its way looks for others as well: it must find those that sleep.
bool moves(const RigidBodies& bodies, std::int32_t i) {
  if (bodies.dynamic(i)) return bodies.awake[i] != 0;
  const BodyMotion& m = bodies.motion[i];
  return bodies.kind[i] == Motion::kinematic &&
         (xyz(m.velocity) != Vec3R{} || xyz(m.spin) != Vec3R{});
}

bool is_plane(const RigidBodies& bodies, std::int32_t i) {
  return bodies.shape[i].kind == ShapeKind::half_space;
}

double growth(const RigidBodies& bodies, std::int32_t i, Real margin) {
  return double(bodies.reach[i]) + 0.5 * double(margin);
}

void add_plane(const RigidBodies& bodies, std::int32_t i, Real margin, BodyBoxes& boxes) {
  boxes.boxes[i] = {{0, 0, 0}, {0, 0, 0}};
  const Vec3R up = bodies.axes[i].row[1];
  const double height = dot(cast<double>(up), bodies.base[i].position);
  boxes.planes.push_back({i, up, outward(height + growth(bodies, i, margin), 1)});
}

// Makes the box of body i, which is no half-space.
void box_body(const RigidBodies& bodies, std::int32_t i, Real margin, BodyBoxes& boxes) {
  const ShapeNumbers<Real>& s = bodies.shape[i];
  if (bodies.rebased[i] != 0 && boxes.rebased[i] == bodies.rebased[i]) return;
  boxes.rebased[i] = bodies.rebased[i];
  const double grow = growth(bodies, i, margin);
  const Vec3 centre = bodies.base[i].position;
  const Mat3R& axes = bodies.axes[i];
  BoxAabb& box = boxes.boxes[i];
  for (int k = 0; k < 3; ++k) {
    Real e = s.radius;
    for (int j = 0; j < 3; ++j) {
      const Real a = axes.row[j][k];
      e += (a < 0 ? -a : a) * s.half[j];
    }
    const double extent = double(e) * (1 + 1e-6) + grow;
    box.lo[k] = outward(centre[k] - extent, -1);
    box.hi[k] = outward(centre[k] + extent, 1);
  }
}

void box_fixed(const RigidBodies& bodies, Real margin, BodyBoxes& boxes) {
  boxes.fixed_version = bodies.fixed_version;
  boxes.planes.clear();
  boxes.fixed.clear();
  for (std::int32_t i = 0; i < bodies.size(); ++i) {
    if (bodies.kind[i] != Motion::fixed) continue;
    boxes.moves[i] = 0;
    if (bodies.removed[i]) {  // inside out: meets nothing
      boxes.rebased[i] = 0;
      boxes.boxes[i] = {{Real(1e30), Real(1e30), Real(1e30)},
                        {Real(-1e30), Real(-1e30), Real(-1e30)}};
      continue;
    }
    if (is_plane(bodies, i)) {
      add_plane(bodies, i, margin, boxes);
      continue;
    }
    box_body(bodies, i, margin, boxes);
    boxes.fixed.push_back(i);
  }
  boxes.fixed_planes = boxes.planes.size();
}

}  // namespace

void box_bodies(const RigidBodies& bodies, Real margin, TaskPool* pool, BodyBoxes& boxes) {
  const std::size_t n = std::size_t(bodies.size());
  boxes.boxes.resize(n);
  boxes.moves.resize(n);
  boxes.rebased.resize(n);
  if (boxes.fixed_version != bodies.fixed_version) box_fixed(bodies, margin, boxes);
  boxes.planes.resize(boxes.fixed_planes);
  boxes.live.clear();
  for (const std::int32_t i : bodies.movable) {
    if (bodies.kind[i] == Motion::fixed) continue;
    if (is_plane(bodies, i)) {
      boxes.moves[i] = moves(bodies, i);
      add_plane(bodies, i, margin, boxes);
    } else {
      boxes.live.push_back(i);
    }
  }
  parallel_for(pool, int(boxes.live.size()), k_grain, [&](int begin, int end) {
    for (const std::int32_t i : std::span(boxes.live).subspan(begin, end - begin)) {
      boxes.moves[i] = moves(bodies, i);
      box_body(bodies, i, margin, boxes);
    }
  });
}

void frame_bodies(const RigidBodies& bodies, Real margin, std::vector<BoxFrame>& frames) {
  frames.resize(std::size_t(bodies.size()));
  for (std::int32_t i = 0; i < bodies.size(); ++i) {
    const ShapeNumbers<Real>& s = bodies.shape[i];
    BoxFrame& f = frames[i];
    f.centre = bodies.base[i].position;
    for (int j = 0; j < 3; ++j) f.edge[j] = s.half[j] * bodies.axes[i].row[j];
    f.grow = bodies.reach[i] + s.radius + margin / 2;
  }
}

BoxList box_list(const RigidBodies& bodies, const BodyBoxes& boxes) {
  return {boxes.boxes, bodies.key,  boxes.moves,         boxes.planes,
          boxes.live,  boxes.fixed, boxes.fixed_version, {}};
}

}  // namespace pliant
