/*!
 * \file operand_copy.h
 * \brief Copies of operands, which loops around sums make.
 */
#ifndef UIR_SCHEDULE_NEST_OPERAND_COPY_H_
#define UIR_SCHEDULE_NEST_OPERAND_COPY_H_

#include "./lowering_state.h"

namespace uir::schedule::nest {

/*! \brief The place of a copy, to which nothing is copied yet, in memory or in registers. */
CopyInPlace Allocate(const Nest& nest, const Copy& copy, const State& state, bool in_registers,
                     LoopWriter* writer);

/*! \brief Copy the elements of an operand in the ranges, with zeros for those that do not count. */
void Fill(const Nest& nest, const CopyInPlace& copy, const State& state, int64_t lanes,
          LoopWriter* writer);

}  // namespace uir::schedule::nest

#endif  // UIR_SCHEDULE_NEST_OPERAND_COPY_H_
