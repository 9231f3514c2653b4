/*!
 * \file uir/tir/math_call.h
 * \brief Calls of intrinsics on numbers, with checks of the operands.
 */
#ifndef UIR_TIR_MATH_CALL_H_
#define UIR_TIR_MATH_CALL_H_

#include <tvm/ffi/optional.h>
#include <uir/ir/expr.h>
#include <uir/ir/span.h>

namespace uir::tir {

namespace ffi = ::tvm::ffi;

/*! \brief A call of `tir.<name>` on a floating-point number, of its data type. */
ir::PrimExpr CallOnFloat(const char* name, ir::PrimExpr x, ffi::Optional<ir::Span> span);

/*! \brief A call of `tir.<name>` on two floating-point numbers, their types matched first. */
ir::PrimExpr CallOnFloats(const char* name, ir::PrimExpr a, ir::PrimExpr b,
                          ffi::Optional<ir::Span> span);

/*! \brief Throw a TypeError: operand `x` of `name` must be `expected`. */
[[noreturn]] void ThrowOperandOf(const char* name, const char* expected, const ir::PrimExpr& x);

}  // namespace uir::tir

#endif  // UIR_TIR_MATH_CALL_H_
