/*!
 * \file axis_range.h
 * \brief Parts of axes, which loops split.
 */
#ifndef UIR_SCHEDULE_NEST_AXIS_RANGE_H_
#define UIR_SCHEDULE_NEST_AXIS_RANGE_H_

#include <functional>
#include <optional>
#include <vector>

#include "../loop_writer.h"
#include "./nest.h"

namespace uir::schedule::nest {

/*! \brief A place that a loop chose: so many steps after the beginning of the loop. */
struct Place {
  PrimExpr count;
  int64_t step;
};

/*! \brief Neighbouring elements of an axis. */
struct Range {
  PrimExpr start;
  PrimExpr size;
  /*! \brief The end of the axis, if a block may go beyond it. */
  std::optional<PrimExpr> limit = std::nullopt;
  /*! \brief The number of the block, if the range is one of `step` elements. */
  std::optional<PrimExpr> block = std::nullopt;
  int64_t step = 1;
  /*! \brief The elements that count, if the range was filled up to whole vectors. */
  std::optional<PrimExpr> valid = std::nullopt;
  /*! \brief How many vectors are sure to be full where `valid` is not known. */
  int64_t full = 0;
  /*! \brief The places that loops chose, outermost first: their sum is `start`. */
  std::vector<Place> places = {};
  /*! \brief Whether the range has the first and the last elements of its axis. */
  PrimExpr is_first;
  PrimExpr is_last;

  /*! \brief The elements of the range that the axis has. */
  PrimExpr Extent() const;
  /*! \brief The element or block after `first`, which a loop inside of this range chose.
   * \param first The element.
   * \param count The steps from the beginning of this range on.
   * \param size The elements of a step. */
  Range Inside(PrimExpr first, PrimExpr count, int64_t step) const;
};

/*! \brief All elements of an axis. */
Range WholeRange(const Axis& axis);
/*! \brief Some elements of an axis. */
Range PartOf(PrimExpr start, PrimExpr size);

/*!
 * \brief Run `body` for the parts of a range.
 * \param range The range.
 * \param loop The step, the tail and the kind.
 * \param kind The axis' kind; an empty sum has one block, in which the result gets its start.
 * \param writer Takes loops and conditionals.
 * \param body Takes each part.
 */
void Split(const Range& range, const Loop& loop, AxisKind kind, LoopWriter* writer,
           const std::function<void(const Range&)>& body);

}  // namespace uir::schedule::nest

#endif  // UIR_SCHEDULE_NEST_AXIS_RANGE_H_
