// Tensors that share the memory of others.
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <uir/runtime/tensor_view.h>

#include <cstdint>

namespace uir::runtime {

using Unsafe = ffi::detail::ObjectUnsafe;

ffi::Tensor view_as(ffi::Tensor tensor, DLDataType dtype) {
  DLTensor prototype = *tensor.GetDLTensorPtr();
  if (prototype.dtype.bits * prototype.dtype.lanes != dtype.bits * dtype.lanes) {
    TVM_FFI_THROW(ValueError) << "view_as: elements of `" << dtype << "` have "
                              << dtype.bits * dtype.lanes << " bits, those of the tensor, `"
                              << prototype.dtype << "`, have "
                              << prototype.dtype.bits * prototype.dtype.lanes;
  }
  prototype.dtype = dtype;
  // A tensor of rank 0 may lack strides, but a view must have them.
  int64_t none = 0;
  if (prototype.strides == nullptr) prototype.strides = &none;
  TVMFFIObjectHandle view = nullptr;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITensorCreateUnsafeView(Unsafe::TVMFFIObjectPtrFromObjectRef(tensor),
                                                       &prototype, &view));
  return ffi::Tensor(Unsafe::ObjectPtrFromOwned<ffi::TensorObj>(static_cast<TVMFFIObject*>(view)));
}

}  // namespace uir::runtime
