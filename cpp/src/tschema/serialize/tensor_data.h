/*!
 * \file tensor_data.h
 * \brief Tensors in saved graphs: shape, data type, and the elements in base64.
 *
 * The functions serve this library's readers and writers alone.  tvm-ffi's would take them as type
 * attributes of `ffi.Tensor`, of which there is one per process: TVM registers its own, and ends
 * the process if another library has been faster.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_TENSOR_DATA_H_
#define TSCHEMA_SRC_SERIALIZE_TENSOR_DATA_H_

#include <tvm/ffi/function.h>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief Returns a function that makes JSON of a tensor. */
ffi::Function TensorToJSON();

/*! \brief Returns a function that makes a tensor in the memory of the CPU of such JSON. */
ffi::Function TensorFromJSON();

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_TENSOR_DATA_H_
