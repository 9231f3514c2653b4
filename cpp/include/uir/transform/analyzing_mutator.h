/*!
 * \file uir/transform/analyzing_mutator.h
 * \brief A mutator of statements that tells an analyzer what holds where.
 */
#ifndef UIR_TRANSFORM_ANALYZING_MUTATOR_H_
#define UIR_TRANSFORM_ANALYZING_MUTATOR_H_

#include <uir/arith/analyzer.h>
#include <uir/transform/linear_mutator.h>

#include <utility>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief Mutates statements while its analyzer knows the ranges of loops and launches, values that
 * are bound, branches that were taken and what assertions state.
 *
 * What depends on memory is not told: it may have been written since.
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
  tir::Stmt VisitBind(const tir::BindNode* op) override;
  tir::Stmt VisitBlock(const tir::BlockNode* op) override;
  tir::IterVar VisitIterVar(const tir::IterVarNode* op) override;
  /*! \brief Visit the parts of a sequence; sequences that they become are put into it. */
  tir::Stmt VisitSeqStmt(const tir::SeqStmtNode* op) override;

  /*! \brief Visit a statement where a condition holds. */
  tir::Stmt VisitUnder(const tir::Stmt& stmt, const ir::PrimExpr& condition);
  /*! \brief Visit the branches of a choice, whose condition has been visited. */
  tir::Stmt VisitBranches(const tir::IfThenElseNode* op, ir::PrimExpr condition);
  /*! \brief Visit a statement where a variable has a range. */
  tir::Stmt VisitIn(const tir::Var& var, const ir::PrimExpr& min, const ir::PrimExpr& extent,
                    const tir::Stmt& body);
  /*! \brief Tell the range of a loop's variable. */
  void BindLoop(const tir::Var& var, const ir::PrimExpr& min, const ir::PrimExpr& extent,
                const ffi::Optional<ir::PrimExpr>& step);

  const arith::Analyzer& analyzer() const { return analyzer_; }

 private:
  arith::Analyzer analyzer_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYZING_MUTATOR_H_
