/*!
 * \file pixel_tile.h
 * \brief Copies of the pixels of a block, in which those that vectors read lie side by side.
 */
#ifndef UIR_SCHEDULE_PIXEL_TILE_H_
#define UIR_SCHEDULE_PIXEL_TILE_H_

#include <vector>

#include "./loop_writer.h"
#include "./padding.h"
#include "./sliding_window.h"

namespace uir::schedule {

/*! \brief A part of an axis of the result: places from a first one on. */
struct PlaceRange {
  ir::PrimExpr first;
  ir::PrimExpr count;
};

/*! \brief The layout of an axis of the image in a tile: a pixel at `place * stride + offset` is in
 * the phase `offset % stride`, at `place + offset / stride`. */
struct TileAxis {
  int64_t phases;
  int64_t extent;
};

/*! \brief The axes of a tile for blocks of at most `most` places. */
std::vector<TileAxis> TileAxesOf(const SlidingWindow& window, const std::vector<int64_t>& most,
                                 int lanes);

class PixelTile {
 public:
  PixelTile(const SlidingWindow& window, const std::vector<int64_t>& most, int lanes,
            LoopWriter* writer);

  void Allocate();
  /*! \brief Copy the pixels of a block, given the range of each axis. */
  void Fill(const std::vector<PlaceRange>& block);
  /*! \brief The pixels of some lanes, by their place in the block and the tap of each axis. */
  ir::PrimExpr Load(const std::vector<ir::PrimExpr>& places, const std::vector<ir::PrimExpr>& taps,
                    int lanes) const;

 private:
  /*! \brief The place in the tile and in the image during the visit of the axes. */
  struct Place {
    ffi::Array<ir::PrimExpr> phases;
    ffi::Array<ir::PrimExpr> indices;
    ffi::Map<tir::Var, ir::PrimExpr> values;
  };

  using Block = std::vector<PlaceRange>;

  void FillAxis(size_t axis, const Block& block, const Place& place);
  void FillLine(const PlaceRange& range, const Place& place, int64_t first_tap);
  void FillPadded(const Padding& padding, const tir::For& loop, const Place& place, int64_t shift);
  void FillMargins(const Padding& padding, const tir::For& loop, const Place& place, int64_t shift);
  void FillShortMargins(const Padding& padding, const tir::For& loop, const Place& place,
                        int64_t shift);
  void FillOutside(const Padding& padding, const Place& place, const ir::PrimExpr& first,
                   const ir::PrimExpr& end);
  ir::PrimExpr VectorsOf(const tir::For& loop, int64_t shift) const;
  void Copy(const ir::PrimExpr& value, const tir::For& loop, const PlaceRange& range,
            const Place& place, int64_t shift);
  ffi::Array<ir::PrimExpr> At(const Place& place, ir::PrimExpr column) const;

  const SlidingWindow& window_;
  int lanes_;
  LoopWriter* writer_;
  std::vector<TileAxis> axes_;
  tir::Buffer tile_;
};

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_PIXEL_TILE_H_
