/*!
 * \file binding_renamer.h
 * \brief Gives repeated bindings of variables and buffers new ones.
 */
#ifndef UIR_TRANSFORM_REWRITE_BINDING_RENAMER_H_
#define UIR_TRANSFORM_REWRITE_BINDING_RENAMER_H_

#include <uir/tir/function.h>
#include <uir/transform/linear_mutator.h>

#include <unordered_map>
#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief Which bindings get new variables. */
enum class Renaming {
  /*! \brief Every binding of a variable or buffer but the first. */
  kRepeated,
  kAll,
};

/*! \brief Renames bindings, and restores the outer replacement at the end of each scope. */
class BindingRenamer : public LinearMutator {
 public:
  explicit BindingRenamer(Renaming renaming) : renaming_(renaming) {}

  tir::PrimFunc Run(tir::PrimFunc func);

 protected:
  using LinearMutator::VisitDefault;
  /*! \brief Visit each occurrence of a shared statement with bindings, to rename them anew. */
  int64_t StmtContext() const override { return num_bindings_; }
  /*! \brief Replace a variable or a buffer from here to the end of the scope. */
  void Replace(const ffi::ObjectRef& variable, ffi::ObjectRef by) override;
  ir::PrimExpr VisitLet(const tir::LetNode* op) override;
  ir::PrimExpr VisitReduce(const tir::ReduceNode* op) override;

  tir::Stmt VisitBind(const tir::BindNode* op) override;
  tir::Stmt VisitAttrStmt(const tir::AttrStmtNode* op) override;
  tir::Stmt VisitAllocBuffer(const tir::AllocBufferNode* op) override;
  tir::Stmt VisitSeqStmt(const tir::SeqStmtNode* op) override;
  tir::Stmt VisitIfThenElse(const tir::IfThenElseNode* op) override;
  tir::Stmt VisitFor(const tir::ForNode* op) override;
  tir::Stmt VisitWhile(const tir::WhileNode* op) override;
  tir::Stmt VisitBlock(const tir::BlockNode* op) override;
  tir::Buffer RewriteBuffer(const tir::BufferNode* op) override;
  tir::MatchBufferRegion VisitMatchBufferRegion(const tir::MatchBufferRegionNode* op) override;

 private:
  class Scope;

  /*! \brief The replacement of a variable or a buffer before its last binding. */
  struct Undo {
    ffi::ObjectRef variable;
    ffi::ObjectRef previous;
    int64_t state;
  };

  bool IsKept(const ffi::Object* variable) const;
  tir::Var Bind(const tir::Var& var);
  void BindIfFree(const ir::PrimExpr& expr);
  void BindPlacement(const tir::Buffer& buffer);
  tir::Stmt VisitBody(const tir::Stmt& body);

  Renaming renaming_;
  /*! \brief The number of bindings in scope, by variable or buffer. */
  std::unordered_map<const ffi::Object*, int> in_scope_;
  std::vector<Undo> undos_;
  int64_t num_bindings_ = 0;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_BINDING_RENAMER_H_
