// Recipes as lists of primitives.
#include "./recipes.h"

#include <uir/tir/const_fold.h>

#include <algorithm>
#include <string>
#include <utility>

#include "./from_loops.h"

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

/*! \brief A loop over each axis; of the first one that has several elements, of a kind. */
Nest Each(Nest nest, const std::vector<tir::For>& loops,
          tir::ForKind kind = tir::ForKind::kSerial) {
  for (const tir::For& loop : loops) {
    const std::string name = "each:" + std::to_string(nest.loops.size());
    nest = nest.Tile(loop->loop_var, 1, {name, Tail::kPeel, 1, loop->loop_var->name});
    if (tir::IntConstOf(loop->extent) == 1) continue;
    nest = OfKind(std::move(nest), kind);
    kind = tir::ForKind::kSerial;
  }
  return nest;
}

/*! \brief The variables of a contraction whose rows and terms are each counted by one. */
struct Roles {
  tir::Var row;
  tir::Var column;
  tir::Var term;
};

Nest WithRoles(const Contraction& contraction, Roles* roles) {
  const Nest nest = NestOf(contraction, contraction.outer);
  return nest.Fuse(VarsOfLoops(contraction.rows), roles->row, AxisKind::kData)
      .Fuse(VarsOfLoops(contraction.nest.reduction), roles->term, AxisKind::kSum);
}

Roles RolesOf(const Contraction& contraction) {
  const tir::Var& column = contraction.column->loop_var;
  return {tir::Var("row", column->dtype), column, tir::Var("k", column->dtype)};
}

}  // namespace

Nest RowsOfVectors(const Nest& nest, const tir::Var& row, const tir::Var& column, int64_t lanes) {
  return nest.Tile(row, 1, {"row"})
      .Unroll("row")
      .Tile(column, lanes, {"vector"})
      .Unroll("vector")
      .Tile(column, 1, {"lane"})
      .Vectorize("lane");
}

Nest Packed(const Contraction& contraction, const ContractionParameters& by) {
  Roles roles = RolesOf(contraction);
  const auto& [row, column, term] = roles;
  const int64_t width = by.vectors * by.lanes;
  const auto kind = by.is_parallel ? tir::ForKind::kParallel : tir::ForKind::kSerial;
  Nest nest = Each(WithRoles(contraction, &roles), contraction.outer);
  if (by.column_block != 0) {
    const int64_t panels = std::max<int64_t>(by.column_block / width, 1);
    nest = nest.Tile(column, panels * width, {"column_block", Tail::kMin});
  }
  const int64_t groups = std::max<int64_t>(by.row_block / by.rows, 1);
  nest = nest.Tile(term, by.sum_block, {"sum_block", Tail::kMin})
             .Tile(row, groups * by.rows, {"row_block", Tail::kMin});
  nest = OfKind(std::move(nest), kind)
             .Tile(column, width, {"panel", Tail::kPad, by.lanes})
             .Tile(row, by.rows, {"group", Tail::kPowers})
             .Tile(term, 1, {"k"});
  nest = RowsOfVectors(nest, row, column, by.lanes).Registers("group");
  if (contraction.panel_width) return nest;
  const std::vector<CacheIndex> panels = {
      {column, Part::kBlock, width}, {term}, {column, Part::kWithin, width}};
  return nest.Cache(nest.operands[1].var, "sum_block", panels, kind);
}

Nest InPlace(const Contraction& contraction, const ContractionParameters& by) {
  Roles roles = RolesOf(contraction);
  const auto& [row, column, term] = roles;
  const int64_t width = by.vectors * by.lanes;
  Nest nest = Each(WithRoles(contraction, &roles), contraction.outer)
                  .Tile(term, by.sum_block, {"sum_block", Tail::kMin})
                  .Tile(column, width, {"panel", Tail::kPad, by.lanes});
  const bool are_rows_known = tir::IntConstOf(nest.AxisOf(row).extent).has_value();
  if (!are_rows_known) nest = nest.Tile(row, 1, {"one_row", Tail::kPeel, 1, "row"});
  const std::string around = nest.loops.back().options.name;
  nest = RowsOfVectors(nest.Tile(term, 1, {"k"}), row, column, by.lanes).Registers(around);
  return nest.Cache(nest.operands[1].var, "k", {{column, Part::kWithin, width}});
}

Nest BlockedWindow(const Contraction& contraction, const ChannelBlocks& axes,
                   const ContractionParameters& by) {
  const tir::Var &pixel = contraction.rows[0]->loop_var, &channel = contraction.column->loop_var;
  std::vector<tir::For> around = axes.blocks;
  around.insert(around.end(), axes.lines.begin(), axes.lines.end());
  const auto kind_of = [&](ChannelBlocks::Threads threads) {
    return axes.threads == threads ? tir::ForKind::kParallel : tir::ForKind::kSerial;
  };
  const tir::ForKind lines_kind = kind_of(ChannelBlocks::Threads::kLines);
  const bool are_lines_outside = lines_kind == tir::ForKind::kParallel;
  Nest nest = NestOf(contraction, around);
  if (are_lines_outside) nest = Each(std::move(nest), axes.lines, lines_kind);
  nest = Each(std::move(nest), axes.blocks, kind_of(ChannelBlocks::Threads::kBlocks));

  const std::vector<tir::For>& terms = contraction.nest.reduction;
  int64_t inner = 1;
  for (size_t i = 1; i < terms.size(); ++i) inner *= *tir::IntConstOf(terms[i]->extent);
  const int64_t all = *tir::IntConstOf(terms[0]->extent);
  const int64_t most = std::max<int64_t>(by.sum_block / inner, 1);
  const int64_t blocks = (all + most - 1) / most;
  nest = nest.Tile(terms[0]->loop_var, (all + blocks - 1) / blocks, {"sum_block", Tail::kMin});
  if (!are_lines_outside) nest = Each(std::move(nest), axes.lines);
  nest = nest.Tile(pixel, by.rows, {"group", Tail::kPowers})
             .Tile(channel, by.vectors * by.lanes, {"panel", Tail::kPad, by.lanes});
  for (size_t i = 0; i < terms.size(); ++i) {
    nest = nest.Tile(terms[i]->loop_var, 1, {"k:" + std::to_string(i), Tail::kPeel, 1, "k"});
    const bool is_short = *tir::IntConstOf(terms[i]->extent) <= kShortRun;
    if (i != 0 && i + 1 == terms.size() && is_short) nest = nest.Unroll("k:" + std::to_string(i));
  }
  return RowsOfVectors(nest, pixel, channel, by.lanes).Registers("panel");
}

Nest ByVectors(Nest nest, int64_t lanes, tir::ForKind outermost) {
  for (size_t i = 0; i + 1 < nest.axes.size(); ++i) {
    const tir::Var var = nest.axes[i].var;
    nest = nest.Tile(var, 1, {"each:" + std::to_string(i), Tail::kPeel, 1, var->name});
    if (i == 0) nest = OfKind(std::move(nest), outermost);
  }
  const tir::Var var = nest.axes.back().var;
  nest = nest.Tile(var, lanes, {"vector", Tail::kPeel, 1, var->name + "_vector"});
  if (nest.axes.size() == 1) nest = OfKind(std::move(nest), outermost);
  return nest.Tile(var, 1, {"lane", Tail::kPeel, 1, var->name + "_lane"}).Vectorize("lane");
}

}  // namespace uir::schedule::nest
