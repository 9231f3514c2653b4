// Applying rules: conditions, results, and what becomes of an operation.
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "./queries.h"
#include "./rewrite_simplify.h"
#include "./speculatable.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;
using Kind = PatternNode::Kind;

/*! \brief Whether the operands of a node of a type may change places. */
bool MayExchange(Case op, DLDataType dtype) {
  // `a < b ? a : b` depends on the order of zeros of either sign, and of NaN.
  if ((op == Case::kMin || op == Case::kMax) && ir::IsFloat(dtype)) return false;
  return IsCommutative(op);
}

bool IsConstantOperand(const PrimExpr& expr) {
  const Case op = CaseOf(expr);
  if (op == Case::kIntImm || op == Case::kFloatImm) return true;
  return op == Case::kBroadcast && IntConstOf(expr).has_value();
}

/*! \brief The constant without its sign, where `x + c` is better written `x - |c|`. */
std::optional<int64_t> NegatedConst(const PrimExpr& expr) {
  if (expr->dtype.code != kDLInt || !ir::IsScalar(expr->dtype)) return std::nullopt;
  const auto* constant = expr.as<ir::IntImmNode>();
  if (constant == nullptr || constant->value == ir::MinValue(expr->dtype)) return std::nullopt;
  return -constant->value;
}

/*! \brief The exact value of arithmetic on constants in a condition. */
std::optional<int64_t> NumberOf(const PatternNode* node, const Match& match) {
  if (node->kind == Kind::kConst) return match.consts[node->slot];
  if (node->kind == Kind::kLiteral) return node->value;
  const std::optional<int64_t> a = NumberOf(node->children[0], match);
  const std::optional<int64_t> b = a ? NumberOf(node->children[1], match) : std::nullopt;
  return b ? Evaluate(node->op, *a, *b) : std::nullopt;
}

}  // namespace

std::optional<int64_t> ConstOf(const PatternNode* node, const Match& match) {
  if (node->kind == Kind::kConst) return match.consts[node->slot];
  const DLDataType element = match.element;
  if (node->kind == Kind::kLiteral) return FoldInt(Case::kAdd, element, node->value, 0);
  const std::optional<int64_t> a = ConstOf(node->children[0], match);
  const std::optional<int64_t> b = a ? ConstOf(node->children[1], match) : std::nullopt;
  return b ? FoldFitting(node->op, element, *a, *b) : std::nullopt;
}

PrimExpr RewriteSimplifier::MakeOp(Case op, PrimExpr a, PrimExpr b, const Place& place) {
  if (op == Case::kGT || op == Case::kGE) {
    std::swap(a, b);
    op = op == Case::kGT ? Case::kLT : Case::kLE;
  }
  if (IsConstantOperand(a)) {
    if (std::optional<PrimExpr> folded = FoldBinary(op, a, b)) return folded.value();
    if (MayExchange(op, a->dtype) && !IsConstantOperand(b)) std::swap(a, b);
  }
  if (op == Case::kSub) {
    if (const std::optional<int64_t> negated = NegatedConst(b)) {
      op = Case::kAdd;
      b = MakeInt(b->dtype, *negated);
    }
  }
  if (std::optional<PrimExpr> result = ApplyRules({op, 2, {&a, &b}, 0}, place)) {
    return result.value();
  }
  const bool may_be_chain = IsLogical(op) || op == Case::kMin || op == Case::kMax;
  if (may_be_chain && CaseOf(a) == op) {
    if (std::optional<PrimExpr> result = MergeIntoChain(op, a, b, place, 0)) return result.value();
  }
  if (op == Case::kFloorMod || op == Case::kMod) {
    const Interval remainder = KnownRemainder(op, a, b);
    if (remainder.IsPoint()) return MakeInt(place.dtype, remainder.min);
  }
  if (IsDivision(op)) {
    if (std::optional<PrimExpr> result = DivideBySymbols(op, a, b, place)) return result.value();
  }
  if (IsComparison(op)) {
    if (std::optional<PrimExpr> result = Compare(op, a, b, place)) return result.value();
  }
  if (!IsOrdered(op, a->dtype)) return MakeNode(op, std::move(a), std::move(b), place);
  return MakeOrdered(op, std::move(a), std::move(b), place);
}

