#include "render/palette.h"

#include <cmath>
#include <cstdint>
#include <iterator>

namespace pliant {
namespace {

// Muted, warm and cool in turn, so that neighbours in a scene's list differ.
constexpr std::uint32_t k_cloth[] = {0xc4513c, 0x2f7f8c, 0xd9a03f, 0x6d5a8f, 0x5d8a58, 0xb7617e};
constexpr std::uint32_t k_solid[] = {0x3f8f83, 0xe0a23e, 0x8a6bb0, 0xd8707c, 0x6fa04f, 0x4d84bf};
constexpr std::uint32_t k_rigid[] = {0x4b7bb0, 0xdd8a4a, 0x7fa66a, 0xb85c6b,
                                     0xd9b45b, 0x5b93a3, 0x8d6f9e, 0xa98264};
constexpr std::uint32_t k_fixed[] = {0xa7a29a, 0x959aa0, 0xb3aca0};
constexpr std::uint32_t k_kinematic[] = {0x5a6472, 0x6e6459};

// Small steps of brightness tell apart what shares a colour in a long list.
Vec3f pick(const std::uint32_t* colours, std::size_t count, std::size_t index) {
  const Vec3f base = srgb_to_linear(colours[index % count]);
  const std::size_t turn = index / count % 4;
  return base * (1.0f - 0.09f * static_cast<float>(turn));
}

}  // namespace

Vec3f srgb_to_linear(std::uint32_t rgb) {
  Vec3f out;
  for (int c = 0; c < 3; ++c) {
    const float v = static_cast<float>(rgb >> (16 - 8 * c) & 255) / 255.0f;
    out[c] = v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
  }
  return out;
}

Material body_material(const FrameBody& body, std::size_t index) {
  Material m;
  switch (body.motion) {
    case Motion::fixed:
      m.front = pick(k_fixed, std::size(k_fixed), index);
      break;
    case Motion::kinematic:
      m.front = pick(k_kinematic, std::size(k_kinematic), index);
      break;
    case Motion::dynamic:
      m.front = pick(k_rigid, std::size(k_rigid), index);
      break;
  }
  m.back = m.front;
  m.gloss = body.motion == Motion::fixed ? 0.02f : 0.06f;
  return m;
}

Material surface_material(const FrameSurface& surface, std::size_t index) {
  Material m;
  if (surface.kind == FrameSurface::Kind::cloth) {
    m.front = pick(k_cloth, std::size(k_cloth), index);
    // The other side as of a lining: lighter and greyer.
    const float grey = (m.front.x + m.front.y + m.front.z) / 3;
    m.back = m.front * 0.75f + Vec3f{grey, grey, grey} * 0.25f + Vec3f{0.15f, 0.13f, 0.11f};
    m.sheen = 0.25f;
    m.transmission = 0.3f;
  } else {
    m.front = m.back = surface.colour >= 0 ? srgb_to_linear(std::uint32_t(surface.colour))
                                           : pick(k_solid, std::size(k_solid), index);
    m.gloss = 0.12f;
  }
  return m;
}

}  // namespace pliant
