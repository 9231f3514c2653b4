/*!
 * \file const_fold.h
 * \brief Operations on constants, and the making of nodes.
 */
#ifndef UIR_ARITH_CONST_FOLD_H_
#define UIR_ARITH_CONST_FOLD_H_

#include <tvm/ffi/cast.h>
#include <uir/ir/expr.h>
#include <uir/tir/arith.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/logic.h>
#include <uir/tir/prim_expr_functor.h>

#include <cstdint>
#include <optional>

namespace uir::arith {

namespace ffi = ::tvm::ffi;
using Case = tir::PrimExprCase;

/*! \brief The operation of a node. */
inline Case CaseOf(const ir::PrimExprNode* node) {
  return static_cast<Case>(tir::kPrimExprCases.CaseOf(node));
}
inline Case CaseOf(const ir::PrimExpr& expr) { return CaseOf(expr.get()); }

inline bool IsLeaf(Case op) {
  return op == Case::kIntImm || op == Case::kFloatImm || op == Case::kStringImm;
}

/*! \brief The value of an integer constant, or of a vector whose lanes are all that constant. */
inline std::optional<int64_t> IntConstOf(const ir::PrimExpr& expr) {
  const Case op = CaseOf(expr);
  if (op == Case::kIntImm) return static_cast<const ir::IntImmNode*>(expr.get())->value;
  return op == Case::kBroadcast ? tir::IntConstOf(expr) : std::nullopt;
}

/*! \brief The two operands of an operation. */
struct Operands {
  const ir::PrimExpr* a;
  const ir::PrimExpr* b;
};

inline bool IsArithmetic(Case op) { return Case::kAdd <= op && op <= Case::kMax; }
/*! \brief Whether an operation is a sum, difference or product, right modulo the range of its type.
 */
inline bool IsRing(Case op) { return Case::kAdd <= op && op <= Case::kMul; }
inline bool IsDivision(Case op) { return Case::kDiv <= op && op <= Case::kFloorMod; }
inline bool IsComparison(Case op) { return Case::kEQ <= op && op <= Case::kGE; }
inline bool IsLogical(Case op) { return op == Case::kAnd || op == Case::kOr; }
/*! \brief Whether the operands of integers or booleans may change places. */
inline bool IsCommutative(Case op) {
  return op == Case::kAdd || op == Case::kMul || op == Case::kMin || op == Case::kMax ||
         op == Case::kEQ || op == Case::kNE || IsLogical(op);
}
inline bool IsBinary(Case op) { return IsArithmetic(op) || IsComparison(op) || IsLogical(op); }

/*! \brief The operands of a node of which `IsBinary` holds. */
inline Operands OperandsOf(const ir::PrimExprNode* node, Case op) {
  if (IsArithmetic(op)) {
    const auto* binary = static_cast<const tir::BinaryOpNode*>(node);
    return {&binary->a, &binary->b};
  }
  if (IsComparison(op)) {
    const auto* comparison = static_cast<const tir::CmpOpNode*>(node);
    return {&comparison->a, &comparison->b};
  }
  const auto* logical = static_cast<const tir::LogicalOpNode*>(node);
  return {&logical->a, &logical->b};
}

/*! \brief Whether a type is a scalar of `int32` or `int64`. */
inline bool IsIndex(DLDataType dtype) {
  return dtype.code == kDLInt && dtype.bits >= 32 && dtype.lanes == 1;
}

/*! \brief Whether an expression is the constant true. */
bool IsTrue(const ir::PrimExpr& expr);
/*! \brief Whether an expression is the constant false. */
bool IsFalse(const ir::PrimExpr& expr);

/*!
 * \brief Whether two expressions have the same structure, up to the order of factors, summands, and
 * operands of minima and maxima of integers; a variable is equal only to itself.
 */
bool IsSame(const ir::PrimExpr& a, const ir::PrimExpr& b);

/*! \brief Make an integer constant, broadcast to the lanes of a type. */
ir::PrimExpr MakeInt(DLDataType dtype, int64_t value);
/*! \brief Make a boolean, broadcast to the lanes of a type. */
ir::PrimExpr MakeBool(bool value, int lanes = 1);

/*! \brief The exact value of an operation on integers; none if undefined or outside of int64. */
std::optional<int64_t> Evaluate(Case op, int64_t a, int64_t b);

/*!
 * \brief The value of an operation on integer constants, as a machine computes it.
 * \return None if the operation has no value, or the type cannot represent it.
 */
std::optional<int64_t> FoldInt(Case op, DLDataType dtype, int64_t a, int64_t b);

/*! \brief The value of an operation on integer constants, if it fits the type of an index. */
std::optional<int64_t> FoldFitting(Case op, DLDataType dtype, int64_t a, int64_t b);

/*!
 * \brief The result of an operation on two constants.
 * \return None if an operand is not constant, or the result is undefined.
 */
std::optional<ir::PrimExpr> FoldBinary(Case op, const ir::PrimExpr& a, const ir::PrimExpr& b);

/*! \brief Make the node of an operation with two operands. */
ir::PrimExpr MakeBinary(Case op, ir::PrimExpr a, ir::PrimExpr b,
                        const ffi::Optional<ir::Span>& span);

}  // namespace uir::arith

#endif  // UIR_ARITH_CONST_FOLD_H_
