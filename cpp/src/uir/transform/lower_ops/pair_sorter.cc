// Loops that sort pairs of a key and a position.
#include "./pair_sorter.h"

#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/bit_op.h>
#include <uir/tir/call.h>
#include <uir/tir/limits.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <utility>

#include "./loops.h"

namespace uir::transform {

namespace {

constexpr int64_t kDigitBits = 8;
constexpr int64_t kNumDigits = 1 << kDigitBits;
/*! \brief The number of leading bytes by which long keys are sorted first. */
constexpr int64_t kLeadingBytes = 4;
constexpr DLDataType kPairIndex = ir::IntType(64);

/*! \brief The bits of infinity in a floating-point type. */
int64_t InfinityBits(DLDataType dtype) {
  const int mantissa = dtype.code == kDLBfloat ? 7
                       : dtype.bits == 16      ? 10
                       : dtype.bits == 32      ? 23
                                               : 52;
  return ir::MaxValue(ir::IntType(dtype.bits)) >> mantissa << mantissa;
}

/*! \brief A signed integer of the same width with the order of the floating-point number. */
PrimExpr OrderedFloat(const PrimExpr& element) {
  const DLDataType dtype = ir::IntType(element->dtype.bits);
  const PrimExpr zero = ir::IntImm(dtype, 0);
  const PrimExpr bits = tir::reinterpret(element, dtype);
  const PrimExpr magnitude = tir::bitwise_and(bits, tir::max_value(dtype));
  const PrimExpr is_nan = tir::less(ir::IntImm(dtype, InfinityBits(element->dtype)), magnitude);
  const PrimExpr number = tir::select(tir::less(bits, zero), tir::sub(zero, magnitude), magnitude);
  return tir::select(is_nan, tir::max_value(dtype), number);
}

}  // namespace

PrimExpr PairIndex(int64_t value) { return IndexIn(value, kPairIndex); }

PrimExpr SortKey(const PrimExpr& element) {
  const DLDataType dtype = element->dtype;
  if (dtype.code == kDLUInt) return element;
  const PrimExpr ordered = ir::IsFloat(dtype) ? OrderedFloat(element) : element;
  const PrimExpr flipped = tir::bitwise_xor(ordered, tir::min_value(ordered->dtype));
  return tir::reinterpret(flipped, ir::UIntType(dtype.bits));
}

PairSorter::PairSorter(tir::Builder* builder, DLDataType key, DLDataType place, PrimExpr capacity)
    : builder_(builder),
      capacity_(std::move(capacity)),
      num_bytes_(key.bits / kDigitBits),
      keys_(Allocate("keys", key, tir::mul(capacity_, PairIndex(2)))),
      places_(Allocate("places", place, tir::mul(capacity_, PairIndex(2)))),
      digits_(Allocate("digits", place, PairIndex(num_bytes_ * kNumDigits))),
      count_(LocalScalar(builder, "count", kPairIndex)),
      begin_(LocalScalar(builder, "begin", kPairIndex)),
      key_(LocalScalar(builder, "key", key)),
      place_(LocalScalar(builder, "place", place)),
      at_(LocalScalar(builder, "at", kPairIndex)),
      first_byte_(LocalScalar(builder, "first_byte", kPairIndex)) {}

tir::Buffer PairSorter::Allocate(const std::string& name, DLDataType dtype,
                                 const PrimExpr& extent) {
  const tir::Buffer buffer = tir::decl_buffer({extent}, dtype, name);
  (*builder_)->Emit(tir::AllocBuffer(buffer));
  return buffer;
}

PrimExpr PairSorter::Count() const { return Load(count_); }

PrimExpr PairSorter::Key(const PrimExpr& rank) const {
  return tir::BufferLoad(keys_, {tir::add(Load(begin_), rank)});
}

PrimExpr PairSorter::Place(const PrimExpr& rank) const {
  return tir::BufferLoad(places_, {tir::add(Load(begin_), rank)});
}

void PairSorter::Clear() {
  StoreScalar(builder_, count_, PairIndex(0));
  StoreScalar(builder_, begin_, PairIndex(0));
}

void PairSorter::SetPair(const PrimExpr& at, const PrimExpr& key, const PrimExpr& place) {
  (*builder_)->Store(keys_, {at}, key);
  (*builder_)->Store(places_, {at}, place);
}

void PairSorter::Append(const PrimExpr& key, const PrimExpr& place) {
  SetPair(tir::add(Load(begin_), Count()), key, place);
  StoreScalar(builder_, count_, tir::add(Count(), PairIndex(1)));
}

void PairSorter::Truncate(const PrimExpr& count) {
  StoreScalar(builder_, count_, tir::min(Count(), count));
}

void PairSorter::Sort(const PrimExpr& num_sorted) {
  builder_->If(IsFew(num_sorted), [&] { InsertRest(num_sorted); });
  builder_->Else([&] { SortByBytes(); });
}

/*!
 * \brief Whether to insert the rest takes less time than to look at each byte of all keys.
 *
 * Measured: the moves of pairs that take as long as a pass over all digits of a byte.
 */
PrimExpr PairSorter::IsFew(const PrimExpr& num_sorted) const {
  constexpr int64_t kMovesPerByte = 500;
  const PrimExpr moves = tir::mul(tir::sub(Count(), num_sorted), Count());
  return tir::less_equal(moves, PairIndex(kMovesPerByte * num_bytes_));
}

void PairSorter::InsertRest(const PrimExpr& num_sorted) {
  const tir::Var next("next", kPairIndex);
  const auto loop = (*builder_)->EnterFor(next, num_sorted, tir::sub(Count(), num_sorted));
  builder_->Within(loop, [&] {
    StoreScalar(builder_, key_, Key(next));
    StoreScalar(builder_, place_, Place(next));
    StoreScalar(builder_, at_, tir::add(Load(begin_), next));
    const PrimExpr before = tir::sub(Load(at_), PairIndex(1));
    const PrimExpr key_before = tir::BufferLoad(keys_, {before});
    const PrimExpr is_behind =
        tir::logical_and(tir::less(Load(begin_), Load(at_)), tir::less(Load(key_), key_before));
    builder_->While(is_behind, [&] {
      SetPair(Load(at_), key_before, tir::BufferLoad(places_, {before}));
      StoreScalar(builder_, at_, before);
    });
    SetPair(Load(at_), Load(key_), Load(place_));
  });
}

PrimExpr PairSorter::Digit(const PrimExpr& key, const PrimExpr& byte) const {
  PrimExpr digit = key;
  if (num_bytes_ > 1) {
    const PrimExpr shift = tir::mul(byte, PairIndex(kDigitBits));
    digit = tir::bitwise_and(tir::right_shift(key, tir::cast(shift, key->dtype)),
                             ir::IntImm(key->dtype, kNumDigits - 1));
  }
  return tir::add(tir::mul(byte, PairIndex(kNumDigits)), WideIndex(digit));
}

/*!
 * \brief Sort by all bytes; sort long keys by their leading bytes first, which often suffices.
 *
 * If that leaves few pairs out of order, as for random keys, these are inserted at their places.
 * Otherwise all bytes are sorted, which keeps the order of equal keys.
 */
void PairSorter::SortByBytes() {
  if (num_bytes_ <= kLeadingBytes) {
    ClearDigits();
    CountDigits(0, num_bytes_);
    SortFrom(PairIndex(0));
    return;
  }
  StoreScalar(builder_, first_byte_, PairIndex(num_bytes_ - kLeadingBytes));
  builder_->While(tir::less_equal(PairIndex(0), Load(first_byte_)), [&] {
    ClearDigits();
    CountDigits(num_bytes_ - kLeadingBytes, num_bytes_);
    builder_->If(tir::equal(Load(first_byte_), PairIndex(0)),
                 [&] { CountDigits(0, num_bytes_ - kLeadingBytes); });
    SortFrom(Load(first_byte_));
    StoreScalar(builder_, first_byte_, tir::sub(Load(first_byte_), PairIndex(kLeadingBytes)));
    CountDescents();
    const PrimExpr most = tir::add(tir::right_shift(Count(), PairIndex(13)), PairIndex(16));
    builder_->If(tir::less_equal(Load(at_), most), [&] {
      StoreScalar(builder_, first_byte_, PairIndex(-1));
      builder_->If(tir::less(PairIndex(0), Load(at_)), [&] { InsertRest(PairIndex(0)); });
    });
  });
}

/*! \brief Count in `at_` the pairs with a key less than the previous one. */
void PairSorter::CountDescents() {
  StoreScalar(builder_, at_, PairIndex(0));
  builder_->For("rank", tir::sub(Count(), PairIndex(1)), [&](const tir::Var& rank) {
    const PrimExpr descends = tir::less(Key(tir::add(rank, PairIndex(1))), Key(rank));
    StoreScalar(builder_, at_, tir::add(Load(at_), tir::cast(descends, kPairIndex)));
  });
}

/*! \brief Sort by each byte, from a given one to the leading one. */
void PairSorter::SortFrom(const PrimExpr& first_byte) {
  const tir::Var byte("byte", kPairIndex);
  const PrimExpr extent = tir::sub(PairIndex(num_bytes_), first_byte);
  builder_->Within((*builder_)->EnterFor(byte, first_byte, extent), [&] {
    const PrimExpr first = tir::BufferLoad(digits_, {Digit(Key(PairIndex(0)), byte)});
    // Skip a byte that is the same in all keys.
    builder_->If(tir::not_equal(WideIndex(first), Count()), [&] { SortByByte(byte); });
  });
}

void PairSorter::ClearDigits() {
  builder_->For("digit", PairIndex(num_bytes_ * kNumDigits), [&](const tir::Var& digit) {
    (*builder_)->Store(digits_, {digit}, ir::IntImm(digits_->dtype, 0));
  });
}

/*! \brief Count the pairs for each value of some bytes. */
void PairSorter::CountDigits(int64_t first_byte, int64_t end_byte) {
  builder_->For("rank", Count(), [&](const tir::Var& rank) {
    StoreScalar(builder_, key_, Key(rank));
    for (int64_t byte = first_byte; byte < end_byte; ++byte) {
      const PrimExpr digit = Digit(Load(key_), PairIndex(byte));
      const PrimExpr count = tir::BufferLoad(digits_, {digit});
      (*builder_)->Store(digits_, {digit}, tir::add(count, ir::IntImm(count->dtype, 1)));
    }
  });
}

/*! \brief Replace the numbers of pairs by their prefix sums, the positions of the first pairs. */
void PairSorter::StartsOfDigits(const PrimExpr& byte) {
  StoreScalar(builder_, place_, ir::IntImm(digits_->dtype, 0));
  builder_->For("digit", PairIndex(kNumDigits), [&](const tir::Var& digit) {
    const PrimExpr at = tir::add(tir::mul(byte, PairIndex(kNumDigits)), digit);
    const PrimExpr count = tir::BufferLoad(digits_, {at});
    StoreScalar(builder_, at_, WideIndex(count));
    (*builder_)->Store(digits_, {at}, Load(place_));
    StoreScalar(builder_, place_, tir::add(Load(place_), tir::cast(Load(at_), place_->dtype)));
  });
}

void PairSorter::SortByByte(const PrimExpr& byte) {
  StartsOfDigits(byte);
  const PrimExpr other = tir::sub(capacity_, Load(begin_));
  builder_->For("rank", Count(), [&](const tir::Var& rank) {
    StoreScalar(builder_, key_, Key(rank));
    const PrimExpr digit = Digit(Load(key_), byte);
    const PrimExpr start = tir::BufferLoad(digits_, {digit});
    StoreScalar(builder_, at_, WideIndex(start));
    (*builder_)->Store(digits_, {digit},
                       tir::cast(tir::add(Load(at_), PairIndex(1)), digits_->dtype));
    SetPair(tir::add(other, Load(at_)), Load(key_), Place(rank));
  });
  StoreScalar(builder_, begin_, other);
}

}  // namespace uir::transform
