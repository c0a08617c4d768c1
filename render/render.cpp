// The picture: rays, light for each pixel, smoothing, tones.
#include "render/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "render/denoise.h"
#include "render/geometry.h"
#include "render/light.h"
#include "render/parallel.h"
#include "render/sampler.h"

namespace pliant {
namespace {

constexpr int k_tile = 32;

struct View {
  Vec3f eye, forward, right, up;  // right and up as long as half the picture at distance 1
};

View make_view(const Camera& camera, double aspect) {
  const Vec3 forward = normalized(camera.target - camera.eye);
  const Vec3 world_up = std::abs(forward.y) < 0.999 ? Vec3{0, 1, 0} : Vec3{0, 0, -1};
  const Vec3 right = normalized(cross(forward, world_up));
  const Vec3 up = cross(right, forward);
  const double half = std::tan(camera.field_of_view / 2);
  return {cast<float>(camera.eye), cast<float>(forward), cast<float>(right * (half * aspect)),
          cast<float>(up * half)};
}

// The greatest of 1, 2, 5 times a power of ten that is not above x.
float round_down(float x) {
  const float power = std::pow(10.0f, std::floor(std::log10(x)));
  const float first = x / power;
  return power * (first >= 5 ? 5.0f : first >= 2 ? 2.0f : 1.0f);
}

Studio make_studio(const Camera& camera, int height) {
  Studio studio;
  studio.centre = cast<float>(camera.target);
  studio.scale = static_cast<float>(length(camera.eye - camera.target));
  studio.pixel = static_cast<float>(camera.field_of_view) / static_cast<float>(height);
  studio.cell = round_down(studio.scale / 7);
  return studio;
}

struct Film {
  std::vector<Vec3f> albedo, added;
  std::vector<LightPixel> light;
  std::vector<GuidePixel> guide;
  explicit Film(std::size_t pixels) : albedo(pixels), added(pixels), light(pixels), guide(pixels) {}
};

struct Job {
  const RayScene& scene;
  const RenderSettings& settings;
  View view;
  Studio studio;
};

float luminance(const Vec3f& c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

// Pixels that an edge crosses get this many times the samples.
constexpr int k_edge_factor = 4;

// The first samples of all pixels and the further ones of edges are sequences of their own, so that
// each is used without gaps.
SamplePoint nth_point(const RenderSettings& s, int x, int y, int i) {
  const auto n = static_cast<std::uint32_t>(s.samples), k = static_cast<std::uint32_t>(i);
  if (k < n) return {z_curve(x, y) * n + k, 0};
  return {z_curve(x, y) * (k_edge_factor - 1) * n + (k - n), 1};
}

Ray sample_ray(const Job& job, int x, int y, const SamplePoint& point) {
  const RenderSettings& s = job.settings;
  const Sample2 at = sample_2d(point, 0);
  const float px = 2 * (static_cast<float>(x) + at.u) / static_cast<float>(s.width) - 1;
  const float py = 1 - 2 * (static_cast<float>(y) + at.v) / static_cast<float>(s.height);
  return {job.view.eye, normalized(job.view.forward + job.view.right * px + job.view.up * py)};
}

// What the samples of a pixel add up to.
struct PixelSum {
  Vec3f albedo, added;
  Vec3f sky;                              // weighted with the albedo
  float sun = 0, sun_weight = 0;          // likewise
  float plain_sun = 0, plain_sun_sq = 0;  // for the noise
  Vec3f position, normal;
  float distance = 0;
  int samples = 0, hits = 0;
  // For finding edges: what the first sample saw, and whether another saw something else.
  int first = 0;
  Vec3f first_normal;
  bool edge = false;

  void note(int what, const Vec3f& n) {
    if (samples++ == 0) {
      first = what;
      first_normal = n;
    }
    edge = edge || what != first || (what != k_nothing && dot(n, first_normal) < 0.9f);
  }
  static constexpr int k_nothing = -1000;
};

void trace_sample(const Job& job, int x, int y, int i, PixelSum& sum) {
  const SamplePoint point = nth_point(job.settings, x, y, i);
  const Ray ray = sample_ray(job, x, y, point);
  Hit hit;
  if (!job.scene.closest(ray, hit)) {
    sum.note(PixelSum::k_nothing, {});
    sum.added += background(ray.direction);
    return;
  }
  sum.note(hit.ground >= 0 ? -1 - hit.ground : hit.material, hit.normal);
  const Look look = look_at(job.scene, ray, hit, job.studio);
  if (look.fade > 0) sum.added += background(ray.direction) * look.fade;
  if (look.fade >= 1) return;
  const Light light = light_at(job.scene, ray, hit, look, job.studio, point);
  const float w = luminance(look.albedo);
  sum.albedo += look.albedo;
  sum.added += light.glow;
  sum.sky += scaled(look.albedo, light.sky);
  sum.sun += w * light.sun;
  sum.sun_weight += w;
  sum.plain_sun += light.sun;
  sum.plain_sun_sq += light.sun * light.sun;
  sum.position += hit.position;
  sum.normal += hit.normal;
  sum.distance += hit.distance;
  ++sum.hits;
}

void trace_pixel(const Job& job, int x, int y, Film& film) {
  const int n = job.settings.samples;
  PixelSum sum;
  for (int i = 0; i < n; ++i) trace_sample(job, x, y, i, sum);
  if (sum.edge) {
    for (int i = n; i < k_edge_factor * n; ++i) trace_sample(job, x, y, i, sum);
  }
  const std::size_t pixel =
      static_cast<std::size_t>(y) * static_cast<std::size_t>(job.settings.width) +
      static_cast<std::size_t>(x);
  const float part = 1.0f / static_cast<float>(sum.samples);
  film.albedo[pixel] = sum.albedo * part;
  film.added[pixel] = sum.added * part;
  if (sum.sun_weight <= 0) return;
  const float h = 1.0f / static_cast<float>(sum.hits);
  film.light[pixel].sun = sum.sun / sum.sun_weight;
  for (int c = 0; c < 3; ++c) {
    film.light[pixel].sky[c] = sum.sky[c] / std::max(sum.albedo[c], 1e-6f);
  }
  const float mean = sum.plain_sun * h;
  film.guide[pixel] = {sum.position * h, normalized(sum.normal),
                       std::sqrt(std::max(0.0f, sum.plain_sun_sq * h - mean * mean)),
                       sum.distance * h * job.studio.pixel};
}

// Straight up to 0.7, then bent so that nothing burns out: colours stay what the palette says.
float toned(float x) {
  constexpr float k_knee = 0.7f;
  if (x <= k_knee) return std::max(0.0f, x);
  return k_knee + (1 - k_knee) * (1 - std::exp(-(x - k_knee) / (1 - k_knee)));
}

std::uint8_t srgb_byte(float x) {
  const float s = x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f;
  if (!(s > 0)) return 0;  // not-a-number too
  return static_cast<std::uint8_t>(std::min(s * 255 + 0.5f, 255.0f));
}

Image develop(const RenderSettings& s, int threads, const Film& film) {
  Image image{s.width, s.height, {}};
  image.rgb.resize(film.albedo.size() * 3);
  parallel_blocks(threads, s.height, [&](int y) {
    for (int x = 0; x < s.width; ++x) {
      const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(s.width) +
                            static_cast<std::size_t>(x);
      const Vec3f light = film.light[i].sky + k_sun_colour * film.light[i].sun;
      const Vec3f colour = scaled(film.albedo[i], light) + film.added[i];
      for (int c = 0; c < 3; ++c) {
        image.rgb[3 * i + static_cast<std::size_t>(c)] = srgb_byte(toned(colour[c]));
      }
    }
  });
  return image;
}

Status check(const FrameLayout& layout, const Frame& frame, const RenderSettings& s) {
  constexpr int k_side = 16384;  // 2^14; the Z curve and the memory end there
  if (s.width < 1 || s.height < 1 || s.width > k_side || s.height > k_side) {
    return Error{"picture", fmt::format("{} x {} pixels; each side may have 1 to {}", s.width,
                                        s.height, k_side)};
  }
  if (s.samples < 1 || s.samples > 4096) {
    return Error{"picture", fmt::format("{} samples; 1 to 4096 are accepted", s.samples)};
  }
  bool fits = frame.poses.size() == layout.bodies.size() &&
              frame.positions.size() == layout.surfaces.size();
  for (std::size_t i = 0; fits && i < layout.surfaces.size(); ++i) {
    const FrameSurface& surface = layout.surfaces[i];
    fits = frame.positions[i].size() == static_cast<std::size_t>(surface.vertex_count);
    for (const Triangle& t : surface.triangles) {
      for (const std::int32_t v : t) fits = fits && v >= 0 && v < surface.vertex_count;
    }
  }
  if (!fits) return Error{"picture", "the frame has other bodies or vertices than its layout"};
  const Camera& c = s.camera;
  if (c.given && (!finite(c.eye) || !finite(c.target) || c.eye == c.target ||
                  !(c.field_of_view > 0.001 && c.field_of_view < 3.1))) {
    return Error{"camera", "eye and target must differ, the field of view lie in 0.001 to 3.1 rad"};
  }
  return Done{};
}

}  // namespace

RenderSettings film_settings() {
  RenderSettings settings;
  settings.width = 960;
  settings.height = 540;
  settings.samples = 2;
  return settings;
}

Result<Image> render_frame(const FrameLayout& layout, const Frame& frame,
                           const RenderSettings& settings) {
  Status fits = check(layout, frame, settings);
  if (!fits.ok()) return fits.error();
  const int machine = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int threads = settings.threads > 0 ? settings.threads : machine;
  const double aspect = double(settings.width) / settings.height;
  const Camera camera =
      settings.camera.given ? settings.camera : fit_camera(layout, {&frame, 1}, aspect);
  const RayScene scene(layout, frame, camera.eye);
  const Job job{scene, settings, make_view(camera, aspect), make_studio(camera, settings.height)};
  Film film(static_cast<std::size_t>(settings.width) * static_cast<std::size_t>(settings.height));
  const int across = (settings.width + k_tile - 1) / k_tile;
  const int down = (settings.height + k_tile - 1) / k_tile;
  parallel_blocks(threads, across * down, [&](int tile) {
    const int x0 = tile % across * k_tile, y0 = tile / across * k_tile;
    for (int y = y0; y < std::min(y0 + k_tile, settings.height); ++y) {
      for (int x = x0; x < std::min(x0 + k_tile, settings.width); ++x) trace_pixel(job, x, y, film);
    }
  });
  if (settings.denoise) {
    smooth_light(settings.width, settings.height, threads, film.guide, film.light);
  }
  return develop(settings, threads, film);
}

}  // namespace pliant
