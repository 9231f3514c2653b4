// Fuses several nests into one loop over rows.
#include "./sibling_nests.h"

#include <tschema/structural_equal.h>
#include <tschema/walk.h>
#include <uir/ir/dtype.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/stmt_functor.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/substitute.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "./flat_nest.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

using VisitAccess =
    std::function<void(const tir::Buffer& buffer, const ffi::Array<PrimExpr>& indices)>;

/*! \brief Visit all loads and stores of a nest. */
void VisitAccesses(const LoopNest& nest, const VisitAccess& visit) {
  const auto visit_store = [&](const tir::BufferStore& store) {
    visit(store->buffer, store->indices);
    tschema::Walk(store->value,
                  [&](const tir::BufferLoadNode* load) { visit(load->buffer, load->indices); });
  };
  if (nest.init) visit_store(*nest.init);
  visit_store(nest.store);
}

/*! \brief The same extent: the same number, or the same expression. */
bool AreEqualExtents(const PrimExpr& a, const PrimExpr& b) {
  return a->dtype == b->dtype && tschema::StructuralEqual(a, b);
}

bool HaveRows(const std::vector<LoopNest>& nests, size_t num_rows) {
  return std::all_of(nests.begin(), nests.end(), [&](const LoopNest& nest) {
    if (nest.spatial.size() < num_rows) return false;
    for (size_t i = 0; i < num_rows; ++i) {
      const bool is_same = AreEqualExtents(nest.spatial[i]->extent, nests[0].spatial[i]->extent) &&
                           nest.spatial[i]->loop_var->dtype == nests[0].spatial[i]->loop_var->dtype;
      if (!is_same) return false;
    }
    return true;
  });
}

/*! \brief Where the indices of a written buffer have the row. */
struct RowPlaces {
  tir::Buffer buffer;
  /*! \brief For each common loop, the dimension that its variable indexes. */
  std::vector<size_t> dimensions;
};

class NestFuser {
 public:
  NestFuser(const std::vector<LoopNest>& nests, size_t num_rows, const BufferUses& uses)
      : nests_(nests), num_rows_(num_rows), uses_(uses) {}

  std::optional<FusedNests> Run() {
    if (num_rows_ == 0 || !HaveRows(nests_, num_rows_)) return std::nullopt;
    for (const LoopNest& nest : nests_) {
      if (!NoteStore(nest)) return std::nullopt;
    }
    if (!std::all_of(nests_.begin(), nests_.end(),
                     [&](const LoopNest& nest) { return StaysInRow(nest); })) {
      return std::nullopt;
    }
    const auto first = nests_[0].spatial.begin();
    FusedNests fused{{first, first + static_cast<int64_t>(num_rows_)}, {}, {}, {}};
    ShrinkBuffers(&fused);
    for (const LoopNest& nest : nests_) fused.nests.push_back(InRow(nest));
    return fused;
  }

 private:
  /*! \brief Record the dimensions of the rows in a store; return whether other stores agree. */
  bool NoteStore(const LoopNest& nest) {
    const tir::Buffer& buffer = nest.store->buffer;
    std::vector<size_t> dimensions;
    for (size_t row = 0; row < num_rows_; ++row) {
      for (size_t i = 0; i < nest.store->indices.size(); ++i) {
        const PrimExpr& index = nest.store->indices[static_cast<int64_t>(i)];
        if (index.same_as(nest.spatial[row]->loop_var)) dimensions.push_back(i);
      }
    }
    if (dimensions.size() != num_rows_) return false;
    const auto [found, is_new] =
        written_.try_emplace(buffer->data.get(), RowPlaces{buffer, dimensions});
    if (is_new) order_.push_back(buffer->data.get());
    return is_new ||
           (found->second.buffer.same_as(buffer) && found->second.dimensions == dimensions);
  }

  /*! \brief Whether a nest accesses only its own row of the buffers that the nests write. */
  bool StaysInRow(const LoopNest& nest) const {
    bool stays = true;
    VisitAccesses(nest, [&](const tir::Buffer& buffer, const ffi::Array<PrimExpr>& indices) {
      const auto found = written_.find(buffer->data.get());
      if (found == written_.end()) return;
      const RowPlaces& places = found->second;
      stays = stays && places.buffer.same_as(buffer);
      for (size_t row = 0; stays && row < num_rows_; ++row) {
        const PrimExpr& index = indices[static_cast<int64_t>(places.dimensions[row])];
        const tir::For& loop = nest.spatial[row];
        const bool is_only_row = tir::IntConstOf(loop->extent) == 1 && tir::IntConstOf(index) == 0;
        stays = index.same_as(loop->loop_var) || is_only_row;
      }
    });
    return stays;
  }

