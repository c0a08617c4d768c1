// Fields of force by name: what one does to a body or a particle. Those that pull give an
// acceleration, of which there is a potential; those that drag carry a velocity towards that of a
// medium, by the exact or the implicit solution, which never overshoots however long the substep.
#pragma once

#include <pliant/defs.h>
#include <pliant/field.h>

namespace pliant {

// The share of the time from `time` to `time + h` in which the field is there.
double covered_share(const FieldDef& def, double time, double h);
// Whether it comes or goes in that time.
bool comes_or_goes(const FieldDef& def, double time, double h);
// Whether it drags; else it pulls.
bool drags(const FieldDef& def);
// m/s2, of a field that pulls; 0 on what it does not act on.
Vec3 field_acceleration(const FieldDef& def, const FieldSample& sample);
// J, of a field that pulls: 0 far away, or where its range ends.
double field_energy(const FieldDef& def, const FieldSample& sample);
// m/s: the sample's velocity after the time h in a field that drags.
Vec3 carried_velocity(const FieldDef& def, const FieldSample& sample, double h);

}  // namespace pliant
