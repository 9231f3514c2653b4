/*!
 * \file children.h
 * \brief The objects that an object holds, in order: what structural engines enter.
 */
#ifndef TSCHEMA_SRC_REFLECTION_CHILDREN_H_
#define TSCHEMA_SRC_REFLECTION_CHILDREN_H_

#include <tschema/type_info.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/map_base.h>
#include <tvm/ffi/object.h>

#include <cstddef>
#include <cstdint>

#include "../support/raw_value.h"

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief To write an Array or List. \pre It has one reference. */
inline ffi::Any* MutableElementsOf(ffi::Object* object) {
  return reinterpret_cast<ffi::Any*>(const_cast<TVMFFIAny*>(ElementsOf(object)));
}

/*! \brief To write a Map's or Dict's values. \pre It has one reference. */
inline ffi::MapBaseObj* MutableMappingOf(ffi::Object* object) {
  return static_cast<ffi::MapBaseObj*>(object);
}

inline bool IsSequence(int32_t type_index) {
  return type_index == kTVMFFIArray || type_index == kTVMFFIList;
}

inline bool IsMapping(int32_t type_index) {
  return type_index == kTVMFFIMap || type_index == kTVMFFIDict;
}

/*! \brief The object in a value, null if it holds none; a string counts as a plain value. */
inline const ffi::Object* ObjectIn(const TVMFFIAny& value) {
  return IsEntered(value) ? ObjectOf(value) : nullptr;
}

/*!
 * \brief Call `visit` for the objects in a container of tvm-ffi until it returns false; for those
 * in the values of a map, whose keys no structural engine enters.
 * \return Whether it never did.
 */
template <typename Visit>
bool EachContent(const ffi::Object* object, Visit visit) {
  int32_t type_index = object->type_index();
  if (IsSequence(type_index)) {
    const TVMFFIAny* elements = ElementsOf(object);
    size_t size = SizeOfSequence(object);
    for (size_t index = 0; index < size; ++index) {
      const ffi::Object* content = ObjectIn(elements[index]);
      if (content != nullptr && !visit(content)) return false;
    }
  } else if (IsMapping(type_index)) {
    for (const auto& entry : *MappingOf(object)) {
      const ffi::Object* content = ObjectIn(RawOf(entry.second));
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

/*! \brief Fetch a node's second child while the first is dealt with. \pre It has a child. */
inline void PrefetchSecondChild(const ffi::Object* object, const TypeInfo& info) {
  const Child& child = info.children[info.children.size() > 1 ? 1 : 0];
  const char* field = reinterpret_cast<const char*>(object) + child.offset;
  __builtin_prefetch(*reinterpret_cast<const void* const*>(field));
}

}  // namespace tschema

#endif  // TSCHEMA_SRC_REFLECTION_CHILDREN_H_
