// What the declarations of kiln leave to C++.
#include <kiln/clay/clay.h>
#include <kiln/glaze/glaze.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/call.h>
#include <uir/relay/infer.h>
#include <uir/tir/dialect.h>
#include <uir/tir/expr.h>

#include <utility>

namespace kiln {

namespace ffi = ::tvm::ffi;
namespace ir = ::uir::ir;
namespace relay = ::uir::relay;

ir::PrimExpr clay::fire(ir::PrimExpr x, ffi::Optional<ir::Span> span) {
  const auto* call = x.as<::uir::tir::CallNode>();
  static const ir::Op op = ir::get_op("kiln.clay.fire");
  if (call != nullptr && call->op.same_as(op)) return x;
  return ::uir::tir::make_call(op, {x}, {}, std::move(span));
}

ir::RelayExpr glaze::make_call(ir::Op op, ffi::Array<ffi::Any> operands,
                               ffi::Optional<ir::Attrs> attributes) {
  return relay::make_call(std::move(op), std::move(operands), std::move(attributes), std::nullopt);
}

ir::RelayExpr glaze::template_(ir::RelayExpr x) { return x; }

/*! \brief The axes that are folded become one, the first; `keep` must name the others. */
ir::Type glaze::InferFold(const relay::CallNode* call, relay::TypeContext* context) {
  const ir::TensorType x = relay::TensorTypeOf(call->args[0], "x");
  const auto* attrs = call->attrs.value().as<glaze::FoldAttrsNode>();
  if (attrs->axes.size() + attrs->keep.size() != x->shape.size()) {
    TVM_FFI_THROW(ValueError) << "`axes` and `keep` must name each axis once";
  }
  ir::PrimExpr folded = ir::IntImm(ir::IntType(32), 1);
  for (const int64_t axis : attrs->axes) {
    folded = context->Compute(ir::ScalarOp::kMul, folded, x->shape[axis]);
  }
  ffi::Array<ir::PrimExpr> shape = {folded};
  for (const int64_t axis : attrs->keep) shape.push_back(x->shape[axis]);
  return ir::TensorType(shape, x->dtype);
}

}  // namespace kiln
