#include <cerrno>
#include <cstdio>
#include <cstring>

#include "render/render.h"

#ifndef __clang_analyzer__  // its insides are not ours to mend
#define STB_IMAGE_WRITE_IMPLEMENTATION
#endif
#define STBI_WRITE_NO_STDIO
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb_image_write.h>
#pragma GCC diagnostic pop

namespace pliant {
namespace {

void collect(void* context, void* data, int size) {
  const auto* bytes = static_cast<const char*>(data);
  static_cast<std::string*>(context)->append(bytes, static_cast<std::size_t>(size));
}

}  // namespace

Status save_png(const std::string& path, const Image& image) {
  std::string bytes;
  if (stbi_write_png_to_func(collect, &bytes, image.width, image.height, 3, image.rgb.data(),
                             3 * image.width) == 0) {
    return Error{path, "picture cannot be packed as PNG"};
  }
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr)
    return Error{path, std::string("cannot be written: ") + std::strerror(errno)};
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const bool flushed = std::fflush(file) == 0;
  const int code = errno;
  std::fclose(file);
  if (!written || !flushed) {
    return Error{path, std::string("cannot be written: ") + std::strerror(code)};
  }
  return Done{};
}

}  // namespace pliant
