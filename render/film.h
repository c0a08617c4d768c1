// Films: pictures sent to ffmpeg, which makes an H.264 MP4 that every browser plays.
#pragma once

#include <memory>
#include <string>

#include "render/render.h"

namespace pliant {

class FilmWriter {
 public:
  // An Error where ffmpeg is not installed. Until finish() the film is at `path` + ".part".
  static Result<FilmWriter> create(const std::string& path, int width, int height,
                                   int frames_per_second);
  FilmWriter(FilmWriter&&) noexcept;
  ~FilmWriter();  // without finish() the unfinished film is removed
  Status write(const Image& image);
  Status finish();

 private:
  struct Impl;
  explicit FilmWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace pliant
