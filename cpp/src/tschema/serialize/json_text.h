/*!
 * \file json_text.h
 * \brief Strings, numbers and bytes as JSON spells them.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_JSON_TEXT_H_
#define TSCHEMA_SRC_SERIALIZE_JSON_TEXT_H_

#include <string>
#include <string_view>

#include "./output.h"

namespace tschema {

/*!
 * \brief Append a string between quotes.
 * \return Whether it is UTF-8; if not, it has been appended in part.
 */
bool AppendJSONString(std::string_view text, Output* output);

/*!
 * \brief Put the shortest number that reads back as the same one.
 * \note A whole one ends in `.0`; `NaN` and `Infinity` are spelled as tvm-ffi and Python do.
 */
void PutJSONFloat(double value, Output* output);

/*! \brief Bytes in base 64, padded. */
std::string EncodeBase64(std::string_view bytes);

/*! \brief Decode a text in base 64. \return False if it is not one. */
bool DecodeBase64(std::string_view text, ffi::Bytes* bytes);

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_JSON_TEXT_H_
