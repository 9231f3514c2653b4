// Sums of a few rows and vectors in registers.
#include "./contraction_kernel.h"

#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/tir/stmt_functor.h>
#include <uir/transform/convert_ssa.h>
#include <uir/transform/expr_lanes.h>
#include <uir/transform/substitute.h>

#include <algorithm>
#include <utility>

#include "./fused_product.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

/*! \brief Loops of so few terms are written out, so that addresses are known. */
constexpr int64_t kShortRun = 8;

PrimExpr ProductOfExtents(const std::vector<tir::For>& loops, PrimExpr one) {
  for (const tir::For& loop : loops) one = one * loop->extent;
  return one;
}

ffi::Array<PrimExpr> With(ffi::Array<PrimExpr> place, PrimExpr last) {
  place.push_back(std::move(last));
  return place;
}

/*! \brief Half of the rows of large groups, if it is not a power of two: lines of images often have
 * 7 pixels, which are 4, 2 and 1 otherwise. */
std::optional<int64_t> OwnHalf(int64_t rows) {
  constexpr int64_t kLargeGroup = 12;
  const int64_t half = rows / 2;
  const bool is_power = (half & (half - 1)) == 0;
  return rows >= kLargeGroup && rows % 2 == 0 && !is_power ? std::optional(half) : std::nullopt;
}

/*! \brief Replaces remainders of a column by a variable. */
class InPanel : public tir::PrimExprMutator {
 public:
  InPanel(const tir::Var& column, const tir::Var& place) : column_(column), place_(place) {}

 protected:
  PrimExpr VisitFloorMod(const tir::FloorModNode* op) override {
    return op->a.same_as(column_) ? PrimExpr(place_) : PrimExprMutator::VisitFloorMod(op);
  }

 private:
  const tir::Var& column_;
  const tir::Var& place_;
};

}  // namespace

PrimExpr SumRange::FirstTerm() const {
  PrimExpr term = first;
  for (const int64_t extent : run) term = term * extent;
  return term;
}

void SplitFused(const std::vector<tir::For>& loops, PrimExpr fused,
                ffi::Map<tir::Var, PrimExpr>* values) {
  for (size_t i = loops.size(); i-- > 0;) {
    const bool is_first = i == 0;
    values->Set(loops[i]->loop_var, is_first ? fused : tir::floormod(fused, loops[i]->extent));
    if (!is_first) fused = tir::floordiv(fused, loops[i]->extent);
  }
}

ContractionKernel::ContractionKernel(const Contraction& contraction,
                                     const ContractionParameters& parameters, tir::Builder* builder)
    : LoopWriter(contraction.nest, builder),
      contraction_(contraction),
      by_(parameters),
      rows_(ProductOfExtents(contraction.rows, Const(1))),
      sum_(ProductOfExtents(contraction.nest.reduction, Const(1))) {}

PrimExpr ContractionKernel::Zeros(int64_t lanes) const {
  return tir::make_const(0, ir::WithLanes(dtype(), static_cast<int>(lanes)));
}

void ContractionKernel::InGroups(const PrimExpr& first, std::optional<int64_t> groups,
                                 const std::function<void(const PrimExpr&, int64_t)>& body,
                                 tir::ForKind kind) {
  const PrimExpr whole = tir::floordiv(rows_, Const(by_.rows));
  const PrimExpr count = groups ? tir::min(whole - first, Const(*groups)) : whole - first;
  ForEach(
      "group", count, [&](const PrimExpr& group) { body((first + group) * by_.rows, by_.rows); },
      kind);
  const PrimExpr rest = tir::floormod(rows_, Const(by_.rows));
  const PrimExpr is_here = groups ? whole - first < *groups : tir::make_const(1, ir::BoolType());
  if (const std::optional<int64_t> known = tir::IntConstOf(rest)) {
    if (*known == 0) return;
    return Where(is_here, [&] { body(whole * by_.rows, *known); });
  }
  const auto where = [&](const PrimExpr& condition, const PrimExpr& row, int64_t rows) {
    Where(groups ? tir::logical_and(is_here, condition) : condition, [&] { body(row, rows); });
  };
  const std::optional<int64_t> half = OwnHalf(by_.rows);
  if (half) where(tir::equal(rest, Const(*half)), whole * by_.rows, *half);
  int64_t power = 1;
  while (power * 2 < by_.rows) power *= 2;
  for (; power > 0; power /= 2) {
    PrimExpr has_power = tir::floormod(tir::floordiv(rest, Const(power)), Const(2)) > 0;
    if (half && (*half & power) != 0) {
      has_power = tir::logical_and(has_power, tir::not_equal(rest, Const(*half)));
    }
    const PrimExpr row = whole * by_.rows + tir::floordiv(rest, Const(power * 2)) * (power * 2);
    where(has_power, row, power);
  }
}

