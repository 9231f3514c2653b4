/*!
 * \file convolution.h
 * \brief Parts of the lowerings of convolutions and transposed convolutions.
 */
#ifndef UIR_TRANSFORM_LOWER_OPS_CONVOLUTION_H_
#define UIR_TRANSFORM_LOWER_OPS_CONVOLUTION_H_

#include "./operator_call.h"

namespace uir::transform {

/*! \brief Whether all conditions hold. */
PrimExpr All(const Indices& conditions);

/*! \brief The sums plus the bias of each channel, in the data type of the result. */
Values WithBias(const OperatorCall& call, const Value& sums);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOWER_OPS_CONVOLUTION_H_
