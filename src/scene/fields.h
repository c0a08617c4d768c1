// The manifest of the scene format: one table of fields for each struct. Reader, writer, range
// checks, schema, overrides and suggestions all walk these tables, so that they cannot diverge.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <pliant/defs.h>
#include <pliant/scene.h>

namespace pliant {

// Accepted numbers; of a vector, of each component.
struct Range {
  double min = -1e30;
  double max = 1e30;
  bool above_min = false;  // min itself is not accepted
};

// A value of a struct, of any of the types that the tables know. What walks the tables works on
// these, so that it is compiled once and not for every struct.
using Value =
    std::variant<std::monostate, double*, std::optional<double>*, int*, std::uint32_t*, bool*,
                 std::string*, Vec3*, Quat*, Motion*, Membrane*, Bending*, SolidModel*, Energy*,
                 Element*, Method*, Schedule*, SelfContact*, ClothSearch*, BroadPhase*,
                 TileDetector*, TileMap*, MeshSide*, Combine*, Surface*, Filter*, Sheet*, Springs*,
                 SpringLaw*, SpringPlacement*, SpringIntegrator*, Matching*, MatchingMode*, Path*,
                 std::vector<Vec3>*, std::vector<std::int32_t>*, std::array<int, 2>*,
                 std::array<int, 3>*, std::array<double, 3>*, JointKind*, JointMotion*, MotorKind*,
                 JointFreedom*, std::array<JointFreedom, 3>*, Impacts*, ImpactTime*,
                 std::array<bool, 3>*, SolidContact*, OverlapSearch*>;

// Which of these types a member has, and where in its struct it is. None (monostate) marks what is
// read and written by hand; `schema` then names its definition.
struct Slot {
  std::size_t type = 0;  // index into Value
  std::ptrdiff_t offset = 0;
};
template <class V, std::size_t N = 1>
constexpr std::size_t value_index() {
  static_assert(N < std::variant_size_v<Value>, "a type that Value does not hold");
  if constexpr (std::is_same_v<std::variant_alternative_t<N, Value>, V*>)
    return N;
  else
    return value_index<V, N + 1>();
}
template <class T>
struct Member : Slot {
  Member(std::monostate) {}  // NOLINT(google-explicit-constructor): the tables are lists of these
  template <class V>
  Member(V T::*member) {  // NOLINT(google-explicit-constructor)
    static const T fresh{};
    type = value_index<V>();
    offset =
        reinterpret_cast<const char*>(&(fresh.*member)) - reinterpret_cast<const char*>(&fresh);
  }
};
// The value of the object that the slot is of.
Value value_at(const Slot& slot, const void* object);

template <class T>
struct Field {
  const char* key;
  Member<T> member;
  const char* unit;  // "" where there is none
  const char* help;
  Range range = {};
  bool required = false;
  const char* schema = "";  // of a field that is read by hand: the name in "definitions"
};

// --- what the file says where it differs from the definitions
// ---------------------------------------
struct GridSource {
  int columns = 16;
  int rows = 16;
  double width = 1;
  double depth = 1;
};
struct BoxSource {
  Vec3 half{0.5, 0.5, 0.5};
  int cells = 1;
};
struct SphereSource {
  double radius = 0.5;
  int levels = 3;
};
struct LatticeSource {
  std::array<int, 3> cells{4, 4, 4};
  double cell = 0.1;
};
struct TriSource {
  std::string file;
  std::vector<Vec3> vertices;
  double scale = 1;
};
struct TetSource {
  std::string file;
  std::vector<Vec3> vertices;
  double scale = 1;
};
struct SelectBox {
  Vec3 min, max;
};
struct ArraySource {
  std::array<int, 3> count{1, 1, 1};
  Vec3 spacing{1, 1, 1};
  std::array<int, 2> taper{0, 0};
  double jitter = 0;
};
struct AnchorEndSource {
  Vec3 world;
  std::string body, cloth, solid;
  Vec3 local;
  int vertex = 0;
  int triangle = 0;
  std::array<double, 3> weights{1.0 / 3, 1.0 / 3, 1.0 / 3};
};
struct SeamSideSource {
  std::string cloth;
  std::vector<std::int32_t> vertices;
  int from = 0;
  int to = 0;
  MeshSide side = MeshSide::left;
  bool reverse = false;
};
struct ExpectSource {
  double at = 0;
  std::string body, cloth, solid, anchor, joint, seam;
  std::string reason;
};
struct BoundSource {
  std::optional<double> near;
  double within = 0;
  std::optional<double> min, max;
};

// --- the tables
// -------------------------------------------------------------------------------------
template <class T>
std::span<const Field<T>> fields_of();

// A type is no expression: it takes no parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define PLIANT_FIELDS(Type) \
  template <>               \
  std::span<const Field<Type>> fields_of<Type>();
// NOLINTEND(bugprone-macro-parentheses)
PLIANT_FIELDS(Sphere)
PLIANT_FIELDS(Box)
PLIANT_FIELDS(Capsule)
PLIANT_FIELDS(HalfSpace)
PLIANT_FIELDS(Cylinder)
PLIANT_FIELDS(Cone)
PLIANT_FIELDS(Ellipsoid)
PLIANT_FIELDS(Rectangle)
PLIANT_FIELDS(Hull)
PLIANT_FIELDS(HeightField)
PLIANT_FIELDS(Compound)
PLIANT_FIELDS(CompoundPart)
PLIANT_FIELDS(Surface)
PLIANT_FIELDS(Filter)
PLIANT_FIELDS(Keyframe)
PLIANT_FIELDS(Pin)
PLIANT_FIELDS(Sheet)
PLIANT_FIELDS(Springs)
PLIANT_FIELDS(Matching)
PLIANT_FIELDS(Fold)
PLIANT_FIELDS(BodyDef)
PLIANT_FIELDS(ClothDef)
PLIANT_FIELDS(SolidDef)
PLIANT_FIELDS(TileMap)
PLIANT_FIELDS(WorldDef)
PLIANT_FIELDS(SceneAnchor)
PLIANT_FIELDS(JointFreedom)
PLIANT_FIELDS(JointDef)
PLIANT_FIELDS(SceneSeam)
PLIANT_FIELDS(SeamSideSource)
PLIANT_FIELDS(UniformGravity)
PLIANT_FIELDS(PointGravity)
PLIANT_FIELDS(Drag)
PLIANT_FIELDS(Explosion)
PLIANT_FIELDS(Magnet)
PLIANT_FIELDS(Vortex)
PLIANT_FIELDS(FieldDef)
PLIANT_FIELDS(Camera)
PLIANT_FIELDS(Scene)
PLIANT_FIELDS(GridSource)
PLIANT_FIELDS(BoxSource)
PLIANT_FIELDS(SphereSource)
PLIANT_FIELDS(LatticeSource)
PLIANT_FIELDS(TriSource)
PLIANT_FIELDS(TetSource)
PLIANT_FIELDS(SelectBox)
PLIANT_FIELDS(ArraySource)
PLIANT_FIELDS(AnchorEndSource)
PLIANT_FIELDS(ExpectSource)
PLIANT_FIELDS(BoundSource)
#undef PLIANT_FIELDS

// The names of the shapes in a file, in the order of the variant; a user's has none.
inline constexpr std::array<const char*, 12> k_shape_names = {
    "sphere",    "box",       "capsule", "half_space", "cylinder",     "cone",
    "ellipsoid", "rectangle", "hull",    "mesh",       "height_field", "compound"};
// The names of the kinds of field, in the order of the variant.
inline constexpr std::array<const char*, 6> k_field_names = {
    "uniform_gravity", "point_gravity", "drag", "explosion", "magnet", "vortex"};
// The words of an enumeration, in the order of its values.
inline std::vector<std::string> words_of(Motion) { return {"fixed", "kinematic", "dynamic"}; }
inline std::vector<std::string> words_of(Combine) {
  return {"automatic", "mean", "geometric", "least", "product", "greatest"};
}
inline std::vector<std::string> words_of(Membrane) { return {"edges", "strain"}; }
inline std::vector<std::string> words_of(SolidModel) {
  return {"xpbd", "fem", "explicit_fem", "mass_spring", "shape_matching"};
}
inline std::vector<std::string> words_of(SpringLaw) { return {"energy", "length", "equal"}; }
inline std::vector<std::string> words_of(SpringPlacement) {
  return {"random", "opposite", "nearest"};
}
inline std::vector<std::string> words_of(SpringIntegrator) { return {"verlet", "semi_implicit"}; }
inline std::vector<std::string> words_of(MatchingMode) { return {"rigid", "linear", "quadratic"}; }
inline std::vector<std::string> words_of(Energy) {
  return {"neo_hookean", "corotated", "green", "cauchy"};
}
inline std::vector<std::string> words_of(Element) { return {"tetrahedra", "hexahedra"}; }
inline std::vector<std::string> words_of(Bending) { return {"automatic", "quadratic", "hinge"}; }
inline std::vector<std::string> words_of(MeshSide) { return {"left", "right", "top", "bottom"}; }
inline std::vector<std::string> words_of(Method) { return {"xpbd", "pbd"}; }
inline std::vector<std::string> words_of(Schedule) { return {"clusters", "colours", "split"}; }
inline std::vector<std::string> words_of(SelfContact) { return {"features", "particles"}; }
inline std::vector<std::string> words_of(ClothSearch) { return {"bvh", "rtree", "rtree_inserted"}; }
inline std::vector<std::string> words_of(BroadPhase) {
  return {"sweep", "bvh", "tiles", "sphere_tree", "brute"};
}
inline std::vector<std::string> words_of(TileDetector) {
  return {"box", "rotated_box", "relative_index", "mask_points"};
}
inline std::vector<std::string> words_of(JointKind) {
  return {"fixed", "ball", "hinge", "slider", "distance", "cone_twist", "six_dof"};
}
inline std::vector<std::string> words_of(JointMotion) {
  return {"automatic", "free", "limited", "locked"};
}
inline std::vector<std::string> words_of(MotorKind) { return {"none", "speed", "position"}; }
inline std::vector<std::string> words_of(Impacts) { return {"together", "ordered"}; }
inline std::vector<std::string> words_of(ImpactTime) { return {"advancement", "bisection"}; }
inline std::vector<std::string> words_of(SolidContact) {
  return {"position", "pressure", "penalty"};
}
inline std::vector<std::string> words_of(OverlapSearch) { return {"hash", "bvh", "brute"}; }
// What "select" of a pin takes besides a box; by the bounding box of the rest shape.
inline constexpr std::array<const char*, 7> k_select_names = {"corners", "min_x", "max_x", "min_y",
                                                              "max_y",   "min_z", "max_z"};

// --- limits
// -----------------------------------------------------------------------------------------
inline constexpr std::int64_t k_max_vertices = 20'000'000;  // of a scene
inline constexpr std::int64_t k_max_things = 1'000'000;     // bodies, cloths and solids of a scene

}  // namespace pliant
