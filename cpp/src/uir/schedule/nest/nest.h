/*!
 * \file nest.h
 * \brief Loop nests as values, and the primitives that say how their loops run.
 *
 * A nest describes a computation: axes, the values of operands for their variables, a term, the
 * start of a sum, its epilogue, and the place of an element. A list of loops, which primitives add
 * to and change, gives the order. A recipe is such a list:
 *
 *     nest.Tile(k, 1024, {"block", Tail::kMin})
 *         .Tile(j, 48, {"panel", Tail::kPad, 16})
 *         .Tile(i, 8, {"group", Tail::kPowers})
 *         .Tile(k, 1).Tile(i, 1).Tile(j, 16, {"vector"}).Tile(j, 1, {"lane"})
 *         .Unroll("i:1").Unroll("vector").Vectorize("lane")
 *         .Cache(right, "block", {{j, Part::kBlock, 48}, {k}, {j, Part::kWithin, 48}})
 *         .Registers("group");
 *
 * A loop covers the part of its axis that the loops around it chose, by steps of so many elements.
 * Its tail says how an incomplete last step runs. `Lower` (lower.h) makes loops of
 * the list, and looks for no pattern in expressions. Users write lists as text (list_text.h), which
 * list_check.h checks further.
 */
#ifndef UIR_SCHEDULE_NEST_NEST_H_
#define UIR_SCHEDULE_NEST_NEST_H_

#include <uir/tir/buffer.h>
#include <uir/tir/stmt.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../epilogue.h"

namespace uir::schedule::nest {

using ir::PrimExpr;

/*! \brief An axis counts elements, which are independent, or the terms of their sums. */
enum class AxisKind { kData, kSum };

struct Axis {
  tir::Var var;
  PrimExpr extent;
  AxisKind kind;
};

/*! \brief How an incomplete last step of a loop runs. */
enum class Tail {
  /*! \brief By a copy of the body for as many elements as are left. */
  kPeel,
  /*! \brief The same; for a number that is not known, by copies for powers of two, whose sizes are
   * known. */
  kPowers,
  /*! \brief By a copy of the body for whole vectors, of which only the first elements count. */
  kPad,
  /*! \brief As all others, by a body that takes the least of the step and the rest. */
  kMin,
};

struct TileOptions {
  /*! \brief The name of the loop, whose variable has the part before `:` or `#`; if it is empty,
   * `axis:step`. */
  std::string name = "";
  Tail tail = Tail::kPeel;
  /*! \brief The elements of a vector, to which `kPad` fills up. */
  int64_t lanes = 1;
};

struct Loop {
  tir::Var axis;
  /*! \brief The elements of an iteration. */
  int64_t step;
  TileOptions options;
  tir::ForKind kind = tir::ForKind::kSerial;
};

/*! \brief A value that terms use, for the variables of the axes. */
struct Operand {
  /*! \brief Stands for the value in the term. */
  tir::Var var;
  PrimExpr value;
  /*! \brief The columns of the panels in which the value lies, the last of which is filled up. */
  std::optional<int64_t> panel_width = std::nullopt;
};

/*! \brief An index of a copy counts all elements of an axis, its blocks of a size, or the
 * elements of a block. */
enum class Part { kAll, kBlock, kWithin };

struct CacheIndex {
  tir::Var axis;
  Part part = Part::kAll;
  /*! \brief The size of blocks. */
  int64_t block = 1;
};

/*! \brief A copy of the elements of an operand that an iteration of a loop reads. */
struct Copy {
  tir::Var operand;
  /*! \brief The name of the loop. */
  std::string at;
  std::vector<CacheIndex> map;
  /*! \brief The kind of the outermost loop that copies. */
  tir::ForKind kind = tir::ForKind::kSerial;
};

/*! \brief Axes that `Fuse` counted by one, by their names. */
struct Fusion {
  std::vector<std::string> of;
  std::string fused;
};

/*! \brief A nest and its loops; a value, of which primitives make others. */
struct Nest {
  std::vector<Axis> axes;
  /*! \brief The buffer and the indices of an element; the stored value does not count. */
  tir::BufferStore store;
  std::vector<Operand> operands;
  /*! \brief The term of a sum, or the value of an element, over the operands. */
  PrimExpr body;
  /*! \brief The value before the first term; none if there is no sum. */
  std::optional<PrimExpr> start = std::nullopt;
  std::optional<Epilogue> epilogue = std::nullopt;

