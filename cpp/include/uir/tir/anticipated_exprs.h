/*!
 * \file uir/tir/anticipated_exprs.h
 * \brief The shared parts of expressions that all their branches compute.
 */
#ifndef UIR_TIR_ANTICIPATED_EXPRS_H_
#define UIR_TIR_ANTICIPATED_EXPRS_H_

#include <uir/ir/expr.h>
#include <uir/tir/bit_set.h>
#include <uir/tir/prim_expr_functor.h>

#include <unordered_map>
#include <vector>

namespace uir::tir {

/*!
 * \brief Finds anticipated (very busy) parts of expressions: every path computes them.
 *
 * The branches of nested choices may share nodes, so the number of paths may be exponential in the
 * depth of the choices. A visitor that visits common parts before the branches follows few paths.
 * The finder visits each node once, and finds at most 2048 shared parts. It must not outlive the
 * expressions.
 */
class AnticipatedExprs : public PrimExprVisitor {
 public:
  /*!
   * \brief The parts that two expressions both compute, each after its own parts.
   *
   * Parts with side effects or with variables of an inner `Let` are omitted.
   */
  std::vector<ir::PrimExpr> CommonOf(const ir::PrimExpr& a, const ir::PrimExpr& b);

  void VisitPrimExpr(const ir::PrimExpr& expr) override;

 protected:
  using PrimExprVisitor::VisitDefault;

  void VisitVar(const VarNode* op) override;
  void VisitSelect(const SelectNode* op) override;
  void VisitAnd(const AndNode* op) override;
  void VisitOr(const OrNode* op) override;
  void VisitLet(const LetNode* op) override;
  void VisitReduce(const ReduceNode* op) override;
  void VisitCall(const CallNode* op) override;

 private:
  /*! \brief The parts that an expression computes for certain, and its variables. */
  struct Facts {
    BitSet parts;
    BitSet variables;
    bool has_effect = false;
  };

  Facts FactsOf(const ir::PrimExpr& expr);
  void Add(const Facts& facts);
  void VisitMaybe(const ir::PrimExpr& expr);
  void VisitChoice(const ir::PrimExpr& condition, const ir::PrimExpr& a, const ir::PrimExpr& b);
  void AddPart(const ir::PrimExpr& expr);
  size_t NumberOf(const VarNode* var);

  Facts current_;
  std::vector<ir::PrimExpr> parts_;
  std::unordered_map<const ffi::Object*, Facts> known_;
  std::unordered_map<const VarNode*, size_t> variables_;
  /*! \brief The parts that have a variable, by its number. */
  std::vector<BitSet> parts_with_;
};

}  // namespace uir::tir

#endif  // UIR_TIR_ANTICIPATED_EXPRS_H_
