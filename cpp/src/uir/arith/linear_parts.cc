// Expressions that are linear in variables, with symbolic coefficients.
#include "./linear_parts.h"

#include <tvm/ffi/error.h>
#include <uir/arith/analyzer.h>
#include <uir/arith/deduction.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>

#include <utility>

#include "./const_fold.h"

namespace uir::arith {

using ir::PrimExpr;

namespace {

using MaybePart = ffi::Optional<PrimExpr>;

/*! \brief The sum or difference of two parts, where None is 0. */
MaybePart CombineParts(Case op, const MaybePart& a, const MaybePart& b) {
  if (!b.has_value()) return a;
  if (a.has_value()) return MakeBinary(op, a.value(), b.value(), std::nullopt);
  if (op == Case::kAdd) return b;
  return MakeBinary(op, MakeInt(b.value()->dtype, 0), b.value(), std::nullopt);
}

MaybePart Times(const MaybePart& a, const PrimExpr& factor) {
  if (!a.has_value()) return a;
  return MakeBinary(Case::kMul, a.value(), factor, std::nullopt);
}

}  // namespace

DependenceFinder::DependenceFinder(const std::vector<tir::Var>& vars) {
  for (const tir::Var& var : vars) vars_.insert(var.get());
}

bool DependenceFinder::operator()(const PrimExpr& expr) {
  found_ = false;
  VisitPrimExpr(expr);
  return found_;
}

void DependenceFinder::VisitPrimExpr(const PrimExpr& expr) {
  if (found_ || IsLeaf(CaseOf(expr))) return;
  if (const bool* known = memo_.Find(expr)) {
    found_ = *known;
    return;
  }
  PrimExprVisitor::VisitPrimExpr(expr);
  memo_.Add(expr, found_);
}

void DependenceFinder::VisitLet(const tir::LetNode* op) {
  vars_.insert(op->var.get());
  PrimExprVisitor::VisitLet(op);
}

LinearPartsFinder::LinearPartsFinder(const std::vector<tir::Var>& vars)
    : num_vars_(vars.size()), depends_(vars) {
  for (size_t i = 0; i < vars.size(); ++i) places_.emplace(vars[i].get(), i);
}

std::optional<LinearParts> LinearPartsFinder::VisitPrimExpr(const PrimExpr& expr) {
  if (!depends_(expr)) return Constant(expr);
  if (const std::optional<LinearParts>* known = memo_.Find(expr)) return *known;
  std::optional<LinearParts> parts = PrimExprFunctor::VisitPrimExpr(expr);
  memo_.Add(expr, parts);
  return parts;
}

LinearParts LinearPartsFinder::Constant(const PrimExpr& value) const {
  LinearParts parts;
  parts.coeffs.resize(num_vars_);
  parts.rest = value;
  return parts;
}

std::optional<LinearParts> LinearPartsFinder::VisitVar(const tir::VarNode* op) {
  const auto place = places_.find(op);
  if (place == places_.end()) return std::nullopt;
  LinearParts parts;
  parts.coeffs.resize(num_vars_);
  parts.coeffs[place->second] = MakeInt(op->dtype, 1);
  return parts;
}

std::optional<LinearParts> LinearPartsFinder::VisitBinaryOp(const tir::BinaryOpNode* op) {
  const Case kind = CaseOf(op);
  if (!IsRing(kind)) return std::nullopt;
  if (kind == Case::kMul && depends_(op->a) && depends_(op->b)) return std::nullopt;
  std::optional<LinearParts> a = VisitPrimExpr(op->a);
  std::optional<LinearParts> b = VisitPrimExpr(op->b);
  if (!a || !b) return std::nullopt;
  if (kind != Case::kMul) {
    for (size_t i = 0; i < num_vars_; ++i)
      a->coeffs[i] = CombineParts(kind, a->coeffs[i], b->coeffs[i]);
    a->rest = CombineParts(kind, a->rest, b->rest);
    return a;
  }
  const bool is_factor_left = !depends_(op->a);
  LinearParts& parts = is_factor_left ? *b : *a;
  const PrimExpr& factor = is_factor_left ? op->a : op->b;
  for (MaybePart& coeff : parts.coeffs) coeff = Times(coeff, factor);
  parts.rest = Times(parts.rest, factor);
  return parts;
}

ffi::Array<PrimExpr> detect_linear_equation(PrimExpr expr, ffi::Array<tir::Var> vars) {
  if (!ir::IsInteger(expr->dtype) || !ir::IsScalar(expr->dtype)) {
    TVM_FFI_THROW(TypeError) << "detect_linear_equation: `expr` must be a scalar integer, got `"
                             << expr->dtype << "` (" << ir::describe(expr) << ")";
  }
  LinearPartsFinder find({vars.begin(), vars.end()});
  const std::optional<LinearParts> parts = find.VisitPrimExpr(expr);
  if (!parts) return {};
  const Analyzer analyzer;
  const PrimExpr zero = MakeInt(expr->dtype, 0);
  ffi::Array<PrimExpr> result;
  for (const MaybePart& coeff : parts->coeffs)
    result.push_back(analyzer->Simplify(coeff.value_or(zero)));
  result.push_back(analyzer->Simplify(parts->rest.value_or(zero)));
  return result;
}

}  // namespace uir::arith
