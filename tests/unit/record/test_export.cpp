// OBJ, VTU and PVD files, read back here by hand; the triangles of the rigid shapes.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>

#include "unit/record/frames.h"

namespace pliant {
namespace {

// Tags open and close in order, attributes are quoted, text holds no stray '<'.
bool well_formed(const std::string& xml) {
  std::vector<std::string> open;
  bool root_seen = false;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at)) {
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    at = end;
    if (tag.empty() || tag.find('<') != std::string::npos) return false;
    if (tag[0] == '?') continue;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
      continue;
    }
    if (open.empty() && std::exchange(root_seen, true)) return false;
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return false;
    if (tag.back() != '/') open.push_back(tag.substr(0, tag.find(' ')));
  }
  return open.empty() && root_seen;
}

std::string attribute(const std::string& xml, const std::string& name) {
  const std::size_t at = xml.find(" " + name + "=\"");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 3;
  return xml.substr(begin, xml.find('"', begin) - begin);
}

// The values of the named array; checks the byte count in front of them.
template <class T>
std::vector<T> array_values(const std::string& xml, const std::string& name) {
  const std::size_t tag = xml.find("Name=\"" + name + "\"");
  if (tag == std::string::npos) return {};
  const std::size_t begin = xml.find('>', tag) + 1;
  const std::string digits = xml.substr(begin, xml.find('<', begin) - begin);
  std::vector<std::uint8_t> bytes;
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i + 3 < digits.size(); i += 4) {
    std::uint32_t v = 0;
    int pad = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t d = alphabet.find(digits[i + k]);
      pad += d == std::string::npos;
      v = v << 6 | (d == std::string::npos ? 0u : static_cast<std::uint32_t>(d));
    }
    for (int k = 0; k < 3 - pad; ++k) bytes.push_back(static_cast<std::uint8_t>(v >> (16 - 8 * k)));
  }
  std::uint64_t count = 0;
  std::memcpy(&count, bytes.data(), 8);
  EXPECT_EQ(count, bytes.size() - 8) << name;
  std::vector<T> values((bytes.size() - 8) / sizeof(T));
  std::memcpy(values.data(), bytes.data() + 8, values.size() * sizeof(T));
  return values;
}

// Area and volume of a mesh in double, and whether each directed edge has exactly its opposite.
struct Judged {
  double area = 0, volume = 0;
  bool closed = true;
};
Judged judge(const TriMesh& mesh) {
  Judged judged;
  std::map<std::pair<int, int>, int> edges;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 &a = mesh.vertices[std::size_t(t[0])], &b = mesh.vertices[std::size_t(t[1])],
               &c = mesh.vertices[std::size_t(t[2])];
    judged.area += length(cross(b - a, c - a)) / 2;
    judged.volume += dot(a, cross(b, c)) / 6;
    for (std::size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  }
  for (const auto& [edge, count] : edges) {
    const auto twin = edges.find({edge.second, edge.first});
    judged.closed = judged.closed && count == 1 && twin != edges.end();
  }
  return judged;
}

TEST_F(RecordTest, shape_meshes_are_closed_outward_and_of_the_right_volume) {
  using std::numbers::pi;
  const Judged sphere = judge(shape_mesh(Sphere{0.5}));
  EXPECT_TRUE(sphere.closed);
  EXPECT_NEAR(sphere.volume, 4.0 / 3 * pi * 0.125, 0.01 * 4.0 / 3 * pi * 0.125);
  const Judged box = judge(shape_mesh(Box{{0.1, 0.2, 0.3}}));
  EXPECT_TRUE(box.closed);
  EXPECT_NEAR(box.volume, 8 * 0.006, 1e-15);
  EXPECT_NEAR(box.area, 8 * (0.02 + 0.06 + 0.03), 1e-15);
  const Judged capsule = judge(shape_mesh(Capsule{0.2, 0.3}));
  const double expected = pi * 0.04 * 0.6 + 4.0 / 3 * pi * 0.008;
  EXPECT_TRUE(capsule.closed);
  EXPECT_NEAR(capsule.volume, expected, 0.01 * expected);
  for (const auto& [shape, volume] : {std::pair{Shape(Cylinder{0.2, 0.3}), 0.024 * pi},
                                      std::pair{Shape(Cone{0.3, 0.4}), 0.012 * pi},
                                      std::pair{Shape(Ellipsoid{{0.1, 0.2, 0.3}}), 0.008 * pi}}) {
    const Judged mesh = judge(shape_mesh(shape));
    EXPECT_TRUE(mesh.closed);
    EXPECT_NEAR(mesh.volume, volume, 0.01 * volume);
  }
  const TriMesh ground = shape_mesh(HalfSpace{}, 6);
  EXPECT_NEAR(judge(ground).area, 36, 1e-12);
  for (const Triangle& t : ground.triangles) {
    const auto at = [&](int k) { return ground.vertices[std::size_t(t[std::size_t(k)])]; };
    EXPECT_GT(cross(at(1) - at(0), at(2) - at(0)).y, 0);
  }
}

