#include "render/light.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {

const Vec3f k_sun_colour{1.02f, 0.94f, 0.82f};

namespace {

const Vec3f k_sun = normalized(Vec3f{-0.50f, 0.80f, 0.42f});
constexpr float k_sun_radius = 0.055f;  // rad; ten times the real one: softer shadows
constexpr float k_sky_strength = 0.62f;
// Light that a surface seen by a sky ray sends on, as a part of its colour: stands for all further
// bounces.
constexpr float k_bounce = 0.30f;
constexpr float k_floor_bounce = 0.42f;
const Vec3f k_floor_light{0.62f, 0.612f, 0.60f};
const Vec3f k_floor_dark{0.562f, 0.556f, 0.546f};

Vec3f mix(const Vec3f& a, const Vec3f& b, float t) { return a * (1 - t) + b * t; }

float smoothstep(float from, float to, float x) {
  const float t = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

struct Axes {
  Vec3f u, v, n;
};
Axes axes_around(const Vec3f& n) {
  const Vec3f u = any_perpendicular(n);
  return {u, cross(n, u), n};
}

// A point of the unit disc, by rings (Shirley and Chiu), which keeps the spread of the samples.
void disc_point(const Sample2& s, float& x, float& y) {
  const float a = 2 * s.u - 1, b = 2 * s.v - 1;
  if (a == 0 && b == 0) {
    x = y = 0;
    return;
  }
  constexpr float k_quarter = std::numbers::pi_v<float> / 4;
  const bool wide = std::abs(a) > std::abs(b);
  const float r = wide ? a : b;
  const float phi = wide ? k_quarter * (b / a) : 2 * k_quarter - k_quarter * (a / b);
  x = r * std::cos(phi);
  y = r * std::sin(phi);
}

Vec3f sun_direction(const Sample2& s) {
  static const Axes k_axes = axes_around(k_sun);
  float x = 0, y = 0;
  disc_point(s, x, y);
  return normalized(k_axes.n + k_axes.u * (k_sun_radius * x) + k_axes.v * (k_sun_radius * y));
}

Vec3f cosine_direction(const Vec3f& n, const Sample2& s) {
  const Axes axes = axes_around(n);
  float x = 0, y = 0;
  disc_point(s, x, y);
  const float z = std::sqrt(std::max(0.0f, 1 - x * x - y * y));
  return normalized(axes.u * x + axes.v * y + axes.n * z);
}

// The integral of a 0/1 square wave of period 2.
float square_wave_sum(float x) {
  const float whole = std::floor(x / 2);
  return whole + std::min(x - 2 * whole, 1.0f);
}
// The mean of the wave over [x - w/2, x + w/2].
float square_wave(float x, float w) {
  return (square_wave_sum(x + w / 2) - square_wave_sum(x - w / 2)) / w;
}

// Light of the sky and of what stands in its way, along one ray.
Vec3f sky_light(const RayScene& scene, const Ray& ray) {
  Hit hit;
  if (!scene.closest(ray, hit)) {
    const float up = ray.direction.y;
    if (up < 0) return Vec3f{0.30f, 0.29f, 0.28f};
    return mix(Vec3f{1.05f, 1.02f, 0.98f}, Vec3f{0.72f, 0.86f, 1.08f}, std::sqrt(up)) *
           k_sky_strength;
  }
  if (hit.ground >= 0) return k_floor_light * k_floor_bounce;
  const Material& m = scene.material(hit.material);
  return (hit.front ? m.front : m.back) * k_bounce;
}

// 0 seen from the front, 1 along the surface.
float grazing(const Vec3f& n, const Ray& ray) {
  const float rim = 1 - std::max(0.0f, -dot(n, ray.direction));
  return rim * rim * rim;
}

float highlight(const Vec3f& n, const Vec3f& to_eye, float gloss) {
  const Vec3f half = normalized(k_sun + to_eye);
  const float h = std::max(0.0f, dot(n, half));
  return gloss * (0.9f * std::pow(h, 90.0f) + 0.35f * std::pow(h, 14.0f));
}

Vec3f floor_albedo(const Ground& ground, const Hit& hit, const Ray& ray, const Studio& studio) {
  const Vec3f p = hit.position - ground.origin;
  // The patch that a pixel covers, for squares that turn grey instead of flickering far away.
  const float slope = std::max(0.02f, -dot(ray.direction, ground.normal));
  const float width = std::max(1e-4f, hit.distance * studio.pixel / slope / studio.cell);
  const float a = square_wave(dot(p, ground.u) / studio.cell, width);
  const float b = square_wave(dot(p, ground.v) / studio.cell, width);
  return mix(k_floor_dark, k_floor_light, a + b - 2 * a * b);
}

}  // namespace

Vec3f background(const Vec3f& direction) {
  const Vec3f horizon{0.86f, 0.885f, 0.90f};
  const float up = direction.y;
  if (up < 0) return mix(horizon, Vec3f{0.60f, 0.60f, 0.60f}, smoothstep(0, 0.8f, -up));
  return mix(horizon, Vec3f{0.42f, 0.60f, 0.80f}, smoothstep(0, 0.75f, up));
}

Look look_at(const RayScene& scene, const Ray& ray, const Hit& hit, const Studio& studio) {
  Look look;
  if (hit.ground >= 0) {
    const Ground& ground = scene.grounds()[static_cast<std::size_t>(hit.ground)];
    look.fade = smoothstep(1.1f, 6.0f, length(hit.position - studio.centre) / studio.scale);
    look.albedo = floor_albedo(ground, hit, ray, studio) * (1 - look.fade);
    return look;
  }
  const Material& m = scene.material(hit.material);
  const Vec3f base = hit.front ? m.front : m.back;
  const float rim = grazing(hit.normal, ray);
  look.albedo = base + (Vec3f{1, 1, 1} - base) * (m.sheen * 0.35f * rim);
  look.gloss = m.gloss;
  look.transmission = m.transmission;
  return look;
}

Light light_at(const RayScene& scene, const Ray& ray, const Hit& hit, const Look& look,
               const Studio& studio, const SamplePoint& point) {
  Light out;
  const Vec3f shift = hit.geometric * (1e-4f * studio.scale);
  Vec3f sky = cosine_direction(hit.normal, sample_2d(point, 1));
  const float under = dot(sky, hit.geometric);
  if (under < 0) sky = normalized(sky - hit.geometric * (2 * under));
  out.sky = sky_light(scene, {hit.position + shift, sky});
  // A little of the sky is mirrored at grazing angles by what is glossy.
  out.glow = Vec3f{0.6f, 0.63f, 0.66f} * (look.gloss * grazing(hit.normal, ray));

  const Vec3f sun = sun_direction(sample_2d(point, 2));
  const float facing = dot(hit.normal, sun);
  const bool lit = facing > 0 && dot(hit.geometric, sun) > 0;
  if (lit && !scene.blocked({hit.position + shift, sun})) {
    out.sun = facing;
    if (look.gloss > 0)
      out.glow += k_sun_colour * highlight(hit.normal, -ray.direction, look.gloss);
  } else if (facing < 0 && look.transmission > 0 && !scene.blocked({hit.position - shift, sun})) {
    out.sun = -facing * look.transmission;
  }
  return out;
}

}  // namespace pliant
