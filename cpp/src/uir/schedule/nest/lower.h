/*!
 * \file lower.h
 * \brief The loops of a nest.
 */
#ifndef UIR_SCHEDULE_NEST_LOWER_H_
#define UIR_SCHEDULE_NEST_LOWER_H_

#include "./lowering_state.h"

namespace uir::schedule::nest {

/*!
 * \brief The statement of a nest: its loops, copies, and stores.
 * \throws ValueError if the list of loops does not reach each element, or operands have no form for
 * the vectors that it asks for.
 */
tir::Stmt Lower(const Nest& nest);

/*! \brief The statement for a part of one axis; the others have loops, or loops around it. */
tir::Stmt LowerPart(const Nest& nest, const tir::Var& axis, const Range& part);

/*! \brief Some elements of a loop by vectors; other loops of the store are around them. */
tir::Stmt PartByVectors(const tir::For& loop, const tir::BufferStore& store, const Range& part,
                        int64_t lanes);

}  // namespace uir::schedule::nest

#endif  // UIR_SCHEDULE_NEST_LOWER_H_
