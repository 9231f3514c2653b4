// Arithmetic on indices and dimensions of kernels.
#include "./index_math.h"

#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <vector>

namespace uir::transform {

PrimExpr WideIndex(const PrimExpr& index) { return tir::cast(index, ir::IntType(64)); }

PrimExpr IndexIn(int64_t value, DLDataType dtype) { return ir::IntImm(dtype, value); }

Indices WithIndex(Indices indices, size_t axis, const PrimExpr& index) {
  indices.Set(static_cast<int64_t>(axis), index);
  return indices;
}

Value Gathered(const Value& x, const Indices& shape, std::vector<AxisPlaces> tables) {
  const auto element = [x, tables = std::move(tables)](const Indices& indices) {
    Indices places = indices;
    for (const AxisPlaces& table : tables) {
      const PrimExpr& index = indices[static_cast<int64_t>(table.axis)];
      places = WithIndex(places, table.axis, table.places.At({index}));
    }
    return x.At(places);
  };
  return Value::View(x, shape, element);
}

Indices WithoutIndex(const Indices& indices, size_t axis) {
  Indices rest = Between(indices, 0, axis);
  for (size_t i = axis + 1; i < indices.size(); ++i) {
    rest.push_back(indices[static_cast<int64_t>(i)]);
  }
  return rest;
}

Indices Between(const Indices& all, size_t begin, size_t end) {
  return Indices(all.begin() + static_cast<std::ptrdiff_t>(begin),
                 all.begin() + static_cast<std::ptrdiff_t>(end));
}

bool IsSameDimension(const PrimExpr& a, const PrimExpr& b) {
  return a.same_as(b) || (ConstantIndex(a) && ConstantIndex(a) == ConstantIndex(b));
}

PrimExpr Divisor(const PrimExpr& dimension) {
  return ConstantIndex(dimension) == 0 ? IndexIn(1, dimension->dtype) : dimension;
}

PrimExpr RowMajor(const Indices& indices, const Indices& dimensions) {
  const bool is_large = HasLargeProduct(dimensions);
  PrimExpr place = IndexIn(0, ir::IntType(32));
  for (size_t i = 0; i < indices.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const PrimExpr index = is_large ? WideIndex(indices[at]) : indices[at];
    place = i == 0 ? index : tir::add(tir::mul(place, dimensions[at]), index);
  }
  return place;
}

Indices SplitPlace(PrimExpr place, const Indices& dimensions) {
  std::vector<PrimExpr> reversed;
  for (size_t i = dimensions.size(); i-- > 0;) {
    const PrimExpr divisor = Divisor(dimensions[static_cast<int64_t>(i)]);
    reversed.push_back(i == 0 ? place : tir::floormod(place, divisor));
    if (i != 0) place = tir::floordiv(place, divisor);
  }
  return Indices(reversed.rbegin(), reversed.rend());
}

PrimExpr Chosen(const Indices& list, const PrimExpr& index) {
  PrimExpr chosen = WideIndex(list.back());
  for (size_t i = list.size() - 1; i-- > 0;) {
    const auto at = static_cast<int64_t>(i);
    const PrimExpr is_here = tir::equal(index, IndexIn(at, index->dtype));
    chosen = tir::select(is_here, WideIndex(list[at]), chosen);
  }
  return chosen;
}

PrimExpr IsWithin(const PrimExpr& index, const PrimExpr& low, const PrimExpr& high) {
  return tir::logical_and(tir::less_equal(low, index), tir::less(index, high));
}

PrimExpr CeilDiv(const PrimExpr& a, int64_t b) {
  return tir::floordiv(tir::add(a, IndexIn(b - 1, a->dtype)), IndexIn(b, a->dtype));
}

}  // namespace uir::transform
