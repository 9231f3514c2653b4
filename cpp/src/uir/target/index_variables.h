/*!
 * \file index_variables.h
 * \brief Integers that only index elements.
 */
#ifndef UIR_TARGET_INDEX_VARIABLES_H_
#define UIR_TARGET_INDEX_VARIABLES_H_

#include <uir/tir/function.h>

#include <unordered_set>

namespace uir::target {

/*!
 * \brief The variables of 32 bits that are declared with 64 bits in C, like addresses.
 *
 * They are loop variables and bindings of functions with vectors in registers. All their uses are
 * sums and products in indices, which fit (semantics.md). With 32-bit integers that wrap around, a
 * compiler would extend the sign of each such index again, and run out of registers for vectors.
 */
std::unordered_set<const tir::VarNode*> FindIndexVariables(const tir::PrimFuncNode* func);

}  // namespace uir::target

#endif  // UIR_TARGET_INDEX_VARIABLES_H_
