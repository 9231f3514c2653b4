// Notes the work of kernels in their attributes.
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <uir/arith/analyzer.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/symbol.h>
#include <uir/tir/arith.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/block.h>
#include <uir/tir/expr.h>
#include <uir/tir/function.h>
#include <uir/tir/logic.h>
#include <uir/tir/operators.h>
#include <uir/tir/stmt_functor.h>
#include <uir/transform/pass.h>
#include <uir/transform/tir_passes.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace uir::transform {

namespace {

ir::PrimExpr WorkNumber(int64_t value) { return ir::IntImm(ir::IntType(64), value); }

/*! \brief The variables whose values a caller knows. */
std::unordered_set<const ffi::Object*> KnownVariables(const tir::PrimFuncNode* func) {
  std::unordered_set<const ffi::Object*> known;
  for (const tir::Var& param : func->params) known.insert(param.get());
  if (!ir::IsEntered(func)) return known;
  for (const auto& [param, buffer] : func->buffer_map) {
    for (const ir::PrimExpr& extent : buffer->shape) {
      if (extent.as<tir::VarNode>() != nullptr) known.insert(extent.get());
    }
  }
  return known;
}

/*! \brief Whether a call computes a floating-point number, such as `exp`. */
bool IsFunction(const tir::CallNode* call) {
  static constexpr std::string_view kFree[] = {"tir.if_then_else", "tir.likely", "tir.nonzero",
                                               "tir.reinterpret", "tir.vload"};
  const auto* op = call->op.as<ir::OpNode>();
  if (op == nullptr) return true;
  return std::find(std::begin(kFree), std::end(kFree),
                   std::string_view(op->name.data(), op->name.size())) == std::end(kFree);
}

/*! \brief Counts the operations and the accesses of a body. */
class WorkCounter : public tir::StmtVisitor {
 public:
  explicit WorkCounter(const tir::PrimFuncNode* func) : known_(KnownVariables(func)) {}

  void VisitStmt(const tir::Stmt& stmt) override {
    const auto counted = flops_of_.find(stmt.get());
    // All occurrences of a shared statement access the same elements.
    if (counted != flops_of_.end()) {
      flops_ = flops_ + counted->second;
      return;
    }
    const ir::PrimExpr before = std::exchange(flops_, WorkNumber(0));
    // Shared expressions are computed once per statement.
    seen_.clear();
    StmtVisitor::VisitStmt(stmt);
    flops_of_.emplace(stmt.get(), flops_);
    flops_ = before + flops_;
  }

  void VisitPrimExpr(const ir::PrimExpr& expr) override {
    if (!seen_.insert(expr.get()).second) return;
    if (IsOperation(expr)) flops_ = flops_ + WorkNumber(ir::LanesOf(expr->dtype));
    StmtVisitor::VisitPrimExpr(expr);
  }

  bool is_known() const { return is_known_; }
  bool calls_kernels() const { return calls_kernels_; }
  const ir::PrimExpr& flops() const { return flops_; }

  /*! \brief The numbers of bytes of buffers that are read and written. */
  ir::PrimExpr BytesOf(const tir::Buffer& buffer) {
    ir::PrimExpr size = WorkNumber((buffer->dtype.bits * ir::LanesOf(buffer->dtype) + 7) / 8);
    for (const ir::PrimExpr& extent : buffer->shape) {
      if (!IsGiven(extent)) is_known_ = false;
      size = size * tir::cast(extent, ir::IntType(64));
    }
    ir::PrimExpr bytes = WorkNumber(0);
    for (const auto* accesses : {&reads_, &writes_}) {
      const auto found = accesses->find(buffer->data.get());
      if (found == accesses->end()) continue;
      ir::PrimExpr accessed = WorkNumber(0);
      for (const auto& [times, count] : found->second)
        accessed = accessed + times * WorkNumber(count);
      bytes = bytes + (analyzer_->CanProveLess(accessed, size) ? accessed : size);
    }
    return bytes;
  }

  ir::PrimExpr Simplified(const ir::PrimExpr& expr) const {
    return is_known_ ? analyzer_->Simplify(expr) : WorkNumber(-1);
  }

 protected:
  using StmtVisitor::VisitDefault;

  void VisitFor(const tir::ForNode* op) override {
    if (!IsGiven(op->extent) || op->step.has_value()) is_known_ = false;
    const ir::PrimExpr extent = tir::cast(op->extent, ir::IntType(64));
    const ir::PrimExpr times = std::exchange(times_, times_ * extent);
    const ir::PrimExpr flops = std::exchange(flops_, WorkNumber(0));
    VisitStmt(op->body);
    times_ = times;
    flops_ = flops + flops_ * extent;
  }

