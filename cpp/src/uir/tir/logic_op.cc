// Comparisons and logic, with the data types of the operands matched first.
#include <uir/tir/logic.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <utility>

namespace uir::tir {

namespace {

using ir::PrimExpr;

template <typename Node>
PrimExpr Compared(PrimExpr a, PrimExpr b) {
  const ffi::Tuple<PrimExpr, PrimExpr> operands = match_types(std::move(a), std::move(b));
  return Node(operands.get<0>(), operands.get<1>());
}

}  // namespace

PrimExpr equal(PrimExpr a, PrimExpr b) { return Compared<EQ>(std::move(a), std::move(b)); }

PrimExpr not_equal(PrimExpr a, PrimExpr b) { return Compared<NE>(std::move(a), std::move(b)); }

PrimExpr less(PrimExpr a, PrimExpr b) { return Compared<LT>(std::move(a), std::move(b)); }

PrimExpr less_equal(PrimExpr a, PrimExpr b) { return Compared<LE>(std::move(a), std::move(b)); }

PrimExpr greater(PrimExpr a, PrimExpr b) { return Compared<GT>(std::move(a), std::move(b)); }

PrimExpr greater_equal(PrimExpr a, PrimExpr b) { return Compared<GE>(std::move(a), std::move(b)); }

PrimExpr logical_and(PrimExpr a, PrimExpr b) { return And(std::move(a), std::move(b)); }

PrimExpr logical_or(PrimExpr a, PrimExpr b) { return Or(std::move(a), std::move(b)); }

PrimExpr logical_not(PrimExpr a) { return Not(std::move(a)); }

}  // namespace uir::tir
