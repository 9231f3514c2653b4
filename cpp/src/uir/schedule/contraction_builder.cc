// Blocked loops of contractions.
#include "./contraction_builder.h"

#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/transform/substitute.h>

#include <algorithm>
#include <utility>

#include "./contraction_kernel.h"

namespace uir::schedule {

namespace {

using ir::PrimExpr;

/*! \brief More panels than there are. */
constexpr int64_t kAllPanels = int64_t{1} << 30;

class LoopBuilder {
 public:
  LoopBuilder(const Contraction& contraction, const ContractionParameters& parameters)
      : kernel_(contraction, parameters, &builder_), by_(parameters) {}

  tir::Stmt RunPacked() {
    kernel_.InLoops(kernel_.contraction().outer, [&] { PackedColumns(); });
    return builder_->Body();
  }

  tir::Stmt RunInPlace() {
    kernel_.InLoops(kernel_.contraction().outer, [&] { ColumnsInPlace(); });
    return builder_->Body();
  }

 private:
  PrimExpr Const(int64_t value) const { return kernel_.Const(value); }
  PrimExpr Blocks(const PrimExpr& extent, int64_t block) const {
    return tir::floordiv(extent + (block - 1), Const(block));
  }

  int64_t width() const { return by_.vectors * by_.lanes; }
  int64_t PanelsOfBlock() const {
    return by_.column_block == 0 ? kAllPanels : std::max<int64_t>(by_.column_block / width(), 1);
  }
  PrimExpr WholePanels() const { return tir::floordiv(kernel_.columns(), Const(width())); }
  PrimExpr RestOfColumns() const { return tir::floormod(kernel_.columns(), Const(width())); }
  PrimExpr AllPanels() const { return Blocks(kernel_.columns(), width()); }

  bool IsInPanels() const { return kernel_.contraction().panel_width.has_value(); }

  void PackedColumns() {
    if (!IsInPanels()) Allocate();
    kernel_.ForEach("column_block", Blocks(AllPanels(), PanelsOfBlock()), [&](const PrimExpr& jo) {
      kernel_.ForEach("sum_block", SumBlocks(), [&](const PrimExpr& ko) { SumBlock(jo, ko); });
    });
  }

  void Allocate() {
    const PrimExpr panels = tir::min(AllPanels(), Const(PanelsOfBlock()));
    const PrimExpr sums = tir::min(kernel_.sum(), Const(by_.sum_block));
    packed_ =
        tir::decl_buffer({tir::max(panels, Const(1)), tir::max(sums, Const(1)), Const(width())},
                         kernel_.dtype(), kernel_.name() + "_packed");
    builder_->Emit(tir::AllocBuffer(packed_));
  }

  PrimExpr SumBlocks() const {
    // An empty sum has one block, in which the result gets its start.
    return tir::max(Blocks(kernel_.sum(), by_.sum_block), Const(1));
  }

  SumRange RangeOf(const PrimExpr& ko) const {
    const PrimExpr block = Const(by_.sum_block);
    const std::optional<int64_t> sum = tir::IntConstOf(kernel_.sum());
    const bool is_even = sum && *sum > 0 && *sum % by_.sum_block == 0;
    return {ko * by_.sum_block,
            is_even ? block : tir::min(kernel_.sum() - ko * by_.sum_block, block),
            ko + 1 >= SumBlocks()};
  }

  /*! \brief Read a few rows of the right operand side by side, from the first column to the last.
   */
  void ColumnsInPlace() {
    const std::optional<int64_t> rows = tir::IntConstOf(kernel_.rows());
    kernel_.ForEach("sum_block", SumBlocks(), [&](const PrimExpr& ko) {
      const SumRange range = RangeOf(ko);
      InPanels(Const(0), [&](const Panel& panel) {
        const tir::Buffer elements = kernel_.Local("panel", panel.vectors * by_.lanes);
        const LoadPanel load = [&](const PrimExpr& k, const tir::Buffer& vectors) {
          kernel_.FillPanel(elements, {}, panel, range.first + k);
          kernel_.LoadVectors(elements, {}, vectors);
        };
        if (rows) return kernel_.Sums(panel, range, Const(0), *rows, load);
        kernel_.ForEach("row", kernel_.rows(),
                        [&](const PrimExpr& row) { kernel_.Sums(panel, range, row, 1, load); });
      });
    });
  }

