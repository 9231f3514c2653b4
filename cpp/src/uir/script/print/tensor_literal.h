/*!
 * \file tensor_literal.h
 * \brief Small constants as nested lists of numbers.
 */
#ifndef UIR_SCRIPT_PRINT_TENSOR_LITERAL_H_
#define UIR_SCRIPT_PRINT_TENSOR_LITERAL_H_

#include <tvm/ffi/container/tensor.h>

#include <optional>
#include <string>

namespace uir::script {

namespace ffi = ::tvm::ffi;

/*! \brief Tensors with more elements go to the metadata. */
inline constexpr int64_t kMaxInlineElements = 16;

/*!
 * \brief `[[1.0, 2.0], [3.0, 4.0]]`, or a number for the shape `()`.
 * \return Nothing for a tensor that is large, or whose elements are not finite numbers that the
 * parser reads back bit for bit.
 */
std::optional<std::string> TensorLiteral(const ffi::Tensor& tensor);

}  // namespace uir::script

#endif  // UIR_SCRIPT_PRINT_TENSOR_LITERAL_H_
