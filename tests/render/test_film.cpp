// Films through ffmpeg, and what happens without it or when it fails.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "render/film.h"

namespace pliant {
namespace {

class FilmTest : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() /
                 ("pliant_film_" + std::to_string(::getpid()) + "_" +
                  ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(directory_);
    const char* path = std::getenv("PATH");
    path_before_ = path == nullptr ? "" : path;
  }
  void TearDown() override {
    ::setenv("PATH", path_before_.c_str(), 1);
    std::filesystem::remove_all(directory_);
  }
  std::string file(const std::string& name) const { return (directory_ / name).string(); }

  // A program by the name of ffmpeg in a directory that alone is searched.
  void put_in_place_of_ffmpeg(const std::string& script) {
    std::ofstream(file("ffmpeg")) << "#!/bin/sh\n" << script;
    ::chmod(file("ffmpeg").c_str(), 0755);
    ::setenv("PATH", directory_.c_str(), 1);
  }

  std::filesystem::path directory_;
  std::string path_before_;
};

Image plain(int width, int height, int shade) {
  Image image{width, height, {}};
  image.rgb.assign(static_cast<std::size_t>(3 * width * height), static_cast<std::uint8_t>(shade));
  return image;
}

bool ffmpeg_installed() { return std::system("command -v ffmpeg >/dev/null 2>&1") == 0; }

TEST_F(FilmTest, is_an_mp4_with_all_frames) {
  if (!ffmpeg_installed()) GTEST_SKIP() << "ffmpeg is not installed";
  const std::string path = file("a film.mp4");
  FilmWriter film = FilmWriter::create(path, 63, 36, 30).value();  // an odd side, a space
  for (int i = 0; i < 12; ++i) ASSERT_TRUE(film.write(plain(63, 36, 20 * i)).ok());
  EXPECT_FALSE(film.write(plain(64, 36, 0)).ok());
  EXPECT_FALSE(std::filesystem::exists(path));
  const Status done = film.finish();
  ASSERT_TRUE(done.ok()) << done.error().text();
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  EXPECT_FALSE(film.write(plain(63, 36, 0)).ok());
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  const std::string bytes = text.str();
  ASSERT_GT(bytes.size(), 500u);
  EXPECT_EQ(bytes.substr(4, 4), "ftyp");
  EXPECT_NE(bytes.find("avc1"), std::string::npos);  // H.264
  // The sample size box: version and flags, a common size, the number of pictures.
  const std::size_t box = bytes.find("stsz");
  ASSERT_NE(box, std::string::npos);
  EXPECT_EQ(bytes.substr(box + 12, 4), std::string("\0\0\0\x0c", 4));
}

TEST_F(FilmTest, without_ffmpeg_says_what_to_install) {
  ::setenv("PATH", directory_.c_str(), 1);
  const Result<FilmWriter> film = FilmWriter::create(file("a.mp4"), 64, 36, 30);
  ASSERT_FALSE(film.ok());
  EXPECT_NE(film.error().text().find("ffmpeg"), std::string::npos);
  EXPECT_NE(film.error().text().find("install"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
}

TEST_F(FilmTest, a_failing_ffmpeg_is_quoted_and_ends_nothing_else) {
  put_in_place_of_ffmpeg("echo 'no such encoder' >&2\nexit 3\n");
  FilmWriter film = FilmWriter::create(file("a.mp4"), 640, 360, 30).value();
  Status status = Done{};
  for (int i = 0; i < 20 && status.ok(); ++i) status = film.write(plain(640, 360, 9));
  if (status.ok()) status = film.finish();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().text().find("no such encoder"), std::string::npos)
      << status.error().text();
  EXPECT_FALSE(std::filesystem::exists(file("a.mp4")));
  EXPECT_FALSE(std::filesystem::exists(file("a.mp4.part")));
}

TEST_F(FilmTest, a_failure_at_the_end_is_an_error_too) {
  put_in_place_of_ffmpeg("while read line; do :; done\necho 'disk full' >&2\nexit 1\n");
  FilmWriter film = FilmWriter::create(file("a.mp4"), 8, 8, 30).value();
  ASSERT_TRUE(film.write(plain(8, 8, 9)).ok());
  const Status status = film.finish();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().text().find("disk full"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(file("a.mp4.part")));
}

TEST_F(FilmTest, wrong_places_and_sizes_are_refused) {
  EXPECT_FALSE(FilmWriter::create(file("no/such/a.mp4"), 64, 36, 30).ok());
  EXPECT_FALSE(FilmWriter::create(directory_.string(), 64, 36, 30).ok());
  EXPECT_FALSE(FilmWriter::create(file("a.mp4"), 0, 36, 30).ok());
  EXPECT_FALSE(FilmWriter::create(file("a.mp4"), 64, 36, 0).ok());
}

TEST_F(FilmTest, an_unfinished_film_leaves_nothing) {
  if (!ffmpeg_installed()) GTEST_SKIP() << "ffmpeg is not installed";
  {
    FilmWriter film = FilmWriter::create(file("a.mp4"), 64, 36, 30).value();
    ASSERT_TRUE(film.write(plain(64, 36, 9)).ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
}

}  // namespace
}  // namespace pliant
