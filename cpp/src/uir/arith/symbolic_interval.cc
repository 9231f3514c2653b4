// Intervals between symbolic ends, and their arithmetic.
#include "./symbolic_interval.h"

#include <uir/ir/dtype.h>

#include "./const_int_bound.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

/*! \brief The operation on two ends, or the end that there is. */
End OnEither(Case op, const End& a, const End& b) {
  if (!a.has_value()) return b;
  return b.has_value() ? OnEnds(op, a, b) : a;
}

SymbolicInterval Simplified(const SymbolicInterval& interval, const Analyzer& analyzer) {
  if (!interval.min.has_value() && !interval.max.has_value()) return interval;
  if (interval.IsPoint()) return SymbolicInterval::Point(analyzer->Simplify(interval.min.value()));
  SymbolicInterval result = interval;
  if (result.min.has_value()) result.min = analyzer->Simplify(result.min.value());
  if (result.max.has_value()) result.max = analyzer->Simplify(result.max.value());
  return result;
}

}  // namespace

End OnEnds(Case op, const End& a, const End& b) {
  if (!a.has_value() || !b.has_value()) return std::nullopt;
  const std::optional<int64_t> left = IntConstOf(a.value());
  const std::optional<int64_t> right = IntConstOf(b.value());
  if (!left || !right) return MakeBinary(op, a.value(), b.value(), std::nullopt);
  const Interval number = Apply(op, Interval::Point(*left), Interval::Point(*right));
  const DLDataType dtype = a.value()->dtype;
  if (!number.IsPoint() || !FitsType(number, dtype)) return std::nullopt;
  return MakeInt(dtype, number.min);
}

SymbolicInterval SymbolicInterval::Of(Interval interval, DLDataType dtype) {
  const Interval all = IntervalOf(dtype);
  const Interval both = Intersect(interval, all);
  const bool is_index = IsIndex(dtype);
  SymbolicInterval result;
  const bool has_min = both.min != Interval::kNegInf && !(is_index && both.min == all.min);
  const bool has_max = both.max != Interval::kPosInf && !(is_index && both.max == all.max);
  if (has_min && all.Contains(both.min)) result.min = MakeInt(dtype, both.min);
  if (has_max && all.Contains(both.max)) result.max = MakeInt(dtype, both.max);
  return result;
}

bool SymbolicInterval::IsNothing() const {
  const std::optional<Interval> numbers = AsNumbers();
  return numbers && numbers->IsEmpty();
}

std::optional<Interval> SymbolicInterval::AsNumbers() const {
  Interval numbers;
  if (min.has_value()) {
    const std::optional<int64_t> value = IntConstOf(min.value());
    if (!value) return std::nullopt;
    numbers.min = *value;
  }
  if (max.has_value()) {
    const std::optional<int64_t> value = IntConstOf(max.value());
    if (!value) return std::nullopt;
    numbers.max = *value;
  }
  return numbers;
}

IntSet ToIntSet(const SymbolicInterval& interval, const Analyzer& analyzer) {
  const SymbolicInterval simple = Simplified(interval, analyzer);
  const bool has_both = simple.min.has_value() && simple.max.has_value() && !simple.IsPoint();
  const bool is_empty = has_both && analyzer->CanProveLess(simple.max.value(), simple.min.value());
  return is_empty ? nothing() : IntSet(simple.min, simple.max);
}

SymbolicInterval Union(const SymbolicInterval& a, const SymbolicInterval& b) {
  if (a.IsNothing()) return b;
  if (b.IsNothing()) return a;
  return {OnEnds(Case::kMin, a.min, b.min), OnEnds(Case::kMax, a.max, b.max)};
}

SymbolicInterval Intersect(const SymbolicInterval& a, const SymbolicInterval& b) {
  if (a.IsNothing()) return a;
  if (b.IsNothing()) return b;
  return {OnEither(Case::kMax, a.min, b.min), OnEither(Case::kMin, a.max, b.max)};
}

bool IntervalArithmetic::IsNonNegative(const End& end) {
  if (!end.has_value()) return false;
  if (analyzer_->BoundOf(end.value()).min >= 0) return true;
  return analyzer_->CanProveLessEqual(MakeInt(end.value()->dtype, 0), end.value());
}

