// Loops over rows.
#include "./row_builder.h"

#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/transform/convert_ssa.h>
#include <uir/transform/substitute.h>

#include <algorithm>
#include <utility>

#include "./lane_reduction.h"
#include "./merged_loops.h"
#include "./nest/from_loops.h"
#include "./nest/lower.h"

namespace uir::schedule {

namespace {

using ir::PrimExpr;

/*! \brief With fewer iterations of the outermost loop, rows are counted by one loop. */
constexpr int64_t kManyIterations = 64;

constexpr int kMostLanes = 64;

/*! \brief The terms of a column that are added to one sum, before these are added. */
constexpr int64_t kTermsOfPart = 64;

tir::Stmt InSequence(ffi::Array<tir::Stmt> parts) { return tir::flatten_seq(std::move(parts)); }

/*! \brief The loop of the last index that a nest stores to, if it is the innermost one. */
const tir::For* ColumnLoopOf(const LoopNest& nest) {
  if (nest.spatial.empty() || nest.store->indices.empty()) return nullptr;
  const tir::For& last = nest.spatial.back();
  return nest.store->indices.back().same_as(last->loop_var) ? &last : nullptr;
}

bool HasColumns(const LoopNest& nest) {
  const tir::For* columns = ColumnLoopOf(nest);
  return columns != nullptr && RunsAlong(nest.store->value, *columns) &&
         (!nest.init || RunsAlong((*nest.init)->value, *columns));
}

/*! \brief The reduction along neighbouring elements, with its loop as the last one. */
std::optional<LoopNest> AlongNeighbours(LoopNest nest) {
  const std::optional<RowReduction> reduction = MatchRowReduction(nest);
  if (!reduction) return std::nullopt;
  for (size_t i = nest.reduction.size(); i-- > 0;) {
    const VarSet used = VarsOf(reduction->term);
    if (used.count(nest.reduction[i]->loop_var.get()) == 0) continue;
    if (!RunsAlong(reduction->term, nest.reduction[i])) continue;
    const auto place = nest.reduction.begin() + static_cast<int64_t>(i);
    std::rotate(place, place + 1, nest.reduction.end());
    return nest;
  }
  return std::nullopt;
}

/*! \brief A nest in a row, by vectors. */
class NestInRow {
 public:
  NestInRow(const LoopNest& nest, const RowParameters& parameters) : by_(parameters) {
    MergedNest merged = MergeLoops(nest);
    nest_ = std::move(merged.nest);
    parts_ = {merged.views.begin(), merged.views.end()};
  }

  tir::Stmt Run() {
    parts_.push_back(nest_.reduction.empty() ? Elements() : Reduction());
    return InSequence(parts_);
  }

 private:
  int Lanes(const PrimExpr& value) const {
    const int bits = WidestBits(value, nest_.store->buffer->dtype);
    int lanes = 1;
    while (lanes < kMostLanes && 2 * lanes * bits <= by_.vector_bits) lanes *= 2;
    return lanes;
  }

  /*! \brief A store for each element, by vectors where columns are neighbours. */
  tir::Stmt ByColumns(const tir::BufferStore& store, const nest::Range& part) const {
    return nest::PartByVectors(nest_.spatial.back(), store, part, Lanes(nest_.store->value));
  }

  std::vector<tir::For> OuterLoops() const {
    return {nest_.spatial.begin(), nest_.spatial.end() - 1};
  }

  tir::Stmt Elements() const {
    if (!HasColumns(nest_)) return InLoops(nest_.spatial, nest_.store);
    const tir::For& columns = nest_.spatial.back();
    return InLoops(OuterLoops(),
                   ByColumns(nest_.store, nest::PartOf(columns->min, columns->extent)));
  }

  tir::Stmt Reduction() const {
    if (const std::optional<LoopNest> along = AlongNeighbours(nest_)) {
      const RowReduction reduction = MatchRowReduction(*along).value();
      const int lanes = Lanes(reduction.term);
      if (const auto made = ReduceByVectors(*along, reduction, lanes, by_.vectors)) {
        return InLoops(nest_.spatial, *made);
      }
    }
    if (HasColumns(nest_)) return InLoops(OuterLoops(), ColumnBlocks());
    return InLoops(nest_.spatial, InSequence({*nest_.init, InLoops(nest_.reduction, nest_.store)}));
  }

