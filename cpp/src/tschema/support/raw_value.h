/*!
 * \file raw_value.h
 * \brief FFI values in the C ABI, the contents of containers, and the owners of objects.
 */
#ifndef TSCHEMA_SRC_SUPPORT_RAW_VALUE_H_
#define TSCHEMA_SRC_SUPPORT_RAW_VALUE_H_

#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/map_base.h>
#include <tvm/ffi/container/seq_base.h>
#include <tvm/ffi/object.h>

#include <cstddef>
#include <cstdint>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief A view of an owning value. */
inline const TVMFFIAny& RawOf(const ffi::Any& value) {
  return *ffi::detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value);
}

/*! \brief Whether the object has several references, so that it may come again. */
inline bool IsShared(const ffi::Object* object) { return object->use_count() > 1; }

inline bool IsHeapBytes(int32_t type_index) {
  return type_index == kTVMFFIStr || type_index == kTVMFFIBytes;
}

/*! \brief Whether the value is an object that an engine enters; strings and bytes are not. */
inline bool IsEntered(const TVMFFIAny& value) {
  return value.type_index >= kTVMFFIStaticObjectBegin && !IsHeapBytes(value.type_index);
}

inline const ffi::Object* ObjectOf(const TVMFFIAny& value) {
  return reinterpret_cast<const ffi::Object*>(value.v_obj);
}

inline TVMFFIAny ValueOf(const ffi::Object* object) {
  TVMFFIAny value{};
  if (object == nullptr) return value;
  value.type_index = object->type_index();
  value.v_obj = reinterpret_cast<TVMFFIObject*>(const_cast<ffi::Object*>(object));
  return value;
}

/*! \name Contents of an Array or List, of a Map or Dict. */
/*! \{ */
inline size_t SizeOfSequence(const ffi::Object* object) {
  return static_cast<const ffi::SeqBaseObj*>(object)->size();
}

inline const TVMFFIAny* ElementsOf(const ffi::Object* object) {
  return reinterpret_cast<const TVMFFIAny*>(static_cast<const ffi::SeqBaseObj*>(object)->begin());
}

inline const ffi::MapBaseObj* MappingOf(const ffi::Object* object) {
  return static_cast<const ffi::MapBaseObj*>(object);
}
/*! \} */

}  // namespace tschema

#endif  // TSCHEMA_SRC_SUPPORT_RAW_VALUE_H_
