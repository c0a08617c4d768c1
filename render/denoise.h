// Smooths the light of a picture along its surfaces.
#pragma once

#include <vector>

#include <pliant/math.h>

namespace pliant {

struct LightPixel {
  Vec3f sky;
  float sun = 0;
};
struct GuidePixel {
  Vec3f position;
  Vec3f normal;         // zero where nothing was hit
  float noise = 0;      // standard deviation of `sun` in this pixel
  float footprint = 0;  // m, width of the pixel on the surface's distance
};

// Repeated small blurs with growing holes (edge-avoiding a-trous wavelets, Dammertz et al. 2010):
// pixels mix where they lie on one smooth surface; the sun's light only as far as its noise goes,
// so that sharp shadows stay sharp.
void smooth_light(int width, int height, int threads, const std::vector<GuidePixel>& guide,
                  std::vector<LightPixel>& light);

}  // namespace pliant
