// The tree with eight children a node finds what comparing all boxes finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "narrowphase/eight_tree.h"

namespace pliant {
namespace {

std::vector<TreeBox> random_boxes(std::mt19937& random, int count) {
  std::uniform_real_distribution<double> place(-3, 5), size(0, 0.4);
  std::vector<TreeBox> boxes;
  for (int n = 0; n < count; ++n) {
    const Vec3 low{place(random), place(random), place(random)};
    boxes.push_back({low, low + Vec3{size(random), size(random), size(random)}});
  }
  return boxes;
}

TreeBox grown(TreeBox box, double by) {
  const Vec3 all{by, by, by};
  return {box.low - all, box.high + all};
}

void expect_same(const EightTree& tree, const std::vector<TreeBox>& boxes,
                 const std::vector<TreeBox>& asked) {
  for (const TreeBox& box : asked) {
    std::vector<int> found(boxes.size(), 0);
    tree.overlapping(box, [&](std::int32_t item) { ++found[std::size_t(item)]; });
    for (std::size_t n = 0; n < boxes.size(); ++n) {
      EXPECT_GE(found[n], boxes[n].meets(box) ? 1 : 0) << n;
      EXPECT_LE(found[n], grown(boxes[n], 1e-5).meets(box) ? 1 : 0) << n;
    }
  }
}

TEST(EightTree, finds_what_all_comparisons_find_also_after_the_boxes_moved) {
  std::mt19937 random(5);
  for (const int count : {1, 7, 8, 9, 63, 64, 65, 300, 700}) {
    const std::vector<TreeBox> boxes = random_boxes(random, count);
    const std::vector<TreeBox> asked = random_boxes(random, 60);
    EightTree tree;
    EXPECT_TRUE(tree.empty());
    tree.build(boxes);
    EXPECT_FALSE(tree.empty());
    expect_same(tree, boxes, asked);
    const std::vector<TreeBox> moved = random_boxes(random, count);
    tree.refit(moved);
    expect_same(tree, moved, asked);
  }
}

// Faces of boxes that touch are found in single precision as well, whatever rounding does.
TEST(EightTree, touching_boxes_meet) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> place(-100, 100);
  for (int n = 0; n < 1000; ++n) {
    const Vec3 corner{place(random), place(random), place(random)}, one{1, 1, 1};
    const std::vector<TreeBox> boxes{{corner - one, corner}};
    EightTree tree;
    tree.build(boxes);
    int found = 0;
    tree.overlapping({corner, corner + one}, [&](std::int32_t) { ++found; });
    EXPECT_EQ(found, 1);
  }
}

TEST(EightTree, nothing_is_found_in_no_tree) {
  EightTree tree;
  tree.build({});
  tree.overlapping({{-1, -1, -1}, {1, 1, 1}}, [](std::int32_t) { FAIL(); });
}

}  // namespace
}  // namespace pliant
