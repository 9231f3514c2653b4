// Expressions, by precedence.
#include <tschema/stack_guard.h>

#include <optional>
#include <utility>

#include "./syntax_parser.h"

namespace uir::script {

using ir::Precedence;

bool ExpressionParser::Take(std::string_view symbol) {
  if (!Is(symbol)) return false;
  ++next_;
  return true;
}

bool ExpressionParser::TakeWord(std::string_view word) {
  if (!IsWord(word)) return false;
  ++next_;
  return true;
}

void ExpressionParser::Expect(std::string_view symbol, const char* where) {
  if (!Take(symbol)) FailHere("expected `" + std::string(symbol) + "` " + where);
}

std::string_view ExpressionParser::ExpectName(const char* what) {
  if (Now().kind != Token::kName) FailHere(std::string("expected ") + what);
  return tokens_[next_++].text;
}

void ExpressionParser::FailHere(std::string message, std::string help) const {
  const TokenInfo& token = Now();
  const bool is_word = token.kind <= Token::kSymbol && token.kind != Token::kString;
  if (token.kind == Token::kEnd) {
    message += ", found the end of the text";
  } else if (token.kind == Token::kNewline) {
    message += ", found the end of the line";
  } else if (is_word) {
    message += ", found `" + std::string(token.text) + "`";
  }
  throw Failure{token.begin, std::max(token.end, token.begin + 1), std::move(message),
                std::move(help)};
}

/*! \brief An expression, or `*values`. */
const SyntaxNode* ExpressionParser::ParseElement() {
  const uint32_t begin = Now().begin;
  if (!Take("*")) return ParseExpression();
  return New(Syntax::kStarred, begin, {}, {ParseExpression()});
}

const SyntaxNode* ExpressionParser::ParseTuple() {
  const uint32_t begin = Now().begin;
  const Node first = ParseElement();
  if (!Is(",")) return first;
  Nodes elements{first};
  while (Take(",")) {
    const bool is_end = Now().kind == Token::kNewline || Is("=") || Is(")") || Is("]");
    if (is_end) break;
    elements.push_back(ParseElement());
  }
  return New(Syntax::kTuple, begin, {}, elements);
}

const SyntaxNode* ExpressionParser::ParseExpression() {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([this] { return ParseExpression(); });
  }
  if (IsWord("lambda")) return ParseLambda();
  const uint32_t begin = Now().begin;
  const Node value = ParseBinary(Precedence::kOr);
  if (!TakeWord("if")) return value;
  const Node condition = ParseBinary(Precedence::kOr);
  if (!TakeWord("else")) FailHere("expected `else` in a conditional expression");
  const Node other = ParseExpression();
  return New(Syntax::kConditional, begin, {}, {condition, value, other});
}

ir::Precedence ExpressionParser::NowPrecedence() const {
  if (Now().kind != Token::kSymbol && Now().kind != Token::kName) return Precedence::kNone;
  if (Now().text == "@") return Precedence::kProduct;
  const std::optional<ir::ScalarOp> op = ir::FindSymbol(Now().text);
  return op ? ir::RowOf(*op).precedence : Precedence::kNone;
}

const SyntaxNode* ExpressionParser::ParseBinary(Precedence at_least) {
  const uint32_t begin = Now().begin;
  Node left = at_least <= Precedence::kNot && IsWord("not") ? ParseNot() : ParseUnary();
  Node compared = nullptr;
  for (Precedence own = NowPrecedence(); own >= at_least; own = NowPrecedence()) {
    const std::string_view symbol = tokens_[next_++].text;
    const Node right = ParseBinary(ir::Above(own));
    const bool is_comparison = own == Precedence::kCompare;
    if (is_comparison && compared != nullptr) {
      // `a < b < c` is `a < b and b < c`.
      const Node next = New(Syntax::kBinary, compared->begin, symbol, {compared, right});
      left = New(Syntax::kBinary, begin, "and", {left, next});
    } else {
      left = New(Syntax::kBinary, begin, symbol, {left, right});
    }
    compared = is_comparison ? right : nullptr;
  }
  return left;
}

