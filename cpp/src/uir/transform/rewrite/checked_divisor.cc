// Divisors with a check at the division.
#include "./checked_divisor.h"

#include <tvm/ffi/cast.h>
#include <uir/ir/op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>

namespace uir::transform {

ir::PrimExpr CheckedDivisor(const ir::PrimExpr& divisor, const std::string& message) {
  static const ir::Op nonzero = ir::get_op("tir.nonzero");
  if (const auto* lanes = divisor.as<tir::BroadcastNode>()) {
    return tir::Broadcast(CheckedDivisor(lanes->value, message), lanes->lanes, lanes->span);
  }
  return tir::Call(divisor->dtype, nonzero, {divisor, ir::StringImm(message)}, divisor->span);
}

std::string ZeroDivisionText(const std::string& name, const tvm::ffi::Optional<ir::Span>& span,
                             const std::string& divisor) {
  std::string text = name;
  if (span.has_value()) {
    text += " at " + std::string(span.value()->source_name->name);
    if (span.value()->line != 0) text += ":" + std::to_string(span.value()->line);
  }
  return text + ": the divisor `" + divisor + "` is 0";
}

}  // namespace uir::transform
