// Loops of sliding windows, with elements in registers.
#include "./sliding_builder.h"

#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/transform/expr_lanes.h>

#include <algorithm>
#include <utility>

#include "./fused_product.h"
#include "./loop_writer.h"
#include "./pixel_tile.h"

namespace uir::schedule {

namespace {

using ir::PrimExpr;

/*! \brief The taps of a window that are written out, of all axes and of the last one. */
constexpr int64_t kUnrolledTaps = 64;
constexpr int64_t kUnrolledColumns = 16;

/*! \brief A shape that has no form for vectors. */
struct NoVectors {};

/*! \brief The greatest numbers of places of a block, by axis. */
std::vector<int64_t> PixelPlaces(const SlidingWindow& window, int64_t lines, int64_t columns) {
  std::vector<int64_t> places(window.axes.size(), 1);
  places.back() = columns;
  if (places.size() > 1) places[places.size() - 2] = lines;
  return places;
}

class SlidingBuilder {
 public:
  SlidingBuilder(const SlidingWindow& window, const SlidingParameters& parameters)
      : window_(window),
        by_(parameters),
        writer_(window.nest, &builder_),
        copies_(CopiesPixels(window)),
        tile_(window, PixelPlaces(window, by_.line_block, by_.column_block), by_.lanes, &writer_) {}

  tir::Stmt Run() {
    writer_.InLoops(ChannelLoops(), [&] {
      if (copies_) tile_.Allocate();
      LineBlocks();
    });
    return builder_->Body();
  }

 private:
  PrimExpr Const(int64_t value) const { return writer_.Const(value); }

  const WindowAxis* LineAxis() const {
    return window_.axes.size() > 1 ? &window_.axes[window_.axes.size() - 2] : nullptr;
  }

  /*! \brief The loops over channels and all axes except the last two; the first loop with several
   * iterations may be parallel. */
  std::vector<tir::For> ChannelLoops() const {
    std::vector<tir::For> loops = window_.outer;
    for (size_t i = 0; i + 2 < window_.axes.size(); ++i) {
      loops.push_back(window_.axes[i].place);
    }
    const auto is_many = [](const tir::For& loop) { return tir::IntConstOf(loop->extent) != 1; };
    const auto found = std::find_if(loops.begin(), loops.end(), is_many);
    if (!by_.is_parallel || found == loops.end()) return loops;
    const tir::For serial = *found;
    *found = tir::For(serial->loop_var, serial->min, serial->extent, tir::ForKind::kParallel,
                      serial->body, std::nullopt, {}, std::nullopt, serial->span);
    return loops;
  }

  /*! \brief Run `body` for the parts of an extent, none of which is larger than `block`. */
  void InBlocks(const char* name, const PrimExpr& extent, int64_t block,
                const std::function<void(const PlaceRange&)>& body) {
    const std::optional<int64_t> known = tir::IntConstOf(extent);
    if (known && *known <= block) return body({Const(0), extent});
    const PrimExpr blocks = tir::floordiv(extent + (block - 1), Const(block));
    writer_.ForEach(name, blocks, [&](const PrimExpr& part) {
      const bool is_even = known && *known % block == 0;
      const PrimExpr first = part * block;
      body({first, is_even ? Const(block) : tir::min(extent - first, Const(block))});
    });
  }

  void LineBlocks() {
    const WindowAxis* axis = LineAxis();
    const PrimExpr lines = axis != nullptr ? axis->place->extent : Const(1);
    InBlocks("line_block", lines, by_.line_block, [&](const PlaceRange& line_range) {
      InBlocks("column_block", window_.columns()->extent, by_.column_block,
               [&](const PlaceRange& column_range) { InBlock(line_range, column_range); });
    });
  }

  void InBlock(const PlaceRange& lines, const PlaceRange& columns) {
    block_.clear();
    for (const WindowAxis& axis : window_.axes) block_.push_back({axis.place->loop_var, Const(1)});
    block_.back() = columns;
    if (LineAxis() != nullptr) block_[block_.size() - 2] = lines;
    if (copies_) tile_.Fill(block_);
    InLineGroups(lines.count);
  }