TEST_F(RecordTest, obj_frame_holds_every_body_where_it_is) {
  const FrameLayout layout = small_layout();
  const Frame frame = small_frame(1);
  ASSERT_TRUE(save_obj_frame(path("a.obj"), layout, frame).ok());
  std::istringstream in(load_text(path("a.obj")));
  std::vector<std::string> names;
  std::vector<Vec3f> points;
  std::vector<Triangle> triangles;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (key == "o") words >> names.emplace_back();
    if (key == "v") {
      Vec3f v;
      words >> v.x >> v.y >> v.z;
      points.push_back(v);
    }
    if (key == "f") {
      Triangle t;
      words >> t[0] >> t[1] >> t[2];
      triangles.push_back(t);
    }
    EXPECT_TRUE(words || key == "#") << line;
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"ground", "ball_one", "body2", "pill", "flag", "jelly"}));
  ASSERT_GE(points.size(), 7u);
  const std::vector<Vec3f> flag(points.end() - 7, points.end() - 3);
  EXPECT_EQ(flag, frame.positions[0]);  // nine digits keep a float
  EXPECT_EQ(triangles.back(),
            (Triangle{int(points.size()), int(points.size()) - 1, int(points.size()) - 2}));
  for (const Triangle& t : triangles) {
    for (const int v : t) EXPECT_TRUE(v >= 1 && v <= int(points.size()));
  }
  // The ball's vertices lie on its sphere.
  const std::size_t first = shape_mesh(HalfSpace{}).vertices.size();
  const std::size_t count = shape_mesh(Sphere{0.25}).vertices.size();
  for (std::size_t i = first; i < first + count; ++i) {
    EXPECT_NEAR(length(cast<double>(points[i]) - frame.poses[1].position), 0.25, 1e-6);
  }
}

TEST_F(RecordTest, vtu_frame_is_xml_with_the_points_and_triangles) {
  const FrameLayout layout = small_layout();
  const Frame frame = small_frame(2);
  ASSERT_TRUE(save_vtu_frame(path("a.vtu"), layout, frame).ok());
  const std::string xml = load_text(path("a.vtu"));
  EXPECT_TRUE(well_formed(xml));
  EXPECT_FALSE(well_formed(xml.substr(0, xml.size() - 5)));
  EXPECT_EQ(attribute(xml, "type"), "UnstructuredGrid");
  EXPECT_EQ(attribute(xml, "byte_order"), "LittleEndian");
  EXPECT_EQ(attribute(xml, "header_type"), "UInt64");
  const auto points = array_values<float>(xml, "Points");
  const auto body = array_values<std::int32_t>(xml, "body");
  const auto connectivity = array_values<std::int32_t>(xml, "connectivity");
  const auto offsets = array_values<std::int32_t>(xml, "offsets");
  const auto types = array_values<std::uint8_t>(xml, "types");
  const std::size_t cells = std::stoul(attribute(xml, "NumberOfCells"));
  ASSERT_EQ(std::stoul(attribute(xml, "NumberOfPoints")), body.size());
  ASSERT_EQ(points.size(), 3 * body.size());
  ASSERT_EQ(connectivity.size(), 3 * cells);
  ASSERT_EQ(offsets.size(), cells);
  ASSERT_EQ(types, std::vector<std::uint8_t>(cells, 5));
  for (std::size_t i = 0; i < cells; ++i) {
    EXPECT_EQ(offsets[i], int(3 * i + 3));
    // The three corners of a triangle are of one body.
    EXPECT_EQ(body[std::size_t(connectivity[3 * i])], body[std::size_t(connectivity[3 * i + 1])]);
    EXPECT_EQ(body[std::size_t(connectivity[3 * i])], body[std::size_t(connectivity[3 * i + 2])]);
  }
  EXPECT_EQ(std::count(body.begin(), body.end(), 4), 4);  // the flag, after four bodies
  EXPECT_EQ(std::count(body.begin(), body.end(), 5), 3);
  EXPECT_EQ(points[points.size() - 1], frame.positions[1][2].z);
}

TEST_F(RecordTest, pvd_lists_files_and_times) {
  ASSERT_TRUE(save_pvd(path("a.pvd"), {{0, "f/0.vtu"}, {0.1, "a & \"b\".vtu"}}).ok());
  const std::string xml = load_text(path("a.pvd"));
  EXPECT_TRUE(well_formed(xml));
  EXPECT_EQ(attribute(xml, "type"), "Collection");
  const std::string second = xml.substr(xml.rfind("<DataSet"));
  EXPECT_EQ(attribute(second, "timestep"), "0.1");
  EXPECT_EQ(attribute(second, "file"), "a &amp; &quot;b&quot;.vtu");
}

TEST_F(RecordTest, exports_fail_with_a_reason_and_leave_nothing_half_written) {
  const FrameLayout layout = small_layout();
  store_text(path("a.obj"), "what was there");
  Frame wrong = small_frame(0);
  wrong.positions.pop_back();
  EXPECT_FALSE(save_obj_frame(path("a.obj"), layout, wrong).ok());
  EXPECT_FALSE(save_vtu_frame(path("a.obj"), layout, wrong).ok());
  EXPECT_EQ(load_text(path("a.obj")), "what was there");
  const Status nowhere = save_vtu_frame(path("no/a.vtu"), layout, small_frame(0));
  ASSERT_FALSE(nowhere.ok());
  EXPECT_NE(nowhere.error().text().find("no/a.vtu"), std::string::npos);
  if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_FALSE(save_obj_frame("/dev/full", layout, small_frame(0)).ok());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(directory_)) {
    ++files;
  }
  EXPECT_EQ(files, 1u);  // no .part beside it
}

}  // namespace
}  // namespace pliant
