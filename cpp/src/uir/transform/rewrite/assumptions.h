/*!
 * \file assumptions.h
 * \brief What a high-level function assumes of its dimensions: its attribute `shape_assumptions`.
 */
#ifndef UIR_TRANSFORM_REWRITE_ASSUMPTIONS_H_
#define UIR_TRANSFORM_REWRITE_ASSUMPTIONS_H_

#include <uir/relay/function.h>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief The assumptions of a function, in order. */
ffi::Array<ir::PrimExpr> AssumptionsOf(const relay::Function& func);

/*! \brief A function with more assumptions: each once, those that it had first. */
relay::Function WithAssumptions(const relay::Function& func,
                                const ffi::Array<ir::PrimExpr>& conditions);

/*! \brief A function that assumes what the calls of its body assume. */
relay::Function WithAssumptionsOfCalls(const relay::Function& func);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_ASSUMPTIONS_H_
