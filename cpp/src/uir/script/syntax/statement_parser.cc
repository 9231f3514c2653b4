// Statements, by their keywords.
#include <tschema/stack_guard.h>

#include <utility>

#include "./syntax_parser.h"

namespace uir::script {

const SyntaxNode* StatementParser::Parse() {
  Nodes statements;
  while (Now().kind != Token::kEnd && !log_->is_full()) {
    ParseStatement(&statements);
    // Skip indentation that does not belong to a statement.
    while (Now().kind == Token::kIndent || Now().kind == Token::kDedent) ++next_;
  }
  return New(Syntax::kSuite, 0, {}, statements);
}

void StatementParser::ParseStatement(Nodes* statements) {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([&] { ParseStatement(statements); });
  }
  try {
    if (const Node compound = ParseCompound()) {
      statements->push_back(compound);
      return;
    }
    do {
      if (Now().kind == Token::kNewline) break;
      if (const Node simple = ParseSimple()) statements->push_back(simple);
    } while (Take(";"));
    if (Now().kind != Token::kNewline) FailHere("expected the end of the line");
    ++next_;
  } catch (const Failure& failure) {
    log_->Add(failure);
    Recover();
  }
}

/*! \brief Go to the next line; the lines below a header that is wrong are left out. */
void StatementParser::Recover() {
  while (Now().kind != Token::kNewline && Now().kind != Token::kEnd) ++next_;
  if (Now().kind == Token::kNewline) ++next_;
  if (Now().kind != Token::kIndent) return;
  int depth = 0;
  do {
    if (Now().kind == Token::kIndent) ++depth;
    if (Now().kind == Token::kDedent) --depth;
    ++next_;
  } while (depth > 0 && Now().kind != Token::kEnd);
}

const SyntaxNode* StatementParser::ParseCompound() {
  if (Is("@") || IsWord("def") || IsWord("class")) return ParseDecorated();
  if (IsWord("for")) return ParseFor();
  if (IsWord("while")) return ParseWhile();
  if (IsWord("if")) return ParseIf();
  if (IsWord("with")) return ParseWith();
  return nullptr;
}

const SyntaxNode* StatementParser::ParseSuite() {
  Expect(":", "at the end of the header");
  const uint32_t begin = Now().begin;
  Nodes statements;
  if (Now().kind != Token::kNewline) {
    ParseStatement(&statements);
    return New(Syntax::kSuite, begin, {}, statements);
  }
  ++next_;
  if (Now().kind != Token::kIndent) FailHere("expected deeper lines below the header");
  ++next_;
  while (Now().kind != Token::kDedent && Now().kind != Token::kEnd && !log_->is_full()) {
    if (Now().kind == Token::kIndent) {
      const TokenInfo& token = Now();
      log_->Add({token.begin, token.begin + 1, "the line is deeper than the one before", ""});
      ++next_;
    }
    ParseStatement(&statements);
  }
  if (Now().kind == Token::kDedent) ++next_;
  return New(Syntax::kSuite, begin, {}, statements);
}

const SyntaxNode* StatementParser::ParseDecorated() {
  Nodes decorators;
  while (Take("@")) {
    decorators.push_back(ParseExpression());
    if (Now().kind != Token::kNewline) FailHere("expected the end of the line");
    ++next_;
  }
  if (IsWord("def")) return ParseFunction(decorators);
  if (IsWord("class")) return ParseClass(decorators);
  FailHere("expected `def` or `class` below a decorator");
}

const SyntaxNode* StatementParser::ParseFunction(const Nodes& decorators) {
  ++next_;
  const uint32_t begin = Now().begin;
  const std::string_view name = ExpectName("the function's name");
  const uint32_t end = LastEnd();
  Expect("(", "after the function's name");
  Nodes children(3);
  children[2] = New(Syntax::kSuite, begin, {}, decorators);
  // A parameter of a macro may have a default; parameters after a bare `*` are passed by name.
  ParseList(")", "or `)` after a parameter", [&] {
    const uint32_t start = Now().begin;
    const char* const stars = Is("**") ? "**" : "*";
    const Node mark = Take(stars) ? New(Syntax::kStarred, start, stars, {}) : nullptr;
    const bool is_nameless = mark != nullptr && (Is(",") || Is(")"));
    const std::string_view param = is_nameless ? "" : ExpectName("a parameter");
    const Node annotation = Take(":") ? ParseExpression() : nullptr;
    const Node otherwise = Take("=") ? ParseExpression() : nullptr;
    children.push_back(New(Syntax::kParam, start, param, {annotation, otherwise, mark}));
  });
  children[0] = Take("->") ? ParseExpression() : nullptr;
  children[1] = ParseSuite();
  return NewHeaded(Syntax::kFunction, begin, end, name, children);
}

