// The analyzer's interface over its parts.
#include <tvm/ffi/error.h>
#include <uir/arith/analyzer.h>
#include <uir/arith/data.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>

#include <utility>

#include "./analyzer_state.h"
#include "./prefetch.h"
#include "./rewrite_rule.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

void CheckBool(const char* name, const PrimExpr& condition) {
  if (ir::IsBool(condition->dtype) && ir::IsScalar(condition->dtype)) return;
  TVM_FFI_THROW(TypeError) << name << ": `condition` must be a scalar boolean, got `"
                           << condition->dtype << "` (" << ir::describe(condition) << ")";
}

void CheckOperandTypes(const char* name, const PrimExpr& a, const PrimExpr& b) {
  if (a->dtype == b->dtype) return;
  TVM_FFI_THROW(TypeError) << name << ": the two values must have the same data type, got `"
                           << a->dtype << "` and `" << b->dtype << "` (" << ir::describe(a) << ", "
                           << ir::describe(b) << ")";
}

/*! \brief A state that an `Analyzer` can have as a field. */
class StateObject : public ffi::Object {
 public:
  State state;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("uir.arith.State", StateObject, ffi::Object);
};

}  // namespace

State& StateOf(const AnalyzerNode* analyzer) {
  auto& object = const_cast<AnalyzerNode*>(analyzer)->state;
  if (!object.has_value()) object = ffi::ObjectRef(ffi::make_object<StateObject>());
  return static_cast<StateObject*>(const_cast<ffi::Object*>(object.get()))->state;
}

void EnterScope(const Analyzer& analyzer) { StateOf(analyzer.get()).constraints.Enter(); }

void BindDefinition(const Analyzer& analyzer, const tir::Var& var, const PrimExpr& value) {
  State& known = StateOf(analyzer.get());
  known.BindDefinition(var, value);
  known.ClearMemos();
}

bool Fits(const Analyzer& analyzer, const PrimExpr& expr) {
  State& known = StateOf(analyzer.get());
  if (FitsType(known.ExactBoundOf(expr), expr->dtype)) return true;
  return IsIndex(expr->dtype) && known.Fits(known.SumOf(expr), expr->dtype, {});
}

bool IsKnown(const Analyzer& analyzer, const tir::Var& var) {
  return StateOf(analyzer.get()).constraints.Find(var.get()) != nullptr;
}

bool HasMetLet(const Analyzer& analyzer) { return StateOf(analyzer.get()).rewriter.HasMetLet(); }

bool IsData(const Analyzer& analyzer, const PrimExpr& expr) {
  return StateOf(analyzer.get()).IsData(expr);
}

int64_t FactsVersion(const Analyzer& analyzer) {
  return StateOf(analyzer.get()).constraints.version();
}

void IntIntervalNode::PostInit() {
  if (min_value <= max_value) return;
  TVM_FFI_THROW(ValueError) << "IntInterval: `min_value` must not be above `max_value`, got "
                            << min_value << " and " << max_value;
}

void IntCongruenceNode::PostInit() {
  if (coeff == 0 || (0 <= base && base < coeff)) return;
  TVM_FFI_THROW(ValueError) << "IntCongruence: `base` must be from 0 to `coeff` - 1, got " << base
                            << " and " << coeff;
}

void AnalyzerNode::BindRange(tir::Var var, ir::Range range) const {
  CheckOperandTypes("bind_range", var, range->min);
  State& known = StateOf(this);
  known.BindRange(var, Simplify(range->min), Simplify(range->extent));
  known.ClearMemos();
}

void AnalyzerNode::BindValue(tir::Var var, PrimExpr value) const {
  CheckOperandTypes("bind_value", var, value);
  State& known = StateOf(this);
  known.BindValue(var, Simplify(value));
  known.ClearMemos();
}

void AnalyzerNode::BindModular(tir::Var var, int64_t coeff, int64_t base) const {
  if (coeff <= 0) {
    TVM_FFI_THROW(ValueError) << "bind_modular: `coeff` must be positive, got " << coeff;
  }
  State& known = StateOf(this);
  known.Restrict(var, {}, MakeCongruence(coeff, base));
  known.ClearMemos();
}

void AnalyzerNode::Assume(PrimExpr condition) const {
  CheckBool("assume", condition);
  State& known = StateOf(this);
  known.Assume(Simplify(condition), true);
  known.ClearMemos();
}

