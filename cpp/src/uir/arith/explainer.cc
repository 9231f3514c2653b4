// Simplification that records its steps.
#include "./explainer.h"

#include <tschema/structural_equal.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>

#include <algorithm>
#include <string>
#include <utility>

#include "./analyzer_state.h"
#include "./needed_facts.h"
#include "./sub_expressions.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;
using Kind = PatternNode::Kind;

bool IsEqual(const PrimExpr& a, const PrimExpr& b) {
  return a.same_as(b) || tschema::StructuralEqual(a, b);
}

PrimExpr MakeNode(const Shape& shape) {
  const PrimExpr& a = *shape.operands[0];
  switch (shape.op) {
    case Case::kNot:
      return tir::Not(a);
    case Case::kSelect:
      return tir::Select(a, *shape.operands[1], *shape.operands[2]);
    case Case::kRamp:
      return tir::Ramp(a, *shape.operands[1], shape.lanes);
    case Case::kBroadcast:
      return tir::Broadcast(a, shape.lanes);
    default:
      return MakeBinary(shape.op, a, *shape.operands[1], std::nullopt);
  }
}

/*! \brief The result of a rule as written, with only its constants folded. */
std::optional<PrimExpr> ResultOf(const PatternNode* node, const Match& match, int lanes) {
  if (node->kind == Kind::kExpr || node->kind == Kind::kBool) return *match.exprs[node->slot];
  if (node->kind == Kind::kTruth) return MakeBool(node->value != 0, lanes);
  if (node->is_number) {
    const std::optional<int64_t> value = ConstOf(node, match);
    if (!value) return std::nullopt;
    return MakeInt(ir::WithLanes(match.element, lanes), *value);
  }
  const bool is_vector = node->op == Case::kRamp || node->op == Case::kBroadcast;
  std::optional<PrimExpr> made[3];
  Shape shape{node->op, is_vector ? node->num_children - 1 : node->num_children, {}, match.lanes};
  for (int i = 0; i < shape.num_operands; ++i) {
    made[i] = ResultOf(node->children[i], match, is_vector ? 1 : lanes);
    if (!made[i]) return std::nullopt;
    shape.operands[i] = &*made[i];
  }
  return MakeNode(shape);
}

/*! \brief Whether the only change to a comparison is that its sides are exchanged. */
bool IsExchanged(const PrimExpr& before, const PrimExpr& after) {
  const Case op = CaseOf(before);
  if (op != Case::kGT && op != Case::kGE) return false;
  const Operands sides = OperandsOf(before.get(), op);
  const Case exchanged = op == Case::kGT ? Case::kLT : Case::kLE;
  return IsEqual(MakeBinary(exchanged, *sides.b, *sides.a, std::nullopt), after);
}

std::string TextOf(const RuleText& rule) {
  std::string text = std::string(rule.pattern) + " -> " + rule.result;
  if (*rule.condition != '\0') text += std::string(" if ") + rule.condition;
  return text;
}

}  // namespace

Explanation Explainer::Explain(const PrimExpr& expr) {
  listener_ = this;
  const PrimExpr result = Simplify(expr, Means::kAll);
  return Explanation(expr, {steps_.begin(), steps_.end()}, result);
}

PrimExpr Explainer::VisitPrimExpr(const PrimExpr& expr) {
  if (listener_ == nullptr) return RewriteSimplifier::VisitPrimExpr(expr);
  if (!Enter(expr)) {
    listener_ = nullptr;
    PrimExpr result = RewriteSimplifier::VisitPrimExpr(expr);
    listener_ = this;
    return result;
  }
  PrimExpr result = RewriteSimplifier::VisitPrimExpr(expr);
  Leave(result);
  if (!IsEqual(expr, result)) done_.emplace_back(expr, result);
  return result;
}

bool Explainer::Enter(const PrimExpr& expr) {
  if (frames_.empty()) {
    frames_.push_back({expr, 0});
    return true;
  }
  const std::vector<PrimExpr> parts = SubExpressionsOf(frames_.back().current);
  size_t& next = frames_.back().next;
  for (size_t place = next; place < parts.size(); ++place) {
    if (!parts[place].same_as(expr)) continue;
    next = place + 1;
    frames_.push_back({expr, static_cast<int64_t>(place)});
    return true;
  }
  return false;
}

void Explainer::EnterPlace(int64_t place) {
  frames_.push_back({SubExpressionsOf(frames_.back().current)[place], place});
}

void Explainer::Leave(const PrimExpr& result) {
  Settle(result);
  const Frame left = std::move(frames_.back());
  frames_.pop_back();
  if (frames_.empty()) return;
  PrimExpr& above = frames_.back().current;
  const PrimExpr before = SubExpressionsOf(above)[left.place];
  // Store this object even if it is equal: the simplification continues with it.
  if (!before.same_as(result)) above = WithSubExpression(above, left.place, result);
}

