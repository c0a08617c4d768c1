// Damaged files of every format: cut off at many places and with flipped bits. Whatever a reader
// makes of them, it returns, with an error or with a mesh whose indices are within range.
#include <gtest/gtest.h>

#include <cstdint>

#include "io/mesh_readers.h"
#include "io/mesh_writers.h"

namespace pliant {
namespace {

// A small generator of its own, so that every run sees the same damage.
struct Random {
  std::uint64_t state;
  std::uint32_t next(std::uint32_t below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return std::uint32_t((state >> 33) % below);
  }
};

std::string ascii_ply() {
  return "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
         "property float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n"
         "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
}
std::string ascii_stl() {
  std::string text = "solid a\n";
  for (int i = 0; i < 3; ++i) {
    text +=
        "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
        "endfacet\n";
  }
  return text + "endsolid a\n";
}
std::string vtk_5() {
  return "# vtk DataFile Version 5.1\nt\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n0 0 0 1 0 0 0 1 "
         "0 0 0 1\nMETADATA\nINFORMATION 0\n\nPOLYGONS 3 6\nOFFSETS vtktypeint64\n0 3 6\n"
         "CONNECTIVITY vtktypeint64\n0 1 2 0 2 3\n";
}
std::string vtk_binary() {
  std::string text = "# vtk DataFile Version 4.2\nt\nBINARY\nDATASET POLYDATA\nPOINTS 3 float\n";
  for (int i = 0; i < 9; ++i) text += std::string("\x3f\x80", 2) + std::string(2, '\0');
  text += "\nPOLYGONS 1 4\n";
  for (const char c : {3, 0, 1, 2}) text += std::string(3, '\0') + c;
  return text + "\n";
}
std::string vtp() {
  return "<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\" header_type=\"UInt32\"><PolyData>"
         "<Piece NumberOfPoints=\"3\" NumberOfPolys=\"1\"><Points><DataArray type=\"Float32\" "
         "format=\"binary\">JAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAA==</DataArray>"
         "</Points><Polys><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2"
         "</DataArray><DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">3</DataArray>"
         "</Polys></Piece></PolyData></VTKFile>";
}
std::string msh_4() {
  return "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 "
         "0\n"
         "0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n";
}

template <class Mesh, class Elements>
bool indices_within(const Mesh& mesh, const Elements& elements) {
  for (const auto& element : elements) {
    for (const std::int32_t v : element) {
      if (v < 0 || std::size_t(v) >= mesh.vertices.size()) return false;
    }
  }
  return true;
}

// Reads, and judges what was read; true where it was read at all.
using Attempt = bool (*)(const std::string&);

template <TriMesh (*reader)(const Source&, Warnings&)>
bool attempt_surface(const std::string& text) {
  Warnings warnings;
  try {
    const TriMesh mesh = reader({"file", text}, warnings);
    EXPECT_TRUE(indices_within(mesh, mesh.triangles));
    find_defects(mesh);
    return true;
  } catch (const ReadError& error) {
    EXPECT_FALSE(error.error.message.empty());
    return false;
  }
}

template <TetMesh (*reader)(const Source&, Warnings&)>
bool attempt_tets(const std::string& text) {
  Warnings warnings;
  try {
    const TetMesh mesh = reader({"file", text}, warnings);
    EXPECT_TRUE(indices_within(mesh, mesh.tetrahedra));
    find_defects(mesh);
    return true;
  } catch (const ReadError& error) {
    EXPECT_FALSE(error.error.message.empty());
    return false;
  }
}

// Both files of TetGen in one text, for the sake of the damage.
TetMesh read_tetgen_joined(const Source& source, Warnings& warnings) {
  const std::size_t cut = std::min(source.bytes.find('|'), source.bytes.size());
  TetMesh mesh;
  const std::int64_t first = read_tetgen_nodes({"n", source.bytes.substr(0, cut)}, mesh, warnings);
  read_tetgen_elements({"e", source.bytes.substr(std::min(cut + 1, source.bytes.size()))}, first,
                       mesh, warnings);
  return mesh;
}

struct Format {
  const char* name;
  std::string sound;
  Attempt attempt;
};

std::vector<Format> formats() {
  const TriMesh box = make_box({1, 1, 1});
  const TetMesh lattice = make_lattice(1, 1, 1, 1);
  return {
      {"obj", "# c\n" + write_obj(box) + "f 1/1 2//2 4 \\\n 3\n", attempt_surface<read_obj>},
      {"ply", write_ply(box), attempt_surface<read_ply>},
      {"ply ascii", ascii_ply(), attempt_surface<read_ply>},
      {"stl", write_stl(box), attempt_surface<read_stl>},
      {"stl ascii", ascii_stl(), attempt_surface<read_stl>},
      {"vtk", write_vtk(box), attempt_surface<read_vtk_surface>},
      {"vtk 5", vtk_5(), attempt_surface<read_vtk_surface>},
      {"vtk binary", vtk_binary(), attempt_surface<read_vtk_surface>},
      {"vtp", vtp(), attempt_surface<read_vtp>},
      {"vtk tets", write_vtk(lattice), attempt_tets<read_vtk_tetrahedra>},
      {"msh", write_msh(lattice), attempt_tets<read_gmsh>},
      {"msh 4", msh_4(), attempt_tets<read_gmsh>},
      {"tetgen", write_node(lattice) + "|" + write_ele(lattice), attempt_tets<read_tetgen_joined>},
  };
}

TEST(Fuzz, sound_files_are_read) {
  for (const Format& format : formats()) EXPECT_TRUE(format.attempt(format.sound)) << format.name;
}

TEST(Fuzz, cut_off_anywhere) {
  for (const Format& format : formats()) {
    SCOPED_TRACE(format.name);
    std::size_t refused = 0;
    for (std::size_t size = 0; size < format.sound.size(); ++size) {
      refused += !format.attempt(format.sound.substr(0, size));
    }
    EXPECT_GT(refused, format.sound.size() / 3);
  }
}

TEST(Fuzz, flipped_bits) {
  for (const Format& format : formats()) {
    SCOPED_TRACE(format.name);
    Random random{12345};
    std::size_t refused = 0;
    for (int round = 0; round < 1500; ++round) {
      std::string text = format.sound;
      for (std::uint32_t n = 1 + random.next(3); n > 0; --n) {
        char& c = text[random.next(std::uint32_t(text.size()))];
        c = char(c ^ (1 << random.next(8)));
      }
      refused += !format.attempt(text);
    }
    EXPECT_GT(refused, 0u);  // the damage does reach the reader
  }
}

TEST(Fuzz, words_replaced_by_awkward_numbers) {
  const char* words[] = {"-1", "0", "4294967297", "9223372036854775807", "1e308", "nan", "3.5", ""};
  for (const Format& format : formats()) {
    SCOPED_TRACE(format.name);
    Random random{777};
    for (int round = 0; round < 600; ++round) {
      std::string text = format.sound;
      const std::size_t start = text.find_first_of(" \n", random.next(std::uint32_t(text.size())));
      if (start == std::string::npos) continue;
      const std::size_t end = std::min(text.find_first_of(" \n", start + 1), text.size());
      text.replace(start + 1, end - start - 1, words[random.next(8)]);
      format.attempt(text);
    }
  }
}

TEST(Fuzz, noise) {
  for (const Format& format : formats()) {
    Random random{99};
    for (int round = 0; round < 50; ++round) {
      std::string text(random.next(2000), ' ');
      for (char& c : text) c = char(random.next(256));
      EXPECT_FALSE(format.attempt(text) && format.name != std::string("stl")) << format.name;
    }
  }
}

}  // namespace
}  // namespace pliant
