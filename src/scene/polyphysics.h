// What the reader and the writer of PolyPhysics XML share. The format (spec-rigid, section 11):
// numbers with a decimal comma, angles as R = Rx Ry Rz, and rectangles in their local xy plane.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pliant/math.h>

namespace pliant {

// With a comma or a dot, whatever the locale; nothing where it is not a finite number and no more.
std::optional<double> parse_decimal(std::string_view text);
// The shortest text that reads back as the same double.
std::string decimal_text(double value, bool comma);

Quat quat_from_euler(const Vec3& angles);
// Of the triples that turn alike within 1e-13 the one with the fewest decimals.
Vec3 euler_from_quat(const Quat& q);

// From our rectangle, in xz with its normal along y, to that of the format, in xy with it along z.
inline const Quat k_plane_turn{0.70710678118654752, 0, 0, 0.70710678118654752};

// Of a shape in its body, by which things that are not known are kept.
std::string xml_shape_path(const std::string& body, const std::string& kind, std::size_t number);

// What scenes of this format begin with: it has no friction, and its worlds no gravity of their
// own.
inline constexpr double k_xml_softening = 0.01;  // m, of its points of gravity

}  // namespace pliant
