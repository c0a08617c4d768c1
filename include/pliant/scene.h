// A scene: the definitions that make a world, as a file. docs/scene-format.md describes the JSON,
// docs/scene.schema.json is its schema.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pliant/defs.h>
#include <pliant/field.h>
#include <pliant/joint.h>
#include <pliant/result.h>
#include <pliant/world.h>

namespace pliant {

// An end of an anchor, by name.
struct SceneAnchorEnd {
  enum class Kind { world, body, cloth_vertex, solid_vertex, cloth_triangle, solid_triangle };
  Kind kind = Kind::world;
  std::string name;        // of the body, cloth or solid
  Vec3 position;           // world: where; body: in its frame
  std::int32_t index = 0;  // vertex or triangle
  std::array<double, 3> weights{1.0 / 3, 1.0 / 3, 1.0 / 3};
};
struct SceneAnchor {
  std::string name;
  SceneAnchorEnd a, b;
  double compliance = 0;
  double max_force = 0;
};

// A joint between things by name.
struct SceneJoint {
  std::string name;
  SceneAnchorEnd a, b;
  JointDef settings;  // but for its name and sides
};

// A seam between cloths by name; otherwise as SeamDef.
struct SceneSeamSide {
  std::string cloth;
  std::vector<std::int32_t> vertices;
};
struct SceneSeam {
  std::string name;
  SceneSeamSide a, b;
  double speed = SeamDef{}.speed;
  double merge_distance = SeamDef{}.merge_distance;
  double compliance = SeamDef{}.compliance;
  bool bend = SeamDef{}.bend;
};

// A physical statement that a run checks. The value of `quantity` of `subject` at time `at` is
// within `within` of `near`, or between `min` and `max`.
struct Expectation {
  double at = 0;         // s; the end of the run where negative
  std::string subject;   // a name; empty = the world
  std::string quantity;  // see docs/scene-format.md
  std::optional<double> near;
  double within = 0;
  std::optional<double> min, max;
  std::string reason;  // why this value and this tolerance
};

struct Camera {
  bool given = false;  // false: chosen to show everything
  Vec3 eye{3, 2, 4};
  Vec3 target;
  double field_of_view = 0.7;  // rad, vertical
};

// Where a mesh came from, so that saving a scene does not write out what a file or a generator
// holds.
struct MeshSource {
  std::string json;  // the value of "mesh" or "tets" in the scene file; empty = write the mesh
};

// Something of a PolyPhysics file that Pliant does not know: kept for when it is written again.
struct KeptXml {
  std::string parent;  // the elements around it, with ids: "Simulation/Forces/GravityPlane 9318"
  std::string text;
};

struct Scene {
  std::string name;
  std::string description;
  WorldDef world;
  double dt = 1.0 / 60;  // s, a step; also the time between two frames
  double seconds = 5;    // s, how long a run is
  std::vector<BodyDef> bodies;
  std::vector<ClothDef> cloths;
  std::vector<SolidDef> solids;
  std::vector<SceneAnchor> anchors;
  std::vector<SceneJoint> joints;
  std::vector<SceneSeam> seams;
  std::vector<FieldDef> fields;
  std::vector<Expectation> expect;
  Camera camera;
  std::vector<MeshSource> cloth_meshes;  // beside cloths
  std::vector<MeshSource> solid_meshes;  // beside solids, as the next two
  std::vector<MeshSource> solid_tets;
  std::vector<MeshSource> solid_skins;
  std::vector<KeptXml> kept_xml;
  std::string directory;  // what relative mesh files are relative to
};

// --- files
// ------------------------------------------------------------------------------------------
// Overrides are "world.substeps=20" or "bodies.ball.surface.friction_static=0.3": a path into the
// file (array elements by name or number) and a JSON value. Every problem found is returned, not
// just one.
struct SceneProblems {
  std::vector<Error> errors;
  std::vector<Error> warnings;  // what was passed over
};
// By the extension .xml: PolyPhysics XML. By its first word DeformableModels: that text format. All
// else is JSON.
std::optional<Scene> load_scene(const std::string& path, const std::vector<std::string>& overrides,
                                SceneProblems& problems);
// `directory` is where relative mesh files are looked for; `label` names the text in errors.
std::optional<Scene> parse_scene(const std::string& text, const std::string& directory,
                                 const std::string& label,
                                 const std::vector<std::string>& overrides,
                                 SceneProblems& problems);
std::string scene_to_json(const Scene& scene);
// PolyPhysics XML, version 1.0, or 1.1 where the scene needs more; docs/scene-format.md says what.
// An Error where Pliant was built without pugixml, or names what the format cannot say.
std::optional<Scene> parse_polyphysics(const std::string& text, const std::string& label,
                                       SceneProblems& problems);
// The text format DeformableModels; docs/scene-format.md says what becomes of it.
std::optional<Scene> parse_deformable_models(const std::string& text, const std::string& directory,
                                             const std::string& label, SceneProblems& problems);
Result<std::string> scene_to_polyphysics(const Scene& scene, bool decimal_comma = true);
Status save_scene(const std::string& path, const Scene& scene);
std::string scene_schema();  // docs/scene.schema.json

inline namespace PLIANT_ABI {

// --- worlds
// -----------------------------------------------------------------------------------------
struct SceneWorld {
  World world;
  std::map<std::string, BodyId> bodies;
  std::map<std::string, ClothId> cloths;
  std::map<std::string, SolidId> solids;
  std::map<std::string, AnchorId> anchors;
  std::map<std::string, JointId> joints;
  std::map<std::string, SeamId> seams;
  std::map<std::string, FieldId> fields;
};
Result<SceneWorld> build_world(const Scene& scene, std::shared_ptr<TaskPool> pool = nullptr);
// The scene that goes on from the world's present state: same definitions, positions and
// velocities.
Scene describe_world(const SceneWorld& scene_world, const Scene& original);

// The value of a quantity now; an Error where there is no such subject or quantity.
Result<double> measure(const SceneWorld& scene_world, const std::string& subject,
                       const std::string& quantity);

}  // namespace PLIANT_ABI
}  // namespace pliant
