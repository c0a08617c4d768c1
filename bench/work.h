// What a scene asks of every engine, in words for the printed table.
#pragma once

#include <string>

#include <pliant/scene.h>

namespace pliant::bench {

std::string describe_work(const Scene& scene);

}  // namespace pliant::bench
