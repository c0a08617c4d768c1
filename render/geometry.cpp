#include "render/geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <pliant/record.h>

namespace pliant {
namespace {

constexpr float k_far = std::numeric_limits<float>::infinity();
// A half-space whose normal leans further from the vertical is a wall: left out, or it would hide
// what it holds.
constexpr double k_ground_up = 0.6;

float* new_buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::size_t stride,
                  std::size_t count) {
  return static_cast<float*>(rtcSetNewGeometryBuffer(geometry, type, 0, format, stride, count));
}

unsigned attach(RTCScene scene, RTCGeometry geometry) {
  rtcCommitGeometry(geometry);
  const unsigned id = rtcAttachGeometry(scene, geometry);
  rtcReleaseGeometry(geometry);
  return id;
}

RTCRay embree_ray(const Ray& ray) {
  RTCRay r{};
  r.org_x = ray.origin.x, r.org_y = ray.origin.y, r.org_z = ray.origin.z;
  r.dir_x = ray.direction.x, r.dir_y = ray.direction.y, r.dir_z = ray.direction.z;
  r.tfar = k_far;
  r.mask = 0xffffffffu;
  return r;
}

// Where the ray enters the half-space, or infinity.
float ground_distance(const Ground& g, const Ray& ray) {
  const float slope = dot(g.normal, ray.direction);
  if (slope >= -1e-6f) return k_far;
  const float t = dot(g.normal, g.origin - ray.origin) / slope;
  return t > 0 ? t : k_far;
}

// A rectangle that everything is in front of and that shows its back to the eye: a wall of a closed
// room, left out like the fourth one of a stage.
bool hides_all(const FrameLayout& layout, const Frame& frame, std::size_t index, const Vec3& eye) {
  const auto* rectangle = std::get_if<Rectangle>(&layout.bodies[index].shape);
  if (!rectangle || !frame.positions.empty()) return false;
  const Vec3 place = frame.poses[index].position;
  const Vec3 normal = rotate(frame.poses[index].rotation, Vec3{0, 1, 0});
  const double rounding = 1e-3 * std::max(rectangle->half_x, rectangle->half_z);
  if (!(dot(eye - place, normal) < 0)) return false;
  for (std::size_t i = 0; i < layout.bodies.size(); ++i)
    if (!(dot(frame.poses[i].position - place, normal) > -rounding)) return false;
  return true;
}

}  // namespace

RayScene::RayScene(const FrameLayout& layout, const Frame& frame, const Vec3& eye) {
  for (std::size_t i = 0; i < layout.bodies.size(); ++i) {
    if (!hides_all(layout, frame, i, eye)) add_body(layout.bodies[i], frame.poses[i], i);
  }
  for (std::size_t i = 0; i < layout.surfaces.size(); ++i) {
    add_surface(layout.surfaces[i], frame.positions[i], i);
  }
  commit();
}

RayScene::~RayScene() {
  rtcReleaseScene(scene_);
  rtcReleaseDevice(device_);
}

void RayScene::add_body(const FrameBody& body, const Transform& pose, std::size_t index) {
  const int material = static_cast<int>(materials_.size());
  materials_.push_back(body_material(body, index));
  if (!finite(pose.position) || !finite(rotate(pose.rotation, Vec3{1, 1, 1}))) return;
  if (const auto* sphere = std::get_if<Sphere>(&body.shape)) {
    ball_centres_.push_back(cast<float>(pose.position));
    ball_radii_.push_back(static_cast<float>(sphere->radius));
    ball_material_.push_back(material);
  } else if (const auto* capsule = std::get_if<Capsule>(&body.shape)) {
    const Vec3 end{0, capsule->half_height, 0};
    rods_.push_back({cast<float>(to_world(pose, -end)), cast<float>(to_world(pose, end))});
    rod_radii_.push_back(static_cast<float>(capsule->radius));
    rod_material_.push_back(material);
  } else if (const auto* box = std::get_if<Box>(&body.shape)) {
    boxes_.push_back({pose, box->half});
    const TriMesh mesh = shape_mesh(body.shape);
    for (const Triangle& t : mesh.triangles) {
      Vec3f p[3];
      for (std::size_t k = 0; k < 3; ++k) {
        p[k] = cast<float>(to_world(pose, mesh.vertices[static_cast<std::size_t>(t[k])]));
      }
      const Vec3f n = normalized(cross(p[1] - p[0], p[2] - p[0]));
      add_triangle(p[0], p[1], p[2], {n, n, n}, material, static_cast<int>(boxes_.size()) - 1);
    }
  } else if (!std::holds_alternative<HalfSpace>(body.shape)) {
    add_shape_mesh(shape_mesh(body.shape), pose, material);
  } else {
    const Vec3 up = rotate(pose.rotation, Vec3{0, 1, 0});
    if (up.y < k_ground_up) return;
    grounds_.push_back({cast<float>(pose.position), cast<float>(up),
                        cast<float>(rotate(pose.rotation, Vec3{1, 0, 0})),
                        cast<float>(rotate(pose.rotation, Vec3{0, 0, 1}))});
  }
}

