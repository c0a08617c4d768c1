// Runs the built `pliant` program as a child, in a fresh folder for each test.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace pliant::cli_test {

struct Outcome {
  int code = -1;    // exit code; -1 where a signal ended it
  int signal = 0;   // that ended it
  std::string out;  // standard output
  std::string err;  // standard error
};

class Program : public ::testing::Test {
 protected:
  Program();
  ~Program() override;

  // Path of a file in the test's folder.
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  std::vector<std::string> list(const std::string& name = "") const;

  // Standard output goes to the named file, or is captured where it is empty.
  Outcome run(const std::vector<std::string>& arguments, const std::string& stdout_path = "");
  pid_t start(const std::vector<std::string>& arguments, const std::string& stdout_path = "");
  Outcome wait(pid_t child);
  // Bytes that a file of the following children may have; 0 = any number.
  void limit_file_size(std::size_t bytes) { file_limit_ = bytes; }
  // Waits until the condition holds; fails the test after half a minute.
  template <class Condition>
  bool eventually(Condition condition) {
    for (int i = 0; i < 3000; ++i) {
      if (condition()) return true;
      pause();
    }
    return false;
  }

 private:
  static void pause();
  std::filesystem::path folder_;
  std::string captured_, errors_;
  std::size_t file_limit_ = 0;
};

// A ball that falls from 1 m and comes to lie on a floor; `expect` is put into the expect list.
std::string ball_scene(const std::string& expect = "", double seconds = 0.5);

}  // namespace pliant::cli_test
