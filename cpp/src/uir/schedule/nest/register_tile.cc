// Sums of a few elements and vectors in registers.
#include "./register_tile.h"

#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/keep_in_registers.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/transform/expr_lanes.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "../fused_product.h"
#include "./operand_copy.h"

namespace uir::schedule::nest {

namespace {

int64_t KnownSize(const Range& range, const tir::Var& axis) {
  const std::optional<int64_t> size = tir::IntConstOf(range.size);
  if (size) return *size;
  TVM_FFI_THROW(ValueError) << "sums in registers need a known number of elements of `"
                            << axis->name << "`";
  TVM_FFI_UNREACHABLE();
}

/*! \brief The number of registers of AVX2, and their size. */
constexpr int64_t kRegisters = 16;
constexpr int64_t kBitsOfRegister = 256;

class Tile {
 public:
  Tile(const Nest& nest, const State& state, LoopWriter* writer)
      : nest_(nest), state_(state), writer_(*writer) {
    const auto first = nest.loops.begin() + static_cast<int64_t>(*nest.around_registers);
    for (auto loop = first; loop + 2 != nest.loops.end(); ++loop) {
      (nest.IsSum(*loop) ? terms_ : rows_).push_back(*loop);
    }
    column_ = nest.loops.back().axis;
    lanes_ = static_cast<int>(nest.Lanes());
    const Range& columns = state.Of(column_);
    vectors_ = KnownSize(columns, column_) / lanes_;
    for (const Loop& loop : rows_) num_rows_ *= KnownSize(state.Of(loop.axis), loop.axis);
  }

  void Run() {
    for (const Copy& copy : nest_.copies) {
      if (!IsInside(copy)) continue;
      const CopyInPlace* made = state_.copies.Find(copy.operand.get());
      copies_.push_back(made == nullptr ? Allocate(nest_, copy, state_, true, &writer_) : *made);
    }
    sums_ = Registers("sums", num_rows_ * vectors_);
    Start();
    AddTerms();
    Finish();
  }

 private:
  /*! \brief Takes an element, and the number of its vector among the sums of the tile. */
  using OfRow = std::function<void(const State& at, const PrimExpr& row)>;
  using OfVector =
      std::function<void(const State& at, const PrimExpr& row, const PrimExpr& vector)>;

  PrimExpr Const(int64_t value) const { return writer_.Const(value); }
  DLDataType dtype() const { return nest_.store->buffer->dtype; }
  const Range& columns() const { return state_.Of(column_); }
  PrimExpr Zeros(int64_t lanes) const {
    return tir::make_const(0, ir::WithLanes(dtype(), static_cast<int>(lanes)));
  }

  tir::Buffer Registers(const char* name, int64_t count,
                        ffi::Map<ffi::String, ffi::Any> annotations = {}) {
    return writer_.Local(name, count, ir::WithLanes(dtype(), lanes_), std::move(annotations));
  }

  /*!
   * \brief Whether vectors should stay in registers while all rows use them.
   *
   * A C compiler may load them again for each row, and takes registers for values that other terms
   * share. With AVX2 this costs up to a third of the speed; AVX-512 has registers for all.
   */
  bool KeepsVectors() const {
    const bool fits = (num_rows_ + 1) * vectors_ + 1 <= kRegisters;
    const bool are_of_avx2 = int64_t{dtype().bits} * lanes_ == kBitsOfRegister;
    // Products of integers need registers themselves.
    return num_rows_ > 1 && ir::IsFloat(dtype()) && fits && are_of_avx2;
  }

  bool IsInside(const Copy& copy) const {
    return nest_.PlaceOf(copy.at) >= *nest_.around_registers;
  }

  /*! \brief How many vectors have columns in all lanes, as far as known. */
  int64_t WholeVectors() const {
    if (!columns().valid) return vectors_;
    const std::optional<int64_t> known = tir::IntConstOf(*columns().valid);
    return known ? *known / lanes_ : columns().full;
  }

