// Mass, centre and inertia of shapes, and the axes about which a body turns by itself.
#pragma once

#include <string>

#include "geometry/shape.h"

namespace pliant {

struct Bulk {
  double mass = 0;                                  // kg
  Vec3 centre;                                      // m, in the frame of the shape
  Mat3 inertia{{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};  // kg m2, about the centre, in that frame
};
// density (kg/m3) is that of the parts of a compound that have none of their own.
Bulk shape_bulk(const Shape& shape, double density);

// inertia = R diag(moments) R^T with R the matrix of `axes`. A matrix that is diagonal already
// keeps its order and has no turn.
struct Principal {
  Vec3 moments;
  Quat axes;
};
Principal find_principal(const Mat3& inertia);

// Why a shape cannot be dynamic: a half of a sentence, empty where it can.
std::string no_bulk_reason(const Shape& shape);

}  // namespace pliant
