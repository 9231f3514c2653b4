/*!
 * \file uir/transform/linear_mutator.h
 * \brief A mutator that takes time linear in the expressions of a graph, and keeps variables and
 * buffers together with their uses.
 */
#ifndef UIR_TRANSFORM_LINEAR_MUTATOR_H_
#define UIR_TRANSFORM_LINEAR_MUTATOR_H_

#include <uir/tir/stmt_functor.h>

#include <cstdint>
#include <unordered_map>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief Mutates an expression that is held in several places once, and replaces what is bound.
 *
 * It is for mutators whose result depends on the expression alone, not on the place.  `Replace`
 * puts something else where a variable or a buffer is used from then on.  Where a buffer is bound,
 * in a statement, a block or a match, what `RewriteBuffer` returns takes its place in all uses; a
 * method that makes an access itself takes `UseOf(op->buffer)`.
 */
class LinearMutator : public tir::StmtMutator {
 public:
  ir::PrimExpr VisitPrimExpr(ir::PrimExpr expr) override;

 protected:
  using StmtMutator::VisitDefault;

  /*! \brief From now on, where a variable or a buffer is used, put something else. */
  virtual void Replace(const ffi::ObjectRef& variable, ffi::ObjectRef by);
  /*! \brief What the last `Replace` put where a variable is used; null if there was none. */
  const ffi::ObjectRef* FindReplacement(const ffi::Object* variable) const;
  /*! \brief The buffer that is accessed in the place of one. */
  tir::Buffer UseOf(const tir::Buffer& buffer) const;

  /*! \brief What becomes of a buffer where it is bound. */
  virtual tir::Buffer RewriteBuffer(const tir::BufferNode* op);
  tir::Buffer VisitBuffer(const tir::BufferNode* op) final;
  ir::PrimExpr VisitVar(const tir::VarNode* op) override;
  tir::Stmt VisitAttrStmt(const tir::AttrStmtNode* op) override;
  /*! \brief What becomes of the variable or buffer that a note is about, or of anything else. */
  virtual ffi::Any VisitNote(const ffi::Any& node);

  /*! \brief A number for the present meaning of variables, which results are remembered with. */
  int64_t state() const { return state_; }
  /*! \brief Go back to a meaning that variables had before. */
  void RestoreState(int64_t state) { state_ = state; }

 private:
  struct Seen {
    ir::PrimExpr expr;
    ir::PrimExpr result;
    int64_t state;
  };
  struct Replacement {
    ffi::ObjectRef variable;
    ffi::ObjectRef by;
  };

  /*! \brief What became of expressions, by address; both are kept alive. */
  std::unordered_map<const ffi::Object*, Seen> seen_;
  /*! \brief What stands for variables and buffers, by address. */
  std::unordered_map<const ffi::Object*, Replacement> replacements_;
  int64_t state_ = 0;
  int64_t num_states_ = 0;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LINEAR_MUTATOR_H_
