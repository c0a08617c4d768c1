#include "cli/child.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace pliant::cli_test {
namespace fs = std::filesystem;
namespace {

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void redirect(int descriptor, const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || dup2(file, descriptor) < 0) _exit(127);
}

}  // namespace

Program::Program() {
  std::string name = (fs::temp_directory_path() / "pliant-cli-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no folder " << name;
  folder_ = name;
}

Program::~Program() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string Program::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
  return path(name);
}

std::string Program::read(const std::string& name) const { return read_file(folder_ / name); }

std::vector<std::string> Program::list(const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_ / name)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

pid_t Program::start(const std::vector<std::string>& arguments, const std::string& stdout_path) {
  captured_ = stdout_path.empty() ? path("stdout.txt") : stdout_path;
  errors_ = path("stderr.txt");
  std::vector<char*> argv;
  std::string program = PLIANT_PROGRAM;
  argv.push_back(program.data());
  std::vector<std::string> words = arguments;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    redirect(STDOUT_FILENO, captured_);
    redirect(STDERR_FILENO, errors_);
    if (file_limit_ > 0) {
      const rlimit limit{file_limit_, file_limit_};
      setrlimit(RLIMIT_FSIZE, &limit);
      std::signal(SIGXFSZ, SIG_IGN);  // the write then fails with an error, as on a full disk
    }
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  return child;
}

Outcome Program::wait(pid_t child) {
  Outcome outcome;
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  if (fs::is_regular_file(captured_)) outcome.out = read_file(captured_);
  outcome.err = read_file(errors_);
  return outcome;
}

Outcome Program::run(const std::vector<std::string>& arguments, const std::string& stdout_path) {
  return wait(start(arguments, stdout_path));
}

void Program::pause() { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }

std::string ball_scene(const std::string& expect, double seconds) {
  return fmt::format(R"({{
  "name": "ball",
  "seconds": {},
  "bodies": [
    {{"name": "floor", "motion": "fixed", "shape": {{"half_space": {{}}}}}},
    {{"name": "ball", "shape": {{"sphere": {{"radius": 0.1}}}}, "position": [0, 1, 0]}}
  ],
  "expect": [{}]
}})",
                     seconds, expect);
}

}  // namespace pliant::cli_test
