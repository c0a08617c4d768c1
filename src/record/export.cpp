// Frames for other programs: Wavefront OBJ, VTK unstructured grids and ParaView collections.
// VTU: docs.vtk.org, "VTK XML formats"; data inline as base64 of a byte count and the values, which
// keeps the file valid XML.
#include <fmt/format.h>

#include <pliant/record.h>

#include "record/bytes.h"
#include "record/file.h"

namespace pliant {
namespace {

// All triangles of a frame as one list; body counts the layout's bodies, then its surfaces.
struct Soup {
  struct Part {
    std::string name;
    std::size_t points_begin = 0, points_end = 0, triangles_begin = 0, triangles_end = 0;
  };
  std::vector<Vec3f> points;
  std::vector<Triangle> triangles;
  std::vector<Part> parts;
};

void add_part(Soup& soup, const std::string& name, const std::vector<Vec3f>& points,
              const std::vector<Triangle>& triangles) {
  Soup::Part part{name, soup.points.size(), 0, soup.triangles.size(), 0};
  const auto shift = static_cast<std::int32_t>(soup.points.size());
  soup.points.insert(soup.points.end(), points.begin(), points.end());
  for (const Triangle& t : triangles) {
    soup.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  }
  part.points_end = soup.points.size();
  part.triangles_end = soup.triangles.size();
  soup.parts.push_back(std::move(part));
}

Result<Soup> make_soup(const std::string& path, const FrameLayout& layout, const Frame& frame) {
  if (frame.poses.size() != layout.bodies.size() ||
      frame.positions.size() != layout.surfaces.size()) {
    return Error{path, fmt::format("frame has {} poses and {} surfaces, its layout {} and {}",
                                   frame.poses.size(), frame.positions.size(), layout.bodies.size(),
                                   layout.surfaces.size())};
  }
  Soup soup;
  for (std::size_t i = 0; i < layout.bodies.size(); ++i) {
    const TriMesh mesh = shape_mesh(layout.bodies[i].shape);
    std::vector<Vec3f> points;
    for (const Vec3& v : mesh.vertices) points.push_back(cast<float>(to_world(frame.poses[i], v)));
    add_part(soup, layout.bodies[i].name, points, mesh.triangles);
  }
  for (std::size_t i = 0; i < layout.surfaces.size(); ++i) {
    const FrameSurface& surface = layout.surfaces[i];
    const auto expected = static_cast<std::size_t>(surface.vertex_count);
    if (frame.positions[i].size() != expected) {
      return Error{path, fmt::format("surface {} of the frame has {} vertices, its layout {}", i,
                                     frame.positions[i].size(), expected)};
    }
    add_part(soup, surface.name, frame.positions[i], surface.triangles);
  }
  return soup;
}

// OBJ ends a name at white space; an unnamed body goes by its number.
std::string obj_name(const std::string& name, std::size_t index) {
  if (name.empty()) return fmt::format("body{}", index);
  std::string out = name;
  for (char& c : out) {
    if (static_cast<unsigned char>(c) <= ' ') c = '_';
  }
  return out;
}

std::string xml_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  static constexpr char k_digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t v = std::uint32_t{bytes[i]} << 16;
    if (i + 1 < bytes.size()) v |= std::uint32_t{bytes[i + 1]} << 8;
    if (i + 2 < bytes.size()) v |= bytes[i + 2];
    out += k_digits[v >> 18];
    out += k_digits[v >> 12 & 63];
    out += i + 1 < bytes.size() ? k_digits[v >> 6 & 63] : '=';
    out += i + 2 < bytes.size() ? k_digits[v & 63] : '=';
  }
  return out;
}

std::string data_array(const std::string& attributes, const ByteWriter& values) {
  ByteWriter block;
  block.u64(values.bytes().size());
  block.append(values.bytes());
  return fmt::format("<DataArray {} format=\"binary\">{}</DataArray>\n", attributes,
                     base64(block.bytes()));
}

}  // namespace

Status save_obj_frame(const std::string& path, const FrameLayout& layout, const Frame& frame) {
  Result<Soup> made = make_soup(path, layout, frame);
  if (!made.ok()) return made.error();
  const Soup& soup = made.value();
  std::string out = fmt::format("# time {:.9g} s\n", frame.time);
  for (std::size_t p = 0; p < soup.parts.size(); ++p) {
    const Soup::Part& part = soup.parts[p];
    out += fmt::format("o {}\n", obj_name(part.name, p));
    for (std::size_t i = part.points_begin; i < part.points_end; ++i) {
      const Vec3f& v = soup.points[i];
      out += fmt::format("v {:.9g} {:.9g} {:.9g}\n", v.x, v.y, v.z);
    }
    for (std::size_t i = part.triangles_begin; i < part.triangles_end; ++i) {
      const Triangle& t = soup.triangles[i];
      out += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    }
  }
  return save_text(path, out);
}

Status save_vtu_frame(const std::string& path, const FrameLayout& layout, const Frame& frame) {
  Result<Soup> made = make_soup(path, layout, frame);
  if (!made.ok()) return made.error();
  const Soup& soup = made.value();
  ByteWriter points, body, connectivity, offsets, types;
  for (const Vec3f& v : soup.points) points.vec(v);
  for (std::size_t p = 0; p < soup.parts.size(); ++p) {
    const std::size_t count = soup.parts[p].points_end - soup.parts[p].points_begin;
    for (std::size_t i = 0; i < count; ++i) body.i32(static_cast<std::int32_t>(p));
  }
  constexpr std::uint8_t k_vtk_triangle = 5;
  for (std::size_t i = 0; i < soup.triangles.size(); ++i) {
    for (const std::int32_t v : soup.triangles[i]) connectivity.i32(v);
    offsets.i32(static_cast<std::int32_t>(3 * (i + 1)));
    types.u8(k_vtk_triangle);
  }
  std::string out =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n";
  out += fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<PointData>\n",
                     soup.points.size(), soup.triangles.size());
  out += data_array("type=\"Int32\" Name=\"body\"", body);
  out += "</PointData>\n<Points>\n";
  out += data_array("type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\"", points);
  out += "</Points>\n<Cells>\n";
  out += data_array("type=\"Int32\" Name=\"connectivity\"", connectivity);
  out += data_array("type=\"Int32\" Name=\"offsets\"", offsets);
  out += data_array("type=\"UInt8\" Name=\"types\"", types);
  out += "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  return save_text(path, out);
}

Status save_pvd(const std::string& path, const std::vector<std::pair<double, std::string>>& files) {
  std::string out =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  for (const auto& [time, file] : files) {
    out +=
        fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", time, xml_escaped(file));
  }
  out += "</Collection>\n</VTKFile>\n";
  return save_text(path, out);
}

}  // namespace pliant
