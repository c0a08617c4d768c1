// One scene with every kind of thing in it, for the round trip and for the mutations.
#pragma once

#include <string>

namespace pliant {

inline const std::string k_rich_scene = R"({
  "name": "rich",
  "description": "everything once",
  "world": {"gravity": [0, -9.8, 0], "substeps": 10, "sweeps": 2, "medium_density": 1.2,
            "wind": [1, 0, 0.5], "gust_speed": 0.5, "gust_period": 3, "gust_seed": 7, "push_speed": 2, "restitution_speed": 0.1,
            "contact_margin": 0.02, "sleep": false, "sleep_distance": 0.001},
  "dt": 0.01,
  "seconds": 4,
  "bodies": [
    {"name": "floor", "motion": "fixed", "shape": {"half_space": {}}},
    {"name": "ball", "shape": {"sphere": {"radius": 0.25}}, "position": [0.1, 2, -0.3],
     "rotation": {"axis": [0, 0, 2], "angle": 0.5}, "velocity": [1, 0, 0],
     "angular_velocity": [0, 3, 0], "mass": 2.5, "inertia": [0.1, 0.1, 0.15],
     "surface": {"friction_static": 0.7, "friction_kinetic": 0.6, "restitution": 0.3},
     "drag_coefficient": 0.5, "linear_drag": 0.01, "angular_drag": 0.02, "allow_sleep": false,
     "material": "iron", "gravity_scale": 0.5, "max_speed": 30,
     "lock_position": [false, false, true], "lock_rotation": [true, true, false]},
    {"name": "paddle", "motion": "kinematic", "shape": {"box": {"half": [0.5, 0.1, 0.5]}},
     "path": [{"time": 0, "position": [2, 1, 0]},
              {"time": 1.5, "position": [3, 1, 0], "rotation": {"euler_degrees": [0, 90, 0]}}]},
    {"name": "pill", "shape": {"capsule": {"radius": 0.1, "half_height": 0.3}}, "density": 500,
     "position": [0, 5, 0], "rotation": [0, 0, 0, 2]},
    {"name": "brick", "shape": {"box": {"half": [0.1, 0.05, 0.1]}}, "position": [5, 0.05, 0],
     "array": {"count": [3, 3, 1], "spacing": [0.2, 0.1, 0.2], "taper": [1, 0], "jitter": 0.001}},
    {"name": "tin", "shape": {"cylinder": {"radius": 0.1, "half_height": 0.2}}},
    {"name": "hat", "shape": {"cone": {"radius": 0.2, "height": 0.3}}},
    {"name": "pebble", "shape": {"ellipsoid": {"half": [0.1, 0.2, 0.3]}}},
    {"name": "wall", "motion": "fixed", "shape": {"rectangle": {"half_x": 2, "half_z": 1}}},
    {"name": "gem", "shape": {"hull": {"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}},
    {"name": "block", "shape": {"mesh": {"box": {"half": [0.1, 0.1, 0.1], "cells": 1}}}},
    {"name": "ground", "motion": "fixed",
     "shape": {"height_field": {"columns": 1, "rows": 2, "width": 3, "depth": 4, "heights": [0, 0, 0.5, 0, 0, 1]}}},
    {"name": "mallet", "shape": {"compound": {"parts": [
      {"shape": {"cylinder": {"radius": 0.02, "half_height": 0.2}}, "density": 600},
      {"shape": {"box": {"half": [0.1, 0.03, 0.03]}}, "position": [0, 0.2, 0], "rotation": [0, 1, 0, 1]}]}}}
  ],
  "cloths": [
    {"name": "flag", "mesh": {"grid": {"columns": 4, "rows": 3, "width": 1, "depth": 0.75},
     "scale": 1.5}, "position": [0, 3, 0], "rotation": [0, 0, 0.6, 0.8], "velocity": [0, 0, 1],
     "areal_density": 0.3, "stretch_stiffness": 900, "bend_rigidity": 0.001, "thickness": 0.005,
     "membrane": "strain", "sheet": {"warp_modulus": 2e6, "weft_modulus": 1e6,
     "shear_modulus": 3e5, "poisson_ratio": 0.25, "thickness": 0.0005, "warp": [1, 0, 1]},
     "strain_limit": 0.2, "bending": "hinge", "method": "pbd", "pbd_stretch": 0.9,
     "schedule": "colours", "split_colours": 3,
     "pbd_bend": 0.05, "folds": [{"vertices": [5, 6, 7, 8, 9], "angle": -0.5, "stiffness": 0.01,
     "begin": 0.5, "duration": 2}],
     "linear_drag": 0.2, "wind_drag": 0.9, "wind_lift": 0.4, "tethers": true,
     "tether_slack": 0.05, "surface": {"friction_static": 0.9},
     "pins": [{"select": ["corners", "min_z"],
               "path": [{"time": 0, "position": [0, 0, 0]}, {"time": 2, "position": [0, 1, 0]}],
               "pivot": [0, 3, 0]},
              {"vertices": [19]}],
     "allow_sleep": false},
    {"name": "patch", "mesh": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 0, 1]],
     "triangles": [[0, 2, 1]]}, "initial_positions": [[0, 4, 0], [1, 4, 0], [0, 4.1, 1]],
     "initial_velocities": [[0, 0, 0], [0, 0.1, 0], [0, 0, 0]]}
  ],
  "solids": [
    {"name": "jelly", "mesh": {"box": {"half": [0.2, 0.2, 0.2], "cells": 2}}, "cells": 4,
     "position": [-2, 1, 0], "density": 900, "youngs_modulus": 20000, "poisson_ratio": 0.3,
     "linear_drag": 0.3, "thickness": 0.003, "angular_velocity": [0, 1, 0],
     "pins": [{"select": {"box": {"min": [-1, -1, -1], "max": [1, -0.15, 1]}}}]},
    {"name": "egg", "mesh": {"sphere": {"radius": 0.2, "levels": 1}}, "cell_size": 0.14,
     "position": [-3, 1, 0]},
    {"name": "bar", "tets": {"lattice": {"cells": [4, 1, 1], "cell": 0.1}},
     "mesh": {"box": {"half": [0.2, 0.05, 0.05], "cells": 2}},
     "skin": {"sphere": {"radius": 0.05, "levels": 1}}, "node_mass": 0.1, "colour": 255,
     "position": [-4, 1, 0], "pins": [{"select": "min_x"}],
     "array": {"count": [1, 1, 2], "spacing": [0, 0, 1]}},
    {"name": "corner", "tets": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
     "tetrahedra": [[0, 1, 2, 3]], "scale": 0.5}, "position": [-5, 1, 0]}
  ],
  "anchors": [
    {"name": "rope", "a": {"world": [0.1, 3, -0.3]}, "b": {"body": "ball", "local": [0, 0.25, 0]},
     "compliance": 0.001, "max_force": 50},
    {"name": "knot", "a": {"cloth": "flag", "vertex": 7}, "b": {"body": "pill"}},
    {"name": "stitch", "a": {"cloth": "flag", "triangle": 5, "weights": [0.5, 0.25, 0.25]},
     "b": {"solid": "corner", "vertex": 2}},
    {"name": "glue", "a": {"solid": "egg", "triangle": 3}, "b": {"body": "brick_2"}}
  ],
  "joints": [
    {"name": "axle", "kind": "hinge", "a": {"body": "paddle"}, "b": {"body": "ball", "local": [0.1, 0, 0]},
     "axis": [0, 0, 2], "frame_b": {"axis": [1, 0, 0], "angle": 0.3}, "freedom": {"motion": "limited",
     "min": -1, "max": 2, "compliance": 1e-5, "rest": 0.5, "stiffness": 3, "damping": 0.1,
     "motor": "position", "target": 1, "max_speed": 2, "max_force": 5}, "compliance": 1e-7,
     "angular_compliance": 1e-6, "break_force": 500, "break_torque": 50, "collide": true},
    {"name": "neck", "kind": "cone_twist", "a": {"world": [0, 5, 0]}, "b": {"body": "brick_0"},
     "frame_a": {"euler_degrees": [0, 0, 90]}, "swing": {"motion": "limited", "max": 0.7}},
    {"name": "stick", "kind": "distance", "a": {"cloth": "flag", "vertex": 2}, "b": {"body": "brick_1"},
     "length": 1.5},
    {"name": "rail", "kind": "six_dof", "a": {"body": "brick_2"}, "b": {"solid": "corner", "vertex": 1},
     "linear": [{"motion": "free"}, {"motion": "limited", "min": -1, "max": 1}, {}],
     "angular": [{"motion": "free"}, {"motion": "free"}, {"motion": "free"}]}
  ],
  "seams": [
    {"name": "hem", "a": {"cloth": "flag", "side": "left"}, "b": {"cloth": "flag", "side": "right"},
     "speed": 0.3, "merge_distance": 0.002, "compliance": 0.0001, "bend": false},
    {"name": "tack", "a": {"cloth": "flag", "from": 1, "to": 3},
     "b": {"cloth": "flag", "vertices": [16, 18], "reverse": true}}
  ],
  "fields": [
    {"name": "sun", "kind": {"point_gravity": {"position": [1, 2, 3], "strength": 50}}, "range": 9},
    {"name": "pull", "kind": {"magnet": {"strength": 39.2, "softening": 0.02, "material": "steel"}},
     "begin": 1.5, "duration": 0.25},
    {"kind": {"uniform_gravity": {"acceleration": [0, 1, 0]}}},
    {"kind": {"drag": {"density": 1000, "coefficient": 0.47, "velocity": [0, 0, 1]}}},
    {"kind": {"explosion": {"position": [0, 1, 0], "strength": 500, "softening": 0.1}}},
    {"kind": {"vortex": {"axis": [0, 0, 1], "speed": 3, "radius": 0.5, "rate": 2}}}
  ],
  "expect": [
    {"at": 4, "body": "ball", "height": {"near": 0.25, "within": 0.01}, "reason": "lies"},
    {"at": 2, "cloth": "flag", "stretch_max": {"max": 1.1}},
    {"at": 1, "solid": "jelly", "volume_ratio": {"min": 0.9, "max": 1.1}},
    {"at": -1, "anchor": "rope", "force": {"min": 0}},
    {"at": -1, "joint": "axle", "angle": {"max": 2}},
    {"at": -1, "seam": "hem", "merged": {"max": 4}},
    {"at": 3, "kinetic_energy": {"max": 100}}
  ],
  "camera": {"eye": [4, 3, 5], "target": [0, 1, 0], "field_of_view": 0.8}
}
)";

}  // namespace pliant
