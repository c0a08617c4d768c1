// Checks of whole definitions: every number in its range (by the tables of fields), and what the
// fields mean together. Empty = good. Error.place is the field, such as "surface.friction_static";
// the scene reader puts the JSON path before it.
#pragma once

#include <vector>

#include <pliant/defs.h>
#include <pliant/joint.h>
#include <pliant/result.h>
#include <pliant/scene.h>

namespace pliant {

std::vector<Error> check(const WorldDef& def);
std::vector<Error> check(const BodyDef& def);
std::vector<Error> check(const FieldDef& def);
std::vector<Error> check(const ClothDef& def);
std::vector<Error> check(const SolidDef& def);
std::vector<Error> check(const Path& path);
// Of an anchor or a joint.
void check_ends(const AnchorPoint& a, const AnchorPoint& b, std::vector<Error>& errors);
// Without the ids, which only the world knows.
std::vector<Error> check(const AnchorDef& def);
std::vector<Error> check(const JointDef& def);
// The definition of a scene's seam, without the ids of the cloths.
SeamDef seam_def(const SceneSeam& seam);
// Of the cloths of its two sides, which are the same object where it is one cloth.
std::vector<Error> check(const SeamDef& def, const ClothDef& a, const ClothDef& b);

// True where the mesh can be walked, so that what refers to it can be checked too. Places begin
// with "mesh".
bool check_triangles(const TriMesh& mesh, std::vector<Error>& errors);
// False where the shape cannot be made. Places begin with `place`.
bool check_shape(const Shape& shape, const std::string& place, std::vector<Error>& errors);

}  // namespace pliant