// Loops parse prefixes: recursion would need a stack check for each.

const SyntaxNode* ExpressionParser::ParseNot() {
  std::vector<uint32_t> begins;
  while (IsWord("not")) begins.push_back(tokens_[next_++].begin);
  Node value = ParseBinary(Precedence::kNot);
  for (size_t i = begins.size(); i-- > 0;) value = New(Syntax::kUnary, begins[i], "not", {value});
  return value;
}

const SyntaxNode* ExpressionParser::ParseUnary() {
  const size_t first = next_;
  while (Is("-") || Is("+") || Is("~")) ++next_;
  const size_t end = next_;
  Node value = ParsePrimary();
  for (size_t i = end; i-- > first;) {
    value = New(Syntax::kUnary, tokens_[i].begin, tokens_[i].text, {value});
  }
  return value;
}

const SyntaxNode* ExpressionParser::ParsePrimary() {
  const uint32_t begin = Now().begin;
  Node value = ParseAtom();
  while (true) {
    if (Take(".")) {
      const std::string_view name = ExpectName("a name after `.`");
      value = New(Syntax::kAttribute, begin, name, {value});
    } else if (Take("(")) {
      value = ParseCall(value);
    } else if (Take("[")) {
      value = ParseSubscript(value);
    } else {
      return Is("**") ? ParsePower(value) : value;
    }
  }
}

const SyntaxNode* ExpressionParser::ParsePower(const SyntaxNode* base) {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([&] { return ParsePower(base); });
  }
  Expect("**", "after the base");
  const Node exponent = ParseUnary();
  return New(Syntax::kBinary, base->begin, "**", {base, exponent});
}

const SyntaxNode* ExpressionParser::ParseAtom() {
  const TokenInfo& token = Now();
  switch (token.kind) {
    case Token::kName:
      return ParseWord();
    case Token::kInt:
    case Token::kFloat: {
      ++next_;
      const Syntax kind = token.kind == Token::kInt ? Syntax::kInt : Syntax::kFloat;
      return New(kind, token.begin, token.text, {});
    }
    case Token::kString:
    case Token::kBytes:
      return ParseString();
    default:
      break;
  }
  if (Take("(")) return ParseParenthesized();
  if (Take("[")) return ParseBrackets();
  if (Take("{")) return ParseDict();
  FailHere("expected an expression");
}

const SyntaxNode* ExpressionParser::ParseWord() {
  const TokenInfo& token = Now();
  static constexpr std::string_view kWords[] = {
      "and",    "or",   "in",     "is",    "if",    "else",    "elif",   "for",
      "while",  "with", "def",    "class", "as",    "return",  "assert", "pass",
      "import", "from", "lambda", "not",   "break", "continue"};
  static constexpr std::string_view kNotSupported[] = {
      "async", "await", "del", "except", "finally", "global", "nonlocal", "raise", "try", "yield"};
  for (const std::string_view word : kNotSupported) {
    if (token.text == word) {
      throw Failure{token.begin, token.end, "`" + std::string(word) + "` is not supported", ""};
    }
  }
  for (const std::string_view word : kWords) {
    if (token.text == word) FailHere("expected an expression");
  }
  ++next_;
  if (Now().kind == Token::kString && Now().begin == token.end) {
    if (token.text == "f") {
      const std::string_view text = tokens_[next_++].text;
      return New(Syntax::kFormatted, token.begin, text, {});
    }
    throw Failure{token.begin, Now().end,
                  "a string with the prefix `" + std::string(token.text) + "` is not supported",
                  ""};
  }
  const Syntax kind = token.text == "True"    ? Syntax::kTrue
                      : token.text == "False" ? Syntax::kFalse
                      : token.text == "None"  ? Syntax::kNone
                                              : Syntax::kName;
  return New(kind, token.begin, token.text, {});
}

