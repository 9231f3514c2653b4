// Matches rules of high-level expressions against the values that variables are bound to.
#include <tschema/structural_equal.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/operator_table.h>
#include <uir/ir/tensor_type.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "../../relay/operator_rule.h"
#include "./operator_formula.h"
#include "./relay_rules.h"

namespace uir::transform {

namespace {

using ir::Formula;
using ir::FormulaKind;

/*! \brief The root of a pattern: the name of an operator, or `[]` for an item of a tuple. */
std::string RootOf(const Formula& pattern) {
  switch (pattern.kind) {
    case FormulaKind::kUnary:
    case FormulaKind::kBinary:
      return std::string(ir::RowOf(pattern.op).tensor_op);
    case FormulaKind::kCall:
      return pattern.name;
    case FormulaKind::kIndex:
      return "[]";
    default:
      TVM_FFI_THROW(InternalError) << "a pattern has no operator at its root";
      TVM_FFI_UNREACHABLE();
  }
}

std::string RootOf(const ir::RelayExpr& expr) {
  if (expr.as<relay::TupleGetItemNode>() != nullptr) return "[]";
  const auto* call = expr.as<relay::CallNode>();
  const auto* op = call == nullptr ? nullptr : call->op.as<ir::OpNode>();
  if (op == nullptr) return "";
  const std::string_view name(op->name.data(), op->name.size());
  constexpr std::string_view kNamespace = "relay.";
  return std::string(name.substr(0, kNamespace.size()) == kNamespace
                         ? name.substr(kNamespace.size())
                         : std::string_view());
}

/*! \brief The number of a literal; None for another formula. */
ffi::Any LiteralOf(const Formula& formula) {
  const bool is_integer =
      formula.kind == FormulaKind::kInteger || formula.kind == FormulaKind::kBoolean;
  if (is_integer) return formula.integer;
  if (formula.kind == FormulaKind::kFloat) return formula.real;
  if (formula.kind != FormulaKind::kUnary || formula.op != ir::ScalarOp::kNegate) return nullptr;
  const Formula& part = formula.parts[0];
  if (part.kind == FormulaKind::kInteger) return -part.integer;
  if (part.kind == FormulaKind::kFloat) return -part.real;
  return nullptr;
}

bool IsInDomain(std::string_view domain, const ffi::Any& value) {
  if (domain == "any") return true;
  const auto expr = value.as<ir::RelayExpr>();
  if (!expr || !(*expr)->checked_type.has_value()) return false;
  const auto* type = (*expr)->checked_type.value().as<ir::TensorTypeNode>();
  if (type == nullptr) return false;
  const DLDataType dtype = type->dtype;
  const bool is_float = ir::IsFloat(dtype);
  const bool is_int = !ir::IsBool(dtype) && ir::IsInteger(dtype);
  if (domain == "bool") return ir::IsBool(dtype);
  if (domain == "float") return is_float;
  if (domain == "int") return is_int;
  if (domain == "number") return is_float || is_int;
  const bool is_unsigned = is_int && dtype.code == kDLUInt;
  return domain == "unsigned" ? is_unsigned : (is_float || is_int) && !is_unsigned;
}

}  // namespace

/*! \brief Matches one pattern. */
class RelayRuleSet::Matcher {
 public:
  Matcher(const Rule& rule, const DefinitionOf& definition_of)
      : values_(rule.names.size()), is_set_(rule.names.size()), definition_of_(definition_of) {}

  const std::vector<ffi::Any>& values() const { return values_; }

  void Set(int slot, ffi::Any value) {
    values_[static_cast<size_t>(slot)] = std::move(value);
    is_set_[static_cast<size_t>(slot)] = true;
  }

  bool MatchExpr(const Formula& pattern, const ir::RelayExpr& expr) {
    if (pattern.kind == FormulaKind::kName) return MatchName(pattern.slot, expr);
    const ir::RelayExpr value = Resolved(expr);
    const ffi::Any literal = LiteralOf(pattern);
    if (literal != nullptr) return IsUniform(value, literal);
    if (pattern.kind == FormulaKind::kList) return MatchList(pattern, value);
    if (RootOf(pattern) != RootOf(value)) return false;
    if (const auto* item = value.as<relay::TupleGetItemNode>()) {
      return pattern.parts[1].integer == item->index &&
             MatchExpr(pattern.parts[0], item->tuple_value);
    }
    return MatchCall(pattern, value.as<relay::CallNode>());
  }

 private:
  ir::RelayExpr Resolved(const ir::RelayExpr& expr) const {
    const auto* var = expr.as<relay::VarNode>();
    const ffi::Optional<ir::RelayExpr> value =
        var == nullptr ? ffi::Optional<ir::RelayExpr>() : definition_of_(var);
    return value.has_value() ? value.value() : expr;
  }

