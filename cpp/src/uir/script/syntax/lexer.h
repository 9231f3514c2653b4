/*!
 * \file lexer.h
 * \brief Cuts a text into the tokens of Python, with the ends and depths of lines.
 */
#ifndef UIR_SCRIPT_SYNTAX_LEXER_H_
#define UIR_SCRIPT_SYNTAX_LEXER_H_

#include <uir/script/syntax.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "./errors.h"

namespace uir::script {

/*! \brief What a token is. */
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

/*! \brief A token; of a string the characters that it stands for. */
struct TokenInfo {
  Token kind;
  uint32_t begin;
  uint32_t end;
  std::string_view text;
};

/*! \brief Cut a text; what cannot be is in the log, and left out. */
std::vector<TokenInfo> Tokenize(std::string_view text, SyntaxArena* arena, ErrorLog* log);

}  // namespace uir::script

#endif  // UIR_SCRIPT_SYNTAX_LEXER_H_
