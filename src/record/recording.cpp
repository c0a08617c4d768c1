// The recording file. All numbers little-endian:
//   magic "PLIANTRC", u32 version, u32 bytes of the layout, u64 checksum of the layout, the layout
//   then for each frame: u32 mark "FRAM", u64 bytes, u64 checksum of the frame, the frame
// The layout fixes the size of a frame (time f64; for each body position and rotation, 7 f64; for
// each vertex 3 f32), so the place of every frame is known and damage to one hides no other.
#include <fmt/format.h>

#include <cstring>

#include <pliant/record.h>

#include "record/bytes.h"
#include "record/file.h"
#include "record/layout_bytes.h"

namespace pliant {
namespace {

constexpr char k_magic[9] = "PLIANTRC";
constexpr std::uint32_t k_version = 2;
constexpr std::size_t k_file_head = 8 + 4 + 4 + 8;
constexpr std::uint32_t k_mark = 0x4d415246;  // "FRAM"
constexpr std::size_t k_frame_head = 4 + 8 + 8;

// Counts are below 2^32 and 2^31, so that 64 bits hold the sum of any layout that a file can hold.
std::uint64_t frame_bytes(const FrameLayout& layout) {
  std::uint64_t n = 8 + 56 * std::uint64_t{layout.bodies.size()};
  for (const FrameSurface& s : layout.surfaces) {
    n += 12 * static_cast<std::uint64_t>(s.vertex_count);
  }
  return n;
}

Status check_fits(const std::string& path, const FrameLayout& layout, const Frame& frame) {
  if (frame.poses.size() != layout.bodies.size()) {
    return Error{path, fmt::format("frame has {} poses, its layout {} bodies", frame.poses.size(),
                                   layout.bodies.size())};
  }
  if (frame.positions.size() != layout.surfaces.size()) {
    return Error{path, fmt::format("frame has {} surfaces, its layout {}", frame.positions.size(),
                                   layout.surfaces.size())};
  }
  for (std::size_t i = 0; i < frame.positions.size(); ++i) {
    const auto expected = static_cast<std::size_t>(layout.surfaces[i].vertex_count);
    if (frame.positions[i].size() != expected) {
      return Error{path, fmt::format("surface {} of the frame has {} vertices, its layout {}", i,
                                     frame.positions[i].size(), expected)};
    }
  }
  return Done{};
}

void put_frame(ByteWriter& out, const Frame& frame) {
  out.f64(frame.time);
  for (const Transform& pose : frame.poses) {
    out.vec(pose.position);
    const Quat& q = pose.rotation;
    out.f64(q.x), out.f64(q.y), out.f64(q.z), out.f64(q.w);
  }
  for (const std::vector<Vec3f>& surface : frame.positions) {
    for (const Vec3f& p : surface) out.vec(p);
  }
}

// The bytes have the size that the layout gives.
void get_frame(ByteReader& in, const FrameLayout& layout, Frame& frame) {
  frame.time = in.f64();
  frame.poses.resize(layout.bodies.size());
  for (Transform& pose : frame.poses) {
    pose.position = in.vec();
    Quat& q = pose.rotation;
    q.x = in.f64(), q.y = in.f64(), q.z = in.f64(), q.w = in.f64();
  }
  frame.positions.resize(layout.surfaces.size());
  for (std::size_t i = 0; i < layout.surfaces.size(); ++i) {
    frame.positions[i].resize(static_cast<std::size_t>(layout.surfaces[i].vertex_count));
    for (Vec3f& p : frame.positions[i]) p = in.vec_f32();
  }
}

}  // namespace

// --- writing ------------------------------------------------------------------------------------
struct FrameWriter::Impl {
  File file;
  FrameLayout layout;
  std::uint64_t whole = 0;  // bytes up to the end of the last whole frame
  bool broken = false;      // a part of a frame is left behind and could not be removed
  ByteWriter payload, record;
};

FrameWriter::FrameWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FrameWriter::FrameWriter(FrameWriter&&) noexcept = default;
FrameWriter::~FrameWriter() = default;

Result<FrameWriter> FrameWriter::create(const std::string& path, const FrameLayout& layout) {
  ByteWriter body;
  put_layout(body, layout);
  // What is written is read back by the same rules, so that no recording is made that cannot be
  // opened.
  ByteReader check(body.bytes());
  Result<FrameLayout> readable = get_layout(check, path);
  if (!readable.ok()) return readable.error();
  ByteWriter head;
  for (int i = 0; i < 8; ++i) head.u8(static_cast<std::uint8_t>(k_magic[i]));
  head.u32(k_version);
  head.u32(static_cast<std::uint32_t>(body.bytes().size()));
  head.u64(checksum(body.bytes()));
  head.append(body.bytes());
  Result<File> file = File::create(path);
  if (!file.ok()) return file.error();
  Status written = file.value().write(head.bytes());
  if (!written.ok()) return written.error();
  return FrameWriter(std::make_unique<Impl>(
      Impl{std::move(file).value(), layout, head.bytes().size(), false, {}, {}}));
}

Status FrameWriter::write(const Frame& frame) {
  Impl& w = *impl_;
  Status fits = check_fits(w.file.path(), w.layout, frame);
  if (!fits.ok()) return fits;
  if (w.broken) return Error{w.file.path(), "an earlier frame could not be written"};
  w.payload.clear();
  put_frame(w.payload, frame);
  w.record.clear();
  w.record.u32(k_mark);
  w.record.u64(w.payload.bytes().size());
  w.record.u64(checksum(w.payload.bytes()));
  w.record.append(w.payload.bytes());
  Status written = w.file.write(w.record.bytes());
  if (!written.ok()) {
    w.broken = !w.file.shorten(w.whole);
    return written;
  }
  w.whole += w.record.bytes().size();
  return Done{};
}

// --- reading ------------------------------------------------------------------------------------
struct FrameReader::Impl {
  File file;
  FrameLayout layout;
  std::vector<std::uint64_t> offsets;  // of the whole frames
  std::vector<std::uint8_t> buffer;
};

FrameReader::FrameReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FrameReader::FrameReader(FrameReader&&) noexcept = default;
FrameReader::~FrameReader() = default;
const FrameLayout& FrameReader::layout() const { return impl_->layout; }
std::size_t FrameReader::size() const { return impl_->offsets.size(); }

namespace {

struct Head {
  FrameLayout layout;
  std::uint64_t end = 0;  // where the first frame begins
};

Result<Head> read_head(const File& file, std::uint64_t size) {
  const std::string& path = file.path();
  if (size < k_file_head) {
    return Error{path,
                 fmt::format("is no recording: {} bytes, a header has {}", size, k_file_head)};
  }
  std::vector<std::uint8_t> bytes(k_file_head);
  Status got = file.read(0, bytes);
  if (!got.ok()) return got.error();
  if (std::memcmp(bytes.data(), k_magic, 8) != 0) {
    return Error{path + ", byte 0", "is no recording: the first 8 bytes must be PLIANTRC"};
  }
  ByteReader in(std::span<const std::uint8_t>(bytes).subspan(8));
  const std::uint32_t version = in.u32();
  if (version != k_version) {
    return Error{path + ", byte 8", fmt::format("recording has version {}, this program reads {}",
                                                version, k_version)};
  }
  const std::uint32_t length = in.u32();
  const std::uint64_t sum = in.u64();
  if (length > size - k_file_head) {
    return Error{path, fmt::format("recording ends inside its layout: {} bytes of {}",
                                   size - k_file_head, length)};
  }
  bytes.resize(length);
  got = file.read(k_file_head, bytes);
  if (!got.ok()) return got.error();
  if (checksum(bytes) != sum) {
    return Error{path + fmt::format(", byte {}", k_file_head), "layout is damaged (checksum)"};
  }
  ByteReader body(bytes);
  Result<FrameLayout> layout = get_layout(body, path);
  if (!layout.ok()) return layout.error();
  return Head{std::move(layout).value(), k_file_head + length};
}

}  // namespace

Result<FrameReader> FrameReader::open(const std::string& path) {
  Result<File> file = File::open(path);
  if (!file.ok()) return file.error();
  Result<std::uint64_t> size = file.value().size();
  if (!size.ok()) return size.error();
  Result<Head> head = read_head(file.value(), size.value());
  if (!head.ok()) return head.error();
  const std::uint64_t stride = k_frame_head + frame_bytes(head.value().layout);
  std::vector<std::uint64_t> offsets;
  for (std::uint64_t at = head.value().end; size.value() - at >= stride; at += stride) {
    offsets.push_back(at);
  }
  return FrameReader(std::make_unique<Impl>(
      Impl{std::move(file).value(), std::move(head.value().layout), std::move(offsets), {}}));
}

Status FrameReader::read(std::size_t index, Frame& frame) {
  Impl& r = *impl_;
  if (index >= r.offsets.size()) {
    return Error{r.file.path(), fmt::format("frame {} asked for, there are {} (counted from 0)",
                                            index, r.offsets.size())};
  }
  const std::uint64_t length = frame_bytes(r.layout);
  r.buffer.resize(k_frame_head + length);
  Status got = r.file.read(r.offsets[index], r.buffer);
  if (!got.ok()) return got;
  const std::span<const std::uint8_t> bytes = r.buffer;
  ByteReader head(bytes.first(k_frame_head));
  const bool marked = head.u32() == k_mark;
  const bool sized = head.u64() == length;
  const bool sound = head.u64() == checksum(bytes.subspan(k_frame_head));
  if (!marked || !sized || !sound) {
    return Error{r.file.path() + fmt::format(", byte {}", r.offsets[index]),
                 fmt::format("frame {} is damaged ({})", index,
                             !marked  ? "no mark"
                             : !sized ? "wrong length"
                                      : "checksum")};
  }
  ByteReader in(bytes.subspan(k_frame_head));
  get_frame(in, r.layout, frame);
  return Done{};
}

}  // namespace pliant
