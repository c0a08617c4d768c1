#include "apps/cli/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace pliant::cli {
namespace {

constexpr auto k_bar_interval = std::chrono::milliseconds(100);
constexpr auto k_line_interval = std::chrono::seconds(3);
constexpr int k_bar_width = 30;

std::string bar(double fraction) {
  const int filled = static_cast<int>(fraction * k_bar_width);
  return std::string(static_cast<std::size_t>(filled), '#') +
         std::string(static_cast<std::size_t>(k_bar_width - filled), '.');
}

}  // namespace

Progress::Progress(std::string label, int total)
    : label_(std::move(label)),
      total_(std::max(total, 1)),
      terminal_(isatty(STDERR_FILENO) != 0),
      begin_(Clock::now()),
      next_(terminal_ ? begin_ : begin_ + k_line_interval) {}

Progress::~Progress() {
  if (bar_shown_) std::fputc('\n', stderr);
}

void Progress::update(int done, const std::string& detail) {
  const Clock::time_point now = Clock::now();
  const bool last_of_bar = terminal_ && done >= total_;
  if (now < next_ && !last_of_bar) return;
  if (terminal_) {
    next_ = now + k_bar_interval;
  } else {
    next_ = now + k_line_interval;
  }
  show(done, detail);
}

void Progress::show(int done, const std::string& detail) {
  const double fraction = std::clamp(static_cast<double>(done) / total_, 0.0, 1.0);
  const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
  const double left = fraction > 0 ? elapsed * (1 - fraction) / fraction : 0;
  const std::string text = fmt::format("{} {:3.0f} %  {}/{}  {}  {:.0f} s left", label_,
                                       100 * fraction, done, total_, detail, left);
  if (terminal_) {
    // \033[K clears what a longer line left behind.
    fmt::print(stderr, "\r[{}] {}\033[K", bar(fraction), text);
    bar_shown_ = true;
  } else {
    fmt::print(stderr, "{}\n", text);
  }
  std::fflush(stderr);
}

}  // namespace pliant::cli
