// u32 bodies; each: name (u32 bytes, then they), u8 motion, u8 shape, f64 for its measures, or of a
// mesh u32 vertices, 3 f64 for each, u32 triangles, 3 i32 for each
// u32 surfaces; each: name, u8 kind, i32 colour, i32 vertices, u32 triangles, then 3 i32 for each
#include "record/layout_bytes.h"

#include <fmt/format.h>

#include <pliant/record.h>

namespace pliant {
namespace {

constexpr std::uint8_t k_rectangle = 7, k_mesh = 8;

void put_mesh(ByteWriter& out, const TriMesh& mesh) {
  out.u8(k_mesh);
  out.u32(static_cast<std::uint32_t>(mesh.vertices.size()));
  for (const Vec3& v : mesh.vertices) out.vec(v);
  out.u32(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Triangle& t : mesh.triangles)
    for (const std::int32_t v : t) out.i32(v);
}

Result<Shape> get_mesh(ByteReader& in, const std::string& place) {
  Mesh shape;
  shape.mesh.vertices.resize(in.count(24));
  for (Vec3& v : shape.mesh.vertices) {
    v = in.vec();
    if (!finite(v)) return Error{place, "a vertex of a shape that is no number"};
  }
  const auto vertices = static_cast<std::int32_t>(shape.mesh.vertices.size());
  shape.mesh.triangles.resize(in.count(12));
  for (Triangle& t : shape.mesh.triangles)
    for (std::int32_t& v : t) {
      v = in.i32();
      if (v < 0 || v >= vertices)
        return Error{place,
                     fmt::format("vertex {} of a shape's triangle; there are {}", v, vertices)};
    }
  if (!in.ok()) return Error{place, "ends early"};
  return Shape(std::move(shape));
}

// What is made of points is written as the triangles that show it.
void put_shape(ByteWriter& out, const Shape& shape) {
  if (shape.index() > k_rectangle) return put_mesh(out, shape_mesh(shape));
  out.u8(static_cast<std::uint8_t>(shape.index()));
  if (const auto* sphere = std::get_if<Sphere>(&shape)) out.f64(sphere->radius);
  if (const auto* box = std::get_if<Box>(&shape)) out.vec(box->half);
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    out.f64(capsule->radius);
    out.f64(capsule->half_height);
  }
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    out.f64(cylinder->radius);
    out.f64(cylinder->half_height);
  }
  if (const auto* cone = std::get_if<Cone>(&shape)) {
    out.f64(cone->radius);
    out.f64(cone->height);
  }
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape)) out.vec(ellipsoid->half);
  if (const auto* rectangle = std::get_if<Rectangle>(&shape)) {
    out.f64(rectangle->half_x);
    out.f64(rectangle->half_z);
  }
}

Result<Shape> get_shape(ByteReader& in, const std::string& place) {
  const int kind = in.u8();
  if (kind == k_mesh) return get_mesh(in, place);
  Shape shape;
  Vec3 size{1, 1, 1};
  if (kind == 0) {
    size.x = in.f64();
    shape = Sphere{size.x};
  } else if (kind == 1) {
    size = in.vec();
    shape = Box{size};
  } else if (kind == 2) {
    size.x = in.f64();
    size.y = in.f64();
    shape = Capsule{size.x, size.y};
  } else if (kind == 3) {
    shape = HalfSpace{};
  } else if (kind == 4 || kind == 5) {
    size.x = in.f64();
    size.y = in.f64();
    if (kind == 4)
      shape = Cylinder{size.x, size.y};
    else
      shape = Cone{size.x, size.y};
  } else if (kind == 6) {
    size = in.vec();
    shape = Ellipsoid{size};
  } else if (kind == k_rectangle) {
    size.x = in.f64();
    size.y = in.f64();
    shape = Rectangle{size.x, size.y};
  } else {
    return Error{place, fmt::format("shape {}; 0 sphere, 1 box, 2 capsule, 3 half-space, "
                                    "4 cylinder, 5 cone, 6 ellipsoid, 7 rectangle, 8 mesh",
                                    kind)};
  }
  if (!in.ok() || !finite(size) || size.x < 0 || size.y < 0 || size.z < 0) {
    return Error{place, "measures of a shape must be there, finite and not negative"};
  }
  return shape;
}

Result<FrameBody> get_body(ByteReader& in, const std::string& place) {
  FrameBody body;
  body.name = in.text();
  const int motion = in.u8();
  if (motion > 2) {
    return Error{place, fmt::format("motion {}; 0 fixed, 1 kinematic, 2 dynamic", motion)};
  }
  body.motion = static_cast<Motion>(motion);
  Result<Shape> shape = get_shape(in, place);
  if (!shape.ok()) return shape.error();
  body.shape = shape.value();
  return body;
}

Result<FrameSurface> get_surface(ByteReader& in, const std::string& place) {
  FrameSurface surface;
  surface.name = in.text();
  const int kind = in.u8();
  if (kind > 1) return Error{place, fmt::format("kind {}; 0 cloth, 1 solid", kind)};
  surface.kind = static_cast<FrameSurface::Kind>(kind);
  surface.colour = in.i32();
  surface.vertex_count = in.i32();
  if (surface.vertex_count < 0) {
    return Error{place, fmt::format("{} vertices", surface.vertex_count)};
  }
  surface.triangles.resize(in.count(12));
  for (Triangle& t : surface.triangles) {
    for (std::int32_t& v : t) {
      v = in.i32();
      if (v < 0 || v >= surface.vertex_count) {
        return Error{place, fmt::format("vertex {} of a triangle; there are {} (counted from 0)", v,
                                        surface.vertex_count)};
      }
    }
  }
  if (!in.ok()) return Error{place, "ends early"};
  return surface;
}

}  // namespace

void put_layout(ByteWriter& out, const FrameLayout& layout) {
  out.u32(static_cast<std::uint32_t>(layout.bodies.size()));
  for (const FrameBody& body : layout.bodies) {
    out.text(body.name);
    out.u8(static_cast<std::uint8_t>(body.motion));
    put_shape(out, body.shape);
  }
  out.u32(static_cast<std::uint32_t>(layout.surfaces.size()));
  for (const FrameSurface& surface : layout.surfaces) {
    out.text(surface.name);
    out.u8(static_cast<std::uint8_t>(surface.kind));
    out.i32(surface.colour);
    out.i32(surface.vertex_count);
    out.u32(static_cast<std::uint32_t>(surface.triangles.size()));
    for (const Triangle& t : surface.triangles) {
      for (const std::int32_t v : t) out.i32(v);
    }
  }
}

Result<FrameLayout> get_layout(ByteReader& in, const std::string& path) {
  constexpr std::size_t k_least_body = 4 + 1 + 1, k_least_surface = 4 + 1 + 4 + 4 + 4;
  FrameLayout layout;
  const std::uint32_t bodies = in.count(k_least_body);
  for (std::uint32_t i = 0; i < bodies; ++i) {
    Result<FrameBody> body = get_body(in, fmt::format("{}, body {}", path, i));
    if (!body.ok()) return body.error();
    layout.bodies.push_back(std::move(body).value());
  }
  const std::uint32_t surfaces = in.count(k_least_surface);
  for (std::uint32_t i = 0; i < surfaces; ++i) {
    Result<FrameSurface> surface = get_surface(in, fmt::format("{}, surface {}", path, i));
    if (!surface.ok()) return surface.error();
    layout.surfaces.push_back(std::move(surface).value());
  }
  if (!in.ok() || in.left() != 0) return Error{path, "layout has the wrong length"};
  return layout;
}

}  // namespace pliant
