// What rows are compared with: Bullet's row, and the bars that the project has set itself.
#pragma once

#include "bench/bench.h"

namespace pliant::bench {

// Fills times_bullet and bars of all rows.
void compare_rows(BenchReport& report);

const BenchRow* find_row(const BenchReport& report, const std::string& scene,
                         const std::string& engine, int threads);

// What the checks of the specifications of solids ask of the rows that are named after them.
void add_solid_check_bars(const BenchReport& report, BenchRow& row);

double ns_per_vertex(const BenchRow& row);  // 0 where there is no cloth

}  // namespace pliant::bench
