/*!
 * \file channel_nests.h
 * \brief The accesses of loop nests to the channels of tensors, which are their second dimension.
 */
#ifndef UIR_SCHEDULE_CHANNEL_NESTS_H_
#define UIR_SCHEDULE_CHANNEL_NESTS_H_

#include <tschema/walk.h>

#include <cstdint>
#include <optional>

#include "./loop_nest.h"

namespace uir::schedule {

/*! \brief The dimension of the channels. */
inline constexpr size_t kChannel = 1;

/*! \brief An index `var + offset`. */
struct ShiftedVar {
  const tir::VarNode* var;
  int64_t offset;
};

std::optional<ShiftedVar> ShiftedVarOf(const ir::PrimExpr& index);

/*! \brief Whether neighbours along a dimension are neighbours in memory. */
bool AreNeighboursAlong(const tir::Buffer& buffer, size_t dimension);

/*! \brief Call `visit(buffer, indices)` for each access of a nest. */
template <typename Visit>
void ForEachAccess(const LoopNest& nest, const Visit& visit) {
  const auto of_store = [&](const tir::BufferStore& store) {
    visit(store->buffer, store->indices);
    tschema::Walk(store->value,
                  [&](const tir::BufferLoadNode* load) { visit(load->buffer, load->indices); });
  };
  if (nest.init) of_store(*nest.init);
  of_store(nest.store);
  if (nest.epilogue) of_store(*nest.epilogue);
}

/*! \brief A nest whose elements are independent, or one that copies a tensor to a part of another.
 */
std::optional<LoopNest> MatchChannelNest(const tir::For& outermost);

/*! \brief The weights that a convolution multiplies by, `w[channel, k, ...]` by all loops of its
 * sum, and the variable of the channel. */
struct ConvolutionWeights {
  const tir::BufferLoadNode* load;
  const tir::VarNode* channel;
};

/*! \brief The weights of a nest that is a convolution whose channels have no groups. */
std::optional<ConvolutionWeights> WeightsOf(const LoopNest& nest);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_CHANNEL_NESTS_H_
