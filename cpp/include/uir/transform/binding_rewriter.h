/*!
 * \file uir/transform/binding_rewriter.h
 * \brief Rewriting of high-level functions, binding by binding.
 *
 * \code
 *   class DropCasts : public BindingRewriter {
 *     void RewriteBinding(const relay::Binding& binding) override {
 *       if (IsIdentityCast(binding->value)) return Replace(binding->var, CastOperand(binding));
 *       BindingRewriter::RewriteBinding(binding);
 *     }
 *   };
 * \endcode
 *
 * The constructor of a rewritten value infers its type. If the type of a binding changes, a new
 * variable replaces the old one in all later bindings, so that only values that depend on a change
 * are typed again. A part that values share is rewritten once in a block, as long as no variable is
 * replaced: the time is linear in the number of objects, not of paths to them.
 */
#ifndef UIR_TRANSFORM_BINDING_REWRITER_H_
#define UIR_TRANSFORM_BINDING_REWRITER_H_

#include <tschema/object_pool.h>
#include <tschema/pointer_map.h>
#include <uir/relay/block.h>
#include <uir/relay/function.h>
#include <uir/relay/relay_expr_functor.h>

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

class BindingRewriter : public relay::RelayExprMutator {
 public:
  /*!
   * \brief Rewrite the body of a function; the function itself if nothing changes.
   *
   * If the type of the result changes, so does that of the function. The assumptions of new calls
   * on dimensions become assumptions of the function.
   */
  relay::Function Run(const relay::Function& func);

  /*! \brief Rewrite a value; a part that occurs more than once in a block is rewritten once. */
  ir::RelayExpr VisitRelayExpr(ir::RelayExpr expr) override;

 protected:
  /*! \brief Rewrite a binding: emit none, one or several. The default rewrites the value. */
  virtual void RewriteBinding(const relay::Binding& binding);

  /*!
   * \brief Emit a binding of a variable to a value.
   *
   * If the type of the value differs from that of the variable, a new variable replaces the latter.
   *
   * \param binding The original binding, which is emitted if nothing changed.
   * \param value The value.
   */
  void Emit(const relay::Binding& binding, ir::RelayExpr value);
  /*! \brief Emit a binding of a new variable; return the variable. */
  relay::Var EmitNew(ir::RelayExpr value, const ffi::String& name);
  /*! \brief Replace all later uses of a variable. */
  void Replace(const relay::Var& var, ir::RelayExpr by);
  /*! \brief The current replacement of a variable, or the variable. */
  ir::RelayExpr UseOf(const relay::Var& var) const;

  /*! \brief Rewrite the value of a binding. */
  ir::RelayExpr VisitValue(const ir::RelayExpr& value) {
    const auto* call = value.as<relay::CallNode>();
    return call != nullptr ? VisitCall(call) : VisitRelayExpr(value);
  }
  /*! \brief The memory for the nodes of this rewrite. */
  tschema::ObjectPool& pool() { return pool_; }

  /*! \brief The bindings emitted in the current block so far. */
  std::vector<relay::Binding>& emitted() { return emitted_; }

  /*! \brief Note the size that a value binds, if it is a call of `first_rows`, before it is added
   * to `emitted`. */
  void NoteSize(const ir::RelayExpr& value);
  /*! \brief The sizes that emitted values bind. */
  const std::unordered_set<const ffi::Object*>& bound_sizes() const { return bound_sizes_; }

  ir::RelayExpr VisitVar(const relay::VarNode* op) override;
  ir::RelayExpr VisitCall(const relay::CallNode* op) override;
  ir::RelayExpr VisitConstant(const relay::ConstantNode* op) override;
  ir::RelayExpr VisitFunction(const relay::FunctionNode* op) override;
  ir::RelayExpr VisitIf(const relay::IfNode* op) override;
  ir::RelayExpr VisitWhile(const relay::WhileNode* op) override;
  relay::Block VisitBlock(const relay::BlockNode* op) override;
  /*! \brief Rewrite a branch or the body of a loop; it checks the assumptions of its calls on
   * dimensions. */
  virtual relay::Block VisitBranch(const relay::BlockNode* op);
  /*! \brief The variable of a loop for a rewritten initial value; the default makes a new one only
   * if the type changed. */
  virtual relay::Var ParamFor(const relay::Var& param, const ir::RelayExpr& initial);
  /*! \brief The value of a block; the default rewrites it. */
  virtual ir::RelayExpr RewriteResult(const ir::RelayExpr& result);

 private:
  /*! \brief Rewrite the body of a function, without changing its assumptions. */
  relay::Function RewriteBody(const relay::Function& func);

  /*! \brief The variables of a loop for rewritten initial values; new ones replace the old ones. */
  ffi::Array<relay::Var> RewriteParams(const relay::WhileNode* op,
                                       const ffi::Array<ir::RelayExpr>& initial);
  relay::Block RewriteBlock(const relay::BlockNode* op, bool is_branch);
  void CountPath(const relay::BlockNode* branch);

  /*! \brief A part of a value and its result; both are kept alive. */
  struct Rewritten {
    ir::RelayExpr part;
    ir::RelayExpr result;
  };

  tschema::ObjectPool pool_;
  /*! \brief The results of calls and tuples inside values of the open block, by address. */
  std::unordered_map<const ffi::Object*, Rewritten> rewritten_;
  /*! \brief Indices of `replacements_` by variable. */
  tschema::PointerMap<uint32_t> replaced_;
  std::vector<ir::RelayExpr> replacements_;
  std::vector<relay::Binding> emitted_;
  std::unordered_set<const ffi::Object*> bound_sizes_;
  /*! \brief Whether the next visited block is a branch. */
  bool is_branch_ = false;
  /*! \brief The visited blocks, and the number of repeated visits. */
  std::unordered_set<const relay::BlockNode*> branches_;
  int64_t num_repeats_ = 0;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_BINDING_REWRITER_H_
