// Pictures: something is seen, light behaves, and threads do not matter.
#include <filesystem>
#include <limits>

#include <gtest/gtest.h>

#include "render/hand_made.h"
#include "render/render.h"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image.h>
#pragma GCC diagnostic pop

namespace pliant {
namespace {

RenderSettings small_settings() {
  RenderSettings settings;
  settings.width = 160;
  settings.height = 90;
  settings.threads = 2;
  return settings;
}

Image render(const MadeFrame& made, const RenderSettings& settings) {
  return render_frame(made.layout, made.frame, settings).value();
}

// Mean of the three bytes.
double brightness(const Image& image, int x, int y) {
  const std::size_t i = 3 * static_cast<std::size_t>(y * image.width + x);
  return (image.rgb[i] + image.rgb[i + 1] + image.rgb[i + 2]) / 3.0;
}

// Straight down from `height`, so that a point of the floor is at a known pixel.
Camera from_above(double height) { return {true, {0, height, 0}, {0, 0, 0}, 0.7}; }

TEST(Picture, shows_bodies_in_their_colours) {
  const Image image = render(showcase(), small_settings());
  ASSERT_EQ(image.rgb.size(), 160u * 90 * 3);
  int red = 0, blue = 0, dark = 0, white = 0;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
    const int r = image.rgb[i], g = image.rgb[i + 1], b = image.rgb[i + 2];
    red += r > g + 60 && r > b + 60;
    blue += b > r + 30;
    dark += r + g + b < 3 * 8;
    white += r + g + b > 3 * 252;
  }
  const int pixels = 160 * 90;
  EXPECT_GT(red, pixels / 30);    // the cloth
  EXPECT_GT(blue, pixels / 100);  // a ball, a pill
  EXPECT_LT(dark, pixels / 50);   // nothing drowned ...
  EXPECT_LT(white, pixels / 50);  // ... and nothing burnt out
}

TEST(Picture, is_the_same_for_any_number_of_threads) {
  const MadeFrame made = showcase();
  RenderSettings settings = small_settings();
  settings.threads = 1;
  const Image one = render(made, settings);
  for (const int threads : {2, 3, 8}) {
    settings.threads = threads;
    EXPECT_EQ(render(made, settings).rgb, one.rgb) << threads;
  }
  settings.samples += 1;  // the comparison can fail
  EXPECT_NE(render(made, settings).rgb, one.rgb);
}

// A ball in the air. Around the disc that hides the floor below it there are pixels darker than any
// of the empty floor: its shadow.
TEST(Picture, shadows_are_darker_than_the_lit_floor) {
  MadeFrame empty, shaded;
  for (MadeFrame* made : {&empty, &shaded}) {
    made->add("floor", Motion::fixed, HalfSpace{}, {0, 0, 0});
  }
  shaded.add("ball", Motion::dynamic, Sphere{0.2}, {0, 0.8, 0});
  RenderSettings settings = small_settings();
  settings.camera = from_above(4);
  const Image without = render(empty, settings), with = render(shaded, settings);
  // The half picture is tan(0.35) * 4 m high at the floor; the ball, 3.2 m below the eye, covers a
  // disc of sin(angle) = 0.2 / 3.2.
  const double pixel = std::tan(0.35) / 45;
  const double disc = std::tan(std::asin(0.2 / 3.2)) / pixel;
  double darkest_empty = 255, darkest_shaded = 255;
  int shadow = 0;
  for (int y = 0; y < 90; ++y) {
    for (int x = 0; x < 160; ++x) {
      darkest_empty = std::min(darkest_empty, brightness(without, x, y));
      if (std::hypot(x + 0.5 - 80, y + 0.5 - 45) < disc + 1.5) continue;
      darkest_shaded = std::min(darkest_shaded, brightness(with, x, y));
      shadow += brightness(with, x, y) < 0.85 * brightness(without, x, y);
    }
  }
  EXPECT_LT(darkest_shaded, 0.8 * darkest_empty);
  EXPECT_GT(shadow, disc * disc);  // about the size of the ball
}

// In the middle of the shadow only the sky lights the floor; a ball that lies there hides more of
// it than one that floats high above.
TEST(Picture, contact_darkens_what_the_sky_would_light) {
  const auto darkest = [](double height) {
    MadeFrame made;
    made.add("floor", Motion::fixed, HalfSpace{}, {0, 0, 0});
    made.add("ball", Motion::dynamic, Sphere{0.4}, {0, height, 0});
    RenderSettings settings = small_settings();
    settings.camera = {true, {0, 1.2, 6}, {0, 0.3, 0}, 0.7};
    const Image image = render(made, settings);
    double least = 255;
    for (int y = 45; y < 90; ++y) {
      for (int x = 0; x < 160; ++x) {
        // The floor is grey; the ball is not.
        const std::size_t i = 3 * static_cast<std::size_t>(y * 160 + x);
        const int spread = std::abs(image.rgb[i] - image.rgb[i + 2]);
        if (spread < 30) least = std::min(least, brightness(image, x, y));
      }
    }
    return least;
  };
  EXPECT_LT(darkest(0.4), darkest(3.0) - 10);
}

TEST(Picture, cloth_has_two_sides) {
  const auto middle = [](bool flipped) {
    MadeFrame made;
    made.add("sheet", FrameSurface::Kind::cloth, {{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}},
             flipped ? std::vector<Triangle>{{0, 2, 1}, {0, 3, 2}}
                     : std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}});
    RenderSettings settings = small_settings();
    settings.camera = from_above(3);
    const Image image = render(made, settings);
    const std::size_t i = 3 * static_cast<std::size_t>(45 * 160 + 80);
    return std::array<int, 3>{image.rgb[i], image.rgb[i + 1], image.rgb[i + 2]};
  };
  const std::array<int, 3> front = middle(false), back = middle(true);
  EXPECT_GT(front[0], front[2] + 60);  // red
  EXPECT_GT(back[0], back[2] + 20);    // still
  EXPECT_GT(back[2], front[2] + 10);   // but paler
}