  /*! \brief Reductions of some columns at a time; long sums are those of parts. */
  tir::Stmt ColumnBlocks() const {
    const tir::For& columns = nest_.spatial.back();
    const PrimExpr block =
        tir::make_const(std::max<int64_t>(by_.column_block, 1), columns->loop_var->dtype);
    const PrimExpr whole = tir::floordiv(columns->extent, block);
    const PrimExpr rest = tir::floormod(columns->extent, block);
    ffi::Array<tir::Stmt> parts;
    if (tir::IntConstOf(whole) != 0) {
      const tir::Var index(columns->loop_var->name + "_block", columns->loop_var->dtype);
      const bool is_outermost = by_.is_parallel && nest_.spatial.size() == 1;
      parts.push_back(tir::For(index, columns->min, whole,
                               is_outermost ? tir::ForKind::kParallel : tir::ForKind::kSerial,
                               ColumnBlock(nest::PartOf(index * block, block))));
    }
    if (tir::IntConstOf(rest) != 0) {
      parts.push_back(transform::RenewBindings(ColumnBlock(nest::PartOf(whole * block, rest))));
    }
    return InSequence(std::move(parts));
  }

  tir::Stmt ColumnBlock(const nest::Range& part) const {
    const std::optional<RowReduction> reduction = MatchRowReduction(nest_);
    const bool is_in_parts = reduction && IsLongSum(*reduction);
    return InSequence({ByColumns(*nest_.init, part),
                       is_in_parts ? SumOfParts(part, *reduction)
                                   : InLoops(nest_.reduction, ByColumns(nest_.store, part))});
  }

  /*! \brief Whether an element is such a long sum that rounding errors would accumulate. */
  bool IsLongSum(const RowReduction& reduction) const {
    const DLDataType dtype = nest_.store->buffer->dtype;
    if (reduction.combiner != Combiner::kSum || !ir::IsFloat(dtype)) return false;
    if (reduction.term->dtype != dtype) return false;
    int64_t terms = 1;
    for (const tir::For& loop : nest_.reduction) {
      const std::optional<int64_t> extent = tir::IntConstOf(loop->extent);
      if (!extent || __builtin_mul_overflow(terms, *extent, &terms)) return true;
    }
    return terms > 2 * kTermsOfPart;
  }

  /*! \brief Sums of columns, of which some terms after the other are added to a sum of their own.
   */
  tir::Stmt SumOfParts(const nest::Range& part, const RowReduction& reduction) const {
    const tir::For& columns = nest_.spatial.back();
    const DLDataType dtype = nest_.store->buffer->dtype;
    const PrimExpr size =
        tir::make_const(tir::IntConstOf(part.size).value_or(std::max<int64_t>(by_.column_block, 1)),
                        columns->loop_var->dtype);
    const tir::Buffer sums =
        tir::decl_buffer({size}, dtype, std::string(nest_.store->buffer->name) + "_part",
                         std::nullopt, std::nullopt, std::nullopt, "local");
    const PrimExpr place = columns->loop_var - part.start;
    const PrimExpr so_far = tir::BufferLoad(sums, {place});
    const auto by_columns = [&](const tir::Buffer& buffer, const PrimExpr& value,
                                const ffi::Array<PrimExpr>& indices) {
      return ByColumns(tir::BufferStore(buffer, value, indices, std::nullopt, nest_.store->span),
                       part);
    };
    const tir::BufferStore& store = nest_.store;
    const tir::Stmt clear = by_columns(sums, reduction.identity, {place});
    const tir::Stmt add = by_columns(sums, reduction.Combine(so_far, reduction.term), {place});
    const PrimExpr total = tir::BufferLoad(store->buffer, store->indices) + so_far;
    const tir::Stmt finish = by_columns(store->buffer, total, store->indices);
    return InSequence({tir::AllocBuffer(sums), InParts(clear, add, finish)});
  }

