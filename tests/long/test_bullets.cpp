// 10^5 bullets, of which none may cross.
#include "verification/bullets.h"

namespace pliant {
namespace {

TEST(bullets_long, rigid_A09_a_hundred_thousand_bullets) {
  test::Random random(90);
  for (int n = 0; n < 100000; ++n) ASSERT_TRUE(plate_stops_bullet(random, n)) << n;
}

}  // namespace
}  // namespace pliant
