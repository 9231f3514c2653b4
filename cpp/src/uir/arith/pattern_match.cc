// Matching of patterns; recursion is as deep as a pattern.
#include "./pattern_match.h"

#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "./const_fold.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;
using Kind = PatternNode::Kind;

class Matcher {
 public:
  Matcher(Domain domain, Match* match) : domain_(domain), match_(match) {}

  bool MatchOperands(const PatternNode* pattern, const Shape& shape) {
    const bool is_vector = pattern->op == Case::kRamp || pattern->op == Case::kBroadcast;
    if (is_vector && !BindLanes(shape.lanes)) return false;
    for (int i = 0; i < shape.num_operands; ++i) {
      if (!MatchExpr(pattern->children[i], *shape.operands[i])) return false;
    }
    return true;
  }

 private:
  bool MatchExpr(const PatternNode* pattern, const PrimExpr& expr) {
    switch (pattern->kind) {
      case Kind::kExpr:
        return BindElement(expr->dtype) && BindExpr(pattern->slot, expr);
      case Kind::kBool:
        return ir::IsBool(expr->dtype) && BindExpr(pattern->slot, expr);
      case Kind::kConst:
        return MatchConst(pattern, expr);
      case Kind::kLiteral:
        return MatchLiteral(pattern, expr);
      case Kind::kTruth:
        return pattern->value != 0 ? IsTrue(expr) : IsFalse(expr);
      case Kind::kLanes:
        return false;
      default:
        return MatchOp(pattern, expr);
    }
  }

  bool BindExpr(int slot, const PrimExpr& expr) {
    const PrimExpr*& bound = match_->exprs[slot];
    if (bound != nullptr) return IsSame(*bound, expr);
    bound = &expr;
    return true;
  }

  bool BindElement(DLDataType dtype) {
    const DLDataType element = ir::ElementOf(dtype);
    if (match_->element == element) return true;
    if (match_->element.bits != 0) return false;
    match_->element = element;
    return IsInDomain(domain_, element);
  }

  bool BindConst(int slot, int64_t value) {
    if (match_->has_const[slot]) return match_->consts[slot] == value;
    match_->has_const[slot] = true;
    match_->consts[slot] = value;
    return true;
  }

  bool BindLanes(int lanes) {
    if (match_->lanes != 0) return match_->lanes == lanes;
    match_->lanes = lanes;
    return true;
  }

  bool MatchConst(const PatternNode* pattern, const PrimExpr& expr) {
    if (!ir::IsInteger(expr->dtype)) return false;
    const std::optional<int64_t> value = IntConstOf(expr);
    return value && BindElement(expr->dtype) && BindConst(pattern->slot, *value);
  }

  bool MatchLiteral(const PatternNode* pattern, const PrimExpr& expr) {
    if (const auto* number = expr.as<ir::FloatImmNode>()) {
      return number->value == static_cast<double>(pattern->value) && !std::signbit(number->value) &&
             BindElement(expr->dtype);
    }
    if (ir::IsBool(expr->dtype)) return false;
    return IntConstOf(expr) == pattern->value && BindElement(expr->dtype);
  }

  bool MatchOp(const PatternNode* pattern, const PrimExpr& expr) {
    const Case op = CaseOf(expr);
    if (op != pattern->op) return op == Case::kSub && MatchDifference(pattern, expr);
    if (IsBinary(op)) {
      const Operands operands = OperandsOf(expr.get(), op);
      return MatchExpr(pattern->children[0], *operands.a) &&
             MatchExpr(pattern->children[1], *operands.b);
    }
    const std::optional<Shape> shape = ShapeOf(expr);
    return shape && MatchOperands(pattern, *shape);
  }

  /*! \brief Match `x + c1` against a difference `x - 4`, as which sums with `-4` are written. */
  bool MatchDifference(const PatternNode* pattern, const PrimExpr& expr) {
    const PatternNode* constant = pattern->children[1];
    if (pattern->op != Case::kAdd || constant->kind != Kind::kConst) return false;
    const auto* difference = static_cast<const tir::SubNode*>(expr.get());
    const std::optional<int64_t> value = IntConstOf(difference->b);
    if (!value || !ir::IsInteger(expr->dtype)) return false;
    const DLDataType element = ir::ElementOf(expr->dtype);
    if (*value == ir::MinValue(element) && element.code == kDLInt) return false;
    const std::optional<int64_t> negated = FoldInt(Case::kSub, element, 0, *value);
    return negated && BindElement(element) && BindConst(constant->slot, *negated) &&
           MatchExpr(pattern->children[0], difference->a);
  }

  Domain domain_;
  Match* match_;
};

ValueType ValueTypeOf(DLDataType dtype) {
  const DLDataType element = ir::ElementOf(dtype);
  if (IsIndex(element)) return ValueType::kIndex;
  if (ir::IsInteger(element)) return ValueType::kInteger;
  return ir::IsFloat(element) ? ValueType::kFloat : ValueType::kOther;
}

}  // namespace

NodeShape::NodeShape(const Shape& shape) {
  const int num_operands = std::min(shape.num_operands, 2);
  for (int i = 0; i < num_operands; ++i) SetPlace(i, *shape.operands[i]);
  const ValueType type = ValueTypeOf(places_[0]->dtype);
  block_ = &RewriteRuleSet::Global().RulesOf(shape.op, cases_[0], cases_[1], type);
  if (block_->num_rules == 0) return;
  for (int i = 0; i < num_operands; ++i) {
    if (!IsBinary(cases_[i])) continue;
    const Operands parts = OperandsOf(places_[i], cases_[i]);
    SetPlace(2 + i * 2, *parts.a);
    SetPlace(3 + i * 2, *parts.b);
  }
  if (cases_[1] == Case::kIntImm) {
    second_ = static_cast<const ir::IntImmNode*>(places_[1])->value;
  }
}

void NodeShape::SetPlace(int place, const PrimExpr& expr) {
  places_[place] = expr.get();
  cases_[place] = CaseOf(expr);
}

std::optional<Shape> ShapeOf(const PrimExpr& expr) {
  const Case op = CaseOf(expr);
  if (IsBinary(op)) {
    const Operands operands = OperandsOf(expr.get(), op);
    return Shape{op, 2, {operands.a, operands.b}, 0};
  }
  if (const auto* negation = expr.as<tir::NotNode>()) return Shape{op, 1, {&negation->a}, 0};
  if (const auto* select = expr.as<tir::SelectNode>()) {
    return Shape{op, 3, {&select->condition, &select->true_value, &select->false_value}, 0};
  }
  if (const auto* ramp = expr.as<tir::RampNode>()) {
    return Shape{op, 2, {&ramp->base, &ramp->stride}, ramp->lanes};
  }
  const auto* broadcast = expr.as<tir::BroadcastNode>();
  if (broadcast == nullptr) return std::nullopt;
  return Shape{op, 1, {&broadcast->value}, broadcast->lanes};
}

bool MatchRule(const RewriteRule& rule, const Shape& shape, Match* match) {
  if (!Matcher(rule.domain, match).MatchOperands(rule.pattern, shape)) return false;
  // All other rules need an operand that gives the type of the values.
  return rule.domain == Domain::kBool || rule.domain == Domain::kValue || match->element.bits != 0;
}

}  // namespace uir::arith
