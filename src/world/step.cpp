// One step of the world, as a list of stages. docs/architecture.md follows it through the files.
#include "world/stage_timer.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {

StepReport World::Impl::step(double dt) {
  const auto begin = std::chrono::steady_clock::now();
  stats = {};
  report = {};
  last_step = dt;
  stepping = true;
  events.swap(pending_events);
  pending_events.clear();
  const auto timed = [&](Stage stage, auto&& run) {
    const StageTimer timer(stats.stage_ms[std::size_t(stage)]);
    run();
  };

  timed(Stage::commands, [&] { apply_commands(dt), begin_step(dt); });
  timed(Stage::broadphase, [&] { find_pairs(dt); });
  timed(Stage::narrowphase, [&] { note_sleepers(), find_partings(), find_contacts(dt); });
  timed(Stage::colour, [&] { colour(); });
  timed(Stage::narrowphase, [&] { search_woken(dt); });

  const double h = dt / def.substeps;
  for (int substep = 0; substep < def.substeps; ++substep) {
    const double time = state.time + substep * h;
    const double time_end = state.time + (substep + 1) * h;
    if (substep > 0) timed(Stage::narrowphase, [&] { search_again(h, dt - substep * h); });
    timed(Stage::forces, [&] { forces(h, time); });
    timed(Stage::rigid, [&] { ordered_impacts(h, time), solve_rigid(h); });
    timed(Stage::predict, [&] { predict(h, time_end); });
    timed(Stage::project, [&] { project_inside(h), part_overlaps(h); });
    timed(Stage::refresh, [&] { refresh(h, dt - substep * h); });
    timed(Stage::project, [&] { project_contacts(h); });
    timed(Stage::velocities, [&] { velocities(h, substep + 1 == def.substeps); });
    timed(Stage::relax, [&] { relax(h); });
    timed(Stage::restitution, [&] { restitution(h); });
  }
  state.time += dt;
  ++state.steps;

  timed(Stage::project, [&] { creep(dt); });
  timed(Stage::sleep, [&] { sleep(dt); });
  timed(Stage::publish, [&] { close_seams(), publish(dt); });
  stepping = false;
  stats.total_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace PLIANT_ABI
}  // namespace pliant
