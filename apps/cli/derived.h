// Numbers that follow from a scene's definitions: what the solver makes of a stiffness.
#pragma once

#include <pliant/scene.h>

#include <optional>
#include <string>

namespace pliant::cli {

double mean_edge(const TriMesh& mesh);    // m
double cell_size(const SolidDef& solid);  // m, the lattice's cube or the shortest edge
bool has_moduli(const SolidDef& solid);   // Young's and Poisson's act under its model
double substep(const Scene& scene);       // s

// How far a wave of stretch runs in a substep, in edges or cells. One sweep carries a force over
// one edge, so that above 1/2 things are noticeably softer than defined.
double wave_ratio(const Scene& scene, const ClothDef& cloth);
double wave_ratio(const Scene& scene, const SolidDef& solid);
inline constexpr double k_stiff_ratio = 0.5;

// A column of N edges stretches by N^2 g h^2 / 2 for want of sweeps alone, as if its modulus were
// rho (cell / h)^2 at most; with the defined one in series E / (1 + ratio^2) is left.
double effective_stiffness(double defined, double ratio);
// What it acts like where it is too stiff for the substep, for people.
std::optional<std::string> stiff_note(const Scene& scene, const SolidDef& solid);

}  // namespace pliant::cli
