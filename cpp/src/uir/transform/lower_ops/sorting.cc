// Lowering of the greatest, or smallest, elements along an axis.
#include <uir/ir/dtype.h>
#include <uir/relay/sorting.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>
#include <uir/tir/rounding.h>

#include "../../relay/shape_rule.h"
#include "./loops.h"

namespace uir::transform {

namespace {

/*! \brief Whether an element is greater than another one; NaN is greater than numbers. */
PrimExpr IsGreater(const PrimExpr& a, const PrimExpr& b) {
  const PrimExpr is_greater = tir::less(b, a);
  if (!ir::IsFloat(a->dtype)) return is_greater;
  return tir::logical_or(is_greater,
                         tir::logical_and(tir::isnan(a), tir::logical_not(tir::isnan(b))));
}

/*! \brief Selects elements of one row after each other, the best of those that are left. */
class RowSelector {
 public:
  RowSelector(const Value& x, size_t axis, const Indices& outer, bool is_largest)
      : x_(x), axis_(axis), outer_(outer), is_largest_(is_largest) {}

  Indices At(const PrimExpr& place) const {
    Indices at = Between(outer_, 0, axis_);
    at.push_back(place);
    for (size_t i = axis_; i < outer_.size(); ++i) at.push_back(outer_[static_cast<int64_t>(i)]);
    return at;
  }

  /*! \brief Whether one place comes before another; of equal elements the lower place does. */
  PrimExpr IsBefore(const PrimExpr& a, const PrimExpr& b) const {
    const PrimExpr left = x_.At(At(a));
    const PrimExpr right = x_.At(At(b));
    const PrimExpr is_before = is_largest_ ? IsGreater(left, right) : IsGreater(right, left);
    const PrimExpr is_behind = is_largest_ ? IsGreater(right, left) : IsGreater(left, right);
    return tir::logical_or(is_before,
                           tir::logical_and(tir::logical_not(is_behind), tir::less(a, b)));
  }

 private:
  const Value& x_;
  size_t axis_;
  const Indices& outer_;
  bool is_largest_;
};

/*!
 * \brief By selection: each element of the result is the first in order of those behind the last.
 *
 * That takes `k` passes over a row, and no memory.
 */
Values LowerTopk(const OperatorCall& call) {
  const Value& x = call.operand(0);
  x.StoreIfComputed();
  const auto* attrs = relay::AttrsOf<relay::TopkAttrsNode>(call.call);
  const size_t axis = relay::NormalizeAxis(attrs->axis, x.shape());
  const DLDataType int64 = ir::IntType(64);
  const PrimExpr zero = IndexIn(0, int64);
  const Indices only = {IndexIn(0, ir::IntType(32))};
  const PrimExpr count = WideIndex(call.results[0]->shape[static_cast<int64_t>(axis)]);
  const PrimExpr extent = WideIndex(x.shape()[static_cast<int64_t>(axis)]);
  return StoreInLoops(call.Name(), call.results, [&](auto* builder, const auto& outputs) {
    const tir::Buffer last = LocalScalar(builder, "last", int64);
    const tir::Buffer best = LocalScalar(builder, "best", int64);
    const auto is_none = [&](const tir::Buffer& place) { return tir::less(Load(place), zero); };
    // Where there is no place yet, the first one is read, and does not count.
    const auto some = [&](const tir::Buffer& place) { return tir::max(Load(place), zero); };
    InLoops(builder, WithoutIndex(x.shape(), axis), [&](const Indices& outer) {
      const RowSelector row(x, axis, outer, attrs->largest);
      (*builder)->Store(last, only, IndexIn(-1, int64));
      builder->For("rank", count, [&](const tir::Var& rank) {
        (*builder)->Store(best, only, IndexIn(-1, int64));
        builder->For("place", extent, [&](const tir::Var& place) {
          const PrimExpr is_left = tir::logical_or(is_none(last), row.IsBefore(some(last), place));
          const PrimExpr is_best = tir::logical_or(is_none(best), row.IsBefore(place, some(best)));
          builder->If(tir::logical_and(is_left, is_best),
                      [&] { (*builder)->Store(best, only, place); });
        });
        (*builder)->Store(last, only, Load(best));
        (*builder)->Store(outputs[0], row.At(rank), x.At(row.At(some(best))));
        (*builder)->Store(outputs[1], row.At(rank), Load(best));
      });
    });
  });
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.topk", LowerTopk);

}  // namespace

}  // namespace uir::transform
