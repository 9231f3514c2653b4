/*!
 * \file loop_nest.h
 * \brief Loop nests as recipes see them.
 *
 * In: a loop of a function. Out: its loops and its one or two stores, if it has the form
 *
 *     for i: for j: C[i, j] = ...
 *     for i: for j: { C[i, j] = start; for k: C[i, j] = f(C[i, j], ...) }
 *     for i: for j: { C[i, j] = start; for k: C[i, j] = f(C[i, j], ...); D[i, j] = g(C[i, j], ...)
 * }
 *
 * and its elements are independent, so that they may be computed in any order.
 */
#ifndef UIR_SCHEDULE_LOOP_NEST_H_
#define UIR_SCHEDULE_LOOP_NEST_H_

#include <uir/tir/buffer.h>
#include <uir/tir/stmt.h>

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace uir::schedule {

namespace ffi = ::tvm::ffi;

using VarSet = std::unordered_set<const tir::VarNode*>;

struct LoopNest {
  /*! \brief The loops over elements, outermost first; each variable is one index of the store. */
  std::vector<tir::For> spatial;
  /*! \brief The loops of a reduction; none for an elementwise nest. */
  std::vector<tir::For> reduction;
  /*! \brief The store before a reduction. */
  std::optional<tir::BufferStore> init;
  /*! \brief The innermost store. */
  tir::BufferStore store;
  /*! \brief The store after the reduction of an element: a function of this element, at the same
   * indices of the same buffer or of another one. */
  std::optional<tir::BufferStore> epilogue = std::nullopt;
};

/*! \brief The nest of a loop, if it has the form. Its other buffers are not the one it stores to,
 * and it calls nothing with an effect. */
std::optional<LoopNest> MatchLoopNest(const tir::For& outermost);

/*! \brief The reduction to one element, which has no loops over elements, of the statement before
 * its loops and of these. */
std::optional<LoopNest> MatchTotal(const tir::Stmt& start, const tir::Stmt& loops);

/*! \brief The variables that an expression uses. */
VarSet VarsOf(const ir::PrimExpr& expr);
bool UsesAny(const VarSet& used, const std::vector<tir::For>& loops);
/*! \brief Whether an expression reads a buffer. */
bool Reads(const ir::PrimExpr& expr, const tir::Buffer& buffer);
/*! \brief Whether `expr` is the element that a statement stores to. */
bool IsElementOf(const ir::PrimExpr& expr, const tir::BufferStore& store);

/*! \brief Whether neighbouring values of a variable choose neighbouring elements, or the same. */
bool AreNeighbours(const ffi::Array<ir::PrimExpr>& indices, const tir::VarNode* var);

/*! \brief Whether two stores are to the same place of buffers. */
bool AreAtSamePlace(const tir::BufferStore& one, const tir::BufferStore& other);

/*! \brief Loops with their annotations around another body. */
tir::Stmt InLoopsOf(const std::vector<tir::For>& loops, tir::Stmt body);

/*! \brief Loops without their annotations around a body; the outermost one is of a kind. */
tir::Stmt InLoops(const std::vector<tir::For>& loops, tir::Stmt body,
                  tir::ForKind outermost = tir::ForKind::kSerial);

/*! \brief A copy of a loop with another variable and extent. */
tir::For LoopLike(const tir::For& loop, const tir::Var& var, int64_t extent);

/*! \brief Whether all loops count in one type, so that their variables can be fused and split. */
bool CountAlike(const LoopNest& nest);

/*! \brief The name of the buffer that a nest stores to. */
std::string NameOf(const LoopNest& nest);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_LOOP_NEST_H_
