// The parser of einsum equations.
#include "./einsum_equation.h"

#include <tvm/ffi/error.h>

#include <algorithm>
#include <cctype>

namespace uir::relay {

namespace {

using Term = EinsumEquation::Term;

/*! \brief The name of the pack of dimensions of an ellipsis; no letter has this name. */
constexpr const char* kRest = "*rest";

bool Has(const Term& term, const std::string& name) {
  return std::find(term.begin(), term.end(), name) != term.end();
}

std::string PatternOf(const Term& term) {
  std::string pattern;
  for (const std::string& name : term) pattern += (pattern.empty() ? "" : ", ") + name;
  return "(" + pattern + ")";
}

}  // namespace

void FailEquation(const std::string& equation, const std::string& reason) {
  TVM_FFI_THROW(ValueError) << "`equation` is `" << equation << "`, but " << reason;
  TVM_FFI_UNREACHABLE();
}

EinsumEquation::EinsumEquation(const std::string& text) : text_(text) {
  std::string plain = text;
  plain.erase(std::remove(plain.begin(), plain.end(), ' '), plain.end());
  const size_t arrow = plain.find("->");
  std::string_view left = std::string_view(plain).substr(0, arrow);
  for (size_t comma = left.find(','); comma != left.npos; comma = left.find(',')) {
    operands_.push_back(ParseTerm(left.substr(0, comma)));
    left.remove_prefix(comma + 1);
  }
  operands_.push_back(ParseTerm(left));
  for (const Term& term : operands_) {
    for (const std::string& name : term) ++counts_[name];
  }
  if (arrow == plain.npos) {
    AddImplicitResult();
  } else {
    result_ = ParseTerm(std::string_view(plain).substr(arrow + 2));
    CheckResult();
  }
}

std::string EinsumEquation::RelationText() const {
  std::string relation;
  for (const Term& term : operands_) {
    relation += (relation.empty() ? "" : ", ") + PatternOf(term);
  }
  return relation + " -> " + PatternOf(result_);
}

Term EinsumEquation::ParseTerm(std::string_view text) const {
  Term term;
  while (!text.empty()) {
    const bool is_ellipsis = text.substr(0, 3) == "...";
    if (is_ellipsis && Has(term, kRest)) FailEquation(text_, "a term has two ellipses");
    if (!is_ellipsis && std::isalpha(static_cast<unsigned char>(text[0])) == 0) {
      FailEquation(text_, "`" + std::string(1, text[0]) + "` is neither a letter nor an ellipsis");
    }
    term.push_back(is_ellipsis ? kRest : std::string(1, text[0]));
    text.remove_prefix(is_ellipsis ? 3 : 1);
  }
  return term;
}

void EinsumEquation::AddImplicitResult() {
  if (counts_.count(kRest) != 0) result_.emplace_back(kRest);
  for (const auto& [name, count] : counts_) {
    if (name != kRest && count == 1) result_.push_back(name);
  }
}

void EinsumEquation::CheckResult() const {
  for (const std::string& name : result_) {
    const std::string shown = name == kRest ? "..." : name;
    if (counts_.count(name) == 0)
      FailEquation(text_, "no operand has `" + shown + "` of the result");
    if (std::count(result_.begin(), result_.end(), name) > 1) {
      FailEquation(text_, "the result has `" + shown + "` twice");
    }
  }
  if (counts_.count(kRest) != 0 && !Has(result_, kRest)) {
    FailEquation(text_, "the result lacks the ellipsis of the operands");
  }
}

}  // namespace uir::relay
