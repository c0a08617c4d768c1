// The text format DeformableModels (spec-deformable, sections 12 and 17): what a file says, block
// by block, before it becomes a scene.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/math.h>
#include <pliant/scene.h>

namespace pliant {

// A block; the values are the defaults of the format.
struct DeformableModel {
  std::string name = "N/A";
  std::string path{};      // of the tetrahedra; required
  std::string immersed{};  // of the surface that is drawn; may be empty
  std::int32_t colour = 0xc8c864;
  double mass = 1;  // kg, of every node
  Vec3 scale{1, 1, 1}, translate{}, rotate{};
  double damping = 1;
  double distance = 20, volume = 10;
  std::optional<double> friction{};  // else that of the file
  // Lines, for errors.
  int line = 0, path_line = 0, immersed_line = 0;
};

struct DeformableModelsFile {
  std::vector<DeformableModel> models;
  double friction = 0.3;
  Vec3 gravity{0, -9.81, 0};        // m/s2
  std::optional<double> time_step;  // s
  int iterations = 3;
};

// Whether the first word that is no comment is that of the format.
bool is_deformable_models(std::string_view text);
// Every problem is reported, as label:line.
DeformableModelsFile read_deformable_models(const std::string& text, const std::string& label,
                                            SceneProblems& problems);
// Turned by the angles about x, then y, then z, then scaled, then moved.
Vec3 placed(const DeformableModel& model, const Vec3& p);

}  // namespace pliant
