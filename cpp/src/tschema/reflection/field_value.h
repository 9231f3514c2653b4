/*!
 * \file field_value.h
 * \brief Fields as FFI values that are not owned, and what plain values hold.
 */
#ifndef TSCHEMA_SRC_REFLECTION_FIELD_VALUE_H_
#define TSCHEMA_SRC_REFLECTION_FIELD_VALUE_H_

#include <tschema/type_info.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <string_view>

#include "../support/raw_value.h"

namespace tschema {

inline bool IsString(int32_t type_index) {
  return type_index == kTVMFFIStr || type_index == kTVMFFISmallStr;
}

inline bool IsBytes(int32_t type_index) {
  return type_index == kTVMFFIBytes || type_index == kTVMFFISmallBytes;
}

/*! \brief Whether a value is known by its content only, and leads nowhere. */
inline bool IsLeaf(const TVMFFIAny& value) {
  switch (value.type_index) {
    case kTVMFFINone:
    case kTVMFFIInt:
    case kTVMFFIBool:
    case kTVMFFIFloat:
    case kTVMFFIDataType:
    case kTVMFFIDevice:
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
    case kTVMFFIStr:
    case kTVMFFIBytes:
      return true;
    default:
      return false;
  }
}

/*! \brief The text of a String, or the content of Bytes; valid while the value stays in place. */
inline std::string_view TextOf(const TVMFFIAny& value) {
  if (value.type_index < kTVMFFIStaticObjectBegin) return {value.v_bytes, value.small_str_len};
  const TVMFFIByteArray* bytes = TVMFFIBytesGetByteArrayPtr(value.v_obj);
  return {bytes->data, bytes->size};
}

/*! \brief A plain field as an integer. */
inline int64_t ReadInteger(const FieldInfo& field, const ffi::Object* object) {
  switch (field.kind) {
    case FieldKind::kBool:
      return field.Get<bool>(object);
    case FieldKind::kInt8:
      return field.Get<int8_t>(object);
    case FieldKind::kInt16:
      return field.Get<int16_t>(object);
    case FieldKind::kInt32:
    case FieldKind::kEnum:
      return field.Get<int32_t>(object);
    case FieldKind::kUInt8:
      return field.Get<uint8_t>(object);
    case FieldKind::kUInt16:
      return field.Get<uint16_t>(object);
    case FieldKind::kUInt32:
      return field.Get<uint32_t>(object);
    default:
      return field.Get<int64_t>(object);
  }
}

inline double ReadFloat(const FieldInfo& field, const ffi::Object* object) {
  if (field.kind == FieldKind::kFloat32) return field.Get<float>(object);
  return field.Get<double>(object);
}

/*! \brief Any field as a value that is not owned. \pre The field is not foreign. */
inline TVMFFIAny ReadField(const FieldInfo& field, const ffi::Object* object) {
  TVMFFIAny value{};
  switch (field.kind) {
    case FieldKind::kString:
    case FieldKind::kBytes:
    case FieldKind::kAny:
      return field.Get<TVMFFIAny>(object);
    case FieldKind::kObject:
      value.v_obj = field.Get<TVMFFIObject*>(object);
      value.type_index = value.v_obj == nullptr ? kTVMFFINone : value.v_obj->type_index;
      return value;
    case FieldKind::kDataType:
      value.type_index = kTVMFFIDataType;
      value.v_dtype = field.Get<DLDataType>(object);
      return value;
    case FieldKind::kDevice:
      value.type_index = kTVMFFIDevice;
      value.v_device = field.Get<DLDevice>(object);
      return value;
    case FieldKind::kFloat32:
    case FieldKind::kFloat64:
      value.type_index = kTVMFFIFloat;
      value.v_float64 = ReadFloat(field, object);
      return value;
    default:
      value.type_index = field.kind == FieldKind::kBool ? kTVMFFIBool : kTVMFFIInt;
      value.v_int64 = ReadInteger(field, object);
      return value;
  }
}

}  // namespace tschema

#endif  // TSCHEMA_SRC_REFLECTION_FIELD_VALUE_H_
