// The maximal live size: a sweep over the beginnings and ends of live ranges.
#include "./arena_bound.h"

#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>

#include <algorithm>
#include <tuple>

namespace uir::transform {

namespace {

constexpr size_t kMaxTimes = 16;

/*! \brief The number of live units of each region. */
using LiveCounts = std::vector<int64_t>;

/*! \brief A change of the number of live units of a region at a time. */
struct Change {
  int64_t time;
  size_t region;
  int64_t count;
};

std::vector<Change> ChangesOf(const std::vector<LiveRegion>& regions) {
  std::vector<Change> changes;
  for (size_t i = 0; i < regions.size(); ++i) {
    for (const ArenaBlock& block : regions[i].blocks) {
      changes.push_back({block.begin, i, block.count});
      changes.push_back({block.end + 1, i, -block.count});
    }
  }
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::tie(a.time, a.region, a.count) < std::tie(b.time, b.region, b.count);
  });
  return changes;
}

/*! \brief Whether the first has at most as many units of each region as the second. */
bool IsCovered(const LiveCounts& counts, const LiveCounts& by) {
  return std::equal(counts.begin(), counts.end(), by.begin(),
                    [](int64_t count, int64_t other) { return count <= other; });
}

/*! \brief Add the counts of a time, unless another time has at least as many of each unit. */
void AddTime(const LiveCounts& counts, std::vector<LiveCounts>* most) {
  for (const LiveCounts& other : *most) {
    if (IsCovered(counts, other)) return;
  }
  const auto covered = std::remove_if(most->begin(), most->end(), [&](const LiveCounts& other) {
    return IsCovered(other, counts);
  });
  most->erase(covered, most->end());
  if (most->size() < kMaxTimes) most->push_back(counts);
}

std::vector<LiveCounts> MostCounts(const std::vector<LiveRegion>& regions) {
  std::vector<LiveCounts> most;
  LiveCounts counts(regions.size());
  const std::vector<Change> changes = ChangesOf(regions);
  for (size_t i = 0; i < changes.size(); ++i) {
    counts[changes[i].region] += changes[i].count;
    const bool is_last = i + 1 == changes.size() || changes[i + 1].time != changes[i].time;
    if (is_last) AddTime(counts, &most);
  }
  return most;
}

}  // namespace

int64_t LiveUnits(const std::vector<ArenaBlock>& blocks) {
  const ir::PrimExpr one = ir::IntImm(ir::IntType(64), 1);
  int64_t most = 0;
  for (const LiveCounts& counts : MostCounts({{one, blocks}})) most = std::max(most, counts[0]);
  return most;
}

ir::PrimExpr LiveBytes(const std::vector<LiveRegion>& regions) {
  ffi::Optional<ir::PrimExpr> most;
  for (const LiveCounts& counts : MostCounts(regions)) {
    ir::PrimExpr bytes = ir::IntImm(ir::IntType(64), 0);
    for (size_t i = 0; i < regions.size(); ++i) {
      const ir::PrimExpr count = ir::IntImm(ir::IntType(64), counts[i]);
      bytes = tir::add(bytes, tir::mul(regions[i].unit, count));
    }
    most = most.has_value() ? tir::max(most.value(), bytes) : bytes;
  }
  return most.has_value() ? most.value() : ir::PrimExpr(ir::IntImm(ir::IntType(64), 0));
}

}  // namespace uir::transform
