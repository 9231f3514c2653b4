// Blocked loops of windows over packed pixels.
#include "./window_builder.h"

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

#include "./nest/from_loops.h"
#include "./nest/register_tile.h"
#include "./work.h"

namespace uir::schedule {

namespace {

using ir::PrimExpr;

/*! \brief Assumed for a number of lines that is not known. */
constexpr int64_t kManyLines = int64_t{1} << 20;

/*! \brief Pixels that are packed together: whole lines, or a part of one. */
struct PixelBlock {
  PrimExpr line;
  PrimExpr lines;
  PrimExpr column;
  PrimExpr columns;
};

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/*! \brief The number of lines of a block that leaves the fewest lanes of vectors unused. */
int64_t LinesOfBlock(const Window& window, int64_t block, int64_t lanes) {
  const std::optional<int64_t> width = tir::IntConstOf(window.Width());
  if (!width || *width <= 0 || *width > block) return 1;
  const int64_t lines = std::max<int64_t>(tir::IntConstOf(window.Lines()).value_or(kManyLines), 1);
  const auto vectors = [&](int64_t of_block) {
    return lines / of_block * CeilDiv(of_block * *width, lanes) +
           CeilDiv(lines % of_block * *width, lanes);
  };
  int64_t best = 1;
  for (int64_t count = 2; count <= std::min(block / *width, lines); ++count) {
    if (vectors(count) <= vectors(best)) best = count;
  }
  return best;
}

class WindowBuilder {
  using ContractionParameters = nest::ContractionParameters;
  using Range = nest::Range;

 public:
  WindowBuilder(const Window& window, const ContractionParameters& parameters)
      : window_(window),
        by_(parameters),
        writer_(window.contraction.nest, &builder_),
        nest_(List()),
        lines_of_block_(LinesOfBlock(window, by_.column_block, by_.lanes)) {}

  tir::Stmt Run() {
    for (const tir::DeclBuffer& view : window_.views) builder_->Emit(view);
    if (!AreBlocksParallel()) Allocate();
    writer_.InLoops(window_.contraction.outer, [&] { Blocks(); });
    return builder_->Body();
  }

 private:
  PrimExpr Const(int64_t value) const { return writer_.Const(value); }

  /*! \brief The part of the list inside of a panel, whose loops are written here. */
  nest::Nest List() {
    const Contraction& contraction = window_.contraction;
    const tir::Var& pixel = contraction.column->loop_var;
    const nest::Nest list =
        nest::NestOf(contraction, contraction.outer)
            .Fuse(nest::VarsOfLoops(contraction.rows), row_, nest::AxisKind::kData)
            .Fuse(nest::VarsOfLoops(contraction.nest.reduction), term_, nest::AxisKind::kSum)
            .Tile(row_, by_.rows, {"group", nest::Tail::kPowers})
            .Tile(term_, 1, {"k"});
    return nest::RowsOfVectors(list, row_, pixel, by_.lanes)
        .Registers("group")
        .Cache(list.operands[1].var, "group", {{term_}, {pixel}});
  }
  const PrimExpr& Sum() const { return nest_.AxisOf(term_).extent; }
  DLDataType dtype() const { return nest_.store->buffer->dtype; }

  std::optional<int64_t> KnownWidth() const { return tir::IntConstOf(window_.Width()); }
  bool HasWholeLines() const { return KnownWidth() && *KnownWidth() <= by_.column_block; }
  int64_t MostPixels() const {
    return HasWholeLines() ? lines_of_block_ * *KnownWidth() : by_.column_block;
  }
  bool AreBlocksParallel() const {
    const std::optional<int64_t> lines = tir::IntConstOf(window_.Lines());
    return by_.is_parallel && (!lines || CeilDiv(*lines, lines_of_block_) >= kBusyParts);
  }
  tir::ForKind BlockKind() const {
    return AreBlocksParallel() ? tir::ForKind::kParallel : tir::ForKind::kSerial;
  }
  tir::ForKind GroupKind() const {
    const bool is_parallel = by_.is_parallel && !AreBlocksParallel();
    return is_parallel ? tir::ForKind::kParallel : tir::ForKind::kSerial;
  }

