// Overrides from the command line, "bodies.ball.surface.friction_static=0.3": written into the
// document before it is read, so that the reader judges them like the file.
#pragma once

#include <string>
#include <vector>

#include "scene/document.h"

namespace pliant {

// Which places of the document come from which override.
struct OverrideMark {
  std::string place;     // JSON path of the value, or of the first key that was not there
  std::string override;  // as given
};
using OverrideMarks = std::vector<OverrideMark>;

OverrideMarks apply_overrides(Json& document, const std::vector<std::string>& overrides,
                              std::vector<Error>& errors);
// The override that a place came from; empty = from the file.
std::string marked_override(const OverrideMarks& marks, const std::string& place);

}  // namespace pliant
