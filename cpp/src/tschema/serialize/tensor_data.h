/*!
 * \file tensor_data.h
 * \brief Tensors in saved graphs: shape, data type, and the elements in base64.
 *
 * In JSON a tensor is a node of the type `tschema.Tensor`, of which there are no objects: its hook
 * has tvm-ffi's own reader make the tensor.  A hook on `ffi.Tensor` would be one per process: TVM
 * registers its own, and ends the process if another library has been faster.  Without a hook that
 * reader refuses a node `ffi.Tensor`, or crashes before 0.1.15.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_TENSOR_DATA_H_
#define TSCHEMA_SRC_SERIALIZE_TENSOR_DATA_H_

#include <tvm/ffi/function.h>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief The key that tensors have in files of JSON. */
inline constexpr const char* kSavedTensorKey = "tschema.Tensor";

/*! \brief Returns a function that makes JSON of a tensor. */
ffi::Function TensorToJSON();

/*! \brief Returns a function that makes a tensor in the memory of the CPU of such JSON. */
ffi::Function TensorFromJSON();

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_TENSOR_DATA_H_
