// Frames: what a picture, a file or a viewer needs of a world at one time, and nothing of the
// physics.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <pliant/defs.h>
#include <pliant/math.h>
#include <pliant/mesh.h>

namespace pliant {

struct FrameBody {
  std::string name;
  Motion motion = Motion::dynamic;
  Shape shape;
};

struct FrameSurface {
  enum class Kind { cloth, solid };
  std::string name;
  Kind kind = Kind::cloth;
  std::int32_t vertex_count = 0;
  std::vector<Triangle> triangles;
  std::int32_t colour = -1;  // 0xrrggbb; -1 = one of a row
};

// What does not change from frame to frame.
struct FrameLayout {
  std::vector<FrameBody> bodies;
  std::vector<FrameSurface> surfaces;
};

struct Frame {
  double time = 0;                            // s
  std::vector<Transform> poses;               // of the layout's bodies
  std::vector<std::vector<Vec3f>> positions;  // m, of the layout's surfaces' vertices
};

}  // namespace pliant
