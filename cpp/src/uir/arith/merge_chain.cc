// Minima, maxima, conjunctions and disjunctions of several operands: an operand meets each other
// one.
#include <uir/ir/dtype.h>

#include <utility>

#include "./rewrite_simplify.h"
#include "./speculatable.h"

namespace uir::arith {

using ir::PrimExpr;

/*!
 * \brief Simplify an operand with one of a chain: in `(x < n and y < m) and x < 3` the last with
 * the first.
 * \return None if it meets none of the operands.
 */
ffi::Optional<PrimExpr> RewriteSimplifier::MergeIntoChain(Case op, const PrimExpr& a,
                                                          const PrimExpr& b, const Place& place,
                                                          int depth) {
  // Each operand of a long chain meets the nearest others alone.
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
  ffi::Optional<PrimExpr> last = ApplyRules({op, 2, {operands.b, &b}, 0}, made);
  if (listener_ != nullptr) listener_->EndMeeting(last);
  if (last.has_value()) return MakeOp(op, *operands.a, *std::move(last), made);
  // What is guarded by an operand stays behind it.
  if (IsLogical(op) && !SpeculationCheck::IsTotal(b)) return std::nullopt;
  if (listener_ != nullptr) listener_->BeginMeeting(join(join(*operands.a, b), *operands.b), 0);
  ffi::Optional<PrimExpr> first = ApplyRules({op, 2, {operands.a, &b}, 0}, made);
  if (!first.has_value()) first = MergeIntoChain(op, *operands.a, b, place, depth + 1);
  if (listener_ != nullptr) listener_->EndMeeting(first);
  if (!first.has_value()) return std::nullopt;
  return MakeOp(op, *std::move(first), *operands.b, made);
}

}  // namespace uir::arith
