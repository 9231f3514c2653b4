/*!
 * \file assumptions.h
 * \brief The assumptions of a high-level function on its dimensions (`shape_assumptions`).
 */
#ifndef UIR_TRANSFORM_REWRITE_ASSUMPTIONS_H_
#define UIR_TRANSFORM_REWRITE_ASSUMPTIONS_H_

#include <uir/relay/function.h>

#include <vector>

#include "../analysis/bound_sizes.h"

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief The assumptions of a function, in order. */
ffi::Array<ir::PrimExpr> AssumptionsOf(const relay::Function& func);

/*! \brief Append assumptions to those of a function, without duplicates. */
relay::Function WithAssumptions(const relay::Function& func,
                                const ffi::Array<ir::PrimExpr>& conditions);

/*!
 * \brief Add the assumptions of the calls in a function's body to the function, except those that
 * blocks check: branches, and blocks that bind a size.
 */
relay::Function WithAssumptionsOfCalls(const relay::Function& func);

/*!
 * \brief Whether a branch checks an assumption of its calls, so that only calls that take it fail.
 *
 * Such conditions only compare dimensions for equality. Those that bound a size are checked at the
 * entry, because the sizes of all buffers are computed there.
 */
bool IsCheckedByBranch(const ir::PrimExpr& condition);

/*!
 * \brief Add checks of the assumptions that a block must check and does not check yet.
 *
 * A check is at the begin of a branch, or after the last binding that binds a size in it.
 *
 * \param block The bindings of the block.
 * \param result Its value.
 * \param is_branch Whether it is a branch or the body of a loop.
 * \param sizes The sizes that this block and those around it bind.
 */
void AddMissingChecks(std::vector<relay::Binding>* block, const ir::RelayExpr& result,
                      bool is_branch, const SizeSet& sizes);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_ASSUMPTIONS_H_
