// Which tiles an item is in, by the map's detector.
#include <algorithm>
#include <cmath>

#include "broadphase/tiles.h"

namespace pliant {
namespace {

double tile_size(const TileMap& map, int k) {
  return (map.high[k] - map.low[k]) / double(map.count[std::size_t(k)]);
}

// Everything beyond the border belongs to the tiles there.
std::int32_t tile_at(const TileMap& map, int k, double x) {
  const double t = std::floor((x - map.low[k]) / tile_size(map, k));
  return std::int32_t(std::clamp(t, 0.0, double(map.count[std::size_t(k)] - 1)));
}

TileRange by_box(const TileMap& map, const BoxAabb& box) {
  TileRange r;
  for (int k = 0; k < 3; ++k) {
    r.lo[k] = tile_at(map, k, double(box.lo[k]));
    r.hi[k] = tile_at(map, k, double(box.hi[k]));
  }
  return r;
}

// Boxes are rounded outward; what is made from a frame must not be smaller.
constexpr double k_outward = 4e-6;

// Around the eight turned corners.
TileRange by_corners(const TileMap& map, const BoxFrame& f) {
  TileRange r;
  for (int k = 0; k < 3; ++k) {
    double low = 0, high = 0;
    for (unsigned corner = 0; corner < 8; ++corner) {
      double x = 0;
      for (unsigned j = 0; j < 3; ++j) x += (corner >> j & 1 ? 1.0 : -1.0) * double(f.edge[j][k]);
      low = std::min(low, x);
      high = std::max(high, x);
    }
    const double grow = double(f.grow) + k_outward * (std::abs(f.centre[k]) + high - low);
    r.lo[k] = tile_at(map, k, f.centre[k] + low - grow);
    r.hi[k] = tile_at(map, k, f.centre[k] + high + grow);
  }
  return r;
}

// A list of tiles around that of the centre, long enough for any place of the centre in its tile
// and any turn of the body: as many to each side. It is made longer where the body gets faster.
TileRange by_offsets(const TileMap& map, const BoxFrame& f, std::int32_t offsets[3]) {
  const double half = std::sqrt(double(length_sq(f.edge[0])) + double(length_sq(f.edge[1])) +
                                double(length_sq(f.edge[2])));
  TileRange r;
  for (int k = 0; k < 3; ++k) {
    const double reach = half + double(f.grow) + k_outward * (std::abs(f.centre[k]) + half);
    const std::int32_t last = map.count[std::size_t(k)] - 1;
    const double needed = std::floor(reach / tile_size(map, k)) + 1;
    offsets[k] = std::max(offsets[k], std::int32_t(std::min(needed, double(last + 1))));
    const std::int32_t at = tile_at(map, k, f.centre[k]);
    r.lo[k] = std::max(at - offsets[k], 0);
    r.hi[k] = std::min(at + offsets[k], last);
  }
  return r;
}

// Of a lattice of points in the box, less than a tile apart, whose outermost are on its sides.
TileRange by_points(const TileMap& map, const BoxAabb& box) {
  TileRange r;
  for (int k = 0; k < 3; ++k) {
    const double low = std::clamp(double(box.lo[k]), map.low[k], map.high[k]);
    const double high = std::clamp(double(box.hi[k]), map.low[k], map.high[k]);
    const int gaps = 1 + int((high - low) / (0.75 * tile_size(map, k)));
    r.lo[k] = r.hi[k] = tile_at(map, k, low);
    for (int n = 1; n <= gaps; ++n) {
      const double x = n == gaps ? high : low + (high - low) * n / gaps;
      r.lo[k] = std::min(r.lo[k], tile_at(map, k, x));
      r.hi[k] = std::max(r.hi[k], tile_at(map, k, x));
    }
  }
  return r;
}

// As the user says, within the map. A range that ends before it begins holds no tile.
TileRange by_rule(const TileMap& map, const BoxAabb& box, AnyId body) {
  TileSample sample{.body = body, .tile_low = map.low};
  for (int k = 0; k < 3; ++k) {
    sample.low[k] = double(box.lo[k]);
    sample.high[k] = double(box.hi[k]);
    sample.tile_size[k] = tile_size(map, k);
  }
  std::array<int, 3> first{}, last{};
  map.rule->cover(sample, first, last);
  TileRange r;
  for (std::size_t k = 0; k < 3; ++k) {
    if (last[k] < first[k]) return {{0, 0, 0}, {-1, -1, -1}};
    r.lo[k] = std::clamp(first[k], 0, map.count[k] - 1);
    r.hi[k] = std::clamp(last[k], 0, map.count[k] - 1);
  }
  return r;
}

BoxFrame frame_of(const BoxAabb& box) {
  BoxFrame f;
  for (int k = 0; k < 3; ++k) {
    f.centre[k] = 0.5 * (double(box.lo[k]) + double(box.hi[k]));
    f.edge[k][k] = Real(0.5 * (double(box.hi[k]) - double(box.lo[k])));
  }
  return f;
}

}  // namespace

TileRange detect_tiles(const BoxList& list, std::int32_t item, const TileMap& map,
                       std::int32_t offsets[3]) {
  const BoxAabb& box = list.boxes[item];
  if (map.rule)
    return by_rule(map, box,
                   std::size_t(item) < list.ids.size() ? list.ids[std::size_t(item)] : AnyId{});
  const bool framed = std::size_t(item) < list.frames.size();
  switch (map.detector) {
    case TileDetector::rotated_box:
      return by_corners(map, framed ? list.frames[item] : frame_of(box));
    case TileDetector::relative_index:
      return by_offsets(map, framed ? list.frames[item] : frame_of(box), offsets);
    case TileDetector::mask_points:
      return by_points(map, box);
    case TileDetector::box:
      break;
  }
  return by_box(map, box);
}

std::int32_t tile_number(const TileMap& map, std::int32_t i, std::int32_t j, std::int32_t k) {
  return (i * map.count[1] + j) * map.count[2] + k;
}

}  // namespace pliant
