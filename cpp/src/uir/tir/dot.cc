// Products of integers of 8 bits.
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/dot.h>
#include <uir/tir/op.h>

#include <optional>
#include <utility>

namespace uir::tir {

namespace {

using ir::PrimExpr;

void CheckOperand(const char* operand, const PrimExpr& value) {
  if (ir::ElementOf(value->dtype) == ir::IntType(32)) return;
  TVM_FFI_THROW(TypeError) << "dot4: operand `" << operand << "` must be of `int32`, got `"
                           << value->dtype << "` (" << operand << " = " << ir::describe(value)
                           << ")";
}

int32_t DotOf(int32_t sum, int32_t a, int32_t b) {
  auto bits = static_cast<uint32_t>(sum);
  for (int shift = 0; shift < 32; shift += 8) {
    const auto left = static_cast<uint8_t>(a >> shift);
    const auto right = static_cast<int8_t>(b >> shift);
    bits += static_cast<uint32_t>(left * right);
  }
  return static_cast<int32_t>(bits);
}

}  // namespace

PrimExpr dot4(PrimExpr sum, PrimExpr a, PrimExpr b, ffi::Optional<ir::Span> span) {
  CheckOperand("sum", sum);
  CheckOperand("a", a);
  CheckOperand("b", b);
  const ffi::Tuple<PrimExpr, PrimExpr> operands = match_types(std::move(a), std::move(b));
  const ffi::Tuple<PrimExpr, PrimExpr> sums = match_types(std::move(sum), operands.get<0>());
  const PrimExpr start = sums.get<0>(), left = sums.get<1>();
  const PrimExpr right = match_types(left, operands.get<1>()).get<1>();
  const std::optional<int64_t> values[] = {IntConstOf(start), IntConstOf(left), IntConstOf(right)};
  if (values[0] && values[1] && values[2]) {
    const auto folded = DotOf(static_cast<int32_t>(*values[0]), static_cast<int32_t>(*values[1]),
                              static_cast<int32_t>(*values[2]));
    return make_const(folded, start->dtype);
  }
  return call_intrin(start->dtype, "tir.dot4", {start, left, right}, std::move(span));
}

}  // namespace uir::tir
