/*!
 * \file verify_function.h
 * \brief What is wrong with a tensor-level function.
 */
#ifndef UIR_TIR_VERIFY_FUNCTION_H_
#define UIR_TIR_VERIFY_FUNCTION_H_

#include <uir/ir/verifier.h>
#include <uir/tir/arith.h>
#include <uir/tir/function.h>
#include <uir/tir/logic.h>
#include <uir/tir/stmt_functor.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

namespace uir::tir {

/*! \brief A name as messages show it. */
inline std::string Quoted(const ffi::String& name) { return "`" + std::string(name) + "`"; }

/*! \brief Walks a function with the variables and buffers in mind that are bound at each place. */
class FunctionVerifier : public StmtVisitor {
 public:
  explicit FunctionVerifier(ir::Verifier* verifier) : verifier_(verifier) {}

  void Run(const PrimFuncNode* func);

  void VisitPrimExpr(const ir::PrimExpr& expr) override;
  void VisitStmt(const Stmt& stmt) override;

 protected:
  using StmtVisitor::VisitDefault;
  void VisitVar(const VarNode* op) override;
  void VisitLet(const LetNode* op) override;
  void VisitReduce(const ReduceNode* op) override;
  void VisitBinaryOp(const BinaryOpNode* op) override { VisitOperands(op); }
  void VisitCmpOp(const CmpOpNode* op) override { VisitOperands(op); }
  void VisitLogicalOp(const LogicalOpNode* op) override { VisitOperands(op); }
  void VisitSelect(const SelectNode* op) override;
  void VisitBufferLoad(const BufferLoadNode* op) override;
  void VisitCall(const CallNode* op) override;

  void VisitBind(const BindNode* op) override;
  void VisitAttrStmt(const AttrStmtNode* op) override;
  void VisitBufferStore(const BufferStoreNode* op) override;
  void VisitAllocBuffer(const AllocBufferNode* op) override;
  void VisitDeclBuffer(const DeclBufferNode* op) override;
  void VisitSeqStmt(const SeqStmtNode* op) override;
  void VisitIfThenElse(const IfThenElseNode* op) override;
  void VisitFor(const ForNode* op) override;
  void VisitWhile(const WhileNode* op) override;
  void VisitBreak(const BreakNode* op) override { CheckJump(op, "break"); }
  void VisitContinue(const ContinueNode* op) override { CheckJump(op, "continue"); }
  void VisitBlock(const BlockNode* op) override;
  void VisitBlockRealize(const BlockRealizeNode* op) override;
  void VisitBufferRegion(const BufferRegionNode* op) override;

 private:
  class Scope;
  class JumpScope;

  /*! \brief A binding that must be the only one of its variable. */
  struct Binding {
    ffi::String name;
    const ffi::Object* binder;
  };
  /*! \brief The check of a statement that several others hold. */
  struct SharedStmt {
    /*! \brief The scope in which it was checked. */
    int64_t scope = 0;
    /*! \brief The part of `shared_bindings_` that is in it. */
    size_t first_binding = 0;
    size_t last_binding = 0;
    /*! \brief Whether it has jumps of the loop around it. */
    bool has_jumps = false;
  };

  bool IsOpen(int64_t scope) const {
    return std::binary_search(scopes_.begin(), scopes_.end(), scope);
  }
  void Report(const ffi::Object* node, std::string message) {
    verifier_->Report(node, std::move(message));
  }
  void ReportTwice(const ffi::String& name, const ffi::Object* binder, const ffi::Object* first);
  void VisitBody(const Stmt& body);
  void VisitParts(const ffi::Array<ir::PrimExpr>& parts);
  void Bind(const ffi::Object* variable, const ffi::String& name, const ffi::Object* binder);
  void BindVar(const Var& var, const ffi::Object* binder);
  void BindIfVar(const ir::PrimExpr& expr, const ffi::Object* binder);
  void BindPlacement(const Buffer& buffer, const ffi::Object* binder);
  void BindBuffer(const Buffer& buffer, const ffi::Object* binder);
  void BindMatch(const MatchBufferRegion& match);
  void BindParameters(const PrimFuncNode* func);
  template <typename Node>
  void VisitOperands(const Node* op) {
    CheckSame(op, "a", op->a, "b", op->b);
    VisitPrimExpr(op->a);
    VisitPrimExpr(op->b);
  }
  void CheckUse(const ffi::Object* node, const Buffer& buffer, size_t num_indices);
  void CheckSame(const ffi::Object* node, const char* a_name, const ir::PrimExpr& a,
                 const char* b_name, const ir::PrimExpr& b);
  void CheckKind(const ForNode* loop);
  void CheckThread(const ForNode* loop);
  void CheckJump(const ffi::Object* jump, const char* name);
  void CheckCallee(const CallNode* call, const ir::GlobalVar& callee);

  ir::Verifier* verifier_;
  /*! \brief What is bound at the present place, and in which scope. */
  std::unordered_map<const ffi::Object*, int64_t> bound_;
  /*! \brief The same in the order of binding. */
  std::vector<const ffi::Object*> order_;
  /*! \brief The scopes that are open, innermost last; each has a number of its own. */
  std::vector<int64_t> scopes_;
  int64_t num_scopes_ = 0;
  /*! \brief Expressions that are held in several places, and the scope that they were seen in. */
  std::unordered_map<const ffi::Object*, int64_t> seen_;
  /*! \brief The same of statements. */
  std::unordered_map<const ffi::Object*, SharedStmt> seen_stmts_;
  /*! \brief The bindings in statements that several others hold. */
  std::vector<Binding> shared_bindings_;
  /*! \brief How many such statements are around the present place. */
  int num_shared_ = 0;
  /*! \brief The loops around the present place that are bound to threads. */
  std::vector<const ForNode*> threads_;
  /*! \brief Why a jump is wrong at the present place, or null. */
  const char* jump_error_ = "must be in a loop";
  /*! \brief Whether there were jumps of the innermost loop so far. */
  bool has_jumps_ = false;
};

}  // namespace uir::tir

#endif  // UIR_TIR_VERIFY_FUNCTION_H_
