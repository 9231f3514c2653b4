// Products of sums, multiplied out.
#include <algorithm>
#include <utility>
#include <vector>

#include "./canonical_form.h"
#include "./const_fold.h"
#include "./speculatable.h"

namespace uir::arith {

namespace {

using ir::PrimExpr;

/*! \brief How many sums and products are made of an expression's parts. */
int64_t CountRing(const PrimExpr& expr) {
  const Case op = CaseOf(expr);
  if (!IsRing(op)) return 0;
  const Operands operands = OperandsOf(expr.get(), op);
  return 1 + CountRing(*operands.a) + CountRing(*operands.b);
}

/*! \brief The factors of a product, down to a few levels. */
void FindFactors(const PrimExpr& expr, int depth, std::vector<PrimExpr>* factors) {
  if (CaseOf(expr) != Case::kMul || depth == 0) return factors->push_back(expr);
  const Operands operands = OperandsOf(expr.get(), Case::kMul);
  FindFactors(*operands.a, depth - 1, factors);
  FindFactors(*operands.b, depth - 1, factors);
}

/*! \brief Whether a term is a product of sums, or of a sum and other factors. */
bool HasSumAsFactor(const LinearTerm& term) {
  if (!term.is_product || !term.IsPlain() || CaseOf(term.atom) != Case::kMul) return false;
  const Operands operands = OperandsOf(term.atom.get(), Case::kMul);
  return IsRing(CaseOf(*operands.a)) || IsRing(CaseOf(*operands.b));
}

bool IsLarge(const LinearTerm& term) {
  return term.is_product && !SpeculationCheck::IsSmall(term.atom);
}

/*! \brief The digits that a term takes of its atom. */
PrimExpr ValueOfTerm(LinearTerm term) {
  term.scale = 1;
  const DLDataType dtype = term.atom->dtype;
  LinearForm form;
  form.terms.push_back(std::move(term));
  return *ToExpr(form, dtype, std::nullopt);
}

/*! \brief Add the product of two terms. */
bool AddProduct(const LinearTerm& a, const LinearTerm& b, LinearForm* result) {
  LinearTerm product{MakeBinary(Case::kMul, ValueOfTerm(a), ValueOfTerm(b), std::nullopt)};
  product.is_product = true;
  product.atom_cost = CountRing(product.atom);
  return !__builtin_mul_overflow(a.scale, b.scale, &product.scale) && result->AddTerm(product);
}

/*! \brief Multiply two sums; none if the result is too long. */
std::optional<LinearForm> Multiply(const LinearForm& a, const LinearForm& b) {
  LinearForm result;
  for (const LinearTerm& left : a.terms) {
    for (const LinearTerm& right : b.terms) {
      if (!AddProduct(left, right, &result)) return std::nullopt;
    }
  }
  LinearForm terms = b;
  terms.base = 0;
  if (!result.AddScaled(terms, a.base) || !result.AddScaled(a, b.base)) return std::nullopt;
  const auto is_zero = [](const LinearTerm& term) { return term.scale == 0; };
  auto& made = result.terms;
  made.erase(std::remove_if(made.begin(), made.end(), is_zero), made.end());
  return result;
}

}  // namespace

bool CanonicalFormAnalyzer::AddExpanded(const LinearTerm& term, LinearForm* result) {
  constexpr int kMostLevels = 4;
  if (!HasSumAsFactor(term)) {
    LinearTerm same = term;
    if (same.is_product) same.atom_cost = CountRing(same.atom);
    return result->AddTerm(same);
  }
  std::vector<PrimExpr> factors;
  FindFactors(term.atom, kMostLevels, &factors);
  std::optional<LinearForm> product = VisitPrimExpr(factors[0]);
  for (size_t i = 1; i < factors.size() && product; ++i) {
    product = Multiply(*product, VisitPrimExpr(factors[i]));
  }
  return product && result->AddScaled(*product, term.scale);
}

void CanonicalFormAnalyzer::Expand(LinearForm* form) {
  const LinearTerms& terms = form->terms;
  if (terms.size() < 2 || std::none_of(terms.begin(), terms.end(), HasSumAsFactor)) return;
  if (std::any_of(terms.begin(), terms.end(), IsLarge)) return;
  LinearForm expanded;
  if (!AddAll(&CanonicalFormAnalyzer::AddExpanded, *form, &expanded)) return;
  int64_t num_hidden = 0;
  for (const LinearTerm& term : terms) {
    if (term.is_product) num_hidden += CountRing(term.atom) - term.atom_cost;
  }
  if (expanded.Cost() >= form->Cost() + num_hidden) return;
  expanded.num_read = form->num_read + num_hidden;
  *form = std::move(expanded);
}

}  // namespace uir::arith
