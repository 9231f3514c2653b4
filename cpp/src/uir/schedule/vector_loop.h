/*!
 * \file vector_loop.h
 * \brief Loops over elements by vectors.
 */
#ifndef UIR_SCHEDULE_VECTOR_LOOP_H_
#define UIR_SCHEDULE_VECTOR_LOOP_H_

#include "./loop_nest.h"

namespace uir::schedule {

/*! \brief A part of a nest's innermost loop. */
struct LoopPart {
  ir::PrimExpr begin;
  ir::PrimExpr extent;
};

/*!
 * \brief Run a part of the innermost loop by whole vectors, then the remaining iterations.
 *
 * The remaining iterations are one narrower vector if their number is known, else a scalar loop.
 *
 * \param nest The nest.
 * \param store The store that replaces that of the nest.
 * \param part The iterations.
 * \param lanes The lanes of a vector.
 * \param kind The kind of the loop over whole vectors.
 */
tir::Stmt RunByVectors(const LoopNest& nest, const tir::BufferStore& store, const LoopPart& part,
                       int lanes, tir::ForKind kind);

/*! \brief Put the outer loops of a nest around its innermost one; the outermost gets a kind. */
tir::Stmt InOuterLoops(const LoopNest& nest, tir::Stmt innermost, tir::ForKind kind);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_VECTOR_LOOP_H_