  bool MatchName(int slot, const ffi::Any& value) {
    if (!is_set_[static_cast<size_t>(slot)]) {
      Set(slot, value);
      return true;
    }
    const ffi::Any& known = values_[static_cast<size_t>(slot)];
    return known.same_as(value) || tschema::StructuralEqual(known, value);
  }

  bool MatchList(const Formula& pattern, const ir::RelayExpr& value) {
    const auto* tuple = value.as<relay::TupleNode>();
    if (tuple == nullptr || tuple->fields.size() != pattern.parts.size()) return false;
    for (size_t i = 0; i < pattern.parts.size(); ++i) {
      if (!MatchExpr(pattern.parts[i], tuple->fields[static_cast<int64_t>(i)])) return false;
    }
    return true;
  }

  bool MatchCall(const Formula& pattern, const relay::CallNode* call) {
    const ir::OperatorRow* row = ir::FindOperatorRow(call->op.as<ir::Op>().value());
    size_t operand = 0;
    for (const Formula& part : pattern.parts) {
      const bool is_named = part.kind == FormulaKind::kKeyword;
      const int32_t place = is_named && row != nullptr ? ir::FindOperand(*row, part.name) : -1;
      if (place >= 0) {
        if (!MatchExpr(part.parts[0], call->args[place])) return false;
      } else if (is_named) {
        if (!MatchName(part.parts[0].slot, relay::AttributeOf(call, part.name))) return false;
      } else {
        const bool is_there = operand < call->args.size();
        if (!is_there || !MatchExpr(part, call->args[static_cast<int64_t>(operand)])) return false;
        ++operand;
      }
    }
    return true;
  }

  std::vector<ffi::Any> values_;
  std::vector<bool> is_set_;
  const DefinitionOf& definition_of_;
};

RelayRuleSet::RelayRuleSet(int64_t only) {
  const std::vector<RelayRuleText>& texts = RelayRules();
  for (size_t i = 0; i < texts.size(); ++i) {
    if (only >= 0 && static_cast<size_t>(only) != i) continue;
    Rule rule = Parse(texts[i]);
    rules_[RootOf(rule.pattern)].push_back(std::move(rule));
  }
}

RelayRuleSet::Rule RelayRuleSet::Parse(const RelayRuleText& text) {
  Rule rule;
  rule.domain = text.domain;
  // The first two slots are `x`, for the data type, and `y`, for the whole expression.
  rule.names = {"x", "y"};
  rule.pattern = ir::ParseFormula(text.pattern, &rule.names);
  rule.result = ir::ParseFormula(text.result, &rule.names);
  if (*text.condition != '\0') {
    rule.condition.push_back(ir::ParseFormula(text.condition, &rule.names));
  }
  return rule;
}

ffi::Optional<ir::RelayExpr> RelayRuleSet::Apply(const ir::RelayExpr& expr,
                                                 const DefinitionOf& definition_of) const {
  if (!expr->checked_type.has_value()) return std::nullopt;
  const auto found = rules_.find(RootOf(expr));
  if (found == rules_.end()) return std::nullopt;
  for (const Rule& rule : found->second) {
    ffi::Optional<ir::RelayExpr> result = Apply(rule, expr, definition_of);
    if (result.has_value()) return result;
  }
  return std::nullopt;
}

ffi::Optional<ir::RelayExpr> RelayRuleSet::Apply(const Rule& rule, const ir::RelayExpr& expr,
                                                 const DefinitionOf& definition_of) {
  Matcher matcher(rule, definition_of);
  if (!matcher.MatchExpr(rule.pattern, expr)) return std::nullopt;
  if (!IsInDomain(rule.domain, matcher.values()[0])) return std::nullopt;
  matcher.Set(1, expr);
  const auto bind = [](const ir::RelayExpr&) -> ir::RelayExpr {
    TVM_FFI_THROW(InternalError) << "the result of a rule has more than one call";
    TVM_FFI_UNREACHABLE();
  };
  FormulaBuilder builder("relay", &matcher.values(), bind);
  for (const Formula& condition : rule.condition) {
    const ffi::Any holds = builder.Run(condition);
    if (!holds.cast<bool>()) return std::nullopt;
  }
  auto result = builder.Run(rule.result).cast<ir::RelayExpr>();
  const ffi::Optional<ir::Type> type = result->checked_type;
  const bool is_same =
      type.has_value() && tschema::StructuralEqual(type.value(), expr->checked_type.value());
  return is_same ? ffi::Optional<ir::RelayExpr>(std::move(result)) : std::nullopt;
}

}  // namespace uir::transform
