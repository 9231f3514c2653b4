/*!
 * \file channel_blocks.h
 * \brief Functions on tensors whose channels lie in blocks.
 *
 * Channels are the second dimension. In blocks of 32, the last dimension has 32 of them:
 *
 *     y[n, c, i, j] = max(x[n, c, i, j] + b[c, 0, 0], 0)
 *
 * becomes
 *
 *     y[n, c_block, i, j, c] = max(x[n, c_block, i, j, c] + b[c_block, 0, 0, c], 0)
 *
 * so that vectors are neighbouring channels of a pixel, of which each image has the same number.
 * The elements of `b` lie where they were. The sum of a convolution goes through the blocks of
 * channels, its window, and the channels of a block.
 */
#ifndef UIR_SCHEDULE_CHANNEL_BLOCKS_H_
#define UIR_SCHEDULE_CHANNEL_BLOCKS_H_

#include <uir/tir/function.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace uir::schedule {

namespace ffi = ::tvm::ffi;

/*! \brief The channels of a block, for each parameter of a function; 0 for one without blocks. */
using BlockSizes = std::vector<int64_t>;

/*! \brief A parameter that is the weights of a convolution. */
struct WeightParam {
  size_t param;
  /*! \brief The products that each sum adds. */
  int64_t terms;
};

struct BlockedFunction {
  tir::PrimFunc func;
  /*! \brief The parameters that are the weights of convolutions, which are read by vectors of
   * channels only if they are constants. */
  std::vector<WeightParam> weights;
};

/*!
 * \brief The function for parameters whose channels lie in blocks.
 *
 * None if it would read or store to other tensors channel by channel, such as where a channel is
 * not the variable of a loop, or does something else than nests of loops.
 */
std::optional<BlockedFunction> WithChannelBlocks(const tir::PrimFunc& func,
                                                 const BlockSizes& blocks);

/*! \brief The shape of a tensor in blocks along a dimension, by default that of the channels. */
ffi::Array<ir::PrimExpr> BlockedShape(const ffi::Array<ir::PrimExpr>& shape, int64_t block,
                                      int64_t dimension = 1);

/*! \brief The parts of an index `outer * block + inner`. */
struct BlockedIndex {
  ir::PrimExpr outer;
  ir::PrimExpr inner;
};

/*! \brief The parts of an index, if it has this form for a block. */
std::optional<BlockedIndex> SplitIndex(const ir::PrimExpr& index, int64_t block);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_CHANNEL_BLOCKS_H_