  void VisitWhile(const tir::WhileNode* op) override {
    is_known_ = false;
    StmtVisitor::VisitWhile(op);
  }

  void VisitBlock(const tir::BlockNode* op) override {
    if (op->init.has_value()) VisitStmt(op->init.value());
    VisitStmt(op->body);
  }

  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    StmtVisitor::VisitBufferStore(op);
    Note(&writes_, op->buffer, op->value->dtype);
  }

  void VisitBufferLoad(const tir::BufferLoadNode* op) override {
    // Data that the function wrote itself is not read from outside.
    if (writes_.count(op->buffer->data.get()) == 0) Note(&reads_, op->buffer, op->dtype);
    StmtVisitor::VisitBufferLoad(op);
  }

  void VisitCall(const tir::CallNode* op) override {
    static const std::unordered_set<std::string_view> kUnknown = {
        "tir.call_extern", "tir.call_pure_extern", "tir.call_packed"};
    if (op->op.as<ir::GlobalVarNode>() != nullptr) calls_kernels_ = true;
    const auto* named = op->op.as<ir::OpNode>();
    if (named != nullptr && kUnknown.count({named->name.data(), named->name.size()}) != 0) {
      is_known_ = false;
    }
    StmtVisitor::VisitCall(op);
  }

 private:
  /*! \brief For each data pointer, sizes in bytes and the number of accesses of each size. */
  using Accesses =
      std::unordered_map<const ffi::Object*, std::vector<std::pair<ir::PrimExpr, int64_t>>>;

  static bool IsOperation(const ir::PrimExpr& expr) {
    if (const auto* compare = expr.as<tir::CmpOpNode>()) return ir::IsFloat(compare->a->dtype);
    if (!ir::IsFloat(expr->dtype)) return false;
    if (const auto* call = expr.as<tir::CallNode>()) return IsFunction(call);
    return expr.as<tir::BinaryOpNode>() != nullptr;
  }

  /*! \brief Whether a caller knows the value of an expression. */
  bool IsGiven(const ir::PrimExpr& expr) const {
    bool is_given = true;
    tschema::Walk(expr, [&](const ir::PrimExprNode* node) {
      const auto part = ffi::GetRef<ir::PrimExpr>(node);
      if (part.as<tir::BufferLoadNode>() != nullptr || part.as<tir::CallNode>() != nullptr ||
          (part.as<tir::VarNode>() != nullptr && known_.count(node) == 0)) {
        is_given = false;
      }
    });
    return is_given;
  }

  void Note(Accesses* accesses, const tir::Buffer& buffer, DLDataType dtype) const {
    const int64_t bytes = (dtype.bits * ir::LanesOf(dtype) + 7) / 8;
    auto& counts = (*accesses)[buffer->data.get()];
    if (counts.empty() || !counts.back().first.same_as(times_)) counts.emplace_back(times_, 0);
    counts.back().second += bytes;
  }

  std::unordered_set<const ffi::Object*> known_;
  std::unordered_set<const ffi::Object*> seen_;
  /*! \brief The operations of each statement, which may occur more than once. */
  std::unordered_map<const ffi::Object*, ir::PrimExpr> flops_of_;
  arith::Analyzer analyzer_;
  ir::PrimExpr times_ = WorkNumber(1);
  ir::PrimExpr flops_ = WorkNumber(0);
  Accesses reads_;
  Accesses writes_;
  bool is_known_ = true;
  bool calls_kernels_ = false;
};

tir::PrimFunc WithWork(const tir::PrimFunc& func) {
  if (func->buffer_map.empty()) return func;
  WorkCounter counter(func.get());
  counter.VisitStmt(func->body);
  if (counter.calls_kernels()) return func;
  ir::PrimExpr bytes = WorkNumber(0);
  for (const tir::Var& param : func->params) {
    const auto found = func->buffer_map.find(param);
    if (found != func->buffer_map.end()) bytes = bytes + counter.BytesOf((*found).second);
  }
  return ir::with_attrs(func, {{"flops", counter.Simplified(counter.flops())},
                               {"bytes", counter.Simplified(bytes)}})
      .as<tir::PrimFunc>()
      .value();
}

}  // namespace

Pass CountWork() {
  auto run = [](const tir::PrimFunc& func, const ir::IRModule&, const PassContext&) {
    return WithWork(func);
  };
  return MakePrimFuncPass(run, 0, "CountWork");
}

}  // namespace uir::transform
