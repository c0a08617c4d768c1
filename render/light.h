// The light of a picture: a broad sun, a bright sky, and a floor that fades into the horizon.
#pragma once

#include "render/geometry.h"
#include "render/sampler.h"

namespace pliant {

// Sizes that the look of a picture depends on.
struct Studio {
  Vec3f centre;     // what the camera looks at
  float scale = 1;  // m, from the eye to the centre
  float pixel = 0;  // angle of a pixel, rad
  float cell = 1;   // m, squares of the floor
};

// A surface as the eye sees it before any light falls on it.
struct Look {
  Vec3f albedo;    // faded towards the horizon
  float fade = 0;  // 1 where nothing but the horizon is left
  float gloss = 0, transmission = 0;
};

// What falls on a surface. It is kept apart from the surface's colour, so that it can be smoothed
// without blurring edges; the sun apart from the sky, because its shadows are sharper.
struct Light {
  Vec3f sky;      // from all around, to be multiplied with the albedo
  float sun = 0;  // times k_sun_colour, likewise
  Vec3f glow;     // highlights, complete
};

extern const Vec3f k_sun_colour;
Vec3f background(const Vec3f& direction);
Look look_at(const RayScene& scene, const Ray& ray, const Hit& hit, const Studio& studio);
Light light_at(const RayScene& scene, const Ray& ray, const Hit& hit, const Look& look,
               const Studio& studio, const SamplePoint& point);

}  // namespace pliant
