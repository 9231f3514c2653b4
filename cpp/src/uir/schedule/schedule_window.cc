// Chooses how windows are computed.
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/operators.h>

#include <algorithm>
#include <utility>

#include "./blocked_window.h"
#include "./classify.h"
#include "./list_recipe.h"
#include "./nest/lower.h"
#include "./parameters.h"
#include "./sliding_builder.h"
#include "./window.h"
#include "./window_builder.h"
#include "./work.h"

namespace uir::schedule {

namespace {

constexpr const char* kPackedPixels = "packed_pixels";
constexpr const char* kSliding = "sliding";
constexpr const char* kChannelBlocks = "channel_blocks";

/*! \brief A number of parts as equal as possible, none of which is larger than `most`. */
int64_t EvenPart(int64_t extent, int64_t most) {
  if (extent <= 0) return most;
  const int64_t parts = (extent + most - 1) / most;
  return (extent + parts - 1) / parts;
}

std::optional<int64_t> KnownProduct(const std::vector<tir::For>& loops) {
  int64_t product = 1;
  for (const tir::For& loop : loops) {
    const std::optional<int64_t> extent = tir::IntConstOf(loop->extent);
    if (!extent || __builtin_mul_overflow(product, *extent, &product)) return std::nullopt;
  }
  return product;
}

/*! \brief The lines of the result, if their number is known. */
std::optional<int64_t> ConstantLinesOf(const SlidingWindow& window) {
  if (window.axes.size() < 2) return 1;
  return tir::IntConstOf(window.axes[window.axes.size() - 2].place->extent);
}

/*! \brief Windows have blocks of columns; 0, for none, is a block of the smallest size. */
int64_t ColumnBlock(int64_t size) { return std::max<int64_t>(size, 1); }

/*! \brief The lines whose pixels fit into a copy of a size. */
int64_t LineBlock(const SlidingWindow& window, int64_t columns, int lanes, int64_t size) {
  const int64_t lines = ConstantLinesOf(window).value_or(size);
  int64_t block = 1;
  while (block < lines && CopiedPixels(window, block * 2, columns, lanes) <= size) block *= 2;
  const int64_t step = std::max<int64_t>(block / 4, 1);
  while (block < lines && CopiedPixels(window, block + step, columns, lanes) <= size) block += step;
  return EvenPart(lines, std::min(block, std::max<int64_t>(lines, 1)));
}

/*! \brief The columns of a block: of a symbolic width few, so that many of its lines fit. */
int64_t ColumnsOf(const SlidingWindow& window, int64_t most) {
  constexpr int64_t kSymbolicColumns = 128;
  const std::optional<int64_t> width = tir::IntConstOf(window.columns()->extent);
  return width ? EvenPart(*width, most) : std::min(most, kSymbolicColumns);
}

/*! \brief The lanes for which a vector of the wider of element and pixel has room. */
int LanesOf(const SlidingWindow& window, const ParameterTable& table) {
  const DLDataType element = window.nest.store->buffer->dtype;
  const DLDataType pixel = window.pixel->dtype;
  return std::min(table.Lanes(element), table.Lanes(pixel));
}

std::optional<Choices> ChooseSliding(const LoopNest& nest, const ParameterTable& table) {
  const std::optional<SlidingWindow> window = MatchSlidingWindow(nest);
  if (!window) return std::nullopt;
  const ParameterKey key = {"window", nest.store->buffer->dtype, kSliding};
  const int lanes = LanesOf(*window, table);
  const int64_t columns = ColumnsOf(*window, ColumnBlock(table.Get(key, "column_block")));
  const int64_t group = table.Get(key, "lines");
  int64_t lines = LineBlock(*window, columns, lanes, table.Get(key, "copied_pixels"));
  if (!ConstantLinesOf(*window) && lines > group) lines -= lines % group;
  return Choices{{kSliding,
                  {{"lines", group},
                   {"vectors", table.Get(key, "vectors")},
                   {"lanes", lanes},
                   {"line_block", lines},
                   {"column_block", columns},
                   {"parallel", MayComputeAtLeast(nest, table.Get(key, "parallel_work"))}}}};
}

/*! \brief The most vectors that a block of channels has a multiple of; 0 if it has no whole one. */
int64_t VectorsOf(const BlockedWindow& window, int64_t lanes, int64_t most) {
  if (window.channels() % lanes != 0) return 0;
  int64_t vectors = std::min(most, window.channels() / lanes);
  while (window.channels() % (vectors * lanes) != 0) --vectors;
  return vectors;
}

std::optional<Choices> ChooseChannelBlocks(const LoopNest& nest, const ParameterTable& table) {
  const std::optional<BlockedWindow> window = MatchBlockedWindow(nest);
  if (!window) return std::nullopt;
  const DLDataType dtype = nest.store->buffer->dtype;
  const ParameterKey key = {"window", dtype, kChannelBlocks};
  const int64_t lanes = table.Lanes(dtype);
  const int64_t vectors = VectorsOf(*window, lanes, table.Get(key, "vectors"));
  if (vectors == 0) return std::nullopt;
  return Choices{{kChannelBlocks,
                  {{"rows", EvenPart(window->pixels().value_or(0), table.Get(key, "rows"))},
                   {"vectors", vectors},
                   {"lanes", lanes},
                   {"sum_block", table.Get(key, "sum_block")},
                   {"parallel", MayComputeAtLeast(nest, table.Get(key, "parallel_work"))}}}};
}

std::optional<Choices> ChooseWindow(const LoopNest& nest, BlockKind kind,
                                    const ParameterTable& table) {
  if (kind != BlockKind::kWindow) return std::nullopt;
  if (auto choices = ChooseChannelBlocks(nest, table)) return choices;
  if (Slides(nest)) return ChooseSliding(nest, table);
  const std::optional<Window> window = MatchWindow(nest);
  if (!window || window->contraction.rows.empty()) return std::nullopt;
  const DLDataType dtype = nest.store->buffer->dtype;
  const ParameterKey key = {"window", dtype, kPackedPixels};
  int64_t rows = table.Get(key, "rows"), sum_block = table.Get(key, "sum_block");
  if (const auto known = KnownProduct(window->contraction.rows)) rows = EvenPart(*known, rows);
  if (const auto known = KnownProduct(nest.reduction)) sum_block = EvenPart(*known, sum_block);
  return Choices{{kPackedPixels,
                  {{"rows", rows},
                   {"vectors", table.Get(key, "vectors")},
                   {"lanes", table.Lanes(dtype)},
                   {"sum_block", sum_block},
                   {"column_block", ColumnBlock(table.Get(key, "column_block"))},
                   {"parallel", MayComputeAtLeast(nest, table.Get(key, "parallel_work"))}}}};
}

std::optional<tir::Stmt> ApplySliding(const LoopNest& nest, const Choice& choice) {
  const std::optional<SlidingWindow> window = MatchSlidingWindow(nest);
  if (!window) return std::nullopt;
  return BuildSliding(*window, {choice["lines"], choice["vectors"],
                                static_cast<int>(choice["lanes"]), choice["line_block"],
                                ColumnBlock(choice["column_block"]), choice["parallel"] != 0});
}

/*! \brief A nest with the loops of a choice, inside of those that it has. */
nest::Nest WithWindowLoops(nest::Nest nest, const BlockedWindow& window, const Choice& choice) {
  const nest::ContractionParameters by = {choice["rows"],
                                          choice["vectors"],
                                          static_cast<int>(choice["lanes"]),
                                          choice["sum_block"],
                                          0,
                                          0,
                                          choice["parallel"] != 0};
  return nest::BlockedWindow(std::move(nest), ChannelBlocksOf(window, by.is_parallel), by);
}

std::optional<tir::Stmt> ApplyChannelBlocks(const LoopNest& nest, const Choice& choice) {
  const std::optional<BlockedWindow> window = MatchBlockedWindow(nest);
  const auto lanes = static_cast<int>(choice["lanes"]);
  const int64_t vectors = choice["vectors"];
  if (!window || VectorsOf(*window, lanes, vectors) != vectors) return std::nullopt;
  return nest::Lower(WithWindowLoops(BareNest(*window), *window, choice));
}

std::optional<tir::Stmt> ApplyWindow(const LoopNest& nest, const Choices& choices) {
  if (choices.size() != 1) return std::nullopt;
  const Choice& choice = choices[0];
  if (choice.way == kChannelBlocks) return ApplyChannelBlocks(nest, choice);
  if (choice.way == kSliding) return ApplySliding(nest, choice);
  const std::optional<Window> window = MatchWindow(nest);
  if (!window || choice.way != kPackedPixels) return std::nullopt;
  return BuildWindow(*window, {choice["rows"], choice["vectors"], static_cast<int>(choice["lanes"]),
                               choice["sum_block"], 0, ColumnBlock(choice["column_block"]),
                               choice["parallel"] != 0});
}

}  // namespace

std::optional<ListRecipe> WindowList(const LoopNest& nest, const ParameterTable& table) {
  const auto choices = ChooseWindow(nest, BlockKind::kWindow, table);
  // The recipe for contractions takes the other windows.
  if (!choices) return ContractionList(nest, table);
  if ((*choices)[0].way != kChannelBlocks) return std::nullopt;
  const BlockedWindow window = *MatchBlockedWindow(nest);
  const auto finish = [window, choice = (*choices)[0]](nest::Nest begun) {
    return WithWindowLoops(std::move(begun), window, choice);
  };
  return ListRecipe{BareNest(window), finish};
}

transform::Pass ScheduleWindow(ffi::String isa) {
  return MakeRecipePass({"ScheduleWindow", ChooseWindow, ApplyWindow, true}, isa);
}

}  // namespace uir::schedule
