// Evaluation at sample points, and which of them agree with the facts.
#include "./sample_points.h"

#include <uir/arith/integer_domain.h>
#include <uir/ir/dtype.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>

#include <algorithm>
#include <utility>

#include "./const_fold.h"
#include "./queries.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

/*! \brief Ends of ranges beyond these are not taken: sums of them might not fit. */
constexpr int64_t kLargest = int64_t{1} << 30;
/*! \brief How far above its lower end a range without an upper end is sampled. */
constexpr int64_t kFarSample = 997;

/*! \brief The values at the two points of a variable without facts. */
constexpr std::array<int64_t, VarFacts::kNumPoints> kFree = {-5, 101};

/*! \brief Evaluates small expressions at a point. */
class Evaluator {
 public:
  Evaluator(const ConstraintSet& constraints, size_t point)
      : constraints_(constraints), point_(point) {}

  /*! \brief The value; none if it is not known, or does not fit the type. */
  std::optional<int64_t> Visit(const PrimExpr& expr) {
    const Case op = CaseOf(expr);
    if (op == Case::kIntImm) return static_cast<const ir::IntImmNode*>(expr.get())->value;
    if (--num_left_ < 0) return std::nullopt;
    if (op == Case::kVar || op == Case::kSizeVar) {
      return VisitVar(static_cast<const tir::VarNode*>(expr.get()), op);
    }
    if (op == Case::kNot) {
      const std::optional<int64_t> a = Visit(static_cast<const tir::NotNode*>(expr.get())->a);
      return a ? std::optional<int64_t>(*a == 0) : std::nullopt;
    }
    if (!IsBinary(op)) return std::nullopt;
    const Operands operands = OperandsOf(expr.get(), op);
    const std::optional<int64_t> a = Visit(*operands.a);
    const std::optional<int64_t> b = a ? Visit(*operands.b) : std::nullopt;
    if (!b) return std::nullopt;
    if (!IsArithmetic(op)) return Evaluate(op, *a, *b);
    return IsIndex(expr->dtype) ? FoldFitting(op, expr->dtype, *a, *b) : std::nullopt;
  }

  std::optional<int64_t> Visit(const LinearForm& form) {
    int64_t sum = form.base;
    for (const LinearTerm& term : form.terms) {
      std::optional<int64_t> value = Visit(term.atom);
      if (!value) return std::nullopt;
      const Case mod = term.is_trunc ? Case::kMod : Case::kFloorMod;
      const Case div = term.is_trunc ? Case::kDiv : Case::kFloorDiv;
      const DLDataType dtype = term.atom->dtype;
      if (term.upper != 0) value = FoldInt(mod, dtype, *value, term.upper);
      if (value && term.lower != 1) value = FoldInt(div, dtype, *value, term.lower);
      int64_t product = 0;
      const bool fits = value && !__builtin_mul_overflow(*value, term.scale, &product) &&
                        !__builtin_add_overflow(sum, product, &sum);
      if (!fits) return std::nullopt;
    }
    return sum;
  }

 private:
  std::optional<int64_t> VisitVar(const tir::VarNode* var, Case op) {
    if (!IsIndex(var->dtype)) return std::nullopt;
    const VarFacts* facts = constraints_.Find(var);
    if (facts != nullptr && facts->value.has_value()) return Visit(facts->value.value());
    if (facts != nullptr && (facts->is_data || !facts->is_sampled)) return std::nullopt;
    const int64_t value = facts == nullptr ? kFree[point_] : facts->samples[point_];
    return op == Case::kSizeVar && value < 0 ? std::nullopt : std::optional(value);
  }

  const ConstraintSet& constraints_;
  size_t point_;
  /*! \brief How many more nodes are evaluated: an expression may be large. */
  int num_left_ = 64;
};

/*! \brief Whether a value is in the range of a variable. */
bool IsPossible(const VarFacts& facts, int64_t value) {
  const Congruence values = facts.congruence;
  return facts.bound.Contains(value) && IntervalOf(facts.var->dtype).Contains(value) &&
         (values.coeff <= 1 || FloorMod(value, values.coeff) == values.base);
}

