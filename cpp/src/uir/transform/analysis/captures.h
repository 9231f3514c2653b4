/*!
 * \file captures.h
 * \brief What the body of a loop uses of the function around it.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_CAPTURES_H_
#define UIR_TRANSFORM_ANALYSIS_CAPTURES_H_

#include <uir/tir/stmt.h>

#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

struct Captures {
  /*! \brief The variables, in the order of their first use; among them data pointers. */
  std::vector<tir::Var> vars;
  /*! \brief The buffers behind these pointers that the body uses and does not declare. */
  std::vector<tir::Buffer> buffers;
};

/*! \brief Find what a body uses. \pre Each variable has one binding (`ConvertSSA`). */
Captures FindCaptures(const tir::ForNode* loop);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_CAPTURES_H_
