// The bytes that loops move between levels of the memory.
#include "./traffic.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace uir::tuning {

namespace {

/*! \brief The bytes of a line of caches. */
constexpr double kLine = 64.0;

using Levels = std::array<double, kLevels.size()>;

/*! \brief The bytes of one buffer. */
struct BufferTraffic {
  /*! \brief Those that are touched, each once. */
  double touched = 0.0;
  /*! \brief Those that are moved from beyond each level. */
  Levels moved = {};
};

using Traffic = std::map<const tvm::ffi::Object*, BufferTraffic>;

/*! \brief The bytes of the lines that an access touches while loops from a depth on run. */
double TouchedBy(const Access& access, const std::vector<double>& trips, size_t depth) {
  double count = 1.0;
  double span = access.bytes;
  double least = 0.0;
  for (size_t at = depth; at < access.strides.size(); ++at) {
    const double stride = std::abs(access.strides[at]);
    if (stride == 0.0 || trips[at] <= 1.0) continue;
    count *= trips[at];
    span += stride * (trips[at] - 1.0);
    least = least == 0.0 ? stride : std::min(least, stride);
  }
  const double unit = std::max(access.bytes, std::min(least, kLine));
  return std::min({count * unit, span, access.size});
}

/*! \brief Walks a tree of loops from the inside out. */
class TrafficCounter {
 public:
  Traffic Visit(const LoopTree& loop) {
    const bool is_root = is_root_;
    is_root_ = false;
    if (!is_root) trips_.push_back(loop.trips);
    const Traffic step = OfStep(loop);
    if (is_root) return step;
    Traffic made = OfLoop(loop, step);
    trips_.pop_back();
    return made;
  }

 private:
  static double Total(const Traffic& traffic) {
    double total = 0.0;
    for (const auto& [data, bytes] : traffic) total += bytes.touched;
    return total;
  }

  /*! \brief The bytes of one step: of its accesses and its inner loops. */
  Traffic OfStep(const LoopTree& loop) {
    Traffic step;
    for (const Access& access : loop.accesses) {
      BufferTraffic& bytes = step[access.data];
      bytes.touched = std::max(bytes.touched, access.bytes);
      for (double& moved : bytes.moved) moved += access.bytes;
    }
    for (const auto& inner : loop.loops) {
      for (const auto& [data, inner_bytes] : Visit(*inner)) {
        BufferTraffic& bytes = step[data];
        bytes.touched = std::max(bytes.touched, inner_bytes.touched);
        for (size_t at = 0; at < kLevels.size(); ++at) bytes.moved[at] += inner_bytes.moved[at];
      }
    }
    const double total = Total(step);
    for (auto& [data, bytes] : step) {
      for (size_t at = 0; at < kLevels.size(); ++at) {
        if (total <= kLevels[at]) bytes.moved[at] = std::min(bytes.moved[at], bytes.touched);
      }
    }
    return step;
  }

  /*! \brief The bytes of all steps of a loop, of those of one step. */
  Traffic OfLoop(const LoopTree& loop, const Traffic& step) const {
    Traffic made;
    Touch(loop, trips_.size() - 1, &made);
    const double total = Total(step);
    for (auto& [data, bytes] : made) {
      const BufferTraffic& of_step = step.at(data);
      bytes.touched = std::max(bytes.touched, of_step.touched);
      for (size_t at = 0; at < kLevels.size(); ++at) {
        const double again = loop.trips * of_step.moved[at];
        bytes.moved[at] = total <= kLevels[at] ? std::min(bytes.touched, again) : again;
      }
    }
    return made;
  }

  /*! \brief Note the bytes of all accesses in a loop while all loops from a depth on run. */
  void Touch(const LoopTree& loop, size_t depth, Traffic* made) const {
    std::vector<double> trips = trips_;
    TouchIn(loop, depth, &trips, made);
  }

  static void TouchIn(const LoopTree& loop, size_t depth, std::vector<double>* trips,
                      Traffic* made) {
    for (const Access& access : loop.accesses) {
      double& touched = (*made)[access.data].touched;
      touched = std::max(touched, TouchedBy(access, *trips, depth));
    }
    for (const auto& inner : loop.loops) {
      trips->push_back(inner->trips);
      TouchIn(*inner, depth, trips, made);
      trips->pop_back();
    }
  }

  bool is_root_ = true;
  std::vector<double> trips_;
};

}  // namespace

Levels TrafficOf(const LoopTree& root) {
  Levels total = {};
  for (const auto& [data, bytes] : TrafficCounter().Visit(root)) {
    for (size_t at = 0; at < kLevels.size(); ++at) total[at] += bytes.moved[at];
  }
  return total;
}

}  // namespace uir::tuning