  /*! \brief The element of a vector's first lane. */
  State AtVector(const State& at, const PrimExpr& vector) const {
    const PrimExpr first = columns().start + vector * lanes_;
    return at.With(column_, columns().Inside(first, vector, lanes_));
  }

  void ForEachRow(tir::ForKind kind, const OfRow& body) {
    const std::function<void(size_t, const State&, const PrimExpr&)> from =
        [&](size_t next, const State& at, const PrimExpr& row) {
          if (next == rows_.size()) return body(at, row);
          const tir::Var& axis = rows_[next].axis;
          const Range& range = at.Of(axis);
          const int64_t size = KnownSize(range, axis);
          writer_.ForEach(
              "row", range.size,
              [&](const PrimExpr& r) {
                from(next + 1, at.With(axis, range.Inside(range.start + r, r, 1)),
                     next == 0 ? r : row * size + r);
              },
              kind);
        };
    from(0, state_, Const(0));
  }

  void ForEachVector(int64_t vectors, const OfVector& body) {
    ForEachRow(tir::ForKind::kUnrolled, [&](const State& at, const PrimExpr& row) {
      writer_.ForEach(
          "vector", Const(vectors), [&](const PrimExpr& vector) { body(at, row, vector); },
          tir::ForKind::kUnrolled);
    });
  }

  /*! \brief Run `body` for the columns after the whole vectors, counted from there. */
  void ForEachOther(const OfVector& body) {
    const PrimExpr count = *columns().valid - WholeVectors() * lanes_;
    const bool is_known = tir::IntConstOf(count).has_value();
    const auto row_kind = is_known ? tir::ForKind::kUnrolled : tir::ForKind::kSerial;
    ForEachRow(row_kind, [&](const State& at, const PrimExpr& row) {
      writer_.ForEach(
          "column", count, [&](const PrimExpr& column) { body(at, row, column); },
          is_known ? tir::ForKind::kVectorized : tir::ForKind::kSerial);
    });
  }

  /*! \brief The indices of an element, of several where the column is a vector. */
  ffi::Array<PrimExpr> Element(const State& at, const PrimExpr& column) const {
    ffi::Array<PrimExpr> indices = nest_.store->indices;
    for (int64_t i = 0; i < static_cast<int64_t>(indices.size()); ++i) {
      indices.Set(i, indices[i].same_as(column_) ? column : at.At(indices[i]));
    }
    return indices;
  }

  PrimExpr SumOf(const PrimExpr& row, const PrimExpr& vector) const {
    return tir::BufferLoad(sums_, {row * vectors_ + vector});
  }

  /*! \brief A buffer for the vectors that are not whole. */
  tir::Buffer PartialVectors() {
    const int64_t width = (vectors_ - WholeVectors()) * lanes_;
    const tir::Buffer tile = tir::decl_buffer({Const(num_rows_), Const(width)}, dtype(),
                                              nest_.store->buffer->name + "_tile");
    writer_.builder()->Emit(tir::AllocBuffer(tile));
    return tile;
  }

  PrimExpr LanesOf(const PrimExpr& vector) const { return LanesFrom(vector * lanes_, lanes_); }
  PrimExpr ColumnsOf(const PrimExpr& vector) const {
    return LanesFrom(columns().start + vector * lanes_, lanes_);
  }

  /*! \brief Whether a condition holds for each axis of terms, which may have no loop inside. */
  PrimExpr OfAllTerms(PrimExpr Range::* condition) const {
    PrimExpr all = tir::make_const(1, ir::BoolType());
    for (const Axis& axis : nest_.axes) {
      if (axis.kind == AxisKind::kSum) all = tir::logical_and(all, state_.Of(axis.var).*condition);
    }
    return all;
  }

  void Start() {
    const PrimExpr start = AllLanes(*nest_.start, lanes_);
    const auto clear = [&] {
      writer_.ForEach(
          "vector", Const(num_rows_ * vectors_),
          [&](const PrimExpr& vector) { writer_.Store(sums_, {vector}, start); },
          tir::ForKind::kUnrolled);
    };
    const PrimExpr is_first = OfAllTerms(&Range::is_first);
    if (tir::IntConstOf(is_first) == 1) return clear();
    writer_.builder().If(is_first, clear);
    writer_.builder().Else([&] { Resume(); });
  }

