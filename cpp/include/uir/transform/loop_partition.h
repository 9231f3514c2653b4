/*!
 * \file uir/transform/loop_partition.h
 * \brief Partitioning of loops into parts with and without checks.
 */
#ifndef UIR_TRANSFORM_LOOP_PARTITION_H_
#define UIR_TRANSFORM_LOOP_PARTITION_H_

#include <uir/tir/stmt.h>

namespace uir::transform {

/*! \brief The annotation of a loop to partition even if its bounds are constant. */
inline constexpr const char* kLoopPartitionHint = "pragma_loop_partition_hint";

/*!
 * \brief Move the iterations in which all likely conditions hold to a loop without them.
 *
 * The parts of a loop bind the same variables; run `ConvertSSA` afterwards.
 *
 * \param stmt The statement.
 * \param partition_const_loop Whether to partition loops with constant bounds.
 * \return The statement itself if it has neither such a loop nor a `tir.likely`.
 */
tir::Stmt LoopPartition(tir::Stmt stmt, bool partition_const_loop);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOOP_PARTITION_H_
