/*!
 * \file host_memory.h
 * \brief The memory of tensors that the compiler makes.
 */
#ifndef UIR_IR_HOST_MEMORY_H_
#define UIR_IR_HOST_MEMORY_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>

#include <cstddef>
#include <cstdlib>

namespace uir::ir {

/*! \brief Host memory aligned to a cache line, for `tvm::ffi::Tensor::FromNDAlloc`. */
struct HostMemory {
  void AllocData(DLTensor* tensor) const {
    constexpr size_t kAlignment = 64;
    const size_t size = tvm::ffi::GetDataSize(*tensor) / kAlignment * kAlignment + kAlignment;
    tensor->data = std::aligned_alloc(kAlignment, size);
    if (tensor->data == nullptr) TVM_FFI_THROW(MemoryError) << "no memory for a constant";
  }
  void FreeData(DLTensor* tensor) const { std::free(tensor->data); }
};

}  // namespace uir::ir

#endif  // UIR_IR_HOST_MEMORY_H_
