// Loops over elements by vectors.
#include "./vector_loop.h"

#include <uir/arith/analyzer.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/transform/convert_ssa.h>
#include <uir/transform/substitute.h>

#include <utility>

namespace uir::schedule {

namespace {

using ir::PrimExpr;

tir::For Loop(const tir::Var& var, PrimExpr extent, tir::ForKind kind, tir::Stmt body,
              const LoopNest& nest) {
  return tir::For(var, tir::make_const(0, var->dtype), std::move(extent), kind, std::move(body),
                  std::nullopt, {}, std::nullopt, nest.spatial.back()->span);
}

/*! \brief A loop over the iterations from a first one on. */
tir::For Lanes(const LoopNest& nest, const tir::BufferStore& store, const PrimExpr& first,
               PrimExpr extent, tir::ForKind kind) {
  const tir::Var& var = nest.spatial.back()->loop_var;
  const tir::Var lane(var->name + "_lane", var->dtype);
  tir::Stmt body = transform::Substitute(store, {{var, first + lane}});
  return Loop(lane, std::move(extent), kind, std::move(body), nest);
}

}  // namespace

tir::Stmt RunByVectors(const LoopNest& nest, const tir::BufferStore& store, const LoopPart& part,
                       int lanes, tir::ForKind kind) {
  const tir::Var& var = nest.spatial.back()->loop_var;
  const PrimExpr width = tir::make_const(lanes, var->dtype);
  const arith::Analyzer analyzer;
  const PrimExpr whole = analyzer->Simplify(tir::floordiv(part.extent, width));
  const PrimExpr rest = analyzer->Simplify(tir::floormod(part.extent, width));
  ffi::Array<tir::Stmt> parts;
  if (tir::IntConstOf(whole) != 0) {
    const tir::Var vector(var->name + "_vector", var->dtype);
    const tir::Stmt inner =
        Lanes(nest, store, part.begin + vector * width, width, tir::ForKind::kVectorized);
    parts.push_back(Loop(vector, whole, kind, inner, nest));
  }
  if (tir::IntConstOf(rest) != 0) {
    const bool is_known = tir::IntConstOf(rest).has_value();
    const tir::For left = Lanes(nest, store, part.begin + whole * width, rest,
                                is_known ? tir::ForKind::kVectorized : tir::ForKind::kSerial);
    parts.push_back(parts.empty() ? tir::Stmt(left) : transform::RenewBindings(left));
  }
  return tir::flatten_seq(std::move(parts));
}

tir::Stmt InOuterLoops(const LoopNest& nest, tir::Stmt innermost, tir::ForKind kind) {
  for (size_t i = nest.spatial.size() - 1; i-- > 0;) {
    const tir::ForNode* loop = nest.spatial[i].get();
    innermost = tir::For(loop->loop_var, loop->min, loop->extent, i == 0 ? kind : loop->kind,
                         innermost, std::nullopt, {}, std::nullopt, loop->span);
  }
  return innermost;
}

}  // namespace uir::schedule
