/*!
 * \file uir/tir/const_fold.h
 * \brief Results of operations on constants, as the machine would compute them.
 *
 * The functions that make expressions (`uir/tir/arith_op.h` and the like) ask here first, node
 * constructors do not.  Integers wrap around at the width of their type; numbers of `float32` are
 * rounded to it.  What has no value, such as a division by zero, and numbers in formats that C++
 * does not compute in stay expressions.
 *
 * Of a constant and anything else only what holds for every value, but for the sign of a zero, is
 * simplified: `x + 0`, `x * 1`, and `x * 0` of integers only, because NaN times 0 is NaN.
 */
#ifndef UIR_TIR_CONST_FOLD_H_
#define UIR_TIR_CONST_FOLD_H_

#include <uir/ir/expr.h>

#include <cstdint>
#include <optional>

namespace uir::tir {

/*! \brief What `FoldBinary` computes. */
enum class BinaryKind {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kMod,
  kFloorDiv,
  kFloorMod,
  kMin,
  kMax,
};

/*! \brief What `FoldCompare` computes. */
enum class CompareKind { kEQ, kNE, kLT, kLE, kGT, kGE };

/*! \brief What `FoldBits` computes. */
enum class BitKind { kAnd, kOr, kXor, kShiftLeft, kShiftRight };

/*! \brief Drop the bits of an integer that a scalar integer type has no place for. */
int64_t WrapInt(int64_t value, DLDataType dtype);

/*! \brief A constant of an integer type, its value wrapped; none if the constant cannot hold it. */
std::optional<ir::PrimExpr> WrappedConst(int64_t value, DLDataType dtype);

/*! \brief The value of an integer or boolean constant, of all lanes of a broadcast one. */
std::optional<int64_t> IntConstOf(const ir::PrimExpr& expr);

/*! \brief The value of a floating-point constant as its type rounds it, if C++ computes in that. */
std::optional<double> FloatConstOf(const ir::PrimExpr& expr);

/*! \brief The result of two operands of one data type, if it is known. */
std::optional<ir::PrimExpr> FoldBinary(BinaryKind kind, const ir::PrimExpr& a,
                                       const ir::PrimExpr& b);

/*! \brief The comparison of two operands of one data type, if it is known. */
std::optional<ir::PrimExpr> FoldCompare(CompareKind kind, const ir::PrimExpr& a,
                                        const ir::PrimExpr& b);

/*! \brief The result of two integers of one data type, if it is known. */
std::optional<ir::PrimExpr> FoldBits(BitKind kind, const ir::PrimExpr& a, const ir::PrimExpr& b);

}  // namespace uir::tir

#endif  // UIR_TIR_CONST_FOLD_H_