  void Allocate() {
    const int64_t unit = HasWholeLines() ? by_.lanes : by_.vectors * by_.lanes;
    int64_t vectors = CeilDiv(std::max<int64_t>(MostPixels(), 1), unit) * (unit / by_.lanes) + 1;
    // An odd number of cache lines apart, neighbouring products are in different sets of the cache.
    vectors += vectors % 2 == 0 ? 1 : 0;
    const PrimExpr sums = tir::max(tir::min(Sum(), Const(by_.sum_block)), Const(1));
    packed_ = tir::decl_buffer({sums, Const(vectors * by_.lanes)}, dtype(),
                               nest_.store->buffer->name + "_packed");
    builder_->Emit(tir::AllocBuffer(packed_));
  }

  void Blocks() {
    if (HasWholeLines()) return BlocksOfLines();
    if (!KnownWidth()) return BlocksOfAnyLines();
    const PrimExpr block = Const(by_.column_block);
    const PrimExpr whole = tir::floordiv(window_.Width(), block);
    const PrimExpr rest = tir::floormod(window_.Width(), block);
    const auto in_line = [&](const PrimExpr& line) {
      const auto run = [&](const PrimExpr& first, const PrimExpr& columns) {
        InBlock({line, Const(1), first * by_.column_block, columns});
      };
      writer_.ForEach("column_block", whole, [&](const PrimExpr& part) { run(part, block); });
      writer_.Where(rest > 0, [&] { run(whole, rest); });
    };
    writer_.ForEach("line", window_.Lines(), in_line, BlockKind());
  }

  /*! \brief Lines of a length known at run time: blocks of as many as fit, or of parts of one. */
  void BlocksOfAnyLines() {
    const PrimExpr lines = Bound("block_lines", LinesOfAnyBlock());
    const PrimExpr columns = Bound(
        "block_columns", tir::max(tir::min(window_.Width(), Const(by_.column_block)), Const(1)));
    const auto in_lines = [&](const PrimExpr& block) {
      const PrimExpr line = Bound("line", block * lines);
      const PrimExpr count = Bound("lines", tir::min(window_.Lines() - line, lines));
      writer_.ForEach("column_block", Parts(window_.Width(), columns), [&](const PrimExpr& part) {
        const PrimExpr column = Bound("column", part * columns);
        InBlock(
            {line, count, column, Bound("columns", tir::min(window_.Width() - column, columns))});
      });
    };
    writer_.ForEach("line_block", Parts(window_.Lines(), lines), in_lines, BlockKind());
  }

  /*! \brief The lines that fit into a block, and leave enough blocks and panels for threads. */
  PrimExpr LinesOfAnyBlock() const {
    const PrimExpr width = tir::max(window_.Width(), Const(1));
    PrimExpr lines = tir::floordiv(Const(by_.column_block), width);
    if (AreBlocksParallel()) {
      const PrimExpr panel = Parts(Const(by_.vectors * by_.lanes), width);
      lines = tir::min(lines, tir::max(Parts(window_.Lines(), Const(kBusyParts)), panel));
    }
    return tir::max(lines, Const(1));
  }

  static PrimExpr Parts(const PrimExpr& extent, const PrimExpr& size) {
    return tir::floordiv(extent + size - 1, size);
  }

  /*! \brief A variable that has a value here. */
  tir::Var Bound(const char* name, const PrimExpr& value) {
    const tir::Var var(name, value->dtype);
    builder_->Emit(tir::Bind(var, value));
    return var;
  }