// A ball in a closed room: the lid, which shows its back to the eye above, is left out; one that
// something is behind is not.
TEST(Picture, a_closed_room_is_seen_into) {
  const auto picture = [](bool ball, double lid) {
    MadeFrame room;
    const double quarter = std::numbers::pi / 2;
    room.add("floor", Motion::fixed, Rectangle{1, 1}, {0, -1, 0});
    room.add("lid", Motion::fixed, Rectangle{1, 1}, {0, lid, 0}, turned({1, 0, 0}, 2 * quarter));
    for (const double side : {-1.0, 1.0}) {
      room.add("wall", Motion::fixed, Rectangle{1, 1}, {side, 0, 0},
               turned({0, 0, 1}, side * quarter));
      room.add("wall", Motion::fixed, Rectangle{1, 1}, {0, 0, side},
               turned({1, 0, 0}, -side * quarter));
    }
    if (ball) room.add("ball", Motion::dynamic, Sphere{0.5}, {0, 0, 0});
    RenderSettings settings = small_settings();
    settings.camera = from_above(6);
    return render(room, settings);
  };
  const auto differs = [](const Image& a, const Image& b) {
    return std::abs(brightness(a, 80, 45) - brightness(b, 80, 45)) > 5;
  };
  EXPECT_TRUE(differs(picture(true, 1), picture(false, 1)));
  // Half way down it cuts the room in two, and stays: the ball is seen neither way.
  EXPECT_TRUE(differs(picture(false, 1), picture(false, -0.5)));
}

TEST(Picture, broken_vertices_hurt_only_their_triangles) {
  MadeFrame made = showcase();
  made.frame.positions[0][40 * 65 + 30].y = std::numeric_limits<float>::quiet_NaN();
  made.frame.poses[2].position.x = std::numeric_limits<double>::infinity();
  made.frame.poses[3].rotation.w = std::numeric_limits<double>::quiet_NaN();
  const Image hurt = render(made, small_settings()), whole = render(showcase(), small_settings());
  EXPECT_NE(hurt.rgb, whole.rgb);
  EXPECT_GT(brightness(hurt, 80, 45), 20);
}

TEST(Picture, refuses_what_does_not_fit) {
  const MadeFrame made = showcase();
  MadeFrame short_of_one = made;
  short_of_one.frame.positions[0].pop_back();
  EXPECT_FALSE(render_frame(made.layout, short_of_one.frame).ok());
  MadeFrame wild = made;
  wild.layout.surfaces[0].triangles[5][1] = 1 << 20;
  EXPECT_FALSE(render_frame(wild.layout, wild.frame).ok());
  for (const int side : {0, -4, 1 << 20}) {
    RenderSettings settings = small_settings();
    settings.width = side;
    EXPECT_FALSE(render_frame(made.layout, made.frame, settings).ok());
  }
  RenderSettings settings = small_settings();
  settings.camera = {true, {1, 1, 1}, {1, 1, 1}, 0.7};
  EXPECT_FALSE(render_frame(made.layout, made.frame, settings).ok());
  EXPECT_TRUE(render_frame({}, {}, small_settings()).ok());  // an empty world is a sky
}

TEST(Picture, png_reads_back_and_failures_are_told) {
  const Image image = render(showcase(), small_settings());
  const std::string path = testing::TempDir() + "pliant_picture_test.png";
  ASSERT_TRUE(save_png(path, image).ok());
  int width = 0, height = 0, channels = 0;
  unsigned char* bytes = stbi_load(path.c_str(), &width, &height, &channels, 3);
  ASSERT_NE(bytes, nullptr);
  EXPECT_EQ(width, 160);
  EXPECT_EQ(height, 90);
  EXPECT_TRUE(std::equal(image.rgb.begin(), image.rgb.end(), bytes));
  stbi_image_free(bytes);
  std::filesystem::remove(path);
  const Status nowhere = save_png("/no/such/place/a.png", image);
  ASSERT_FALSE(nowhere.ok());
  EXPECT_NE(nowhere.error().text().find("/no/such/place/a.png"), std::string::npos);
  if (std::filesystem::is_character_file("/dev/full")) {
    EXPECT_FALSE(save_png("/dev/full", image).ok());
  }
}

// Not a check but a look: PLIANT_PICTURE=file.png writes the showcase in full size.
TEST(Picture, full_size_to_look_at) {
  const char* path = std::getenv("PLIANT_PICTURE");
  if (path == nullptr) GTEST_SKIP() << "set PLIANT_PICTURE to a file name";
  const MadeFrame made = showcase();
  ASSERT_TRUE(save_png(path, render(made, {})).ok());
}

}  // namespace
}  // namespace pliant
