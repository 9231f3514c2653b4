/*!
 * \file walked_type.h
 * \brief What visitors and mutators enter of a type, and how they tell values apart.
 */
#ifndef TSCHEMA_SRC_TRAVERSAL_WALKED_TYPE_H_
#define TSCHEMA_SRC_TRAVERSAL_WALKED_TYPE_H_

#include <tschema/type_info.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/map_base.h>
#include <tvm/ffi/container/seq_base.h>
#include <tvm/ffi/object.h>

#include <vector>

namespace tschema {

namespace detail {

struct WalkedField {
  const FieldInfo* field;
  /*! \brief Whether the field binds the variables in it. */
  bool binds;
  /*! \brief Whether the family knows the type that has the field. */
  bool is_known;
};

struct WalkedType {
  const TypeInfo* info;
  std::vector<WalkedField> fields;
};

}  // namespace detail

inline bool IsSequence(const ffi::Object* object) {
  return object->type_index() == kTVMFFIArray || object->type_index() == kTVMFFIList;
}

inline bool IsMap(const ffi::Object* object) {
  return object->type_index() == kTVMFFIMap || object->type_index() == kTVMFFIDict;
}

/*! \brief The elements of a sequence, which another one may replace when it grows. */
inline TVMFFIAny* ElementsOf(const ffi::Object* sequence) {
  return static_cast<TVMFFIAny*>(reinterpret_cast<const TVMFFISeqCell*>(sequence + 1)->data);
}

inline int64_t SizeOf(const ffi::Object* sequence) {
  return reinterpret_cast<const TVMFFISeqCell*>(sequence + 1)->size;
}

/*! \brief Whether the value is an object other than a string. */
inline bool IsNode(const TVMFFIAny& value) {
  return value.type_index >= kTVMFFIStaticObjectBegin && value.type_index != kTVMFFIStr &&
         value.type_index != kTVMFFIBytes;
}

/*! \brief The pointer to an object, where it lies, as the reference that it is. */
inline const ffi::ObjectRef& AsRef(TVMFFIObject* const* pointer) {
  return *reinterpret_cast<const ffi::ObjectRef*>(pointer);
}

/*! \brief Whether objects of a type have identity: two with equal fields are different. */
inline bool StandsForItself(const TypeInfo& info) {
  return info.structural_kind == kTVMFFISEqHashKindFreeVar ||
         info.structural_kind == kTVMFFISEqHashKindUniqueInstance;
}

}  // namespace tschema

#endif  // TSCHEMA_SRC_TRAVERSAL_WALKED_TYPE_H_
