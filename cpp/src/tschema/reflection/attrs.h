/*!
 * \file attrs.h
 * \brief Attributes of types in tvm-ffi's table, under the names that this library gives them.
 */
#ifndef TSCHEMA_SRC_REFLECTION_ATTRS_H_
#define TSCHEMA_SRC_REFLECTION_ATTRS_H_

#include <tvm/ffi/any.h>

#include <cstdint>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief tvm-ffi's: the function that makes an empty object, of types without a creator too. */
inline constexpr const char* kNewAttr = "__ffi_new__";
/*! \brief The digest of layout, flags, kind and slots. */
inline constexpr const char* kDigestAttr = "__tschema_digest__";
/*! \brief The number of type indices after the type's own that belong to its children. */
inline constexpr const char* kChildSlotsAttr = "__tschema_child_slots__";
/*! \brief The library that registered the type. */
inline constexpr const char* kOwnerAttr = "__tschema_owner__";
/*! \brief True if the object runtime registered the type, from the JSON IR. */
inline constexpr const char* kDynamicAttr = "__tschema_dynamic__";
/*! \brief Address of the type's `TypeHooks`. */
inline constexpr const char* kHooksAttr = "__tschema_hooks__";

/*! \brief Address of the type's constructor: `Type::constructor`. */
inline constexpr const char* kConstructorAttr = "__tschema_constructor__";
/*! \brief Address of the function that makes an empty object: `TypeInfo::create`. */
inline constexpr const char* kCreateAttr = "__tschema_create__";
/*! \brief Address of the function that copies an object of the type: `Type::copy`. */
inline constexpr const char* kCopyAttr = "__tschema_copy__";

/*! \brief The form in script, as declared. */
inline constexpr const char* kScriptAttr = "__tschema_script__";

/*! \brief Former names of the type's own fields: `FormerFields`. */
inline constexpr const char* kFormerFieldsAttr = "__tschema_former_fields__";
/*! \brief The values of the type's own fields in files that lack them: `StoredValues`. */
inline constexpr const char* kStoredValuesAttr = "__tschema_stored_values__";

/*! \brief True if there is one object of the type for each name. */
inline constexpr const char* kInternedAttr = "__tschema_interned__";

/*! \brief The attribute of a type, None if it has none; parents are not asked. */
ffi::Any GetTypeAttr(int32_t type_index, const char* name);
void SetTypeAttr(int32_t type_index, const char* name, const ffi::Any& value);

/*! \brief Whether objects of the type are known by their names, and never copied. */
bool IsInterned(int32_t type_index);

}  // namespace tschema

#endif  // TSCHEMA_SRC_REFLECTION_ATTRS_H_
