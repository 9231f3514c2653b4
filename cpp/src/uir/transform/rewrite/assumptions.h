/*!
 * \file assumptions.h
 * \brief The assumptions of a high-level function on its dimensions (`shape_assumptions`).
 */
#ifndef UIR_TRANSFORM_REWRITE_ASSUMPTIONS_H_
#define UIR_TRANSFORM_REWRITE_ASSUMPTIONS_H_

#include <uir/relay/function.h>

#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief The assumptions of a function, in order. */
ffi::Array<ir::PrimExpr> AssumptionsOf(const relay::Function& func);

/*! \brief Append assumptions to those of a function, without duplicates. */
relay::Function WithAssumptions(const relay::Function& func,
                                const ffi::Array<ir::PrimExpr>& conditions);

/*!
 * \brief Add the assumptions of the calls in a function's body to the function, except those that
 * branches check.
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
 * \brief A check of the assumptions in a branch that it does not check yet; None without any.
 * \param branch The bindings of the branch.
 * \param result Its value.
 */
ffi::Optional<relay::Binding> MissingCheck(const std::vector<relay::Binding>& branch,
                                           const ir::RelayExpr& result);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_ASSUMPTIONS_H_
