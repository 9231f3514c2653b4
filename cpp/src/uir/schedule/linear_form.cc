// Indices that are linear in a variable.
#include "./linear_form.h"

#include <uir/arith/analyzer.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/transform/substitute.h>

namespace uir::schedule {

using ir::PrimExpr;

std::optional<LinearForm> LinearIn(const PrimExpr& index, const tir::Var& var) {
  const arith::Analyzer analyzer;
  const auto at = [&](int64_t value) {
    const PrimExpr constant = tir::make_const(value, var->dtype);
    return analyzer->Simplify(transform::Substitute(index, {{var, constant}}));
  };
  const PrimExpr start = at(0);
  const std::optional<int64_t> factor = tir::IntConstOf(analyzer->Simplify(at(1) - start));
  if (!factor) return std::nullopt;
  const PrimExpr rest = analyzer->Simplify(index - start - var * *factor);
  if (tir::IntConstOf(rest) != 0) return std::nullopt;
  return LinearForm{*factor, start};
}

}  // namespace uir::schedule