void Explainer::Settle(const PrimExpr& result) {
  const PrimExpr before = frames_.back().current;
  if (IsEqual(before, result)) return;
  const auto redo = [&](RewriteSimplifier* rewriter) {
    return IsEqual(rewriter->Simplify(before, Means::kAll), result);
  };
  AddStep(MethodOf(before, result), result, redo);
}

StepMethod Explainer::MethodOf(const PrimExpr& before, const PrimExpr& after) {
  const Case op = CaseOf(before);
  const bool is_known = std::any_of(done_.begin(), done_.end(), [&](const auto& done) {
    return done.first.same_as(before) && done.second.same_as(after);
  });
  if (is_known) return StepMethod::kRepetition;
  if (op == Case::kVar || op == Case::kSizeVar) return StepMethod::kFact;
  const auto& facts = known_->constraints.facts();
  const bool is_fact =
      IsLeaf(CaseOf(after)) && std::any_of(facts.begin(), facts.end(), [&](const Fact& fact) {
        return IsSame(fact.condition, before);
      });
  if (is_fact) return StepMethod::kFact;
  const bool is_of_numbers = !IsBinary(op) || (IntConstOf(*OperandsOf(before.get(), op).a) &&
                                               IntConstOf(*OperandsOf(before.get(), op).b));
  const bool is_compared = IsComparison(op) || (op == Case::kFloorMod && IsLeaf(CaseOf(after)));
  return is_compared && !is_of_numbers && !IsExchanged(before, after) ? StepMethod::kComparison
                                                                      : StepMethod::kEvaluation;
}

void Explainer::BeginRule(const Firing& firing) {
  marks_.push_back({steps_.size(), frames_.back().current});
  const std::optional<PrimExpr> result =
      ResultOf(firing.rule.result, firing.match, ir::LanesOf(firing.dtype));
  // If the result cannot be made, `EndRule` undoes the steps.
  if (!result) return;
  const auto redo = [&](RewriteSimplifier* rewriter) {
    return rewriter->ApplyRule(firing.rule, firing.shape, firing.dtype, std::nullopt).has_value();
  };
  AddStep(StepMethod::kRule, *result, redo, firing.rule.index);
}

void Explainer::EndRule(const std::optional<PrimExpr>& result) {
  const Mark mark = std::move(marks_.back());
  marks_.pop_back();
  if (result.has_value()) return Settle(result.value());
  steps_.resize(mark.num_steps, ExplanationStep(ffi::UnsafeInit{}));
  frames_.back().current = mark.current;
}

void Explainer::BeginPart(const PatternNode* part, int place) {
  if (part->kind == Kind::kOp && !part->is_number) EnterPlace(place);
}

void Explainer::EndPart(const PatternNode* part, const std::optional<PrimExpr>& result) {
  if (part->kind != Kind::kOp || part->is_number) return;
  Leave(result.value_or(frames_.back().current));
}

void Explainer::BeginMeeting(const PrimExpr& chain, int place) {
  marks_.push_back({steps_.size(), frames_.back().current});
  const auto redo = [](RewriteSimplifier*) { return true; };
  if (!IsEqual(frames_.back().current, chain)) AddStep(StepMethod::kRegrouping, chain, redo);
  EnterPlace(place);
}

void Explainer::EndMeeting(const std::optional<PrimExpr>& result) {
  Leave(result.value_or(frames_.back().current));
  const Mark mark = std::move(marks_.back());
  marks_.pop_back();
  if (result.has_value()) return;
  steps_.resize(mark.num_steps, ExplanationStep(ffi::UnsafeInit{}));
  frames_.back().current = mark.current;
}

void Explainer::OnSum(const PrimExpr& sum) {
  const PrimExpr before = frames_.back().current;
  const auto redo = [&](RewriteSimplifier* rewriter) {
    rewriter->means_ = Means::kAll;
    return IsEqual(rewriter->AsSum(before), sum);
  };
  AddStep(StepMethod::kSum, sum, redo);
}

void Explainer::AddStep(StepMethod method, const PrimExpr& after, const Redo& redo, int rule) {
  const PrimExpr before = std::exchange(frames_.back().current, after);
  const auto holds = [&](const ConstraintSet& facts) {
    State state;
    state.constraints = facts;
    return redo(&state.rewriter);
  };
  const ffi::Array<PrimExpr> facts = NeededFacts(known_->constraints, before, holds);
  ffi::Array<int64_t> path;
  for (size_t i = 1; i < frames_.size(); ++i) path.push_back(frames_[i].place);
  const RewriteRuleSet& rules = RewriteRuleSet::Global();
  const std::string text = rule < 0 ? "" : TextOf(rules.texts()[rule]);
  const std::string source = rule < 0 ? "" : rules.SourceOf(rule);
  steps_.emplace_back(method, text, source, rule, path, before, after, facts, Whole());
}

PrimExpr Explainer::Whole() const {
  PrimExpr whole = frames_.back().current;
  for (size_t i = frames_.size() - 1; i > 0; --i) {
    whole = WithSubExpression(frames_[i - 1].current, frames_[i].place, whole);
  }
  return whole;
}

}  // namespace uir::arith
