// Colours and surface qualities by kind and number.
#pragma once

#include <pliant/frame.h>

namespace pliant {

// Colours are linear reflectances.
struct Material {
  Vec3f front{0.6f, 0.6f, 0.6f};
  Vec3f back{0.6f, 0.6f, 0.6f};
  float gloss = 0;         // strength of the highlight
  float sheen = 0;         // brightening at grazing angles, of fibres
  float transmission = 0;  // part of the light on the other side that shines through
};

Material body_material(const FrameBody& body, std::size_t index);
Material surface_material(const FrameSurface& surface, std::size_t index);
Vec3f srgb_to_linear(std::uint32_t rgb);  // 0xrrggbb

}  // namespace pliant
