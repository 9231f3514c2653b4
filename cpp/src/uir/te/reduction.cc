// The named reductions and their identities.
#include <uir/ir/dtype.h>
#include <uir/te/create.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/limits.h>
#include <uir/tir/op.h>

#include <utility>

namespace uir::te {

namespace {

using ir::PrimExpr;

PrimExpr Combined(ReduceKind kind, const tir::Var& a, const tir::Var& b) {
  switch (kind) {
    case ReduceKind::kSum:
      return tir::add(a, b);
    case ReduceKind::kProd:
      return tir::mul(a, b);
    case ReduceKind::kMin:
      return tir::min(a, b);
    default:
      return tir::max(a, b);
  }
}

PrimExpr IdentityOf(ReduceKind kind, DLDataType dtype) {
  switch (kind) {
    case ReduceKind::kSum:
      return tir::make_const(0, dtype);
    case ReduceKind::kProd:
      return tir::make_const(1, dtype);
    case ReduceKind::kMin:
      return tir::max_value(dtype);
    default:
      return tir::min_value(dtype);
  }
}

}  // namespace

tir::CommReducer combiner(ReduceKind kind, DLDataType dtype) {
  const tir::Var a("x", dtype);
  const tir::Var b("y", dtype);
  return tir::CommReducer({a}, {b}, {Combined(kind, a, b)}, {IdentityOf(kind, dtype)});
}

ffi::Array<PrimExpr> reduce(tir::CommReducer combiner, ffi::Array<PrimExpr> sources,
                            ffi::Array<tir::IterVar> axis, ffi::Optional<PrimExpr> condition,
                            ffi::Optional<ffi::Array<PrimExpr>> init) {
  const PrimExpr holds = condition.value_or(ir::IntImm(ir::BoolType(), 1));
  ffi::Array<PrimExpr> values;
  for (size_t i = 0; i < sources.size(); ++i) {
    values.push_back(tir::Reduce(combiner, axis, sources, holds, static_cast<int32_t>(i),
                                 init.value_or(ffi::Array<PrimExpr>())));
  }
  return values;
}

}  // namespace uir::te
