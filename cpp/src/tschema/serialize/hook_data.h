/*!
 * \file hook_data.h
 * \brief Data of objects that are not written field by field, as JSON text.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_HOOK_DATA_H_
#define TSCHEMA_SRC_SERIALIZE_HOOK_DATA_H_

#include <tvm/ffi/any.h>

#include <string>
#include <string_view>

#include "./type_codec.h"

namespace tschema {

/*! \brief The data of an object. \pre The codec's form is one of a hook or an enum. */
std::string HookData(const TypeCodec& codec, const ffi::Object* object);

/*!
 * \brief The object that data represent.
 * \param text One JSON value, not nested deeply.
 * \throws TypeError, ValueError if the type does not know such data.
 */
ffi::Any FromHookData(const TypeCodec& codec, std::string_view text);

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_HOOK_DATA_H_
