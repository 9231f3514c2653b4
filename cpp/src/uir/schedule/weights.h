/*!
 * \file weights.h
 * \brief Right operands of contractions that are constants, laid out in the panels that the
 * contraction reads.
 *
 *     c[i, j] += x[i, k] * w[k, j]
 *
 * becomes
 *
 *     c[i, j] += x[i, k] * w[j // 32, k, j % 32]
 *
 * so that nothing is packed when the function runs. Weights of 8 bits, of which `tir.dot4` takes
 * four terms at a time, become int32 with the bytes of four terms, `w[j // 32, k // 4, j % 32]`.
 */
#ifndef UIR_SCHEDULE_WEIGHTS_H_
#define UIR_SCHEDULE_WEIGHTS_H_

#include <tvm/ffi/container/tensor.h>
#include <uir/tir/function.h>

#include <cstdint>
#include <vector>

namespace uir::schedule {

namespace ffi = ::tvm::ffi;

/*! \brief A loop of the sum over a dimension of the weights, or over blocks of it, or over the
 * elements of a block. */
struct SumLoop {
  int64_t dimension;
  /*! \brief How far apart along the dimension the elements of two iterations are. */
  int64_t step;
  int64_t extent;
};

/*! \brief The layout of a parameter of a function. */
struct WeightLayout {
  /*! \brief The place of the parameter. */
  size_t param;
  tir::Buffer buffer;
  /*! \brief The columns of a panel. */
  int64_t width;
  /*! \brief The dimension of the columns, and the loops of the sum, outermost first. */
  int64_t column;
  std::vector<SumLoop> sums;
  /*! \brief The terms of which an element of the layout has the bytes; 1 for elements as they are.
   */
  int64_t bytes = 1;

  std::vector<int64_t> Shape() const;
};

/*!
 * \brief The parameters of a function that are weights: the only use of each is as the right
 * operand of a contraction with many rows.
 */
std::vector<WeightLayout> FindWeights(const tir::PrimFunc& func);

/*! \brief The function for a parameter in its layout. */
tir::PrimFunc WithLayout(const tir::PrimFunc& func, const WeightLayout& layout);

/*! \brief Whether a tensor is on the host and has the elements of the parameter. */
bool CanPack(const ffi::Tensor& tensor, const WeightLayout& layout);

/*! \brief The elements of a tensor in a layout, with zeros for missing columns. */
ffi::Tensor Pack(const ffi::Tensor& tensor, const WeightLayout& layout);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_WEIGHTS_H_