PrimExpr ContractionKernel::Left(const PrimExpr& row, const PrimExpr& k) const {
  Substitution values;
  SplitFused(contraction_.rows, row, &values);
  SplitFused(contraction_.nest.reduction, k, &values);
  return transform::Substitute(contraction_.lhs, values);
}

PrimExpr ContractionKernel::Right(const PrimExpr& k, const PrimExpr& column) const {
  Substitution values;
  SplitFused(contraction_.nest.reduction, k, &values);
  values.Set(contraction_.column->loop_var, column);
  return transform::Substitute(contraction_.rhs, values);
}

/*! \brief The indices of an element of the result; of several where the column is a vector. */
ffi::Array<PrimExpr> ContractionKernel::Element(const PrimExpr& row, const PrimExpr& column) const {
  Substitution values;
  SplitFused(contraction_.rows, row, &values);
  ffi::Array<PrimExpr> indices = contraction_.nest.store->indices;
  for (int64_t i = 0; i + 1 < static_cast<int64_t>(indices.size()); ++i) {
    indices.Set(i, transform::Substitute(indices[i], values));
  }
  indices.Set(static_cast<int64_t>(indices.size()) - 1, column);
  return indices;
}

void ContractionKernel::LoadVectors(const tir::Buffer& elements, ffi::Array<PrimExpr> place,
                                    const tir::Buffer& vectors) {
  const auto load = [&](const PrimExpr& vector) {
    const PrimExpr lanes = LanesFrom(vector * by_.lanes);
    Store(vectors, {vector}, tir::BufferLoad(elements, With(place, lanes)));
  };
  ForEach("vector", vectors->shape[0], load, tir::ForKind::kUnrolled);
}

void ContractionKernel::LoadPanelVectors(const Panel& panel, const PrimExpr& k,
                                         const tir::Buffer& vectors) {
  const tir::Var& column = contraction_.column->loop_var;
  const PrimExpr width = Const(*contraction_.panel_width);
  const tir::Var lane("lane", column->dtype);
  const PrimExpr at_lane = InPanel(column, lane)(Right(k, column));
  const auto load = [&](const PrimExpr& vector) {
    const PrimExpr first = panel.column + vector * by_.lanes;
    const PrimExpr lanes = LanesFrom(tir::floormod(first, width));
    const PrimExpr value = transform::Substitute(at_lane, {{column, first}});
    Store(vectors, {vector}, transform::ExprLanes(value, {{lane, lanes}}, by_.lanes).value());
  };
  ForEach("vector", vectors->shape[0], load, tir::ForKind::kUnrolled);
}

void ContractionKernel::LoadNeighbours(const Panel& panel, const PrimExpr& k,
                                       const tir::Buffer& vectors) {
  const tir::Var& column = contraction_.column->loop_var;
  const PrimExpr element = Right(k, column);
  const auto load = [&](const PrimExpr& vector) {
    const PrimExpr lanes = LanesFrom(panel.column + vector * by_.lanes);
    Store(vectors, {vector}, transform::ExprLanes(element, {{column, lanes}}, by_.lanes).value());
  };
  ForEach("vector", vectors->shape[0], load, tir::ForKind::kUnrolled);
}

void ContractionKernel::FillPanel(const tir::Buffer& buffer, ffi::Array<PrimExpr> place,
                                  const Panel& panel, const PrimExpr& k) {
  const int64_t width = panel.vectors * by_.lanes;
  const auto copy = [&](const PrimExpr& lane) {
    Store(buffer, With(place, lane), Right(k, panel.column + lane));
  };
  const auto clear = [&](const PrimExpr& lane) { Store(buffer, With(place, lane), Zeros(1)); };
  const std::optional<int64_t> known =
      panel.columns ? tir::IntConstOf(*panel.columns) : std::optional<int64_t>(width);
  if (!known) {
    return ForEach("lane", Const(width), [&](const PrimExpr& lane) {
      builder().If(lane < *panel.columns, [&] { copy(lane); });
      builder().Else([&] { clear(lane); });
    });
  }
  for (int64_t first = 0; first < width; first += by_.lanes) {
    const int64_t count = std::min<int64_t>(by_.lanes, std::max<int64_t>(*known - first, 0));
    const auto copy_from = [&](const PrimExpr& lane) { copy(lane + first); };
    const auto clear_from = [&](const PrimExpr& lane) { clear(lane + first); };
    if (count < by_.lanes) {
      ForEach("lane", Const(by_.lanes), clear_from, tir::ForKind::kVectorized);
    }
    ForEach("lane", Const(count), copy_from, tir::ForKind::kVectorized);
  }
}

