// Sums of digits of iterators.
#include "./iter_sum.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace uir::arith {

using ir::PrimExpr;

namespace {

/*! \brief The most digits of one iterator that are tried as successors of other digits. */
constexpr size_t kMostMet = 16;

/*! \brief The factors of a product, without numbers, and the product of the numbers. */
std::vector<PrimExpr> FactorsOf(const PrimExpr& product, int64_t* number) {
  std::vector<PrimExpr> factors;
  std::vector<PrimExpr> rest = {product};
  while (!rest.empty()) {
    const PrimExpr next = rest.back();
    rest.pop_back();
    const std::optional<int64_t> value = IntConstOf(next);
    if (CaseOf(next) == Case::kMul && factors.size() < 16) {
      const Operands operands = OperandsOf(next.get(), Case::kMul);
      rest.push_back(*operands.b);
      rest.push_back(*operands.a);
    } else if (!value || __builtin_mul_overflow(*number, *value, number)) {
      factors.push_back(next);
    }
  }
  return factors;
}

/*! \brief A product without the factors of another one; none if it lacks one. */
std::optional<PrimExpr> WithoutFactors(const PrimExpr& product, const PrimExpr& divisor) {
  int64_t number = 1;
  int64_t by = 1;
  std::vector<PrimExpr> factors = FactorsOf(product, &number);
  for (const PrimExpr& factor : FactorsOf(divisor, &by)) {
    const auto same = std::find_if(factors.begin(), factors.end(),
                                   [&](const PrimExpr& other) { return IsSame(other, factor); });
    if (same == factors.end()) return std::nullopt;
    factors.erase(same);
  }
  const bool is_whole = by > 0 && number % by == 0;
  if (!is_whole || !FitsType(Interval::Point(number / by), product->dtype)) return std::nullopt;
  PrimExpr rest = MakeInt(product->dtype, number / by);
  for (const PrimExpr& factor : factors) rest = MakeBinary(Case::kMul, factor, rest, std::nullopt);
  return rest;
}

}  // namespace

size_t DigitsKey::Hash::operator()(const DigitsKey& key) const {
  constexpr uint64_t kSpread = 0x9e3779b97f4a7c15;
  const uint64_t numbers =
      static_cast<uint64_t>(key.first) * kSpread ^ static_cast<uint64_t>(key.second);
  return std::hash<const void*>()(key.mark) ^ static_cast<size_t>(numbers * kSpread);
}

DigitsKey DigitsKey::Of(const IterMark& mark, const PrimExpr& first, const PrimExpr& second) {
  const std::optional<int64_t> a = IntConstOf(first);
  const std::optional<int64_t> b = IntConstOf(second);
  if (!a || !b) return {mark.get(), 0, 0};
  return {mark.get(), *a, *b};
}

IterSplitExpr WithScale(const IterSplitExpr& term, const PrimExpr& scale) {
  return IterSplitExpr(term->source, term->lower_factor, term->extent, scale);
}

PrimExpr IterArithmetic::Compute(Case op, const PrimExpr& a, const PrimExpr& b) {
  return analyzer_->Simplify(MakeBinary(op, a, b, std::nullopt));
}

bool IterArithmetic::IsEqual(const PrimExpr& a, const PrimExpr& b) {
  const std::optional<int64_t> left = IntConstOf(a);
  const std::optional<int64_t> right = IntConstOf(b);
  if (left && right) return *left == *right;
  const std::optional<PrimExpr> ratio = WithoutFactors(a, b);
  return (ratio && IntConstOf(*ratio) == 1) || analyzer_->CanProveEqual(a, b);
}

std::optional<PrimExpr> IterArithmetic::ExactQuotient(const PrimExpr& a, const PrimExpr& b) {
  if (IntConstOf(b) == 0) return std::nullopt;
  if (IntConstOf(b) == 1 || IntConstOf(a) == 0) return a;
  if (IsEqual(a, b)) return MakeInt(a->dtype, 1);
  if (const std::optional<PrimExpr> rest = WithoutFactors(a, b)) {
    return analyzer_->Simplify(*rest);
  }
  const PrimExpr zero = MakeInt(a->dtype, 0);
  if (!IsEqual(Compute(Case::kFloorMod, a, b), zero)) return std::nullopt;
  return Compute(Case::kFloorDiv, a, b);
}

bool IterArithmetic::IsSameDigits(const IterSplitExpr& a, const IterSplitExpr& b) {
  return a->source.same_as(b->source) && IsEqual(a->lower_factor, b->lower_factor) &&
         IsEqual(a->extent, b->extent);
}

