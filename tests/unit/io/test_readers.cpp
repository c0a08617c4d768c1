// Readers on small texts: forms that are legal but rare, and contradictions that are warned of.
#include <gtest/gtest.h>

#include "io/endian.h"
#include "io/inflate.h"
#include "io/mesh_readers.h"
#include "io/mesh_writers.h"
#include "io/polygon.h"
#include "io_test_data.h"

namespace pliant {
namespace {

template <class Read>
std::string error_of(Read read, std::string_view text) {
  Warnings warnings;
  try {
    read({"file", text}, warnings);
  } catch (const ReadError& error) {
    return error.error.text();
  }
  return "";
}

TriMesh read(TriMesh (*reader)(const Source&, Warnings&), std::string_view text) {
  Warnings warnings;
  TriMesh mesh = reader({"file", text}, warnings);
  EXPECT_TRUE(warnings.empty());
  return mesh;
}

TEST(Polygon, concave_is_cut_without_overlap) {
  // A comb with three teeth: any fan overlaps itself. The areas of the parts must add up, all
  // turned the same way.
  TriMesh mesh;
  mesh.vertices = {{0, 0, 0}, {5, 0, 0}, {5, 3, 0}, {4, 3, 0}, {4, 1, 0}, {3, 1, 0},
                   {3, 3, 0}, {2, 3, 0}, {2, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}};
  std::vector<std::int32_t> corners(12);
  for (int start = 0; start < 12; ++start) {
    for (int i = 0; i < 12; ++i) corners[i] = (start + i) % 12;
    mesh.triangles.clear();
    append_polygon(corners, mesh);
    ASSERT_EQ(mesh.triangles.size(), 10u);
    double sum = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
      const Vec3 n =
          cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]);
      EXPECT_GE(n.z, 0);
      sum += n.z / 2;
    }
    EXPECT_NEAR(sum, 11, 1e-12);
  }
}

TEST(Polygon, winding_and_plane_do_not_matter) {
  TriMesh mesh;
  mesh.vertices = {{0, 0, 0}, {0, 2, 1}, {0, 1, 1}, {0, 1, 3}};  // an arrow head in the yz plane
  append_polygon(std::vector<std::int32_t>{0, 1, 2, 3}, mesh);
  append_polygon(std::vector<std::int32_t>{3, 2, 1, 0}, mesh);
  ASSERT_EQ(mesh.triangles.size(), 4u);
  const auto normal = [&](int t) {
    const auto& [a, b, c] = mesh.triangles[t];
    return cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]).x;
  };
  EXPECT_GT(normal(0) * normal(1), 0);
  EXPECT_GT(normal(2) * normal(3), 0);
  EXPECT_LT(normal(0) * normal(2), 0);
}

TEST(ReadObj, corner_forms_relative_indices_and_continuation) {
  const TriMesh mesh = read(read_obj,
                            "\xEF\xBB\xBFv 0 0 0\r\nv +1 0 0 0.5 0.5 0.5\r\n\tv 0 1e0 0 1\r\n"
                            "vt 0 0\nf -3/1/1 \\\r\n -2//1 \\\n -1/1\nv 0 0 1\nf 1 2 4");
  ASSERT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.vertices[1], (Vec3{1, 0, 0}));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 1, 3}}));
}

// Each face after vertices of its own, named backwards: such a file says nothing of who is whose
// neighbour but by equal points. The same points with numbers from 1 stay as they are.
TEST(ReadObj, a_soup_by_its_form_is_welded) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n", others = "v 1 0 0\nv 1 1 0\nv 0 1 0\n";
  const TriMesh soup = read(read_obj, points + "f -3 -2 -1\n" + others + "f -3 -2 -1\n");
  EXPECT_EQ(soup.vertices.size(), 4u);
  EXPECT_EQ(soup.triangles, (std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}}));
  for (const char* faces : {"f 1 2 3\nf 4 5 6\n", "f -6 -5 -4\nf -3 -2 -1\n"}) {
    EXPECT_EQ(read(read_obj, points + others + faces).vertices.size(), 6u) << faces;
  }
  EXPECT_EQ(read(read_obj, points + "f -3 -2 -1\n" + others + "f -3 -2 -1\nv 0 0 0\nf 1 2 -1\n")
                .vertices.size(),
            7u);
}

