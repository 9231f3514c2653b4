// Nests whose buffers all have the shape of the loops, as one loop.
#include "./flat_nest.h"

#include <tschema/structural_equal.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/operators.h>
#include <uir/tir/stmt_functor.h>

#include <limits>
#include <unordered_map>
#include <utility>

namespace uir::schedule {

using ir::PrimExpr;

bool IsCompact(const tir::Buffer& buffer) {
  return buffer->strides.empty() && tir::IntConstOf(buffer->elem_offset.value()) == 0 &&
         buffer->axis_separators.empty() && buffer->buffer_type == tir::BufferType::kDefault;
}

bool IsExtentOf(const tir::For& loop, const PrimExpr& dimension) {
  const std::optional<int64_t> extent = tir::IntConstOf(loop->extent);
  if (extent) return extent == tir::IntConstOf(dimension);
  // Behind a stride, an extent is `(n - 1) // 2 + 1`, of which there are several copies.
  return loop->extent.same_as(dimension) || tschema::StructuralEqual(loop->extent, dimension);
}

bool ProductFits(const PrimExpr& outer, const PrimExpr& inner) {
  const std::optional<int64_t> a = tir::IntConstOf(outer), b = tir::IntConstOf(inner);
  if (!a || !b || outer->dtype.bits >= 64) return true;
  return static_cast<double>(*a) * static_cast<double>(*b) <= std::numeric_limits<int32_t>::max();
}

namespace {

/*! \brief Whether a buffer has the extents of the loops, and is read at their variables in order.
 */
bool HasShapeOf(const LoopNest& nest, const tir::Buffer& buffer,
                const ffi::Array<PrimExpr>& indices) {
  if (!IsCompact(buffer) || indices.size() != nest.spatial.size()) return false;
  for (size_t i = 0; i < indices.size(); ++i) {
    const tir::For& loop = nest.spatial[i];
    if (!IsExtentOf(loop, buffer->shape[i]) || !indices[i].same_as(loop->loop_var)) return false;
  }
  return true;
}

/*! \brief Makes accesses of elements accesses of flat views. */
class Flattener : public tir::PrimExprMutator {
 public:
  Flattener(const LoopNest& nest, tir::Var index, PrimExpr extent)
      : nest_(nest), index_(std::move(index)), extent_(std::move(extent)) {}

  std::vector<tir::DeclBuffer> views;
  bool is_flat = true;

  tir::Buffer ViewOf(const tir::Buffer& buffer, const ffi::Array<PrimExpr>& indices) {
    is_flat = is_flat && HasShapeOf(nest_, buffer, indices);
    const auto found = known_.find(buffer.get());
    if (found != known_.end()) return found->second;
    const tir::Buffer view(buffer->data, buffer->dtype, {extent_}, {}, std::nullopt,
                           buffer->name + "_flat", buffer->data_alignment);
    views.push_back(tir::DeclBuffer(view, {}, nest_.store->span));
    known_.emplace(buffer.get(), view);
    return view;
  }

 protected:
  PrimExpr VisitBufferLoad(const tir::BufferLoadNode* op) override {
    is_flat = is_flat && !op->predicate.has_value();
    return tir::BufferLoad(ViewOf(op->buffer, op->indices), {index_}, std::nullopt, op->span);
  }

 private:
  const LoopNest& nest_;
  tir::Var index_;
  PrimExpr extent_;
  std::unordered_map<const tir::BufferNode*, tir::Buffer> known_;
};

}  // namespace

std::optional<FlatNest> Flatten(const LoopNest& nest) {
  PrimExpr extent = nest.spatial[0]->extent;
  for (size_t i = 1; i < nest.spatial.size(); ++i) {
    if (nest.spatial[i]->extent->dtype != extent->dtype) return std::nullopt;
    if (!ProductFits(extent, nest.spatial[i]->extent)) return std::nullopt;
    extent = extent * nest.spatial[i]->extent;
  }
  const tir::Var index("element", extent->dtype);
  Flattener flattener(nest, index, extent);
  const tir::Buffer view = flattener.ViewOf(nest.store->buffer, nest.store->indices);
  PrimExpr value = flattener(nest.store->value);
  if (!flattener.is_flat || UsesAny(VarsOf(value), nest.spatial)) return std::nullopt;
  const tir::BufferStore store(view, std::move(value), {index}, std::nullopt, nest.store->span);
  const tir::ForNode* outermost = nest.spatial[0].get();
  const tir::For loop(index, tir::make_const(0, extent->dtype), extent, tir::ForKind::kSerial,
                      store, std::nullopt, {}, std::nullopt, outermost->span);
  return FlatNest{LoopNest{{loop}, {}, std::nullopt, store}, std::move(flattener.views)};
}

}  // namespace uir::schedule
