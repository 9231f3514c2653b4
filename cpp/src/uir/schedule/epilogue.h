/*!
 * \file epilogue.h
 * \brief The computation on an element whose reduction is complete.
 */
#ifndef UIR_SCHEDULE_EPILOGUE_H_
#define UIR_SCHEDULE_EPILOGUE_H_

#include <optional>

#include "./loop_nest.h"

namespace uir::schedule {

struct Epilogue {
  /*! \brief Where the result is stored, at the indices of the sum. */
  tir::Buffer buffer;
  ir::PrimExpr value;
  /*! \brief The variable in `value` that stands for the sum. */
  tir::Var sum;
};

/*! \brief The epilogue of a nest that has one; none if it has no form for vectors of neighbouring
 * columns. */
std::optional<Epilogue> VectorEpilogueOf(const LoopNest& nest, const tir::Var& column);

/*! \brief The results of some lanes.
 * \param epilogue Comes from `VectorEpilogueOf`.
 * \param values The values of all other loops.
 * \param column The variable of the columns.
 * \param columns Their lanes.
 * \param sum The sums.
 */
ir::PrimExpr ResultLanes(const Epilogue& epilogue, const ffi::Map<tir::Var, ir::PrimExpr>& values,
                         const tir::Var& column, const ir::PrimExpr& columns,
                         const ir::PrimExpr& sum);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_EPILOGUE_H_
