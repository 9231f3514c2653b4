// Quotients and remainders by products of variables: multiples of the divisor, common factors.
#include <uir/ir/dtype.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "./product.h"
#include "./queries.h"
#include "./rewrite_simplify.h"

namespace uir::arith {

using ir::PrimExpr;

namespace {

/*! \brief The number that one sum is of another; 0 if there is none. */
int64_t TimesOfDivisor(const LinearForm& form, const LinearForm& divisor) {
  if (form.IsConstant() || divisor.terms.size() < 2 - (divisor.base != 0)) return 0;
  for (const LinearTerm& term : form.terms) {
    if (!IsAlike(term, divisor.terms[0])) continue;
    const std::optional<int64_t> times = ExactQuotient(term.scale, divisor.terms[0].scale);
    if (!times || *times == INT64_MIN) continue;
    LinearForm rest = form;
    const bool is_multiple =
        rest.AddScaled(divisor, -*times) && rest.IsConstant() && rest.base == 0;
    return is_multiple ? *times : 0;
  }
  return 0;
}

}  // namespace

/*! \brief A dividend, split into multiples of the divisor and a rest. */
struct RewriteSimplifier::SymbolicDivision {
  Case op;
  const Place& place;
  DLDataType dtype;
  Product divisor;
  LinearForm dividend;
  std::vector<Product> quotients;
  LinearForm multiples;
  LinearForm rest;