  /*! \brief The axes that were fused, in order. */
  std::vector<Fusion> fusions = {};
  /*! \brief The loops, outermost first; axes without loops belong to loops around the nest. */
  std::vector<Loop> loops = {};
  std::vector<Copy> copies = {};
  /*! \brief The number of loops around sums that stay in registers. */
  std::optional<size_t> around_registers = std::nullopt;

  /*!
   * \brief Add a loop inside of the others.
   * \param axis The axis.
   * \param step The elements of an iteration, a divisor of those of the axis' loops around it.
   * \param options The name and the tail.
   * \throws ValueError if there is no such axis, the step does not divide, or another loop has the
   * name.
   */
  Nest Tile(const tir::Var& axis, int64_t step, TileOptions options = {}) const;

  /*!
   * \brief Put the loops into another order.
   * \throws ValueError if these are not the loops, if a step would be outside of a larger one of
   * its axis, or if the terms of a sum would come in another order.
   */
  Nest Reorder(const std::vector<std::string>& names) const;

  /*! \brief Run iterations of a loop on threads.
   * \throws ValueError if the loop is one over terms of a sum. */
  Nest Parallel(const std::string& name) const;
  /*! \brief Write the iterations of a loop out. */
  Nest Unroll(const std::string& name) const;
  /*! \brief Run the iterations of a loop as lanes of vectors.
   * \throws ValueError if the loop is one over terms of a sum. */
  Nest Vectorize(const std::string& name) const;

  /*!
   * \brief Copy the elements of an operand that an iteration reads, before it runs.
   * \param operand The operand.
   * \param at The loop.
   * \param map The indices of the copy, of which the last one counts neighbours.
   * \param kind The kind of the outermost loop that copies.
   * \throws ValueError if there is no such operand or loop.
   */
  Nest Cache(const tir::Var& operand, const std::string& at, std::vector<CacheIndex> map,
             tir::ForKind kind = tir::ForKind::kSerial) const;

  /*!
   * \brief Keep the sums of an iteration of a loop in registers.
   *
   * The loops inside of it run over terms, over elements, over vectors, and at last over lanes.
   *
   * \throws ValueError if there is no such loop, if the loops inside of it are others, or if a
   * loop over terms around it has another tail than `kMin`.
   */
  Nest Registers(const std::string& at) const;

  /*! \brief Count the elements of axes by one, of which the last one counts fastest.
   * \param of The axes, all of a kind and none with a loop; no axis makes one of one element.
   * \param fused The variable of the new axis.
   * \param kind The kind of the new axis.
   * \throws ValueError if the axes have loops or are of another kind, or terms would come in
   * another order. */
  Nest Fuse(const std::vector<tir::Var>& of, const tir::Var& fused, AxisKind kind) const;

  /*! \brief The axis of a variable, the loop of a name.
   * \throws ValueError if there is none. */
  const Axis& AxisOf(const tir::Var& var) const;
  size_t PlaceOf(const std::string& name) const;
  /*! \brief The name of an axis in lists: that of its variable, with `#2` for the second one of
   * this name. */
  std::string NameOf(const tir::Var& axis) const;
  /*! \brief The elements of an iteration of the innermost loop of an axis; 0 if it has no loop. */
  int64_t InnermostStep(const tir::Var& axis) const;
  /*! \brief The elements of a vector, over whose lanes the innermost loop runs; 0 if it does not.
   */
  int64_t Lanes() const;
  bool IsSum(const Loop& loop) const { return AxisOf(loop.axis).kind == AxisKind::kSum; }
};

/*! \brief Put the parts of a variable where those of axes are that it counts; the last one counts
 * fastest. */
void SplitFused(const std::vector<Axis>& axes, PrimExpr fused,
                ffi::Map<tir::Var, PrimExpr>* values);

}  // namespace uir::schedule::nest

#endif  // UIR_SCHEDULE_NEST_NEST_H_
