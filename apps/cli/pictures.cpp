#include "apps/cli/pictures.h"

#include <fmt/core.h>

#include "apps/cli/files.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/progress.h"
#include "render/film.h"
#include "render/render.h"

namespace pliant::cli {
namespace {

constexpr int k_film_rate = 30;              // pictures a second
constexpr std::size_t k_camera_frames = 16;  // that the film's camera must see

RenderSettings render_settings(const PictureSettings& settings, RenderSettings base) {
  base.width = settings.width;
  base.height = settings.height;
  base.threads = settings.threads;
  base.camera = settings.camera;
  return base;
}

// One camera for the whole film, chosen from frames spread over it.
Result<Camera> film_camera(FrameReader& recording, const PictureSettings& settings) {
  if (settings.camera.given) return settings.camera;
  std::vector<Frame> frames;
  const std::size_t stride = 1 + recording.size() / k_camera_frames;
  for (std::size_t i = 0; i < recording.size(); i += stride) {
    frames.emplace_back();
    if (Status read = recording.read(i, frames.back()); !read.ok()) return read.error();
  }
  return fit_camera(recording.layout(), frames,
                    static_cast<double>(settings.width) / settings.height);
}

// How many pictures of the film show a frame: those whose time has come with it.
int pictures_due(double time, double first, int written) {
  const int due = static_cast<int>((time - first) * k_film_rate + 1e-6) + 1;
  return due - written;
}

Status write_pictures(FilmWriter& film, FrameReader& recording, const RenderSettings& settings) {
  Progress progress("film", static_cast<int>(recording.size()));
  Frame frame;
  double first = 0;
  int written = 0;
  for (std::size_t i = 0; i < recording.size() && !interrupted(); ++i) {
    if (Status read = recording.read(i, frame); !read.ok()) return read;
    if (i == 0) first = frame.time;
    int due = pictures_due(frame.time, first, written);
    if (due <= 0) continue;
    const Result<Image> image = render_frame(recording.layout(), frame, settings);
    if (!image.ok()) return image.error();
    for (; due > 0; --due, ++written) {
      if (Status status = film.write(image.value()); !status.ok()) return status;
    }
    progress.update(static_cast<int>(i) + 1, fmt::format("t {:.2f} s", frame.time));
  }
  return Done{};
}

}  // namespace

Status save_picture(const std::string& path, const FrameLayout& layout, const Frame& frame,
                    const PictureSettings& settings) {
  const Result<Image> image = render_frame(layout, frame, render_settings(settings, {}));
  if (!image.ok()) return image.error();
  return write_whole(
      path, [&](const std::string& temporary) { return save_png(temporary, image.value()); });
}

Status save_film(const std::string& path, FrameReader& recording, const PictureSettings& settings) {
  if (recording.size() == 0) return Error{path, "the recording holds no whole frame"};
  RenderSettings render = render_settings(settings, film_settings());
  const Result<Camera> camera = film_camera(recording, settings);
  if (!camera.ok()) return camera.error();
  render.camera = camera.value();
  Result<FilmWriter> film = FilmWriter::create(path, render.width, render.height, k_film_rate);
  if (!film.ok()) return film.error();
  if (Status status = write_pictures(film.value(), recording, render); !status.ok()) return status;
  return film.value().finish();
}

}  // namespace pliant::cli
