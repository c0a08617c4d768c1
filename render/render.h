// Pictures of frames: ray traced on the processor, with soft shadows and light from the whole sky.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <pliant/frame.h>
#include <pliant/result.h>
#include <pliant/scene.h>

namespace pliant {

// Rows from the top, three bytes (sRGB) for each pixel.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

struct RenderSettings {
  int width = 1280, height = 720;  // pixels
  int samples = 3;                 // paths for each pixel, four times as many on edges
  int threads = 0;      // 0 takes the machine's number; the picture does not depend on it
  bool denoise = true;  // smooths the light, not the surfaces
  Camera camera;        // where not given, fit_camera chooses
};
// Quick enough for the frames of a film.
RenderSettings film_settings();

// The camera that shows all bodies but half-spaces, and fixed boxes so large that they are floors
// or walls. Several frames give one camera that sees them all. `aspect` is width / height.
Camera fit_camera(const FrameLayout& layout, std::span<const Frame> frames, double aspect);

// An Error where the frame does not fit the layout or a setting is out of its range.
Result<Image> render_frame(const FrameLayout& layout, const Frame& frame,
                           const RenderSettings& settings = {});

Status save_png(const std::string& path, const Image& image);

}  // namespace pliant
