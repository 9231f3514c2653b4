/*!
 * \file lexer.h
 * \brief The lexer of Python tokens, with line ends and indentation.
 */
#ifndef UIR_SCRIPT_SYNTAX_LEXER_H_
#define UIR_SCRIPT_SYNTAX_LEXER_H_

#include <uir/script/syntax.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "./errors.h"

namespace uir::script {

/*! \brief The kind of a token. */
enum class Token : uint8_t {
  kName,
  kInt,
  kFloat,
  kString,
  kBytes,
  /*! \brief An operator, or a bracket. */
  kSymbol,
  kNewline,
  kIndent,
  kDedent,
  kEnd,
};

/*! \brief A token; the text of a string is its decoded characters. */
struct TokenInfo {
  Token kind;
  uint32_t begin;
  uint32_t end;
  std::string_view text;
};

/*! \brief Split a text into tokens; leave out invalid characters, with an error in the log. */
std::vector<TokenInfo> Tokenize(std::string_view text, SyntaxArena* arena, ErrorLog* log);

}  // namespace uir::script

#endif  // UIR_SCRIPT_SYNTAX_LEXER_H_