  void InLineGroups(const PrimExpr& lines) {
    const std::optional<int64_t> known = tir::IntConstOf(lines);
    const int64_t size = known ? std::max<int64_t>(std::min(*known, by_.lines), 1) : by_.lines;
    const PrimExpr whole = tir::floordiv(lines, Const(size));
    writer_.ForEach("group", whole, [&](const PrimExpr& group) { InVectors(group * size, size); });
    if (known) {
      if (*known % size != 0) InVectors(whole * size, *known % size);
      return;
    }
    writer_.ForEach("line", tir::floormod(lines, Const(size)),
                    [&](const PrimExpr& line) { InVectors(whole * size + line, 1); });
  }

  /*! \brief Compute some lines by vectors, of which the last one ends with the line. */
  void InVectors(const PrimExpr& line, int64_t lines) {
    const PrimExpr& columns = block_.back().count;
    if (tir::IntConstOf(columns)) return InKnownVectors(line, lines);
    InAnyVectors(line, lines, by_.lanes);
  }

  /*! \brief The lanes of the narrowest vectors for short lines: each width repeats all taps. */
  int NarrowestLanes() const {
    constexpr int64_t kFewTaps = 16;
    return window_.taps() <= kFewTaps ? kFewestLanes : std::max(by_.lanes / 2, kFewestLanes);
  }

  /*! \brief The same of lines of any length, by the widest vectors that fit. */
  void InAnyVectors(const PrimExpr& line, int64_t lines, int lanes) {
    const PrimExpr& columns = block_.back().count;
    builder_.If(columns >= lanes, [&] { InPanels(line, lines, lanes); });
    builder_.Else([&] {
      if (lanes / 2 >= NarrowestLanes()) return InAnyVectors(line, lines, lanes / 2);
      writer_.ForEach("column", columns,
                      [&](const PrimExpr& column) { Elements({line, lines, column, 1, 1}); });
    });
  }

  /*! \brief Whole panels of vectors, then single vectors, of which the last one ends with the
   * line. */
  void InPanels(const PrimExpr& line, int64_t lines, int lanes) {
    const PrimExpr& columns = block_.back().count;
    // Narrow lines, and lines outside of groups, are few.
    const bool has_panels = lanes == by_.lanes && lines == by_.lines && by_.vectors > 1;
    const int64_t width = by_.vectors * lanes;
    const PrimExpr panels = has_panels ? tir::floordiv(columns, Const(width)) : Const(0);
    writer_.ForEach("panel", panels, [&](const PrimExpr& panel) {
      Elements({line, lines, panel * width, by_.vectors, lanes, true});
    });
    const PrimExpr first = panels * width;
    const PrimExpr vectors = tir::floordiv(columns - first + (lanes - 1), Const(lanes));
    writer_.ForEach("vector", vectors, [&](const PrimExpr& vector) {
      Elements({line, lines, first + vector * lanes, 1, lanes});
    });
  }

  /*! \brief The same of lines of a known length, by panels of equal numbers of vectors. */
  void InKnownVectors(const PrimExpr& line, int64_t lines) {
    const int64_t columns = *tir::IntConstOf(block_.back().count);
    const int lanes = LanesWithin(block_.back().count, by_.lanes);
    const int64_t vectors = (columns + lanes - 1) / lanes;
    if (vectors == 0) return;
    const int64_t panels = (vectors + by_.vectors - 1) / by_.vectors;
    const int64_t small = vectors / panels, larger = vectors % panels;
    const auto run = [&](int64_t first, int64_t count, int64_t size) {
      writer_.ForEach("panel", Const(count), [&](const PrimExpr& panel) {
        Elements({line, lines, panel * (size * lanes) + first * lanes, size, lanes});
      });
    };
    run(0, larger, small + 1);
    run(larger * (small + 1), panels - larger, small);
  }

  /*! \brief Elements that are computed together, by their places in the block. */
  struct Group {
    PrimExpr line;
    int64_t lines;
    PrimExpr column;
    int64_t vectors;
    int lanes;
    /*! \brief Whether the line is known to have room for all vectors. */
    bool fits = false;
  };

