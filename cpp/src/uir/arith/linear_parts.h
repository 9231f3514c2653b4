/*!
 * \file linear_parts.h
 * \brief Expressions that are linear in variables, with symbolic coefficients.
 */
#ifndef UIR_ARITH_LINEAR_PARTS_H_
#define UIR_ARITH_LINEAR_PARTS_H_

#include <uir/ir/expr.h>
#include <uir/tir/prim_expr_functor.h>
#include <uir/tir/var.h>

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "./memo_table.h"

namespace uir::arith {

namespace ffi = ::tvm::ffi;

/*! \brief Checks whether a value depends on some variables, or on one that is bound by `Let`. */
class DependenceFinder : public tir::PrimExprVisitor {
 public:
  explicit DependenceFinder(const std::vector<tir::Var>& vars);

  bool operator()(const ir::PrimExpr& expr);
  void VisitPrimExpr(const ir::PrimExpr& expr) override;

 protected:
  void VisitVar(const tir::VarNode* op) override { found_ = vars_.count(op) != 0; }
  void VisitLet(const tir::LetNode* op) override;

 private:
  std::unordered_set<const tir::VarNode*> vars_;
  MemoTable<bool> memo_;
  bool found_ = false;
};

/*! \brief `coeffs[0] * vars[0] + coeffs[1] * vars[1] + ... + rest`, where None is 0. */
struct LinearParts {
  std::vector<ffi::Optional<ir::PrimExpr>> coeffs;
  ffi::Optional<ir::PrimExpr> rest;
};

/*! \brief Finds the parts of sums and products, equal to them modulo the range of their type. */
class LinearPartsFinder
    : public tir::PrimExprFunctor<std::optional<LinearParts>(const ir::PrimExpr&)> {
 public:
  explicit LinearPartsFinder(const std::vector<tir::Var>& vars);

  /*! \brief The parts; none if the expression is not linear in the variables. */
  std::optional<LinearParts> VisitPrimExpr(const ir::PrimExpr& expr) override;

 protected:
  std::optional<LinearParts> VisitDefault(const ir::PrimExprNode*) override { return std::nullopt; }
  std::optional<LinearParts> VisitVar(const tir::VarNode* op) override;
  std::optional<LinearParts> VisitBinaryOp(const tir::BinaryOpNode* op) override;

 private:
  LinearParts Constant(const ir::PrimExpr& value) const;

  size_t num_vars_;
  std::unordered_map<const tir::VarNode*, size_t> places_;
  DependenceFinder depends_;
  MemoTable<std::optional<LinearParts>> memo_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_LINEAR_PARTS_H_