// Round where it is round, with sharp edges.
void RayScene::add_shape_mesh(const TriMesh& mesh, const Transform& pose, int material) {
  std::vector<Vec3f> p;
  for (const Vec3& v : mesh.vertices) p.push_back(cast<float>(to_world(pose, v)));
  const std::vector<Vec3f> normals = corner_normals(p, mesh.triangles, 0.77f);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    add_triangle(p[static_cast<std::size_t>(t[0])], p[static_cast<std::size_t>(t[1])],
                 p[static_cast<std::size_t>(t[2])],
                 {normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]}, material, -1);
  }
}

void RayScene::add_surface(const FrameSurface& surface, const std::vector<Vec3f>& positions,
                           std::size_t index) {
  const int material = static_cast<int>(materials_.size());
  materials_.push_back(surface_material(surface, index));
  const bool cloth = surface.kind == FrameSurface::Kind::cloth;
  // Cloth is smooth everywhere; a solid keeps its sharp edges.
  const std::vector<Vec3f> normals =
      corner_normals(positions, surface.triangles, cloth ? -1.0f : 0.77f);
  for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
    const Triangle& t = surface.triangles[i];
    const Vec3f p[3] = {positions[static_cast<std::size_t>(t[0])],
                        positions[static_cast<std::size_t>(t[1])],
                        positions[static_cast<std::size_t>(t[2])]};
    if (!finite(p[0]) || !finite(p[1]) || !finite(p[2])) continue;
    add_triangle(p[0], p[1], p[2], {normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]},
                 material, -1);
  }
}

void RayScene::add_triangle(const Vec3f& a, const Vec3f& b, const Vec3f& c,
                            const Vec3f (&normals)[3], int material, int box) {
  corners_.insert(corners_.end(), {a, b, c});
  corner_normals_.insert(corner_normals_.end(), {normals[0], normals[1], normals[2]});
  triangle_material_.push_back(material);
  triangle_box_.push_back(box);
}

void RayScene::commit() {
  // One builder thread: the tree, and with it the picture, is always the same.
  device_ = rtcNewDevice("threads=1");
  scene_ = rtcNewScene(device_);
  if (!triangle_material_.empty()) commit_triangles();
  commit_round();
  rtcCommitScene(scene_);
  RTCBounds bounds;
  rtcGetSceneBounds(scene_, &bounds);
  low_ = {bounds.lower_x, bounds.lower_y, bounds.lower_z};
  high_ = {bounds.upper_x, bounds.upper_y, bounds.upper_z};
}

// Cheaper than asking Embree, for the many rays that pass by everything.
bool RayScene::passes_by(const Ray& ray) const {
  float enter = 0, leave = k_far;
  for (int k = 0; k < 3; ++k) {
    const float inverse = 1 / ray.direction[k];
    const float a = (low_[k] - ray.origin[k]) * inverse;
    const float b = (high_[k] - ray.origin[k]) * inverse;
    // A ray along the face gives not-a-number, which these comparisons ignore.
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  return enter > leave;
}

void RayScene::commit_triangles() {
  RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
  const std::size_t count = triangle_material_.size();
  float* vertices = new_buffer(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, 12, 3 * count);
  auto* indices = static_cast<unsigned*>(
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, count));
  for (std::size_t i = 0; i < 3 * count; ++i) {
    for (int k = 0; k < 3; ++k) vertices[3 * i + static_cast<std::size_t>(k)] = corners_[i][k];
    indices[i] = static_cast<unsigned>(i);
  }
  triangles_id_ = attach(scene_, geometry);
}

