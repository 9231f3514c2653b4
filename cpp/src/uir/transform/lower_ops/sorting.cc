// Lowering of the greatest or smallest elements along an axis.
//
// Pairs of a key and a position are collected until the buffer is full, then sorted and cut to the
// best `k`; the last of these is the bound for further elements. A row of n elements takes O(n)
// time for any `k`.
#include <uir/ir/dtype.h>
#include <uir/relay/sorting.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/bit_op.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "../../relay/shape_rule.h"
#include "./loops.h"
#include "./pair_sorter.h"

namespace uir::transform {

namespace {

/*! \brief The number of elements from which threads pay off. */
constexpr int64_t kParallelElements = 1 << 14;

/*! \brief A scalar variable for a position or a number of pairs. */
tir::Buffer LocalIndex(tir::Builder* builder, const std::string& name) {
  return LocalScalar(builder, name, ir::IntType(64));
}

/*! \brief Builds the loops of one call. */
class TopkBuilder {
 public:
  TopkBuilder(const OperatorCall& call, tir::Builder* builder,
              const std::vector<tir::Buffer>& outputs)
      : attrs_(relay::AttrsOf<relay::TopkAttrsNode>(call.call)),
        x_(call.operand(0)),
        builder_(builder),
        outputs_(outputs),
        axis_(relay::NormalizeAxis(attrs_->axis, x_.shape())),
        extent_(WideIndex(x_.shape()[static_cast<int64_t>(axis_)])),
        count_(WideIndex(call.results[0]->shape[static_cast<int64_t>(axis_)])) {}

  void Run() {
    const Indices rows = WithoutIndex(x_.shape(), axis_);
    PrimExpr num_rows = PairIndex(1);
    for (const PrimExpr& dim : rows) num_rows = tir::mul(num_rows, WideIndex(dim));
    const auto kind = IsWorthThreads(num_rows) ? tir::ForKind::kParallel : tir::ForKind::kSerial;
    const auto sort = [&](const tir::Var& row) { Row(SplitPlace(row, rows)); };
    builder_->For("row", num_rows, sort, kind);
  }

 private:
  bool IsWorthThreads(const PrimExpr& num_rows) const {
    const std::optional<int64_t> rows = ConstantIndex(num_rows);
    const std::optional<int64_t> extent = ConstantIndex(extent_);
    if (rows && *rows <= 1) return false;
    return !rows || !extent || *rows * *extent >= kParallelElements;
  }

  /*! \brief The data type of positions: 32 bits if these are known to be enough. */
  DLDataType PlaceType() const {
    const std::optional<int64_t> extent = ConstantIndex(extent_);
    const bool is_short = x_.shape()[static_cast<int64_t>(axis_)]->dtype.bits <= 32;
    const bool fits = is_short || (extent && *extent <= std::numeric_limits<int32_t>::max());
    return ir::IntType(fits ? 32 : 64);
  }

  /*!
   * \brief The capacity for pairs: the best ones, and further ones so that sorting is rare.
   *
   * Measured: insertion of few pairs is faster with a small capacity; sorting many pairs by bytes
   * is faster if it happens only once or twice per row.
   */
  PrimExpr Capacity() const {
    const PrimExpr twice = tir::mul(count_, PairIndex(2));
    const PrimExpr few = tir::max(twice, tir::add(count_, PairIndex(4)));
    const PrimExpr many = tir::sub(tir::mul(twice, PairIndex(2)), PairIndex(32));
    return tir::max(tir::min(extent_, tir::max(few, many)), PairIndex(1));
  }

  Indices At(const PrimExpr& place) const {
    Indices at = Between(outer_, 0, axis_);
    at.push_back(place);
    for (size_t i = axis_; i < outer_.size(); ++i) at.push_back(outer_[static_cast<int64_t>(i)]);
    return at;
  }

  PrimExpr KeyAt(const PrimExpr& place) const {
    const PrimExpr key = SortKey(x_.At(At(place)));
    return attrs_->largest ? tir::bitwise_not(key) : key;
  }

  void Row(const Indices& outer) {
    outer_ = outer;
    builder_->If(tir::less(PairIndex(0), count_), [&] {
      PairSorter best(builder_, ir::UIntType(x_.dtype().bits), PlaceType(), Capacity());
      Select(&best);
      builder_->For("rank", count_, [&](const tir::Var& rank) {
        const PrimExpr place = WideIndex(best.Place(rank));
        (*builder_)->Store(outputs_[0], At(rank), x_.At(At(place)));
        (*builder_)->Store(outputs_[1], At(rank), place);
      });
    });
  }

  /*! \brief Sort the first pairs. */
  void Select(PairSorter* best) {
    const tir::Buffer place = LocalIndex(builder_, "element");
    const tir::Buffer num_sorted = LocalIndex(builder_, "num_sorted");
    const tir::Buffer bound = LocalScalar(builder_, "bound", ir::UIntType(x_.dtype().bits));
    const tir::Buffer key = LocalScalar(builder_, "key_here", bound->dtype);
    best->Clear();
    StoreScalar(builder_, place, PairIndex(0));
    StoreScalar(builder_, num_sorted, PairIndex(0));
    StoreScalar(builder_, bound, ir::IntImm(bound->dtype, 0));
    builder_->While(tir::less(Load(place), extent_), [&] {
      const PrimExpr has_room = tir::less(best->Count(), Capacity());
      builder_->While(tir::logical_and(tir::less(Load(place), extent_), has_room), [&] {
        StoreScalar(builder_, key, KeyAt(Load(place)));
        // Among equal elements, the earlier one comes first, so equal keys do not pass.
        const PrimExpr passes = tir::logical_or(tir::equal(Load(num_sorted), PairIndex(0)),
                                                tir::less(Load(key), Load(bound)));
        builder_->If(passes, [&] { best->Append(Load(key), Load(place)); });
        StoreScalar(builder_, place, tir::add(Load(place), PairIndex(1)));
      });
      best->Sort(Load(num_sorted));
      best->Truncate(count_);
      StoreScalar(builder_, num_sorted, count_);
      StoreScalar(builder_, bound, best->Key(tir::sub(count_, PairIndex(1))));
    });
  }

  const relay::TopkAttrsNode* attrs_;
  const Value& x_;
  tir::Builder* builder_;
  const std::vector<tir::Buffer>& outputs_;
  size_t axis_;
  PrimExpr extent_;
  PrimExpr count_;
  /*! \brief The indices of the row, without that of the axis. */
  Indices outer_;
};

Values LowerTopk(const OperatorCall& call) {
  call.operand(0).StoreIfComputed();
  return StoreInLoops(call.Name(), call.results, [&](auto* builder, const auto& outputs) {
    TopkBuilder(call, builder, outputs).Run();
  });
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.topk", LowerTopk);

}  // namespace

}  // namespace uir::transform
