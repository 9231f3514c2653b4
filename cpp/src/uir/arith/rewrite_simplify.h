/*!
 * \file rewrite_simplify.h
 * \brief Simplification by rules, and of whole index expressions as sums.
 */
#ifndef UIR_ARITH_REWRITE_SIMPLIFY_H_
#define UIR_ARITH_REWRITE_SIMPLIFY_H_

#include <uir/arith/integer_domain.h>
#include <uir/tir/expr.h>
#include <uir/tir/prim_expr_functor.h>

#include <optional>
#include <unordered_map>
#include <vector>

#include "./const_fold.h"
#include "./intrinsic.h"
#include "./linear_form.h"
#include "./memo_table.h"
#include "./operand_order.h"
#include "./pattern_match.h"
#include "./step_listener.h"

namespace uir::arith {

class Queries;
struct Product;

/*! \brief The simplifications to apply. */
enum class Means {
  /*! \brief Only rules. */
  kRules,
  /*! \brief Rules, and sums where they are shorter. */
  kAll,
  /*! \brief Rules, and every index expression as a sum. */
  kCanonical,
};

/*! \brief Simplifies bottom-up; an unchanged expression is returned as the same object. */
class RewriteSimplifier : public tir::PrimExprFunctor<ir::PrimExpr(const ir::PrimExpr&)> {
 public:
  explicit RewriteSimplifier(Queries* known) : known_(known) {}

  ir::PrimExpr Simplify(const ir::PrimExpr& expr, Means means);
  ir::PrimExpr VisitPrimExpr(const ir::PrimExpr& expr) override;
  void ClearMemo();
  /*! \brief Whether an expression that was simplified has a `Let`. */
  bool HasMetLet() const { return !lets_.empty(); }

  /*! \brief The result of a rule for an operation; None if the rule does not apply. */
  std::optional<ir::PrimExpr> ApplyRule(const RewriteRule& rule, const Shape& shape,
                                        DLDataType dtype, const ffi::Optional<ir::Span>& span);

 protected:
  ir::PrimExpr VisitDefault(const ir::PrimExprNode* op) override;
  ir::PrimExpr VisitVar(const tir::VarNode* op) override;
  ir::PrimExpr VisitNot(const tir::NotNode* op) override;
  ir::PrimExpr VisitSelect(const tir::SelectNode* op) override;
  ir::PrimExpr VisitRamp(const tir::RampNode* op) override;
  ir::PrimExpr VisitBroadcast(const tir::BroadcastNode* op) override;
  ir::PrimExpr VisitCast(const tir::CastNode* op) override;
  ir::PrimExpr VisitLet(const tir::LetNode* op) override;
  ir::PrimExpr VisitBufferLoad(const tir::BufferLoadNode* op) override;
  ir::PrimExpr VisitCall(const tir::CallNode* op) override;

 private:
  friend class Explainer;
  class Children;

  /*! \brief The origin and the type of a node to make. */
  struct Place {
    /*! \brief The node that is returned if nothing changes; null if there is none. */
    const ir::PrimExprNode* node;
    const ffi::Optional<ir::Span>& span;
    /*! \brief The type of the result. */
    DLDataType dtype;
  };

  ir::PrimExpr VisitNode(const ir::PrimExpr& expr, Case op);
  ir::PrimExpr VisitBinary(const ir::PrimExprNode* op, Case kind);
  std::optional<int64_t> KnownBits(Intrinsic intrinsic, const ir::PrimExpr& call);
  ir::PrimExpr VisitIfThenElse(const tir::CallNode* op);
  ir::PrimExpr VisitArm(const ir::PrimExpr& expr, const ir::PrimExpr& condition, bool holds);
  ir::PrimExpr VisitUnder(const ir::PrimExpr& expr, const ir::PrimExpr& condition, bool holds);
  ffi::Array<ir::PrimExpr> VisitArray(const ffi::Array<ir::PrimExpr>& exprs);
  ir::PrimExpr SettleLet(const tir::Let& let);
  /*! \brief The canonical sum of an expression where it is one, and as the steps to take allow. */
  ir::PrimExpr AsSumIfOne(ir::PrimExpr expr);
  ir::PrimExpr AsSum(ir::PrimExpr expr);
  bool OrderTerms(LinearForm* form);

