// The layout of a recording's frames as bytes.
#pragma once

#include <string>

#include <pliant/frame.h>
#include <pliant/result.h>

#include "record/bytes.h"

namespace pliant {

void put_layout(ByteWriter& out, const FrameLayout& layout);
// An Error that begins with `path` where a count, a kind or an index is out of its range.
Result<FrameLayout> get_layout(ByteReader& in, const std::string& path);

}  // namespace pliant
