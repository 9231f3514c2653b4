// Products of bytes, and the sums of rows and columns that zero points multiply.
#include "./quantized_product.h"

#include <uir/ir/dtype.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/arithmetic.h>
#include <uir/relay/call.h>
#include <uir/relay/contraction.h>
#include <uir/relay/logic.h>
#include <uir/relay/reduction.h>
#include <uir/relay/rounding.h>
#include <uir/relay/slice.h>

#include "../analysis/tensor_type_of.h"

namespace uir::transform {

namespace {

using ir::RelayExpr;

/*! \brief Instructions add up so many terms. */
constexpr int64_t kGroup = 4;

/*! \brief The place of the axis of the terms, from the end. */
constexpr int64_t kTermsOfRows = 1;
constexpr int64_t kTermsOfColumns = 2;

RelayExpr InInt32(const RelayExpr& values, const EmitValue& emit) {
  return emit(relay::cast(values, ir::IntType(32)), "wide");
}

RelayExpr Centered(const Difference& side, const EmitValue& emit) {
  const RelayExpr wide = InInt32(side.values, emit);
  if (!side.zero.has_value()) return wide;
  return emit(relay::subtract(wide, side.zero.value()), "centered");
}

/*! \brief The same differences, of values that are 128 more or less. */
Difference WithOtherSign(const Difference& side, const EmitValue& emit) {
  const bool is_unsigned = IsUnsigned(side.values);
  const RelayExpr high = relay::as_operand(is_unsigned ? 128 : -128, side.values);
  const RelayExpr flipped = emit(relay::bitwise_xor(side.values, high), "flipped");
  const DLDataType dtype = is_unsigned ? ir::IntType(8) : ir::UIntType(8);
  const RelayExpr values = emit(relay::cast(flipped, dtype), "moved");
  const RelayExpr by = relay::as_operand(is_unsigned ? -128 : 128, InInt32(values, emit));
  if (!side.zero.has_value()) return {values, by};
  return {values, emit(relay::add(side.zero.value(), by), "zero")};
}

/*! \brief Values with zeros behind the terms, up to whole groups. */
RelayExpr InWholeGroups(const RelayExpr& values, int64_t from_end, int64_t terms,
                        const EmitValue& emit) {
  if (terms % kGroup == 0) return values;
  using Sizes = ffi::Array<ffi::Variant<int64_t, ir::PrimExpr>>;
  const RelayExpr padded = relay::pad(values, Sizes{int64_t{0}}, Sizes{kGroup - terms % kGroup},
                                      "constant", std::nullopt, ffi::Array<int64_t>{-from_end});
  return emit(padded, "padded");
}

/*! \brief Sums without the part that a zero point of one factor multiplies in the other one. */
RelayExpr Less(const RelayExpr& sums, const RelayExpr& zero, const RelayExpr& others,
               int64_t from_end, const EmitValue& emit) {
  const RelayExpr totals =
      emit(relay::sum(others, ffi::Array<int64_t>{-from_end}, /*keepdims=*/true), "totals");
  const RelayExpr part = emit(relay::multiply(zero, totals), "part");
  return emit(relay::subtract(sums, part), "sums");
}

}  // namespace

bool IsUnsigned(const RelayExpr& values) { return TensorTypeOf(values)->dtype.code == kDLUInt; }

void MakeSignsDiffer(Difference* left, Difference* right, bool is_left_constant,
                     const EmitValue& emit) {
  if (IsUnsigned(left->values) != IsUnsigned(right->values)) return;
  // The zero point of weights of uint8, which is 128 most often, becomes 0. Values of int8 have 0.
  const bool is_left_moved = IsUnsigned(left->values) == is_left_constant;
  Difference* moved = is_left_moved ? left : right;
  *moved = WithOtherSign(*moved, emit);
}

RelayExpr ProductOf(const Difference& left, const Difference& right, int64_t terms,
                    const EmitValue& emit) {
  const RelayExpr a = InWholeGroups(left.values, kTermsOfRows, terms, emit);
  const RelayExpr b = InWholeGroups(right.values, kTermsOfColumns, terms, emit);
  RelayExpr sums = emit(relay::integer_matmul(a, b), "products");
  if (right.zero.has_value()) {
    sums = Less(sums, right.zero.value(), Centered(left, emit), kTermsOfRows, emit);
  }
  if (left.zero.has_value()) {
    sums = Less(sums, left.zero.value(), InInt32(right.values, emit), kTermsOfColumns, emit);
  }
  return sums;
}

}  // namespace uir::transform
