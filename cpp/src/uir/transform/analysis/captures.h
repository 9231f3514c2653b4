/*!
 * \file captures.h
 * \brief The variables and buffers of a function that the body of a loop uses.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_CAPTURES_H_
#define UIR_TRANSFORM_ANALYSIS_CAPTURES_H_

#include <uir/tir/stmt.h>

#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

struct Captures {
  /*! \brief The variables, data pointers included, in the order of their first use. */
  std::vector<tir::Var> vars;
  /*! \brief The buffers of these pointers that the body uses but does not declare. */
  std::vector<tir::Buffer> buffers;
};

/*! \brief Find the captures of a loop's body. \pre Each variable has one binding (`ConvertSSA`). */
Captures FindCaptures(const tir::ForNode* loop);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_CAPTURES_H_
