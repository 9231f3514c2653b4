/*!
 * \file contraction.h
 * \brief Contractions: sums of products of a left operand, which the columns do not choose, and a
 * right operand, which the rows do not choose.
 */
#ifndef UIR_SCHEDULE_CONTRACTION_H_
#define UIR_SCHEDULE_CONTRACTION_H_

#include <optional>
#include <vector>

#include "./epilogue.h"
#include "./loop_nest.h"

namespace uir::schedule {

struct Contraction {
  LoopNest nest;
  /*! \brief The loops that stay outermost: of both operands, or only of the right one. */
  std::vector<tir::For> outer;
  /*! \brief The loops that only the left operand uses. */
  std::vector<tir::For> rows;
  /*! \brief The loop of the last index of the result, which only the right operand uses. */
  tir::For column;
  ir::PrimExpr lhs;
  ir::PrimExpr rhs;
  std::optional<Epilogue> epilogue = std::nullopt;
  /*! \brief The columns of the panels of the right operand; none if it is not in panels. */
  std::optional<int64_t> panel_width = std::nullopt;
};

/*! \brief The vectors of a panel: at most `most`, or one less if that avoids a smaller last panel.
 */
int64_t EvenVectors(int64_t needed, int64_t most);

/*! \brief The contraction that a nest computes, if it is one, and its epilogue has a form for
 * vectors of columns. */
std::optional<Contraction> MatchContraction(const LoopNest& nest);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_CONTRACTION_H_