  /*! \brief The loops of a reduction, of which one runs over parts: each has a beginning, a
   * statement for each term, and an end. */
  tir::Stmt InParts(const tir::Stmt& clear, const tir::Stmt& add, const tir::Stmt& finish) const {
    const int64_t inner = tir::IntConstOf(nest_.reduction.back()->extent).value_or(kTermsOfPart);
    const size_t divided = inner >= kTermsOfPart ? nest_.reduction.size() - 1 : 0;
    const auto at = nest_.reduction.begin() + static_cast<int64_t>(divided);
    const tir::Stmt terms = InLoops({at + 1, nest_.reduction.end()}, add);
    const tir::For& loop = *at;
    const DLDataType dtype = loop->loop_var->dtype;
    const PrimExpr width = tir::make_const(
        inner >= kTermsOfPart ? kTermsOfPart : std::max<int64_t>(kTermsOfPart / inner, 1), dtype);
    const auto run = [&](const PrimExpr& first, const PrimExpr& extent) -> tir::Stmt {
      const tir::Var term(loop->loop_var->name + "_term", dtype);
      const tir::Stmt body = transform::Substitute(terms, {{loop->loop_var, first + term}});
      const tir::For each(term, tir::make_const(0, dtype), extent, tir::ForKind::kSerial, body,
                          std::nullopt, {}, std::nullopt, loop->span);
      return transform::RenewBindings(InSequence({clear, each, finish}));
    };
    const PrimExpr whole = tir::floordiv(loop->extent, width);
    const PrimExpr rest = tir::floormod(loop->extent, width);
    ffi::Array<tir::Stmt> parts;
    if (tir::IntConstOf(whole) != 0) {
      const tir::Var index(loop->loop_var->name + "_part", dtype);
      parts.push_back(tir::For(index, tir::make_const(0, dtype), whole, tir::ForKind::kSerial,
                               run(loop->min + index * width, width), std::nullopt, {},
                               std::nullopt, loop->span));
    }
    if (tir::IntConstOf(rest) != 0) parts.push_back(run(loop->min + whole * width, rest));
    return InLoops({nest_.reduction.begin(), at}, InSequence(std::move(parts)));
  }

  const RowParameters& by_;
  LoopNest nest_{{}, {}, std::nullopt, tir::BufferStore(ffi::UnsafeInit{})};
  ffi::Array<tir::Stmt> parts_;
};

/*! \brief Rows by one loop, whose variable is divided. */
tir::Stmt CountRows(const std::vector<tir::For>& rows, const tir::Stmt& body, tir::ForKind kind) {
  const DLDataType dtype = rows[0]->loop_var->dtype;
  PrimExpr count = rows[0]->extent;
  for (size_t i = 1; i < rows.size(); ++i) count = count * rows[i]->extent;
  const tir::Var row("row", dtype);
  transform::Substitution values;
  nest::SplitFused(nest::AxesOf(rows, nest::AxisKind::kData), row, &values);
  return tir::For(row, tir::make_const(0, dtype), count, kind, transform::Substitute(body, values),
                  std::nullopt, {}, std::nullopt, rows[0]->span);
}

bool AreRowsCounted(const std::vector<tir::For>& rows) {
  const std::optional<int64_t> outermost = tir::IntConstOf(rows[0]->extent);
  const auto is_alike = [&](const tir::For& loop) {
    return loop->loop_var->dtype == rows[0]->loop_var->dtype;
  };
  return rows.size() > 1 && !(outermost && *outermost >= kManyIterations) &&
         std::all_of(rows.begin(), rows.end(), is_alike);
}

}  // namespace

std::optional<RowReductionKind> ReductionKindOf(const LoopNest& nest) {
  const LoopNest merged = MergeLoops(nest).nest;
  if (merged.reduction.empty()) return std::nullopt;
  if (AlongNeighbours(merged)) return RowReductionKind::kAlong;
  if (HasColumns(merged)) return RowReductionKind::kColumns;
  return std::nullopt;
}

tir::Stmt BuildRows(const FusedNests& fused, const RowParameters& parameters) {
  ffi::Array<tir::Stmt> parts;
  for (const tir::Buffer& buffer : fused.buffers) parts.push_back(tir::AllocBuffer(buffer));
  for (const LoopNest& nest : fused.nests) {
    RowParameters in_row = parameters;
    in_row.is_parallel = parameters.is_parallel && fused.rows.empty();
    parts.push_back(NestInRow(nest, in_row).Run());
  }
  const tir::Stmt body = InSequence(std::move(parts));
  const tir::ForKind kind =
      parameters.is_parallel ? tir::ForKind::kParallel : tir::ForKind::kSerial;
  if (fused.rows.empty()) return body;
  if (parameters.is_parallel && AreRowsCounted(fused.rows)) {
    return CountRows(fused.rows, body, kind);
  }
  return InLoops(fused.rows, body, kind);
}

}  // namespace uir::schedule
