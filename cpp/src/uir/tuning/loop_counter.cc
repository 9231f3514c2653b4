// Counts the work of scheduled loops by kind.
#include "./loop_counter.h"

#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/arith.h>
#include <uir/tir/block.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace uir::tuning {

using ir::PrimExpr;

namespace {

/*! \brief Whether an expression is an instruction of its own. */
bool IsOperation(const PrimExpr& expr) {
  if (expr.as<tir::BinaryOpNode>() != nullptr || expr.as<tir::CmpOpNode>() != nullptr) return true;
  const auto* call = expr.as<tir::CallNode>();
  if (call == nullptr) return false;
  const auto* op = call->op.as<ir::OpNode>();
  return op == nullptr || op->name != "tir.likely";
}

double BytesOf(DLDataType dtype) {
  return static_cast<double>((dtype.bits * ir::LanesOf(dtype) + 7) / 8);
}

}  // namespace

void LoopCounter::Count(ByShape* counted, bool is_vector) const {
  (is_vector ? counted->vector : counted->scalar) += runs_;
}

double LoopCounter::BytesOf(const tir::Buffer& buffer) const {
  double bytes = tuning::BytesOf(buffer->dtype);
  for (const PrimExpr& extent : buffer->shape) {
    bytes *= static_cast<double>(values_.At(extent).value_or(kSymbolicSize));
  }
  return bytes;
}

std::vector<double> LoopCounter::StridesOf(const tir::Buffer& buffer,
                                           const ffi::Array<PrimExpr>& indices) const {
  std::vector<double> strides(values_.loops().size(), 0.0);
  double stride = tuning::BytesOf(buffer->dtype);
  for (size_t dim = indices.size(); dim-- > 0;) {
    const PrimExpr& index = indices[static_cast<int64_t>(dim)];
    const std::optional<int64_t> start = values_.At(index);
    for (size_t place = 0; start && place < strides.size(); ++place) {
      const int64_t moved = values_.At(index, place).value_or(*start);
      strides[place] += stride * static_cast<double>(moved - *start);
    }
    if (dim >= buffer->shape.size()) continue;
    const PrimExpr& extent = buffer->shape[static_cast<int64_t>(dim)];
    stride *= static_cast<double>(values_.At(extent).value_or(kSymbolicSize));
  }
  return strides;
}

void LoopCounter::Note(const tir::Buffer& buffer, const ffi::Array<PrimExpr>& indices,
                       DLDataType dtype, ByShape* counted) {
  if (buffer->Scope() == "local") return;
  Access access{buffer->data.get(), tuning::BytesOf(dtype), BytesOf(buffer),
                StridesOf(buffer, indices)};
  // All lanes of a loop may load the same element.
  const bool moves = is_in_vector_ && access.strides.back() != 0.0;
  Count(counted, moves || !ir::IsScalar(dtype));
  loop_->accesses.push_back(std::move(access));
}

void LoopCounter::VisitPrimExpr(const PrimExpr& expr) {
  // Shared expressions are computed once per statement.
  if (!seen_.insert(expr.get()).second) return;
  if (IsOperation(expr)) {
    Count(&counts_.operations, is_in_vector_ || !ir::IsScalar(expr->dtype));
    counts_.incomplete += runs_ * incomplete_;
  }
  StmtVisitor::VisitPrimExpr(expr);
}

void LoopCounter::VisitFor(const tir::ForNode* op) {
  const auto mean = values_.MeanOf(op->extent);
  const double trips = mean ? std::max(mean->value, 0.0) : static_cast<double>(kSymbolicSize);
  const bool is_vector = op->kind == tir::ForKind::kVectorized;
  const double runs = std::exchange(runs_, is_vector ? runs_ : runs_ * trips);
  const double incomplete =
      std::exchange(incomplete_, std::max(incomplete_, mean ? mean->smaller : 0.0));
  const bool was_in_vector = std::exchange(is_in_vector_, is_in_vector_ || is_vector);
  const double registers = register_bytes_;
  if (!is_vector && op->kind != tir::ForKind::kUnrolled) counts_.steps += runs_;
  if (op->kind == tir::ForKind::kParallel) {
    counts_.parallel_steps = std::max(counts_.parallel_steps, trips);
  }
  values_.loops().push_back({op->loop_var.get(), values_.At(op->min).value_or(0), trips});
  loop_->loops.push_back(std::make_unique<LoopTree>());
  LoopTree* const outer = std::exchange(loop_, loop_->loops.back().get());
  loop_->trips = trips;
  VisitStmt(op->body);
  loop_ = outer;
  values_.loops().pop_back();
  runs_ = runs;
  incomplete_ = incomplete;
  is_in_vector_ = was_in_vector;
  register_bytes_ = registers;
}

void LoopCounter::VisitPart(const tir::Stmt& stmt, double part) {
  const double runs = std::exchange(runs_, runs_ * part);
  VisitStmt(stmt);
  runs_ = runs;
}

void LoopCounter::VisitIfThenElse(const tir::IfThenElseNode* op) {
  const auto mean = values_.MeanOf(op->condition);
  // Half of the runs where data decide.
  const double part = mean ? std::clamp(mean->value, 0.0, 1.0) : 0.5;
  if (part > 0.0) VisitPart(op->then_case, part);
  if (part < 1.0 && op->else_case.has_value()) VisitPart(op->else_case.value(), 1.0 - part);
}

void LoopCounter::VisitBufferStore(const tir::BufferStoreNode* op) {
  seen_.clear();
  VisitPrimExpr(op->value);
  Note(op->buffer, op->indices, op->value->dtype, &counts_.stores);
}

void LoopCounter::VisitBufferLoad(const tir::BufferLoadNode* op) {
  // The indices do not count: loops advance pointers.
  Note(op->buffer, op->indices, op->dtype, &counts_.loads);
}

void LoopCounter::VisitAllocBuffer(const tir::AllocBufferNode* op) {
  const double bytes = BytesOf(op->buffer);
  if (op->buffer->Scope() != "local") {
    counts_.allocated_bytes += bytes;
    return;
  }
  register_bytes_ += bytes;
  counts_.register_bytes = std::max(counts_.register_bytes, register_bytes_);
}

void LoopCounter::VisitBind(const tir::BindNode* op) {
  seen_.clear();
  VisitPrimExpr(op->value);
}

void LoopCounter::VisitBlock(const tir::BlockNode* op) {
  if (op->init.has_value()) VisitStmt(op->init.value());
  VisitStmt(op->body);
}

}  // namespace uir::tuning
