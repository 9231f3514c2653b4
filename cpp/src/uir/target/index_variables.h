/*!
 * \file index_variables.h
 * \brief Integers that only choose elements.
 */
#ifndef UIR_TARGET_INDEX_VARIABLES_H_
#define UIR_TARGET_INDEX_VARIABLES_H_

#include <uir/tir/function.h>

#include <unordered_set>

namespace uir::target {

/*!
 * \brief The variables of 32 bits that C declares with 64, as addresses have.
 *
 * They are the loops and bindings of functions with vectors in registers, all of whose uses are
 * sums and products in indices, which fit (semantics.md). Where integers wrap around at 32
 * bits, a compiler extends the sign of each such index anew, and has no registers left for vectors.
 */
std::unordered_set<const tir::VarNode*> FindIndexVariables(const tir::PrimFuncNode* func);

}  // namespace uir::target

#endif  // UIR_TARGET_INDEX_VARIABLES_H_