/*! \brief How many vectors of a panel have columns in all lanes, as far as known. */
int64_t ContractionKernel::WholeVectors(const Panel& panel) const {
  if (!panel.columns) return panel.vectors;
  const std::optional<int64_t> known = tir::IntConstOf(*panel.columns);
  return known ? *known / by_.lanes : panel.full;
}

void ContractionKernel::ForEachVector(int64_t rows, int64_t vectors, const Place& body) {
  const auto each_row = [&](const PrimExpr& row) {
    ForEach(
        "vector", Const(vectors), [&](const PrimExpr& vector) { body(row, vector); },
        tir::ForKind::kUnrolled);
  };
  ForEach("row", Const(rows), each_row, tir::ForKind::kUnrolled);
}

/*! \brief Run `body` for the columns after the whole vectors of a panel, counted from there. */
void ContractionKernel::ForEachOther(int64_t rows, const Panel& panel, const Place& body) {
  const PrimExpr columns = *panel.columns - WholeVectors(panel) * by_.lanes;
  const bool is_known = tir::IntConstOf(columns).has_value();
  const auto each_row = [&](const PrimExpr& row) {
    ForEach(
        "column", columns, [&](const PrimExpr& column) { body(row, column); },
        is_known ? tir::ForKind::kVectorized : tir::ForKind::kSerial);
  };
  ForEach("row", Const(rows), each_row, is_known ? tir::ForKind::kUnrolled : tir::ForKind::kSerial);
}

/*! \brief A buffer for the vectors of a panel that are not whole. */
tir::Buffer ContractionKernel::Tile(const Panel& panel, int64_t rows) {
  const int64_t width = (panel.vectors - WholeVectors(panel)) * by_.lanes;
  const tir::Buffer tile = tir::decl_buffer({Const(rows), Const(width)}, dtype(), name() + "_tile");
  builder()->Emit(tir::AllocBuffer(tile));
  return tile;
}

/*! \brief Load the sums from the elements, which hold the start or a previous block's sums. */
void ContractionKernel::Start(const tir::Buffer& sums, const Panel& panel, const PrimExpr& row,
                              int64_t rows) {
  const tir::Buffer& result = contraction_.nest.store->buffer;
  const int64_t whole = WholeVectors(panel);
  const auto place = [&](const PrimExpr& r, const PrimExpr& vector) {
    return r * panel.vectors + vector;
  };
  ForEachVector(rows, whole, [&](const PrimExpr& r, const PrimExpr& vector) {
    const PrimExpr lanes = LanesFrom(panel.column + vector * by_.lanes);
    Store(sums, {place(r, vector)}, tir::BufferLoad(result, Element(row + r, lanes)));
  });
  if (whole == panel.vectors) return;
  const tir::Buffer tile = Tile(panel, rows);
  const auto lanes_of = [&](const PrimExpr& vector) { return LanesFrom(vector * by_.lanes); };
  ForEachVector(rows, panel.vectors - whole, [&](const PrimExpr& r, const PrimExpr& vector) {
    Store(tile, {r, lanes_of(vector)}, Zeros(by_.lanes));
  });
  ForEachOther(rows, panel, [&](const PrimExpr& r, const PrimExpr& column) {
    const PrimExpr from = panel.column + whole * by_.lanes + column;
    Store(tile, {r, column}, tir::BufferLoad(result, Element(row + r, from)));
  });
  ForEachVector(rows, panel.vectors - whole, [&](const PrimExpr& r, const PrimExpr& vector) {
    Store(sums, {place(r, vector + whole)}, tir::BufferLoad(tile, {r, lanes_of(vector)}));
  });
}

void ContractionKernel::ForEachTerm(const SumRange& range,
                                    const std::function<void(const PrimExpr&)>& body) {
  const std::function<void(size_t, const PrimExpr&)> count = [&](size_t next, const PrimExpr& k) {
    if (next == range.run.size()) return body(k);
    const int64_t extent = range.run[next];
    const bool is_short = next + 1 == range.run.size() && extent <= kShortRun;
    ForEach(
        "k", Const(extent), [&](const PrimExpr& inner) { count(next + 1, k * extent + inner); },
        is_short ? tir::ForKind::kUnrolled : tir::ForKind::kSerial);
  };
  ForEach("k", range.extent, [&](const PrimExpr& k) { count(0, k); });
}

