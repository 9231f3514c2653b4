/*!
 * \file use_counts.h
 * \brief The number of uses of each variable of a high-level function.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_USE_COUNTS_H_
#define UIR_TRANSFORM_ANALYSIS_USE_COUNTS_H_

#include <uir/relay/function.h>

#include <cstdint>
#include <unordered_map>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief The number of uses of each used variable; results of blocks are uses.
 *
 * A use in a loop of a variable bound outside of it happens in each step, and counts twice: what
 * has one use may move to it.
 */
std::unordered_map<const ffi::Object*, int64_t> CountUses(const relay::Function& func);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_USE_COUNTS_H_