  void BlocksOfLines() {
    const PrimExpr lines = Const(lines_of_block_);
    const PrimExpr whole = tir::floordiv(window_.Lines(), lines);
    const PrimExpr rest = tir::floormod(window_.Lines(), lines);
    const auto run = [&](const PrimExpr& block, const PrimExpr& count) {
      InBlock({block * lines_of_block_, count, Const(0), window_.Width()});
    };
    writer_.ForEach(
        "line_block", whole, [&](const PrimExpr& block) { run(block, lines); }, BlockKind());
    writer_.Where(rest > 0, [&] { run(whole, rest); });
  }

  void InBlock(const PixelBlock& block) {
    if (AreBlocksParallel()) Allocate();
    const PrimExpr size = Const(by_.sum_block);
    // An empty sum has one block, in which the result gets its start.
    const PrimExpr blocks = tir::max(tir::floordiv(Sum() + (by_.sum_block - 1), size), Const(1));
    writer_.ForEach("sum_block", blocks, [&](const PrimExpr& ko) {
      Range range = nest::PartOf(ko * by_.sum_block, tir::min(Sum() - ko * by_.sum_block, size));
      range.is_first = range.start <= 0;
      range.is_last = ko + 1 >= blocks;
      Pack(block, range);
      nest::Loop groups = nest_.loops[0];
      groups.kind = GroupKind();
      nest::Split(nest::WholeRange(nest_.AxisOf(row_)), groups, nest::AxisKind::kData, &writer_,
                  [&](const Range& rows) { InPanels(block, range, rows); });
    });
  }

  /*! \brief The right operand of a product, for some pixels of a line. */
  PrimExpr Pixels(const PrimExpr& k, const PrimExpr& line, const PrimExpr& column) const {
    ffi::Map<tir::Var, PrimExpr> values;
    SplitFused(window_.contraction.nest.reduction, k, &values);
    SplitFused({window_.pixels.begin(), window_.pixels.end() - 1}, line, &values);
    values.Set(window_.pixels.back()->loop_var, column);
    return transform::Substitute(window_.contraction.rhs, values);
  }

  static void SplitFused(const std::vector<tir::For>& loops, const PrimExpr& fused,
                         ffi::Map<tir::Var, PrimExpr>* values) {
    nest::SplitFused(nest::AxesOf(loops, nest::AxisKind::kData), fused, values);
  }

  void Pack(const PixelBlock& block, const Range& range) {
    const PrimExpr count = block.lines * block.columns;
    const auto pack = [&](const PrimExpr& k) {
      ClearLast(k, count);
      writer_.ForEach("line", block.lines,
                      [&](const PrimExpr& line) { PackLine(block, range.start + k, k, line); });
    };
    writer_.ForEach("k", range.size, pack, GroupKind());
  }

  /*! \brief Store zeros to the vector that pixels may not fill. */
  void ClearLast(const PrimExpr& slot, const PrimExpr& count) {
    const std::optional<int64_t> known = tir::IntConstOf(count);
    if (known && *known % by_.lanes == 0) return;
    const PrimExpr first = tir::floordiv(count, Const(by_.lanes)) * by_.lanes;
    Store(packed_, {slot, LanesFrom(first, by_.lanes)},
          tir::make_const(0, ir::WithLanes(dtype(), by_.lanes)));
  }

  /*! \brief Copy the pixels of a line by vectors, of which the last one ends with the line. */
  void PackLine(const PixelBlock& block, const PrimExpr& k, const PrimExpr& slot,
                const PrimExpr& line) {
    const auto copy = [&](const PrimExpr& first, const PrimExpr& count, tir::ForKind kind) {
      const auto copy_lane = [&](const PrimExpr& lane) {
        Store(packed_, {slot, line * block.columns + first + lane},
              Pixels(k, block.line + line, block.column + first + lane));
      };
      writer_.ForEach("lane", count, copy_lane, kind);
    };
    writer_.InVectors(block.columns, by_.lanes, copy);
  }