const SyntaxNode* StatementParser::ParseClass(const Nodes& decorators) {
  ++next_;
  const uint32_t begin = Now().begin;
  const std::string_view name = ExpectName("the class's name");
  const uint32_t end = LastEnd();
  if (Take("(")) {
    TakeWord("object");
    Expect(")", "as the class has no bases");
  }
  const Node suite = ParseSuite();
  const Node marks = New(Syntax::kSuite, begin, {}, decorators);
  return NewHeaded(Syntax::kClass, begin, end, name, {suite, marks});
}

const SyntaxNode* StatementParser::ParseFor() {
  const uint32_t begin = Now().begin;
  ++next_;
  const Node target = ParseLoopVars();
  if (!TakeWord("in")) FailHere("expected `in` after the loop's variable");
  const Node iterator = ParseExpression();
  const uint32_t end = LastEnd();
  return NewHeaded(Syntax::kFor, begin, end, {}, {target, iterator, ParseSuite()});
}

/*! \brief `i`, or `i, j` of a loop over a grid, perhaps in parentheses or brackets. */
const SyntaxNode* StatementParser::ParseLoopVars() {
  const uint32_t begin = Now().begin;
  const char* close = Take("(") ? ")" : Take("[") ? "]" : nullptr;
  Nodes names;
  do {
    const bool is_end = close == nullptr ? IsWord("in") : Is(close);
    if (is_end && !names.empty()) break;
    const uint32_t start = Now().begin;
    const bool is_starred = Take("*");
    const uint32_t name_begin = Now().begin;
    const Node name = New(Syntax::kName, name_begin, ExpectName("the loop's variable"), {});
    names.push_back(is_starred ? New(Syntax::kStarred, start, {}, {name}) : name);
  } while (Take(","));
  if (close != nullptr) Expect(close, "after the loop's variables");
  return names.size() == 1 && names[0]->kind == Syntax::kName
             ? names[0]
             : New(Syntax::kTuple, begin, {}, names);
}

const SyntaxNode* StatementParser::ParseWhile() {
  const uint32_t begin = Now().begin;
  ++next_;
  const Node condition = ParseExpression();
  const uint32_t end = LastEnd();
  return NewHeaded(Syntax::kWhile, begin, end, {}, {condition, ParseSuite()});
}

const SyntaxNode* StatementParser::ParseWith() {
  // Several items are one statement in the other: they are a list first, and nested from the end.
  struct Item {
    uint32_t begin;
    uint32_t end;
    Node call;
    Node name;
  };
  std::vector<Item> items;
  do {
    const uint32_t begin = Now().begin;
    if (items.empty()) ++next_;
    const Node call = ParseExpression();
    const uint32_t end = LastEnd();
    Node name = nullptr;
    if (TakeWord("as")) {
      const uint32_t start = Now().begin;
      if (Is("[")) {
        FailHere("expected a name after `as`, found `[`",
                 "axes are statements of a block: `vi, vj = tir.axis.remap(\"SS\", [i, j])`");
      }
      const std::string_view text = ExpectName("a name after `as`");
      name = New(Syntax::kName, start, text, {});
    }
    items.push_back({begin, end, call, name});
  } while (Take(","));
  Node result = ParseSuite();
  for (size_t i = items.size(); i-- > 0;) {
    const Item& item = items[i];
    const bool is_inner = i + 1 < items.size();
    const Node suite = is_inner ? New(Syntax::kSuite, item.begin, {}, {result}) : result;
    result = NewHeaded(Syntax::kWith, item.begin, item.end, {}, {item.call, suite, item.name});
  }
  return result;
}

