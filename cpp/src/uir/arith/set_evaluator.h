/*!
 * \file set_evaluator.h
 * \brief Interval analysis with symbolic ends, like TVM's `IntervalSetEvaluator`.
 */
#ifndef UIR_ARITH_SET_EVALUATOR_H_
#define UIR_ARITH_SET_EVALUATOR_H_

#include <uir/arith/analyzer.h>
#include <uir/arith/int_set.h>
#include <uir/tir/prim_expr_functor.h>

#include <unordered_map>
#include <unordered_set>

#include "./linear_parts.h"
#include "./memo_table.h"
#include "./symbolic_interval.h"

namespace uir::arith {

class State;

/*! \brief The sets of the values of variables. */
using Domains = ffi::Map<tir::Var, IntSet>;

/*! \brief Assume that each variable is in its domain, until the innermost scope ends. */
void AssumeDomains(const Analyzer& analyzer, const Domains& domains);

/*! \brief Computes the interval of the values of an expression over the domains of its variables,
 * which the analyzer must know. */
class SetEvaluator : public tir::PrimExprFunctor<SymbolicInterval(const ir::PrimExpr&)> {
 public:
  SetEvaluator(const Analyzer& analyzer, const Domains& domains);

  SymbolicInterval VisitPrimExpr(const ir::PrimExpr& expr) override;

 protected:
  /*! \brief All integers, so that the bounds of the analyzer count. */
  SymbolicInterval VisitDefault(const ir::PrimExprNode*) override { return {}; }
  SymbolicInterval VisitVar(const tir::VarNode* op) override;
  SymbolicInterval VisitBinaryOp(const tir::BinaryOpNode* op) override;
  SymbolicInterval VisitSelect(const tir::SelectNode* op) override;
  SymbolicInterval VisitCast(const tir::CastNode* op) override;
  SymbolicInterval VisitLet(const tir::LetNode* op) override;
  SymbolicInterval VisitRamp(const tir::RampNode* op) override;
  SymbolicInterval VisitBroadcast(const tir::BroadcastNode* op) override;
  SymbolicInterval VisitCall(const tir::CallNode* op) override;

 private:
  /*! \brief Whether the sums of a value cannot wrap around in its type. */
  bool IsExact(const ir::PrimExprNode* op);
  /*! \brief Take the bounds of the analyzer where they are tighter. */
  SymbolicInterval Tighten(const SymbolicInterval& interval, const ir::PrimExpr& expr);
  /*! \brief Take the remainders that the congruence of the dividend leaves. */
  SymbolicInterval TightenRemainder(const SymbolicInterval& interval, const tir::BinaryOpNode* op);

  Analyzer analyzer_;
  State& state_;
  IntervalArithmetic arithmetic_{analyzer_};
  DependenceFinder is_relaxed_;
  std::unordered_map<const tir::VarNode*, SymbolicInterval> sets_;
  /*! \brief The variables whose domain is being evaluated. */
  std::unordered_set<const tir::VarNode*> open_;
  MemoTable<SymbolicInterval> memo_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_SET_EVALUATOR_H_
