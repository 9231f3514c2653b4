/*!
 * \file uir/transform/linear_visitor.h
 * \brief A visitor, linear in the size of the graph of expressions and statements.
 */
#ifndef UIR_TRANSFORM_LINEAR_VISITOR_H_
#define UIR_TRANSFORM_LINEAR_VISITOR_H_

#include <uir/tir/stmt_functor.h>

#include <unordered_set>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief Visits a shared expression or statement once. */
class LinearVisitor : public tir::StmtVisitor {
 public:
  void VisitPrimExpr(const ir::PrimExpr& expr) override {
    if (IsNew(expr)) StmtVisitor::VisitPrimExpr(expr);
  }
  void VisitStmt(const tir::Stmt& stmt) override {
    if (IsNew(stmt)) StmtVisitor::VisitStmt(stmt);
  }

 protected:
  using StmtVisitor::VisitDefault;

  /*! \brief Whether this is the first visit of a shared node; true for any other node. */
  bool IsNew(const ffi::ObjectRef& node) {
    return node.use_count() <= 1 || seen_.insert(node.get()).second;
  }

 private:
  std::unordered_set<const ffi::Object*> seen_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LINEAR_VISITOR_H_
