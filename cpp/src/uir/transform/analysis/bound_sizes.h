/*!
 * \file bound_sizes.h
 * \brief The sizes that blocks bind: variables whose values calls of `first_rows` compute.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_BOUND_SIZES_H_
#define UIR_TRANSFORM_ANALYSIS_BOUND_SIZES_H_

#include <uir/ir/types.h>
#include <uir/relay/bounded.h>
#include <uir/relay/function.h>
#include <uir/tir/var.h>

#include <unordered_set>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief Variables of sizes, by address. */
using SizeSet = std::unordered_set<const ffi::Object*>;

/*! \brief The variable that a value binds, if it is a call of `first_rows`; else null. */
const tir::VarNode* BoundSizeOf(const ir::RelayExpr& value);

/*! \brief Whether an expression, a type or attributes have one of some variables. */
bool DependsOn(const ffi::ObjectRef& part, const SizeSet& sizes);

/*! \brief The conditions that have none of some variables. */
ffi::Array<ir::PrimExpr> WithoutSizes(const ffi::Array<ir::PrimExpr>& conditions,
                                      const SizeSet& sizes);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_BOUND_SIZES_H_
