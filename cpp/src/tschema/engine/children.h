/*!
 * \file children.h
 * \brief The objects that an object holds, in order: what structural engines enter.
 */
#ifndef TSCHEMA_SRC_ENGINE_CHILDREN_H_
#define TSCHEMA_SRC_ENGINE_CHILDREN_H_

#include <tschema/type_info.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/map_base.h>
#include <tvm/ffi/object.h>

#include <cstdint>

namespace tschema {

namespace ffi = ::tvm::ffi;

inline const TVMFFIAny* RawValueOf(const ffi::Any& value) {
  return reinterpret_cast<const TVMFFIAny*>(&value);
}

/*! \brief Array's and List's elements. \pre The object is one of them. */
inline TVMFFISeqCell* SequenceOf(const ffi::Object* object) {
  return reinterpret_cast<TVMFFISeqCell*>(const_cast<ffi::Object*>(object) + 1);
}

/*! \brief Map and Dict. \pre The object is one of them. */
inline ffi::MapBaseObj* MappingOf(const ffi::Object* object) {
  return static_cast<ffi::MapBaseObj*>(const_cast<ffi::Object*>(object));
}

inline bool IsSequence(int32_t type_index) {
  return type_index == kTVMFFIArray || type_index == kTVMFFIList;
}

inline bool IsMapping(int32_t type_index) {
  return type_index == kTVMFFIMap || type_index == kTVMFFIDict;
}

/*! \brief The object in a value, null if it holds none; a string counts as a plain value. */
inline const ffi::Object* ObjectIn(const TVMFFIAny& value) {
  // kTVMFFIStr and kTVMFFIBytes come right after the first object.
  bool is_object = value.type_index == kTVMFFIStaticObjectBegin || value.type_index > kTVMFFIBytes;
  return is_object ? reinterpret_cast<const ffi::Object*>(value.v_obj) : nullptr;
}

static_assert(kTVMFFIStr == kTVMFFIStaticObjectBegin + 1 && kTVMFFIBytes == kTVMFFIStr + 1);

/*!
 * \brief Call `visit` for the objects in a container of tvm-ffi until it returns false; for those
 * in the values of a map, whose keys no structural engine enters.
 * \return Whether it never did.
 */
template <typename Visit>
bool EachContent(const ffi::Object* object, Visit visit) {
  int32_t type_index = object->type_index();
  if (IsSequence(type_index)) {
    const TVMFFISeqCell* sequence = SequenceOf(object);
    auto* elements = static_cast<const TVMFFIAny*>(sequence->data);
    for (int64_t index = 0; index < sequence->size; ++index) {
      const ffi::Object* content = ObjectIn(elements[index]);
      if (content != nullptr && !visit(content)) return false;
    }
  } else if (IsMapping(type_index)) {
    for (const auto& entry : *MappingOf(object)) {
      const ffi::Object* content = ObjectIn(*RawValueOf(entry.second));
      if (content != nullptr && !visit(content)) return false;
    }
  }
  return true;
}

/*! \brief The object in a field of kind kObject or kAny, or null. */
inline const ffi::Object* ObjectIn(const ffi::Object* object, const Child& child) {
  const char* field = reinterpret_cast<const char*>(object) + child.offset;
  if (child.kind == FieldKind::kObject) return *reinterpret_cast<ffi::Object* const*>(field);
  return ObjectIn(*reinterpret_cast<const TVMFFIAny*>(field));
}

}  // namespace tschema

#endif  // TSCHEMA_SRC_ENGINE_CHILDREN_H_
