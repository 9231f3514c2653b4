/*!
 * \file stored_forms.h
 * \brief What files of older versions hold: former names of types and fields, and missing fields.
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

/*! \brief The names that fields had, and what these are called now; empty for a removed field. */
using FormerFields = ffi::Dict<ffi::String, ffi::String>;

/*! \brief What fields are in objects of files that lack them. */
using StoredValues = ffi::Dict<ffi::String, ffi::Any>;

/*!
 * \brief Let files hold objects of a type under a key that it had.
 * \return Whether no other type has claimed the key.
 */
bool AddFormerKey(int32_t type_index, const std::string& key);

/*! \brief The type that had a key, or -1; registered types come first, and are not asked here. */
int32_t FindFormerKey(std::string_view key);

/*! \brief Let files hold a field of a type under a name that it had. */
void AddFormerField(int32_t type_index, const std::string& name, const std::string& field);

/*! \brief The former names of fields that a type itself declares, not to be changed. */
FormerFields FormerFieldsOf(int32_t type_index);

/*! \brief Say what a field is in objects of files that lack it: another value than its default. */
void AddStoredValue(int32_t type_index, const std::string& field, const ffi::Any& value);

/*! \brief The values of fields that a type itself declares, not to be changed. */
StoredValues StoredValuesOf(int32_t type_index);

}  // namespace tschema

#endif  // TSCHEMA_SRC_REFLECTION_STORED_FORMS_H_
