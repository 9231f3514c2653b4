/*!
 * \file uir/tir/object_layout.h
 * \brief The layouts of objects, from the registered types.
 */
#ifndef UIR_TIR_OBJECT_LAYOUT_H_
#define UIR_TIR_OBJECT_LAYOUT_H_

#include <tvm/ffi/dtype.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>
#include <uir/ir/types.h>
#include <uir/tir/object_access.h>

#include <cstdint>

namespace uir::tir {

namespace ffi = ::tvm::ffi;

/*! \brief A field that compiled code reads from memory. */
struct ObjectField {
  /*! \brief Bytes from the start of the object. */
  int64_t offset;
  /*! \brief `handle` for a reference to an object. */
  DLDataType dtype;
  /*! \brief The type of the object that a reference refers to, if declared. */
  ffi::Optional<ObjectType> type;
};

/*!
 * \brief Find a field of a registered type, inherited ones included.
 * \throws TypeError If the type is not registered, or the field is neither a number nor a
 * reference.
 * \throws ValueError If the type has no such field.
 */
ObjectField FindObjectField(const ffi::String& type_key, const ffi::String& field);

/*! \brief The type of the objects that references of a type refer to; None if `reference_to` did
 * not make the type. */
ffi::Optional<ObjectType> ObjectTypeOf(const ffi::Optional<ir::Type>& type);

/*! \brief Whether every reference of a type also has the type `base`; false for unknown types. */
bool IsSubtype(const ffi::Optional<ObjectType>& type, const ObjectType& base);

}  // namespace uir::tir

#endif  // UIR_TIR_OBJECT_LAYOUT_H_
