#include "apps/cli/run_outputs.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "apps/cli/files.h"

namespace pliant::cli {
namespace fs = std::filesystem;
namespace {

// Rewriting the list of frames at each of them would cost the square of their number.
constexpr auto k_collection_interval = std::chrono::seconds(1);

// A name of the user's in a CSV heading: quoted where it has to be.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  quoted += '"';
  return quoted;
}

std::string csv_heading(const Scene& scene) {
  std::string text =
      "time,kinetic_energy,potential_energy,elastic_energy,momentum_x,momentum_y,momentum_z,"
      "angular_momentum_x,angular_momentum_y,angular_momentum_z,penetration_max,penetration_mean,"
      "stretch_max,contacts,asleep,step_ms";
  for (int i = 0; i < k_stage_count; ++i) {
    text += fmt::format(",{}_ms", stage_name(static_cast<Stage>(i)));
  }
  for (const SolidDef& solid : scene.solids)
    text += fmt::format(",{}", csv_field("volume_ratio:" + solid.name));
  for (const ClothDef& cloth : scene.cloths)
    text += fmt::format(",{}", csv_field("stretch_max:" + cloth.name));
  return text + "\n";
}

}  // namespace

Status RunOutputs::open(const OutputPaths& paths, const Scene& scene, const FrameLayout& layout) {
  paths_ = paths;
  if (!paths.directory.empty()) {
    for (const char* sub : {"", "vtu", "obj"}) {
      const bool wanted = *sub == 0 || (*sub == 'v' ? paths.vtu : paths.obj);
      if (!wanted) continue;
      Status made = make_output_directory((fs::path(paths.directory) / sub).string());
      if (!made.ok()) return made;
    }
    if (Status csv = open_csv(scene); !csv.ok()) return csv;
  }
  if (paths.recording.empty()) return Done{};
  Result<FrameWriter> writer = FrameWriter::create(paths.recording, layout);
  if (!writer.ok()) return writer.error();
  writer_.emplace(std::move(writer).value());
  return Done{};
}

Status RunOutputs::open_csv(const Scene& scene) {
  const std::string path = (fs::path(paths_.directory) / "measurements.csv").string();
  errno = 0;
  csv_.open(path);
  csv_ << csv_heading(scene) << std::flush;
  if (!csv_) return Error{path, fmt::format("cannot be written: {}", std::strerror(errno))};
  return Done{};
}

Status RunOutputs::write_frame(const FrameLayout& layout, const Frame& frame) {
  if (writer_) {
    if (Status status = writer_->write(frame); !status.ok()) return status;
  }
  if (paths_.vtu) {
    if (Status status = write_vtu(layout, frame); !status.ok()) return status;
  }
  if (paths_.obj) {
    const fs::path path = fs::path(paths_.directory) / fmt::format("obj/frame_{:05}.obj", frames_);
    Status status = write_whole(path.string(), [&](const std::string& temporary) {
      return save_obj_frame(temporary, layout, frame);
    });
    if (!status.ok()) return status;
  }
  ++frames_;
  return Done{};
}

Status RunOutputs::write_vtu(const FrameLayout& layout, const Frame& frame) {
  const std::string name = fmt::format("vtu/frame_{:05}.vtu", frames_);
  const fs::path path = fs::path(paths_.directory) / name;
  Status status = write_whole(path.string(), [&](const std::string& temporary) {
    return save_vtu_frame(temporary, layout, frame);
  });
  if (!status.ok()) return status;
  vtu_files_.emplace_back(frame.time, name);
  const auto now = std::chrono::steady_clock::now();
  if (now < next_collection_) return Done{};
  next_collection_ = now + k_collection_interval;
  return write_collection();
}

Status RunOutputs::write_collection() {
  return write_whole((fs::path(paths_.directory) / "frames.pvd").string(),
                     [&](const std::string& temporary) { return save_pvd(temporary, vtu_files_); });
}

Status RunOutputs::write_measurements(const StepRecord& step, const StepStats& stats) {
  if (!csv_.is_open()) return Done{};
  const Measurements& m = step.measurements;
  std::string line = fmt::format(
      "{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},"
      "{},{},{:.6g}",
      m.time, m.kinetic_energy, m.potential_energy, m.elastic_energy, m.momentum.x, m.momentum.y,
      m.momentum.z, m.angular_momentum.x, m.angular_momentum.y, m.angular_momentum.z,
      m.penetration_max, m.penetration_mean, m.stretch_max, m.contacts, m.asleep, step.ms);
  for (const double ms : stats.stage_ms) line += fmt::format(",{:.6g}", ms);
  for (const double ratio : step.volume_ratios) line += fmt::format(",{:.9g}", ratio);
  for (const double stretch : step.stretches) line += fmt::format(",{:.9g}", stretch);
  errno = 0;
  csv_ << line << '\n' << std::flush;
  if (csv_) return Done{};
  return Error{(fs::path(paths_.directory) / "measurements.csv").string(),
               fmt::format("cannot be written: {}", std::strerror(errno))};
}

Status RunOutputs::close(std::vector<std::string>& outputs) {
  const fs::path directory(paths_.directory);
  if (csv_.is_open()) outputs.push_back((directory / "measurements.csv").string());
  if (writer_) outputs.push_back(paths_.recording);
  writer_.reset();
  if (paths_.vtu) {
    if (Status status = write_collection(); !status.ok()) return status;
    outputs.push_back((directory / "frames.pvd").string());
  }
  if (paths_.obj) outputs.push_back((directory / "obj").string());
  return Done{};
}

}  // namespace pliant::cli
