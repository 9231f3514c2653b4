/*!
 * \file field_value.h
 * \brief Fields as FFI values that are not owned, and what plain values hold.
 */
#ifndef TSCHEMA_SRC_REFLECTION_FIELD_VALUE_H_
#define TSCHEMA_SRC_REFLECTION_FIELD_VALUE_H_

#include <tschema/tvm_ffi_compat.h>
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

/*! \brief Whether the field is a number, a data type or a device. */
inline bool IsPlain(FieldKind kind) { return kind <= FieldKind::kDevice; }

/*! \brief Call `visit` with a pointer, to a field of an integer, whose type is the field's. */
template <typename Object, typename Visit>
inline auto VisitInteger(const FieldInfo& field, Object* object, Visit visit) {
  switch (field.kind) {
    case FieldKind::kBool:
      return visit(&field.Get<bool>(object));
    case FieldKind::kInt8:
      return visit(&field.Get<int8_t>(object));
    case FieldKind::kInt16:
      return visit(&field.Get<int16_t>(object));
    case FieldKind::kInt32:
    case FieldKind::kEnum:
      return visit(&field.Get<int32_t>(object));
    case FieldKind::kUInt8:
      return visit(&field.Get<uint8_t>(object));
    case FieldKind::kUInt16:
      return visit(&field.Get<uint16_t>(object));
    case FieldKind::kUInt32:
      return visit(&field.Get<uint32_t>(object));
    case FieldKind::kUInt64:
      return visit(&field.Get<uint64_t>(object));
    default:
      return visit(&field.Get<int64_t>(object));
  }
}

/*! \brief A plain field as an integer. */
inline int64_t ReadInteger(const FieldInfo& field, const ffi::Object* object) {
  return VisitInteger(field, static_cast<const void*>(object),
                      [](const auto* value) { return static_cast<int64_t>(*value); });
}

/*! \brief The region that a field opens. */
inline TVMFFIDefRegionKind RegionOf(const FieldInfo& field) {
  if (field.binds) return kTVMFFIDefRegionKindSimple;
  return field.binds_pattern ? kTVMFFIDefRegionKindPattern : kTVMFFIDefRegionKindNone;
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
