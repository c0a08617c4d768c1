// Plots as inline SVG: lines over time and horizontal bars, with axes, ticks and labels.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pliant::cli {

struct PlotLine {
  std::string name;
  std::vector<double> y;  // beside the x of the plot
};

std::string escape_html(const std::string& text);
std::string line_plot(const std::string& title, const std::string& x_label,
                      const std::string& y_label, const std::vector<double>& x,
                      const std::vector<PlotLine>& lines);
std::string bar_plot(const std::string& title, const std::string& unit,
                     const std::vector<std::pair<std::string, double>>& bars);

// Round numbers that cover [low, high], about `count` of them.
std::vector<double> plot_ticks(double low, double high, int count);

}  // namespace pliant::cli