void ContractionKernel::AddProducts(const tir::Buffer& sums, const Panel& panel,
                                    const SumRange& range, const PrimExpr& row, int64_t rows,
                                    const LoadPanel& load) {
  const tir::Buffer right = Vectors("right", panel.vectors);
  const PrimExpr first = range.FirstTerm();
  ForEachTerm(range, [&](const PrimExpr& k) {
    load(k, right);
    const auto add_row = [&](const PrimExpr& r) {
      const tir::Var left("left", dtype());
      builder()->Emit(tir::Bind(left, Left(row + r, first + k)));
      const auto add = [&](const PrimExpr& vector) {
        const ffi::Array<PrimExpr> place = {r * panel.vectors + vector};
        const PrimExpr product = tir::Mul(AllLanes(left), tir::BufferLoad(right, {vector}));
        Store(sums, place, WithFusedProduct(tir::Add(tir::BufferLoad(sums, place), product)));
      };
      ForEach("vector", Const(panel.vectors), add, tir::ForKind::kUnrolled);
    };
    ForEach("row", Const(rows), add_row, tir::ForKind::kUnrolled);
  });
}

PrimExpr ContractionKernel::WithEpilogue(const PrimExpr& row, const PrimExpr& column,
                                         const PrimExpr& sum) const {
  Substitution values;
  SplitFused(contraction_.rows, row, &values);
  return ResultLanes(*contraction_.epilogue, values, contraction_.column->loop_var, column, sum);
}

void ContractionKernel::Finish(const tir::Buffer& sums, const Panel& panel, const SumRange& range,
                               const PrimExpr& row, int64_t rows) {
  const auto store_sums = [&] {
    StoreResults(sums, panel, row, rows, contraction_.nest.store->buffer,
                 [](const PrimExpr&, const PrimExpr&, const PrimExpr& sum) { return sum; });
  };
  if (!contraction_.epilogue) return store_sums();
  const auto store_results = [&] {
    StoreResults(sums, panel, row, rows, contraction_.epilogue->buffer,
                 [&](const PrimExpr& r, const PrimExpr& column, const PrimExpr& sum) {
                   return WithEpilogue(r, column, sum);
                 });
  };
  if (tir::IntConstOf(range.is_last) == 1) return store_results();
  builder().If(range.is_last, store_results);
  builder().Else(store_sums);
}

void ContractionKernel::StoreResults(const tir::Buffer& sums, const Panel& panel,
                                     const PrimExpr& row, int64_t rows, const tir::Buffer& buffer,
                                     const Result& result) {
  const int64_t whole = WholeVectors(panel);
  const auto sum = [&](const PrimExpr& r, const PrimExpr& vector) {
    return tir::BufferLoad(sums, {r * panel.vectors + vector});
  };
  ForEachVector(rows, whole, [&](const PrimExpr& r, const PrimExpr& vector) {
    const PrimExpr lanes = LanesFrom(panel.column + vector * by_.lanes);
    Store(buffer, Element(row + r, lanes), result(row + r, lanes, sum(r, vector)));
  });
  if (whole == panel.vectors) return;
  const tir::Buffer tile = Tile(panel, rows);
  ForEachVector(rows, panel.vectors - whole, [&](const PrimExpr& r, const PrimExpr& vector) {
    Store(tile, {r, LanesFrom(vector * by_.lanes)}, sum(r, vector + whole));
  });
  ForEachOther(rows, panel, [&](const PrimExpr& r, const PrimExpr& column) {
    const PrimExpr place = panel.column + whole * by_.lanes + column;
    Store(buffer, Element(row + r, place),
          result(row + r, place, tir::BufferLoad(tile, {r, column})));
  });
}

void ContractionKernel::Sums(const Panel& panel, const SumRange& range, const PrimExpr& row,
                             int64_t rows, const LoadPanel& load) {
  const tir::Buffer sums = Vectors("sums", rows * panel.vectors);
  const PrimExpr start = AllLanes((*contraction_.nest.init)->value);
  const auto clear = [&] {
    ForEach(
        "vector", Const(rows * panel.vectors),
        [&](const PrimExpr& vector) { Store(sums, {vector}, start); }, tir::ForKind::kUnrolled);
  };
  const PrimExpr is_first = range.first <= 0;
  if (tir::IntConstOf(is_first) == 1) {
    clear();
  } else {
    builder().If(is_first, clear);
    builder().Else([&] { Start(sums, panel, row, rows); });
  }
  AddProducts(sums, panel, range, row, rows, load);
  Finish(sums, panel, range, row, rows);
}

}  // namespace uir::schedule
