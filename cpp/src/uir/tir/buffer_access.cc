// Construction of buffers, and accesses to their elements.
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/operand.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/buffer.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/stmt.h>

#include <optional>
#include <string>
#include <utility>

#include "./buffer_extent.h"

namespace uir::tir {

namespace {

using ir::PrimExpr;

bool IsConstant(const PrimExpr& expr, int64_t value) { return IntConstOf(expr) == value; }

/*! \brief The type of the data pointer of a buffer. */
ir::PointerType TypeOfPointer(DLDataType dtype, ffi::String scope) {
  return ir::PointerType(ir::PrimType(dtype), std::move(scope));
}

/*! \brief The indices of contiguous elements from `begin` on that form a value of a data type. */
ffi::Array<PrimExpr> VectorIndices(const BufferNode* buffer, ffi::Array<PrimExpr> begin,
                                   DLDataType dtype) {
  const int elements = ir::LanesOf(dtype) / ir::LanesOf(buffer->dtype);
  const bool fits = ir::ElementOf(dtype) == ir::ElementOf(buffer->dtype) &&
                    elements * ir::LanesOf(buffer->dtype) == ir::LanesOf(dtype);
  if (!fits) {
    TVM_FFI_THROW(TypeError) << "Buffer: `" << buffer->name << "` holds elements of `"
                             << buffer->dtype << "`, got `" << dtype << "` for some of them";
  }
  if (elements == 1) return begin;
  if (begin.empty()) {
    TVM_FFI_THROW(ValueError) << "Buffer: `" << buffer->name << "` has no dimension for a vector";
  }
  const PrimExpr last = begin.back();
  begin.Set(static_cast<int64_t>(begin.size()) - 1,
            Ramp(last, ir::IntImm(last->dtype, 1), elements));
  return begin;
}

}  // namespace

ffi::String BufferNode::Scope() const {
  if (data->type_annotation.has_value()) {
    const auto* pointer = data->type_annotation.value().as<ir::PointerTypeNode>();
    if (pointer != nullptr && !pointer->storage_scope.empty()) return pointer->storage_scope;
  }
  return "global";
}

bool BufferNode::IsCompact() const {
  std::optional<int64_t> expected = 1;
  for (size_t i = strides.size(); i > 0; --i) {
    const std::optional<int64_t> extent = IntConstOf(shape[i - 1]);
    // The stride of a dimension of extent 1 has no effect.
    if (extent != 1 && (!expected || !IsConstant(strides[i - 1], *expected))) return false;
    expected = expected && extent ? std::optional<int64_t>(*expected * *extent) : std::nullopt;
  }
  return true;
}

PrimExpr BufferNode::LoadVector(ffi::Array<PrimExpr> begin, ffi::Optional<DLDataType> dtype,
                                ffi::Optional<PrimExpr> predicate) const {
  const DLDataType read = dtype.value_or(this->dtype);
  return BufferLoad(ffi::GetRef<Buffer>(this), VectorIndices(this, std::move(begin), read),
                    std::move(predicate));
}

PrimExpr BufferNode::PointerTo(int32_t access_mask, ffi::Optional<PrimExpr> offset,
                               ffi::Optional<PrimExpr> extent) const {
  if (access_mask < 1 || access_mask > 3) {
    TVM_FFI_THROW(ValueError) << "Buffer: `access_mask` must be 1 to read, 2 to write or 3 for "
                              << "both, got " << access_mask;
  }
  const PrimExpr begin = offset.value_or(ir::IntImm(elem_offset.value()->dtype, 0));
  const PrimExpr all = ExtentOf(this, {0, shape.size()});
  const PrimExpr size = extent.has_value() ? extent.value() : sub(all, begin);
  return call_intrin(
      ir::kHandle, "tir.access_ptr",
      {data, add(elem_offset.value(), begin), size, ir::IntImm(ir::IntType(32), access_mask)});
}

Buffer decl_buffer(ffi::Array<PrimExpr> shape, DLDataType dtype, ffi::String name,
                   ffi::Optional<Var> data, ffi::Optional<ffi::Array<PrimExpr>> strides,
                   ffi::Optional<PrimExpr> elem_offset, ffi::String scope, int32_t data_alignment,
                   int32_t offset_factor, BufferType buffer_type,
                   ffi::Optional<ffi::Array<int64_t>> axis_separators,
                   ffi::Optional<ir::Span> span) {
  if (!data.has_value())
    data = Var(name, ir::kHandle, TypeOfPointer(dtype, std::move(scope)), span);
  if (!elem_offset.has_value() && offset_factor != 0) {
    const DLDataType index = shape.empty() ? ir::IntType(32) : shape[0]->dtype;
    elem_offset = Var(name + "_elem_offset", index, std::nullopt, span);
  }
  return Buffer(data.value(), dtype, std::move(shape), strides.value_or(ffi::Array<PrimExpr>()),
                std::move(elem_offset), std::move(name), data_alignment,
                offset_factor == 0 ? 1 : offset_factor, buffer_type,
                axis_separators.value_or(ffi::Array<int64_t>()), std::move(span));
}

Stmt buffer_vstore(Buffer buffer, ffi::Array<PrimExpr> begin, PrimExpr value,
                   ffi::Optional<PrimExpr> predicate) {
  ffi::Array<PrimExpr> indices = VectorIndices(buffer.get(), std::move(begin), value->dtype);
  return BufferStore(std::move(buffer), std::move(value), std::move(indices), std::move(predicate));
}

}  // namespace uir::tir