/*! \brief The remainder by a constant, if all values have the same. */
Interval RewriteSimplifier::KnownRemainder(Case op, const PrimExpr& a, const PrimExpr& b) {
  const std::optional<int64_t> divisor = IntConstOf(b);
  if (!divisor || *divisor <= 0 || !IsIndex(a->dtype)) return {};
  const Congruence known = known_->CongruenceOf(a);
  if (known.coeff % *divisor != 0) return {};
  const int64_t remainder = FloorMod(known.base, *divisor);
  // Rounding towards zero the remainder has the sign of the dividend.
  if (op == Case::kMod && remainder != 0 && known_->BoundOf(a).min < 0) return {};
  return Interval::Point(remainder);
}

PrimExpr RewriteSimplifier::MakeNode(Case op, PrimExpr a, PrimExpr b, const Place& place) {
  if (op == Case::kAdd) {
    const std::optional<int64_t> negated = NegatedConst(b);
    if (negated && *negated > 0) {
      op = Case::kSub;
      b = MakeInt(b->dtype, *negated);
    }
  }
  if (place.node != nullptr && CaseOf(place.node) == op) {
    const Operands operands = OperandsOf(place.node, op);
    const bool is_same =
        a.same_as(*operands.a) &&
        (b.same_as(*operands.b) ||
         (IsConstantOperand(b) && IsConstantOperand(*operands.b) && IsSame(b, *operands.b)));
    if (is_same) return Settle(ffi::GetRef<PrimExpr>(place.node));
  }
  return Settle(MakeBinary(op, std::move(a), std::move(b), place.span));
}

/*! \brief Put a boolean's value in its place, if it is known to hold or not to. */
PrimExpr RewriteSimplifier::Settle(PrimExpr expr) {
  if (!ir::IsBool(expr->dtype) || !ir::IsScalar(expr->dtype)) return expr;
  const std::vector<Fact>& facts = known_->constraints.facts();
  // The latest facts are those of the innermost scopes.
  constexpr size_t kMostTried = 64;
  for (size_t i = 0; i < facts.size() && i < kMostTried; ++i) {
    const Fact& fact = facts[facts.size() - 1 - i];
    if (IsSame(fact.condition, expr)) return MakeBool(fact.holds);
  }
  return expr;
}

std::optional<PrimExpr> RewriteSimplifier::ApplyRules(const Shape& shape, const Place& place) {
  constexpr int kMostDepth = 12;
  if (depth_ >= kMostDepth) return std::nullopt;
  std::optional<PrimExpr> result;
  NodeShape(shape).VisitRules([&](const RewriteRule& rule) {
    result = ApplyRule(rule, shape, place.dtype, place.span);
    return result.has_value();
  });
  return result;
}

std::optional<PrimExpr> RewriteSimplifier::ApplyRule(const RewriteRule& rule, const Shape& shape,
                                                     DLDataType dtype,
                                                     const ffi::Optional<ir::Span>& span) {
  Match match;
  if (!MatchRule(rule, shape, &match)) return std::nullopt;
  if (rule.condition != nullptr && !Holds(rule.condition, rule, match)) return std::nullopt;
  if (!IsSound(rule, shape, match)) return std::nullopt;
  if (listener_ != nullptr) listener_->BeginRule({rule, shape, match, dtype});
  ++depth_;
  std::optional<PrimExpr> result =
      Build(rule.result, {match, rule, shape, span}, ir::LanesOf(dtype));
  --depth_;
  if (listener_ != nullptr) listener_->EndRule(result);
  return result;
}

std::optional<PrimExpr> RewriteSimplifier::Build(const PatternNode* node, const Making& making,
                                                 int lanes) {
  switch (node->kind) {
    case Kind::kExpr:
    case Kind::kBool:
      return *making.match.exprs[node->slot];
    case Kind::kTruth:
      return MakeBool(node->value != 0, lanes);
    case Kind::kLanes:
      return std::nullopt;
    default:
      break;
  }
  if (!node->is_number) return BuildOp(node, making, lanes);
  const std::optional<int64_t> value = ConstOf(node, making.match);
  if (!value) return std::nullopt;
  return MakeInt(ir::WithLanes(making.match.element, lanes), *value);
}

