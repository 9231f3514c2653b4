/*!
 * \file padding.h
 * \brief Elementwise nests that choose between two values by where an element stands, such as a
 * tensor with zeros around it.
 */
#ifndef UIR_SCHEDULE_PADDING_H_
#define UIR_SCHEDULE_PADDING_H_

#include <optional>

#include "./loop_nest.h"

namespace uir::schedule {

/*! \brief What the innermost loop stores: one value from a first place up to a last one, if a
 * condition of the other loops holds, and another value elsewhere. */
struct Padding {
  ir::PrimExpr condition;
  ir::PrimExpr begin;
  ir::PrimExpr end;
  ir::PrimExpr inside;
  ir::PrimExpr outside;
};

/*!
 * \brief The padding that a value is along a loop, if it is a choice by conditions that are linear
 * in the loop's variable.
 */
std::optional<Padding> SplitPadding(const ir::PrimExpr& value, const tir::For& loop);

/*! \brief The padding that a nest computes, if all that it reads inside lies side by side. */
std::optional<Padding> MatchPadding(const LoopNest& nest);

/*! \brief Loops of a padding, the innermost ones by vectors, the outermost one of a kind. */
tir::Stmt BuildPadding(const LoopNest& nest, const Padding& padding, int lanes, tir::ForKind outer);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_PADDING_H_
