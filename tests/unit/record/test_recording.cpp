// Recordings: what goes in comes out, whatever is cut off or damaged is noticed.
#include <sys/resource.h>

#include <csignal>

#include "unit/record/frames.h"

namespace pliant {
namespace {

constexpr int k_frames = 3;

void write_small(const std::string& path) {
  FrameWriter writer = FrameWriter::create(path, small_layout()).value();
  for (int i = 0; i < k_frames; ++i) ASSERT_TRUE(writer.write(small_frame(i)).ok());
}

TEST_F(RecordTest, every_shape_comes_back) {
  FrameLayout layout;
  layout.bodies = {{"tin", Motion::dynamic, Cylinder{0.1, 0.2}},
                   {"hat", Motion::dynamic, Cone{0.3, 0.4}},
                   {"egg", Motion::fixed, Ellipsoid{{0.1, 0.2, 0.3}}}};
  { FrameWriter::create(path("shapes.plr"), layout).value(); }
  const FrameReader reader = FrameReader::open(path("shapes.plr")).value();
  const std::vector<FrameBody>& bodies = reader.layout().bodies;
  EXPECT_EQ(std::get<Cylinder>(bodies.at(0).shape).half_height, 0.2);
  EXPECT_EQ(std::get<Cone>(bodies.at(1).shape).height, 0.4);
  EXPECT_EQ(std::get<Ellipsoid>(bodies.at(2).shape).half.z, 0.3);
}

TEST_F(RecordTest, round_trip_is_exact_in_any_order) {
  write_small(path("a.rec"));
  FrameReader reader = FrameReader::open(path("a.rec")).value();
  ASSERT_EQ(reader.size(), std::size_t(k_frames));
  const FrameLayout expected = small_layout();
  const FrameLayout& layout = reader.layout();
  ASSERT_EQ(layout.bodies.size(), expected.bodies.size());
  for (std::size_t i = 0; i < expected.bodies.size(); ++i) {
    EXPECT_EQ(layout.bodies[i].name, expected.bodies[i].name);
    EXPECT_EQ(layout.bodies[i].motion, expected.bodies[i].motion);
    EXPECT_EQ(layout.bodies[i].shape.index(), expected.bodies[i].shape.index());
  }
  EXPECT_EQ(std::get<Sphere>(layout.bodies[1].shape).radius, 0.25);
  EXPECT_EQ(std::get<Box>(layout.bodies[2].shape).half, (Vec3{0.1, 0.2, 0.3}));
  EXPECT_EQ(std::get<Capsule>(layout.bodies[3].shape).radius, 0.1);
  EXPECT_EQ(std::get<Capsule>(layout.bodies[3].shape).half_height, 0.2);
  ASSERT_EQ(layout.surfaces.size(), expected.surfaces.size());
  for (std::size_t i = 0; i < expected.surfaces.size(); ++i) {
    EXPECT_EQ(layout.surfaces[i].name, expected.surfaces[i].name);
    EXPECT_EQ(layout.surfaces[i].kind, expected.surfaces[i].kind);
    EXPECT_EQ(layout.surfaces[i].vertex_count, expected.surfaces[i].vertex_count);
    EXPECT_EQ(layout.surfaces[i].triangles, expected.surfaces[i].triangles);
    EXPECT_EQ(layout.surfaces[i].colour, expected.surfaces[i].colour);
  }
  Frame frame;
  for (const int i : {2, 0, 1}) {
    ASSERT_TRUE(reader.read(std::size_t(i), frame).ok());
    EXPECT_TRUE(same(frame, small_frame(i))) << i;
  }
  EXPECT_FALSE(same(frame, small_frame(2)));  // the comparison can fail
  EXPECT_FALSE(reader.read(k_frames, frame).ok());
}

TEST_F(RecordTest, bytes_are_little_endian_at_fixed_places) {
  write_small(path("a.rec"));
  const std::string bytes = load_text(path("a.rec"));
  EXPECT_EQ(bytes.substr(0, 12), std::string("PLIANTRC\x02\0\0\0", 12));
  // One frame: mark, length and sum; time, 4 poses of 7 doubles, 7 vertices of 3 floats.
  const std::size_t frame = 20 + 8 + 4 * 56 + 7 * 12;
  const std::size_t second = bytes.size() - 2 * frame;
  EXPECT_EQ(bytes.substr(second, 6), std::string("FRAM\x3c\x01", 6));  // 0x13c = 316
  // 1/60 as IEEE double is 0x3F91111111111111.
  EXPECT_EQ(bytes.substr(second + 20, 8), "\x11\x11\x11\x11\x11\x11\x91\x3f");
}

TEST_F(RecordTest, every_truncation_leaves_the_whole_frames_before_it) {
  write_small(path("a.rec"));
  const std::string bytes = load_text(path("a.rec"));
  const std::size_t frame_size = 20 + 8 + 4 * 56 + 7 * 12;
  const std::size_t head = bytes.size() - k_frames * frame_size;
  Frame frame;
  for (std::size_t n = 0; n <= bytes.size(); ++n) {
    store_text(path("cut.rec"), bytes.substr(0, n));
    Result<FrameReader> reader = FrameReader::open(path("cut.rec"));
    ASSERT_EQ(reader.ok(), n >= head) << n;
    if (!reader.ok()) {
      EXPECT_NE(reader.error().text().find("cut.rec"), std::string::npos);
      continue;
    }
    const std::size_t whole = (n - head) / frame_size;
    ASSERT_EQ(reader.value().size(), whole) << n;
    for (std::size_t i = 0; i < whole; ++i) {
      ASSERT_TRUE(reader.value().read(i, frame).ok()) << n;
      ASSERT_TRUE(same(frame, small_frame(int(i)))) << n;
    }
  }
}

// Every byte of the file is covered by a magic word, a version, a length or a checksum.
TEST_F(RecordTest, every_damaged_byte_is_found_and_hides_no_other_frame) {
  write_small(path("a.rec"));
  const std::string bytes = load_text(path("a.rec"));
  const std::size_t frame_size = 20 + 8 + 4 * 56 + 7 * 12;
  const std::size_t head = bytes.size() - k_frames * frame_size;
  Frame frame;
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    std::string damaged = bytes;
    damaged[n] = static_cast<char>(damaged[n] ^ (n % 2 == 0 ? 0x80 : 0xff));
    store_text(path("bad.rec"), damaged);
    Result<FrameReader> reader = FrameReader::open(path("bad.rec"));
    ASSERT_EQ(reader.ok(), n >= head) << n;
    if (!reader.ok()) continue;
    ASSERT_EQ(reader.value().size(), std::size_t(k_frames));
    for (std::size_t i = 0; i < k_frames; ++i) {
      const bool hit = (n - head) / frame_size == i;
      ASSERT_EQ(reader.value().read(i, frame).ok(), !hit) << n << " " << i;
    }
  }
}

TEST_F(RecordTest, refuses_what_is_no_recording) {
  store_text(path("text.rec"), "this is a text, and it is longer than a header would be\n");
  EXPECT_NE(FrameReader::open(path("text.rec")).error().text().find("PLIANTRC"), std::string::npos);
  EXPECT_FALSE(FrameReader::open(path("absent.rec")).ok());
  EXPECT_FALSE(FrameReader::open(directory_.string()).ok());
  EXPECT_FALSE(FrameReader::open("/dev/zero").ok());
}

TEST_F(RecordTest, refuses_layouts_and_frames_that_do_not_fit) {
  FrameLayout layout = small_layout();
  layout.surfaces[0].triangles[1][2] = 4;  // of 4 vertices
  const Result<FrameWriter> refused = FrameWriter::create(path("a.rec"), layout);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().text().find("surface 0"), std::string::npos) << refused.error().text();
  EXPECT_FALSE(std::filesystem::exists(path("a.rec")));