  /*! \brief Load the sums of the previous block of terms. */
  void Resume() {
    const tir::Buffer& result = nest_.store->buffer;
    const int64_t whole = WholeVectors();
    const auto place = [&](const PrimExpr& row, const PrimExpr& vector) {
      return ffi::Array<PrimExpr>{row * vectors_ + vector};
    };
    ForEachVector(whole, [&](const State& at, const PrimExpr& row, const PrimExpr& vector) {
      writer_.Store(sums_, place(row, vector),
                    tir::BufferLoad(result, Element(at, ColumnsOf(vector))));
    });
    if (whole == vectors_) return;
    const tir::Buffer tile = PartialVectors();
    ForEachVector(vectors_ - whole, [&](const State&, const PrimExpr& row, const PrimExpr& vector) {
      writer_.Store(tile, {row, LanesOf(vector)}, Zeros(lanes_));
    });
    ForEachOther([&](const State& at, const PrimExpr& row, const PrimExpr& column) {
      const PrimExpr from = columns().start + whole * lanes_ + column;
      writer_.Store(tile, {row, column}, tir::BufferLoad(result, Element(at, from)));
    });
    ForEachVector(vectors_ - whole, [&](const State&, const PrimExpr& row, const PrimExpr& vector) {
      writer_.Store(sums_, place(row, vector + whole),
                    tir::BufferLoad(tile, {row, LanesOf(vector)}));
    });
  }

  void AddTerms() {
    std::vector<std::pair<const Operand*, tir::Buffer>> vectors;
    for (const Operand& operand : nest_.operands) {
      if (!IsVectors(operand)) continue;
      ffi::Map<ffi::String, ffi::Any> annotations;
      if (KeepsVectors()) annotations.Set(tir::kKeepInRegisters, true);
      vectors.emplace_back(&operand, Registers(operand.var->name.c_str(), vectors_, annotations));
    }
    ForEachTerm(0, state_, [&](const State& at) {
      for (const auto& [operand, registers] : vectors) LoadVectors(*operand, at, registers);
      ForEachRow(tir::ForKind::kUnrolled, [&](const State& row_at, const PrimExpr& row) {
        AddTerm(at, row_at, row, vectors);
      });
    });
  }

  /*! \brief Whether an operand, or its copy, has a value for each column. */
  bool IsVectors(const Operand& operand) const {
    return UsesAxis(operand, column_) ||
           std::any_of(nest_.copies.begin(), nest_.copies.end(), [&](const Copy& copy) {
             return copy.operand.same_as(operand.var) &&
                    std::any_of(copy.map.begin(), copy.map.end(), [&](const CacheIndex& index) {
                      return index.axis.same_as(column_);
                    });
           });
  }

  void ForEachTerm(size_t next, const State& at, const std::function<void(const State&)>& body) {
    if (next == terms_.size()) return body(at);
    const Loop& loop = terms_[next];
    const auto inner = [&](const Range& part) {
      State inside = at.With(loop.axis, part);
      for (CopyInPlace& copy : copies_) {
        if (nest_.PlaceOf(copy.copy->at) != *nest_.around_registers + next) continue;
        inside = Filled(copy, inside);
      }
      ForEachTerm(next + 1, inside, body);
    };
    Split(at.Of(loop.axis), loop, AxisKind::kSum, &writer_, inner);
  }

  State Filled(CopyInPlace copy, const State& at) {
    for (const CacheIndex& index : copy.copy->map) {
      copy.depths[index.axis.get()] = at.Of(index.axis).places.size();
    }
    Fill(nest_, copy, at, lanes_, &writer_);
    State made = at;
    made.copies.Set(copy.copy->operand, copy);
    return made;
  }

  void LoadVectors(const Operand& operand, const State& at, const tir::Buffer& registers) {
    const auto load = [&](const PrimExpr& vector) {
      writer_.Store(registers, {vector}, ReadLanes(operand, AtVector(at, vector), column_, lanes_));
    };
    writer_.ForEach("vector", Const(vectors_), load, tir::ForKind::kUnrolled);
  }