  /*! \brief Add a part of the sum for some rows and all pixels of a block. */
  void InPanels(const PixelBlock& block, const Range& range, const Range& rows) {
    const PrimExpr count = block.lines * block.columns;
    const PrimExpr first = block.line * window_.Width() + block.column;
    const auto sums = [&](const PrimExpr& place, int64_t vectors, std::optional<PrimExpr> columns) {
      Range pixels = nest::PartOf(first + place, Const(vectors * by_.lanes));
      pixels.places.push_back({place, 1});
      pixels.valid = std::move(columns);
      pixels.full = vectors - 1;
      InRegisters(rows, pixels, range);
    };
    if (const std::optional<int64_t> known = tir::IntConstOf(count))
      return EvenPanels(*known, sums);
    const int64_t width = by_.vectors * by_.lanes;
    const PrimExpr whole = tir::floordiv(count, Const(width));
    const PrimExpr rest = tir::floormod(count, Const(width));
    writer_.ForEach("panel", whole,
                    [&](const PrimExpr& panel) { sums(panel * width, by_.vectors, std::nullopt); });
    for (int64_t vectors = 1; vectors <= by_.vectors; ++vectors) {
      const PrimExpr fits =
          tir::logical_and(rest > (vectors - 1) * by_.lanes, rest <= vectors * by_.lanes);
      writer_.Where(fits, [&] { sums(whole * width, vectors, rest); });
    }
  }

  void InRegisters(const Range& rows, const Range& pixels, const Range& terms) {
    const tir::Var& pixel = window_.contraction.column->loop_var;
    const nest::Copy& copy = nest_.copies[0];
    nest::State state;
    state.ranges.Set(row_, rows);
    state.ranges.Set(pixel, pixels);
    state.ranges.Set(term_, terms);
    const nest::CopyInPlace packed{packed_, &copy, {{term_.get(), 0}, {pixel.get(), 0}}};
    state.copies.Set(copy.operand, packed);
    nest::RegisterTile(nest_, state, &writer_);
  }

  /*! \brief Panels of a known number of pixels, whose numbers of vectors differ by one at most. */
  template <typename Sums>
  void EvenPanels(int64_t count, const Sums& sums) {
    const int64_t vectors = CeilDiv(count, by_.lanes);
    if (vectors == 0) return;
    const int64_t panels = CeilDiv(vectors, by_.vectors);
    const int64_t small = vectors / panels, larger = vectors % panels;
    const int64_t partial = count % by_.lanes == 0 ? 0 : 1;
    const auto run = [&](int64_t first, int64_t number, int64_t size) {
      writer_.ForEach("panel", Const(number), [&](const PrimExpr& panel) {
        sums(panel * (size * by_.lanes) + first * by_.lanes, size, std::nullopt);
      });
    };
    run(0, larger, small + 1);
    run(larger * (small + 1), panels - larger - partial, small);
    const int64_t place = (vectors - small) * by_.lanes;
    if (partial != 0) sums(Const(place), small, Const(count - place));
  }

  void Store(const tir::Buffer& buffer, ffi::Array<PrimExpr> indices, PrimExpr value) {
    builder_->Emit(tir::BufferStore(buffer, std::move(value), std::move(indices), std::nullopt,
                                    window_.contraction.nest.store->span));
  }

  tir::Builder builder_;
  const Window& window_;
  ContractionParameters by_;
  LoopWriter writer_;
  tir::Var row_{"row", Const(0)->dtype};
  tir::Var term_{"k", Const(0)->dtype};
  nest::Nest nest_;
  int64_t lines_of_block_;
  tir::Buffer packed_{ffi::UnsafeInit{}};
};

}  // namespace

tir::Stmt BuildWindow(const Window& window, const nest::ContractionParameters& parameters) {
  return WindowBuilder(window, parameters).Run();
}

}  // namespace uir::schedule
