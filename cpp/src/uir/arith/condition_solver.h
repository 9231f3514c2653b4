/*!
 * \file condition_solver.h
 * \brief Solves comparisons for a variable.
 */
#ifndef UIR_ARITH_CONDITION_SOLVER_H_
#define UIR_ARITH_CONDITION_SOLVER_H_

#include <uir/arith/analyzer.h>
#include <uir/tir/expr.h>
#include <uir/tir/var.h>

#include <optional>
#include <vector>

#include "./const_fold.h"
#include "./linear_parts.h"
#include "./symbolic_interval.h"

namespace uir::arith {

/*! \brief `a <= b`, `a < b` or `a == b`, by its operation. */
struct Comparison {
  Case op;
  ir::PrimExpr a;
  ir::PrimExpr b;
};

/*! \brief Comparisons of `int32` or `int64` that hold exactly if the condition does; none if other
 * conditions are part of it. */
std::optional<std::vector<Comparison>> ComparisonsOf(const ir::PrimExpr& condition);

/*! \brief Solves comparisons for one variable, each step an equivalence of integers. */
class ConditionSolver {
 public:
  /*! \brief A solver that learns from an analyzer the signs of factors and divisors. */
  ConditionSolver(const Analyzer& analyzer, const tir::Var& var)
      : analyzer_(analyzer), var_(var), depends_({var}) {}

  bool DependsOnVar(const ir::PrimExpr& expr) { return depends_(expr); }
  /*! \brief The values for which a comparison holds; none if they are not an interval that is
   * found. */
  std::optional<SymbolicInterval> Solve(const Comparison& comparison);

 private:
  /*! \brief `expr <= limit`, or `expr >= limit`. */
  struct Bound {
    ir::PrimExpr expr;
    bool is_upper;
    ir::PrimExpr limit;
  };

  std::optional<SymbolicInterval> SolveBound(Bound bound);
  /*! \brief Take the outermost operation off the expression; false if that is not possible. */
  bool Peel(Bound* bound);
  bool PeelSum(Bound* bound, Case op);
  bool PeelProduct(Bound* bound);
  bool PeelQuotient(Bound* bound);
  /*! \brief Bring the variable of a sum with several of it to one place. */
  bool Gather(Bound* bound);
  /*! \brief Replace `limit` by the number; false if there is none. */
  bool SetLimit(Bound* bound, const ir::PrimExpr& expr, const End& limit);
  /*! \brief The sign of a factor: 1, -1, or 0 if it is not known or may be 0. */
  int SignOf(const ir::PrimExpr& factor);
  /*! \brief `dividend / divisor`, rounded up. */
  End CeilDiv(const ir::PrimExpr& dividend, const ir::PrimExpr& divisor);

  Analyzer analyzer_;
  tir::Var var_;
  DependenceFinder depends_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_CONDITION_SOLVER_H_
