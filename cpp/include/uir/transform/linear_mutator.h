/*!
 * \file uir/transform/linear_mutator.h
 * \brief A memoizing mutator, linear in the size of the graph, that replaces variables and buffers.
 */
#ifndef UIR_TRANSFORM_LINEAR_MUTATOR_H_
#define UIR_TRANSFORM_LINEAR_MUTATOR_H_

#include <uir/tir/stmt_functor.h>

#include <cstdint>
#include <unordered_map>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief Mutates a shared expression or statement once, and replaces variables and buffers.
 *
 * The result for an expression must not depend on its position. The result for a statement may also
 * depend on `StmtContext`; a statement that changes it is visited at each occurrence. Nested
 * sequences are flattened. `Replace` replaces all later uses of a variable or a buffer. At the
 * definition of a buffer, in a statement, a block or a match, `RewriteBuffer` returns its
 * replacement in all uses. A method that makes an access itself calls `UseOf(op->buffer)`.
 */
class LinearMutator : public tir::StmtMutator {
 public:
  ir::PrimExpr VisitPrimExpr(ir::PrimExpr expr) override;
  tir::Stmt VisitStmt(tir::Stmt stmt) override;

 protected:
  using StmtMutator::VisitDefault;

  /*! \brief Replace all later uses of a variable or a buffer. */
  virtual void Replace(const ffi::ObjectRef& variable, ffi::ObjectRef by);
  /*! \brief The current replacement of a variable, or null. */
  const ffi::ObjectRef* FindReplacement(const ffi::Object* variable) const;
  /*! \brief The current replacement of a buffer. */
  tir::Buffer UseOf(const tir::Buffer& buffer) const;

  /*! \brief The replacement of a buffer at its definition. */
  virtual tir::Buffer RewriteBuffer(const tir::BufferNode* op);
  tir::Buffer VisitBuffer(const tir::BufferNode* op) final;
  ir::PrimExpr VisitVar(const tir::VarNode* op) override;
  tir::Stmt VisitAttrStmt(const tir::AttrStmtNode* op) override;
  tir::Stmt VisitSeqStmt(const tir::SeqStmtNode* op) override;
  /*! \brief The replacement of the variable or buffer of an attribute, or of any other value. */
  virtual ffi::Any VisitNote(const ffi::Any& node);

  /*! \brief The version of the current replacements, part of the key of memoized results. */
  int64_t state() const { return state_; }
  /*! \brief Restore an earlier version of the replacements. */
  void RestoreState(int64_t state) { state_ = state; }
  /*! \brief Forget all results, because other state that they depend on has changed. */
  void ForgetResults() { state_ = ++num_states_; }

  /*! \brief The version of any other state that results for statements depend on. */
  virtual int64_t StmtContext() const { return 0; }
  /*! \brief Note that the earlier result for a statement is used again. */
  virtual void ReuseResult(const tir::StmtNode*) {}

 private:
  template <typename Ref>
  struct Seen {
    Ref node;
    Ref result;
    int64_t state;
    int64_t context;
  };
  struct Replacement {
    ffi::ObjectRef variable;
    ffi::ObjectRef by;
  };

  /*! \brief The memoized results of expressions, by address; both are kept alive. */
  std::unordered_map<const ffi::Object*, Seen<ir::PrimExpr>> seen_;
  /*! \brief The memoized results of statements. */
  std::unordered_map<const ffi::Object*, Seen<tir::Stmt>> seen_stmts_;
  /*! \brief The replacements of variables and buffers, by address. */
  std::unordered_map<const ffi::Object*, Replacement> replacements_;
  int64_t state_ = 0;
  int64_t num_states_ = 0;
};

/*! \brief A mutator of statements only; expressions do not change. */
class StmtRewriter : public LinearMutator {
 public:
  ir::PrimExpr VisitPrimExpr(ir::PrimExpr expr) override { return expr; }
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LINEAR_MUTATOR_H_