std::optional<PrimExpr> RewriteSimplifier::BuildOp(const PatternNode* node, const Making& making,
                                                   int lanes) {
  const bool is_vector = node->op == Case::kRamp || node->op == Case::kBroadcast;
  std::optional<PrimExpr> made[3];
  const int num_made = is_vector ? node->num_children - 1 : node->num_children;
  for (int i = 0; i < num_made; ++i) {
    const PatternNode* part = node->children[i];
    if (listener_ != nullptr) listener_->BeginPart(part, i);
    made[i] = Build(part, making, is_vector ? 1 : lanes);
    if (is_vector && made[i].has_value()) made[i] = AsSumIfOne(*std::move(made[i]));
    if (listener_ != nullptr) listener_->EndPart(part, made[i]);
    if (!made[i].has_value()) return std::nullopt;
    const bool is_alone = !is_vector && !IsRing(node->op);
    if (is_alone && !MayStandAlone(part, made[i].value(), making)) return std::nullopt;
  }
  const PrimExpr a = made[0].value();
  switch (node->op) {
    case Case::kNot:
      return MakeNot(a, {nullptr, making.span, a->dtype});
    case Case::kSelect: {
      const PrimExpr b = made[1].value();
      return MakeSelect(a, b, made[2].value(), {nullptr, making.span, b->dtype});
    }
    case Case::kRamp:
      if (IntConstOf(made[1].value()) == 0) return tir::Broadcast(a, making.match.lanes);
      return tir::Ramp(a, made[1].value(), making.match.lanes, making.span);
    case Case::kBroadcast:
      return tir::Broadcast(a, making.match.lanes, making.span);
    default: {
      const DLDataType dtype =
          IsArithmetic(node->op) ? a->dtype : ir::BoolType(ir::LanesOf(a->dtype));
      return MakeOp(node->op, a, made[1].value(), {nullptr, making.span, dtype});
    }
  }
}

/*! \brief Whether the sums of a match fit as far as a rule takes them to, and operands may move. */
bool RewriteSimplifier::IsSound(const RewriteRule& rule, const Shape& shape, const Match& match) {
  if (rule.needs_total) {
    const auto is_total = [](const PrimExpr* expr) {
      return expr == nullptr || SpeculationCheck::IsTotal(*expr);
    };
    if (!std::all_of(std::begin(match.exprs), std::end(match.exprs), is_total)) return false;
  }
  return rule.domain != Domain::kIndex || HasExactSums(rule.pattern, shape);
}

/*! \brief Whether no sum or product that a pattern compares, divides or chooses has wrapped around.
 */
bool RewriteSimplifier::HasExactSums(const PatternNode* pattern, const Shape& shape) {
  for (int i = 0; i < shape.num_operands; ++i) {
    const PatternNode* child = pattern->children[i];
    if (child->kind != Kind::kOp) continue;
    const PrimExpr& operand = *shape.operands[i];
    if (!IsRing(pattern->op) && !known_->IsExact(operand)) return false;
    const std::optional<Shape> inner = ShapeOf(operand);
    if (inner && !HasExactSums(child, *inner)) return false;
  }
  return true;
}

/*! \brief Find the sums that a matched pattern compares, divides or chooses, which fit. */
void RewriteSimplifier::FindExact(const PatternNode* pattern, const Shape& shape,
                                  std::vector<LinearForm>* known) {
  for (int i = 0; i < shape.num_operands; ++i) {
    const PatternNode* child = pattern->children[i];
    const PrimExpr& operand = *shape.operands[i];
    if (!IsRing(shape.op) && IsIndex(operand->dtype) && known_->IsExact(operand)) {
      known->push_back(known_->SumOf(operand));
    }
    const std::optional<Shape> inner = child->kind == Kind::kOp ? ShapeOf(operand) : std::nullopt;
    if (inner) FindExact(child, *inner, known);
  }
}

