/*!
 * \file tschema/utf8.h
 * \brief Checks and makes UTF-8.
 */
#ifndef TSCHEMA_UTF8_H_
#define TSCHEMA_UTF8_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tschema {

/*! \brief Bytes of the valid sequence that a text starts with; 0 if it starts with none. */
size_t Utf8SequenceLength(std::string_view text);

/*! \brief Append a code point below 0x110000 that is not a surrogate. */
void AppendUtf8(uint32_t code_point, std::string* text);

}  // namespace tschema

#endif  // TSCHEMA_UTF8_H_
