/*!
 * \file slice_begin.h
 * \brief Where slices begin.
 */
#ifndef UIR_SRC_RELAY_SLICE_BEGIN_H_
#define UIR_SRC_RELAY_SLICE_BEGIN_H_

#include "./shape_rule.h"

namespace uir::relay {

/*! \brief The first index of `begin:end:stride`, if it has one, counted from the front. */
ir::PrimExpr SliceBegin(const ir::PrimExpr& begin, int64_t stride, const ir::PrimExpr& dimension,
                        const DimensionMath& math);

}  // namespace uir::relay

#endif  // UIR_SRC_RELAY_SLICE_BEGIN_H_
