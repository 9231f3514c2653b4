// The parts of a loop with constant bounds in which the known conditions do not change.
#include "./loop_parts.h"

#include <uir/tir/const_fold.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace uir::transform {

namespace {

using ir::PrimExpr;

/*! \brief The value of a constant limit, or `otherwise` without a limit; else `nullopt`. */
std::optional<int64_t> LimitNumber(const ffi::Optional<PrimExpr>& limit, int64_t otherwise) {
  return limit.has_value() ? tir::IntConstOf(limit.value()) : otherwise;
}

/*! \brief The constants at which a condition changes, with both ends of the loop, in order. */
std::vector<int64_t> CutsOf(int64_t begin, int64_t end,
                            const std::vector<LoopCondition>& conditions) {
  std::vector<int64_t> cuts = {begin, end};
  for (const LoopCondition& condition : conditions) {
    for (const KnownValue& known : condition.known) {
      for (const auto& limit : {known.iterations.begin, known.iterations.end}) {
        const int64_t cut = *LimitNumber(limit, begin);
        if (begin < cut && cut < end) cuts.push_back(cut);
      }
    }
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

/*! \brief The conditions that are known in all iterations between two constants. */
ConditionValues ValuesBetween(int64_t begin, int64_t end,
                              const std::vector<LoopCondition>& conditions) {
  ConditionValues values;
  for (const LoopCondition& condition : conditions) {
    for (const KnownValue& known : condition.known) {
      const bool is_within = *LimitNumber(known.iterations.begin, begin) <= begin &&
                             end <= *LimitNumber(known.iterations.end, end);
      if (is_within) values.emplace(condition.comparison.get(), known.value);
    }
  }
  return values;
}

}  // namespace

bool HasNumbers(const LoopCondition& condition) {
  return std::all_of(condition.known.begin(), condition.known.end(), [](const KnownValue& known) {
    return LimitNumber(known.iterations.begin, 0) && LimitNumber(known.iterations.end, 0);
  });
}

std::vector<NumberedPart> PartsOf(int64_t begin, int64_t end,
                                  const std::vector<LoopCondition>& conditions) {
  const std::vector<int64_t> cuts = CutsOf(begin, end, conditions);
  std::vector<NumberedPart> parts;
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    ConditionValues values = ValuesBetween(cuts[i], cuts[i + 1], conditions);
    if (!parts.empty() && parts.back().values == values) {
      parts.back().end = cuts[i + 1];
    } else {
      parts.push_back({cuts[i], cuts[i + 1], std::move(values)});
    }
  }
  return parts;
}

}  // namespace uir::transform