/*! \brief Whether a part of a result that is compared, divided or chosen there fits its type. */
bool RewriteSimplifier::MayStandAlone(const PatternNode* node, const PrimExpr& made,
                                      const Making& making) {
  if (!IsRing(CaseOf(made)) || !IsIndex(ir::ElementOf(made->dtype))) return true;
  const bool has_been_alone =
      node->kind == Kind::kExpr && (making.rule.in_sums >> node->slot & 1) == 0;
  if (has_been_alone || FitsType(known_->ExactBoundOf(made), made->dtype)) return true;
  // Rules for sums that wrap around do not require that sums of data fit.
  if (making.rule.domain != Domain::kIndex && known_->IsData(made)) return true;
  if (!ir::IsScalar(made->dtype)) return false;
  std::vector<LinearForm> known;
  FindExact(making.rule.pattern, making.shape, &known);
  return known_->Fits(known_->SumOf(made), made->dtype, known);
}

bool RewriteSimplifier::Holds(const PatternNode* condition, const RewriteRule& rule,
                              const Match& match) {
  if (condition->op == Case::kAnd) {
    return Holds(condition->children[0], rule, match) && Holds(condition->children[1], rule, match);
  }
  if (condition->op == Case::kOr) {
    return Holds(condition->children[0], rule, match) || Holds(condition->children[1], rule, match);
  }
  return HoldsComparison(condition, rule, match);
}

bool RewriteSimplifier::HoldsComparison(const PatternNode* condition, const RewriteRule& rule,
                                        const Match& match) {
  const PatternNode* left = condition->children[0];
  const PatternNode* right = condition->children[1];
  const Case op = condition->op;
  if (left->kind == Kind::kExpr && right->kind == Kind::kExpr) {
    const PrimExpr& a = *match.exprs[left->slot];
    const PrimExpr& b = *match.exprs[right->slot];
    return op == Case::kLT ? known_->IsLess(a, b) : known_->IsLessEqual(a, b);
  }
  if (left->is_number && right->is_number) {
    const std::optional<int64_t> a = NumberOf(left, match);
    const std::optional<int64_t> b = a ? NumberOf(right, match) : std::nullopt;
    if (b) return Evaluate(op, *a, *b) == 1;
  }
  const Interval a = BoundOf(left, rule, match);
  const Interval b = BoundOf(right, rule, match);
  const bool has_ends = a.max != Interval::kPosInf && b.min != Interval::kNegInf;
  switch (op) {
    case Case::kLT:
      return has_ends && a.max < b.min;
    case Case::kLE:
      return has_ends && a.max <= b.min;
    case Case::kEQ:
      return a.IsPoint() && a == b;
    default:
      return a.IsBounded() && b.IsBounded() && (a.max < b.min || b.max < a.min);
  }
}

Interval RewriteSimplifier::BoundOf(const PatternNode* node, const RewriteRule& rule,
                                    const Match& match) {
  switch (node->kind) {
    case Kind::kExpr: {
      const PrimExpr& expr = *match.exprs[node->slot];
      return (rule.in_sums >> node->slot & 1) != 0 ? known_->ExactBoundOf(expr)
                                                   : known_->BoundOf(expr);
    }
    case Kind::kConst:
      return Interval::Point(match.consts[node->slot]);
    case Kind::kLanes:
      return Interval::Point(match.lanes);
    case Kind::kLiteral:
      return Interval::Point(node->value);
    default:
      break;
  }
  const Interval b = BoundOf(node->children[1], rule, match);
  const bool is_remainder = node->op == Case::kFloorMod && b.IsPoint() && b.min > 0;
  if (is_remainder && node->children[0]->kind == Kind::kExpr) {
    const Congruence known = known_->CongruenceOf(*match.exprs[node->children[0]->slot]);
    const Interval rest = RemainderOf(known, b.min);
    return Intersect(rest, Apply(node->op, BoundOf(node->children[0], rule, match), b));
  }
  return Apply(node->op, BoundOf(node->children[0], rule, match), b);
}

}  // namespace uir::arith
