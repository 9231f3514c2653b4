/*!
 * \file binding_renamer.h
 * \brief Gives variables and buffers that are bound again new ones.
 */
#ifndef UIR_TRANSFORM_REWRITE_BINDING_RENAMER_H_
#define UIR_TRANSFORM_REWRITE_BINDING_RENAMER_H_

#include <uir/tir/function.h>
#include <uir/tir/stmt_functor.h>

#include <unordered_map>
#include <unordered_set>
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
class BindingRenamer : public tir::StmtMutator {
 public:
  explicit BindingRenamer(Renaming renaming) : renaming_(renaming) {}

  tir::PrimFunc Run(tir::PrimFunc func);

  ir::PrimExpr VisitPrimExpr(ir::PrimExpr expr) override;

 protected:
  using StmtMutator::VisitDefault;
  ir::PrimExpr VisitVar(const tir::VarNode* op) override;
  ir::PrimExpr VisitLet(const tir::LetNode* op) override;
  ir::PrimExpr VisitReduce(const tir::ReduceNode* op) override;
  ir::PrimExpr VisitBufferLoad(const tir::BufferLoadNode* op) override;

  tir::Stmt VisitBind(const tir::BindNode* op) override;
  tir::Stmt VisitAttrStmt(const tir::AttrStmtNode* op) override;
  tir::Stmt VisitBufferStore(const tir::BufferStoreNode* op) override;
  tir::Stmt VisitAllocBuffer(const tir::AllocBufferNode* op) override;
  tir::Stmt VisitSeqStmt(const tir::SeqStmtNode* op) override;
  tir::Stmt VisitIfThenElse(const tir::IfThenElseNode* op) override;
  tir::Stmt VisitFor(const tir::ForNode* op) override;
  tir::Stmt VisitWhile(const tir::WhileNode* op) override;
  tir::Stmt VisitBlock(const tir::BlockNode* op) override;
  tir::Buffer VisitBuffer(const tir::BufferNode* op) override;
  tir::BufferRegion VisitBufferRegion(const tir::BufferRegionNode* op) override;
  tir::MatchBufferRegion VisitMatchBufferRegion(const tir::MatchBufferRegionNode* op) override;

 private:
  class Scope;

  /*! \brief What a variable or a buffer was called before its last binding. */
  struct Undo {
    const ffi::Object* key;
    ffi::ObjectRef previous;
    int64_t state;
  };

  bool IsFirst(const ffi::Object* key);
  void Rename(const ffi::Object* key, ffi::ObjectRef by);
  void Bind(const tir::Var& var);
  void BindIfFree(const ir::PrimExpr& expr);
  void BindPlacement(const tir::Buffer& buffer);
  ffi::ObjectRef NameOf(const ffi::Object* key) const;
  tir::Buffer BufferOf(const tir::Buffer& buffer) const;
  tir::Stmt VisitBody(const tir::Stmt& body);

  Renaming renaming_;
  std::unordered_set<const ffi::Object*> bound_before_;
  /*! \brief What is bound at the present place, and how often. */
  std::unordered_map<const ffi::Object*, int> in_scope_;
  std::unordered_map<const ffi::Object*, ffi::ObjectRef> names_;
  std::vector<Undo> undos_;
  /*! \brief A number for the present content of `names_`. */
  int64_t state_ = 0;
  int64_t num_states_ = 0;
  /*! \brief What became of expressions that are held in several places, and in which state. */
  struct Seen {
    ir::PrimExpr expr;
    ir::PrimExpr result;
    int64_t state;
  };
  std::unordered_map<const ffi::Object*, Seen> seen_;
  std::vector<ffi::ObjectRef> kept_alive_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_BINDING_RENAMER_H_
