#include "model/body_boxes.h"

namespace pliant {

namespace {

// Casting may round towards the inside by half a unit in the last place.
Real outward(double x, double direction) { return Real(x + direction * 1.2e-7 * (x < 0 ? -x : x)); }

// A kinematic body on its way looks for others as well: it must find those that sleep.
bool moves(const RigidBodies& bodies, std::int32_t i) {
  if (bodies.dynamic(i)) return bodies.awake[i] != 0;
  const BodyMotion& m = bodies.motion[i];
  return bodies.kind[i] == Motion::kinematic &&
         (xyz(m.velocity) != Vec3R{} || xyz(m.spin) != Vec3R{});
}

}  // namespace

void box_bodies(const RigidBodies& bodies, Real margin, BodyBoxes& boxes) {
  const std::int32_t n = bodies.size();
  boxes.boxes.resize(std::size_t(n));
  boxes.moves.resize(std::size_t(n));
  boxes.planes.clear();
  for (std::int32_t i = 0; i < n; ++i) {
    boxes.moves[i] = moves(bodies, i);
    const double grow = double(bodies.reach[i]) + 0.5 * double(margin);
    const Vec3 centre = bodies.base[i].position;
    const Mat3R& axes = bodies.axes[i];
    const ShapeNumbers<Real>& s = bodies.shape[i];
    BoxAabb& box = boxes.boxes[i];
    if (bodies.removed[i]) {  // inside out: meets nothing
      box = {{Real(1e30), Real(1e30), Real(1e30)}, {Real(-1e30), Real(-1e30), Real(-1e30)}};
      continue;
    }
    if (s.kind == ShapeKind::half_space) {
      box = {{0, 0, 0}, {0, 0, 0}};
      const Vec3 up = cast<double>(axes.row[1]);
      boxes.planes.push_back({i, axes.row[1], outward(dot(up, centre) + grow, 1)});
      continue;
    }
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
}

BoxList box_list(const RigidBodies& bodies, const BodyBoxes& boxes) {
  return {boxes.boxes, bodies.key, boxes.moves, boxes.planes};
}

}  // namespace pliant
