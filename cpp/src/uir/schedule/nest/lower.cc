// Loops of nests: each splits the range of its axis.
#include "./lower.h"

#include <tvm/ffi/error.h>
#include <uir/tir/builder.h>
#include <uir/transform/convert_ssa.h>

#include <algorithm>
#include <utility>

#include "./from_loops.h"
#include "./operand_copy.h"
#include "./recipes.h"
#include "./register_tile.h"

namespace uir::schedule::nest {

namespace {

class Lowering {
 public:
  explicit Lowering(const Nest& nest)
      : nest_(nest), writer_(nest.axes[0].var->dtype, nest.store->span, &builder_) {}

  tir::Stmt Run(const State& state) {
    From(0, state);
    return builder_->Body();
  }

 private:
  /*! \brief The loops from a number on, for the parts that those around them chose. */
  void From(size_t next, State state) {
    Allocate(next, &state);
    if (nest_.around_registers == next) return RegisterTile(nest_, state, &writer_);
    if (next == nest_.loops.size()) return Element(state);
    const Loop& loop = nest_.loops[next];
    Split(state.Of(loop.axis), loop, nest_.AxisOf(loop.axis).kind, &writer_,
          [&](const Range& part) {
            State inside = state.With(loop.axis, part);
            AllocateRegisters(next, &inside);
            FillCopies(next, &inside);
            From(next + 1, std::move(inside));
          });
  }

  /*!
   * \brief The loop before which a copy is allocated: the first one over blocks or with a copy, so
   * that all its iterations use the same memory. Each iteration of a parallel loop has its own.
   */
  size_t FirstBlock(const Copy& copy) const {
    const size_t place = nest_.PlaceOf(copy.at);
    size_t first = 0;
    for (size_t i = 0; i < place; ++i) {
      if (nest_.loops[i].kind == tir::ForKind::kParallel) first = i + 1;
    }
    const auto is_first = [&](const Copy& other) {
      return other.at == nest_.loops[first].options.name;
    };
    while (first < place && nest_.loops[first].step == 1 &&
           std::none_of(nest_.copies.begin(), nest_.copies.end(), is_first)) {
      ++first;
    }
    return first;
  }

  bool IsAround(const Copy& copy) const {
    return nest_.PlaceOf(copy.at) < nest_.around_registers.value_or(nest_.loops.size());
  }

  void Allocate(size_t next, State* state) {
    for (const Copy& copy : nest_.copies) {
      if (!IsAround(copy) || FirstBlock(copy) != next) continue;
      state->copies.Set(copy.operand, nest::Allocate(nest_, copy, *state, false, &writer_));
    }
  }

  /*! \brief Allocate the copies inside of registers whose neighbours the loop at a place chose. */
  void AllocateRegisters(size_t place, State* state) {
    const tir::Var& axis = nest_.loops[place].axis;
    for (size_t i = place + 1; i < nest_.around_registers.value_or(0); ++i) {
      if (nest_.loops[i].axis.same_as(axis)) return;
    }
    for (const Copy& copy : nest_.copies) {
      if (IsAround(copy) || !copy.map.back().axis.same_as(axis)) continue;
      state->copies.Set(copy.operand, nest::Allocate(nest_, copy, *state, true, &writer_));
    }
  }

  void FillCopies(size_t place, State* state) {
    for (const Copy& copy : nest_.copies) {
      if (nest_.PlaceOf(copy.at) != place || !IsAround(copy)) continue;
      CopyInPlace made = *state->copies.Find(copy.operand.get());
      for (const CacheIndex& index : copy.map) {
        made.depths[index.axis.get()] = state->Of(index.axis).places.size();
      }
      state->copies.Set(copy.operand, made);
      Fill(nest_, made, *state, std::max<int64_t>(nest_.Lanes(), 1), &writer_);
    }
  }

  void Element(const State& state) {
    transform::Substitution operands;
    for (const Operand& operand : nest_.operands) {
      operands.Set(operand.var, Read(operand, state));
    }
    ffi::Array<PrimExpr> indices;
    for (const PrimExpr& index : nest_.store->indices) indices.push_back(state.At(index));
    const PrimExpr value = transform::Substitute(nest_.body, operands);
    writer_.Store(nest_.store->buffer, std::move(indices), transform::RenewBindings(value));
  }

  const Nest& nest_;
  tir::Builder builder_;
  LoopWriter writer_;
};

/*! \brief All elements of the axes that have loops. */
State WholeAxes(const Nest& nest) {
  State state;
  for (const Axis& axis : nest.axes) {
    const bool has_loop = std::any_of(nest.loops.begin(), nest.loops.end(), [&](const Loop& loop) {
      return loop.axis.same_as(axis.var);
    });
    if (has_loop) state.ranges.Set(axis.var, WholeRange(axis));
  }
  return state;
}

}  // namespace

tir::Stmt Lower(const Nest& nest) { return Lowering(nest).Run(WholeAxes(nest)); }

tir::Stmt LowerPart(const Nest& nest, const tir::Var& axis, const Range& part) {
  return Lowering(nest).Run(WholeAxes(nest).With(axis, part));
}

tir::Stmt PartByVectors(const tir::For& loop, const tir::BufferStore& store, const Range& part,
                        int64_t lanes) {
  return LowerPart(ByVectors(NestOf({loop}, store), lanes, tir::ForKind::kSerial), loop->loop_var,
                   part);
}

}  // namespace uir::schedule::nest
