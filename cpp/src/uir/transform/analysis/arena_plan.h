/*!
 * \file arena_plan.h
 * \brief The offsets of a function's buffers in one allocation.
 *
 * Buffers whose sizes are multiples of the same expression share a region of the arena: the sizes
 * of a region are numbers of units, one byte in the region of constant sizes. Within a region,
 * buffers are placed by size, the largest first, each into the smallest gap that holds it between
 * those that are live at the same time: "greedy by size", Pisarchyk and Lee, Efficient Memory
 * Management for Deep Neural Net Inference, 2020. If that takes more than is live at one time,
 * other orders are tried, and the blocks at the top are placed first.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_ARENA_PLAN_H_
#define UIR_TRANSFORM_ANALYSIS_ARENA_PLAN_H_

#include <uir/tir/call.h>
#include <uir/tir/expr.h>
#include <uir/tir/function.h>
#include <uir/tir/stmt.h>

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief The alignment of buffers in an arena, in bytes. */
inline constexpr int64_t kArenaAlignment = 64;

/*! \brief A buffer that moves to the arena, and its live range, counted in statements. */
struct ArenaItem {
  tir::Buffer buffer;
  int64_t begin;
  int64_t end;
};

/*! \brief Calls of functions as statements, by the number of the statement. */
using NumberedCalls = std::vector<std::pair<int64_t, tir::Call>>;

/*!
 * \brief Find the buffers that a function allocates in its sequences, branches and `while` loops.
 *
 * Each is compact, in the memory of the host, with a size that the parameters determine and an
 * alignment up to that of the arena. A buffer whose address is bound is live to the end.
 *
 * \param calls Gets the calls of functions of the module.
 */
std::vector<ArenaItem> FindArenaItems(const tir::PrimFunc& func, NumberedCalls* calls);

/*! \brief An interval of units of a region. */
struct ArenaBlock {
  int64_t count;
  int64_t begin;
  int64_t end;
  /*! \brief The first unit, set by `PlaceBlocks`. */
  int64_t offset = 0;
};

/*!
 * \brief Place blocks so that none overlap that are live at the same time.
 * \return The number of units that the blocks take.
 */
int64_t PlaceBlocks(std::vector<ArenaBlock>* blocks);

/*! \brief The offsets of a function's buffers in the arena. */
struct ArenaPlan {
  /*! \brief The offset of each buffer, in bytes. */
  std::unordered_map<const tir::BufferNode*, ir::PrimExpr> offsets;
  /*! \brief The size of the arena, in bytes. */
  ir::PrimExpr bytes;
  /*! \brief The maximal number of bytes that are live at the same time; no arena is smaller. */
  ir::PrimExpr live_bytes;
};

/*! \brief Place each buffer in the arena. */
ArenaPlan PlanArena(const std::vector<ArenaItem>& items);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_ARENA_PLAN_H_
