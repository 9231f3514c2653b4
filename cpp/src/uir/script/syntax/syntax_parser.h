/*!
 * \file syntax_parser.h
 * \brief Parses tokens into a tree: statements by their keywords, expressions by precedence.
 */
#ifndef UIR_SCRIPT_SYNTAX_SYNTAX_PARSER_H_
#define UIR_SCRIPT_SYNTAX_SYNTAX_PARSER_H_

#include <uir/ir/scalar_op.h>
#include <uir/script/syntax.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "./errors.h"
#include "./lexer.h"

namespace uir::script {

/*! \brief Reads expressions. */
class ExpressionParser {
 public:
  ExpressionParser(std::vector<TokenInfo> tokens, SyntaxArena* arena)
      : tokens_(std::move(tokens)), arena_(arena) {}

 protected:
  using Node = const SyntaxNode*;
  using Nodes = std::vector<Node>;

  /*! \brief An expression, or a tuple without parentheses. */
  Node ParseTuple();
  Node ParseExpression();

  const TokenInfo& Now() const { return tokens_[next_]; }
  bool Is(std::string_view symbol) const {
    return Now().kind == Token::kSymbol && Now().text[0] == symbol[0] && Now().text == symbol;
  }
  bool IsWord(std::string_view word) const {
    return Now().kind == Token::kName && Now().text == word;
  }
  bool Take(std::string_view symbol);
  bool TakeWord(std::string_view word);
  void Expect(std::string_view symbol, const char* where);
  std::string_view ExpectName(const char* what);
  /*! \brief Parse elements with commas between them, up to a closing symbol. */
  template <typename ParseElement>
  void ParseList(std::string_view close, const char* where, ParseElement parse_element) {
    while (!Take(close)) {
      parse_element();
      if (Take(close)) return;
      Expect(",", where);
    }
  }
  [[noreturn]] void FailHere(std::string message, std::string help = "") const;
  uint32_t LastEnd() const { return next_ == 0 ? 0 : tokens_[next_ - 1].end; }
  SyntaxNode* New(Syntax kind, uint32_t begin, std::string_view text, const Nodes& children) {
    return arena_->New(kind, begin, LastEnd(), text, children);
  }

  std::vector<TokenInfo> tokens_;
  SyntaxArena* arena_;
  size_t next_ = 0;

 private:
  /*! \brief The precedence of the infix operator that comes now; `kNone` for another token. */
  ir::Precedence NowPrecedence() const;
  Node ParseBinary(ir::Precedence at_least);
  Node ParseNot();
  Node ParseUnary();
  Node ParsePrimary();
  Node ParsePower(Node base);
  Node ParseElement();
  Node ParseAtom();
  Node ParseWord();
  Node ParseString();
  Node ParseLambda();
  /*! \brief Fail if a comprehension's `for` follows the first element of a sequence. */
  void RefuseComprehension(uint32_t begin, const char* what) const;
  Node ParseCall(Node callee);
  Node ParseArgument();
  Node ParseSubscript(Node value);
  Node ParseIndex();
  Node ParseParenthesized();
  Node ParseBrackets();
  Node ParseDict();
};

/*! \brief Parses statements; after an error it continues with the next line. */
class StatementParser : public ExpressionParser {
 public:
  StatementParser(std::vector<TokenInfo> tokens, SyntaxArena* arena, ErrorLog* log)
      : ExpressionParser(std::move(tokens), arena), log_(log) {}

  /*! \brief All statements of the text. */
  Node Parse();
  /*! \brief The names that imports bind, and their modules: `T` and `uir.tir`. */
  const std::vector<std::pair<std::string, std::string>>& imports() const { return imports_; }

 private:
  void ParseStatement(Nodes* statements);
  void Recover();
  Node ParseCompound();
  Node ParseSimple();
  void ParseImport();
  void ParseImportFrom();
  std::string ParseDottedName();
  /*! \brief The name after `as`, or else the given one. */
  std::string ParseAlias(std::string name);
  Node ParseSuite();
  Node ParseDecorated();
  Node ParseFunction(const Nodes& decorators);
  Node ParseClass(const Nodes& decorators);
  Node ParseFor();
  Node ParseIf();
  Node ParseLoopVars();
  Node ParseWhile();
  Node ParseWith();
  Node AsTuple(Node list);
  Node ParseAssignment();

  /*! \brief A node whose place in the text ends with its header, not with its suite. */
  Node NewHeaded(Syntax kind, uint32_t begin, uint32_t end, std::string_view text,
                 const Nodes& children) {
    return arena_->New(kind, begin, end, text, children);
  }

  ErrorLog* log_;
  std::vector<std::pair<std::string, std::string>> imports_;
};

}  // namespace uir::script

#endif  // UIR_SCRIPT_SYNTAX_SYNTAX_PARSER_H_