  FrameWriter writer = FrameWriter::create(path("b.rec"), small_layout()).value();
  Frame frame = small_frame(0);
  frame.positions[1].pop_back();
  EXPECT_FALSE(writer.write(frame).ok());
  frame = small_frame(0);
  frame.poses.pop_back();
  EXPECT_FALSE(writer.write(frame).ok());
  EXPECT_TRUE(writer.write(small_frame(0)).ok());
  EXPECT_EQ(FrameReader::open(path("b.rec")).value().size(), 1u);
}

TEST_F(RecordTest, unwritable_places_and_a_full_disk_are_errors) {
  const Result<FrameWriter> nowhere = FrameWriter::create(path("no/such/a.rec"), small_layout());
  ASSERT_FALSE(nowhere.ok());
  EXPECT_NE(nowhere.error().text().find("no/such/a.rec"), std::string::npos);
  EXPECT_FALSE(FrameWriter::create(directory_.string(), small_layout()).ok());
  if (std::filesystem::is_character_file("/dev/full")) {
    const Result<FrameWriter> full = FrameWriter::create("/dev/full", small_layout());
    ASSERT_FALSE(full.ok());
    EXPECT_NE(full.error().text().find("No space left"), std::string::npos);
  }
}

// The disk is made full by a limit on the file's size that falls inside the third frame.
TEST_F(RecordTest, frames_before_a_full_disk_stay_and_writing_can_go_on) {
  FrameWriter writer = FrameWriter::create(path("a.rec"), small_layout()).value();
  ASSERT_TRUE(writer.write(small_frame(0)).ok());
  ASSERT_TRUE(writer.write(small_frame(1)).ok());
  const rlim_t size = std::filesystem::file_size(path("a.rec"));
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto* old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{size + 100, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  const Status failed = writer.write(small_frame(2));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(FrameReader::open(path("a.rec")).value().size(), 2u);
  ASSERT_TRUE(writer.write(small_frame(2)).ok());
  FrameReader reader = FrameReader::open(path("a.rec")).value();
  ASSERT_EQ(reader.size(), 3u);
  Frame frame;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(reader.read(std::size_t(i), frame).ok());
    EXPECT_TRUE(same(frame, small_frame(i)));
  }
}

}  // namespace
}  // namespace pliant
