/*!
 * \file uir/transform/loop_partition.h
 * \brief Partitioning of loops into parts with and without checks.
 */
#ifndef UIR_TRANSFORM_LOOP_PARTITION_H_
#define UIR_TRANSFORM_LOOP_PARTITION_H_

#include <uir/tir/stmt.h>
#include <uir/transform/loop_passes.h>

namespace uir::transform {

/*! \brief The annotation, or the attribute, of a loop to partition by all of its conditions. */
inline constexpr const char* kLoopPartitionHint = "pragma_loop_partition_hint";

/*!
 * \brief Split loops into parts in which their likely conditions are known.
 *
 * The parts of a loop bind the same variables; run `ConvertSSA` afterwards.
 *
 * \param stmt The statement.
 * \param options The loops to split.
 * \return The statement itself if it has no such loop, no `tir.likely` and no hint.
 */
tir::Stmt LoopPartition(tir::Stmt stmt, const LoopPartitionOptions& options);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOOP_PARTITION_H_
