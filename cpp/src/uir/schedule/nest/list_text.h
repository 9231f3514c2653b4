/*!
 * \file list_text.h
 * \brief Lists of primitives as text, a line each, in the form of Python's calls.
 *
 *     fuse("row", "i", "j")
 *     tile("k", 1024, "sum_block", tail="min")
 *     tile("n", 32, "panel", tail="pad", lanes=16)
 *     tile("row", 8)
 *     reorder("panel", "sum_block", "row:8")
 *     parallel("panel")
 *     unroll("vector")
 *     vectorize("lane")
 *     cache("right", "sum_block", "n // 32", "k", "n % 32", parallel=True)
 *     registers("row:8")
 */
#ifndef UIR_SCHEDULE_NEST_LIST_TEXT_H_
#define UIR_SCHEDULE_NEST_LIST_TEXT_H_

#include <string>
#include <vector>

#include "./nest.h"

namespace uir::schedule::nest {

/*! \brief The primitives that make the loops and copies of a nest out of the one without. */
std::vector<std::string> PrintList(const Nest& nest);

/*!
 * \brief Apply a primitive.
 * \throws ValueError if the text is not a primitive, or the list would no longer compute the nest.
 */
Nest ApplyStep(const Nest& nest, const std::string& step);

}  // namespace uir::schedule::nest

#endif  // UIR_SCHEDULE_NEST_LIST_TEXT_H_
