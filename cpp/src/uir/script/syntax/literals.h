/*!
 * \file literals.h
 * \brief Literals of Python: strings, bytes and numbers.
 */
#ifndef UIR_SCRIPT_SYNTAX_LITERALS_H_
#define UIR_SCRIPT_SYNTAX_LITERALS_H_

#include <uir/script/text.h>

#include <string>

namespace uir::script {

/*! \brief Whether a text is UTF-8. */
bool IsUTF8(Text text);

/*! \brief Append a string literal. \pre `text` is UTF-8. */
void AppendQuoted(std::string* out, Text text);

/*! \brief Append a bytes literal. */
void AppendBytes(std::string* out, Text bytes);

/*! \brief Append the shortest digits that round-trip a finite number, with a point or exponent. */
void AppendFloat(std::string* out, double value);

}  // namespace uir::script

#endif  // UIR_SCRIPT_SYNTAX_LITERALS_H_