const SyntaxNode* StatementParser::ParseIf() {
  // Chains of `elif` may be long: they are a list first, and nested from the end.
  struct Branch {
    uint32_t begin;
    uint32_t end;
    Node condition;
    Node suite;
  };
  std::vector<Branch> branches;
  Node other = nullptr;
  do {
    const uint32_t begin = Now().begin;
    ++next_;
    const Node condition = ParseExpression();
    const uint32_t end = LastEnd();
    branches.push_back({begin, end, condition, ParseSuite()});
  } while (IsWord("elif"));
  if (TakeWord("else")) other = ParseSuite();
  for (size_t i = branches.size(); i-- > 0;) {
    const Branch& branch = branches[i];
    other = NewHeaded(Syntax::kIf, branch.begin, branch.end, {},
                      {branch.condition, branch.suite, other});
  }
  return other;
}

const SyntaxNode* StatementParser::ParseSimple() {
  const uint32_t begin = Now().begin;
  if (TakeWord("pass")) return New(Syntax::kPass, begin, {}, {});
  if (TakeWord("break")) return New(Syntax::kBreak, begin, {}, {});
  if (TakeWord("continue")) return New(Syntax::kContinue, begin, {}, {});
  if (TakeWord("return")) {
    const bool is_empty = Now().kind == Token::kNewline || Is(";");
    const Node value = is_empty ? nullptr : ParseTuple();
    return New(Syntax::kReturn, begin, {}, {value});
  }
  if (TakeWord("assert")) {
    const Node condition = ParseExpression();
    const Node message = Take(",") ? ParseExpression() : nullptr;
    return New(Syntax::kAssert, begin, {}, {condition, message});
  }
  if (IsWord("import") || IsWord("from")) {
    TakeWord("import") ? ParseImport() : ParseImportFrom();
    return nullptr;
  }
  return ParseAssignment();
}

/*! \brief `import uir.relay as R, numpy`. */
void StatementParser::ParseImport() {
  do {
    const std::string path = ParseDottedName();
    std::string name = ParseAlias("");
    // Without `as` the first package is bound, by its own name.
    if (!name.empty()) imports_.emplace_back(std::move(name), path);
  } while (Take(","));
}

/*! \brief `from uir import (relay as R, tir)`; the names of a relative import are not known. */
void StatementParser::ParseImportFrom() {
  ++next_;
  bool is_relative = false;
  while (Take(".") || Take("...")) is_relative = true;
  const std::string package = IsWord("import") ? "" : ParseDottedName();
  if (!TakeWord("import")) FailHere("expected `import`");
  if (Is("*")) FailHere("expected the names to import, as `*` is not supported");
  const bool has_parentheses = Take("(");
  do {
    if (has_parentheses && Is(")")) break;
    const std::string member(ExpectName("a name to import"));
    std::string name = ParseAlias(member);
    const bool is_known = !is_relative && package != "__future__";
    if (is_known) imports_.emplace_back(std::move(name), package + "." + member);
  } while (Take(","));
  if (has_parentheses) Expect(")", "after the imported names");
}

std::string StatementParser::ParseDottedName() {
  std::string path(ExpectName("a module"));
  while (Take(".")) path.append(".").append(ExpectName("a name after `.`"));
  return path;
}

std::string StatementParser::ParseAlias(std::string name) {
  return TakeWord("as") ? std::string(ExpectName("a name after `as`")) : name;
}

/*! \brief `[i, j]` before `=` as `i, j`. */
const SyntaxNode* StatementParser::AsTuple(const SyntaxNode* list) {
  const Nodes names(list->children, list->children + list->size);
  return New(Syntax::kTuple, list->begin, {}, names);
}

const SyntaxNode* StatementParser::ParseAssignment() {
  const uint32_t begin = Now().begin;
  Node target = ParseTuple();
  if (Take("=")) {
    const Node value = ParseTuple();
    if (target->kind == Syntax::kList) target = AsTuple(target);
    if (Is("=")) FailHere("expected one target");
    return New(Syntax::kAssign, begin, {}, {target, value});
  }
  if (Take(":")) {
    const Node annotation = ParseExpression();
    // `x: tir.int32` declares memory of a value.
    const Node value = Take("=") ? ParseExpression() : nullptr;
    return New(Syntax::kAnnotated, begin, {}, {target, annotation, value});
  }
  for (const std::string_view symbol :
       {"+=", "-=", "*=", "/=", "//=", "%=", "&=", "|=", "^=", "<<=", ">>="}) {
    if (!Is(symbol)) continue;
    ++next_;
    const Node value = ParseExpression();
    return New(Syntax::kAugmented, begin, symbol.substr(0, symbol.size() - 1), {target, value});
  }
  return New(Syntax::kExpression, begin, {}, {target});
}

}  // namespace uir::script