  ir::PrimExpr MakeOp(Case op, ir::PrimExpr a, ir::PrimExpr b, const Place& place);
  ir::PrimExpr MakeNot(const ir::PrimExpr& a, const Place& place);
  ir::PrimExpr MakeSelect(const ir::PrimExpr& condition, const ir::PrimExpr& a,
                          const ir::PrimExpr& b, const Place& place);
  ir::PrimExpr MakeNode(Case op, ir::PrimExpr a, ir::PrimExpr b, const Place& place);
  bool MayPrecede(Case op, const ir::PrimExpr& a, const ir::PrimExpr& b);
  ir::PrimExpr MakeOrdered(Case op, ir::PrimExpr a, ir::PrimExpr b, const Place& place,
                           int depth = 0);
  Interval KnownRemainder(Case op, const ir::PrimExpr& a, const ir::PrimExpr& b);
  ir::PrimExpr Settle(ir::PrimExpr expr);
  std::optional<ir::PrimExpr> ApplyRules(const Shape& shape, const Place& place);
  std::optional<ir::PrimExpr> MergeIntoChain(Case op, const ir::PrimExpr& a, const ir::PrimExpr& b,
                                             const Place& place, int depth);
  std::optional<ir::PrimExpr> Compare(Case op, const ir::PrimExpr& a, const ir::PrimExpr& b,
                                      const Place& place);

  struct SymbolicDivision;
  std::optional<ir::PrimExpr> DivideBySymbols(Case op, const ir::PrimExpr& a, const ir::PrimExpr& b,
                                              const Place& place);
  std::optional<ir::PrimExpr> TakeSymbolicMultiples(const std::vector<Product>& products,
                                                    const ir::PrimExpr& b,
                                                    SymbolicDivision* division);
  std::optional<ir::PrimExpr> DivideByCommon(const std::vector<Product>& products,
                                             const SymbolicDivision& division);
  std::optional<ir::PrimExpr> SumOf(const std::vector<Product>& products,
                                    const SymbolicDivision& division);
  bool DropLowTerms(Case* op, LinearForm* difference);

  /*! \brief The inputs of the result of a rule. */
  struct Making {
    const Match& match;
    const RewriteRule& rule;
    const Shape& shape;
    const ffi::Optional<ir::Span>& span;
  };
  bool IsSound(const RewriteRule& rule, const Shape& shape, const Match& match);
  bool HasExactSums(const PatternNode* pattern, const Shape& shape);
  void FindExact(const PatternNode* pattern, const Shape& shape, std::vector<LinearForm>* known);
  bool MayStandAlone(const PatternNode* node, const ir::PrimExpr& made, const Making& making);
  std::optional<ir::PrimExpr> Build(const PatternNode* node, const Making& making, int lanes);
  std::optional<ir::PrimExpr> BuildOp(const PatternNode* node, const Making& making, int lanes);
  bool Holds(const PatternNode* condition, const RewriteRule& rule, const Match& match);
  bool HoldsComparison(const PatternNode* condition, const RewriteRule& rule, const Match& match);
  Interval BoundOf(const PatternNode* node, const RewriteRule& rule, const Match& match);

  Queries* known_;
  /*! \brief The listener of the steps; null if there is none. */
  StepListener* listener_ = nullptr;
  Means means_ = Means::kRules;
  /*! \brief Whether the parent's sum takes the present node in. */
  bool is_in_sum_ = false;
  /*! \brief Whether the present node is the whole expression, whose result is not needed again. */
  bool is_root_ = false;
  /*! \brief How many results of rules are being made. */
  int depth_ = 0;
  OperandOrder order_;
  MemoTable<ir::PrimExpr> memo_;
  MemoTable<ir::PrimExpr> memo_in_sum_;
  /*! \brief The result of each node that binds a variable, by variable. */
  std::unordered_map<const tir::VarNode*, tir::Let> lets_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_REWRITE_SIMPLIFY_H_