TEST(ReadObj, line_numbers_count_continued_lines) {
  EXPECT_NE(error_of(read_obj, "v 0 0 \\\n0\nv 0 0 x\n").find("line 3"), std::string::npos);
}

TEST(ReadObj, unknown_words_warn_once) {
  Warnings warnings;
  read_obj({"file", "v 0 0 0\nv 1 0 0\nv 0 1 0\nfrob 1\nfrob 2\nf 1 2 3\n"}, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].what, "unknown_keyword");
}

TEST(ReadObj, numbers_are_strict) {
  for (const char* bad : {"0x10", "nan", "inf", "1e999", "1,5", "--1", "+-1", "1.0.0", "."}) {
    EXPECT_NE(error_of(read_obj, std::string("v 0 0 ") + bad + "\n").find("line 1"),
              std::string::npos)
        << bad;
  }
  double tiny = 1;
  EXPECT_TRUE(parse_number("1e-999", tiny));
  EXPECT_EQ(tiny, 0);
}

std::string big_endian(std::string bytes, std::size_t size) {
  for (std::size_t i = 0; i + size <= bytes.size(); i += size) {
    std::reverse(bytes.begin() + std::ptrdiff_t(i), bytes.begin() + std::ptrdiff_t(i + size));
  }
  return bytes;
}

TEST(ReadPly, big_endian_with_other_elements_and_properties) {
  std::string text =
      "ply\nformat binary_big_endian 1.0\ncomment x\nelement camera 1\nproperty short angle\n"
      "element vertex 3\nproperty uchar red\nproperty float x\nproperty double y\n"
      "property float z\nelement face 1\nproperty list uint8 int16 extra\n"
      "property list uchar uint vertex_index\nend_header\n";
  const auto put = [&](auto value) {
    std::string raw;
    append_little_endian(raw, value);
    text += big_endian(raw, sizeof value);
  };
  put(std::int16_t(-7));
  for (int v = 0; v < 3; ++v) {
    put(std::uint8_t(255));
    put(float(v == 1));
    put(double(v == 2) / 3);
    put(0.5f);
  }
  put(std::uint8_t(2));
  put(std::int16_t(1));
  put(std::int16_t(2));
  put(std::uint8_t(3));
  for (std::uint32_t v = 0; v < 3; ++v) put(v);
  const TriMesh mesh = read(read_ply, text);
  EXPECT_EQ(mesh.vertices[1], (Vec3{1, 0, 0.5}));
  EXPECT_EQ(mesh.vertices[2], (Vec3{0, 1.0 / 3, 0.5}));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}}));
}

TEST(ReadPly, surplus_data_warn_and_missing_data_fail) {
  const std::string ply = write_ply(make_box({1, 1, 1}));
  Warnings warnings;
  read_ply({"file", ply + "more"}, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].what, "count_mismatch");
  EXPECT_NE(error_of(read_ply, ply.substr(0, ply.size() - 1)).find("byte"), std::string::npos);
}

TEST(ReadStl, several_solids_and_nan_normals) {
  const std::string solid =
      "solid a\nfacet normal nan nan nan\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex -0 1 0\n"
      "endloop\nendfacet\nendsolid a\n";
  const TriMesh mesh = read(read_stl, solid + solid);
  EXPECT_EQ(mesh.vertices.size(), 3u);
  EXPECT_EQ(mesh.triangles.size(), 2u);
}

TEST(ReadVtk, strips_and_quads) {
  const TriMesh mesh = read(read_vtk_surface,
                            "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n"
                            "FIELD FieldData 1\nTime 1 1 double\n0.5\nPOINTS 4 float\n"
                            "0 0 0 1 0 0 0 1 0 1 1 0\nPOLYGONS 1 5\n4 0 1 3 2\n"
                            "TRIANGLE_STRIPS 1 5\n4 0 1 2 3\nPOINT_DATA 4\nanything\n");
  ASSERT_EQ(mesh.triangles.size(), 4u);
  EXPECT_NEAR(area(mesh), 2, 1e-15);
  for (const auto& [a, b, c] : mesh.triangles) {
    EXPECT_GT(cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]).z, 0);
  }
}

