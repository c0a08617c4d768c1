// What rays can hit: triangles, balls and rods through Embree, and the half-spaces that serve as
// ground.
#pragma once

#include <embree3/rtcore.h>

#include <vector>

#include <pliant/frame.h>

#include "render/palette.h"

namespace pliant {

struct Ray {
  Vec3f origin, direction;  // unit
};

struct Hit {
  float distance = 0;
  Vec3f position;
  Vec3f geometric;  // unit normal of the flat triangle, towards the ray's origin
  Vec3f normal;     // unit shading normal, towards the ray's origin
  int material = -1;
  int ground = -1;    // number of the half-space, or -1
  bool front = true;  // the outer side of a surface
};

struct Ground {
  Vec3f origin, normal, u, v;
};

class RayScene {
 public:
  RayScene(const FrameLayout& layout, const Frame& frame, const Vec3& eye);
  ~RayScene();
  RayScene(const RayScene&) = delete;
  RayScene& operator=(const RayScene&) = delete;

  bool closest(const Ray& ray, Hit& hit) const;
  bool blocked(const Ray& ray) const;

  const Material& material(int index) const { return materials_[static_cast<std::size_t>(index)]; }
  const std::vector<Ground>& grounds() const { return grounds_; }

 private:
  struct Rod {
    Vec3f a, b;
  };
  // Local frame of a box, for the softened look of its edges.
  struct BoxFrame {
    Transform pose;
    Vec3 half;
  };
  void add_body(const FrameBody& body, const Transform& pose, std::size_t index);
  void add_shape_mesh(const TriMesh& mesh, const Transform& pose, int material);
  void add_surface(const FrameSurface& surface, const std::vector<Vec3f>& positions,
                   std::size_t index);
  void add_triangle(const Vec3f& a, const Vec3f& b, const Vec3f& c, const Vec3f (&normals)[3],
                    int material, int box);
  void commit();
  void commit_triangles();
  void commit_round();
  bool passes_by(const Ray& ray) const;
  void finish_hit(const RTCRayHit& found, Hit& hit) const;
  Vec3f softened(int box, const Vec3f& position, const Vec3f& normal) const;

  std::vector<Material> materials_;
  std::vector<Ground> grounds_;
  std::vector<Vec3f> corners_;         // three for each triangle
  std::vector<Vec3f> corner_normals_;  // beside corners_
  std::vector<int> triangle_material_, triangle_box_;
  std::vector<BoxFrame> boxes_;
  std::vector<Vec3f> ball_centres_;
  std::vector<float> ball_radii_;
  std::vector<int> ball_material_;
  std::vector<Rod> rods_;
  std::vector<float> rod_radii_;
  std::vector<int> rod_material_;
  RTCDevice device_ = nullptr;
  RTCScene scene_ = nullptr;
  Vec3f low_, high_;  // box around all that Embree holds
  unsigned triangles_id_ = RTC_INVALID_GEOMETRY_ID;
  unsigned balls_id_ = RTC_INVALID_GEOMETRY_ID;
  unsigned rods_id_ = RTC_INVALID_GEOMETRY_ID;
};

}  // namespace pliant
