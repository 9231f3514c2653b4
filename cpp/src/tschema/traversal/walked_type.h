/*!
 * \file walked_type.h
 * \brief The fields of a type that visitors and mutators enter, and the identity of its objects.
 */
#ifndef TSCHEMA_SRC_TRAVERSAL_WALKED_TYPE_H_
#define TSCHEMA_SRC_TRAVERSAL_WALKED_TYPE_H_

#include <tschema/type_info.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/object.h>

#include <vector>

#include "../reflection/children.h"

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

/*! \brief A pointer to an object in memory, as a reference. */
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
