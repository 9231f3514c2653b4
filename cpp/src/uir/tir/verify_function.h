/*!
 * \file verify_function.h
 * \brief The checks of tensor-level functions.
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

/*! \brief A name in backquotes, for messages. */
inline std::string Quoted(const ffi::String& name) { return "`" + std::string(name) + "`"; }

/*! \brief Checks a function, and tracks the variables and buffers in scope. */
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
  /*! \brief The result of checking a statement with several parents. */
  struct SharedStmt {
    /*! \brief The scope in which it was checked. */
    int64_t scope = 0;
    /*! \brief Its bindings, a half-open range of `shared_bindings_`. */
    size_t first_binding = 0;
    size_t last_binding = 0;
    /*! \brief Whether it has a `break` or `continue` of the loop around it. */
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
  /*! \brief The variables and buffers in scope, with the number of their scope. */
  std::unordered_map<const ffi::Object*, int64_t> bound_;
  /*! \brief The same variables and buffers, in the order of binding. */
  std::vector<const ffi::Object*> order_;
  /*! \brief The numbers of the open scopes, the innermost last. */
  std::vector<int64_t> scopes_;
  int64_t num_scopes_ = 0;
  /*! \brief The shared expressions, and the scope in which each was checked. */
  std::unordered_map<const ffi::Object*, int64_t> seen_;
  /*! \brief The shared statements. */
  std::unordered_map<const ffi::Object*, SharedStmt> seen_stmts_;
  /*! \brief The bindings in shared statements. */
  std::vector<Binding> shared_bindings_;
  /*! \brief The number of shared statements around the present one. */
  int num_shared_ = 0;
  /*! \brief The enclosing loops that are bound to threads. */
  std::vector<const ForNode*> threads_;
  /*! \brief The error of a jump here; null if jumps are allowed. */
  const char* jump_error_ = "must be in a loop";
  /*! \brief Whether the visited part of the innermost loop has jumps. */
  bool has_jumps_ = false;
};

}  // namespace uir::tir

#endif  // UIR_TIR_VERIFY_FUNCTION_H_
