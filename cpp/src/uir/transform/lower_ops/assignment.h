/*!
 * \file assignment.h
 * \brief Tensors of texts such as `y[*b, m, n] += a[*b, m, k] * b[*b, k, n]`.
 */
#ifndef UIR_TRANSFORM_LOWER_OPS_ASSIGNMENT_H_
#define UIR_TRANSFORM_LOWER_OPS_ASSIGNMENT_H_

#include <functional>
#include <string>

#include "./operator_call.h"

namespace uir::transform {

/*! \brief What the names of a text stand for. */
struct TensorNames {
  /*! \brief A tensor that is given; null for another name. */
  std::function<const Value*(const std::string&)> tensor;
  /*! \brief An attribute; None for a tensor that is absent. */
  std::function<ffi::Any(const std::string&)> attribute;
};

/*!
 * \brief The tensor that a text assigns.
 *
 * Names among indices that the result lacks are reduced over; dimensions of 1 broadcast.
 */
Value LowerAssignment(const std::string& text, const TensorNames& names, const std::string& name,
                      const ir::TensorType& type);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOWER_OPS_ASSIGNMENT_H_
