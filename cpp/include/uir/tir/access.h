/*!
 * \file uir/tir/access.h
 * \brief Checks shared by loads and stores of buffers.
 */
#ifndef UIR_TIR_ACCESS_H_
#define UIR_TIR_ACCESS_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <uir/ir/expr.h>
#include <uir/tir/buffer.h>

namespace uir::tir {

/*!
 * \brief Check the indices and the predicate of an access, for a node that makes one.
 * \param node The name of the node in messages.
 * \param buffer The buffer.
 * \param indices One integer for each dimension; only the last one may be a vector.
 * \param predicate A boolean with the lanes of the last index, if any.
 * \return The data type of the access.
 * \throws TypeError, ValueError that name the operand.
 */
DLDataType AccessType(const ffi::Object* node, const Buffer& buffer,
                      const ffi::Array<ir::PrimExpr>& indices,
                      const ffi::Optional<ir::PrimExpr>& predicate);

}  // namespace uir::tir

#endif  // UIR_TIR_ACCESS_H_
