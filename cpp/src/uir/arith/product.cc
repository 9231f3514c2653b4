// Products of a number and other values.
#include "./product.h"

#include <uir/arith/integer_domain.h>

#include <algorithm>
#include <utility>

#include "./const_fold.h"

namespace uir::arith {

using ir::PrimExpr;

namespace {

/*! \brief Remove a factor; false if it is not there. */
bool Remove(const PrimExpr& factor, Product* product) {
  auto& factors = product->factors;
  const auto is_factor = [&](const PrimExpr& other) { return IsSame(other, factor); };
  const auto found = std::find_if(factors.begin(), factors.end(), is_factor);
  if (found == factors.end()) return false;
  factors.erase(found);
  return true;
}

}  // namespace

bool MultiplyWith(const PrimExpr& expr, Product* product) {
  constexpr size_t kMostFactors = 12;
  std::vector<PrimExpr> rest = {expr};
  while (!rest.empty() && product->factors.size() <= kMostFactors) {
    const PrimExpr next = std::move(rest.back());
    rest.pop_back();
    if (const std::optional<int64_t> number = IntConstOf(next)) {
      if (__builtin_mul_overflow(product->number, *number, &product->number)) return false;
      continue;
    }
    if (CaseOf(next) == Case::kMul) {
      const Operands operands = OperandsOf(next.get(), Case::kMul);
      rest.push_back(*operands.b);
      rest.push_back(*operands.a);
      continue;
    }
    product->factors.push_back(next);
  }
  return product->factors.size() <= kMostFactors;
}

bool TakeOut(const Product& divisor, Product* product) {
  const std::optional<int64_t> number = ExactQuotient(product->number, divisor.number);
  if (!number) return false;
  product->number = *number;
  return std::all_of(divisor.factors.begin(), divisor.factors.end(),
                     [&](const PrimExpr& factor) { return Remove(factor, product); });
}

Product CommonOf(const Product& a, Product b) {
  Product common;
  common.number = Gcd(a.number, b.number);
  for (const PrimExpr& factor : a.factors) {
    if (Remove(factor, &b)) common.factors.push_back(factor);
  }
  return common;
}

std::optional<std::vector<Product>> ProductsOf(const LinearForm& form, DLDataType dtype) {
  std::vector<Product> products;
  for (LinearTerm term : form.terms) {
    Product product;
    product.number = std::exchange(term.scale, 1);
    LinearForm digits;
    digits.terms.push_back(std::move(term));
    const std::optional<PrimExpr> expr = ToExpr(digits, dtype, std::nullopt);
    if (!expr || !MultiplyWith(*expr, &product)) return std::nullopt;
    products.push_back(std::move(product));
  }
  if (form.base != 0) products.push_back({form.base, {}});
  return products;
}

}  // namespace uir::arith
