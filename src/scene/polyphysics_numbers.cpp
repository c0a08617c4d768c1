#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "math/trig.h"
#include "scene/polyphysics.h"

namespace pliant {
namespace {

Quat about(int axis, double angle) {
  const SinCos half = det_sincos(angle / 2);
  Vec3 v;
  v[axis] = half.sin;
  return {v.x, v.y, v.z, half.cos};
}

double difference(const Quat& a, const Quat& b) {
  const double sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1 : 1;
  return std::abs(a.x - sign * b.x) + std::abs(a.y - sign * b.y) + std::abs(a.z - sign * b.z) +
         std::abs(a.w - sign * b.w);
}

}  // namespace

std::optional<double> parse_decimal(std::string_view text) {
  const auto space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  std::string plain(text);
  if (const std::size_t comma = plain.find(','); comma != std::string::npos) plain[comma] = '.';
  double value = 0;
  const auto [end, failure] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (failure != std::errc() || end != plain.data() + plain.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::string decimal_text(double value, bool comma) {
  std::string text = fmt::format("{}", value);
  if (const std::size_t dot = text.find('.'); comma && dot != std::string::npos) text[dot] = ',';
  return text;
}

Quat quat_from_euler(const Vec3& angles) {
  return about(0, angles.x) * about(1, angles.y) * about(2, angles.z);
}

Vec3 euler_from_quat(const Quat& q) {
  const Mat3 r = to_matrix(q);
  const double cosine = std::sqrt(r.row[0].x * r.row[0].x + r.row[0].y * r.row[0].y);
  Vec3 exact{det_atan2(-r.row[1].z, r.row[2].z), det_atan2(r.row[0].z, cosine),
             det_atan2(-r.row[0].y, r.row[0].x)};
  if (cosine < 1e-12) exact = {det_atan2(r.row[2].y, r.row[1].y), exact.y, 0};
  for (int decimals = 0; decimals < 16; ++decimals) {
    Vec3 rounded;
    for (int k = 0; k < 3; ++k) {
      const std::optional<double> near = parse_decimal(fmt::format("{:.{}f}", exact[k], decimals));
      rounded[k] = *near == 0 ? 0 : *near;  // no -0
    }
    if (difference(quat_from_euler(rounded), q) < 1e-13) return rounded;
  }
  return exact;
}

std::string xml_shape_path(const std::string& body, const std::string& kind, std::size_t number) {
  return number > 0 ? fmt::format("{}/{} {}", body, kind, number)
                    : fmt::format("{}/{}", body, kind);
}

}  // namespace pliant
