/*!
 * \file statement_emitter.h
 * \brief Statements of C: sequences, branches, loops, bindings, assertions, jumps.
 */
#ifndef UIR_TARGET_STATEMENT_EMITTER_H_
#define UIR_TARGET_STATEMENT_EMITTER_H_

#include <uir/tir/block.h>
#include <uir/tir/stmt.h>
#include <uir/tir/stmt_functor.h>

#include <string>

#include "./emitter_part.h"

namespace uir::target {

/*! \brief The condition for a failure, and the returned expression, which sets the error. */
struct Failure {
  std::string condition;
  std::string value;
};

/*! \brief Emits statements. */
class StatementEmitter : public EmitterPart, public tir::StmtFunctor<void(const tir::Stmt&)> {
 public:
  explicit StatementEmitter(FunctionState* state) : EmitterPart(state) {}

  /*! \brief Whether the rest of the block is unreachable. */
  bool has_jumped() const { return has_jumped_; }
  /*! \brief Emit the negated condition of an assertion, and the call that raises its error. */
  Failure EmitAssertion(const tir::AssertStmtNode* op);
  /*! \brief Emit a statement; shared expressions of the previous one are forgotten. */
  void VisitStmt(const tir::Stmt& stmt) override;
  /*! \brief Free all allocations, and return from the function. */
  void EmitReturn(const std::string& value);
  /*! \brief Leave the function if a condition holds, whose evaluation may change memory. */
  void EmitFailure(const std::string& condition, const std::string& value);
  /*! \brief Leave the function if a condition holds. */
  void LeaveIf(const std::string& condition, const std::string& value);

 protected:
  void VisitDefault(const tir::StmtNode* op) override;
  void VisitBind(const tir::BindNode* op) override;
  void VisitAttrStmt(const tir::AttrStmtNode* op) override;
  void VisitAssertStmt(const tir::AssertStmtNode* op) override;
  void VisitSeqStmt(const tir::SeqStmtNode* op) override;
  void VisitIfThenElse(const tir::IfThenElseNode* op) override;
  void VisitFor(const tir::ForNode* op) override;
  void VisitWhile(const tir::WhileNode* op) override;
  void VisitBreak(const tir::BreakNode* op) override;
  void VisitContinue(const tir::ContinueNode* op) override;
  void VisitEvaluate(const tir::EvaluateNode* op) override;
  void VisitBlock(const tir::BlockNode* op) override;
  void VisitBlockRealize(const tir::BlockRealizeNode* op) override;
  void VisitBufferStore(const tir::BufferStoreNode* op) override;
  void VisitAllocBuffer(const tir::AllocBufferNode* op) override;
  void VisitDeclBuffer(const tir::DeclBufferNode* op) override;

 private:
  void BindPointer(const tir::BindNode* op, const CExpr& value);
  void EmitBody(const tir::Stmt& body, bool is_loop);
  void EmitLoop(const tir::VarNode* var, const ir::PrimExpr& min, const ir::PrimExpr& extent,
                const ffi::Optional<ir::PrimExpr>& step, const tir::Stmt& body);
  bool MayOverlap(const tir::Buffer& one, const tir::Buffer& other) const;
  bool EmitCopy(const tir::ForNode* op);
  void EmitFrees(const OpenBlock& block);
  void EmitFrees(bool only_loop);

  bool has_jumped_ = false;
};

}  // namespace uir::target

#endif  // UIR_TARGET_STATEMENT_EMITTER_H_
