// What the readers of PolyPhysics XML share: numbers and words of elements, errors with their
// lines.
#pragma once

#include <algorithm>
#include <map>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <pugixml.hpp>

#include <pliant/scene.h>

#include "scene/polyphysics.h"

namespace pliant {

using XmlNode = pugi::xml_node;

struct XmlReader {
  const std::string& text;
  const std::string& label;
  SceneProblems& problems;
  Scene scene;
  std::map<std::string, std::string> names;  // and where they were given

  std::string place(const XmlNode& node) const {
    const std::ptrdiff_t at = node.offset_debug();
    const auto end = text.begin() + std::clamp<std::ptrdiff_t>(at, 0, std::ptrdiff_t(text.size()));
    return fmt::format("{}: line {}, <{}>", label, std::count(text.begin(), end, '\n') + 1,
                       node.name());
  }
  void error(const XmlNode& node, std::string message) {
    problems.errors.push_back({place(node), std::move(message)});
  }
  void keep(const XmlNode& node, const std::string& parent) {
    std::ostringstream out;
    node.print(out, "", pugi::format_raw | pugi::format_no_declaration);
    scene.kept_xml.push_back({parent, out.str()});
  }
  void unknown(const XmlNode& node, const std::string& parent) {
    if (node.type() != pugi::node_element) return;
    problems.warnings.push_back({place(node), "is not known here; it is kept but does nothing"});
    keep(node, parent);
  }

  double number(const XmlNode& node, const char* attribute = "F32") {
    const pugi::xml_attribute found = node.attribute(attribute);
    if (!found) {
      error(node, fmt::format("has no attribute {}; accepted: a number", attribute));
      return 0;
    }
    if (const std::optional<double> value = parse_decimal(found.value())) return *value;
    error(node, fmt::format("{}: found \"{}\"; accepted: a number", attribute, found.value()));
    return 0;
  }
  Vec3 vector(const XmlNode& node) {
    return {number(node, "X"), number(node, "Y"), number(node, "Z")};
  }
};

// A shape element of a body. Its rotation is that of the shape as it is here: see k_plane_turn.
struct XmlShape {
  CompoundPart part;
  double weight = 0;    // kg; 0 = none was given
  bool placed = false;  // has an offset, a rotation or a weight: it is a part of a compound
};
// Nothing where the element is no shape; `body` is the path of the body, `number` how many shapes
// it has already. Files of meshes are looked for in the folder of the label.
std::optional<XmlShape> read_xml_shape(XmlReader& in, const XmlNode& node, const std::string& body,
                                       std::size_t number);
// Puts the shapes of a body together: one as it is, several as a compound, whose mass is that of
// the body or the sum of its parts'.
void assemble_body(XmlReader& in, const XmlNode& node, const std::vector<XmlShape>& shapes,
                   BodyDef& def);

}  // namespace pliant
