/*!
 * \file assumptions.h
 * \brief The assumptions of a high-level function on its dimensions (`shape_assumptions`).
 */
#ifndef UIR_TRANSFORM_REWRITE_ASSUMPTIONS_H_
#define UIR_TRANSFORM_REWRITE_ASSUMPTIONS_H_

#include <uir/relay/function.h>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief The assumptions of a function, in order. */
ffi::Array<ir::PrimExpr> AssumptionsOf(const relay::Function& func);

/*! \brief Append assumptions to those of a function, without duplicates. */
relay::Function WithAssumptions(const relay::Function& func,
                                const ffi::Array<ir::PrimExpr>& conditions);

/*! \brief Add the assumptions of the calls in a function's body to the function. */
relay::Function WithAssumptionsOfCalls(const relay::Function& func);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_ASSUMPTIONS_H_
