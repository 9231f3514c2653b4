// Epilogues for vectors.
#include "./epilogue.h"

#include <tschema/walk.h>
#include <uir/ir/dtype.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/stmt_functor.h>
#include <uir/transform/convert_ssa.h>
#include <uir/transform/expr_lanes.h>

#include <utility>

#include "./loop_writer.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

/*! \brief Replaces loads of the element that a nest stores by a variable. */
class ElementReplacer : public tir::PrimExprMutator {
 public:
  ElementReplacer(const tir::BufferStore& store, tir::Var by) : store_(store), by_(std::move(by)) {}

 protected:
  ir::PrimExpr VisitBufferLoad(const tir::BufferLoadNode* op) override {
    return IsElementOf(ffi::GetRef<ir::PrimExpr>(op), store_)
               ? ir::PrimExpr(by_)
               : PrimExprMutator::VisitBufferLoad(op);
  }

 private:
  const tir::BufferStore& store_;
  tir::Var by_;
};

/*! \brief Whether an epilogue has a form for vectors of neighbouring columns. */
bool HasLanes(const Epilogue& epilogue, const tir::Var& column) {
  bool are_neighbours = true;
  tschema::Walk(epilogue.value, [&](const tir::BufferLoadNode* load) {
    const bool is_simple = ir::IsScalar(load->dtype) && !load->predicate.has_value();
    are_neighbours = are_neighbours && is_simple && AreNeighbours(load->indices, column.get());
  });
  if (!are_neighbours || ir::IsBool(epilogue.value->dtype)) return false;
  constexpr int kLanes = 2;
  const tir::Var sums("sums", ir::WithLanes(epilogue.sum->dtype, kLanes));
  const ir::PrimExpr columns = tir::Ramp(column, tir::make_const(1, column->dtype), kLanes);
  return transform::ExprLanes(epilogue.value, {{column, columns}, {epilogue.sum, sums}}, kLanes)
      .has_value();
}

}  // namespace

std::optional<Epilogue> VectorEpilogueOf(const LoopNest& nest, const tir::Var& column) {
  const tir::BufferStore& stores = *nest.epilogue;
  const tir::Var sum("sum", nest.store->buffer->dtype);
  Epilogue epilogue{stores->buffer, ElementReplacer(nest.store, sum)(stores->value), sum};
  return HasLanes(epilogue, column) ? std::optional<Epilogue>(std::move(epilogue)) : std::nullopt;
}

PrimExpr ResultLanes(const Epilogue& epilogue, const ffi::Map<tir::Var, PrimExpr>& values,
                     const tir::Var& column, const PrimExpr& columns, const PrimExpr& sum) {
  const int lanes = ir::LanesOf(columns->dtype);
  const PrimExpr value = transform::RenewBindings(transform::Substitute(epilogue.value, values));
  // `VectorEpilogueOf` takes epilogues that have lanes.
  const PrimExpr made =
      transform::ExprLanes(value, {{column, columns}, {epilogue.sum, sum}}, lanes).value();
  return ir::LanesOf(made->dtype) == lanes ? made : AllLanes(made, lanes);
}

}  // namespace uir::schedule
