// Operations on constants, and the making of nodes.
#include "./const_fold.h"

#include <tschema/structural_equal.h>
#include <tvm/ffi/error.h>
#include <uir/arith/integer_domain.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/scalar_op.h>

#include <algorithm>
#include <cmath>

namespace uir::arith {

namespace {

using ir::PrimExpr;

ir::ScalarOp ScalarOpOf(Case op) {
  switch (op) {
#define UIR_ARITH_CASE(Name, ...) \
  case Case::k##Name:             \
    return ir::ScalarOp::k##Name;
    UIR_SCALAR_NODES(UIR_ARITH_CASE)
#undef UIR_ARITH_CASE
    default:
      TVM_FFI_ICHECK(false) << "no operation with two operands: " << static_cast<int>(op);
      TVM_FFI_UNREACHABLE();
  }
}

/*! \brief Whether it is the one division of integers that overflows. */
bool IsTooLarge(Case op, DLDataType dtype, int64_t a, int64_t b) {
  return IsDivision(op) && b == -1 && a == ir::MinValue(dtype);
}

/*! \brief Compares values up to the order of summands, factors, and operands of minima and maxima.
 */
class SameValues {
 public:
  bool Visit(const PrimExpr& a, const PrimExpr& b) {
    if (a.same_as(b)) return true;
    if (a->type_index() != b->type_index() || a->dtype != b->dtype) return false;
    if (const auto* constant = a.as<ir::IntImmNode>()) {
      return constant->value == static_cast<const ir::IntImmNode*>(b.get())->value;
    }
    const Case op = CaseOf(a);
    if (op == Case::kVar || op == Case::kSizeVar) return false;
    if (!IsArithmetic(op) || num_left_-- <= 0) return tschema::StructuralEqual(a, b);
    const Operands left = OperandsOf(a.get(), op);
    const Operands right = OperandsOf(b.get(), op);
    if (Visit(*left.a, *right.a) && Visit(*left.b, *right.b)) return true;
    // Of floating-point numbers the minimum depends on the order, and a product on the brackets.
    if (!IsCommutative(op) || !ir::IsInteger(ir::ElementOf(a->dtype))) return false;
    if (Visit(*left.a, *right.b) && Visit(*left.b, *right.a)) return true;
    const bool is_chain = CaseOf(*left.a) == op || CaseOf(*left.b) == op;
    return is_chain && SameChains(op, a, b);
  }

 private:
  static constexpr int kMostOperands = 8;

  struct Chain {
    const PrimExpr* operands[kMostOperands];
    int size = 0;

    bool Add(Case op, const PrimExpr& expr, int depth = 0) {
      if (CaseOf(expr) == op && depth < kMostOperands) {
        const Operands next = OperandsOf(expr.get(), op);
        return Add(op, *next.a, depth + 1) && Add(op, *next.b, depth + 1);
      }
      if (size == kMostOperands) return false;
      operands[size++] = &expr;
      return true;
    }
  };

  bool SameChains(Case op, const PrimExpr& a, const PrimExpr& b) {
    Chain left;
    Chain right;
    if (!left.Add(op, a) || !right.Add(op, b) || left.size != right.size) return false;
    for (int i = 0; i < left.size; ++i) {
      int found = 0;
      while (found < right.size && !Visit(*left.operands[i], *right.operands[found])) ++found;
      if (found == right.size) return false;
      right.operands[found] = right.operands[--right.size];
    }
    return true;
  }

  /*! \brief How many more pairs of operations are looked into; then the order counts. */
  int num_left_ = 64;
};

}  // namespace

bool IsTrue(const PrimExpr& expr) {
  return ir::IsBool(expr->dtype) && IntConstOf(expr).value_or(0) != 0;
}

bool IsFalse(const PrimExpr& expr) {
  return ir::IsBool(expr->dtype) && IntConstOf(expr).value_or(1) == 0;
}

bool IsSame(const PrimExpr& a, const PrimExpr& b) { return SameValues().Visit(a, b); }

PrimExpr MakeInt(DLDataType dtype, int64_t value) {
  PrimExpr constant = ir::IntImm(ir::ElementOf(dtype), value);
  if (ir::IsScalar(dtype)) return constant;
  return tir::Broadcast(std::move(constant), ir::LanesOf(dtype));
}

PrimExpr MakeBool(bool value, int lanes) { return MakeInt(ir::BoolType(lanes), value ? 1 : 0); }

std::optional<int64_t> Evaluate(Case op, int64_t a, int64_t b) {
  return ir::Evaluate(ScalarOpOf(op), a, b);
}

std::optional<int64_t> FoldInt(Case op, DLDataType dtype, int64_t a, int64_t b) {
  if (IsTooLarge(op, dtype, a, b)) return std::nullopt;
  return tir::FoldInt(ScalarOpOf(op), a, b, dtype);
}

std::optional<int64_t> FoldFitting(Case op, DLDataType dtype, int64_t a, int64_t b) {
  if (!IsIndex(dtype)) return FoldInt(op, dtype, a, b);
  if (IsTooLarge(op, dtype, a, b)) return std::nullopt;
  const std::optional<int64_t> exact = Evaluate(op, a, b);
  return exact && IntervalOf(dtype).Contains(*exact) ? exact : std::nullopt;
}

std::optional<PrimExpr> FoldBinary(Case op, const PrimExpr& a, const PrimExpr& b) {
  const std::optional<int64_t> a_value = IntConstOf(a);
  const std::optional<int64_t> b_value = a_value ? IntConstOf(b) : std::nullopt;
  if (!b_value && (!tir::FloatConstOf(a) || !tir::FloatConstOf(b))) return std::nullopt;
  const bool is_too_large = b_value && IsTooLarge(op, ir::ElementOf(a->dtype), *a_value, *b_value);
  if (is_too_large) return std::nullopt;
  const std::optional<PrimExpr> folded = tir::Fold(ScalarOpOf(op), a, b);
  if (!folded) return std::nullopt;
  // Infinities and NaN stay operations.
  const auto* number = folded->as<ir::FloatImmNode>();
  if (number != nullptr && !std::isfinite(number->value)) return std::nullopt;
  return *folded;
}

PrimExpr MakeBinary(Case op, PrimExpr a, PrimExpr b, const ffi::Optional<ir::Span>& span) {
  return tir::MakeNode(ScalarOpOf(op), std::move(a), std::move(b), span);
}

}  // namespace uir::arith
