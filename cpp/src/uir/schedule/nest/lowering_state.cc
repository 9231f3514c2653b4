// Values of operands, where loops chose parts of the axes.
#include "./lowering_state.h"

#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/tir/arith.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/tir/stmt_functor.h>
#include <uir/transform/expr_lanes.h>

#include <utility>

namespace uir::schedule::nest {

namespace {

/*! \brief Replaces blocks and remainders of an axis' element by those of a vector, all of whose
 * lanes lie in one block. */
class LaneBlocks : public tir::PrimExprMutator {
 public:
  LaneBlocks(const tir::Var& axis, const PrimExpr& first, const tir::Var& lane, int lanes)
      : axis_(axis), first_(first), lane_(lane), lanes_(lanes) {}

  /*! \brief The first lane of a remainder; none if there is no remainder. */
  std::optional<PrimExpr> within;

 protected:
  PrimExpr VisitFloorDiv(const tir::FloorDivNode* op) override {
    if (!IsBlock(op->a, op->b)) return PrimExprMutator::VisitFloorDiv(op);
    return tir::floordiv(first_, op->b);
  }
  PrimExpr VisitFloorMod(const tir::FloorModNode* op) override {
    if (!IsBlock(op->a, op->b)) return PrimExprMutator::VisitFloorMod(op);
    within = tir::floormod(first_, op->b);
    return lane_;
  }

 private:
  bool IsBlock(const PrimExpr& element, const PrimExpr& size) const {
    const std::optional<int64_t> block = tir::IntConstOf(size);
    return element.same_as(axis_) && block && *block > 0 && *block % lanes_ == 0;
  }

  const tir::Var& axis_;
  const PrimExpr& first_;
  const tir::Var& lane_;
  int64_t lanes_;
};

PrimExpr Sum(const std::optional<PrimExpr>& sum, const PrimExpr& more) {
  return sum ? *sum + more : more;
}

}  // namespace

State State::With(const tir::Var& axis, Range range) const {
  State made = *this;
  made.ranges.Set(axis, std::move(range));
  return made;
}

transform::Substitution State::Values() const {
  transform::Substitution values;
  for (const auto& [axis, range] : ranges.entries()) {
    values.Set(ffi::GetRef<tir::Var>(axis), range->start);
  }
  return values;
}

PrimExpr State::At(const PrimExpr& index) const {
  const Range* range = ranges.Find(index.as<tir::VarNode>());
  if (range != nullptr) return range->start;
  return tir::IntConstOf(index) ? index : transform::Substitute(index, Values());
}

bool UsesAxis(const Operand& operand, const tir::Var& axis) {
  return VarsOf(operand.value).count(axis.get()) != 0;
}

PrimExpr Read(const Operand& operand, const State& state) {
  const CopyInPlace* copy = state.copies.Find(operand.var.get());
  if (copy != nullptr) {
    return tir::BufferLoad(copy->buffer, PlaceIn(*copy, state));
  }
  return transform::Substitute(operand.value, state.Values());
}

PrimExpr ReadLanes(const Operand& operand, const State& state, const tir::Var& axis, int lanes) {
  const CopyInPlace* copy = state.copies.Find(operand.var.get());
  if (copy != nullptr) {
    ffi::Array<PrimExpr> place = PlaceIn(*copy, state);
    const auto last = static_cast<int64_t>(place.size()) - 1;
    place.Set(last, LanesFrom(place[last], lanes));
    return tir::BufferLoad(copy->buffer, std::move(place));
  }
  const PrimExpr first = state.Of(axis).start;
  const tir::Var lane("lane", axis->dtype);
  LaneBlocks blocks(axis, first, lane, lanes);
  const PrimExpr in_blocks = blocks(operand.value);
  transform::Substitution values = state.Values(), vectors;
  values.erase(axis);
  vectors.Set(axis, LanesFrom(first, lanes));
  if (blocks.within) vectors.Set(lane, LanesFrom(*blocks.within, lanes));
  const auto made = transform::ExprLanes(transform::Substitute(in_blocks, values), vectors, lanes);
  if (!made) {
    TVM_FFI_THROW(ValueError) << "the operand `" << operand.var->name
                              << "` has no form for vectors along `" << axis->name << "`";
  }
  return *made;
}

ffi::Array<PrimExpr> PlaceIn(const CopyInPlace& copy, const State& state) {
  ffi::Array<PrimExpr> indices;
  for (const CacheIndex& index : copy.copy->map) {
    const Range& range = state.Of(index.axis);
    std::optional<PrimExpr> sum;
    for (size_t i = copy.depths.at(index.axis.get()); i < range.places.size(); ++i) {
      const auto& [count, step] = range.places[i];
      const bool is_block = step >= index.block;
      if (index.part == Part::kBlock && is_block) sum = Sum(sum, count * (step / index.block));
      if (index.part == Part::kWithin && !is_block) sum = Sum(sum, count * step);
      if (index.part == Part::kAll) sum = Sum(sum, count * step);
    }
    indices.push_back(sum ? *sum : tir::make_const(0, index.axis->dtype));
  }
  return indices;
}

}  // namespace uir::schedule::nest
