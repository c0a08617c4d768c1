// Pictures and films of frames, with progress and Ctrl-C.
#pragma once

#include <pliant/frame.h>
#include <pliant/record.h>
#include <pliant/scene.h>

#include <string>

namespace pliant::cli {

struct PictureSettings {
  int width = 1280;
  int height = 720;
  int threads = 0;  // 0 = the machine's number
  Camera camera;    // not given: chosen to show everything
};

Status save_picture(const std::string& path, const FrameLayout& layout, const Frame& frame,
                    const PictureSettings& settings);
// The whole recording at 30 pictures a second of simulated time; Ctrl-C ends the film early.
Status save_film(const std::string& path, FrameReader& recording, const PictureSettings& settings);

}  // namespace pliant::cli
