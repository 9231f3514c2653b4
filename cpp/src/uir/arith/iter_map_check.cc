// Checks whether sums of digits of iterators are independent, and use all of them.
#include "./iter_map_check.h"

#include <algorithm>
#include <utility>

#include "./const_fold.h"

namespace uir::arith {

using ir::PrimExpr;

std::optional<std::string> IterMapCheck::Fault(const std::vector<IterSumExpr>& sums) {
  Collect(sums);
  for (const IterMark& mark : marks_) {
    const std::vector<IterSplitExpr>& digits = used_.at(mark.get());
    const bool is_complete = IsComplete(mark, digits);
    if (level_ == IterMapLevel::kBijective && !is_complete) {
      return "not all digits of an iterator are used once, or some have several values";
    }
    if (!is_complete && !IsIndependent(mark, digits)) return "digits of an iterator overlap";
  }
  for (const IterMark& mark : fusion_->RestrictedMarks()) {
    if (used_.count(mark.get()) == 0) return "a condition restricts a sum that no index has";
  }
  if (level_ == IterMapLevel::kSurjective) return std::nullopt;
  for (const IterMark& mark : rewriter_->inputs()) {
    if (used_.count(mark.get()) == 0) return "an input variable is not used";
  }
  return std::nullopt;
}

void IterMapCheck::Collect(const std::vector<IterSumExpr>& sums) {
  const auto use = [this](const IterSplitExpr& term) {
    std::vector<IterSplitExpr>& digits = used_[term->source.get()];
    if (digits.empty()) marks_.push_back(term->source);
    digits.push_back(term);
  };
  for (const IterSumExpr& sum : sums) {
    for (const IterSplitExpr& term : sum->args) use(term);
  }
  // A mark uses the digits that it fuses once, however often it is used.
  for (size_t i = 0; i < marks_.size(); ++i) {
    const IterMark mark = marks_[i];
    const auto source = mark->source.as<IterSumExpr>();
    if (!source) continue;
    for (const IterSplitExpr& term : (*source)->args) use(term);
  }
}

bool IterMapCheck::IsComplete(const IterMark& mark, std::vector<IterSplitExpr> digits) {
  if (fusion_->FirstOf(mark) != 0) return false;
  if (level_ == IterMapLevel::kBijective && fusion_->IsOverlapped(mark)) return false;
  PrimExpr end = MakeInt(mark->extent->dtype, 1);
  while (!digits.empty()) {
    const auto next = std::find_if(digits.begin(), digits.end(), [&](const IterSplitExpr& term) {
      return fusion_->IsEqual(term->lower_factor, end);
    });
    if (next == digits.end()) return false;
    end = fusion_->Compute(Case::kMul, end, (*next)->extent);
    digits.erase(next);
  }
  return fusion_->IsEqual(end, mark->extent);
}

bool IterMapCheck::IsIndependent(const IterMark& mark, std::vector<IterSplitExpr> digits) {
  const std::optional<int64_t> limit = IntConstOf(mark->extent);
  const int64_t first = fusion_->FirstOf(mark);
  for (const IterSplitExpr& term : digits) {
    const bool is_number = IntConstOf(term->lower_factor) && IntConstOf(term->extent);
    if (!is_number || !limit) return false;
  }
  std::sort(digits.begin(), digits.end(), [](const IterSplitExpr& a, const IterSplitExpr& b) {
    return *IntConstOf(a->lower_factor) < *IntConstOf(b->lower_factor);
  });
  int64_t end = 1;
  int64_t largest = 0;
  for (const IterSplitExpr& term : digits) {
    const int64_t lower = *IntConstOf(term->lower_factor);
    const int64_t extent = *IntConstOf(term->extent);
    if (lower % end != 0) return false;
    if (__builtin_mul_overflow(lower, extent, &end)) return false;
    largest += lower * (extent - 1);
  }
  // If the mark starts at 0, all combinations are taken if the largest, with other digits 0, is.
  if (first == 0) return largest < *limit;
  // Otherwise `end` consecutive values have all remainders by `end`, and the highest digits take
  // consecutive values.
  if (*limit - first >= end) return true;
  return digits.size() == 1 && end >= *limit;
}

}  // namespace uir::arith
