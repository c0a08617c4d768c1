#include "render/denoise.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "render/parallel.h"

namespace pliant {
namespace {

struct Grid {
  int width, height;
  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
};

// How much two pixels see of the same smooth surface, 0 to 1.
float likeness(const GuidePixel& a, const GuidePixel& b, float reach) {
  const float turn = dot(a.normal, b.normal);
  if (turn < 0.8f) return 0;
  const float off = std::abs(dot(a.normal, b.position - a.position)) / (a.footprint * reach);
  const float near = 1 - std::min(1.0f, off * off);
  const float t2 = turn * turn, t8 = t2 * t2 * t2 * t2;
  return near * t8 * t8;
}

LightPixel smoothed(const Grid& grid, const std::vector<GuidePixel>& guide,
                    const std::vector<LightPixel>& light, int x, int y, int step) {
  constexpr float k_kernel[3] = {0.375f, 0.25f, 0.0625f};
  const std::size_t here = grid.at(x, y);
  const GuidePixel& g = guide[here];
  const LightPixel& own = light[here];
  Vec3f sky;
  float sun = 0, sky_weight = 0, sun_weight = 0;
  for (int j = -2; j <= 2; ++j) {
    const int yy = y + j * step;
    if (yy < 0 || yy >= grid.height) continue;
    for (int i = -2; i <= 2; ++i) {
      const int xx = x + i * step;
      if (xx < 0 || xx >= grid.width) continue;
      const std::size_t there = grid.at(xx, yy);
      const GuidePixel& h = guide[there];
      if (h.footprint == 0) continue;
      const float reach = static_cast<float>(step * (std::abs(i) + std::abs(j)) + 1);
      const float w = k_kernel[std::abs(i)] * k_kernel[std::abs(j)] * likeness(g, h, reach);
      sky += light[there].sky * w;
      sky_weight += w;
      const float noise = 0.02f + 3.0f * g.noise;
      const float jump = (light[there].sun - own.sun) / noise;
      const float ws = w / (1 + jump * jump * jump * jump);
      sun += light[there].sun * ws;
      sun_weight += ws;
    }
  }
  if (sky_weight <= 0 || sun_weight <= 0) return own;
  return {sky / sky_weight, sun / sun_weight};
}

// The noise of a few samples is itself uncertain: none is seen at the rim of a penumbra where all
// samples happen to agree. The mean over a neighbourhood is taken instead.
std::vector<float> spread_noise(const Grid& grid, int threads,
                                const std::vector<GuidePixel>& guide) {
  constexpr int k_radius = 3;
  std::vector<float> rows(guide.size()), out(guide.size());
  parallel_blocks(threads, grid.height, [&](int y) {
    for (int x = 0; x < grid.width; ++x) {
      float sum = 0;
      for (int i = std::max(0, x - k_radius); i <= std::min(grid.width - 1, x + k_radius); ++i) {
        sum += guide[grid.at(i, y)].noise;
      }
      rows[grid.at(x, y)] = sum / (2 * k_radius + 1);
    }
  });
  parallel_blocks(threads, grid.height, [&](int y) {
    for (int x = 0; x < grid.width; ++x) {
      float sum = 0;
      for (int j = std::max(0, y - k_radius); j <= std::min(grid.height - 1, y + k_radius); ++j) {
        sum += rows[grid.at(x, j)];
      }
      out[grid.at(x, y)] = sum / (2 * k_radius + 1);
    }
  });
  return out;
}

}  // namespace

void smooth_light(int width, int height, int threads, const std::vector<GuidePixel>& measured,
                  std::vector<LightPixel>& light) {
  const Grid grid{width, height};
  std::vector<GuidePixel> guide = measured;
  const std::vector<float> noise = spread_noise(grid, threads, measured);
  for (std::size_t i = 0; i < guide.size(); ++i) guide[i].noise = noise[i];
  std::vector<LightPixel> out(light.size());
  for (const int step : {1, 3}) {
    parallel_blocks(threads, height, [&](int y) {
      for (int x = 0; x < width; ++x) {
        const std::size_t i = grid.at(x, y);
        out[i] = guide[i].footprint > 0 ? smoothed(grid, guide, light, x, y, step) : light[i];
      }
    });
    std::swap(light, out);
  }
}

}  // namespace pliant
