// Everything public.
#pragma once

#include <pliant/clock.h>
#include <pliant/defs.h>
#include <pliant/diagnostics.h>
#include <pliant/fabric.h>
#include <pliant/field.h>
#include <pliant/frame.h>
#include <pliant/ids.h>
#include <pliant/joint.h>
#include <pliant/marks.h>
#include <pliant/material.h>
#include <pliant/math.h>
#include <pliant/mesh.h>
#include <pliant/mesh_repair.h>
#include <pliant/query.h>
#include <pliant/real.h>
#include <pliant/record.h>
#include <pliant/result.h>
#include <pliant/scene.h>
#include <pliant/world.h>
