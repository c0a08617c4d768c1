// Disks that are full, folders that cannot be written, runs that are ended.
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "cli/child.h"
#include "pliant/record.h"

namespace pliant::cli_test {
namespace {

using CliTrouble = Program;

// Long enough that a test can end it at any time.
std::string endless() { return ball_scene("", 100000); }

TEST_F(CliTrouble, OutputFolderThatCannotBeMade) {
  const std::string scene = write("ball.json", ball_scene());
  const std::string file = write("in_the_way", "text");
  for (const std::string& out : {file, file + "/below", std::string("/proc/none")}) {
    const Outcome outcome = run({"run", scene, "--out", out});
    EXPECT_EQ(outcome.code, 1) << out;
    EXPECT_NE(outcome.err.find(out), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(read("in_the_way"), "text");
}

TEST_F(CliTrouble, OutputFolderWithoutPermission) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const std::string scene = write("ball.json", ball_scene());
  ASSERT_EQ(mkdir(path("locked").c_str(), 0555), 0);
  const Outcome outcome = run({"run", scene, "--out", path("locked")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(list("locked").empty());
}

TEST_F(CliTrouble, FullDisk) {
  const std::string scene = write("ball.json", ball_scene());
  EXPECT_EQ(run({"run", scene, "--json"}, "/dev/full").code, 1);
  EXPECT_EQ(run({"check", scene}, "/dev/full").code, 1);
  const Outcome recording = run({"run", scene, "--record", "/dev/full"});
  EXPECT_EQ(recording.code, 1);
  EXPECT_NE(recording.err.find("/dev/full"), std::string::npos) << recording.err;
}

// A limit on the size of files stands for a disk that fills up during the run.
TEST_F(CliTrouble, DiskThatFillsUp) {
  const std::string scene = write("ball.json", ball_scene("", 2));
  limit_file_size(6000);
  const Outcome outcome = run({"run", scene, "--out", path("out"), "--export", "vtu"});
  limit_file_size(0);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find(path("out")), std::string::npos) << outcome.err;
  for (const std::string& name : list("out")) {
    EXPECT_EQ(name.find(".part"), std::string::npos) << name;
  }
  for (const std::string& name : list("out/vtu")) {
    EXPECT_EQ(name.find(".part"), std::string::npos) << name;
  }
}

TEST_F(CliTrouble, DevicesAndFoldersAreNotReplaced) {
  const std::string scene = write("ball.json", ball_scene());
  ASSERT_EQ(mkfifo(path("pipe.json").c_str(), 0600), 0);
  ASSERT_EQ(mkdir(path("folder.json").c_str(), 0700), 0);
  EXPECT_EQ(run({"run", scene, "--scene-out", path("pipe.json")}).code, 1);
  EXPECT_EQ(run({"convert", scene, path("pipe.json")}).code, 1);
  EXPECT_EQ(run({"convert", scene, path("folder.json")}).code, 1);
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe.json")));
  EXPECT_TRUE(std::filesystem::is_directory(path("folder.json")));
}

TEST_F(CliTrouble, InterruptKeepsReadableFrames) {
  const std::string scene = write("ball.json", endless());
  const pid_t child = start({"run", scene, "--out", path("out"), "--export", "vtu", "--json"});
  ASSERT_TRUE(eventually([&] { return exists("out/vtu/frame_00010.vtu"); }));
  kill(child, SIGINT);
  const Outcome outcome = wait(child);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const nlohmann::json json = nlohmann::json::parse(outcome.out);
  EXPECT_TRUE(json.at("interrupted").get<bool>());
  EXPECT_TRUE(exists("out/report.html"));
  Result<FrameReader> reader = FrameReader::open(path("out/recording.plr"));
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(reader.value().size(), json.at("frames").get<std::size_t>() + 1);
  const std::string collection = read("out/frames.pvd");
  for (const std::string& name : list("out/vtu")) {
    EXPECT_NE(collection.find(name), std::string::npos) << name;
  }
}

TEST_F(CliTrouble, KillKeepsReadableRecording) {
  const std::string scene = write("ball.json", endless());
  const pid_t child = start({"run", scene, "--out", path("out")});
  ASSERT_TRUE(eventually([&] {
    const Result<FrameReader> reader = FrameReader::open(path("out/recording.plr"));
    return reader.ok() && reader.value().size() > 10;
  }));
  kill(child, SIGKILL);
  EXPECT_EQ(wait(child).signal, SIGKILL);
  Result<FrameReader> reader = FrameReader::open(path("out/recording.plr"));
  ASSERT_TRUE(reader.ok());
  ASSERT_GT(reader.value().size(), 10u);
  Frame frame;
  ASSERT_TRUE(reader.value().read(reader.value().size() - 1, frame).ok());
  EXPECT_NEAR(frame.time, static_cast<double>(reader.value().size() - 1) / 60, 1e-6);
}

}  // namespace
}  // namespace pliant::cli_test
