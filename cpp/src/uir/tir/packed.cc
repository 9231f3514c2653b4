// Arguments of global functions.
#include <uir/ir/dtype.h>
#include <uir/tir/op.h>
#include <uir/tir/packed.h>

#include <cstdint>

namespace uir::tir {

ir::PrimExpr tensor_argument(Buffer buffer) {
  const auto numbers = [](const ffi::Array<ir::PrimExpr>& values) {
    return call_intrin(ir::kHandle, "tir.tvm_stack_make_shape", values);
  };
  const ir::PrimExpr zero = ir::IntImm(ir::IntType(32), 0);
  const ir::PrimExpr strides = buffer->strides.empty() ? zero : numbers(buffer->strides);
  const ir::IntImm ndim(ir::IntType(32), static_cast<int64_t>(buffer->shape.size()));
  // TVM's intrinsic, whose data type is that of a constant.
  return call_intrin(ir::kHandle, "tir.tvm_stack_make_array",
                     {buffer->data, numbers(buffer->shape), strides, ndim,
                      make_const(0, buffer->dtype), buffer->elem_offset.value()});
}

}  // namespace uir::tir
