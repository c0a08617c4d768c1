// `pliant info`: what a file amounts to, or what this build and machine are.
#include <fmt/core.h>
#include <pliant/mesh.h>
#include <pliant/record.h>
#include <pliant/scene.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "apps/cli/commands.h"
#include "apps/cli/derived.h"
#include "apps/cli/files.h"
#include "apps/cli/scene_input.h"

namespace pliant::cli {
namespace {

template <class... Args>
void row(const char* name, fmt::format_string<Args...> text, Args&&... args) {
  fmt::print("  {:<22} {}\n", name, fmt::format(text, std::forward<Args>(args)...));
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

// The instruction set that the program was built for; the library is built alike.
const char* vector_instructions() {
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__)
  return "AVX2";
#elif defined(__SSE2__)
  return "SSE2";
#elif defined(__ARM_NEON)
  return "NEON";
#else
  return "none";
#endif
}

const char* compiler() {
#if defined(__clang__)
  return "clang++ " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

int machine_info() {
  fmt::print("pliant {}\n", PLIANT_VERSION);
  row("compiler", "{}", compiler());
  row("build", "{}", PLIANT_BUILD_TYPE);
  row("precision", "{} bits", 8 * sizeof(Real));
  row("vector instructions", "{}", vector_instructions());
  row("processor", "{}", processor_name());
  row("threads", "{}", std::thread::hardware_concurrency());
  return 0;
}

void box_rows(const std::vector<Vec3>& vertices) {
  if (vertices.empty()) return;
  Vec3 low = vertices.front(), high = low;
  for (const Vec3& v : vertices) low = min(low, v), high = max(high, v);
  row("box from", "{:.6g} {:.6g} {:.6g} m", low.x, low.y, low.z);
  row("box to", "{:.6g} {:.6g} {:.6g} m", high.x, high.y, high.z);
}

template <class Mesh>
void defect_rows(const Mesh& mesh) {
  for (const MeshDefect& defect : find_defects(mesh)) {
    row(defect.harmless ? "note" : "defect", "{}: {}", defect.what, defect.where);
  }
}

int surface_info(const std::string& path, const TriMesh& mesh) {
  fmt::print("{}: surface\n", path);
  row("vertices", "{}", mesh.vertices.size());
  row("triangles", "{}", mesh.triangles.size());
  box_rows(mesh.vertices);
  row("area", "{:.6g} m2", area(mesh));
  const bool closed = is_closed(mesh);
  row("closed", "{}", closed ? "yes" : "no");
  if (closed) row("volume", "{:.6g} m3", volume(mesh));
  defect_rows(mesh);
  return 0;
}

int tetrahedra_info(const std::string& path, const TetMesh& mesh) {
  fmt::print("{}: tetrahedra\n", path);
  row("vertices", "{}", mesh.vertices.size());
  row("tetrahedra", "{}", mesh.tetrahedra.size());
  box_rows(mesh.vertices);
  row("volume", "{:.6g} m3", volume(mesh));
  defect_rows(mesh);
  return 0;
}

int recording_info(const std::string& path) {
  Result<FrameReader> reader = FrameReader::open(path);
  if (!reader.ok()) return fail(reader.error());
  FrameReader& recording = reader.value();
  fmt::print("{}: recording\n", path);
  row("frames", "{}", recording.size());
  row("rigid bodies", "{}", recording.layout().bodies.size());
  for (const FrameSurface& surface : recording.layout().surfaces) {
    row(surface.kind == FrameSurface::Kind::cloth ? "cloth" : "solid",
        "{}: {} vertices, {} triangles", surface.name, surface.vertex_count,
        surface.triangles.size());
  }
  if (recording.size() == 0) return 0;
  Frame first, last;
  if (!recording.read(0, first).ok() || !recording.read(recording.size() - 1, last).ok()) return 1;
  row("time", "{:.6g} to {:.6g} s", first.time, last.time);
  return 0;
}

const char* shape_name(const Shape& shape) {
  constexpr const char* names[] = {
      "sphere",    "box",  "capsule", "half-space",   "cylinder", "cone",        "ellipsoid",
      "rectangle", "hull", "mesh",    "height field", "compound", "user's shape"};
  return names[shape.index()];
}

void body_row(const World& world, BodyId id, const BodyDef& def) {
  if (def.motion != Motion::dynamic) {
    return row("body", "{}: {} {}", def.name, def.motion == Motion::fixed ? "fixed" : "kinematic",
               shape_name(def.shape));
  }
  row("body", "{}: {}, {:.6g} kg", def.name, shape_name(def.shape), world.mass(id));
}

void membrane_rows(const ClothDef& def) {
  if (def.membrane == Membrane::edges) {
    row("  membrane stiffness", "{:.4g} N/m in all directions", def.stretch_stiffness);
  } else {
    const Sheet& s = def.sheet;
    row("  membrane stiffness", "warp {:.4g} N/m, weft {:.4g} N/m, shear {:.4g} N/m",
        s.warp_modulus * s.thickness, s.weft_modulus * s.thickness, s.shear_modulus * s.thickness);
    row("  sheet", "{:.4g} Pa, {:.4g} Pa, {:.4g} Pa, Poisson's ratio {:.3g}, {:.4g} m thick",
        s.warp_modulus, s.weft_modulus, s.shear_modulus, s.poisson_ratio, s.thickness);
  }
  if (def.strain_limit > 0) row("  stretch at most", "{:.4g}", 1 + def.strain_limit);
}

void cloth_rows(const Scene& scene, const World& world, ClothId id, const ClothDef& def) {
  row("cloth", "{}: {} vertices, {} triangles, {:.6g} kg, {:.6g} m2", def.name,
      def.mesh.vertices.size(), def.mesh.triangles.size(), world.mass(id), area(def.mesh));
  row("  mean edge", "{:.4g} m", mean_edge(def.mesh));
  membrane_rows(def);
  row("  bending rigidity", "{:.4g} N m", def.bend_rigidity);
  row("  wave per substep", "{:.3g} edges", wave_ratio(scene, def));
}

void solid_rows(const Scene& scene, const World& world, SolidId id, const SolidDef& def) {
  row("solid", "{}: {} nodes, {:.6g} kg, {:.6g} m3", def.name, world.positions(id).size(),
      world.mass(id), world.rest_volume(id));
  if (def.model == SolidModel::mass_spring)
    row("  springs", "distance {:.4g} J, area {:.4g} J, volume {:.4g} J", def.springs.distance,
        def.springs.area, def.springs.volume);
  if (const std::int32_t missing = world.missing_springs(id); missing > 0)
    row("  inner springs", "{} of {}, the others found no place", def.springs.inner - missing,
        def.springs.inner);
  if (def.model == SolidModel::shape_matching)
    row("  shape matching", "{:.4g} Hz, freedom {:.4g}", def.matching.frequency,
        def.matching.freedom);
  if (!has_moduli(def)) return;
  const double e = def.youngs_modulus, nu = def.poisson_ratio;
  row("  Young's modulus", "{:.4g} Pa, Poisson's ratio {:.4g}", e, nu);
  row("  shear modulus", "{:.4g} Pa", e / (2 * (1 + nu)));
  if (nu < 0.5) row("  bulk modulus", "{:.4g} Pa", e / (3 * (1 - 2 * nu)));
  row("  cell", "{:.4g} m", cell_size(def));
  const double ratio = wave_ratio(scene, def);
  row("  wave per substep", "{:.3g} cells", ratio);
  if (ratio <= k_stiff_ratio || scene.world.sweeps > 1) return;
  row("  effective modulus", "about {:.3g} Pa: above {:g} cells it acts softer, raise substeps",
      effective_stiffness(e, ratio), k_stiff_ratio);
}

int scene_info(const std::string& path) {
  std::vector<Error> problems;
  const std::optional<LoadedScene> loaded = load_for_run(path, {}, 1, problems);
  if (!loaded) return 1;
  const Scene& scene = loaded->scene;
  const World& world = loaded->world.world;
  fmt::print("{}: scene {}\n", path, scene.name);
  row("time", "{:g} s in steps of {:.6g} s, {} substeps of {:.4g} s, {} sweeps", scene.seconds,
      scene.dt, scene.world.substeps, substep(scene), scene.world.sweeps);
  row("counts", "{} bodies, {} cloths, {} solids, {} anchors, {} joints, {} seams, {} expectations",
      scene.bodies.size(), scene.cloths.size(), scene.solids.size(), scene.anchors.size(),
      scene.joints.size(), scene.seams.size(), scene.expect.size());
  for (const BodyDef& def : scene.bodies) body_row(world, loaded->world.bodies.at(def.name), def);
  for (const ClothDef& def : scene.cloths) {
    cloth_rows(scene, world, loaded->world.cloths.at(def.name), def);
  }
  for (const SolidDef& def : scene.solids) {
    solid_rows(scene, world, loaded->world.solids.at(def.name), def);
  }
  return 0;
}

}  // namespace

int cmd_info(const InfoOptions& options) {
  if (options.file.empty()) return machine_info();
  const FileKind kind = file_kind(options.file);
  if (kind == FileKind::scene) return scene_info(options.file);
  if (kind == FileKind::recording) return recording_info(options.file);
  if (kind == FileKind::unknown) {
    return fail({options.file, "is of no known kind; accepted are " + accepted_files()});
  }
  if (kind != FileKind::surface) {
    const Result<TetMesh> tets = load_tet_mesh(options.file);
    if (tets.ok()) return tetrahedra_info(options.file, tets.value());
    if (kind == FileKind::tetrahedra) return fail(tets.error());
  }
  const Result<TriMesh> mesh = load_tri_mesh(options.file);
  return mesh.ok() ? surface_info(options.file, mesh.value()) : fail(mesh.error());
}

}  // namespace pliant::cli