  /*! \brief The first columns of the vectors of a group, as variables. */
  std::vector<PrimExpr> FirstColumns(const Group& group) {
    std::vector<PrimExpr> columns;
    const PrimExpr last = block_.back().count - group.lanes;
    for (int64_t vector = 0; vector < group.vectors; ++vector) {
      const tir::Var column("column", last->dtype);
      const PrimExpr first = group.column + vector * group.lanes;
      builder_->Emit(tir::Bind(column, group.fits ? first : tir::min(first, last)));
      columns.push_back(column);
    }
    return columns;
  }

  using Place =
      std::function<void(const PrimExpr& slot, const PrimExpr& line, const PrimExpr& column)>;

  /*! \brief Run `body` for the vectors of a group, with their places in registers and block. */
  void ForEachVector(const Group& group, const std::vector<PrimExpr>& columns, const Place& body) {
    const auto in_line = [&](const PrimExpr& line) {
      for (int64_t vector = 0; vector < group.vectors; ++vector) {
        body(line * group.vectors + vector, group.line + line, columns[vector]);
      }
    };
    writer_.ForEach("line", Const(group.lines), in_line, tir::ForKind::kUnrolled);
  }

  void Elements(const Group& group) {
    const DLDataType dtype = window_.nest.store->buffer->dtype;
    const tir::Buffer elements =
        writer_.Local("elements", group.lines * group.vectors, ir::WithLanes(dtype, group.lanes));
    const std::vector<PrimExpr> columns = FirstColumns(group);
    const PrimExpr start = AllLanes((*window_.nest.init)->value, group.lanes);
    writer_.ForEach(
        "vector", Const(group.lines * group.vectors),
        [&](const PrimExpr& vector) { writer_.Store(elements, {vector}, start); },
        tir::ForKind::kUnrolled);
    InTaps(0, {}, [&](const std::vector<PrimExpr>& taps) {
      ForEachVector(
          group, columns, [&](const PrimExpr& slot, const PrimExpr& line, const PrimExpr& column) {
            const PrimExpr old = tir::BufferLoad(elements, {slot});
            writer_.Store(elements, {slot}, Combined(old, line, column, taps, group.lanes));
          });
    });
    ForEachVector(group, columns,
                  [&](const PrimExpr& slot, const PrimExpr& line, const PrimExpr& column) {
                    Finish(line, column, group.lanes, tir::BufferLoad(elements, {slot}));
                  });
  }

  /*! \brief Store the elements of some lanes, after the epilogue if there is one. */
  void Finish(const PrimExpr& line, const PrimExpr& column, int lanes, const PrimExpr& elements) {
    const ffi::Array<PrimExpr> place = Element(line, column, lanes);
    if (!window_.epilogue) return writer_.Store(window_.nest.store->buffer, place, elements);
    ffi::Map<tir::Var, PrimExpr> values = ValuesAt(line, column);
    const tir::Var& var = window_.columns()->loop_var;
    const PrimExpr columns = LanesFrom(values[var], lanes);
    values.erase(var);
    writer_.Store(window_.epilogue->buffer, place,
                  ResultLanes(*window_.epilogue, values, var, columns, elements));
  }

  /*! \brief Loops over the taps from an axis on. */
  void InTaps(size_t axis, std::vector<PrimExpr> taps,
              const std::function<void(const std::vector<PrimExpr>&)>& body) {
    if (axis == window_.axes.size()) return body(taps);
    const int64_t count = window_.axes[axis].taps;
    const bool is_last = axis + 1 == window_.axes.size();
    const bool is_unrolled =
        window_.taps() <= kUnrolledTaps || (is_last && count <= kUnrolledColumns);
    taps.push_back(Const(0));
    writer_.ForEach(
        "tap", Const(count),
        [&](const PrimExpr& tap) {
          taps[axis] = tap;
          InTaps(axis + 1, taps, body);
        },
        is_unrolled ? tir::ForKind::kUnrolled : tir::ForKind::kSerial);
  }