bool IntervalArithmetic::IsPositive(const End& end) {
  if (!end.has_value()) return false;
  if (analyzer_->BoundOf(end.value()).min > 0) return true;
  return analyzer_->CanProveLess(MakeInt(end.value()->dtype, 0), end.value());
}

SymbolicInterval IntervalArithmetic::Apply(Case op, const SymbolicInterval& a,
                                           const SymbolicInterval& b, DLDataType dtype) {
  const std::optional<Interval> left = a.AsNumbers();
  const std::optional<Interval> right = b.AsNumbers();
  if (left && right) return SymbolicInterval::Of(arith::Apply(op, *left, *right), dtype);
  switch (op) {
    case Case::kAdd:
      return {OnEnds(op, a.min, b.min), OnEnds(op, a.max, b.max)};
    case Case::kSub:
      return {OnEnds(op, a.min, b.max), OnEnds(op, a.max, b.min)};
    case Case::kMul:
      return Multiply(a, b);
    case Case::kDiv:
    case Case::kFloorDiv:
      return b.IsPoint() ? Divide(op, a, b.min.value()) : SymbolicInterval();
    case Case::kMod:
    case Case::kFloorMod:
      return b.IsPoint() ? Remainder(op, a, b.min.value()) : SymbolicInterval();
    case Case::kMin:
      return {OnEnds(op, a.min, b.min), OnEither(op, a.max, b.max)};
    case Case::kMax:
      return {OnEither(op, a.min, b.min), OnEnds(op, a.max, b.max)};
    default:
      return {};
  }
}

SymbolicInterval IntervalArithmetic::Multiply(const SymbolicInterval& a,
                                              const SymbolicInterval& b) {
  if (b.IsPoint()) return Scale(a, b.min.value());
  if (a.IsPoint()) return Scale(b, a.min.value());
  if (!IsNonNegative(a.min) || !IsNonNegative(b.min)) return {};
  return {OnEnds(Case::kMul, a.min, b.min), OnEnds(Case::kMul, a.max, b.max)};
}

SymbolicInterval IntervalArithmetic::Scale(const SymbolicInterval& a, const PrimExpr& factor) {
  const End first = OnEnds(Case::kMul, a.min, factor);
  if (a.IsPoint() && first.has_value()) return SymbolicInterval::Point(first.value());
  const End last = OnEnds(Case::kMul, a.max, factor);
  const Interval sign = analyzer_->BoundOf(factor);
  if (sign.min >= 0 || IsNonNegative(factor)) return {first, last};
  if (sign.max <= 0) return {last, first};
  return {OnEnds(Case::kMin, first, last), OnEnds(Case::kMax, first, last)};
}

SymbolicInterval IntervalArithmetic::Divide(Case op, const SymbolicInterval& a,
                                            const PrimExpr& divisor) {
  // Both roundings are monotonic in the dividend.
  if (IsPositive(divisor)) return {OnEnds(op, a.min, divisor), OnEnds(op, a.max, divisor)};
  const bool is_negative = analyzer_->BoundOf(divisor).max < 0;
  if (!is_negative) return {};
  return {OnEnds(op, a.max, divisor), OnEnds(op, a.min, divisor)};
}

SymbolicInterval IntervalArithmetic::Remainder(Case op, const SymbolicInterval& a,
                                               const PrimExpr& divisor) {
  if (!IsPositive(divisor)) return {};
  const PrimExpr zero = MakeInt(divisor->dtype, 0);
  const PrimExpr largest =
      MakeBinary(Case::kSub, divisor, MakeInt(divisor->dtype, 1), std::nullopt);
  if (op == Case::kMod && !IsNonNegative(a.min)) {
    return {MakeBinary(Case::kSub, zero, largest, std::nullopt), largest};
  }
  if (a.min.has_value() && a.max.has_value()) {
    const PrimExpr first = MakeBinary(Case::kFloorDiv, a.min.value(), divisor, std::nullopt);
    const PrimExpr last = MakeBinary(Case::kFloorDiv, a.max.value(), divisor, std::nullopt);
    // What lies between two multiples keeps its distance from the lower one.
    if (analyzer_->CanProveEqual(first, last)) {
      return {MakeBinary(Case::kFloorMod, a.min.value(), divisor, std::nullopt),
              MakeBinary(Case::kFloorMod, a.max.value(), divisor, std::nullopt)};
    }
  }
  return {zero, largest};
}

}  // namespace uir::arith
