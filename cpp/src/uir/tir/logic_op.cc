// Comparisons and logic on operands that are first converted to a common data type.
#include <uir/ir/dtype.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/logic.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <optional>
#include <utility>

namespace uir::tir {

namespace {

using ir::PrimExpr;
using Span = ffi::Optional<ir::Span>;

template <typename Node>
PrimExpr Compared(ir::ScalarOp op, PrimExpr a, PrimExpr b, Span span) {
  const ffi::Tuple<PrimExpr, PrimExpr> operands = match_types(std::move(a), std::move(b));
  const PrimExpr left = operands.get<0>();
  const PrimExpr right = operands.get<1>();
  if (std::optional<PrimExpr> folded = Fold(op, left, right)) return *std::move(folded);
  return Node(left, right, std::move(span));
}

/*! \brief The value of a boolean constant. */
std::optional<bool> BoolConstOf(const PrimExpr& expr) {
  if (!ir::IsBool(expr->dtype)) return std::nullopt;
  const std::optional<int64_t> value = IntConstOf(expr);
  return value ? std::optional<bool>(*value != 0) : std::nullopt;
}

/*! \brief Fold `a op b` with a constant operand; `decisive` is the absorbing value of `op`. */
std::optional<PrimExpr> FoldLogic(const PrimExpr& a, const PrimExpr& b, bool decisive) {
  if (a->dtype != b->dtype || !ir::IsBool(a->dtype)) return std::nullopt;
  if (const std::optional<bool> left = BoolConstOf(a)) return *left == decisive ? a : b;
  if (const std::optional<bool> right = BoolConstOf(b)) return *right == decisive ? b : a;
  return std::nullopt;
}

}  // namespace

PrimExpr equal(PrimExpr a, PrimExpr b, Span span) {
  return Compared<EQ>(ir::ScalarOp::kEQ, std::move(a), std::move(b), std::move(span));
}

PrimExpr not_equal(PrimExpr a, PrimExpr b, Span span) {
  return Compared<NE>(ir::ScalarOp::kNE, std::move(a), std::move(b), std::move(span));
}

PrimExpr less(PrimExpr a, PrimExpr b, Span span) {
  return Compared<LT>(ir::ScalarOp::kLT, std::move(a), std::move(b), std::move(span));
}

PrimExpr less_equal(PrimExpr a, PrimExpr b, Span span) {
  return Compared<LE>(ir::ScalarOp::kLE, std::move(a), std::move(b), std::move(span));
}

PrimExpr greater(PrimExpr a, PrimExpr b, Span span) {
  return Compared<GT>(ir::ScalarOp::kGT, std::move(a), std::move(b), std::move(span));
}

PrimExpr greater_equal(PrimExpr a, PrimExpr b, Span span) {
  return Compared<GE>(ir::ScalarOp::kGE, std::move(a), std::move(b), std::move(span));
}

PrimExpr logical_and(PrimExpr a, PrimExpr b, Span span) {
  if (std::optional<PrimExpr> folded = FoldLogic(a, b, false)) return *std::move(folded);
  return And(std::move(a), std::move(b), std::move(span));
}

PrimExpr logical_or(PrimExpr a, PrimExpr b, Span span) {
  if (std::optional<PrimExpr> folded = FoldLogic(a, b, true)) return *std::move(folded);
  return Or(std::move(a), std::move(b), std::move(span));
}

PrimExpr logical_not(PrimExpr a, Span span) {
  if (const std::optional<bool> value = BoolConstOf(a)) {
    return make_const(!*value, a->dtype, std::move(span));
  }
  return Not(std::move(a), std::move(span));
}

}  // namespace uir::tir
