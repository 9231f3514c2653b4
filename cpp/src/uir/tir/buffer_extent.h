/*!
 * \file buffer_extent.h
 * \brief How many elements dimensions of a buffer reach over.
 */
#ifndef UIR_SRC_TIR_BUFFER_EXTENT_H_
#define UIR_SRC_TIR_BUFFER_EXTENT_H_

#include <uir/tir/buffer.h>

#include <cstddef>

namespace uir::tir {

/*! \brief Dimensions that flattening makes one: from `begin` up to `end`. */
struct AxisGroup {
  size_t begin;
  size_t end;
};

/*! \brief How many elements lie between the first and the last one of a group, both included. */
ir::PrimExpr ExtentOf(const BufferNode* buffer, AxisGroup group);

}  // namespace uir::tir

#endif  // UIR_SRC_TIR_BUFFER_EXTENT_H_
