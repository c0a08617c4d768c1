// Prints the hash of the mixed scene after every step: builds are compared by their output.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "mixed_scene.h"

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 150;
  pliant::MixedScene scene = pliant::make_mixed();
  std::printf("0 %016" PRIx64 "\n", scene.world.state_hash());
  for (int n = 0; n < steps; ++n) {
    pliant::step_mixed(scene, n);
    std::printf("%d %016" PRIx64 "\n", n + 1, scene.world.state_hash());
  }
  return 0;
}
