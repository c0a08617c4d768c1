// Recordings: the frames of a run in one compact file. Each frame is written whole and checked when
// it is read, so that a run that is killed leaves a readable file up to its last whole frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <pliant/frame.h>
#include <pliant/result.h>

namespace pliant {

class FrameWriter {
 public:
  static Result<FrameWriter> create(const std::string& path, const FrameLayout& layout);
  FrameWriter(FrameWriter&&) noexcept;
  ~FrameWriter();
  Status write(
      const Frame& frame);  // an Error when the disk is full; what was written stays readable

 private:
  struct Impl;
  explicit FrameWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

class FrameReader {
 public:
  static Result<FrameReader> open(const std::string& path);
  FrameReader(FrameReader&&) noexcept;
  ~FrameReader();
  const FrameLayout& layout() const;
  std::size_t size() const;  // whole frames in the file
  Status read(std::size_t index, Frame& frame);

 private:
  struct Impl;
  explicit FrameReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// --- other formats, one file or set of files per frame
// ------------------------------------------------ Triangulated surfaces of all bodies. OBJ: one
// file; VTU: one file, to be listed by save_pvd.
Status save_obj_frame(const std::string& path, const FrameLayout& layout, const Frame& frame);
Status save_vtu_frame(const std::string& path, const FrameLayout& layout, const Frame& frame);
// A ParaView collection of the given files and times.
Status save_pvd(const std::string& path, const std::vector<std::pair<double, std::string>>& files);

// The triangles of a rigid shape in its body's frame; a half-space becomes a square of `extent`.
TriMesh shape_mesh(const Shape& shape, double extent = 10);

}  // namespace pliant
