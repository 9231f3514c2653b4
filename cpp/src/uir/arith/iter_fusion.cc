// Fuses sums of digits of iterators into one iterator.
#include "./iter_fusion.h"

#include <algorithm>
#include <utility>

namespace uir::arith {

using ir::PrimExpr;

namespace {

std::optional<int64_t> ExtentNumber(const PrimExpr& expr) { return IntConstOf(expr); }

bool AreNumbers(const std::vector<IterSplitExpr>& args) {
  return std::all_of(args.begin(), args.end(), [](const IterSplitExpr& term) {
    return ExtentNumber(term->scale) && ExtentNumber(term->extent);
  });
}

}  // namespace

IterSplitExpr IterFusion::Whole(const IterMark& mark, const PrimExpr& scale) {
  return IterSplitExpr(mark, MakeInt(mark->extent->dtype, 1), mark->extent, scale);
}

int64_t IterFusion::FirstOf(const IterMark& mark) const {
  const auto found = first_.find(mark.get());
  return found == first_.end() ? 0 : found->second;
}

std::vector<IterMark> IterFusion::RestrictedMarks() const {
  std::vector<IterMark> marks;
  for (const Restriction& restriction : restrictions_) marks.push_back(restriction.mark);
  return marks;
}

bool IterFusion::IsSameArgs(const std::vector<IterSplitExpr>& a,
                            const std::vector<IterSplitExpr>& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [this](const IterSplitExpr& left, const IterSplitExpr& right) {
                      return IsSameDigits(left, right) && IsEqual(left->scale, right->scale);
                    });
}

bool IterFusion::Apply(const Restriction& restriction, IterSum* sum) {
  std::vector<size_t> places;
  std::optional<PrimExpr> ratio;
  for (const IterSplitExpr& part : restriction.args) {
    size_t i = 0;
    while (i < sum->args.size() && !IsSameDigits(sum->args[i], part)) ++i;
    if (i == sum->args.size()) return false;
    const std::optional<PrimExpr> times = ExactQuotient(sum->args[i]->scale, part->scale);
    if (!times || (ratio && !IsEqual(*ratio, *times))) return false;
    ratio = times;
    places.push_back(i);
  }
  std::sort(places.rbegin(), places.rend());
  for (const size_t place : places) {
    sum->args.erase(sum->args.begin() + static_cast<std::ptrdiff_t>(place));
  }
  sum->args.push_back(Whole(restriction.mark, *ratio));
  sum->base = Compute(Case::kAdd, sum->base, Compute(Case::kMul, restriction.low, *ratio));
  return true;
}

IterSum IterFusion::Restricted(IterSum sum) {
  for (const Restriction& restriction : restrictions_) Apply(restriction, &sum);
  return sum;
}

IterSum IterFusion::Close(std::vector<IterSplitExpr> chain, const PrimExpr& base_scale,
                          const PrimExpr& extent, const PrimExpr& base, bool is_overlapped) {
  if (chain.size() == 1) return {std::move(chain), base};
  std::reverse(chain.begin(), chain.end());
  for (IterSplitExpr& term : chain) {
    term = WithScale(term, Compute(Case::kFloorDiv, term->scale, base_scale));
  }
  for (const Fused& known : fused_) {
    if (IsSameArgs(known.args, chain)) return {{Whole(known.mark, base_scale)}, base};
  }
  const IterSumExpr source({chain.begin(), chain.end()}, MakeInt(extent->dtype, 0));
  const IterMark mark(source, extent);
  if (is_overlapped) overlapped_.insert(mark.get());
  fused_.push_back({std::move(chain), mark});
  return {{Whole(mark, base_scale)}, base};
}

std::optional<IterSum> IterFusion::FuseNumbers(IterSum sum) {
  const auto key = [](const IterSplitExpr& term) {
    return std::make_pair(*ExtentNumber(term->scale), *ExtentNumber(term->extent));
  };
  // The chain is turned around at its end.
  std::reverse(sum.args.begin(), sum.args.end());
  std::stable_sort(
      sum.args.begin(), sum.args.end(),
      [&key](const IterSplitExpr& a, const IterSplitExpr& b) { return key(a) < key(b); });
  const int64_t base_scale = key(sum.args[0]).first;
  if (base_scale <= 0) return std::nullopt;
  // The values of the terms so far are all multiples of the least scale below this one.
  int64_t end = base_scale;
  bool is_overlapped = false;
  std::vector<IterSplitExpr> chain;
  for (const IterSplitExpr& term : sum.args) {
    const auto [scale, extent] = key(term);
    if (scale % base_scale != 0 || scale > end || extent < 1) return std::nullopt;
    if (scale < end && extent > 1) is_overlapped = true;
    int64_t span = 0;
    if (__builtin_mul_overflow(scale, extent - 1, &span)) return std::nullopt;
    if (__builtin_add_overflow(end, span, &end)) return std::nullopt;
    chain.push_back(term);
  }
  const DLDataType dtype = sum.base->dtype;
  if (!FitsType(Interval::Point(end), dtype)) return std::nullopt;
  return Close(std::move(chain), MakeInt(dtype, base_scale), MakeInt(dtype, end / base_scale),
               sum.base, is_overlapped);
}

