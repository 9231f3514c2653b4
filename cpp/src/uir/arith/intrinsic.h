/*!
 * \file intrinsic.h
 * \brief The intrinsics whose meaning the analyzer knows.
 */
#ifndef UIR_ARITH_INTRINSIC_H_
#define UIR_ARITH_INTRINSIC_H_

#include <uir/tir/expr.h>

#include <cstdint>
#include <optional>

namespace uir::arith {

namespace ffi = ::tvm::ffi;

/*! \brief An intrinsic; `kOther` is any other, and a function that is called. */
enum class Intrinsic {
  kOther,
  kIfThenElse,
  kLikely,
  kAbs,
  kLeadingZeros,
  kPopcount,
  kBitwiseAnd,
  kBitwiseOr,
  kBitwiseXor,
  kShiftLeft,
  kShiftRight,
};

/*! \brief The intrinsic that a call refers to; its arguments have been checked. */
Intrinsic IntrinsicOf(const tir::CallNode* call);

/*! \brief The result of an intrinsic of constants; None if it is not known. */
std::optional<ir::PrimExpr> FoldCall(Intrinsic intrinsic, DLDataType dtype,
                                     const ffi::Array<ir::PrimExpr>& args);

/*!
 * \brief The value of `ceil(log2(x))` of a constant, which is the same however the logarithm is
 * rounded.
 * \return None if it is another expression, or the logarithm is next to an integer.
 */
std::optional<int64_t> CeilOfLog2(const ir::PrimExpr& expr);

}  // namespace uir::arith

#endif  // UIR_ARITH_INTRINSIC_H_
