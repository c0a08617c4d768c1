// Exit codes of wrong usage and of files that are not there.
#include "cli/child.h"

namespace pliant::cli_test {
namespace {

using CliUsage = Program;

TEST_F(CliUsage, WrongUsageIsTwo) {
  const std::string scene = write("ball.json", ball_scene());
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"walk"},
      {"run"},
      {"run", scene, "--threads", "0"},
      {"run", scene, "--threads", "many"},
      {"run", scene, "--seconds", "-1"},
      {"run", scene, "--export", "doc"},
      {"run", scene, "--export", "vtu,usd"},
      {"run", scene, "--colour"},
      {"render", scene},
      {"render", scene, "-o", path("picture.gif")},
      {"render", scene, "-o", path("picture.png"), "--size", "12"},
      {"render", scene, "-o", path("picture.png"), "--size", "0x0"},
      {"check"},
      {"convert", scene},
      {"bench", "nothing"},
      {"bench", "--engines", "none"},
  };
  for (const auto& arguments : wrong) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << ::testing::PrintToString(arguments);
    EXPECT_FALSE(outcome.err.empty()) << ::testing::PrintToString(arguments);
  }
}

TEST_F(CliUsage, HelpAndVersionAreZero) {
  EXPECT_EQ(run({"--help"}).code, 0);
  EXPECT_EQ(run({"run", "--help"}).code, 0);
  EXPECT_NE(run({"--version"}).out.find("pliant "), std::string::npos);
}

// A list is one word, with commas: what follows it is not swallowed.
TEST_F(CliUsage, AListEndsWithItsWord) {
  const Outcome outcome = run({"bench", "--threads", "1", "nothing"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("no benchmark 'nothing'"), std::string::npos) << outcome.err;
  EXPECT_NE(run({"bench", "--engines", "pliant", "nothing"}).err.find("no benchmark 'nothing'"),
            std::string::npos);
  const std::string scene = write("ball.json", ball_scene());
  EXPECT_EQ(run({"run", "--seconds", "0.1", "--export", "obj", "--out", path("out"), scene}).code,
            0);
  EXPECT_EQ(run({"run", "--seconds", "0.1", "--out", path("out"), "--export", "obj", scene}).code,
            0);
}

TEST_F(CliUsage, AbsentFilesAreOneAndNamed) {
  for (const char* command : {"run", "check", "info"}) {
    const Outcome outcome = run({command, path("absent.json")});
    EXPECT_EQ(outcome.code, 1) << command;
    EXPECT_NE((outcome.out + outcome.err).find("absent.json"), std::string::npos) << command;
  }
  EXPECT_EQ(run({"render", path("absent.plr"), "-o", path("a.png")}).code, 1);
  EXPECT_EQ(run({"convert", path("absent.obj"), path("b.obj")}).code, 1);
  EXPECT_FALSE(exists("a.png"));
  EXPECT_FALSE(exists("b.obj"));
}

TEST_F(CliUsage, UsdIsRefusedByName) {
  const Outcome outcome = run({"run", write("ball.json", ball_scene()), "--export", "usd"});
  EXPECT_NE(outcome.err.find("usd"), std::string::npos);
  EXPECT_NE(outcome.err.find("vtu"), std::string::npos);
}

TEST_F(CliUsage, InfoDescribesTheBuild) {
  const Outcome outcome = run({"info"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("precision              32 bits"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace pliant::cli_test
