// How much a statement computes.
#include "./known_work.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/op.h>
#include <uir/tir/expr.h>
#include <uir/tir/launch.h>
#include <uir/tir/stmt_functor.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace uir::transform {

namespace {

/*! \brief Whether a call runs a function, whose work is not known here. */
bool RunsFunction(const tir::CallNode* call) {
  const auto* op = call->op.as<ir::OpNode>();
  return op == nullptr ||
         std::string_view(op->name.data(), op->name.size()).substr(0, 9) == "tir.call_";
}

class KnownWorkCounter : public tir::StmtVisitor {
 public:
  int64_t work() const { return work_; }

  void VisitPrimExpr(const ir::PrimExpr& expr) override {
    tschema::Walk(expr, [this](const ir::PrimExprNode* node) {
      const bool is_leaf = node->IsInstance<tir::VarNode>() || node->IsInstance<ir::IntImmNode>() ||
                           node->IsInstance<ir::FloatImmNode>();
      const auto* call = ffi::GetRef<ir::PrimExpr>(node).as<tir::CallNode>();
      if (!is_leaf) Add(call != nullptr && RunsFunction(call) ? INT64_MAX : 1);
    });
  }

 protected:
  using StmtVisitor::VisitDefault;

  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    Add(1);
    StmtVisitor::VisitBufferStore(op);
  }

  void VisitFor(const tir::ForNode* op) override {
    const ffi::Optional<int64_t> count = op->TripCount();
    if (!count.has_value()) return Add(INT64_MAX);
    const int64_t before = std::exchange(work_, 1);
    VisitStmt(op->body);
    if (__builtin_mul_overflow(work_, std::max<int64_t>(count.value(), 0), &work_)) {
      work_ = INT64_MAX;
    }
    Add(before);
  }

  void VisitAttrStmt(const tir::AttrStmtNode* op) override {
    tir::LaunchedAxis(op) ? Add(INT64_MAX) : StmtVisitor::VisitAttrStmt(op);
  }

  void VisitWhile(const tir::WhileNode*) override { Add(INT64_MAX); }

 private:
  void Add(int64_t work) {
    if (__builtin_add_overflow(work_, work, &work_)) work_ = INT64_MAX;
  }

  int64_t work_ = 0;
};

}  // namespace

int64_t KnownWork(const tir::Stmt& stmt) {
  KnownWorkCounter counter;
  counter.VisitStmt(stmt);
  return counter.work();
}

}  // namespace uir::transform