std::optional<IterSplitExpr> IterArithmetic::Joined(const IterSplitExpr& lower,
                                                    const IterSplitExpr& upper) {
  const bool follows =
      IsEqual(upper->lower_factor, Compute(Case::kMul, lower->lower_factor, lower->extent)) &&
      IsEqual(upper->scale, Compute(Case::kMul, lower->scale, lower->extent));
  if (!follows) return std::nullopt;
  PrimExpr extent = Compute(Case::kMul, lower->extent, upper->extent);
  // Digits up to the highest ones leave no more values than there are.
  const std::optional<int64_t> number = IntConstOf(extent);
  const std::optional<int64_t> least = IntConstOf(lower->lower_factor);
  const std::optional<int64_t> all = IntConstOf(lower->source->extent);
  if (number && least && all) {
    const int64_t most = (*all - 1) / *least + 1;
    extent = MakeInt(extent->dtype, std::min(*number, most));
  }
  return IterSplitExpr(lower->source, lower->lower_factor, extent, lower->scale);
}

void IterArithmetic::Join(std::vector<IterSplitExpr>* terms) {
  if (terms->size() < 2) return;
  // The digits that may follow others, by their lower factor and scale.
  PlacesByKey places;
  for (size_t i = 0; i < terms->size(); ++i) {
    const IterSplitExpr& term = (*terms)[i];
    places[DigitsKey::Of(term->source, term->lower_factor, term->scale)].push_back(i);
  }
  std::vector<bool> is_joined(terms->size());
  // Joins a term with one of the digits that may follow it.
  const auto join_next = [&](size_t lower, const DigitsKey& key) {
    const auto found = places.find(key);
    if (found == places.end()) return false;
    std::deque<size_t>& others = found->second;
    for (size_t k = 0; k < std::min(others.size(), kMostMet); ++k) {
      const size_t upper = others[k];
      if (upper == lower) continue;
      const std::optional<IterSplitExpr> both = Joined((*terms)[lower], (*terms)[upper]);
      if (!both) continue;
      (*terms)[lower] = *both;
      is_joined[upper] = true;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
      return true;
    }
    return false;
  };
  const auto join_any = [&](size_t lower) {
    const IterSplitExpr term = (*terms)[lower];
    const PrimExpr factor = Compute(Case::kMul, term->lower_factor, term->extent);
    const PrimExpr scale = Compute(Case::kMul, term->scale, term->extent);
    return join_next(lower, DigitsKey::Of(term->source, factor, scale)) ||
           join_next(lower, {term->source.get(), 0, 0});
  };
  for (size_t i = 0; i < terms->size(); ++i) {
    while (!is_joined[i] && join_any(i)) {
    }
  }
  size_t num_kept = 0;
  for (size_t i = 0; i < terms->size(); ++i) {
    if (!is_joined[i]) (*terms)[num_kept++] = (*terms)[i];
  }
  terms->erase(terms->begin() + static_cast<std::ptrdiff_t>(num_kept), terms->end());
}

void IterSumBuilder::AddTerm(const IterSplitExpr& term, int64_t sign) {
  const PrimExpr scale =
      sign == 1 ? term->scale
                : arithmetic_->Compute(Case::kSub, MakeInt(term->scale->dtype, 0), term->scale);
  std::deque<size_t>& places =
      places_[DigitsKey::Of(term->source, term->lower_factor, term->extent)];
  for (size_t k = 0; k < std::min(places.size(), kMostMet); ++k) {
    const size_t place = places[k];
    if (!arithmetic_->IsSameDigits(args_[place], term)) continue;
    args_[place] = WithScale(term, arithmetic_->Compute(Case::kAdd, args_[place]->scale, scale));
    return;
  }
  places.push_back(args_.size());
  args_.push_back(WithScale(term, scale));
}

void IterSumBuilder::AddToBase(const PrimExpr& expr, int64_t sign) {
  if (IntConstOf(expr) == 0) return;
  if (IntConstOf(base_) == 0 && sign == 1) {
    base_ = expr;
  } else {
    base_ = MakeBinary(sign == 1 ? Case::kAdd : Case::kSub, base_, expr, std::nullopt);
  }
}

void IterSumBuilder::Add(const IterSum& sum, int64_t sign) {
  for (const IterSplitExpr& term : sum.args) AddTerm(term, sign);
  AddToBase(sum.base, sign);
}

IterSum IterSumBuilder::Build() {
  IterSum sum{{}, arithmetic_->Simplified(base_)};
  for (const IterSplitExpr& term : args_) {
    if (IntConstOf(term->scale) != 0) sum.args.push_back(term);
  }
  return sum;
}

}  // namespace uir::arith
