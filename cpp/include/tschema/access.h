/*!
 * \file tschema/access.h
 * \brief Getters and setters of fields, instantiated once per C++ type and never per field.
 */
#ifndef TSCHEMA_ACCESS_H_
#define TSCHEMA_ACCESS_H_

#include <tschema/convert.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/function.h>

#include <cstdint>
#include <type_traits>

namespace tschema {

/*! \brief How to read and write a field of one C++ type. */
struct Access {
  /*! \brief Reads the field into an owned FFI value. */
  TVMFFIFieldGetter getter;
  /*! \brief Writes the field from an FFI value; checks type and range. */
  TVMFFIFieldSetter setter;
  /*! \brief The field's static type for tvm-ffi's serializer. */
  int32_t static_type_index;
  /*! \brief Bytes. */
  int32_t size;
  /*! \brief Bytes. */
  int32_t alignment;
};

namespace detail {

/*!
 * \brief Whether a field is that of a null object: a wrapper in Python of which no constructor ran.
 */
inline bool IsOfNull(const void* field) {
  constexpr uintptr_t kFirstPage = 4096;
  return reinterpret_cast<uintptr_t>(field) < kFirstPage;
}

/*! \brief Make the access of a null object's field a TypeError. \return Not 0. */
[[gnu::cold]] int RefuseNull();

/*! \brief Read a field that is one nullable object pointer. */
int GetObjectField(void* field, TVMFFIAny* result);
/*! \brief Read a field that is laid out as an FFI value. */
int GetAnyField(void* field, TVMFFIAny* result);

template <typename T>
int GetPlainField(void* field, TVMFFIAny* result) {
  if (__builtin_expect(IsOfNull(field), 0)) return RefuseNull();
  *result = ffi::AnyView(*static_cast<const T*>(field)).CopyToTVMFFIAny();
  return 0;
}

template <typename T>
constexpr TVMFFIFieldGetter SelectGetter() {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, DLDataType> ||
                std::is_same_v<T, DLDevice> || kIsStdOptional<T>) {
    return &GetPlainField<T>;
  } else if constexpr (sizeof(T) == sizeof(void*)) {
    return &GetObjectField;
  } else {
    static_assert(sizeof(T) == sizeof(TVMFFIAny));
    return &GetAnyField;
  }
}

template <typename T>
int SetField(void* field, const TVMFFIAny* value) {
  if (__builtin_expect(IsOfNull(field), 0)) return RefuseNull();
  TVM_FFI_SAFE_CALL_BEGIN();
  static constexpr Slot kSlot = {nullptr, nullptr, nullptr};
  *static_cast<T*>(field) = Convert<T>(ffi::AnyView::CopyFromTVMFFIAny(*value), kSlot);
  TVM_FFI_SAFE_CALL_END();
}

}  // namespace detail

/*! \brief The accessors of fields of type `T`. */
template <typename T>
inline constexpr Access kAccess = {
    detail::SelectGetter<T>(), &detail::SetField<T>, ffi::TypeToFieldStaticTypeIndex<T>::value,
    static_cast<int32_t>(sizeof(T)), static_cast<int32_t>(alignof(T))};

}  // namespace tschema

#endif  // TSCHEMA_ACCESS_H_
