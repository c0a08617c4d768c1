// What a scene file says in short and the reader makes long: meshes from generators and files, pins
// by selection, arrays of copies.
#pragma once

#include <string>
#include <vector>

#include "scene/reader.h"

namespace pliant {

bool read_mesh(Reader& reader, const Json& json, const Place& place, TriMesh& out);
bool read_mesh(Reader& reader, const Json& json, const Place& place, TetMesh& out);

// A shape with one key; what it holds is checked with the definition.
void read_shape(Reader& reader, const Json& json, const Place& place, Shape& out);

// `rest` are the vertices that "select" chooses from.
void read_pins(Reader& reader, const Json& json, const Place& place, const std::vector<Vec3>& rest,
               std::vector<Pin>& out);

void read_folds(Reader& reader, const Json& json, const Place& place, const std::vector<Vec3>& rest,
                std::vector<Fold>& out);

// Where the copies of an array are, relative to the first; layer by layer, then along z, then x.
std::vector<Vec3> array_offsets(const ArraySource& array);
double array_count(const ArraySource& array);  // how many, without making them

}  // namespace pliant
