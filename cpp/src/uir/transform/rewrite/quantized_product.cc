// Products of bytes, and the sums of rows and columns that zero points multiply.
#include "./quantized_product.h"

#include <uir/ir/dtype.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/arithmetic.h>
#include <uir/relay/call.h>
#include <uir/relay/contraction.h>
#include <uir/relay/creation.h>
#include <uir/relay/logic.h>
#include <uir/relay/reduction.h>
#include <uir/relay/rounding.h>
#include <uir/relay/slice.h>

#include "../../relay/shape_rule.h"
#include "../analysis/tensor_type_of.h"

namespace uir::transform {

namespace {

using ir::RelayExpr;
using Counts = ffi::Array<relay::Extent>;

/*! \brief The place of the axis of the terms, from the end. */
constexpr int64_t kTermsOfRows = 1;
constexpr int64_t kTermsOfColumns = 2;

bool HasUnsigned(const RelayExpr& values) { return TensorTypeOf(values)->dtype.code == kDLUInt; }

RelayExpr InInt32(const RelayExpr& values, const EmitValue& emit) {
  return emit(relay::cast(values, ir::IntType(32)), "wide");
}

/*! \brief The same differences, of values that are 128 more or less. */
Difference WithOtherSign(const Difference& side, const EmitValue& emit) {
  const bool is_unsigned = HasUnsigned(side.values);
  const RelayExpr high = relay::as_operand(is_unsigned ? 128 : -128, side.values);
  const RelayExpr flipped = emit(relay::bitwise_xor(side.values, high), "flipped");
  const DLDataType dtype = is_unsigned ? ir::IntType(8) : ir::UIntType(8);
  const RelayExpr values = emit(relay::cast(flipped, dtype), "moved");
  const RelayExpr by = relay::as_operand(is_unsigned ? -128 : 128, InInt32(values, emit));
  if (!side.zero.has_value()) return {values, by, side.is_constant};
  return {values, emit(relay::add(side.zero.value(), by), "zero"), side.is_constant};
}

/*! \brief Values with zeros behind the terms, up to whole groups. */
RelayExpr InWholeGroups(const RelayExpr& values, int64_t from_end, int64_t terms,
                        const EmitValue& emit) {
  if (terms % kGroup == 0) return values;
  const RelayExpr padded = relay::pad(values, Counts{int64_t{0}}, Counts{kGroup - terms % kGroup},
                                      "constant", std::nullopt, ffi::Array<int64_t>{-from_end});
  return emit(padded, "padded");
}

/*!
 * \brief The sums of values over the terms.
 *
 * Those of weights are a product with ones. Weights as int32 would be too large for `FoldConstant`.
 */
RelayExpr Totals(const Difference& side, int64_t from_end, int64_t terms, const EmitValue& emit) {
  if (!side.is_constant) {
    const RelayExpr wide = InInt32(side.values, emit);
    return emit(relay::sum(wide, ffi::Array<int64_t>{-from_end}, /*keepdims=*/true), "totals");
  }
  const bool is_of_rows = from_end == kTermsOfRows;
  const Counts shape = is_of_rows ? Counts{terms, int64_t{1}} : Counts{int64_t{1}, terms};
  const RelayExpr ones = emit(relay::full(relay::as_operand(1, side.values), shape), "ones");
  const RelayExpr totals = is_of_rows ? relay::integer_matmul(side.values, ones)
                                      : relay::integer_matmul(ones, side.values);
  return emit(totals, "totals");
}

/*! \brief A product without the part that multiplies a zero point. */
RelayExpr Less(const RelayExpr& sums, const RelayExpr& zero, const RelayExpr& factor,
               const EmitValue& emit) {
  return emit(relay::subtract(sums, emit(relay::multiply(zero, factor), "part")), "sums");
}

}  // namespace

void MakeSignsDiffer(Difference* left, Difference* right, const EmitValue& emit) {
  if (HasUnsigned(left->values) != HasUnsigned(right->values)) return;
  // The zero point of weights of uint8, which is 128 most often, becomes 0. Values of int8 have 0.
  const bool is_left_moved = HasUnsigned(left->values) == left->is_constant;
  Difference* moved = is_left_moved ? left : right;
  *moved = WithOtherSign(*moved, emit);
}

RelayExpr TotalsOfRows(const Difference& rows, int64_t terms, const EmitValue& emit) {
  return Totals(rows, kTermsOfRows, terms, emit);
}

RelayExpr SumsOfDifferences(RelayExpr sums, const Difference& left, const Difference& right,
                            int64_t terms, const MakeTotals& of_left, const MakeTotals& of_right,
                            const EmitValue& emit) {
  if (right.zero.has_value()) {
    RelayExpr totals = of_left();
    if (left.zero.has_value()) {
      totals = Less(totals, left.zero.value(), relay::as_operand(terms, totals), emit);
    }
    sums = Less(sums, right.zero.value(), totals, emit);
  }
  if (left.zero.has_value()) sums = Less(sums, left.zero.value(), of_right(), emit);
  return sums;
}

RelayExpr ProductOf(const Difference& left, const Difference& right, int64_t terms,
                    const EmitValue& emit) {
  const RelayExpr a = InWholeGroups(left.values, kTermsOfRows, terms, emit);
  const RelayExpr b = InWholeGroups(right.values, kTermsOfColumns, terms, emit);
  const RelayExpr sums = emit(relay::integer_matmul(a, b), "products");
  const auto of_left = [&] { return TotalsOfRows(left, terms, emit); };
  const auto of_right = [&] { return Totals(right, kTermsOfColumns, terms, emit); };
  return SumsOfDifferences(sums, left, right, terms, of_left, of_right, emit);
}

}  // namespace uir::transform
