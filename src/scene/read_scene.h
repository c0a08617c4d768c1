// What the parts of the scene reader share: the scene so far and its names.
#pragma once

#include <map>
#include <string>

#include "scene/quantities.h"
#include "scene/reader.h"

namespace pliant {

struct NamedThing {
  SubjectKind kind = SubjectKind::world;
  std::size_t index = 0;  // in its list of the scene
  std::string place;      // where the name was given
};

struct SceneReader {
  Reader reader;
  Scene scene;
  std::map<std::string, NamedThing> names;
  bool times_overridden = false;  // then expectations after the end are no mistake of the file
};

// Registers a name; an error where it is taken.
void claim_name(SceneReader& in, const std::string& name, SubjectKind kind, std::size_t index,
                const Place& place);
// Null, with an error that suggests a name, where there is no such thing of this kind.
const NamedThing* find_named(SceneReader& in, const std::string& name, SubjectKind kind,
                             const Place& place);

// An end of an anchor or a joint.
void read_end(SceneReader& in, const Json& json, const Place& place, SceneAnchorEnd& out);
// Whether it is of a dynamic body, a cloth or a solid.
bool can_move(const SceneReader& in, const SceneAnchorEnd& end);
void read_anchors(SceneReader& in, const Json& json, const Place& place);
void read_joints(SceneReader& in, const Json& json, const Place& place);
void read_seams(SceneReader& in, const Json& json, const Place& place);
void read_field(SceneReader& in, const Json& json, const Place& place, std::size_t index);
void read_expectations(SceneReader& in, const Json& json, const Place& place);

}  // namespace pliant
