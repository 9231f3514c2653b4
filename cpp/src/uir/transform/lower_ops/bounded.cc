// Lowering of operators that store some rows and count them: indices of elements that are not 0,
// and boxes that others do not suppress.
#include <uir/ir/dtype.h>
#include <uir/relay/bounded.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/bit_op.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <array>
#include <string>
#include <vector>

#include "../../relay/shape_rule.h"
#include "./loops.h"
#include "./pair_sorter.h"

namespace uir::transform {

namespace {

/*! \brief Rows of indices that are appended, and their number. */
class RowWriter {
 public:
  RowWriter(tir::Builder* builder, const std::vector<tir::Buffer>& outputs)
      : builder_(builder),
        rows_(outputs[0]),
        result_(outputs[1]),
        count_(LocalScalar(builder, "num_rows", ir::IntType(64))) {
    StoreScalar(builder_, count_, PairIndex(0));
  }

  PrimExpr Count() const { return Load(count_); }
  PrimExpr At(const PrimExpr& row, int64_t column) const {
    return tir::BufferLoad(rows_, {row, PairIndex(column)});
  }

  void Append(const Indices& row) {
    for (size_t i = 0; i < row.size(); ++i) {
      const PrimExpr column = PairIndex(static_cast<int64_t>(i));
      (*builder_)->Store(rows_, {Count(), column}, WideIndex(row[static_cast<int64_t>(i)]));
    }
    StoreScalar(builder_, count_, tir::add(Count(), PairIndex(1)));
  }

  /*! \brief Store the number of rows, and 0 in the others. */
  void Finish() {
    (*builder_)->Store(result_, {}, Count());
    const PrimExpr rest = tir::sub(WideIndex(rows_->shape[0]), Count());
    InLoops(builder_, {rest, rows_->shape[1]}, [&](const Indices& at) {
      (*builder_)->Store(rows_, {tir::add(Count(), at[0]), at[1]}, PairIndex(0));
    });
  }

 private:
  tir::Builder* builder_;
  tir::Buffer rows_;
  tir::Buffer result_;
  tir::Buffer count_;
};

Values LowerNonzero(const OperatorCall& call) {
  const Value& x = call.operand(0);
  return StoreInLoops(call.Name(), call.results, [&](tir::Builder* builder, const auto& outputs) {
    RowWriter rows(builder, outputs);
    InLoops(builder, x.shape(), [&](const Indices& at) {
      const PrimExpr element = x.At(at);
      const bool is_bool = ir::IsBool(x.dtype());
      const PrimExpr zero = tir::make_const(0, x.dtype());
      const PrimExpr counts = is_bool ? element : tir::not_equal(element, zero);
      builder->If(counts, [&] { rows.Append(at); });
    });
    rows.Finish();
  });
}

/*! \brief The least or greatest coordinates of a box, and its area. */
struct Box {
  std::array<tir::Var, 2> low;
  std::array<tir::Var, 2> high;
  tir::Var area;
};

/*! \brief Builds the loops of one call. */
class BoxSelection {
 public:
  BoxSelection(const OperatorCall& call, tir::Builder* builder,
               const std::vector<tir::Buffer>& outputs)
      : call_(call),
        attrs_(relay::AttrsOf<relay::NonMaxSuppressionAttrsNode>(call.call)),
        builder_(builder),
        rows_(builder, outputs) {}

  void Run() {
    InLoops(builder_, {Dim(kScores, 0), Dim(kScores, 1)}, [&](const Indices& at) { Class(at); });
    rows_.Finish();
  }

 private:
  enum Operands : size_t { kBoxes, kScores, kIouThreshold, kScoreThreshold };

  PrimExpr Dim(size_t operand, int64_t axis) const {
    return WideIndex(call_.operand(operand).shape()[axis]);
  }

  PrimExpr Element(size_t operand, const Indices& at) const {
    return WideElement(call_.operand(operand), at);
  }

  tir::Var Bind(const std::string& name, const PrimExpr& value) {
    return BindValue(builder_, name, value);
  }

  /*! \brief Select boxes of a class of an image. */
  void Class(const Indices& at) {
    const PrimExpr num_boxes = Dim(kScores, 2);
    const DLDataType key = ir::UIntType(call_.operand(kScores).dtype().bits);
    PairSorter sorter(builder_, key, ir::IntType(64), tir::max(num_boxes, PairIndex(1)));
    sorter.Clear();
    builder_->For("box", num_boxes, [&](const tir::Var& box) {
      const Indices place = {at[0], at[1], box};
      const PrimExpr rank = tir::bitwise_not(SortKey(call_.operand(kScores).At(place)));
      if (!call_.Has(kScoreThreshold)) return sorter.Append(rank, box);
      const PrimExpr passes = tir::less(Element(kScoreThreshold, {}), Element(kScores, place));
      builder_->If(passes, [&] { sorter.Append(rank, box); });
    });
    sorter.Sort(PairIndex(0));
    Select(at, sorter);
  }

