#include <pliant/marks.h>

namespace pliant {

namespace {

constexpr Vec3 k_yellow{1, 0.9, 0.1}, k_violet{0.6, 0.2, 0.8}, k_blue{0.1, 0.3, 1},
    k_red{0.9, 0.1, 0.1};

void add_velocities(const Event& event, bool of_a, double seconds, std::vector<Mark>& out) {
  const Vec3& before = of_a ? event.before_a : event.before_b;
  const Vec3& after = of_a ? event.after_a : event.after_b;
  if (before == Vec3{} && after == Vec3{}) return;
  const AnyId of = of_a ? event.a : event.b;
  const Vec3& p = event.point;
  out.push_back({MarkKind::velocity_before, p - before * seconds, p, k_blue, of});
  out.push_back({MarkKind::velocity_after, p, p + after * seconds, k_blue, of});
}

}  // namespace

std::vector<Mark> contact_marks(std::span<const Event> events, const MarkStyle& style) {
  std::vector<Mark> out;
  for (const Event& event : events) {
    if (event.kind != EventKind::contact_begin && event.kind != EventKind::impact) continue;
    const Vec3& p = event.point;
    out.push_back({MarkKind::point, p, p, k_yellow, {}});
    out.push_back({MarkKind::normal, p, p + event.normal * style.normal_length, k_violet, {}});
    for (const bool of_a : {true, false}) add_velocities(event, of_a, style.seconds, out);
  }
  return out;
}

std::vector<Mark> penetration_marks(std::span<const Penetration> penetrations,
                                    const MarkStyle& style) {
  std::vector<Mark> out;
  for (const Penetration& p : penetrations) {
    const Vec3 end = p.point + p.direction * (p.depth * style.depth_scale);
    out.push_back({MarkKind::penetration, p.point, end, k_red, {}});
  }
  return out;
}

}  // namespace pliant
