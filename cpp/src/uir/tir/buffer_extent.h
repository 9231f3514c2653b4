/*!
 * \file buffer_extent.h
 * \brief The number of elements that dimensions of a buffer span.
 */
#ifndef UIR_SRC_TIR_BUFFER_EXTENT_H_
#define UIR_SRC_TIR_BUFFER_EXTENT_H_

#include <uir/tir/buffer.h>

#include <cstddef>

namespace uir::tir {

/*! \brief The dimensions from `begin` up to `end`, which flattening merges into one. */
struct AxisGroup {
  size_t begin;
  size_t end;
};

/*! \brief The number of elements from the first to the last one of a group, both included. */
ir::PrimExpr ExtentOf(const BufferNode* buffer, AxisGroup group);

}  // namespace uir::tir

#endif  // UIR_SRC_TIR_BUFFER_EXTENT_H_
