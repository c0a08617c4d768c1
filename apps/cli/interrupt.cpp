#include "apps/cli/interrupt.h"

#include <csignal>

namespace pliant::cli {
namespace {

volatile std::sig_atomic_t asked_to_end = 0;

void on_signal(int) { asked_to_end = 1; }

void install(int signal_number) {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(signal_number, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  install(SIGINT);
  install(SIGTERM);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool interrupted() { return asked_to_end != 0; }

}  // namespace pliant::cli
