// Makes expressions by their operation.
#include <tvm/ffi/error.h>
#include <uir/tir/arith.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/binary_math.h>
#include <uir/tir/bit_op.h>
#include <uir/tir/logic.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/scalar_op.h>

#include <utility>

namespace uir::tir {

ir::PrimExpr MakeNode(ir::ScalarOp op, ir::PrimExpr a, ir::PrimExpr b,
                      ffi::Optional<ir::Span> span) {
  switch (op) {
#define UIR_TIR_CASE(Name, ...) \
  case ir::ScalarOp::k##Name:   \
    return Name(std::move(a), std::move(b), std::move(span));
    UIR_SCALAR_NODES(UIR_TIR_CASE)
#undef UIR_TIR_CASE
    default:
      TVM_FFI_ICHECK(false) << "no node with two operands: " << ir::RowOf(op).symbol;
      TVM_FFI_UNREACHABLE();
  }
}

ir::PrimExpr Apply(ir::ScalarOp op, const ir::PrimExpr& a, const ir::PrimExpr& b) {
  switch (op) {
#define UIR_TIR_CASE(Name, symbol, tensor_op, precedence, function) \
  case ir::ScalarOp::k##Name:                                       \
    return function(a, b);
    UIR_SCALAR_NODES(UIR_TIR_CASE)
    UIR_SCALAR_CALLS(UIR_TIR_CASE)
#undef UIR_TIR_CASE
    case ir::ScalarOp::kNot:
      return logical_not(a);
    case ir::ScalarOp::kNegate:
      return neg(a);
  }
  TVM_FFI_UNREACHABLE();
}

}  // namespace uir::tir
