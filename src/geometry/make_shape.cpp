// Shapes that hold more than numbers: hulls, meshes, height fields, compounds, the user's.
#include <limits>

#include "geometry/shape_data.h"
#include "geometry/topology.h"

namespace pliant {

namespace {

Vec3 largest(const Vec3& a, const Vec3& p) {
  return max(a, Vec3{std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
}

ConvexShape with_data(ShapeKind kind, const std::vector<Vec3>& points,
                      std::shared_ptr<const ShapeData> data) {
  Vec3 half;
  for (const Vec3& p : points) half = largest(half, p);
  return {kind, half, 0, std::move(data)};
}

std::vector<Vec3> moved(std::vector<Vec3> points, const Vec3& origin) {
  for (Vec3& p : points) p -= origin;
  return points;
}

// Vertices, and points of edges and triangles where those are long against the mesh.
std::vector<Vec3> sample_surface(const TriMesh& mesh) {
  std::vector<Vec3> out = mesh.vertices;
  Vec3 low = out[0], high = out[0];
  for (const Vec3& p : out) {
    low = min(low, p);
    high = max(high, p);
  }
  const double spacing = length(high - low) / 24;
  for (const MeshEdge& e : unique_edges(mesh.triangles)) {
    const Vec3 &a = mesh.vertices[std::size_t(e.a)], &b = mesh.vertices[std::size_t(e.b)];
    const int parts = int(length(b - a) / spacing) + 1;
    for (int k = 1; k < parts; ++k) out.push_back(a + (b - a) * (double(k) / parts));
  }
  for (const Triangle& t : mesh.triangles) {
    const Vec3 &a = mesh.vertices[std::size_t(t[0])], &b = mesh.vertices[std::size_t(t[1])],
               &c = mesh.vertices[std::size_t(t[2])];
    const int parts = int(length(cross(b - a, c - a)) / (spacing * spacing)) > 0 ? 3 : 0;
    for (int i = 1; i < parts; ++i)
      for (int j = 1; i + j < parts + 1 && j < parts; ++j)
        out.push_back(a + (b - a) * (double(i) / (parts + 1)) +
                      (c - a) * (double(j) / (parts + 1)));
  }
  return out;
}

std::shared_ptr<ShapeData> mesh_data(const TriMesh& mesh, const Vec3& origin) {
  auto data = std::make_shared<ShapeData>();
  data->mesh = {moved(mesh.vertices, origin), mesh.triangles};
  data->tree = TriangleTree(data->mesh);
  data->closed = is_closed(data->mesh);
  data->samples = sample_surface(data->mesh);
  data->groups = group_points(data->samples);
  data->origin = -origin;
  return data;
}

void add_part(ShapeData& data, const ConvexShape& shape, const Vec3& position, const Mat3& axes) {
  ShapeNumbers<double> numbers = shape_numbers<double>(shape);
  if (shape.kind != ShapeKind::compound) {
    data.parts.push_back({numbers, position, axes, bounding_radius(shape)});
    return;
  }
  for (const ShapePart& p : shape.data->parts) {
    const Vec3 at = position + transposed(axes) * p.position;
    data.parts.push_back({p.shape, at, p.axes * axes, p.reach});
  }
}

Vec3 extent_of(const ShapePart& part) {
  Vec3 e{part.shape.radius, part.shape.radius, part.shape.radius};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) e[i] += std::fabs(part.axes.row[j][i]) * part.shape.half[j];
  return e;
}

}  // namespace

std::shared_ptr<const ShapeData> with_field(const std::shared_ptr<const ShapeData>& data) {
  auto out = std::make_shared<ShapeData>(*data);
  out->field = MeshField(out->mesh, out->tree, out->closed);
  return out;
}

bool same_mesh(const ShapeData& a, const ShapeData& b) {
  return !a.distance && !b.distance && a.solid_below == b.solid_below && a.origin == b.origin &&
         a.mesh.vertices == b.mesh.vertices && a.mesh.triangles == b.mesh.triangles;
}

// --- in the order of the variant
ConvexShape make_data_shape(const Hull& hull, const Vec3& origin) {
  auto data = std::make_shared<ShapeData>();
  data->hull = make_hull(moved(hull.points, origin)).value();
  return with_data(ShapeKind::hull, data->hull.vertices, data);
}

ConvexShape make_data_shape(const Mesh& mesh, const Vec3& origin) {
  auto data = mesh_data(mesh.mesh, origin);
  return with_data(ShapeKind::mesh, data->mesh.vertices, data);
}

ConvexShape make_data_shape(const HeightField& field, const Vec3& origin) {
  TriMesh mesh = make_grid(field.columns, field.rows, field.width, field.depth);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) mesh.vertices[i].y = field.heights[i];
  auto data = mesh_data(mesh, origin);
  data->solid_below = true;
  return with_data(ShapeKind::mesh, data->mesh.vertices, data);
}

ConvexShape make_data_shape(const Compound& compound, const Vec3& origin) {
  auto data = std::make_shared<ShapeData>();
  for (const CompoundPart& part : compound.parts) {
    const ConvexShape shape = make_convex(part.shape);
    const Mat3 axes = transposed(to_matrix(normalized(part.rotation)));
    add_part(*data, shape, part.position - origin, axes);
    if (shape.data) data->kept.push_back(shape.data);
  }
  Vec3 half;
  for (const ShapePart& part : data->parts) {
    const Vec3 e = extent_of(part);
    half = largest(largest(half, part.position + e), part.position - e);
  }
  return {ShapeKind::compound, half, 0, data};
}

ConvexShape make_data_shape(const UserShape& user, const Vec3& origin) {
  if (user.distance) {
    auto data = mesh_data(user_mesh(user), origin);
    data->distance = user.distance;
    return with_data(ShapeKind::mesh, data->mesh.vertices, data);
  }
  auto data = std::make_shared<ShapeData>();
  data->support = user.support;
  data->origin = -origin;
  Vec3 half;
  for (int i = 0; i < 3; ++i)
    for (const double side : {-1.0, 1.0}) {
      Vec3 d;
      d[i] = side;
      half[i] = std::max(half[i], std::fabs((user.support->support(d) - origin)[i]));
    }
  return {ShapeKind::user, half, 0, data};
}

}  // namespace pliant