  void Select(const Indices& at, const PairSorter& sorter) {
    const tir::Var first = Bind("first_row", rows_.Count());
    const tir::Buffer rank = LocalScalar(builder_, "rank", ir::IntType(64));
    StoreScalar(builder_, rank, PairIndex(0));
    const PrimExpr num_selected = tir::sub(rows_.Count(), first);
    const PrimExpr goes_on =
        tir::logical_and(tir::less(Load(rank), sorter.Count()),
                         tir::less(num_selected, PairIndex(attrs_->max_output)));
    builder_->While(goes_on, [&] {
      const tir::Var place = Bind("place", WideIndex(sorter.Place(Load(rank))));
      const tir::Buffer is_apart = LocalScalar(builder_, "is_apart", ir::BoolType());
      FindOverlap(at[0], place, first, is_apart);
      builder_->If(Load(is_apart), [&] { rows_.Append({at[0], at[1], place}); });
      StoreScalar(builder_, rank, tir::add(Load(rank), PairIndex(1)));
    });
  }

  /*! \brief Store whether a box overlaps none of those in rows from `first` on. */
  void FindOverlap(const PrimExpr& image, const PrimExpr& place, const PrimExpr& first,
                   const tir::Buffer& is_apart) {
    const Box box = BoxAt(image, place);
    const tir::Buffer row = LocalScalar(builder_, "row", ir::IntType(64));
    StoreScalar(builder_, row, first);
    StoreScalar(builder_, is_apart, tir::make_const(1, ir::BoolType()));
    const PrimExpr goes_on = tir::logical_and(Load(is_apart), tir::less(Load(row), rows_.Count()));
    builder_->While(goes_on, [&] {
      const Box other = BoxAt(image, rows_.At(Load(row), 2));
      StoreScalar(builder_, is_apart, tir::logical_not(Overlap(box, other)));
      StoreScalar(builder_, row, tir::add(Load(row), PairIndex(1)));
    });
  }

  Box BoxAt(const PrimExpr& image, const PrimExpr& place) {
    const auto part = [&](int64_t index) {
      return Element(kBoxes, {image, place, PairIndex(index)});
    };
    const auto low = [&](int64_t axis) {
      if (!attrs_->center_point_box) return tir::min(part(axis), part(axis + 2));
      return tir::sub(part(axis), Half(part(axis + 2)));
    };
    const auto high = [&](int64_t axis) {
      if (!attrs_->center_point_box) return tir::max(part(axis), part(axis + 2));
      return tir::add(part(axis), Half(part(axis + 2)));
    };
    const std::array<tir::Var, 2> lows = {Bind("low", low(0)), Bind("low", low(1))};
    const std::array<tir::Var, 2> highs = {Bind("high", high(0)), Bind("high", high(1))};
    const PrimExpr area = tir::mul(tir::sub(highs[1], lows[1]), tir::sub(highs[0], lows[0]));
    return {lows, highs, Bind("area", area)};
  }

  static PrimExpr Half(const PrimExpr& x) { return tir::div(x, tir::make_const(2, x->dtype)); }

  /*! \brief Whether the intersection over union of two boxes exceeds the threshold. */
  PrimExpr Overlap(const Box& a, const Box& b) {
    const auto extent = [&](size_t axis) {
      const PrimExpr end = tir::min(a.high[axis], b.high[axis]);
      return Bind("extent", tir::sub(end, tir::max(a.low[axis], b.low[axis])));
    };
    const tir::Var height = extent(0);
    const tir::Var width = extent(1);
    const tir::Var common = Bind("common", tir::mul(width, height));
    const tir::Var united = Bind("united", tir::sub(tir::add(a.area, b.area), common));
    const PrimExpr zero = tir::make_const(0, common->dtype);
    const tir::Var ratio = Bind("ratio", tir::div(common, united));
    PrimExpr overlaps = tir::less(Element(kIouThreshold, {}), ratio);
    for (const tir::Var& positive : {height, width, common, a.area, b.area, united}) {
      overlaps = tir::logical_and(overlaps, tir::less(zero, positive));
    }
    return overlaps;
  }

  const OperatorCall& call_;
  const relay::NonMaxSuppressionAttrsNode* attrs_;
  tir::Builder* builder_;
  RowWriter rows_;
};

Values LowerNonMaxSuppression(const OperatorCall& call) {
  for (const Values& operand : call.operands) {
    for (const Value& value : operand) value.StoreIfComputed();
  }
  return StoreInLoops(call.Name(), call.results, [&](auto* builder, const auto& outputs) {
    BoxSelection(call, builder, outputs).Run();
  });
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.nonzero", LowerNonzero);
UIR_TRANSFORM_REGISTER_LOWERING("relay.non_max_suppression", LowerNonMaxSuppression);

}  // namespace

}  // namespace uir::transform
