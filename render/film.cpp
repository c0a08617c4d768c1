// ffmpeg runs as a child without a shell. Pictures go through a socket instead of a pipe, because a
// write to a socket can report a dead reader without the signal that would end this program.
#include "render/film.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

extern char** environ;

namespace pliant {

struct FilmWriter::Impl {
  std::string path, part;
  int width = 0, height = 0;
  pid_t child = -1;
  int socket = -1;
  std::FILE* messages = nullptr;  // what ffmpeg says

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl();
  Error start(int frames_per_second, bool& started);
  int wait();  // closes the stream; the child's status
  Error failed(const std::string& what);
};

FilmWriter::Impl::~Impl() {
  if (child > 0) {
    ::kill(child, SIGKILL);
    wait();
    std::remove(part.c_str());
  }
  if (socket >= 0) ::close(socket);
  if (messages != nullptr) std::fclose(messages);
}

int FilmWriter::Impl::wait() {
  if (socket >= 0) ::close(socket);
  socket = -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  child = -1;
  return status;
}

// The error with the last lines that ffmpeg wrote.
Error FilmWriter::Impl::failed(const std::string& what) {
  if (child > 0) wait();
  std::remove(part.c_str());
  std::string said;
  std::rewind(messages);
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, messages))
    said.append(buffer, n);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  if (said.size() > 600) said = "... " + said.substr(said.size() - 600);
  return {path, what + (said.empty() ? "" : ": " + said)};
}

Error FilmWriter::Impl::start(int frames_per_second, bool& started) {
  started = false;
  int ends[2];
  messages = std::tmpfile();
  if (messages == nullptr || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return {path, fmt::format("no channel to ffmpeg: {}", std::strerror(errno))};
  }
  socket = ends[0];
  const std::string size = fmt::format("{}x{}", width, height);
  const std::string rate = fmt::format("{}", frames_per_second);
  const std::string target = "file:" + part;
  // H.264 with 4:2:0 colours needs even sides: an odd one gets a pixel more.
  const char* arguments[] = {"ffmpeg",
                             "-hide_banner",
                             "-loglevel",
                             "error",
                             "-nostdin",
                             "-y",
                             "-f",
                             "rawvideo",
                             "-pix_fmt",
                             "rgb24",
                             "-s",
                             size.c_str(),
                             "-r",
                             rate.c_str(),
                             "-i",
                             "pipe:0",
                             "-an",
                             "-vf",
                             "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                             "-c:v",
                             "libx264",
                             "-preset",
                             "veryfast",
                             "-crf",
                             "19",
                             "-pix_fmt",
                             "yuv420p",
                             "-movflags",
                             "+faststart",
                             "-f",
                             "mp4",
                             target.c_str(),
                             nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(messages), 2);
  // In a process group of its own: Ctrl-C is for the program, which then finishes the film.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int code = ::posix_spawnp(&child, arguments[0], &actions, &attributes,
                                  const_cast<char* const*>(arguments), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (code != 0) {
    child = -1;
    const char* hint = code == ENOENT ? " (install the package ffmpeg)" : "";
    return {path, fmt::format("ffmpeg cannot be started: {}{}", std::strerror(code), hint)};
  }
  started = true;
  return {};
}

FilmWriter::FilmWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FilmWriter::FilmWriter(FilmWriter&&) noexcept = default;
FilmWriter::~FilmWriter() = default;

Result<FilmWriter> FilmWriter::create(const std::string& path, int width, int height,
                                      int frames_per_second) {
  if (width < 1 || height < 1 || frames_per_second < 1) {
    return Error{path, fmt::format("a film of {} x {} pixels, {} frames per second; all must be "
                                   "positive",
                                   width, height, frames_per_second)};
  }
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    return Error{path, "is not a regular file, which a film would replace"};
  }
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->part = path + ".part";
  impl->width = width;
  impl->height = height;
  // Tried here, so that a wrong directory is told before the first picture is made.
  std::FILE* file = std::fopen(impl->part.c_str(), "wb");
  if (file == nullptr)
    return Error{path, fmt::format("cannot be written: {}", std::strerror(errno))};
  std::fclose(file);
  bool started = false;
  Error error = impl->start(frames_per_second, started);
  if (!started) {
    std::remove(impl->part.c_str());
    return error;
  }
  return FilmWriter(std::move(impl));
}

Status FilmWriter::write(const Image& image) {
  Impl& f = *impl_;
  if (f.child < 0) return Error{f.path, "the film is finished or has failed"};
  if (image.width != f.width || image.height != f.height) {
    return Error{f.path, fmt::format("a picture of {} x {} pixels in a film of {} x {}",
                                     image.width, image.height, f.width, f.height)};
  }
  std::size_t sent = 0;
  while (sent < image.rgb.size()) {
    const ssize_t n =
        ::send(f.socket, image.rgb.data() + sent, image.rgb.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return f.failed("ffmpeg stopped");
    sent += static_cast<std::size_t>(n);
  }
  return Done{};
}

Status FilmWriter::finish() {
  Impl& f = *impl_;
  if (f.child < 0) return Error{f.path, "the film is finished or has failed"};
  const int status = f.wait();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return f.failed("ffmpeg failed");
  if (std::rename(f.part.c_str(), f.path.c_str()) != 0) {
    return f.failed(fmt::format("cannot be written: {}", std::strerror(errno)));
  }
  return Done{};
}

}  // namespace pliant
