// Loading with the warnings that only a reader can give.
#pragma once

#include <string>

#include <pliant/mesh.h>

#include "io/scan.h"

namespace pliant {

Result<TriMesh> load_tri_mesh_with_warnings(const std::string& path, Warnings& warnings);
Result<TetMesh> load_tet_mesh_with_warnings(const std::string& path, Warnings& warnings);

}  // namespace pliant
