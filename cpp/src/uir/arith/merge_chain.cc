// Products, minima, maxima and conditions of several operands: simplifies pairs of operands, and
// sorts the operands.
#include <uir/ir/dtype.h>

#include <utility>

#include "./rewrite_simplify.h"
#include "./speculatable.h"

namespace uir::arith {

using ir::PrimExpr;

/*!
 * \brief Simplify an operand with one of a chain: in `(x < n and y < m) and x < 3` the last with
 * the first.
 * \return None if no rule applies to it and an operand of the chain.
 */
std::optional<PrimExpr> RewriteSimplifier::MergeIntoChain(Case op, const PrimExpr& a,
                                                          const PrimExpr& b, const Place& place,
                                                          int depth) {
  // In a long chain, an operand is only simplified with the nearest others.
  constexpr int kMostOperands = 6;
  const DLDataType dtype = a->dtype;
  // The minimum of floating-point numbers depends on the order.
  if (depth == kMostOperands || CaseOf(a) != op || ir::IsFloat(dtype)) return std::nullopt;
  const Place made{nullptr, place.span, dtype};
  const Operands operands = OperandsOf(a.get(), op);
  const auto join = [op](const PrimExpr& x, const PrimExpr& y) {
    return MakeBinary(op, x, y, std::nullopt);
  };
  if (listener_ != nullptr) listener_->BeginMeeting(join(*operands.a, join(*operands.b, b)), 1);
  std::optional<PrimExpr> last = ApplyRules({op, 2, {operands.b, &b}, 0}, made);
  if (listener_ != nullptr) listener_->EndMeeting(last);
  if (last.has_value()) return MakeOp(op, *operands.a, *std::move(last), made);
  // An operand of `and` or `or` may guard those after it, which must not move before it.
  if (IsLogical(op) && !SpeculationCheck::IsTotal(b)) return std::nullopt;
  if (listener_ != nullptr) listener_->BeginMeeting(join(join(*operands.a, b), *operands.b), 0);
  std::optional<PrimExpr> first = ApplyRules({op, 2, {operands.a, &b}, 0}, made);
  if (!first.has_value()) first = MergeIntoChain(op, *operands.a, b, place, depth + 1);
  if (listener_ != nullptr) listener_->EndMeeting(first);
  if (!first.has_value()) return std::nullopt;
  return MakeOp(op, *std::move(first), *operands.b, made);
}

namespace {

/*! \brief Whether it is a chain of an operation, of a few operands. */
bool IsShortChain(Case op, const PrimExpr& expr) {
  constexpr int kMostOperands = 6;
  const PrimExpr* rest = &expr;
  for (int i = 0; i < kMostOperands; ++i) {
    if (CaseOf(*rest) != op) return i > 0;
    rest = OperandsOf(rest->get(), op).a;
  }
  return false;
}

}  // namespace

/*! \brief Whether an operand belongs before another one, and may be moved there. */
bool RewriteSimplifier::MayPrecede(Case op, const PrimExpr& a, const PrimExpr& b) {
  if (order_.Compare(a, b) >= 0) return false;
  // An operand of `and` or `or` that another one may guard stays behind it.
  return !IsLogical(op) || (SpeculationCheck::IsTotal(a) && SpeculationCheck::IsTotal(b));
}

/*! \brief Make a node with sorted operands, of which only the left one may be a chain. */
PrimExpr RewriteSimplifier::MakeOrdered(Case op, PrimExpr a, PrimExpr b, const Place& place,
                                        int depth) {
  constexpr int kMostMoves = 6;
  const bool may_be_ordered = IsOrdered(op, a->dtype) && depth < kMostMoves;
  if (!may_be_ordered || IntConstOf(b)) return MakeNode(op, std::move(a), std::move(b), place);
  const Place made{nullptr, place.span, place.dtype};
  const bool is_chain = !IsComparison(op);
  order_.Meet(a);
  if (is_chain && IsShortChain(op, b)) {
    const Operands operands = OperandsOf(b.get(), op);
    return MakeOp(op, MakeOp(op, std::move(a), *operands.a, made), *operands.b, made);
  }
  if (is_chain && CaseOf(a) == op) {
    const Operands operands = OperandsOf(a.get(), op);
    if (MayPrecede(op, b, *operands.b)) {
      PrimExpr first = MakeOrdered(op, *operands.a, std::move(b), made, depth + 1);
      return MakeNode(op, std::move(first), *operands.b, made);
    }
  } else if (MayPrecede(op, b, a)) {
    std::swap(a, b);
  }
  return MakeNode(op, std::move(a), std::move(b), place);
}

}  // namespace uir::arith
