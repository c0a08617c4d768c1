// `pliant render`: a picture or a film of a scene or of a recording.
#include <fmt/core.h>

#include <unistd.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/pictures.h"
#include "apps/cli/progress.h"
#include "apps/cli/scene_input.h"

namespace pliant::cli {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

PictureSettings picture_settings(const RenderOptions& options) {
  PictureSettings settings;
  settings.width = options.width;
  settings.height = options.height;
  settings.threads = options.threads;
  return settings;
}

int timed(const RenderOptions& options, Clock::time_point begin, const Status& status) {
  if (!status.ok()) return fail(status.error());
  fmt::print("wrote {} ({}x{}, rendered in {:.2f} s)\n", options.output, options.width,
             options.height, std::chrono::duration<double>(Clock::now() - begin).count());
  return 0;
}

// Steps the scene, giving each frame to `use`, which may fail.
template <class Use>
Status play(LoadedScene& loaded, int steps, Use use) {
  Frame frame;
  loaded.world.world.capture(frame);
  Status status = use(frame);
  Progress progress("simulate", steps);
  for (int i = 0; i < steps && status.ok() && !interrupted(); ++i) {
    loaded.world.world.step(loaded.scene.dt);
    loaded.world.world.capture(frame);
    status = use(frame);
    progress.update(i + 1, fmt::format("t {:.2f} s", frame.time));
  }
  return status;
}

int scene_picture(const RenderOptions& options, LoadedScene& loaded) {
  Frame last;
  const double at = options.at.value_or(0);
  const int steps = at > 0 ? step_count(loaded.scene, at) : 0;
  const Status played = play(loaded, steps, [&](const Frame& frame) -> Status {
    last = frame;
    return Done{};
  });
  if (!played.ok()) return fail(played.error());
  if (interrupted()) return 1;
  PictureSettings settings = picture_settings(options);
  settings.camera = loaded.scene.camera;
  const Clock::time_point begin = Clock::now();
  return timed(options, begin,
               save_picture(options.output, loaded.world.world.frame_layout(), last, settings));
}

int recording_film(const RenderOptions& options, FrameReader& recording, const Camera& camera) {
  PictureSettings settings = picture_settings(options);
  settings.camera = camera;
  const Clock::time_point begin = Clock::now();
  return timed(options, begin, save_film(options.output, recording, settings));
}

// A film of a scene goes through a recording beside it, which is then removed.
int scene_film(const RenderOptions& options, LoadedScene& loaded) {
  const std::string path = fmt::format("{}.part{}.plr", options.output, getpid());
  int code = 1;
  {
    Result<FrameWriter> writer = FrameWriter::create(path, loaded.world.world.frame_layout());
    if (!writer.ok()) return fail(writer.error());
    const int steps = step_count(loaded.scene, loaded.scene.seconds);
    const Status played =
        play(loaded, steps, [&](const Frame& frame) { return writer.value().write(frame); });
    if (!played.ok())
      code = fail(played.error());
    else
      code = 0;
  }
  if (code == 0) {
    Result<FrameReader> reader = FrameReader::open(path);
    code = reader.ok() ? recording_film(options, reader.value(), loaded.scene.camera)
                       : fail(reader.error());
  }
  std::error_code ignored;
  fs::remove(path, ignored);
  return code;
}

int recording_picture(const RenderOptions& options, FrameReader& recording) {
  if (recording.size() == 0) return fail({options.input, "holds no whole frame"});
  Frame frame, best;
  if (const Status read = recording.read(recording.size() - 1, best); !read.ok()) {
    return fail(read.error());
  }
  for (std::size_t i = 0; options.at && i < recording.size(); ++i) {
    if (const Status read = recording.read(i, frame); !read.ok()) return fail(read.error());
    if (std::abs(frame.time - *options.at) < std::abs(best.time - *options.at)) best = frame;
  }
  const Clock::time_point begin = Clock::now();
  return timed(options, begin,
               save_picture(options.output, recording.layout(), best, picture_settings(options)));
}

}  // namespace

int cmd_render(const RenderOptions& options) {
  const InterruptGuard guard;
  const bool film = options.output.ends_with(".mp4");
  if (file_kind(options.input) == FileKind::scene) {
    std::vector<Error> problems;
    std::optional<LoadedScene> loaded =
        load_for_run(options.input, options.set, options.threads, problems);
    if (!loaded) return 1;
    return film ? scene_film(options, *loaded) : scene_picture(options, *loaded);
  }
  Result<FrameReader> recording = FrameReader::open(options.input);
  if (!recording.ok()) return fail(recording.error());
  return film ? recording_film(options, recording.value(), {})
              : recording_picture(options, recording.value());
}

}  // namespace pliant::cli
