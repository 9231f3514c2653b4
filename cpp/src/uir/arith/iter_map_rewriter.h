/*!
 * \file iter_map_rewriter.h
 * \brief Reads index expressions as sums of digits of iterators.
 *
 * After TVM's `IterMapRewriter`: splits and fusions of loops.
 */
#ifndef UIR_ARITH_ITER_MAP_REWRITER_H_
#define UIR_ARITH_ITER_MAP_REWRITER_H_

#include <uir/arith/analyzer.h>
#include <uir/arith/iter_map.h>
#include <uir/tir/prim_expr_functor.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "./condition_solver.h"
#include "./iter_fusion.h"
#include "./linear_parts.h"
#include "./memo_table.h"

namespace uir::arith {

/*! \brief The ranges of input variables. */
using Ranges = ffi::Map<tir::Var, ir::Range>;

/*! \brief Reads sums, and quotients and remainders by constants; anything else has no form. */
class IterMapRewriter : public tir::PrimExprFunctor<std::optional<IterSum>(const ir::PrimExpr&)> {
 public:
  /*! \brief How variables with one value are read. */
  enum class Trivial { kAsValue, kAsIterator };

  IterMapRewriter(const Analyzer& analyzer, const Ranges& ranges, Trivial trivial);

  std::optional<IterSum> VisitPrimExpr(const ir::PrimExpr& expr) override;
  /*! \brief An index as a sum of at most one term. */
  std::optional<IterSumExpr> Index(const ir::PrimExpr& expr);
  /*! \brief An index as a sum of digits, whose base has the parts of any other form. */
  IterSum BestEffort(const ir::PrimExpr& expr);
  /*! \brief Use a condition on the input variables; false if it has another form. */
  bool Assume(const ir::PrimExpr& predicate);

  IterFusion& fusion() { return fusion_; }
  /*! \brief The marks of the variables with more than one value. */
  const std::vector<IterMark>& inputs() const { return inputs_; }

 protected:
  std::optional<IterSum> VisitDefault(const ir::PrimExprNode*) override { return std::nullopt; }
  std::optional<IterSum> VisitVar(const tir::VarNode* op) override;
  std::optional<IterSum> VisitBinaryOp(const tir::BinaryOpNode* op) override;

 private:
  /*! \brief `low <= sum <= high`, for a sum without a base. */
  struct Limits {
    IterSum sum;
    std::optional<ir::PrimExpr> low;
    std::optional<ir::PrimExpr> high;
  };
  /*! \brief `sign * expr`, for a sign of 1 or -1. */
  struct Summand {
    ir::PrimExpr expr;
    int64_t sign;
  };
  /*! \brief `term + base`, before it is scaled. */
  struct Shifted {
    IterSplitExpr term;
    ir::PrimExpr base;
  };

  /*! \brief Whether it is a sum or product that cannot wrap around in its type. */
  bool IsExact(const ir::PrimExpr& expr);
  /*! \brief The summands of a sum or difference. */
  std::vector<Summand> SummandsOf(const ir::PrimExpr& expr);
  /*! \brief A sum or difference; none if a summand has another form. */
  std::optional<IterSum> Sum(const ir::PrimExpr& expr);
  std::optional<IterSum> Multiply(const IterSum& a, const IterSum& b);
  std::optional<IterSum> Divide(Case op, const ir::PrimExpr& dividend, const ir::PrimExpr& divisor);
  std::optional<IterSum> DivideTerm(Case op, const IterSum& sum, const ir::PrimExpr& divisor);
  /*! \brief Move the part of the base that is not a multiple of the divisor into the term. */
  std::optional<Shifted> Shift(Case op, const IterSplitExpr& term, const ir::PrimExpr& base,
                               const ir::PrimExpr& divisor);
  /*! \brief `Shift` by an expression, for a divisor and an extent that are numbers. */
  std::optional<Shifted> ShiftBySymbol(Case op, const IterSplitExpr& term, const ir::PrimExpr& base,
                                       const ir::PrimExpr& divisor);
  /*! \brief The digits of a term below, or from, a divisor, with the scale 1. */
  std::optional<IterSplitExpr> Split(Case op, const IterSplitExpr& term,
                                     const ir::PrimExpr& divisor);
  std::optional<Limits> LimitsOf(const Comparison& comparison);

  Analyzer analyzer_;
  IterFusion fusion_;
  DependenceFinder depends_;
  std::unordered_map<const tir::VarNode*, IterSum> vars_;
  std::vector<IterMark> inputs_;
  MemoTable<std::optional<IterSum>> memo_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_ITER_MAP_REWRITER_H_