  /*! \brief Replace the buffers that only the nests use by buffers of one row. */
  void ShrinkBuffers(FusedNests* fused) {
    for (const ffi::Object* data : order_) {
      const RowPlaces& places = written_.at(data);
      const tir::Buffer& buffer = places.buffer;
      if (!IsCompact(buffer) || !uses_.AreAllIn(nests_, buffer)) continue;
      const tir::Buffer row =
          tir::decl_buffer(WithoutRows(places, buffer->shape), buffer->dtype, buffer->name,
                           std::nullopt, std::nullopt, std::nullopt, buffer->Scope());
      shrunk_.emplace(buffer.get(), row);
      fused->buffers.push_back(row);
      fused->replaced.push_back(buffer);
    }
  }

  static ffi::Array<PrimExpr> WithoutRows(const RowPlaces& places,
                                          const ffi::Array<PrimExpr>& of_dimensions) {
    ffi::Array<PrimExpr> others;
    for (size_t i = 0; i < of_dimensions.size(); ++i) {
      const auto& rows = places.dimensions;
      if (std::find(rows.begin(), rows.end(), i) == rows.end()) {
        others.push_back(of_dimensions[static_cast<int64_t>(i)]);
      }
    }
    return others;
  }

  /*! \brief Replaces accesses of buffers by those of one row. */
  class RowAccess : public tir::PrimExprMutator {
   public:
    explicit RowAccess(const NestFuser& fuser) : fuser_(fuser) {}

    tir::BufferStore Rewrite(const tir::BufferStore& store) {
      const auto [buffer, indices] = Place(store->buffer, store->indices);
      return tir::BufferStore(buffer, (*this)(store->value), indices, std::nullopt, store->span);
    }

   protected:
    PrimExpr VisitBufferLoad(const tir::BufferLoadNode* op) override {
      ffi::Array<PrimExpr> visited;
      for (const PrimExpr& index : op->indices) visited.push_back((*this)(index));
      const auto [buffer, indices] = Place(op->buffer, visited);
      return tir::BufferLoad(buffer, indices, op->predicate, op->span);
    }

   private:
    std::pair<tir::Buffer, ffi::Array<PrimExpr>> Place(const tir::Buffer& buffer,
                                                       const ffi::Array<PrimExpr>& indices) const {
      const auto found = fuser_.shrunk_.find(buffer.get());
      if (found == fuser_.shrunk_.end()) return {buffer, indices};
      const RowPlaces& places = fuser_.written_.at(buffer->data.get());
      return {found->second, WithoutRows(places, indices)};
    }

    const NestFuser& fuser_;
  };

  /*! \brief The part of a nest inside the common loops. */
  LoopNest InRow(const LoopNest& nest) const {
    transform::Substitution rows;
    for (size_t row = 0; row < num_rows_; ++row) {
      rows.Set(nest.spatial[row]->loop_var, nests_[0].spatial[row]->loop_var);
    }
    const auto rewrite = [&](const tir::BufferStore& store) {
      const tir::BufferStore in_row = RowAccess(*this).Rewrite(store);
      return transform::Substitute(tir::Stmt(in_row), rows).as<tir::BufferStore>().value();
    };
    LoopNest left{{nest.spatial.begin() + static_cast<int64_t>(num_rows_), nest.spatial.end()},
                  nest.reduction,
                  std::nullopt,
                  rewrite(nest.store)};
    if (nest.init) left.init = rewrite(*nest.init);
    return left;
  }

  const std::vector<LoopNest>& nests_;
  size_t num_rows_;
  const BufferUses& uses_;
  std::unordered_map<const ffi::Object*, RowPlaces> written_;
  /*! \brief The written buffers, in the order of the nests. */
  std::vector<const ffi::Object*> order_;
  std::unordered_map<const tir::BufferNode*, tir::Buffer> shrunk_;
};

}  // namespace

std::optional<FusedNests> FuseNests(const std::vector<LoopNest>& nests, size_t num_rows,
                                    const BufferUses& uses) {
  return NestFuser(nests, num_rows, uses).Run();
}

}  // namespace uir::schedule