const SyntaxNode* ExpressionParser::ParseString() {
  const TokenInfo& first = Now();
  ++next_;
  std::string_view text = first.text;
  if (Now().kind == first.kind) {
    std::string joined(text);
    for (; Now().kind == first.kind; ++next_) joined += Now().text;
    text = arena_->Keep(joined);
  }
  const Syntax kind = first.kind == Token::kString ? Syntax::kString : Syntax::kBytes;
  return New(kind, first.begin, text, {});
}

const SyntaxNode* ExpressionParser::ParseLambda() {
  const uint32_t begin = Now().begin;
  ++next_;
  Nodes children;
  while (!Is(":")) {
    const uint32_t start = Now().begin;
    const std::string_view name = ExpectName("a parameter of the lambda");
    children.push_back(New(Syntax::kName, start, name, {}));
    if (!Take(",")) break;
  }
  Expect(":", "after the parameters of a lambda");
  children.push_back(ParseExpression());
  return New(Syntax::kLambda, begin, {}, children);
}

void ExpressionParser::RefuseComprehension(uint32_t begin, const char* what) const {
  if (!IsWord("for") && !IsWord("async")) return;
  throw Failure{begin, Now().end, std::string(what) + " is not supported",
                "the text is read, and never run: write each element"};
}

const SyntaxNode* ExpressionParser::ParseCall(Node callee) {
  Nodes children{callee};
  ParseList(")", "or `)` after an argument", [&] { children.push_back(ParseArgument()); });
  return New(Syntax::kCall, callee->begin, {}, children);
}

const SyntaxNode* ExpressionParser::ParseArgument() {
  const uint32_t begin = Now().begin;
  const Node value = ParseElement();
  RefuseComprehension(begin, "a generator expression");
  if (value->kind != Syntax::kName || !Take("=")) return value;
  const Node named = ParseExpression();
  return New(Syntax::kKeyword, begin, value->text, {named});
}

const SyntaxNode* ExpressionParser::ParseSubscript(Node value) {
  Nodes children{value};
  ParseList("]", "or `]` after an index", [&] { children.push_back(ParseIndex()); });
  return New(Syntax::kSubscript, value->begin, {}, children);
}

const SyntaxNode* ExpressionParser::ParseIndex() {
  const uint32_t begin = Now().begin;
  const Node first = Is(":") ? nullptr : ParseElement();
  if (!Take(":")) return first;
  const bool is_open = Is(",") || Is("]") || Is(":");
  const Node last = is_open ? nullptr : ParseExpression();
  const bool has_step = Take(":") && !Is(",") && !Is("]");
  const Node step = has_step ? ParseExpression() : nullptr;
  return New(Syntax::kSlice, begin, {}, {first, last, step});
}

const SyntaxNode* ExpressionParser::ParseParenthesized() {
  const uint32_t begin = tokens_[next_ - 1].begin;
  if (Take(")")) return New(Syntax::kTuple, begin, {}, {});
  const Node value = ParseTuple();
  RefuseComprehension(begin, "a generator expression");
  Expect(")", "to close `(`");
  return value;
}

const SyntaxNode* ExpressionParser::ParseBrackets() {
  const uint32_t begin = tokens_[next_ - 1].begin;
  Nodes children;
  ParseList("]", "or `]` after an element", [&] {
    children.push_back(ParseElement());
    RefuseComprehension(begin, "a list comprehension");
  });
  return New(Syntax::kList, begin, {}, children);
}

const SyntaxNode* ExpressionParser::ParseDict() {
  const uint32_t begin = tokens_[next_ - 1].begin;
  Nodes children;
  ParseList("}", "or `}` after a value", [&] {
    children.push_back(ParseExpression());
    RefuseComprehension(begin, "a set comprehension");
    if (Is(",") || Is("}")) throw Failure{begin, Now().end, "a set is not supported", ""};
    Expect(":", "after a key");
    children.push_back(ParseExpression());
    RefuseComprehension(begin, "a dictionary comprehension");
  });
  return New(Syntax::kDict, begin, {}, children);
}

}  // namespace uir::script
