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

/*! \brief Define a function of a floating-point number. */
#define UIR_TIR_DEFINE_FLOAT_FUNCTION(Name)                         \
  ir::PrimExpr Name(ir::PrimExpr x, ffi::Optional<ir::Span> span) { \
    return CallOnFloat(#Name, std::move(x), std::move(span));       \
  }

/*! \brief Define a function of two floating-point numbers. */
#define UIR_TIR_DEFINE_FLOAT_FUNCTION_2(Name)                                       \
  ir::PrimExpr Name(ir::PrimExpr a, ir::PrimExpr b, ffi::Optional<ir::Span> span) { \
    return CallOnFloats(#Name, std::move(a), std::move(b), std::move(span));        \
  }

#endif  // UIR_TIR_MATH_CALL_H_
