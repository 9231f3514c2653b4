/*!
 * \file uir/transform/analyzing_mutator.h
 * \brief A mutator of statements that maintains an analyzer with the facts in scope.
 */
#ifndef UIR_TRANSFORM_ANALYZING_MUTATOR_H_
#define UIR_TRANSFORM_ANALYZING_MUTATOR_H_

#include <uir/arith/analyzer.h>
#include <uir/arith/constraint.h>
#include <uir/transform/linear_mutator.h>

#include <utility>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief Mutates statements with an analyzer that knows the ranges of loops and launches, the
 * bindings, the conditions of branches, the assertions and the `tir.assume`s in scope.
 *
 * Facts that depend on memory are not recorded, because a store may change them. Each variable is
 * bound once in a scope (static single assignment). A second binding of a variable with known facts
 * is an error that names it. A shared statement is visited once for the same facts.
 */
class AnalyzingMutator : public LinearMutator {
 public:
  explicit AnalyzingMutator(arith::Analyzer analyzer) : analyzer_(std::move(analyzer)) {}

 protected:
  tir::Stmt VisitFor(const tir::ForNode* op) override;
  tir::Stmt VisitWhile(const tir::WhileNode* op) override;
  tir::Stmt VisitIfThenElse(const tir::IfThenElseNode* op) override;
  tir::Stmt VisitAttrStmt(const tir::AttrStmtNode* op) override;
  tir::Stmt VisitAssertStmt(const tir::AssertStmtNode* op) override;
  tir::Stmt VisitEvaluate(const tir::EvaluateNode* op) override;
  tir::Stmt VisitBind(const tir::BindNode* op) override;
  tir::Stmt VisitBlock(const tir::BlockNode* op) override;
  tir::IterVar VisitIterVar(const tir::IterVarNode* op) override;
  int64_t StmtContext() const override { return arith::FactsVersion(analyzer_); }

  /*! \brief Visit a statement under a condition. */
  tir::Stmt VisitUnder(const tir::Stmt& stmt, const ir::PrimExpr& condition);
  /*! \brief Visit the branches of a conditional, after its condition. */
  tir::Stmt VisitBranches(const tir::IfThenElseNode* op, ir::PrimExpr condition);
  /*! \brief Visit a statement in which a variable has a range. */
  tir::Stmt VisitIn(const tir::Var& var, const ir::PrimExpr& min, const ir::PrimExpr& extent,
                    const tir::Stmt& body);
  /*! \brief Bind the range of a loop variable. */
  void BindLoop(const tir::Var& var, const ir::PrimExpr& min, const ir::PrimExpr& extent,
                const ffi::Optional<ir::PrimExpr>& step);

  void CheckIsNew(const tir::Var& var, const ffi::Object* at) const;

  const arith::Analyzer& analyzer() const { return analyzer_; }

 private:
  arith::Analyzer analyzer_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYZING_MUTATOR_H_
