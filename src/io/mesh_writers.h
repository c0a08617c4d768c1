// Meshes as the bytes of files. Text formats keep every bit of a double; STL is single precision.
#pragma once

#include <string>

#include <pliant/mesh.h>

namespace pliant {

std::string write_obj(const TriMesh& mesh);
std::string write_ply(const TriMesh& mesh);  // binary, little-endian, double
std::string write_stl(const TriMesh& mesh);  // binary
std::string write_vtk(const TriMesh& mesh);  // legacy 3.0, text
std::string write_vtk(const TetMesh& mesh);
std::string write_msh(const TetMesh& mesh);   // Gmsh 2.2, text
std::string write_node(const TetMesh& mesh);  // numbered from 0
std::string write_ele(const TetMesh& mesh);

}  // namespace pliant
