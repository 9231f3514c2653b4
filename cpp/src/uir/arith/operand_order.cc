// One order for the operands of commutative operations.
#include "./operand_order.h"

#include <uir/tir/buffer.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>

#include <limits>

namespace uir::arith {

namespace {

using ir::PrimExpr;

constexpr int64_t kLast = std::numeric_limits<int64_t>::max();

bool IsVar(Case op) { return op == Case::kVar || op == Case::kSizeVar; }

int Sign(int64_t a, int64_t b) { return a < b ? -1 : static_cast<int>(a > b); }

}  // namespace

int64_t OperandOrder::PlaceOfVar(const PrimExpr& var) {
  const size_t place = vars_.Find(var.get());
  if (place == vars_.size()) vars_.Add(var);
  return static_cast<int64_t>(place);
}

int64_t OperandOrder::PlaceOf(const PrimExpr& expr, int level) {
  const Case op = CaseOf(expr);
  if (IsVar(op)) return PlaceOfVar(expr);
  if (IsLeaf(op) || level == 0) return kLast;
  if (IsBinary(op)) {
    const Operands operands = OperandsOf(expr.get(), op);
    const int64_t place = PlaceOf(*operands.a, level - 1);
    return place != kLast ? place : PlaceOf(*operands.b, level - 1);
  }
  if (const auto* cast = expr.as<tir::CastNode>()) return PlaceOf(cast->value, level - 1);
  if (const auto* negation = expr.as<tir::NotNode>()) return PlaceOf(negation->a, level - 1);
  if (const auto* load = expr.as<tir::BufferLoadNode>()) return PlaceOfVar(load->buffer->data);
  const auto* call = expr.as<tir::CallNode>();
  return call == nullptr || call->args.empty() ? kLast : PlaceOf(call->args[0], level - 1);
}

int OperandOrder::Compare(const PrimExpr& a, const PrimExpr& b, int level) {
  if (a.same_as(b)) return 0;
  const Case first = CaseOf(a);
  const Case second = CaseOf(b);
  const std::optional<int64_t> value = IntConstOf(a);
  const std::optional<int64_t> other = IntConstOf(b);
  if (value && other) return Sign(*value, *other);
  // Constants come last.
  if (value || other) return value ? 1 : -1;
  const int64_t place = PlaceOf(a, level);
  if (const int order = Sign(place, PlaceOf(b, level)); order != 0) return order;
  const bool are_comparisons = IsComparison(first) && IsComparison(second);
  if (are_comparisons) {
    // Lower bounds come before upper bounds: `0 <= x and x < n`.
    const bool is_above = IntConstOf(*OperandsOf(a.get(), first).a).has_value();
    const bool is_other_above = IntConstOf(*OperandsOf(b.get(), second).a).has_value();
    if (is_above != is_other_above) return is_above ? -1 : 1;
  }
  if (first != second) return Sign(static_cast<int>(first), static_cast<int>(second));
  if (!IsBinary(first) || level == 0) return 0;
  const Operands operands = OperandsOf(a.get(), first);
  const Operands others = OperandsOf(b.get(), second);
  const int order = Compare(*operands.a, *others.a, level - 1);
  return order != 0 ? order : Compare(*operands.b, *others.b, level - 1);
}

}  // namespace uir::arith
