/*!
 * \file uir/transform/loop_partition.h
 * \brief Loops in parts, of which one needs no checks.
 */
#ifndef UIR_TRANSFORM_LOOP_PARTITION_H_
#define UIR_TRANSFORM_LOOP_PARTITION_H_

#include <uir/tir/stmt.h>

namespace uir::transform {

/*! \brief The annotation of a loop to partition even if its bounds are constant. */
inline constexpr const char* kLoopPartitionHint = "pragma_loop_partition_hint";

/*!
 * \brief Run the iterations in which all likely conditions hold in a loop without them.
 *
 * Parts of a loop bind the same variables; `ConvertSSA` tells them apart.
 *
 * \param stmt The statement.
 * \param partition_const_loop Whether loops of constant bounds are partitioned too.
 * \return The statement itself if there is neither such a loop nor a note `tir.likely`.
 */
tir::Stmt LoopPartition(tir::Stmt stmt, bool partition_const_loop);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOOP_PARTITION_H_
