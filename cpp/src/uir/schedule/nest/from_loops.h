/*!
 * \file from_loops.h
 * \brief Nests of the loops that `MatchLoopNest` and the matchers on top of it find.
 */
#ifndef UIR_SCHEDULE_NEST_FROM_LOOPS_H_
#define UIR_SCHEDULE_NEST_FROM_LOOPS_H_

#include <vector>

#include "../contraction.h"
#include "./nest.h"

namespace uir::schedule::nest {

/*!
 * \brief A contraction: the operands `left` and `right`, whose products are added up.
 * \param contraction The contraction.
 * \param around Its loops over elements but those over rows and columns.
 */
Nest NestOf(const Contraction& contraction, const std::vector<tir::For>& around);

/*!
 * \brief An elementwise nest, of one operand: the value of the element.
 * \param loops Its loops; the others are around it.
 * \param store Its store.
 */
Nest NestOf(const std::vector<tir::For>& loops, const tir::BufferStore& store);

/*! \brief The axes that loops run over. */
std::vector<Axis> AxesOf(const std::vector<tir::For>& loops, AxisKind kind);
/*! \brief The variables of loops. */
std::vector<tir::Var> VarsOfLoops(const std::vector<tir::For>& loops);

}  // namespace uir::schedule::nest

#endif  // UIR_SCHEDULE_NEST_FROM_LOOPS_H_