TEST(ReadVtp, appended_raw_data) {
  std::string text =
      "<?xml version='1.0'?><!-- <Piece> --><VTKFile type='PolyData' byte_order='LittleEndian' "
      "header_type='UInt64'><PolyData><Piece NumberOfPoints='3' NumberOfPolys='1'><Points>"
      "<DataArray type='Float32' NumberOfComponents='3' format='appended' offset='0'/></Points>"
      "<Polys><DataArray type='Int32' Name='connectivity' format='appended' offset='44'/>"
      "<DataArray type='Int64' Name='offsets' format='ascii'>3</DataArray></Polys></Piece>"
      "</PolyData><AppendedData encoding='raw'>_";
  append_little_endian(text, std::uint64_t(36));
  for (const float f : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.25f})
    append_little_endian(text, f);
  append_little_endian(text, std::uint64_t(12));
  for (const std::int32_t i : {0, 1, 2}) append_little_endian(text, i);
  text += "</AppendedData></VTKFile>";
  const TriMesh mesh = read(read_vtp, text);
  EXPECT_EQ(mesh.vertices[2], (Vec3{0, 1, 0.25}));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}}));
}

TEST(ReadGmsh, quadratic_tetrahedra_and_other_elements) {
  Warnings warnings;
  const TetMesh mesh =
      read_gmsh({"file",
                 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 7 30\n3 1 0 4\n7\n8\n9\n30\n"
                 "0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n2 2 1 2\n2 1 2 1\n1 7 8 9\n"
                 "3 1 4 1\n2 7 8 9 30\n$EndElements\n"},
                warnings);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(mesh.tetrahedra, (std::vector<Tetrahedron>{{0, 1, 2, 3}}));
}

std::string from_hex(std::string_view hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    out += char(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return out;
}

// Streams written by zlib 1.2.13 itself.
TEST(Inflate, fixed_and_dynamic_codes) {
  std::string text;
  for (int i = 0; i < 6; ++i) {
    text += "the cloth falls on the ball, the ball falls on the floor, the floor holds the ball. ";
  }
  const std::string fixed = from_hex(
      "78012bc9485548cec92fc950484bccc92956c8cf5328010a2501393a7016aa5c5a4e7e7e910e82a990919f93520c"
      "57ac07668d9a39b8cd0400e5bdaff3");
  EXPECT_EQ(inflate_zlib(fixed, text.size()), text);
  EXPECT_FALSE(inflate_zlib(fixed, text.size() - 1).has_value());
  EXPECT_FALSE(inflate_zlib(fixed, text.size() + 1).has_value());

  const std::string letters =
      "bdfeeabadeddddebadagfdddeeaedbeebdagcaaaddagddbdeadbedddbcbdbedbgadfgdgdabdefbaecgeedgddfgdb"
      "bbdgdfdddfadbeedddbcdgeedecadddaebdfdcdeadabefdddddbbdbaebdgfdbddcfdcdgbdddeadeffgedebdedbda"
      "dfcddbdddfcdcadddedcddaebdbddbfaedeffgbafdaafadaeebbbaedbcbabbbdbdbdebdecddaabdcdebbabgedbdd"
      "fabadbaebdeddddfbdeeddbddadddecdddaebbbgabafabgbebddbbadgfadfbgddbfffeeddadbcabddgddbdaddbdd"
      "acdfdgbabbfcedebcdbbdafdgdcggfdd";
  const std::string dynamic = from_hex(
      "78da25905902c0400443cf2a82fbdfa02fd3f6834116e49d2995c77c4352b7c9a6c69a11efae2a136d798a2a7db5"
      "92e8ca7b3e17ad554ddf0ccf142591856c03fa514e7f1a3e17e4eb0e656932c700aca9e34176a77d8a1d0cee1e50"
      "7468a1dab1e3c4c7368c3e4a8a5acc675eb5ae42bed844ca4aad8ab1fce10a08efb8a0ad0b377639c3b3f18eb2c4"
      "79624fa77feb6275e8c1682209e4105ae54cbb1b082c0db9dfe5eaa76876be78d8ce369d957179eecbe13f0bf09b"
      "bc");
  EXPECT_EQ(inflate_zlib(dynamic, letters.size()), letters);
  // One flipped bit anywhere is noticed: by the code or by the checksum.
  for (std::size_t i = 0; i < dynamic.size() * 8; ++i) {
    std::string damaged = dynamic;
    damaged[i / 8] = char(damaged[i / 8] ^ (1 << (i % 8)));
    const auto out = inflate_zlib(damaged, letters.size());
    EXPECT_TRUE(!out || *out == letters);
  }
}

}  // namespace
}  // namespace pliant