  bool IsQuotient() const { return op == Case::kDiv || op == Case::kFloorDiv; }
  bool IsTrunc() const { return op == Case::kDiv || op == Case::kMod; }
  /*! \brief The place of a part of the result. */
  Place Part() const { return {nullptr, place.span, dtype}; }
};

/*!
 * \brief Divide by a value that is not constant, as `x * y * 32` by `y * 8`.
 * \return None if the result would not be simpler.
 */
std::optional<PrimExpr> RewriteSimplifier::DivideBySymbols(Case op, const PrimExpr& a,
                                                           const PrimExpr& b, const Place& place) {
  if (!IsIndex(a->dtype) || !IsRing(CaseOf(a)) || IntConstOf(b)) return std::nullopt;
  if (!known_->IsExact(a) || !known_->IsExact(b)) return std::nullopt;
  SymbolicDivision division{op, place, a->dtype, {}, known_->SumOf(a), {}, {}, {}};
  const int64_t times = TimesOfDivisor(division.dividend, known_->SumOf(b));
  if (times != 0) {
    const int64_t result = division.IsQuotient() ? times : 0;
    if (!FitsType(Interval::Point(result), a->dtype)) return std::nullopt;
    return MakeInt(a->dtype, result);
  }
  if (!MultiplyWith(b, &division.divisor) || division.divisor.number == 0) return std::nullopt;
  const auto products = ProductsOf(division.dividend, a->dtype);
  if (!products) return std::nullopt;
  if (auto result = TakeSymbolicMultiples(*products, b, &division)) return result;
  return DivideByCommon(*products, division);
}

/*! \brief Take the multiples of the divisor out of the dividend, if there are any. */
std::optional<PrimExpr> RewriteSimplifier::TakeSymbolicMultiples(
    const std::vector<Product>& products, const PrimExpr& b, SymbolicDivision* division) {
  division->rest.base = division->dividend.base;
  for (size_t i = 0; i < division->dividend.terms.size(); ++i) {
    Product quotient = products[i];
    const bool is_multiple = TakeOut(division->divisor, &quotient);
    LinearForm& form = is_multiple ? division->multiples : division->rest;
    form.terms.push_back(division->dividend.terms[i]);
    if (is_multiple) division->quotients.push_back(std::move(quotient));
  }
  if (division->quotients.empty()) return std::nullopt;
  const bool has_rest = !division->rest.IsConstant() || division->rest.base != 0;
  if (!has_rest)
    return division->IsQuotient() ? SumOf(division->quotients, *division)
                                  : MakeInt(division->dtype, 0);
  const auto is_positive = [&](const LinearForm& form) { return known_->BoundOf(form).min >= 0; };
  if (division->IsTrunc() && (!is_positive(division->multiples) || !is_positive(division->rest))) {
    return std::nullopt;
  }
  // The least integer divided by -1 overflows.
  const Interval divisor = known_->BoundOf(b);
  if (division->IsQuotient() && divisor.min < 0 && divisor.max >= -1) return std::nullopt;
  std::optional<PrimExpr> rest = ToExpr(division->rest, division->dtype, division->place.span);
  if (!rest) return std::nullopt;
  const bool fits =
      known_->Fits(division->rest, division->dtype, {division->dividend}) ||
      (known_->IsLessEqual(MakeInt(division->dtype, 0), *rest) && known_->IsLess(*rest, b));
  if (!fits) return std::nullopt;
  PrimExpr divided = MakeOp(division->op, *std::move(rest), b, division->Part());
  if (!division->IsQuotient()) return divided;
  std::optional<PrimExpr> sum = SumOf(division->quotients, *division);
  if (!sum.has_value()) return std::nullopt;
  return MakeOp(Case::kAdd, *std::move(sum), std::move(divided), division->Part());
}

/*! \brief Divide dividend and divisor by their common factors. */
std::optional<PrimExpr> RewriteSimplifier::DivideByCommon(const std::vector<Product>& products,
                                                          const SymbolicDivision& division) {
  Product common = division.divisor;
  for (const Product& product : products) common = CommonOf(common, product);
  if (common.factors.empty() && common.number <= 1) return std::nullopt;
  std::vector<Product> dividend = products;
  for (Product& product : dividend) TakeOut(common, &product);
  Product divisor = division.divisor;
  TakeOut(common, &divisor);
  // The quotient by at least 2 fits; the quotient by -1 may be one too large.
  const auto is_factor = [](const Product& product) {
    return product.number == 1 && product.factors.size() <= 1;
  };
  const bool is_single = dividend.size() == 1 && is_factor(dividend[0]) && is_factor(divisor);
  const bool is_never_one_less =
      common.number > 1 ||
      std::all_of(common.factors.begin(), common.factors.end(),
                  [&](const PrimExpr& factor) { return known_->BoundOf(factor).min >= 0; });
  if (!is_single && !is_never_one_less) return std::nullopt;
  const std::optional<PrimExpr> a = SumOf(dividend, division);
  const std::optional<PrimExpr> b = SumOf({divisor}, division);
  if (!a.has_value() || !b.has_value()) return std::nullopt;
  PrimExpr divided = MakeOp(division.op, a.value(), b.value(), division.Part());
  if (division.IsQuotient()) return divided;
  const std::optional<PrimExpr> factor = SumOf({common}, division);
  if (!factor.has_value()) return std::nullopt;
  return MakeOp(Case::kMul, std::move(divided), factor.value(), division.Part());
}

/*! \brief The sum of some products; None if a number does not fit the type. */
std::optional<PrimExpr> RewriteSimplifier::SumOf(const std::vector<Product>& products,
                                                 const SymbolicDivision& division) {
  const DLDataType dtype = division.dtype;
  std::optional<PrimExpr> sum;
  for (const Product& product : products) {
    if (product.number < ir::MinValue(dtype) || product.number > ir::MaxValue(dtype)) {
      return std::nullopt;
    }
    PrimExpr value = MakeInt(dtype, product.number);
    for (auto factor = product.factors.rbegin(); factor != product.factors.rend(); ++factor) {
      value = MakeOp(Case::kMul, *factor, std::move(value), division.Part());
    }
    sum = sum.has_value() ? MakeOp(Case::kAdd, *std::move(sum), std::move(value), division.Part())
                          : std::move(value);
  }
  return sum;
}

}  // namespace uir::arith
