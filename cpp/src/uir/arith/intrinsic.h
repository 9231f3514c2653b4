/*!
 * \file intrinsic.h
 * \brief The intrinsics whose meaning the analyzer knows.
 */
#ifndef UIR_ARITH_INTRINSIC_H_
#define UIR_ARITH_INTRINSIC_H_

#include <uir/tir/expr.h>

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

/*! \brief What a call calls; that it has the arguments of that has been checked. */
Intrinsic IntrinsicOf(const tir::CallNode* call);

/*! \brief The result of an intrinsic of constants; None if it is not known. */
ffi::Optional<ir::PrimExpr> FoldCall(Intrinsic intrinsic, DLDataType dtype,
                                     const ffi::Array<ir::PrimExpr>& args);

}  // namespace uir::arith

#endif  // UIR_ARITH_INTRINSIC_H_