std::optional<IterSum> IterFusion::FuseSymbols(const IterSum& sum) {
  std::vector<IterSplitExpr> rest = sum.args;
  const IterSplitExpr* least = nullptr;
  for (const IterSplitExpr& term : rest) {
    if (!ExtentNumber(term->scale)) continue;
    if (least == nullptr || *ExtentNumber(term->scale) < *ExtentNumber((*least)->scale))
      least = &term;
  }
  if (least == nullptr || *ExtentNumber((*least)->scale) <= 0) return std::nullopt;
  const PrimExpr base_scale = (*least)->scale;
  PrimExpr end = base_scale;
  std::vector<IterSplitExpr> chain;
  while (!rest.empty()) {
    const auto next = std::find_if(rest.begin(), rest.end(), [&](const IterSplitExpr& term) {
      return IsEqual(term->scale, end);
    });
    if (next == rest.end()) return std::nullopt;
    end = Compute(Case::kMul, end, (*next)->extent);
    chain.push_back(*next);
    rest.erase(next);
  }
  const std::optional<PrimExpr> extent = ExactQuotient(end, base_scale);
  if (!extent) return std::nullopt;
  return Close(std::move(chain), base_scale, *extent, sum.base, false);
}

std::optional<IterSum> IterFusion::Fuse(const IterSum& sum) {
  IterSum terms = Restricted(sum);
  Join(&terms.args);
  if (terms.args.size() < sum.args.size()) terms = Restricted(std::move(terms));
  if (terms.args.size() < 2) return terms;
  IterSum whole{{}, terms.base};
  for (const IterSplitExpr& term : terms.args) {
    const std::optional<IterSum> next = FuseFromZero({{term}, whole.base});
    if (!next) return std::nullopt;
    whole.base = next->base;
    for (const IterSplitExpr& digits : next->args) whole.args.push_back(digits);
  }
  if (whole.args.empty()) return whole;
  return AreNumbers(whole.args) ? FuseNumbers(std::move(whole)) : FuseSymbols(whole);
}

std::optional<IterSum> IterFusion::FuseFromZero(const IterSum& sum) {
  std::optional<IterSum> fused = Fuse(sum);
  if (!fused || fused->args.empty()) return fused;
  const IterSplitExpr term = fused->args[0];
  const int64_t first = FirstOf(term->source);
  if (first == 0) return fused;
  const std::optional<int64_t> lower = ExtentNumber(term->lower_factor);
  const std::optional<int64_t> extent = ExtentNumber(term->extent);
  const std::optional<int64_t> end = ExtentNumber(term->source->extent);
  if (!lower || !extent || !end) return std::nullopt;
  // The lower digits begin at 0, the highest ones where the offset has them.
  if (*extent <= (*end - 1) / *lower) return fused;
  const int64_t least = FloorDiv(first, *lower);
  if (least == 0) return fused;
  const DLDataType dtype = sum.base->dtype;
  const PrimExpr one = MakeInt(dtype, 1);
  const IterSumExpr source({WithScale(term, one)}, MakeInt(dtype, -least));
  const PrimExpr count = MakeInt(dtype, (*end - 1) / *lower - least + 1);
  const PrimExpr low = Compute(Case::kMul, MakeInt(dtype, least), term->scale);
  for (const Fused& known : fused_) {
    if (IsSameArgs(known.args, {WithScale(term, one)})) {
      return IterSum{{Whole(known.mark, term->scale)}, Compute(Case::kAdd, fused->base, low)};
    }
  }
  const IterMark mark(source, count);
  fused_.push_back({{WithScale(term, one)}, mark});
  return IterSum{{Whole(mark, term->scale)}, Compute(Case::kAdd, fused->base, low)};
}

IterSplitExpr IterFusion::Shifted(const IterSplitExpr& term, const PrimExpr& offset, int64_t most) {
  const DLDataType dtype = term->extent->dtype;
  const PrimExpr one = MakeInt(dtype, 1);
  const IterSplitExpr digits = WithScale(term, one);
  for (const auto& [known, mark] : fused_) {
    const bool is_shifted = FirstOf(mark) == most && IsSameArgs(known, {digits});
    if (is_shifted && IsEqual(mark->source.as<IterSumExpr>().value()->base, offset)) {
      return Whole(mark, one);
    }
  }
  const PrimExpr extent = Compute(Case::kAdd, term->extent, MakeInt(dtype, most));
  const IterMark mark(IterSumExpr({digits}, offset), extent);
  first_[mark.get()] = most;
  fused_.push_back({{digits}, mark});
  return Whole(mark, one);
}

bool IterFusion::Restrict(const IterSum& sum, const std::optional<PrimExpr>& low,
                          const std::optional<PrimExpr>& high) {
  const std::optional<IterSum> fused = FuseFromZero(sum);
  if (!fused) return false;
  if (fused->args.empty()) return true;
  const IterSplitExpr whole = fused->args[0];
  if (ExtentNumber(whole->scale) != 1) return false;
  const DLDataType dtype = whole->extent->dtype;
  const PrimExpr zero = MakeInt(dtype, 0);
  PrimExpr first = zero;
  PrimExpr last = Compute(Case::kSub, whole->extent, MakeInt(dtype, 1));
  if (low) first = Compute(Case::kMax, Compute(Case::kSub, *low, fused->base), first);
  if (high) last = Compute(Case::kMin, Compute(Case::kSub, *high, fused->base), last);
  const PrimExpr extent = Compute(Case::kAdd, Compute(Case::kSub, last, first), MakeInt(dtype, 1));
  if (IsEqual(extent, whole->extent)) return true;
  if (ExtentNumber(extent).value_or(1) < 1) return false;
  const IterSumExpr source({whole}, Compute(Case::kSub, zero, first));
  // Other sums have the terms of the fused iterator.
  std::vector<IterSplitExpr> args = {whole};
  for (const Fused& known : fused_) {
    const bool is_all = known.mark.same_as(whole->source) && FirstOf(known.mark) == 0 &&
                        IsEqual(whole->extent, known.mark->extent);
    if (is_all) args = known.args;
  }
  restrictions_.push_back({std::move(args), IterMark(source, extent), first});
  return true;
}

}  // namespace uir::arith
