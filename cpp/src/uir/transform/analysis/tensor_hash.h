/*!
 * \file tensor_hash.h
 * \brief Hashes of tensors in constant time.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_TENSOR_HASH_H_
#define UIR_TRANSFORM_ANALYSIS_TENSOR_HASH_H_

#include <tvm/ffi/container/tensor.h>

#include <cstdint>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief A hash of a tensor's shape, data type and some of its bytes.
 *
 * Structurally equal tensors have the same hash. Networks have weights of a hundred megabytes that
 * differ everywhere, so that reading all bytes would not distinguish them better.
 */
uint64_t SampledHash(const ffi::Tensor& tensor);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_TENSOR_HASH_H_