  void SumBlock(const PrimExpr& jo, const PrimExpr& ko) {
    const SumRange range = RangeOf(ko);
    const auto kind = by_.is_parallel ? tir::ForKind::kParallel : tir::ForKind::kSerial;
    if (!IsInPanels()) InPanels(jo, [&](const Panel& panel) { Pack(panel, range); }, kind);
    const int64_t groups = std::max<int64_t>(by_.row_block / by_.rows, 1);
    const PrimExpr blocks = Blocks(Blocks(kernel_.rows(), by_.rows), groups);
    kernel_.ForEach(
        "row_block", blocks,
        [&](const PrimExpr& io) {
          InPanels(jo, [&](const Panel& panel) { Rows(panel, range, io, groups); });
        },
        kind);
  }

  /*! \brief Run `body` for the whole panels of a block of columns, and for the last one. */
  void InPanels(const PrimExpr& jo, const std::function<void(const Panel&)>& body,
                tir::ForKind kind = tir::ForKind::kSerial) {
    const PrimExpr first = jo * PanelsOfBlock();
    const PrimExpr count = tir::min(WholePanels() - first, Const(PanelsOfBlock()));
    kernel_.ForEach(
        "panel", count,
        [&](const PrimExpr& jp) { body({jp, (first + jp) * width(), by_.vectors, std::nullopt}); },
        kind);
    const PrimExpr rest = RestOfColumns();
    const std::optional<int64_t> known = tir::IntConstOf(rest);
    if (known == 0) return;
    const int64_t vectors = known ? (*known + by_.lanes - 1) / by_.lanes : by_.vectors;
    const PrimExpr slot = WholePanels() - first;
    const PrimExpr is_here = tir::logical_and(rest > 0, slot < PanelsOfBlock());
    kernel_.Where(is_here, [&] { body({slot, WholePanels() * width(), vectors, rest}); });
  }

  /*! \brief Copy the right operand's part of a panel, with 0 for missing columns. */
  void Pack(const Panel& panel, const SumRange& range) {
    kernel_.ForEach("k", range.extent, [&](const PrimExpr& k) {
      const ffi::Array<PrimExpr> place = {panel.slot, k};
      kernel_.FillPanel(packed_, place, panel, range.first + k);
    });
  }

  /*! \brief The groups of rows of a block, the last of which may have fewer rows. */
  void Rows(const Panel& panel, const SumRange& range, const PrimExpr& io, int64_t groups) {
    const LoadPanel load = [&](const PrimExpr& k, const tir::Buffer& vectors) {
      if (IsInPanels()) return kernel_.LoadPanelVectors(panel, range.first + k, vectors);
      kernel_.LoadVectors(packed_, {panel.slot, k}, vectors);
    };
    kernel_.InGroups(io * groups, groups, [&](const PrimExpr& row, int64_t rows) {
      kernel_.Sums(panel, range, row, rows, load);
    });
  }

  tir::Builder builder_;
  ContractionKernel kernel_;
  ContractionParameters by_;
  tir::Buffer packed_{ffi::UnsafeInit{}};
};

}  // namespace

tir::Stmt BuildPacked(const Contraction& contraction, const ContractionParameters& parameters) {
  return LoopBuilder(contraction, parameters).RunPacked();
}

tir::Stmt BuildInPlace(const Contraction& contraction, const ContractionParameters& parameters) {
  return LoopBuilder(contraction, parameters).RunInPlace();
}

}  // namespace uir::schedule
