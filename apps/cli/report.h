// One self-contained page about a run.
#pragma once

#include <pliant/scene.h>

#include <string>

#include "apps/cli/run_summary.h"

namespace pliant::cli {

// `picture` holds the bytes of a PNG; empty = no picture.
std::string report_html(const Scene& scene, const RunSummary& summary, const std::string& picture);

}  // namespace pliant::cli