void RayScene::commit_round() {
  const auto put = [](float* out, const Vec3f& p, float radius) {
    out[0] = p.x, out[1] = p.y, out[2] = p.z, out[3] = radius;
  };
  if (!ball_centres_.empty()) {
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    float* v =
        new_buffer(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, 16, ball_centres_.size());
    for (std::size_t i = 0; i < ball_centres_.size(); ++i) {
      put(v + 4 * i, ball_centres_[i], ball_radii_[i]);
    }
    balls_id_ = attach(scene_, geometry);
  }
  if (!rods_.empty()) {
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
    float* v =
        new_buffer(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, 16, 2 * rods_.size());
    auto* first = static_cast<unsigned*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                                                 RTC_FORMAT_UINT, 4, rods_.size()));
    for (std::size_t i = 0; i < rods_.size(); ++i) {
      put(v + 8 * i, rods_[i].a, rod_radii_[i]);
      put(v + 8 * i + 4, rods_[i].b, rod_radii_[i]);
      first[i] = static_cast<unsigned>(2 * i);
    }
    rods_id_ = attach(scene_, geometry);
  }
}

bool RayScene::closest(const Ray& ray, Hit& hit) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRayHit found{};
  found.ray = embree_ray(ray);
  found.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  if (!passes_by(ray)) rtcIntersect1(scene_, &context, &found);
  hit.distance = found.ray.tfar;
  hit.ground = -1;
  for (std::size_t i = 0; i < grounds_.size(); ++i) {
    const float t = ground_distance(grounds_[i], ray);
    if (t < hit.distance) hit.distance = t, hit.ground = static_cast<int>(i);
  }
  if (hit.distance == k_far) return false;
  hit.position = ray.origin + ray.direction * hit.distance;
  hit.front = true;
  if (hit.ground >= 0) {
    hit.geometric = hit.normal = grounds_[static_cast<std::size_t>(hit.ground)].normal;
    hit.material = -1;
    return true;
  }
  finish_hit(found, hit);
  if (dot(hit.geometric, ray.direction) > 0) {
    hit.geometric = -hit.geometric;
    hit.normal = -hit.normal;
    hit.front = false;
  }
  // A smoothed normal may lean away from the eye where the flat one does not.
  const float lean = dot(hit.normal, ray.direction);
  if (lean > -0.02f) hit.normal = normalized(hit.normal - ray.direction * (lean + 0.02f));
  return true;
}

void RayScene::finish_hit(const RTCRayHit& found, Hit& hit) const {
  const std::size_t i = found.hit.primID;
  if (found.hit.geomID == triangles_id_) {
    const float u = found.hit.u, v = found.hit.v;
    hit.material = triangle_material_[i];
    hit.geometric = normalized(
        cross(corners_[3 * i + 1] - corners_[3 * i], corners_[3 * i + 2] - corners_[3 * i]));
    hit.normal = normalized(corner_normals_[3 * i] * (1 - u - v) + corner_normals_[3 * i + 1] * u +
                            corner_normals_[3 * i + 2] * v);
    if (triangle_box_[i] >= 0) hit.normal = softened(triangle_box_[i], hit.position, hit.normal);
  } else if (found.hit.geomID == balls_id_) {
    hit.material = ball_material_[i];
    hit.geometric = hit.normal = normalized(hit.position - ball_centres_[i]);
  } else {
    const Rod& rod = rods_[i];
    const Vec3f axis = rod.b - rod.a;
    const float s = dot(hit.position - rod.a, axis) / std::max(length_sq(axis), 1e-20f);
    hit.material = rod_material_[i];
    hit.geometric = hit.normal =
        normalized(hit.position - (rod.a + axis * std::clamp(s, 0.0f, 1.0f)));
  }
}

// Near an edge the normal turns towards the next face, as on a slightly rounded box.
Vec3f RayScene::softened(int box, const Vec3f& position, const Vec3f& normal) const {
  const BoxFrame& frame = boxes_[static_cast<std::size_t>(box)];
  const Vec3 p = to_local(frame.pose, cast<double>(position));
  const double width = 0.06 * std::min({frame.half.x, frame.half.y, frame.half.z});
  Vec3 turn = rotate_inverse(frame.pose.rotation, cast<double>(normal));
  for (int k = 0; k < 3; ++k) {
    if (std::abs(turn[k]) > 0.5) continue;
    const double inside = std::clamp((std::abs(p[k]) - frame.half[k]) / width + 1, 0.0, 1.0);
    turn[k] = 0.8 * inside * inside * (p[k] < 0 ? -1 : 1);
  }
  return cast<float>(rotate(frame.pose.rotation, normalized(turn)));
}

bool RayScene::blocked(const Ray& ray) const {
  for (const Ground& g : grounds_) {
    if (ground_distance(g, ray) < k_far) return true;
  }
  if (passes_by(ray)) return false;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRay r = embree_ray(ray);
  rtcOccluded1(scene_, &context, &r);
  return r.tfar < 0;
}

}  // namespace pliant
