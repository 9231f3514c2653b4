/*!
 * \file reduce.h
 * \brief Stages that combine the elements along axes.
 */
#ifndef UIR_TRANSFORM_LOWER_OPS_REDUCE_H_
#define UIR_TRANSFORM_LOWER_OPS_REDUCE_H_

#include <uir/te/create.h>

#include <functional>
#include <string>

#include "./value.h"

namespace uir::transform {

/*!
 * \brief The combiner of a reduction whose extrema are NaN if an element is, and infinite for no
 * elements of a floating-point type.
 */
tir::CommReducer CombinerOf(te::ReduceKind kind, DLDataType dtype);

/*! \brief Makes a source of a reduction from the indices of the result and of the reduction. */
using SourceFunction = std::function<PrimExpr(const Indices& indices, const Indices& reduced)>;

/*! \brief A stage that reduces: each element combines all sources for its indices. */
struct Reduction {
  std::string name;
  te::ReduceKind kind = te::ReduceKind::kSum;
  Indices shape;
  /*! \brief The extents of the axes of the reduction. */
  Indices extents;
  SourceFunction source;
  /*! \brief The condition on sources; null for all. */
  SourceFunction condition = nullptr;

  Value Make() const;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOWER_OPS_REDUCE_H_
