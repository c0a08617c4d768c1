// How far two features are from each other at rest that belong to cloths which are sewn together.
// Their meshes may have been drawn anywhere, so what counts is the way along one cloth, or from one
// to the other through a place where both have become one.
#pragma once

#include <array>

#include "model/deformable.h"
#include "model/sheet.h"

namespace pliant {

// m, by the nearest corners of both, and rather too little; far more than any thickness if they are
// in no neighbourhood.
double sewn_rest_distance(const Deformable& body, const std::array<std::int32_t, 4>& particle,
                          SheetFeature feature);

}  // namespace pliant
