/*!
 * \file stored_forms.h
 * \brief The contents of files of older versions: former names of types and fields, missing fields.
 */
#ifndef TSCHEMA_SRC_REFLECTION_STORED_FORMS_H_
#define TSCHEMA_SRC_REFLECTION_STORED_FORMS_H_

#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief The former names of fields, with their present names; empty for a removed field. */
using FormerFields = ffi::Dict<ffi::String, ffi::String>;

/*! \brief The values of fields in objects of files that lack them. */
using StoredValues = ffi::Dict<ffi::String, ffi::Any>;

/*!
 * \brief Let files hold objects of a type under a former key.
 * \return Whether no other type has claimed the key.
 */
bool AddFormerKey(int32_t type_index, const std::string& key);

/*! \brief The type with a former key, or -1; look up registered types first. */
int32_t FindFormerKey(std::string_view key);

/*! \brief Let files hold a field of a type under a former name. */
void AddFormerField(int32_t type_index, const std::string& name, const std::string& field);

/*! \brief The former names of a type's own fields; do not change them. */
FormerFields FormerFieldsOf(int32_t type_index);

/*! \brief Set the value of a field in objects of files that lack it, if not its default. */
void AddStoredValue(int32_t type_index, const std::string& field, const ffi::Any& value);

/*! \brief The stored values of a type's own fields; do not change them. */
StoredValues StoredValuesOf(int32_t type_index);

}  // namespace tschema

#endif  // TSCHEMA_SRC_REFLECTION_STORED_FORMS_H_
