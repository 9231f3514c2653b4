/*!
 * \file uir/ir/source_line.h
 * \brief A line of a source as messages show it: its number, its text, and carets below.
 */
#ifndef UIR_IR_SOURCE_LINE_H_
#define UIR_IR_SOURCE_LINE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace uir::ir {

/*! \brief The number of characters in UTF-8 text. */
size_t CountCharacters(std::string_view text);

/*!
 * \brief A line with some of its characters underlined; without a final newline.
 *
 * \code
 *     41 | x = y + z
 *        |     ^
 * \endcode
 *
 * A line of more than 200 characters is cut to the part around the carets.
 *
 * \param number The number of the line, 1-based.
 * \param line The line, without its end.
 * \param column The number of characters before the underlined ones.
 * \param width The number of underlined characters, at least one and at most up to the end of the
 * line; 0 for a line without carets.
 */
std::string UnderlinedLine(int64_t number, std::string_view line, size_t column, size_t width);

}  // namespace uir::ir

#endif  // UIR_IR_SOURCE_LINE_H_
