// Comparisons of index expressions, by the difference of both sides.
#include <uir/ir/dtype.h>

#include <algorithm>
#include <utility>

#include "./queries.h"
#include "./rewrite_simplify.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

/*! \brief The two sides of a comparison, without negative terms. */
struct Sides {
  LinearForm left;
  LinearForm right;
};

/*! \brief Move negative terms to the other side. */
Sides SplitSides(const LinearForm& difference) {
  Sides sides;
  for (LinearTerm term : difference.terms) {
    if (term.scale < 0) {
      term.scale = -term.scale;
      sides.right.terms.push_back(std::move(term));
    } else {
      sides.left.terms.push_back(std::move(term));
    }
  }
  // A constant goes to an empty side if there is one, else to the side where it is positive.
  const bool is_on_left =
      sides.left.terms.empty() || (!sides.right.terms.empty() && difference.base > 0);
  if (is_on_left) {
    sides.left.base = difference.base;
  } else {
    sides.right.base = -difference.base;
  }
  return sides;
}

/*!
 * \brief Divide a difference that is compared with 0 by what divides all its terms.
 * \return False if it is never 0, where it is asked whether it is.
 */
bool DivideDifference(Case op, LinearForm* difference) {
  const int64_t common = difference->CommonScale();
  if (common <= 1) return true;
  const int64_t rest = FloorMod(difference->base, common);
  if ((op == Case::kEQ || op == Case::kNE) && rest != 0) return false;
  for (LinearTerm& term : difference->terms) term.scale /= common;
  difference->base = FloorDiv(difference->base, common);
  // The sum is whole: at most -1/2 is at most -1.
  if (op == Case::kLE && rest != 0) ++difference->base;
  return true;
}

/*! \brief The multiples of `place` between which all values lie; none if they lie apart. */
std::optional<int64_t> MultipleBelow(Interval values, int64_t place) {
  if (!values.IsBounded()) return std::nullopt;
  const int64_t below = FloorDiv(values.min, place);
  return below == FloorDiv(values.max, place) ? std::optional(below) : std::nullopt;
}

/*! \brief Write `x < y + 1` as `x <= y`, and `x + 1 <= y` as `x < y`. */
void UseNoOne(Case* op, LinearForm* difference) {
  if ((*op != Case::kLT || difference->base != -1) && (*op != Case::kLE || difference->base != 1)) {
    return;
  }
  difference->base = 0;
  *op = *op == Case::kLT ? Case::kLE : Case::kLT;
}

}  // namespace

/*!
 * \brief Drop the terms of a difference that do not affect its comparison with 0, such as `j` in
 * `i * 32 + j < n * 32` if `0 <= j < 32`.
 * \return Whether any term was dropped; `op` is then `<`.
 */
bool RewriteSimplifier::DropLowTerms(Case* op, LinearForm* difference) {
  if (*op == Case::kEQ || *op == Case::kNE || difference->terms.size() < 2) return false;
  LinearForm high = *difference;
  std::stable_sort(high.terms.begin(), high.terms.end(),
                   [](const LinearTerm& a, const LinearTerm& b) {
                     return std::abs(a.scale) > std::abs(b.scale);
                   });
  int64_t place = 0;
  for (auto next = high.terms.begin() + 1; next != high.terms.end(); ++next) {
    place = Gcd(place, std::prev(next)->scale);
    if (place == 1) return false;
    LinearForm low;
    low.terms.assign(next, high.terms.end());
    // `x <= 0` is `x - 1 < 0`.
    low.base = *op == Case::kLE ? difference->base - 1 : difference->base;
    const std::optional<int64_t> below = MultipleBelow(known_->BoundOf(low), place);
    if (!below) continue;
    high.terms.erase(next, high.terms.end());
    for (LinearTerm& term : high.terms) term.scale /= place;
    high.base = *below;
    *difference = std::move(high);
    *op = Case::kLT;
    return true;
  }
  return false;
}

std::optional<PrimExpr> RewriteSimplifier::Compare(Case op, const PrimExpr& a, const PrimExpr& b,
                                                   const Place& place) {
  if (!IsIndex(a->dtype)) return std::nullopt;
  if (op == Case::kEQ || op == Case::kNE) {
    if (known_->IsEqual(a, b)) return MakeBool(op == Case::kEQ);
    if (known_->IsNotEqual(a, b)) return MakeBool(op == Case::kNE);
  }
  if (means_ == Means::kRules) return std::nullopt;
  std::optional<LinearForm> difference = known_->Difference(a, b);
  if (!difference || difference->IsConstant()) return std::nullopt;
  known_->Shorten(&*difference);
  if (!DivideDifference(op, &*difference)) return MakeBool(op == Case::kNE);
  DropLowTerms(&op, &*difference);
  UseNoOne(&op, &*difference);
  OrderTerms(&*difference);
  const Sides sides = SplitSides(*difference);
  if (sides.left.Cost() + sides.right.Cost() >= difference->num_read) return std::nullopt;
  // The sides were parts of sums that fit, but may not fit by themselves.
  const auto fits = [&](const LinearForm& side) {
    return FitsType(known_->BoundOf(side), a->dtype) ||
           known_->Fits(side, a->dtype, {known_->ValueOf(a), known_->ValueOf(b)});
  };
  if (!fits(sides.left) || !fits(sides.right)) return std::nullopt;
  std::optional<PrimExpr> left = ToExpr(sides.left, a->dtype, place.span);
  std::optional<PrimExpr> right = ToExpr(sides.right, a->dtype, place.span);
  if (!left || !right) return std::nullopt;
  return MakeOrdered(op, *std::move(left), *std::move(right), place);
}

}  // namespace uir::arith
