/*!
 * \file raw_value.h
 * \brief FFI values as the C ABI has them, and how many hold an object.
 */
#ifndef TSCHEMA_SRC_SUPPORT_RAW_VALUE_H_
#define TSCHEMA_SRC_SUPPORT_RAW_VALUE_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/object.h>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief A view of a value that owns what it holds. */
inline const TVMFFIAny& RawOf(const ffi::Any& value) {
  return *ffi::detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value);
}

/*! \brief Whether more than one reference leads to the object, so that it may come again. */
inline bool IsShared(const ffi::Object* object) { return object->use_count() > 1; }

}  // namespace tschema

#endif  // TSCHEMA_SRC_SUPPORT_RAW_VALUE_H_
