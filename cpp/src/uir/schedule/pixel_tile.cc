// Copies of pixels, with their padding, sorted by phases.
#include "./pixel_tile.h"

#include <uir/arith/analyzer.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/transform/substitute.h>

#include <algorithm>
#include <utility>

namespace uir::schedule {

using ir::PrimExpr;

namespace {

/*! \brief Where the pixels of a tap are: their phase, and how many places further they begin. */
int64_t PhaseOf(const WindowAxis& axis, int64_t tap) { return tap * axis.dilation % axis.stride; }
int64_t ShiftOf(const WindowAxis& axis, int64_t tap) { return tap * axis.dilation / axis.stride; }

/*! \brief The first tap of each phase, and the places by which its last tap is further than it. */
struct Phase {
  int64_t first_tap;
  int64_t reach;
};

std::vector<Phase> PhasesOf(const WindowAxis& axis) {
  std::vector<Phase> phases;
  for (int64_t tap = 0; tap < axis.taps; ++tap) {
    const auto is_same = [&](const Phase& phase) {
      return PhaseOf(axis, phase.first_tap) == PhaseOf(axis, tap);
    };
    const auto found = std::find_if(phases.begin(), phases.end(), is_same);
    if (found == phases.end()) {
      phases.push_back({tap, 0});
    } else {
      found->reach = ShiftOf(axis, tap) - ShiftOf(axis, found->first_tap);
    }
  }
  return phases;
}

tir::Buffer Declare(const SlidingWindow& window, const std::vector<TileAxis>& axes,
                    const LoopWriter& writer) {
  ffi::Array<PrimExpr> shape;
  for (const TileAxis& axis : axes) shape.push_back(writer.Const(axis.phases));
  for (const TileAxis& axis : axes) shape.push_back(writer.Const(axis.extent));
  return tir::decl_buffer(std::move(shape), window.pixel->dtype, NameOf(window.nest) + "_pixels");
}

}  // namespace

std::vector<TileAxis> TileAxesOf(const SlidingWindow& window, const std::vector<int64_t>& most,
                                 int lanes) {
  std::vector<TileAxis> axes;
  for (size_t i = 0; i < window.axes.size(); ++i) {
    const WindowAxis& axis = window.axes[i];
    const int64_t reach = (axis.taps - 1) * axis.dilation;
    axes.push_back({std::min(axis.stride, reach + 1), most[i] + reach / axis.stride});
  }
  // Lines of whole vectors.
  axes.back().extent = (axes.back().extent + lanes - 1) / lanes * lanes;
  return axes;
}

PixelTile::PixelTile(const SlidingWindow& window, const std::vector<int64_t>& most, int lanes,
                     LoopWriter* writer)
    : window_(window),
      lanes_(lanes),
      writer_(writer),
      axes_(TileAxesOf(window, most, lanes)),
      tile_(Declare(window, axes_, *writer)) {}

void PixelTile::Allocate() { writer_->builder()->Emit(tir::AllocBuffer(tile_)); }

void PixelTile::Fill(const Block& block) { FillAxis(0, block, {}); }

void PixelTile::FillAxis(size_t axis, const Block& block, const Place& place) {
  const WindowAxis& here = window_.axes[axis];
  const bool is_last = axis + 1 == window_.axes.size();
  for (const Phase& phase : PhasesOf(here)) {
    const int64_t shift = ShiftOf(here, phase.first_tap);
    Place next = place;
    next.phases.push_back(writer_->Const(PhaseOf(here, phase.first_tap)));
    if (here.tap) next.values.Set((*here.tap)->loop_var, writer_->Const(phase.first_tap));
    const PrimExpr count = block[axis].count + phase.reach;
    if (is_last) {
      FillLine({block[axis].first, count}, next, shift);
      continue;
    }
    writer_->ForEach("line", count, [&](const PrimExpr& line) {
      Place inner = next;
      inner.indices.push_back(line + shift);
      inner.values.Set(here.place->loop_var, block[axis].first + line);
      FillAxis(axis + 1, block, inner);
    });
  }
}

ffi::Array<PrimExpr> PixelTile::At(const Place& place, PrimExpr column) const {
  ffi::Array<PrimExpr> indices = place.phases;
  for (const PrimExpr& index : place.indices) indices.push_back(index);
  indices.push_back(std::move(column));
  return indices;
}

/*! \brief Copy a line of a phase, of which the first pixel has a place in the tile. */
void PixelTile::FillLine(const PlaceRange& range, const Place& place, int64_t shift) {
  const tir::Var column("column", range.count->dtype);
  const tir::For loop(column, writer_->Const(0), range.count, tir::ForKind::kSerial,
                      window_.nest.store, std::nullopt, {}, std::nullopt, std::nullopt);
  ffi::Map<tir::Var, PrimExpr> values = place.values;
  values.Set(window_.columns()->loop_var, range.first + column);
  const PrimExpr value = transform::Substitute(window_.pixel, values);
  if (const auto padding = SplitPadding(value, loop)) {
    return FillPadded(*padding, loop, place, shift);
  }
  Copy(value, loop, {writer_->Const(0), range.count}, place, shift);
}

void PixelTile::FillPadded(const Padding& padding, const tir::For& loop, const Place& place,
                           int64_t shift) {
  const arith::Analyzer analyzer;
  const PrimExpr condition = analyzer->Simplify(padding.condition);
  const auto inside = [&] {
    FillMargins(padding, loop, place, shift);
    const PrimExpr count = analyzer->Simplify(padding.end - padding.begin);
    Copy(padding.inside, loop, {padding.begin, count}, place, shift);
  };
  if (tir::IntConstOf(condition) == 1) return inside();
  writer_->builder().If(condition, inside);
  writer_->builder().Else(
      [&] { FillOutside(padding, place, writer_->Const(0), VectorsOf(loop, shift)); });
}

/*! \brief The vectors of a line of the tile, as far as the line of a loop fills it. */
PrimExpr PixelTile::VectorsOf(const tir::For& loop, int64_t shift) const {
  if (tir::IntConstOf(loop->extent)) return writer_->Const(axes_.back().extent / lanes_);
  return tir::floordiv(loop->extent + (shift + lanes_ - 1), writer_->Const(lanes_));
}

/*! \brief Store the padding on both sides of a line. */
void PixelTile::FillMargins(const Padding& padding, const tir::For& loop, const Place& place,
                            int64_t shift) {
  if (!tir::IntConstOf(loop->extent)) return FillShortMargins(padding, loop, place, shift);
  const PrimExpr vectors = VectorsOf(loop, shift), lanes = writer_->Const(lanes_);
  if (!tir::IntConstOf(padding.begin) || !tir::IntConstOf(padding.end)) {
    return FillOutside(padding, place, writer_->Const(0), vectors);
  }
  const bool has_left = tir::IntConstOf(padding.begin) != 0;
  const PrimExpr left =
      has_left ? tir::floordiv(padding.begin + (shift + lanes_ - 1), lanes) : writer_->Const(0);
  const PrimExpr right = tir::max(tir::floordiv(padding.end + shift, lanes), left);
  FillOutside(padding, place, writer_->Const(0), left);
  FillOutside(padding, place, right, vectors);
}

/*! \brief The same, pixel by pixel. A vector that pixels overwrite in part would delay its loads,
 * and few pixels are padding; windows over a line of any length read no pixel behind its end. */
void PixelTile::FillShortMargins(const Padding& padding, const tir::For& loop, const Place& place,
                                 int64_t shift) {
  const auto store = [&](const PrimExpr& column) {
    writer_->Store(tile_, At(place, column + shift), padding.outside);
  };
  const auto fill = [&](const PrimExpr& first, const PrimExpr& count) {
    writer_->Where(count > 0, [&] {
      // Most margins are one pixel, for which C compilers would call `memset` in a loop.
      store(first);
      writer_->ForEach("pixel", count - 1,
                       [&](const PrimExpr& pixel) { store(first + 1 + pixel); });
    });
  };
  fill(writer_->Const(0), padding.begin);
  fill(padding.end, loop->extent - padding.end);
}

void PixelTile::FillOutside(const Padding& padding, const Place& place, const PrimExpr& first,
                            const PrimExpr& end) {
  writer_->ForEach("vector", end - first, [&](const PrimExpr& vector) {
    const PrimExpr lanes = LanesFrom((vector + first) * lanes_, lanes_);
    writer_->Store(tile_, At(place, lanes), AllLanes(padding.outside, lanes_));
  });
}

/*! \brief Copy a range of a line. */
void PixelTile::Copy(const PrimExpr& value, const tir::For& loop, const PlaceRange& range,
                     const Place& place, int64_t shift) {
  const auto copy = [&](const PrimExpr& first, const PrimExpr& count, tir::ForKind kind) {
    const auto copy_lane = [&](const PrimExpr& lane) {
      const PrimExpr column = range.first + first + lane;
      writer_->Store(tile_, At(place, column + shift),
                     transform::Substitute(value, {{loop->loop_var, column}}));
    };
    writer_->ForEach("lane", count, copy_lane, kind);
  };
  writer_->InVectors(range.count, lanes_, copy);
}

PrimExpr PixelTile::Load(const std::vector<PrimExpr>& places, const std::vector<PrimExpr>& taps,
                         int lanes) const {
  ffi::Array<PrimExpr> phases, indices;
  for (size_t i = 0; i < axes_.size(); ++i) {
    const WindowAxis& axis = window_.axes[i];
    const PrimExpr offset = taps[i] * axis.dilation, stride = writer_->Const(axis.stride);
    phases.push_back(tir::floormod(offset, stride));
    indices.push_back(places[i] + tir::floordiv(offset, stride));
  }
  const auto last = static_cast<int64_t>(indices.size()) - 1;
  indices.Set(last, LanesFrom(indices[last], lanes));
  for (const PrimExpr& index : indices) phases.push_back(index);
  return tir::BufferLoad(tile_, std::move(phases));
}

}  // namespace uir::schedule
