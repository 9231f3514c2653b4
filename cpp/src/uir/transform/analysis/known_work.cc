// Estimates the work of a statement.
#include "./known_work.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/arith.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/atom.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/launch.h>
#include <uir/tir/op.h>
#include <uir/tir/stmt_functor.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace uir::transform {

namespace {

using ir::PrimExpr;

/*! \brief Whether a call runs a function, whose work is unknown here. */
bool RunsFunction(const tir::CallNode* call) {
  const auto* op = call->op.as<ir::OpNode>();
  return op == nullptr ||
         std::string_view(op->name.data(), op->name.size()).substr(0, 9) == "tir.call_";
}

class KnownWorkCounter : public tir::StmtVisitor {
 public:
  int64_t work() const { return work_; }

  void VisitPrimExpr(const ir::PrimExpr& expr) override {
    if (tir::IsAtom(expr.get())) return;
    tschema::Walk(expr, [this](const ir::PrimExprNode* node) {
      if (tir::IsAtom(node)) return;
      const bool runs_function = node->IsInstance<tir::CallNode>() &&
                                 RunsFunction(static_cast<const tir::CallNode*>(node));
      Add(runs_function ? INT64_MAX : 1);
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

/*! \brief Counts work as a sum of products of extents. */
class SymbolicWorkCounter : public tir::StmtVisitor {
 public:
  explicit SymbolicWorkCounter(const tir::Stmt& stmt) {
    tschema::Walk(stmt, [this](const tir::ForNode* loop) { inner_.insert(loop->loop_var.get()); });
    tschema::Walk(stmt, [this](const tir::BindNode* bind) { Define(bind->var, bind->value); });
    tschema::Walk(stmt, [this](const tir::LetNode* let) { Define(let->var, let->value); });
    VisitStmt(stmt);
  }

  ffi::Optional<PrimExpr> work() const {
    return is_known_ ? ffi::Optional<PrimExpr>(Sum()) : std::nullopt;
  }

  void VisitPrimExpr(const PrimExpr& expr) override {
    KnownWorkCounter counter;
    counter.VisitPrimExpr(expr);
    Add(counter.work());
  }

 protected:
  using StmtVisitor::VisitDefault;

  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    Add(1);
    StmtVisitor::VisitBufferStore(op);
  }

  void VisitFor(const tir::ForNode* op) override {
    const PrimExpr before = std::exchange(work_, Number(0));
    const int64_t constant_before = std::exchange(constant_, 1);
    VisitStmt(op->body);
    work_ = tir::add(before, tir::mul(Count(op->extent), Sum()));
    constant_ = constant_before;
  }

  void VisitAttrStmt(const tir::AttrStmtNode* op) override {
    tir::LaunchedAxis(op) ? Fail() : StmtVisitor::VisitAttrStmt(op);
  }

  void VisitWhile(const tir::WhileNode*) override { Fail(); }

 private:
  static PrimExpr Number(int64_t value) { return ir::IntImm(ir::IntType(64), value); }

  void Define(const tir::Var& var, const PrimExpr& value) {
    inner_.insert(var.get());
    values_.emplace(var.get(), value);
  }

  void Fail() { is_known_ = false; }

  void Add(int64_t work) {
    if (work == INT64_MAX || __builtin_add_overflow(constant_, work, &constant_)) Fail();
  }

  PrimExpr Sum() const { return tir::add(work_, Number(constant_)); }

  /*! \brief An upper bound of the iterations of a loop. */
  PrimExpr Count(const PrimExpr& extent) {
    const ffi::Optional<PrimExpr> most = MostOf(extent, 0);
    if (!most.has_value()) Fail();
    return most.has_value() ? tir::max(most.value(), Number(0)) : Number(0);
  }

  /*! \brief An upper bound of an extent, in sizes from outside; these are not negative. */
  ffi::Optional<PrimExpr> MostOf(const PrimExpr& expr, int depth) {
    constexpr int kMostDepth = 16;
    if (depth > kMostDepth || !ir::IsScalar(expr->dtype)) return std::nullopt;
    if (IsOutside(expr)) return tir::cast(expr, ir::IntType(64));
    const auto value = values_.find(expr.get());
    if (value != values_.end()) return MostOf(value->second, depth + 1);
    if (const auto* quotient = expr.as<tir::FloorDivNode>()) {
      const ffi::Optional<PrimExpr> most = MostOf(quotient->a, depth + 1);
      const std::optional<int64_t> divisor = tir::IntConstOf(quotient->b);
      if (!most.has_value() || !divisor || *divisor < 1) return std::nullopt;
      return tir::floordiv(most.value(), Number(*divisor));
    }
    const auto* operation = expr.as<tir::BinaryOpNode>();
    if (operation == nullptr) return std::nullopt;
    const std::optional<int64_t> right = tir::IntConstOf(operation->b);
    if (expr.as<tir::FloorModNode>() && right && *right > 0) return Number(*right - 1);
    const ffi::Optional<PrimExpr> a = MostOf(operation->a, depth + 1);
    const ffi::Optional<PrimExpr> b = MostOf(operation->b, depth + 1);
    if (expr.as<tir::MinNode>() && a.has_value() != b.has_value()) return a.has_value() ? a : b;
    // The subtrahend is an index, which is not negative.
    if (expr.as<tir::SubNode>() && a.has_value()) return a;
    if (!a.has_value() || !b.has_value()) return std::nullopt;
    if (expr.as<tir::MinNode>()) return tir::min(a.value(), b.value());
    if (expr.as<tir::AddNode>()) return tir::add(a.value(), b.value());
    if (expr.as<tir::MulNode>()) return tir::mul(a.value(), b.value());
    return std::nullopt;
  }

  bool IsOutside(const PrimExpr& expr) const {
    bool is_outside = true;
    tschema::Walk(expr, [&](const ir::PrimExprNode* node) {
      is_outside &= inner_.count(node) == 0 && !node->IsInstance<tir::BufferLoadNode>() &&
                    !node->IsInstance<tir::CallNode>();
    });
    return is_outside;
  }

  std::unordered_map<const ffi::Object*, PrimExpr> values_;
  std::unordered_set<const ffi::Object*> inner_;
  PrimExpr work_ = Number(0);
  /*! \brief The work to add to `work_` that depends on no size. */
  int64_t constant_ = 0;
  bool is_known_ = true;
};

}  // namespace

ffi::Optional<ir::PrimExpr> SymbolicWork(const tir::Stmt& stmt) {
  return SymbolicWorkCounter(stmt).work();
}

int64_t KnownWork(const tir::Stmt& stmt) {
  KnownWorkCounter counter;
  counter.VisitStmt(stmt);
  return counter.work();
}

}  // namespace uir::transform
