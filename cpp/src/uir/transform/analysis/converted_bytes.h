/*!
 * \file converted_bytes.h
 * \brief Numbers that are converted from bytes, such as those of a quantized tensor.
 *
 * They are casts of tensors of 8 bits, and differences and products of those and of single
 * constants. A kernel that reads the bytes computes them by few instructions.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_CONVERTED_BYTES_H_
#define UIR_TRANSFORM_ANALYSIS_CONVERTED_BYTES_H_

#include <uir/relay/block.h>

#include <unordered_set>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

class ConvertedBytes {
 public:
  /*! \brief Take a binding into account. \pre Those that it uses are known. */
  void Add(const relay::Binding& binding);
  /*! \brief Whether a variable is such a number. */
  bool Has(const relay::Var& var) const { return converted_.count(var.get()) != 0; }

 private:
  std::unordered_set<const ffi::Object*> converted_;
};

/*! \brief Whether a call is a convolution with one channel in each group. */
bool IsDepthwise(const relay::CallNode* call);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_CONVERTED_BYTES_H_
