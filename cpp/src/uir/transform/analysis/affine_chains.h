/*!
 * \file affine_chains.h
 * \brief Contractions with constant weights, and the factors and summands of channels around them.
 *
 * `conv(x, w) * scale + shift`, where `scale` and `shift` have an element for each output channel
 * or one for all, is a chain: a convolution or a matrix product, and the steps after it. The data
 * may be multiplied by a factor for each input channel first.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_AFFINE_CHAINS_H_
#define UIR_TRANSFORM_ANALYSIS_AFFINE_CHAINS_H_

#include <uir/relay/function.h>

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief The axes of a contraction's channels, counted from the end; the last one is 1. */
struct ChannelAxes {
  /*! \brief Which of the first two operands is the weight. */
  int64_t weight;
  /*! \brief The output channels, in the result and in the weight. */
  int64_t result_axis;
  int64_t weight_result_axis;
  /*! \brief The input channels, in the data and in the weight; 0 if a group has only some. */
  int64_t data_axis;
  int64_t weight_data_axis;
};

/*! \brief `value + operand`, `value - operand`, `value * operand` or `value / operand`. */
struct AffineStep {
  /*! \brief The name of the operator, such as `relay.add`. */
  std::string_view op_name;
  ir::RelayExpr operand;
};

/*! \brief A contraction and the steps that compute a value from its result. */
struct AffineChain {
  const relay::CallNode* contraction;
  ChannelAxes axes;
  /*! \brief The operands of the product that is the contraction's data; None for other data. */
  ffi::Optional<ir::RelayExpr> data;
  ffi::Optional<ir::RelayExpr> data_factor;
  std::vector<AffineStep> steps;

  /*! \brief Whether the weight changes, or several summands become one. */
  bool IsWorthFolding() const;
};

/*!
 * \brief The chains of a function in A-normal form with types, by the variable of the last step.
 *
 * Each step is the only use of the one before it. The numbers are floating-point, of 32 bits or
 * more.
 *
 * \param func The function.
 * \param constants The variables of values that depend on constants alone.
 */
std::unordered_map<const ffi::Object*, AffineChain> FindAffineChains(
    const relay::Function& func, const std::unordered_set<const ffi::Object*>& constants);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_AFFINE_CHAINS_H_