  /*! \brief Add a term to the sums of a row. */
  void AddTerm(const State& term, const State& row_at, const PrimExpr& row,
               const std::vector<std::pair<const Operand*, tir::Buffer>>& vectors) {
    State at = term;
    for (const Loop& loop : rows_) at = at.With(loop.axis, row_at.Of(loop.axis));
    transform::Substitution scalars;
    for (const Operand& operand : nest_.operands) {
      if (IsVectors(operand)) continue;
      const tir::Var value(operand.var->name, operand.var->dtype);
      writer_.builder()->Emit(tir::Bind(value, Read(operand, at)));
      scalars.Set(operand.var, AllLanes(value, lanes_));
    }
    const auto add = [&](const PrimExpr& vector) {
      transform::Substitution values = scalars;
      for (const auto& [operand, registers] : vectors) {
        values.Set(operand->var, tir::BufferLoad(registers, {vector}));
      }
      const PrimExpr body = transform::ExprLanes(nest_.body, values, lanes_).value();
      writer_.Store(sums_, {row * vectors_ + vector},
                    WithFusedProduct(tir::Add(SumOf(row, vector), body)));
    };
    writer_.ForEach("vector", Const(vectors_), add, tir::ForKind::kUnrolled);
  }

  /*! \brief The value that an element has for its sum. */
  using Result =
      std::function<PrimExpr(const State& at, const PrimExpr& column, const PrimExpr& sum)>;

  void Finish() {
    const auto store_sums = [&] {
      StoreResults(nest_.store->buffer,
                   [](const State&, const PrimExpr&, const PrimExpr& sum) { return sum; });
    };
    if (!nest_.epilogue) return store_sums();
    const auto store_results = [&] {
      StoreResults(nest_.epilogue->buffer,
                   [&](const State& at, const PrimExpr& column, const PrimExpr& sum) {
                     transform::Substitution values = at.Values();
                     values.erase(column_);
                     return ResultLanes(*nest_.epilogue, values, column_, column, sum);
                   });
    };
    const PrimExpr is_last = OfAllTerms(&Range::is_last);
    if (tir::IntConstOf(is_last) == 1) return store_results();
    writer_.builder().If(is_last, store_results);
    writer_.builder().Else(store_sums);
  }

  void StoreResults(const tir::Buffer& buffer, const Result& result) {
    const int64_t whole = WholeVectors();
    ForEachVector(whole, [&](const State& at, const PrimExpr& row, const PrimExpr& vector) {
      const PrimExpr lanes = ColumnsOf(vector);
      writer_.Store(buffer, Element(at, lanes), result(at, lanes, SumOf(row, vector)));
    });
    if (whole == vectors_) return;
    const tir::Buffer tile = PartialVectors();
    ForEachVector(vectors_ - whole, [&](const State&, const PrimExpr& row, const PrimExpr& vector) {
      writer_.Store(tile, {row, LanesOf(vector)}, SumOf(row, vector + whole));
    });
    ForEachOther([&](const State& at, const PrimExpr& row, const PrimExpr& column) {
      const PrimExpr place = columns().start + whole * lanes_ + column;
      writer_.Store(buffer, Element(at, place),
                    result(at, place, tir::BufferLoad(tile, {row, column})));
    });
  }

  const Nest& nest_;
  const State& state_;
  LoopWriter& writer_;
  std::vector<Loop> terms_;
  std::vector<Loop> rows_;
  tir::Var column_{ffi::UnsafeInit{}};
  int lanes_ = 1;
  int64_t vectors_ = 1;
  int64_t num_rows_ = 1;
  std::vector<CopyInPlace> copies_;
  tir::Buffer sums_{ffi::UnsafeInit{}};
};

}  // namespace

void RegisterTile(const Nest& nest, const State& state, LoopWriter* writer) {
  Tile(nest, state, writer).Run();
}

}  // namespace uir::schedule::nest
