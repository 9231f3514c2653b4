/*!
 * \file register_tile.h
 * \brief Sums of a few elements and vectors, in registers.
 */
#ifndef UIR_SCHEDULE_NEST_REGISTER_TILE_H_
#define UIR_SCHEDULE_NEST_REGISTER_TILE_H_

#include <vector>

#include "./lowering_state.h"

namespace uir::schedule::nest {

/*!
 * \brief Add terms to the sums of the elements that the loops around registers chose.
 *
 *     sums in registers = start, or the sums of the previous block of terms
 *     for terms: sums += term
 *     store the sums; where all terms are added, the results of the epilogue
 *
 * The loops inside are over terms, over elements and, at last, over the lanes of vectors. Vectors
 * that are not full go through a tile in memory.
 *
 * \param nest The nest, with sums in registers.
 * \param state The parts of all axes, of which those of elements have known sizes.
 * \param writer Takes the statements.
 */
void RegisterTile(const Nest& nest, const State& state, LoopWriter* writer);

}  // namespace uir::schedule::nest

#endif  // UIR_SCHEDULE_NEST_REGISTER_TILE_H_
