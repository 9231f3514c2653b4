/*!
 * \file binding_renamer.h
 * \brief Gives variables and buffers that are bound again new ones.
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
  /*! \brief Those of what has been bound before. */
  kRepeated,
  kAll,
};

/*! \brief Walks statements with the bindings in mind that hold at each place. */
class BindingRenamer : public LinearMutator {
 public:
  explicit BindingRenamer(Renaming renaming) : renaming_(renaming) {}

  tir::PrimFunc Run(tir::PrimFunc func);

 protected:
  using LinearMutator::VisitDefault;
  /*! \brief A statement that binds something is renamed in each of its places. */
  int64_t StmtContext() const override { return num_bindings_; }
  /*! \brief From here to the end of the scope put something else for a variable or a buffer. */
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

  /*! \brief What stood for a variable or a buffer before its last binding. */
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
  /*! \brief What is bound at the present place, and how often. */
  std::unordered_map<const ffi::Object*, int> in_scope_;
  std::vector<Undo> undos_;
  int64_t num_bindings_ = 0;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_BINDING_RENAMER_H_
