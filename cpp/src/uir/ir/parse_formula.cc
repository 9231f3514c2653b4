// The parser of formulas: precedence climbing over Python's operators.
#include <tvm/ffi/error.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <utility>

#include "./formula.h"

namespace uir::ir {

namespace {

bool IsWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class FormulaParser {
 public:
  FormulaParser(std::string_view text, std::vector<std::string>* names)
      : text_(text), names_(names) {}

  Formula Run() {
    Formula formula = Conditional();
    SkipSpace();
    if (at_ != text_.size()) Fail();
    return formula;
  }

 private:
  [[noreturn]] void Fail() const {
    TVM_FFI_THROW(ValueError) << "`" << text_ << "` is not a formula: unexpected text at column "
                              << at_ + 1;
    TVM_FFI_UNREACHABLE();
  }

  void SkipSpace() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  bool StartsWith(std::string_view token) {
    SkipSpace();
    if (text_.substr(at_, token.size()) != token) return false;
    const size_t end = at_ + token.size();
    return !IsWordStart(token[0]) || end == text_.size() || !IsWord(text_[end]);
  }

  bool Take(std::string_view token) {
    if (!StartsWith(token)) return false;
    at_ += token.size();
    return true;
  }

  void Expect(std::string_view token) {
    if (!Take(token)) Fail();
  }

  Formula Conditional() {
    Formula value = Binary(Precedence::kOr);
    if (!Take("if")) return value;
    Formula condition = Binary(Precedence::kOr);
    Expect("else");
    Formula other = Conditional();
    Formula formula;
    formula.kind = FormulaKind::kConditional;
    formula.parts = {std::move(value), std::move(condition), std::move(other)};
    return formula;
  }

  const ScalarOpRow* NextOperator() {
    SkipSpace();
    const ScalarOpRow* row = FindPrefix(text_.substr(at_));
    return row != nullptr && StartsWith(row->symbol) ? row : nullptr;
  }

  Formula Binary(Precedence least) {
    Formula left = least <= Precedence::kNot && Take("not")
                       ? Operation(FormulaKind::kUnary, ScalarOp::kNot, Binary(Precedence::kNot))
                       : Unary();
    for (;;) {
      const ScalarOpRow* row = NextOperator();
      if (row == nullptr || row->precedence < least) return left;
      at_ += row->symbol.size();
      Formula right = Binary(Above(row->precedence));
      const bool is_swapped = row->op == ScalarOp::kGT || row->op == ScalarOp::kGE;
      if (is_swapped) std::swap(left, right);
      const ScalarOp op = !is_swapped                ? row->op
                          : row->op == ScalarOp::kGT ? ScalarOp::kLT
                                                     : ScalarOp::kLE;
      left = Operation(FormulaKind::kBinary, op, std::move(left));
      left.parts.push_back(std::move(right));
      // Their operands need not be integers, so that every domain has functions of its own.
      if (op != ScalarOp::kDiv && op != ScalarOp::kPower) continue;
      left.kind = FormulaKind::kCall;
      left.name = row->tensor_op;
    }
  }

  static Formula Operation(FormulaKind kind, ScalarOp op, Formula first) {
    Formula formula;
    formula.kind = kind;
    formula.op = op;
    formula.parts.push_back(std::move(first));
    return formula;
  }

  Formula Unary() {
    return Take("-") ? Operation(FormulaKind::kUnary, ScalarOp::kNegate, Unary()) : Postfix();
  }

  Formula Postfix() {
    Formula value = Primary();
    while (Take("[")) {
      Formula formula;
      formula.kind = FormulaKind::kIndex;
      formula.parts.push_back(std::move(value));
      do {
        formula.parts.push_back(Take("*") ? Pack() : Conditional());
      } while (Take(","));
      Expect("]");
      value = std::move(formula);
    }
    return value;
  }

  Formula Pack() {
    SkipSpace();
    if (at_ == text_.size() || !IsWordStart(text_[at_])) Fail();
    Formula formula = Name();
    formula.kind = FormulaKind::kPack;
    return formula;
  }

  Formula Primary() {
    SkipSpace();
    if (at_ == text_.size()) Fail();
    if (Take("(")) return Parenthesis();
    if (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return Number();
    if (IsWordStart(text_[at_])) return Name();
    Fail();
  }

  Formula Parenthesis() {
    Formula first = Conditional();
    if (!StartsWith(",")) {
      Expect(")");
      return first;
    }
    Formula list;
    list.kind = FormulaKind::kList;
    list.parts.push_back(std::move(first));
    while (Take(",")) {
      if (StartsWith(")")) break;
      list.parts.push_back(Conditional());
    }
    Expect(")");
    return list;
  }

  Formula Number() {
    const std::string rest(text_.substr(at_));
    char* end = nullptr;
    Formula formula;
    formula.integer = std::strtoll(rest.c_str(), &end, 10);
    if (*end == '.' || *end == 'e') {
      formula.kind = FormulaKind::kFloat;
      formula.real = std::strtod(rest.c_str(), &end);
    }
    at_ += static_cast<size_t>(end - rest.c_str());
    return formula;
  }

  std::string Word() {
    const size_t begin = at_;
    while (at_ < text_.size() && IsWord(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  Formula Name() {
    Formula formula;
    formula.name = Word();
    if (formula.name == "True" || formula.name == "False") {
      formula.kind = FormulaKind::kBoolean;
      formula.integer = formula.name == "True" ? 1 : 0;
      return formula;
    }
    if (Take("(")) {
      formula.kind = FormulaKind::kCall;
      while (!StartsWith(")")) {
        formula.parts.push_back(Argument());
        if (!Take(",")) break;
      }
      Expect(")");
      return formula;
    }
    formula.kind = FormulaKind::kName;
    const auto known = std::find(names_->begin(), names_->end(), formula.name);
    formula.slot = static_cast<int>(known - names_->begin());
    if (known == names_->end()) names_->push_back(formula.name);
    return formula;
  }

  /*! \brief An argument of a call: an expression, or `name=expression`. */
  Formula Argument() {
    SkipSpace();
    const size_t begin = at_;
    std::string name = Word();
    if (!name.empty() && !StartsWith("==") && Take("=")) {
      Formula formula;
      formula.kind = FormulaKind::kKeyword;
      formula.name = std::move(name);
      formula.parts.push_back(Conditional());
      return formula;
    }
    at_ = begin;
    return Conditional();
  }

  std::string_view text_;
  std::vector<std::string>* names_;
  size_t at_ = 0;
};

}  // namespace

Formula ParseFormula(std::string_view text, std::vector<std::string>* names) {
  return FormulaParser(text, names).Run();
}

}  // namespace uir::ir