  /*! \brief The values of places, from those in the block. */
  ffi::Map<tir::Var, PrimExpr> ValuesAt(const PrimExpr& line, const PrimExpr& column) const {
    ffi::Map<tir::Var, PrimExpr> values;
    if (const WindowAxis* axis = LineAxis()) {
      values.Set(axis->place->loop_var, block_[block_.size() - 2].first + line);
    }
    values.Set(window_.columns()->loop_var, block_.back().first + column);
    return values;
  }

  ffi::Array<PrimExpr> Element(const PrimExpr& line, const PrimExpr& column, int lanes) const {
    const ffi::Map<tir::Var, PrimExpr> values = ValuesAt(line, column);
    ffi::Array<PrimExpr> indices;
    for (const PrimExpr& index : window_.nest.store->indices) {
      indices.push_back(transform::Substitute(index, values));
    }
    const auto last = static_cast<int64_t>(indices.size()) - 1;
    indices.Set(last, LanesFrom(indices[last], lanes));
    return indices;
  }

  PrimExpr Combined(const PrimExpr& old, const PrimExpr& line, const PrimExpr& column,
                    const std::vector<PrimExpr>& taps, int lanes) const {
    ffi::Map<tir::Var, PrimExpr> values = ValuesAt(line, column);
    for (size_t i = 0; i < taps.size(); ++i) {
      const WindowAxis& axis = window_.axes[i];
      if (axis.tap) values.Set((*axis.tap)->loop_var, taps[i]);
    }
    const PrimExpr pixels =
        copies_ ? tile_.Load(PlacesIn(line, column), taps, lanes) : InPlace(values, lanes);
    const PrimExpr combined = transform::Substitute(window_.combined, values);
    return WithFusedProduct(
        Lanes(combined, {{window_.element_var, old}, {window_.pixel_var, pixels}}, lanes));
  }

  std::vector<PrimExpr> PlacesIn(const PrimExpr& line, const PrimExpr& column) const {
    std::vector<PrimExpr> places(window_.axes.size(), Const(0));
    places.back() = column;
    if (LineAxis() != nullptr) places[places.size() - 2] = line;
    return places;
  }

  /*! \brief The pixels of some lanes, read from the image. */
  PrimExpr InPlace(ffi::Map<tir::Var, PrimExpr> values, int lanes) const {
    const tir::Var& var = window_.columns()->loop_var;
    const PrimExpr columns = LanesFrom(values[var], lanes);
    values.erase(var);
    return Lanes(transform::Substitute(window_.pixel, values), {{var, columns}}, lanes);
  }

  static PrimExpr Lanes(const PrimExpr& expr, const transform::Substitution& vectors, int lanes) {
    std::optional<PrimExpr> made = transform::ExprLanes(expr, vectors, lanes);
    if (!made) throw NoVectors();
    return *std::move(made);
  }

  tir::Builder builder_;
  const SlidingWindow& window_;
  SlidingParameters by_;
  LoopWriter writer_;
  bool copies_;
  PixelTile tile_;
  /*! \brief The ranges of the present block, by axis. */
  std::vector<PlaceRange> block_;
};

}  // namespace

bool CopiesPixels(const SlidingWindow& window) {
  const WindowAxis& axis = window.axes.back();
  return !window.is_plain || (axis.stride > 1 && axis.taps > axis.stride);
}

int64_t CopiedPixels(const SlidingWindow& window, int64_t lines, int64_t columns, int lanes) {
  int64_t pixels = 1;
  for (const TileAxis& axis : TileAxesOf(window, PixelPlaces(window, lines, columns), lanes)) {
    pixels *= axis.phases * axis.extent;
  }
  return pixels;
}

std::optional<tir::Stmt> BuildSliding(const SlidingWindow& window,
                                      const SlidingParameters& parameters) {
  try {
    return SlidingBuilder(window, parameters).Run();
  } catch (const NoVectors&) {
    return std::nullopt;
  }
}

}  // namespace uir::schedule
