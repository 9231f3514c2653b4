// Comparisons of index expressions, by the difference of both sides.
#include <uir/ir/dtype.h>

#include <utility>

#include "./analyzer_state.h"
#include "./rewrite_simplify.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

/*! \brief The two sides of a comparison, without anything that is subtracted. */
struct Sides {
  LinearForm left;
  LinearForm right;
};

/*! \brief Bring what is subtracted to the other side. */
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
  // A constant stands alone if there is nothing else on its side, else without a sign.
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

}  // namespace

ffi::Optional<PrimExpr> RewriteSimplifier::Compare(Case op, const PrimExpr& a, const PrimExpr& b,
                                                   const Place& place) {
  if (!IsIndex(a->dtype)) return std::nullopt;
  if (op == Case::kEQ || op == Case::kNE) {
    if (state_->prover.Equal(a, b)) return MakeBool(op == Case::kEQ);
    if (state_->prover.NotEqual(a, b)) return MakeBool(op == Case::kNE);
  }
  if (means_ == Means::kRules) return std::nullopt;
  std::optional<LinearForm> difference = state_->linear.Difference(a, b);
  if (!difference || difference->IsConstant()) return std::nullopt;
  if (!DivideDifference(op, &*difference)) return MakeBool(op == Case::kNE);
  const Sides sides = SplitSides(*difference);
  if (sides.left.Cost() + sides.right.Cost() >= difference->num_read) return std::nullopt;
  // The sides were parts of sums that fit: alone they need not.
  const auto fits = [&](const LinearForm& side) {
    return FitsType(state_->linear.BoundOf(side), a->dtype) ||
           state_->linear.Fits(side, a->dtype,
                               {state_->linear.ValueOf(a), state_->linear.ValueOf(b)});
  };
  if (!fits(sides.left) || !fits(sides.right)) return std::nullopt;
  std::optional<PrimExpr> left = ToExpr(sides.left, a->dtype, place.span);
  std::optional<PrimExpr> right = ToExpr(sides.right, a->dtype, place.span);
  if (!left || !right) return std::nullopt;
  return MakeNode(op, *std::move(left), *std::move(right), place);
}

}  // namespace uir::arith
