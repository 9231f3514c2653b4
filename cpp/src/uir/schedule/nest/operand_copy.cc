// Copies of operands, whose elements lie in the order in which they are read.
#include "./operand_copy.h"

#include <tvm/ffi/error.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>

#include <algorithm>
#include <utility>

namespace uir::schedule::nest {

namespace {

const Operand& OperandOf(const Nest& nest, const Copy& copy) {
  return *std::find_if(nest.operands.begin(), nest.operands.end(),
                       [&](const Operand& operand) { return operand.var.same_as(copy.operand); });
}

/*! \brief The most elements of an axis that an iteration of the loop of a copy has. */
PrimExpr MostElements(const Nest& nest, const Copy& copy, const tir::Var& axis) {
  PrimExpr most = nest.AxisOf(axis).extent;
  const size_t place = nest.PlaceOf(copy.at);
  for (size_t i = 0; i <= place; ++i) {
    if (!nest.loops[i].axis.same_as(axis)) continue;
    most = tir::min(most, tir::make_const(nest.loops[i].step, axis->dtype));
  }
  return most;
}

/*! \brief The extent of an index of a copy in memory, at least 1; whole steps of neighbours. */
PrimExpr SizeInMemory(const Nest& nest, const Copy& copy, const CacheIndex& index, bool is_last) {
  const PrimExpr block = tir::make_const(index.block, index.axis->dtype);
  if (index.part == Part::kWithin) return block;
  if (is_last) {
    for (size_t i = nest.PlaceOf(copy.at) + 1; i-- > 0;) {
      const Loop& loop = nest.loops[i];
      if (loop.axis.same_as(index.axis)) return tir::make_const(loop.step, index.axis->dtype);
    }
  }
  PrimExpr most = MostElements(nest, copy, index.axis);
  if (index.part == Part::kBlock) most = tir::floordiv(most + (index.block - 1), block);
  return tir::max(most, tir::make_const(1, index.axis->dtype));
}

/*! \brief Fills a copy, from the first index to the last. */
class Filler {
 public:
  Filler(const Nest& nest, const CopyInPlace& copy, int64_t lanes, LoopWriter* writer)
      : nest_(nest), copy_(copy), lanes_(lanes), writer_(writer) {}

  void From(size_t next, const State& state) const {
    const std::vector<CacheIndex>& map = copy_.copy->map;
    if (next + 1 == map.size()) return Neighbours(map.back(), state);
    const CacheIndex& index = map[next];
    const auto inner = [&](const Range& part) { From(next + 1, state.With(index.axis, part)); };
    const auto kind = next == 0 ? copy_.copy->kind : tir::ForKind::kSerial;
    const bool is_block = index.part == Part::kBlock;
    const std::string name = is_block ? "panel" : std::string(index.axis->name);
    const Loop loop = {index.axis, is_block ? index.block : 1, {name, Tail::kPad, lanes_}, kind};
    Split(state.Of(index.axis), loop, nest_.AxisOf(index.axis).kind, writer_, inner);
  }

 private:
  PrimExpr Const(int64_t value) const { return writer_->Const(value); }

  /*! \brief Copy neighbours by vectors, of which the last one may begin with zeros. */
  void Neighbours(const CacheIndex& index, const State& state) const {
    const Range& range = state.Of(index.axis);
    const std::optional<int64_t> known_size = tir::IntConstOf(range.size);
    if (!known_size) {
      TVM_FFI_THROW(ValueError) << "the last index of a copy of `" << copy_.copy->operand->name
                                << "` must count a known number of elements";
    }
    const int64_t width = *known_size;
    const auto copy = [&](const PrimExpr& lane) {
      const State at = state.With(index.axis, range.Inside(range.start + lane, lane, 1));
      Store(at, transform::Substitute(OperandOf(nest_, *copy_.copy).value, at.Values()));
    };
    const auto clear = [&](const PrimExpr& lane) {
      const State at = state.With(index.axis, range.Inside(range.start + lane, lane, 1));
      Store(at, tir::make_const(0, copy_.buffer->dtype));
    };
    const PrimExpr valid = range.valid ? *range.valid : range.Extent();
    const std::optional<int64_t> known = tir::IntConstOf(valid);
    if (!known) {
      return writer_->ForEach("lane", Const(width), [&](const PrimExpr& lane) {
        writer_->builder().If(lane < valid, [&] { copy(lane); });
        writer_->builder().Else([&] { clear(lane); });
      });
    }
    for (int64_t first = 0; first < width; first += lanes_) {
      const int64_t room = std::min<int64_t>(lanes_, width - first);
      const int64_t count = std::min<int64_t>(room, std::max<int64_t>(*known - first, 0));
      const auto copy_from = [&](const PrimExpr& lane) { copy(lane + first); };
      const auto clear_from = [&](const PrimExpr& lane) { clear(lane + first); };
      if (count < room) {
        writer_->ForEach("lane", Const(room), clear_from, tir::ForKind::kVectorized);
      }
      writer_->ForEach("lane", Const(count), copy_from, tir::ForKind::kVectorized);
    }
  }

  void Store(const State& at, PrimExpr value) const {
    writer_->Store(copy_.buffer, PlaceIn(copy_, at), std::move(value));
  }

  const Nest& nest_;
  const CopyInPlace& copy_;
  int64_t lanes_;
  LoopWriter* writer_;
};

}  // namespace

CopyInPlace Allocate(const Nest& nest, const Copy& copy, const State& state, bool in_registers,
                     LoopWriter* writer) {
  const DLDataType dtype = copy.operand->dtype;
  CopyInPlace made{tir::Buffer(ffi::UnsafeInit{}), &copy, {}};
  if (in_registers) {
    if (copy.map.size() != 1) {
      TVM_FFI_THROW(ValueError) << "a copy of `" << copy.operand->name
                                << "` in registers has one index, got " << copy.map.size();
    }
    const int64_t size = tir::IntConstOf(state.Of(copy.map.back().axis).size).value_or(0);
    made.buffer = writer->Local("panel", size, dtype);
    return made;
  }
  ffi::Array<PrimExpr> shape;
  for (const CacheIndex& index : copy.map) {
    shape.push_back(SizeInMemory(nest, copy, index, &index == &copy.map.back()));
  }
  made.buffer = tir::decl_buffer(std::move(shape), dtype, nest.store->buffer->name + "_packed");
  writer->builder()->Emit(tir::AllocBuffer(made.buffer));
  return made;
}

void Fill(const Nest& nest, const CopyInPlace& copy, const State& state, int64_t lanes,
          LoopWriter* writer) {
  Filler(nest, copy, lanes, writer).From(0, state);
}

}  // namespace uir::schedule::nest
