// A ball falls into a cloth that hangs by its four corners above a floor.
#include <pliant/pliant.h>

#include <cstdio>

using namespace pliant;

int main() {
  World world({.substeps = 12});
  world.add_body({.name = "floor", .motion = Motion::fixed, .shape = HalfSpace{}}).value();
  const BodyDef ball_def = {.shape = Sphere{.radius = 0.2}, .position = {0, 2, 0}, .density = 50};
  const BodyId ball = world.add_body(ball_def).value();
  const ClothDef cloth_def = {.mesh = make_grid(20, 20, 1.5, 1.5),
                              .position = {0, 1.5, 0},
                              .pins = {{.vertices = {0, 20, 420, 440}}}};
  const ClothId cloth = world.add_cloth(cloth_def).value();

  for (int frame = 0; frame < 120; ++frame) {
    if (!world.step(1.0 / 60).ok()) return 1;
    if (frame % 20 == 19) {
      std::printf("%.2f s: ball at %.3f m, cloth stretched to %.3f\n", world.time(),
                  world.pose(ball).position.y, world.stretch_max(cloth));
    }
  }
  // Caught: the cloth keeps it off the floor and does not throw it higher than it came from.
  const double height = world.pose(ball).position.y;
  return height > 0.4 && height < 2 ? 0 : 1;
}
