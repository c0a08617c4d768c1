// One reader for each format. They throw ReadError on what cannot be read as meant and add a
// warning for what can be read but contradicts itself.
#pragma once

#include "io/scan.h"

namespace pliant {

TriMesh read_obj(const Source& source, Warnings& warnings);
TriMesh read_ply(const Source& source, Warnings& warnings);
TriMesh read_stl(const Source& source, Warnings& warnings);
TriMesh read_vtp(const Source& source, Warnings& warnings);
// Legacy VTK: a surface from polydata or from the flat cells of an unstructured grid.
TriMesh read_vtk_surface(const Source& source, Warnings& warnings);
TetMesh read_vtk_tetrahedra(const Source& source, Warnings& warnings);
// TetGen's two files, the nodes first; they give the number of the first vertex, 0 or 1.
std::int64_t read_tetgen_nodes(const Source& source, TetMesh& mesh, Warnings& warnings);
void read_tetgen_elements(const Source& source, std::int64_t first, TetMesh& mesh,
                          Warnings& warnings);
TetMesh read_gmsh(const Source& source, Warnings& warnings);

// Whether a legacy VTK file says DATASET UNSTRUCTURED_GRID.
bool is_vtk_unstructured(std::string_view bytes);

}  // namespace pliant
