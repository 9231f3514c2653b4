// Loops of schedules.
#include "./loop_writer.h"

#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>

#include <utility>

namespace uir::schedule {

using ir::PrimExpr;

LoopWriter::LoopWriter(const LoopNest& nest, tir::Builder* builder)
    : LoopWriter(nest.spatial[0]->loop_var->dtype, nest.store->span, builder) {}

LoopWriter::LoopWriter(DLDataType index, ffi::Optional<ir::Span> span, tir::Builder* builder)
    : index_(index), span_(std::move(span)), builder_(builder) {}

PrimExpr LoopWriter::Const(int64_t value) const { return tir::make_const(value, index_); }

void LoopWriter::ForEach(const char* name, const PrimExpr& extent,
                         const std::function<void(const PrimExpr&)>& body, tir::ForKind kind) {
  const std::optional<int64_t> count = tir::IntConstOf(extent);
  if (count && *count <= 0) return;
  const PrimExpr zero = tir::make_const(0, extent->dtype);
  if (count == 1) return body(zero);
  const tir::Var var(name, extent->dtype);
  builder_->Within((*builder_)->EnterFor(var, zero, extent, kind, std::nullopt, std::nullopt,
                                         std::nullopt, span_),
                   [&] { body(var); });
}

void LoopWriter::Where(const PrimExpr& condition, const std::function<void()>& body) {
  const std::optional<int64_t> known = tir::IntConstOf(condition);
  if (known == 0) return;
  if (known) return body();
  builder_->Within((*builder_)->EnterIf(condition, span_), body);
}

void LoopWriter::InLoops(const std::vector<tir::For>& loops, const std::function<void()>& body) {
  const std::function<void(size_t)> from = [&](size_t next) {
    if (next == loops.size()) return body();
    const tir::ForNode* loop = loops[next].get();
    builder_->Within((*builder_)->EnterFor(loop->loop_var, loop->min, loop->extent, loop->kind,
                                           std::nullopt, std::nullopt, std::nullopt, loop->span),
                     [&] { from(next + 1); });
  };
  from(0);
}

void LoopWriter::InVectors(
    const PrimExpr& extent, int lanes,
    const std::function<void(const PrimExpr&, const PrimExpr&, tir::ForKind)>& body) {
  const auto by_vectors = [&](int width) {
    const PrimExpr last = extent - width;
    const PrimExpr vectors = tir::floordiv(extent + (width - 1), Const(width));
    const auto kind = tir::IntConstOf(vectors) ? tir::ForKind::kUnrolled : tir::ForKind::kSerial;
    const auto run = [&](const PrimExpr& vector) {
      body(tir::min(vector * width, last), Const(width), tir::ForKind::kVectorized);
    };
    ForEach("vector", vectors, run, kind);
  };
  if (tir::IntConstOf(extent)) return by_vectors(LanesWithin(extent, lanes));
  builder_->If(extent >= lanes, [&] { by_vectors(lanes); });
  builder_->Else([&] {
    if (lanes / 2 >= kFewestLanes) return InVectors(extent, lanes / 2, body);
    body(Const(0), extent, tir::ForKind::kSerial);
  });
}

void LoopWriter::Store(const tir::Buffer& buffer, ffi::Array<PrimExpr> indices, PrimExpr value) {
  (*builder_)->Emit(
      tir::BufferStore(buffer, std::move(value), std::move(indices), std::nullopt, span_));
}

tir::Buffer LoopWriter::Local(const char* name, int64_t count, DLDataType dtype,
                              ffi::Map<ffi::String, ffi::Any> annotations) {
  tir::Buffer buffer = tir::decl_buffer({Const(count)}, dtype, name, std::nullopt, std::nullopt,
                                        std::nullopt, "local");
  (*builder_)->Emit(tir::AllocBuffer(buffer, std::move(annotations)));
  return buffer;
}

int LanesWithin(const PrimExpr& extent, int lanes) {
  const std::optional<int64_t> known = tir::IntConstOf(extent);
  if (!known || *known >= lanes) return lanes;
  int within = 1;
  while (within * 2 <= *known) within *= 2;
  return within;
}

PrimExpr LanesFrom(const PrimExpr& first, int lanes) {
  if (lanes == 1) return first;
  return tir::Ramp(first, tir::make_const(1, first->dtype), lanes);
}

PrimExpr AllLanes(const PrimExpr& value, int lanes) {
  return lanes == 1 ? value : tir::Broadcast(value, lanes);
}

}  // namespace uir::schedule
