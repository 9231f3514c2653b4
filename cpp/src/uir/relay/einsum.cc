// The type of sums of products in Einstein's notation, whose equation is a shape pattern.
#include <uir/ir/op.h>
#include <uir/ir/operator_table.h>
#include <uir/relay/einsum.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "./shape_rule.h"

namespace uir::relay {

namespace {

/*! \brief The pack of dimensions that an ellipsis stands for; no letter has its name. */
constexpr const char* kRest = "*rest";

/*! \brief The names of the axes of an operand or the result. */
using Term = std::vector<std::string>;

[[noreturn]] void Fail(const std::string& equation, const std::string& reason) {
  TVM_FFI_THROW(ValueError) << "`equation` is `" << equation << "`, but " << reason;
  TVM_FFI_UNREACHABLE();
}

bool Has(const Term& term, const std::string& name) {
  return std::find(term.begin(), term.end(), name) != term.end();
}

/*! \brief An equation, such as `ij, jk -> ik`. */
class Equation {
 public:
  explicit Equation(const std::string& text) : text_(text) {
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

  size_t size() const { return operands_.size(); }

  /*! \brief The equation as a relation of shapes: `(i, j), (j, k) -> (i, k)`. */
  std::string RelationText() const {
    std::string relation;
    for (const Term& term : operands_) {
      relation += (relation.empty() ? "" : ", ") + PatternOf(term);
    }
    return relation + " -> " + PatternOf(result_);
  }

 private:
  Term ParseTerm(std::string_view text) const {
    Term term;
    while (!text.empty()) {
      const bool is_ellipsis = text.substr(0, 3) == "...";
      if (is_ellipsis && Has(term, kRest)) Fail(text_, "a term has two ellipses");
      if (!is_ellipsis && std::isalpha(static_cast<unsigned char>(text[0])) == 0) {
        Fail(text_, "`" + std::string(1, text[0]) + "` is neither a letter nor an ellipsis");
      }
      term.push_back(is_ellipsis ? kRest : std::string(1, text[0]));
      text.remove_prefix(is_ellipsis ? 3 : 1);
    }
    return term;
  }

  /*! \brief Without an arrow, the result has the letters that stand once, in their order. */
  void AddImplicitResult() {
    if (counts_.count(kRest) != 0) result_.emplace_back(kRest);
    for (const auto& [name, count] : counts_) {
      if (name != kRest && count == 1) result_.push_back(name);
    }
  }

  void CheckResult() const {
    for (const std::string& name : result_) {
      const std::string shown = name == kRest ? "..." : name;
      if (counts_.count(name) == 0) Fail(text_, "no operand has `" + shown + "` of the result");
      if (std::count(result_.begin(), result_.end(), name) > 1) {
        Fail(text_, "the result has `" + shown + "` twice");
      }
    }
    if (counts_.count(kRest) != 0 && !Has(result_, kRest)) {
      Fail(text_, "the result lacks the ellipsis of the operands");
    }
  }

  static std::string PatternOf(const Term& term) {
    std::string pattern;
    for (const std::string& name : term) pattern += (pattern.empty() ? "" : ", ") + name;
    return "(" + pattern + ")";
  }

  const std::string text_;
  std::vector<Term> operands_;
  /*! \brief How often the operands have a name. */
  std::map<std::string, int> counts_;
  Term result_;
};

}  // namespace

ir::Type InferEinsum(const CallNode* call, TypeContext* context) {
  const auto tensors = call->args[0].as_or_throw<Tuple>()->fields;
  const std::string text = AttrsOf<EinsumAttrsNode>(call)->equation;
  const Equation equation(text);
  if (equation.size() != tensors.size()) {
    Fail(text, "there are " + std::to_string(tensors.size()) + " operands");
  }
  const ir::OperatorRow* row = ir::FindOperatorRow(call->op.as_or_throw<ir::Op>());
  std::vector<ir::TensorType> types;
  TypedOperands operands;
  for (size_t i = 0; i < tensors.size(); ++i) {
    TypedOperand operand{&row->operands[0], nullptr, static_cast<int64_t>(i)};
    types.push_back(TensorTypeOf(tensors[operand.element], operand.Name().c_str()));
    operand.type = types.back().get();
    operands.push_back(operand);
  }
  const Relation relation(equation.RelationText(), "");
  const std::vector<Shape> shapes =
      relation.Infer(operands, RuleValues(relation.names().size()), context);
  return ir::TensorType(shapes[0], types[0]->dtype);
}

}  // namespace uir::relay