void AnalyzerNode::EnterConstraint(PrimExpr condition) const {
  CheckBool("enter_constraint", condition);
  StateOf(this).EnterCase(Simplify(condition), true);
}

void AnalyzerNode::ExitConstraint() const { StateOf(this).LeaveCase(); }

PrimExpr AnalyzerNode::Simplify(PrimExpr expr) const {
  State& known = StateOf(this);
  Prefetch(&known, sizeof(State));
  return known.rewriter.Simplify(expr, Means::kAll);
}

PrimExpr AnalyzerNode::RewriteSimplify(PrimExpr expr) const {
  return StateOf(this).rewriter.Simplify(expr, Means::kRules);
}

PrimExpr AnalyzerNode::CanonicalSimplify(PrimExpr expr) const {
  return StateOf(this).rewriter.Simplify(expr, Means::kCanonical);
}

IntInterval AnalyzerNode::ConstIntBound(PrimExpr expr) const {
  const Interval bound = BoundOf(expr);
  return IntInterval(bound.min, bound.max);
}

Interval AnalyzerNode::BoundOf(const PrimExpr& expr) const {
  if (!ir::IsInteger(expr->dtype) && !ir::IsBool(expr->dtype)) {
    TVM_FFI_THROW(TypeError) << "const_int_bound: `expr` must be an integer or a boolean, got `"
                             << expr->dtype << "` (" << ir::describe(expr) << ")";
  }
  State& state = StateOf(this);
  const bool has_facts = !state.constraints.non_negative().empty();
  const Interval bound = has_facts ? FactBoundAnalyzer(&state)(expr) : state.BoundOf(expr);
  // If the constraints are contradictory, return the bounds that hold without them.
  return bound.IsEmpty() ? IntervalOf(expr->dtype) : bound;
}

IntCongruence AnalyzerNode::ModularSet(PrimExpr expr) const {
  const Congruence found = StateOf(this).CongruenceOf(expr);
  return IntCongruence(found.coeff, found.base);
}

bool AnalyzerNode::CanProve(PrimExpr condition) const {
  CheckBool("can_prove", condition);
  const PrimExpr simplified = Simplify(std::move(condition));
  return IsLeaf(CaseOf(simplified)) ? IsTrue(simplified) : StateOf(this).ProveByCases(simplified);
}

bool AnalyzerNode::CanProveEqual(PrimExpr a, PrimExpr b) const {
  CheckOperandTypes("can_prove_equal", a, b);
  State& known = StateOf(this);
  return known.IsEqual(a, b) || known.IsEqual(Simplify(a), Simplify(b));
}

bool AnalyzerNode::CanProveLess(PrimExpr a, PrimExpr b) const {
  CheckOperandTypes("can_prove_less", a, b);
  State& known = StateOf(this);
  return known.IsLess(a, b) || known.IsLess(Simplify(a), Simplify(b));
}

bool AnalyzerNode::CanProveLessEqual(PrimExpr a, PrimExpr b) const {
  CheckOperandTypes("can_prove_less_equal", a, b);
  State& known = StateOf(this);
  return known.IsLessEqual(a, b) || known.IsLessEqual(Simplify(a), Simplify(b));
}

ffi::Array<ffi::Array<ffi::String>> rewrite_rules() {
  constexpr const char* kDomains[] = {"any", "index", "bool", "float", "value"};
  ffi::Array<ffi::Array<ffi::String>> rules;
  for (const RuleText& text : RewriteRuleSet::Global().texts()) {
    rules.push_back(
        {kDomains[static_cast<int>(text.domain)], text.pattern, text.result, text.condition});
  }
  return rules;
}

ffi::Optional<PrimExpr> apply_rewrite_rule(int64_t index, PrimExpr expr) {
  const std::optional<Shape> shape = ShapeOf(expr);
  if (!shape) return std::nullopt;
  State state;
  ffi::Optional<PrimExpr> result;
  NodeShape(*shape).VisitRules([&](const RewriteRule& rule) {
    if (rule.index != index) return false;
    result = state.rewriter.ApplyRule(rule, *shape, expr->dtype, expr->span);
    return result.has_value();
  });
  return result;
}

}  // namespace uir::arith
