/*! \brief The functions of the compiled network, with the types that they have in C++. */
#pragma once

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

extern "C" int __tvm_ffi_predict(void* self, const TVMFFIAny* args, int32_t num_args,
                                 TVMFFIAny* result);

namespace network {

/*! \brief The probabilities of each digit for images of 8 x 8 pixels, a row each. */
inline tvm::ffi::Tensor predict(const tvm::ffi::Tensor& pixels) {
  return tvm::ffi::Function::InvokeExternC(nullptr, __tvm_ffi_predict, pixels)
      .cast<tvm::ffi::Tensor>();
}

}  // namespace network
