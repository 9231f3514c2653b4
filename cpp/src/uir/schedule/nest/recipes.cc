// Recipes as lists of primitives.
#include "./recipes.h"

#include <tvm/ffi/error.h>
#include <uir/tir/const_fold.h>

#include <algorithm>
#include <string>
#include <utility>

#include "../work.h"
#include "./byte_products.h"
#include "./from_loops.h"
#include "./list_check.h"

namespace uir::schedule::nest {

namespace {

/*! \brief Loops of so few terms are written out, so that addresses are known. */
constexpr int64_t kShortRun = 8;

/*! \brief The last loop, of a kind. */
Nest OfKind(Nest nest, tir::ForKind kind) {
  const std::string name = nest.loops.back().options.name;
  if (kind == tir::ForKind::kParallel) return nest.Parallel(name);
  if (kind == tir::ForKind::kUnrolled) return nest.Unroll(name);
  return nest;
}

/*! \brief The largest number up to `most` that divides the step of an axis' innermost loop. */
int64_t StepWithin(const Nest& nest, const tir::Var& axis, int64_t most) {
  const int64_t around = nest.InnermostStep(axis);
  if (around == 0) return most;
  int64_t step = std::min(most, around);
  while (around % step != 0) --step;
  return step;
}

/*! \brief `most` if it divides a step, else the largest power of two up to it that does. */
int64_t LanesWithin(int64_t step, int64_t most) {
  if (step % most == 0) return most;
  int64_t lanes = 1;
  while (lanes * 2 <= most && step % (lanes * 2) == 0) lanes *= 2;
  return lanes;
}

bool IsReached(const Nest& nest, const tir::Var& axis) { return nest.InnermostStep(axis) == 1; }

/*! \brief Add a loop, with another name if a user's loop has it. */
Nest WithLoop(const Nest& nest, const tir::Var& axis, int64_t step, TileOptions options = {}) {
  const std::string name = options.name;
  const auto is_taken = [&](const Loop& loop) { return loop.options.name == options.name; };
  for (int number = 2; std::any_of(nest.loops.begin(), nest.loops.end(), is_taken); ++number) {
    options.name = name + "#" + std::to_string(number);
  }
  return nest.Tile(axis, step, std::move(options));
}

/*! \brief Add a loop over blocks, if no loop has blocks of this size or smaller ones. */
Nest Blocks(Nest nest, const tir::Var& axis, int64_t step, const char* name,
            tir::ForKind kind = tir::ForKind::kSerial) {
  const int64_t around = nest.InnermostStep(axis);
  if (around != 0 && around <= step) return nest;
  nest = WithLoop(nest, axis, StepWithin(nest, axis, step), {name, Tail::kMin});
  return OfKind(std::move(nest), kind);
}

/*! \brief A loop over each axis that has none over single elements; of the first one that has
 * several elements, of a kind. */
Nest Each(Nest nest, const std::vector<tir::Var>& axes, tir::ForKind kind = tir::ForKind::kSerial) {
  for (const tir::Var& axis : axes) {
    if (IsReached(nest, axis)) continue;
    nest = nest.Tile(axis, 1);
    if (tir::IntConstOf(nest.AxisOf(axis).extent) == 1) continue;
    nest = OfKind(std::move(nest), kind);
    kind = tir::ForKind::kSerial;
  }
  return nest;
}

tir::ForKind KindOfOuter(const Roles& roles, const ContractionParameters& by) {
  const bool is_parallel = by.is_parallel && roles.shares_outer;
  return is_parallel ? tir::ForKind::kParallel : tir::ForKind::kSerial;
}

/*! \brief The innermost loop of an axis. */
const Loop& LoopOf(const Nest& nest, const tir::Var& axis) {
  return *std::find_if(nest.loops.rbegin(), nest.loops.rend(),
                       [&](const Loop& loop) { return loop.axis.same_as(axis); });
}

/*! \brief The loop over groups of rows, which registers need around them. */
Nest Group(Nest nest, const tir::Var& row, int64_t rows) {
  const int64_t around = nest.InnermostStep(row);
  const bool is_group =
      around != 0 && around <= rows && LoopOf(nest, row).options.tail < Tail::kPad;
  if (is_group) return nest;
  return WithLoop(nest, row, StepWithin(nest, row, rows), {"group", Tail::kPowers});
}

/*! \brief The loop over panels of columns, whose last one is filled up to whole vectors. */
Nest Panel(Nest nest, const tir::Var& column, int64_t width, int64_t lanes) {
  const int64_t around = nest.InnermostStep(column);
  if (nest.Lanes() != 0) return nest;
  if (around != 0 && around <= width && LoopOf(nest, column).options.tail == Tail::kPad)
    return nest;
  int64_t step = width;
  if (around != 0) {
    lanes = LanesWithin(around, lanes);
    step = std::min(width, around) / lanes * lanes;
    while (around % step != 0) step -= lanes;
  }
  return WithLoop(nest, column, step, {"panel", Tail::kPad, lanes});
}

/*! \brief Add loops over the single terms, as far as there are none. */
Nest EachTerm(Nest nest) {
  for (const Axis& axis : std::vector<Axis>(nest.axes)) {
    if (axis.kind == AxisKind::kSum && !IsReached(nest, axis.var)) {
      nest = WithLoop(nest, axis.var, 1, {"k"});
    }
  }
  return nest;
}

/*! \brief Add vectors and lanes of columns inside of a panel. */
Nest Vectors(Nest nest, const tir::Var& column, int64_t lanes) {
  if (nest.Lanes() != 0) return nest;
  const int64_t around = nest.InnermostStep(column);
  if (around != 0 && LoopOf(nest, column).options.tail == Tail::kPad) {
    lanes = std::min(lanes, LoopOf(nest, column).options.lanes);
  }
  nest = WithLoop(nest, column, LanesWithin(around, lanes), {"vector"});
  nest = OfKind(std::move(nest), tir::ForKind::kUnrolled);
  nest = WithLoop(nest, column, 1, {"lane"});
  return nest.Vectorize(nest.loops.back().options.name);
}

/*! \brief Keep sums in registers, outside of the innermost loops over terms, rows and vectors. */
Nest InRegisters(const Nest& nest) {
  size_t first = nest.loops.size() - std::min<size_t>(nest.loops.size(), 2);
  const auto has = [&](bool is_sum) {
    const Loop& loop = nest.loops[first - 1];
    return loop.step == 1 && nest.IsSum(loop) == is_sum && loop.options.tail != Tail::kMin;
  };
  while (first > 0 && has(false)) --first;
  while (first > 0 && has(true)) --first;
  if (first == 0) {
    TVM_FFI_THROW(ValueError) << "no loop is around the sums that registers hold";
  }
  return nest.Registers(nest.loops[first - 1].options.name);
}

/*! \brief The axis of rows, and that of terms: each counted by one as far as no loop is over one of
 * them. */
struct Counted {
  Nest nest;
  /*! \brief The last axis of rows, which have more loops; none if loops reach all rows. */
  std::optional<tir::Var> row = std::nullopt;
  /*! \brief The rows before it. */
  std::vector<tir::Var> other_rows = {};
  /*! \brief The first axis of terms. */
  std::optional<tir::Var> term = std::nullopt;
};

bool HasLoops(const Nest& nest, const std::vector<tir::Var>& axes) {
  return std::any_of(axes.begin(), axes.end(),
                     [&](const tir::Var& axis) { return nest.InnermostStep(axis) != 0; });
}

Counted CountByOne(Nest nest, const Roles& roles) {
  std::vector<tir::Var> rows, terms;
  for (const Axis& axis : nest.axes) {
    const auto is_axis = [&](const tir::Var& var) { return var.same_as(axis.var); };
    const bool is_outer = std::any_of(roles.outer.begin(), roles.outer.end(), is_axis);
    if (axis.kind == AxisKind::kSum) terms.push_back(axis.var);
    if (axis.kind == AxisKind::kData && !is_outer && !is_axis(roles.column)) {
      rows.push_back(axis.var);
    }
  }
  const DLDataType index = roles.column->dtype;
  if (rows.size() != 1 && !HasLoops(nest, rows)) {
    const tir::Var row("row", index);
    nest = nest.Fuse(rows, row, AxisKind::kData);
    rows = {row};
  }
  if (terms.size() != 1 && !HasLoops(nest, terms)) {
    const tir::Var term("k", index);
    nest = nest.Fuse(terms, term, AxisKind::kSum);
    terms = {term};
  }
  Counted made = {std::move(nest)};
  for (const tir::Var& row : rows) {
    if (IsReached(made.nest, row)) continue;
    if (made.row) made.other_rows.push_back(*made.row);
    made.row = row;
  }
  made.term = terms[0];
  return made;
}

/*! \brief Pack the right operand into panels in the innermost loop over blocks of terms. */
Nest WithPanels(const Nest& nest, const tir::Var& column, const tir::Var& term, tir::ForKind kind) {
  std::string place;
  int64_t width = 0;
  for (size_t i = 0; i + 2 < nest.loops.size(); ++i) {
    const Loop& loop = nest.loops[i];
    if (loop.axis.same_as(column)) width = loop.step;
    if (loop.axis.same_as(term) && loop.options.tail == Tail::kMin) place = loop.options.name;
  }
  if (width == 0 || place.empty()) return nest;
  return nest.Cache(nest.operands[1].var, place,
                    {{column, Part::kBlock, width}, {term}, {column, Part::kWithin, width}}, kind);
}

/*! \brief Whether all rows are in one block, so that threads share blocks of columns. */
bool IsOneBlock(const Counted& counted, int64_t row_block) {
  std::vector<tir::Var> rows = counted.other_rows;
  if (counted.row) rows.push_back(*counted.row);
  int64_t count = 1;
  return std::all_of(rows.begin(), rows.end(), [&](const tir::Var& row) {
    const auto extent = tir::IntConstOf(counted.nest.AxisOf(row).extent);
    count *= extent ? std::clamp<int64_t>(*extent, 0, row_block + 1) : row_block + 1;
    return count <= row_block;
  });
}

/*! \brief Copy a row of the right operand, filled up to whole vectors, for each term. */
Nest WithRowOfPanel(const Nest& nest, const tir::Var& column, const tir::Var& term) {
  int64_t width = 0;
  for (size_t i = 0; i + 2 < nest.loops.size(); ++i) {
    if (nest.loops[i].axis.same_as(column)) width = nest.loops[i].step;
  }
  return nest.Cache(nest.operands[1].var, LoopOf(nest, term).options.name,
                    {{column, Part::kWithin, width}});
}

}  // namespace

Nest WithNeededCopies(const Nest& nest) {
  if (!nest.around_registers || !ReadsBehindColumns(nest, nest.operands[1])) return nest;
  const auto term = std::find_if(nest.loops.rbegin(), nest.loops.rend(),
                                 [&](const Loop& loop) { return nest.IsSum(loop); });
  return term == nest.loops.rend() ? nest
                                   : WithRowOfPanel(nest, nest.loops.back().axis, term->axis);
}

Roles RolesOf(const Contraction& contraction) {
  const bool reads_words = ReadsWords(contraction);
  int64_t parts = 1;
  for (const tir::For& loop : contraction.outer) {
    parts *= std::min(tir::IntConstOf(loop->extent).value_or(1), kBusyParts);
  }
  return {VarsOfLoops(contraction.outer), contraction.column->loop_var,
          contraction.panel_width.has_value() || reads_words, reads_words && parts >= kBusyParts};
}

Nest RowsOfVectors(const Nest& nest, const tir::Var& row, const tir::Var& column, int64_t lanes) {
  return Vectors(nest.Tile(row, 1, {"row"}).Unroll("row"), column, lanes);
}

Nest Packed(Nest nest, const Roles& roles, const ContractionParameters& by) {
  const tir::Var& column = roles.column;
  const int64_t width = by.vectors * by.lanes;
  const auto num_users = static_cast<int64_t>(nest.loops.size());
  const bool are_rows = std::all_of(nest.loops.begin(), nest.loops.end(), [&](const Loop& loop) {
    return !nest.IsSum(loop) && !loop.axis.same_as(column) && !HasLoops(nest, roles.outer);
  });
  const int64_t row_block = std::max<int64_t>(by.row_block / by.rows, 1) * by.rows;
  Counted counted = CountByOne(Each(std::move(nest), roles.outer, KindOfOuter(roles, by)), roles);
  const bool are_columns_shared = roles.is_packed && IsOneBlock(counted, row_block);
  nest = std::move(counted.nest);
  const auto kind_if = [&](bool is_shared) {
    const bool is_parallel = by.is_parallel && !roles.shares_outer && is_shared;
    return is_parallel ? tir::ForKind::kParallel : tir::ForKind::kSerial;
  };
  const tir::ForKind kind = kind_if(!are_columns_shared);
  if (num_users == 0) nest = ByteProducts(nest, *counted.term);
  if (by.column_block != 0) {
    const int64_t panels = std::max<int64_t>(by.column_block / width, 1);
    nest = Blocks(nest, column, panels * width, "column_block", kind_if(are_columns_shared));
  }
  nest = Blocks(Each(nest, counted.other_rows), *counted.term, by.sum_block, "sum_block");
  // Rows of a user are inside of the blocks, so that each block is packed once.
  if (are_rows && counted.other_rows.empty()) {
    std::rotate(nest.loops.begin(), nest.loops.begin() + num_users, nest.loops.end());
  }
  if (counted.row) {
    nest = Blocks(nest, *counted.row, row_block, "row_block", kind);
  }
  nest = Panel(nest, column, width, by.lanes);
  if (counted.row) nest = Group(nest, *counted.row, by.rows);
  nest = EachTerm(nest);
  if (counted.row) nest = WithLoop(nest, *counted.row, 1, {"row"}).Unroll("row");
  nest = InRegisters(Vectors(nest, column, by.lanes));
  if (roles.is_packed || !nest.copies.empty()) return nest;
  Nest packed = WithPanels(nest, column, *counted.term, kind);
  return num_users != 0 && WhyWrong(packed) ? nest : packed;
}

Nest InPlace(Nest nest, const Roles& roles, const ContractionParameters& by) {
  const tir::Var& column = roles.column;
  const int64_t width = by.vectors * by.lanes;
  const bool has_users = !nest.loops.empty();
  Counted counted = CountByOne(Each(std::move(nest), roles.outer, KindOfOuter(roles, by)), roles);
  if (!has_users) counted.nest = ByteProducts(counted.nest, *counted.term);
  nest = Blocks(Each(counted.nest, counted.other_rows), *counted.term, by.sum_block, "sum_block");
  nest = Panel(nest, column, width, by.lanes);
  if (counted.row && !tir::IntConstOf(nest.AxisOf(*counted.row).extent)) {
    nest = WithLoop(nest, *counted.row, 1, {"row:one"});
  }
  nest = EachTerm(nest);
  if (counted.row) nest = WithLoop(nest, *counted.row, 1, {"row"}).Unroll("row");
  nest = InRegisters(Vectors(nest, column, by.lanes));
  if (roles.is_packed || !nest.copies.empty()) return nest;
  return WithRowOfPanel(nest, column, *counted.term);
}

Nest BlockedWindow(Nest nest, const ChannelBlocks& axes, const ContractionParameters& by) {
  const auto kind_of = [&](ChannelBlocks::Threads threads) {
    return axes.threads == threads ? tir::ForKind::kParallel : tir::ForKind::kSerial;
  };
  const tir::ForKind lines_kind = kind_of(ChannelBlocks::Threads::kLines);
  const bool are_lines_outside = lines_kind == tir::ForKind::kParallel;
  if (are_lines_outside) nest = Each(std::move(nest), axes.lines, lines_kind);
  nest = Each(std::move(nest), axes.blocks, kind_of(ChannelBlocks::Threads::kBlocks));

  std::vector<Axis> terms;
  for (const Axis& axis : nest.axes) {
    if (axis.kind == AxisKind::kSum) terms.push_back(axis);
  }
  int64_t inner = 1;
  for (size_t i = 1; i < terms.size(); ++i) inner *= *tir::IntConstOf(terms[i].extent);
  const int64_t all = *tir::IntConstOf(terms[0].extent);
  const int64_t most = std::max<int64_t>(by.sum_block / inner, 1);
  const int64_t blocks = (all + most - 1) / most;
  nest = Blocks(nest, terms[0].var, (all + blocks - 1) / blocks, "sum_block");
  // A panel of weights for a block of terms stays in the first cache for all pixels.
  nest = Panel(nest, axes.channel, by.vectors * by.lanes, by.lanes);
  if (!are_lines_outside) nest = Each(std::move(nest), axes.lines);
  if (!IsReached(nest, axes.pixel)) nest = Group(nest, axes.pixel, by.rows);
  for (size_t i = 0; i < terms.size(); ++i) {
    if (IsReached(nest, terms[i].var)) continue;
    nest = WithLoop(nest, terms[i].var, 1, {"k:" + std::to_string(i)});
    const bool is_short = *tir::IntConstOf(terms[i].extent) <= kShortRun;
    if (i != 0 && i + 1 == terms.size() && is_short) {
      nest = OfKind(std::move(nest), tir::ForKind::kUnrolled);
    }
  }
  if (!IsReached(nest, axes.pixel)) {
    nest = OfKind(WithLoop(nest, axes.pixel, 1, {"row"}), tir::ForKind::kUnrolled);
  }
  return InRegisters(Vectors(nest, axes.channel, by.lanes));
}

Nest ByVectors(Nest nest, int64_t lanes, tir::ForKind outermost) {
  const bool is_untouched = nest.loops.empty();
  const auto of_kind = [&](Nest made) {
    const bool is_first = is_untouched && made.loops.size() == 1;
    return is_first ? OfKind(std::move(made), outermost) : made;
  };
  for (size_t i = 0; i + 1 < nest.axes.size(); ++i) {
    const tir::Var var = nest.axes[i].var;
    if (!IsReached(nest, var)) nest = of_kind(nest.Tile(var, 1));
  }
  const tir::Var var = nest.axes.back().var;
  if (IsReached(nest, var)) return nest;
  const int64_t around = nest.InnermostStep(var);
  const std::string name = nest.NameOf(var);
  const bool is_vector = around != 0 && around <= lanes;
  const int64_t step = around == 0 ? lanes : LanesWithin(around, lanes);
  if (!is_vector) nest = of_kind(WithLoop(nest, var, step, {name + "_vector"}));
  nest = WithLoop(nest, var, 1, {name + "_lane"});
  return nest.Vectorize(nest.loops.back().options.name);
}

}  // namespace uir::schedule::nest
