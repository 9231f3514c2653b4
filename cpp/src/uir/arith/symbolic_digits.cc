// Joins digits of one value, split by divisors that are not constant, in sums.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "./canonical_form.h"
#include "./product.h"
#include "./queries.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

/*! \brief A product with a quotient or a remainder among its factors. */
struct DigitProduct {
  Product others;
  PrimExpr dividend;
  PrimExpr divisor;
};

std::optional<DigitProduct> DigitsOf(Product product, Case op) {
  const auto is_digits = [op](const PrimExpr& factor) { return CaseOf(factor) == op; };
  auto& factors = product.factors;
  const auto found = std::find_if(factors.begin(), factors.end(), is_digits);
  if (found == factors.end()) return std::nullopt;
  const PrimExpr digits = *found;
  factors.erase(found);
  const Operands operands = OperandsOf(digits.get(), op);
  return DigitProduct{std::move(product), *operands.a, *operands.b};
}

/*! \brief Whether one value is a product of others; then `rest` is that of the other factors. */
bool DividesInto(const PrimExpr& expr, const PrimExpr& divisor, Product* rest) {
  Product factors;
  return MultiplyWith(expr, rest) && MultiplyWith(divisor, &factors) && TakeOut(factors, rest);
}

bool IsOne(const Product& product) { return product.number == 1 && product.factors.empty(); }

/*! \brief Whether a product of few factors has one of a kind. */
bool HasFactor(const PrimExpr& expr, Case op, int depth = 0) {
  constexpr int kMostLevels = 4;
  if (CaseOf(expr) != Case::kMul || depth == kMostLevels) return CaseOf(expr) == op;
  const Operands operands = OperandsOf(expr.get(), Case::kMul);
  return HasFactor(*operands.b, op, depth + 1) || HasFactor(*operands.a, op, depth + 1);
}

bool HasQuotient(const LinearTerm& term) {
  if (term.is_trunc) return false;
  if (term.IsPlain()) return HasFactor(term.atom, Case::kFloorDiv);
  return term.lower != 1 && CaseOf(term.atom) == Case::kFloorMod;
}

bool HasRemainder(const LinearTerm& term) {
  if (term.is_trunc) return false;
  return term.IsPlain() ? HasFactor(term.atom, Case::kFloorMod) : term.lower == 1;
}

PrimExpr ProductExpr(const Product& product, DLDataType dtype) {
  PrimExpr value = MakeInt(dtype, product.number);
  for (auto factor = product.factors.rbegin(); factor != product.factors.rend(); ++factor) {
    value = MakeBinary(Case::kMul, *factor, std::move(value), std::nullopt);
  }
  return value;
}

}  // namespace

std::optional<PrimExpr> CanonicalFormAnalyzer::WholeOf(const PrimExpr& high_dividend,
                                                       const PrimExpr& high_divisor,
                                                       const PrimExpr& low_dividend,
                                                       const PrimExpr& low_divisor) {
  Product times;
  const bool is_multiple = DividesInto(high_divisor, low_divisor, &times) && IsExact(high_divisor);
  if (!is_multiple) return std::nullopt;
  if (IsOne(times)) {
    if (IsSame(high_dividend, low_dividend)) return high_dividend;
    // `x % (y * z) // y * y + x % y` is `x % (y * z)`.
    if (CaseOf(high_dividend) != Case::kFloorMod) return std::nullopt;
    const Operands inner = OperandsOf(high_dividend.get(), Case::kFloorMod);
    const bool is_same = IsSame(*inner.a, low_dividend) && IsExact(*inner.b);
    if (is_same && DividesInto(*inner.b, low_divisor, &times)) return high_dividend;
    return std::nullopt;
  }
  // `x // (y * z) * z + x // y % z` is `x // y`.
  if (CaseOf(low_dividend) != Case::kFloorDiv) return std::nullopt;
  const Operands inner = OperandsOf(low_dividend.get(), Case::kFloorDiv);
  Product one = std::move(times);
  Product divisor;
  const bool is_digit = IsSame(*inner.a, high_dividend) && MultiplyWith(*inner.b, &divisor) &&
                        TakeOut(divisor, &one) && IsOne(one);
  // A divisor is not 0.
  const bool is_whole = is_digit && known_->BoundOf(low_divisor).min >= 0;
  return is_whole ? std::optional<PrimExpr>(low_dividend) : std::nullopt;
}

bool CanonicalFormAnalyzer::JoinPair(const Product& high, const Product& low, Product* whole) {
  const auto quotient = DigitsOf(high, Case::kFloorDiv);
  auto remainder = DigitsOf(low, Case::kFloorMod);
  if (!quotient || !remainder) return false;
  Product place = quotient->others;
  Product divisor;
  const bool is_next = TakeOut(remainder->others, &place) &&
                       MultiplyWith(remainder->divisor, &divisor) && TakeOut(divisor, &place) &&
                       IsOne(place);
  if (!is_next) return false;
  const std::optional<PrimExpr> value =
      WholeOf(quotient->dividend, quotient->divisor, remainder->dividend, remainder->divisor);
  if (!value.has_value()) return false;
  *whole = std::move(remainder->others);
  whole->factors.push_back(value.value());
  return true;
}

bool CanonicalFormAnalyzer::JoinAnyPair(LinearForm* form) {
  const DLDataType dtype = form->terms[0].atom->dtype;
  LinearForm terms = *form;
  terms.base = 0;
  const auto products = ProductsOf(terms, dtype);
  if (!products) return false;
  for (size_t high = 0; high < products->size(); ++high) {
    if (!HasQuotient(form->terms[high])) continue;
    for (size_t low = 0; low < products->size(); ++low) {
      Product whole;
      if (low == high || !JoinPair((*products)[high], (*products)[low], &whole)) continue;
      LinearForm joined;
      joined.base = form->base;
      for (size_t i = 0; i < products->size(); ++i) {
        if (i != high && i != low && !joined.AddTerm(form->terms[i])) return false;
      }
      if (!joined.AddScaled(VisitPrimExpr(ProductExpr(whole, dtype)), 1)) return false;
      joined.num_read = form->num_read;
      joined.Join();
      *form = std::move(joined);
      return true;
    }
  }
  return false;
}

void CanonicalFormAnalyzer::JoinSymbolicDigits(LinearForm* form) {
  const LinearTerms& terms = form->terms;
  while (terms.size() > 1 && std::any_of(terms.begin(), terms.end(), HasQuotient) &&
         std::any_of(terms.begin(), terms.end(), HasRemainder)) {
    if (!JoinAnyPair(form)) return;
  }
}

}  // namespace uir::arith
