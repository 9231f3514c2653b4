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

/*! \brief The values of the names in a text. */
struct TensorNames {
  /*! \brief The tensor with a name; null if it is absent, or for any other name. */
  std::function<const Value*(const std::string&)> tensor;
  /*! \brief The attribute with a name; None for an absent tensor. */
  std::function<ffi::Any(const std::string&)> attribute;
};

/*!
 * \brief The tensor on the left side of a text.
 *
 * Indices that the result lacks are reduced over; dimensions of 1 broadcast.
 */
Value LowerAssignment(const std::string& text, const TensorNames& names, const std::string& name,
                      const ir::TensorType& type);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOWER_OPS_ASSIGNMENT_H_
