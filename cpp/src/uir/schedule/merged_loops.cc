// Fewer loops, of more iterations.
#include "./merged_loops.h"

#include <tvm/ffi/cast.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/tir/prim_expr_functor.h>
#include <uir/transform/substitute.h>

#include <algorithm>
#include <map>
#include <utility>

#include "./flat_nest.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

tir::BufferStore SubstituteIn(const tir::BufferStore& store,
                              const transform::Substitution& values) {
  return transform::Substitute(tir::Stmt(store), values).as<tir::BufferStore>().value();
}

/*! \brief Leave out the loops of one iteration. */
void DropUnitLoops(std::vector<tir::For>* loops, transform::Substitution* zeros) {
  const auto is_unit = [&](const tir::For& loop) {
    if (tir::IntConstOf(loop->extent) != 1) return false;
    zeros->Set(loop->loop_var, tir::make_const(0, loop->loop_var->dtype));
    return true;
  };
  loops->erase(std::remove_if(loops->begin(), loops->end(), is_unit), loops->end());
}

LoopNest WithoutUnitLoops(LoopNest nest) {
  transform::Substitution zeros;
  DropUnitLoops(&nest.spatial, &zeros);
  DropUnitLoops(&nest.reduction, &zeros);
  nest.store = SubstituteIn(nest.store, zeros);
  if (nest.init) nest.init = SubstituteIn(*nest.init, zeros);
  return nest;
}

/*! \brief Makes accesses at two neighbouring indices accesses of views, at one. */
class PairMerger : public tir::PrimExprMutator {
 public:
  PairMerger(tir::For outer, tir::For inner, tir::Var merged)
      : outer_(std::move(outer)), inner_(std::move(inner)), merged_(std::move(merged)) {}

  std::vector<tir::DeclBuffer> views;
  bool is_merged = true;

  tir::BufferStore Rewrite(const tir::BufferStore& store) {
    const auto [buffer, indices] = Place(store->buffer, store->indices);
    return tir::BufferStore(buffer, (*this)(store->value), indices, std::nullopt, store->span);
  }

 protected:
  PrimExpr VisitBufferLoad(const tir::BufferLoadNode* op) override {
    ffi::Array<PrimExpr> visited;
    is_merged = is_merged && !op->predicate.has_value();
    const auto [buffer, indices] = Place(op->buffer, op->indices);
    for (const PrimExpr& index : indices) {
      visited.push_back(index.same_as(merged_) ? index : (*this)(index));
    }
    return tir::BufferLoad(buffer, visited, std::nullopt, op->span);
  }
  PrimExpr VisitVar(const tir::VarNode* op) override {
    is_merged = is_merged && op != outer_->loop_var.get() && op != inner_->loop_var.get();
    return ffi::GetRef<PrimExpr>(op);
  }

 private:
  using Accessed = std::pair<tir::Buffer, ffi::Array<PrimExpr>>;

  bool Uses(const PrimExpr& index) const { return UsesAny(VarsOf(index), {outer_, inner_}); }

  /*! \brief The element of a view; the other indices are checked when they are visited. */
  Accessed Place(const tir::Buffer& buffer, const ffi::Array<PrimExpr>& indices) {
    const auto count = static_cast<int64_t>(indices.size());
    for (int64_t i = 0; i + 1 < count; ++i) {
      const bool are_pair = indices[i].same_as(outer_->loop_var) &&
                            indices[i + 1].same_as(inner_->loop_var) &&
                            IsExtentOf(inner_, buffer->shape[i + 1]) && IsCompact(buffer);
      if (!are_pair) continue;
      ffi::Array<PrimExpr> merged(indices.begin(), indices.begin() + i);
      merged.push_back(merged_);
      for (int64_t j = i + 2; j < count; ++j) merged.push_back(indices[j]);
      for (int64_t j = 0; j < count; ++j) {
        is_merged = is_merged && (j == i || j == i + 1 || !Uses(indices[j]));
      }
      return {ViewOf(buffer, i), std::move(merged)};
    }
    for (const PrimExpr& index : indices) is_merged = is_merged && !Uses(index);
    return {buffer, indices};
  }

  static PrimExpr InType(const PrimExpr& dimension, DLDataType dtype) {
    return dimension->dtype.bits < dtype.bits ? tir::cast(dimension, dtype) : dimension;
  }

  tir::Buffer ViewOf(const tir::Buffer& buffer, int64_t dimension) {
    const auto found = known_.find({buffer.get(), dimension});
    if (found != known_.end()) return found->second;
    ffi::Array<PrimExpr> shape(buffer->shape.begin(), buffer->shape.begin() + dimension);
    // Loops whose variables are wider than the dimensions need that.
    shape.push_back(InType(buffer->shape[dimension], merged_->dtype) *
                    InType(buffer->shape[dimension + 1], merged_->dtype));
    for (size_t j = dimension + 2; j < buffer->shape.size(); ++j) shape.push_back(buffer->shape[j]);
    const tir::Buffer view(buffer->data, buffer->dtype, std::move(shape), {}, std::nullopt,
                           buffer->name, buffer->data_alignment);
    views.push_back(tir::DeclBuffer(view));
    known_.emplace(std::make_pair(buffer.get(), dimension), view);
    return view;
  }

  tir::For outer_;
  tir::For inner_;
  tir::Var merged_;
  std::map<std::pair<const tir::BufferNode*, int64_t>, tir::Buffer> known_;
};

/*! \brief Merge a loop and the next one of a list of the nest's loops, if that is possible. */
bool MergePair(MergedNest* made, std::vector<tir::For> LoopNest::* loops, size_t place) {
  const tir::For outer = (made->nest.*loops)[place], inner = (made->nest.*loops)[place + 1];
  const DLDataType dtype = inner->loop_var->dtype;
  if (outer->loop_var->dtype != dtype) return false;
  if (!ProductFits(outer->extent, inner->extent)) return false;
  const tir::Var merged(outer->loop_var->name + "_" + inner->loop_var->name, dtype);
  PairMerger merger(outer, inner, merged);
  LoopNest nest = made->nest;
  nest.store = merger.Rewrite(nest.store);
  if (nest.init) nest.init = merger.Rewrite(*nest.init);
  if (!merger.is_merged) return false;
  std::vector<tir::For>& left = nest.*loops;
  left[place] = tir::For(merged, inner->min, outer->extent * inner->extent, inner->kind,
                         inner->body, std::nullopt, {}, std::nullopt, outer->span);
  left.erase(left.begin() + static_cast<int64_t>(place) + 1);
  made->nest = std::move(nest);
  made->views.insert(made->views.end(), merger.views.begin(), merger.views.end());
  return true;
}

void MergeAll(MergedNest* made, std::vector<tir::For> LoopNest::* loops) {
  for (size_t place = (made->nest.*loops).size(); place-- > 1;) {
    MergePair(made, loops, place - 1);
  }
}

}  // namespace

MergedNest MergeLoops(const LoopNest& nest) {
  MergedNest made{WithoutUnitLoops(nest), {}};
  MergeAll(&made, &LoopNest::reduction);
  MergeAll(&made, &LoopNest::spatial);
  return made;
}

}  // namespace uir::schedule
