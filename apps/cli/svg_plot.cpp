#include "apps/cli/svg_plot.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pliant::cli {
namespace {

constexpr double k_width = 760, k_height = 300;
constexpr double k_left = 80, k_right = 150, k_top = 36, k_bottom = 46;
constexpr std::size_t k_max_points = 600;  // more than the plot has pixels helps nobody
// Distinct also for the colour-blind (Okabe and Ito).
constexpr std::array<const char*, 7> k_colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#000000"};

struct Axis {
  double low = 0, high = 1, from = 0, to = 1;
  double place(double v) const { return from + (v - low) / (high - low) * (to - from); }
};

std::string text_at(double x, double y, const std::string& anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escape_html(text));
}

std::string segment(double x1, double y1, double x2, double y2, const char* colour) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2,
      y2, colour);
}

std::string open_svg(double height, const std::string& title) {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
             "height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n",
             k_width, height) +
         fmt::format("<text x=\"{}\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{}</text>\n",
                     k_left, escape_html(title));
}

std::string axes(const Axis& x, const Axis& y, const std::string& x_label,
                 const std::string& y_label) {
  std::string svg;
  for (const double tick : plot_ticks(x.low, x.high, 6)) {
    svg += segment(x.place(tick), y.from, x.place(tick), y.from + 5, "#444");
    svg += text_at(x.place(tick), y.from + 18, "middle", fmt::format("{:g}", tick));
  }
  for (const double tick : plot_ticks(y.low, y.high, 5)) {
    svg += segment(x.from, y.place(tick), x.to, y.place(tick), "#ddd");
    svg += text_at(x.from - 6, y.place(tick) + 4, "end", fmt::format("{:g}", tick));
  }
  svg +=
      segment(x.from, y.from, x.to, y.from, "#444") + segment(x.from, y.from, x.from, y.to, "#444");
  svg += text_at((x.from + x.to) / 2, y.from + 36, "middle", x_label);
  const double middle = (y.from + y.to) / 2;
  svg += fmt::format(
      "<text x=\"16\" y=\"{0:.1f}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {0:.1f})\">{1}"
      "</text>\n",
      middle, escape_html(y_label));
  return svg;
}

std::string polyline(const Axis& x_axis, const Axis& y_axis, const std::vector<double>& x,
                     const std::vector<double>& y, const char* colour) {
  const std::size_t stride = std::max<std::size_t>(1, x.size() / k_max_points);
  std::string points;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); i += stride) {
    if (!std::isfinite(y[i])) continue;
    points += fmt::format("{:.1f},{:.1f} ", x_axis.place(x[i]), y_axis.place(y[i]));
  }
  return fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" points=\"{}\"/>\n",
                     colour, points);
}

// The range of all finite values, widened where it is a single one.
std::pair<double, double> value_range(const std::vector<PlotLine>& lines) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const PlotLine& line : lines) {
    for (const double v : line.y) {
      if (!std::isfinite(v)) continue;
      low = std::min(low, v);
      high = std::max(high, v);
    }
  }
  if (low > high) return {0, 1};
  const double pad = std::max((high - low) * 0.05, 1e-6 + 1e-3 * std::abs(high));
  return {low - pad, high + pad};
}

}  // namespace

std::string escape_html(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::vector<double> plot_ticks(double low, double high, int count) {
  if (!(high > low) || !std::isfinite(high - low)) return {low};
  const double raw = (high - low) / count;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= raw) step = factor * power;
  }
  std::vector<double> ticks;
  const double first = std::ceil(low / step);
  for (int i = 0; i <= 2 * count && (first + i) * step <= high; ++i) {
    ticks.push_back((first + i) * step + 0.0);  // never -0
  }
  return ticks;
}

std::string line_plot(const std::string& title, const std::string& x_label,
                      const std::string& y_label, const std::vector<double>& x,
                      const std::vector<PlotLine>& lines) {
  if (x.empty() || lines.empty()) return {};
  const auto [low, high] = value_range(lines);
  const double x_high = x.back() > x.front() ? x.back() : x.front() + 1;
  const Axis x_axis{x.front(), x_high, k_left, k_width - k_right};
  const Axis y_axis{low, high, k_height - k_bottom, k_top};
  std::string svg = open_svg(k_height, title) + axes(x_axis, y_axis, x_label, y_label);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const char* colour = k_colours[i % k_colours.size()];
    svg += polyline(x_axis, y_axis, x, lines[i].y, colour);
    const double row = k_top + 8 + 18 * static_cast<double>(i);
    if (row > k_height - k_bottom) continue;  // the legend is full; the line is still drawn
    svg += segment(k_width - k_right + 10, row, k_width - k_right + 30, row, colour);
    svg += text_at(k_width - k_right + 36, row + 4, "start", lines[i].name);
  }
  return svg + "</svg>\n";
}

std::string bar_plot(const std::string& title, const std::string& unit,
                     const std::vector<std::pair<std::string, double>>& bars) {
  constexpr double row_height = 20;
  const double bottom = k_top + row_height * static_cast<double>(bars.size());
  double greatest = 0;
  for (const auto& bar : bars) greatest = std::max(greatest, bar.second);
  const Axis x{0, greatest > 0 ? 1.02 * greatest : 1, k_left + 20, k_width - 80};
  std::string svg = open_svg(bottom + k_bottom, title);
  for (const double tick : plot_ticks(x.low, x.high, 6)) {
    svg += segment(x.place(tick), k_top, x.place(tick), bottom, "#ddd");
    svg += text_at(x.place(tick), bottom + 16, "middle", fmt::format("{:g}", tick));
  }
  double top = k_top;
  for (const auto& [name, value] : bars) {
    svg += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n", x.from,
        top + 3, x.place(value) - x.from, row_height - 6, k_colours[0]);
    svg += text_at(x.from - 6, top + 14, "end", name);
    svg += text_at(x.place(value) + 5, top + 14, "start", fmt::format("{:.3f}", value));
    top += row_height;
  }
  svg += segment(x.from, k_top, x.from, bottom, "#444") +
         segment(x.from, bottom, x.to, bottom, "#444");
  return svg + text_at((x.from + x.to) / 2, bottom + 34, "middle", unit) + "</svg>\n";
}

}  // namespace pliant::cli
