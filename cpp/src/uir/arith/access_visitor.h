/*!
 * \file access_visitor.h
 * \brief A visitor of statements that tracks the variables and conditions around each access.
 */
#ifndef UIR_ARITH_ACCESS_VISITOR_H_
#define UIR_ARITH_ACCESS_VISITOR_H_

#include <uir/tir/block.h>
#include <uir/tir/stmt_functor.h>

#include <functional>
#include <unordered_set>

namespace uir::arith {

namespace ffi = ::tvm::ffi;

/*! \brief Visits loops, conditions and blocks; a shared node once for the facts that hold there. */
class AccessVisitor : public tir::StmtVisitor {
 public:
  void VisitPrimExpr(const ir::PrimExpr& expr) override;
  void VisitStmt(const tir::Stmt& stmt) override;

 protected:
  using StmtVisitor::VisitDefault;

  /*! \brief A variable takes the values of a range. */
  virtual void Define(const tir::Var& var, const ir::Range& range) = 0;
  /*! \brief A variable has a value. */
  virtual void Define(const tir::Var& var, const ir::PrimExpr& value) = 0;
  /*! \brief A condition holds until the present scope ends. */
  virtual void Assume(const ir::PrimExpr& condition) = 0;
  /*! \brief Run a visit, and drop its definitions and assumptions afterwards. */
  virtual void InScope(const std::function<void()>& visit) = 0;

  // A declaration accesses nothing.
  void VisitBuffer(const tir::BufferNode*) override {}
  void VisitAllocBuffer(const tir::AllocBufferNode*) override {}
  void VisitDeclBuffer(const tir::DeclBufferNode*) override {}

  void VisitLet(const tir::LetNode* op) override;
  void VisitBind(const tir::BindNode* op) override;
  void VisitCall(const tir::CallNode* op) override;
  void VisitFor(const tir::ForNode* op) override;
  void VisitAttrStmt(const tir::AttrStmtNode* op) override;
  void VisitIfThenElse(const tir::IfThenElseNode* op) override;
  void VisitBlockRealize(const tir::BlockRealizeNode* op) override;

 private:
  bool IsNew(const ffi::ObjectRef& node);
  /*! \brief Run a visit in a scope of its own for variables and facts. */
  void Inside(const std::function<void()>& visit);
  void Under(const ir::PrimExpr& condition, const std::function<void()>& visit);

  /*! \brief Shared nodes that were visited in the present scope. */
  std::unordered_set<const ffi::Object*> seen_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_ACCESS_VISITOR_H_
