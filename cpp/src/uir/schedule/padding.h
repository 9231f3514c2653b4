/*!
 * \file padding.h
 * \brief Elementwise nests that choose between two values by the position of an element, such as a
 * tensor with zeros around it.
 */
#ifndef UIR_SCHEDULE_PADDING_H_
#define UIR_SCHEDULE_PADDING_H_

#include <optional>

#include "./loop_nest.h"

namespace uir::schedule {

/*! \brief The values of an innermost loop: `inside` from `begin` to `end` if a condition on the
 * other loops holds, and `outside` elsewhere. */
struct Padding {
  ir::PrimExpr condition;
  ir::PrimExpr begin;
  ir::PrimExpr end;
  ir::PrimExpr inside;
  ir::PrimExpr outside;
};

/*!
 * \brief A value as a padding along a loop, if it is a choice by conditions that are linear in the
 * loop's variable.
 */
std::optional<Padding> SplitPadding(const ir::PrimExpr& value, const tir::For& loop);

/*! \brief The padding that a nest computes, if its loads inside are contiguous. */
std::optional<Padding> MatchPadding(const LoopNest& nest);

/*! \brief Loops of a padding, the innermost ones by vectors, the outermost one of a kind. */
tir::Stmt BuildPadding(const LoopNest& nest, const Padding& padding, int lanes, tir::ForKind outer);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_PADDING_H_