/*! \brief The ends that are sampled of a range that may have none. */
std::array<int64_t, VarFacts::kNumPoints> EndsOf(const VarFacts& facts) {
  const Interval range = Intersect(facts.bound, IntervalOf(facts.var->dtype));
  const int64_t coeff = std::max<int64_t>(facts.congruence.coeff, 1);
  const auto next = [&](int64_t value) {
    return value + FloorMod(facts.congruence.base - value, coeff);
  };
  if (range.min < -kLargest && range.max > kLargest) return {next(kFree[0]), next(kFree[1])};
  if (range.min < -kLargest) return {next(range.max - kFarSample - coeff), range.max};
  if (range.max > kLargest) return {range.min, next(range.min + kFarSample)};
  return {range.min, range.max};
}

}  // namespace

void SamplePoints::MoveIntoRange(VarFacts* facts) {
  const auto is_possible = [&] {
    return std::all_of(facts->samples.begin(), facts->samples.end(),
                       [&](int64_t value) { return IsPossible(*facts, value); });
  };
  if (facts->is_sampled && is_possible()) return;
  facts->samples = EndsOf(*facts);
  facts->is_sampled = is_possible();
}

void SamplePoints::MoveToEnds(VarFacts* facts, const PrimExpr& min, const PrimExpr& end) {
  const ConstraintSet& constraints = known_->constraints;
  const std::optional<int64_t> low = Evaluator(constraints, 0).Visit(min);
  const std::optional<int64_t> high = Evaluator(constraints, 1).Visit(end);
  if (low && IsPossible(*facts, *low)) facts->samples[0] = *low;
  if (high && IsPossible(*facts, *high - 1)) facts->samples[1] = *high - 1;
}

bool SamplePoints::IsRefuted(const PrimExpr& a, const PrimExpr& b, int64_t distance) {
  const int64_t version = known_->constraints.version();
  if (std::exchange(version_, version) != version) {
    for (size_t point = 0; point < holds_.size(); ++point) holds_[point] = FactsHoldAt(point);
  }
  // The upper ends refute more.
  for (size_t point = VarFacts::kNumPoints; point-- > 0;) {
    if (!holds_[point]) continue;
    Evaluator evaluator(known_->constraints, point);
    const std::optional<int64_t> low = evaluator.Visit(a);
    const std::optional<int64_t> high = low ? evaluator.Visit(b) : std::nullopt;
    int64_t end = 0;
    if (high && !__builtin_add_overflow(*low, distance, &end) && end > *high) return true;
  }
  return false;
}

bool SamplePoints::FactsHoldAt(size_t point) {
  constexpr size_t kMostFacts = 32;
  const ConstraintSet& known = known_->constraints;
  const size_t num_facts = known.facts().size() + known.non_negative().size() +
                           known.non_zero().size() + known.bounds().size();
  if (num_facts > kMostFacts) return false;
  const auto all_of = [&](const auto& facts, const auto& expr_of, const auto& is_right) {
    return std::all_of(facts.begin(), facts.end(), [&](const auto& fact) {
      const std::optional<int64_t> value = Evaluator(known, point).Visit(expr_of(fact));
      return value && is_right(fact, *value);
    });
  };
  const auto itself = [](const LinearForm& form) -> const LinearForm& { return form; };
  return all_of(
             known.facts(), [](const Fact& fact) { return fact.condition; },
             [](const Fact& fact, int64_t value) { return (value != 0) == fact.holds; }) &&
         all_of(known.non_negative(), itself, [](const auto&, int64_t sum) { return sum >= 0; }) &&
         all_of(known.non_zero(), itself, [](const auto&, int64_t sum) { return sum != 0; }) &&
         all_of(
             known.bounds(), [](const auto& bound) { return bound.first; },
             [](const auto& bound, int64_t value) { return bound.second.Contains(value); });
}

}  // namespace uir::arith
