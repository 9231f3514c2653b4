// Checks of buffers, loads and stores: ranks, lanes and data types must agree.
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/ir/operand.h>
#include <uir/tir/access.h>
#include <uir/tir/buffer.h>

#include <string>
#include <utility>

namespace uir::tir {

namespace {

bool IsPowerOfTwo(int32_t value) { return value > 0 && (value & (value - 1)) == 0; }

void CheckPlacement(const BufferNode* buffer) {
  if (!IsPowerOfTwo(buffer->data_alignment)) {
    TVM_FFI_THROW(ValueError) << "Buffer: `data_alignment` of `" << buffer->name
                              << "` must be a power of two, got " << buffer->data_alignment;
  }
  if (buffer->offset_factor < 1) {
    TVM_FFI_THROW(ValueError) << "Buffer: `offset_factor` of `" << buffer->name
                              << "` must be at least 1, got " << buffer->offset_factor;
  }
}

void CheckAxisSeparators(const BufferNode* buffer) {
  int64_t previous = 0;
  for (const int64_t separator : buffer->axis_separators) {
    if (separator < previous || separator > static_cast<int64_t>(buffer->shape.size())) {
      TVM_FFI_THROW(ValueError) << "Buffer: `axis_separators` of `" << buffer->name
                                << "` must ascend and be at most " << buffer->shape.size()
                                << ", got " << ir::describe(buffer->axis_separators);
    }
    previous = separator;
  }
}

/*! \brief The data type of offsets into a buffer: that of its extents. */
DLDataType OffsetType(const ffi::Array<ir::PrimExpr>& shape) {
  return shape.empty() ? ir::IntType(32) : shape[0]->dtype;
}

}  // namespace

void BufferNode::PostInit() {
  if (!ir::IsHandle(data->dtype)) ir::ThrowOperand(this, "a `handle`", {"data", data});
  ir::CheckScalarIntegers(this, "shape", shape);
  ir::CheckScalarIntegers(this, "strides", strides);
  if (!strides.empty()) {
    ir::CheckSameSize(this, "shape", shape.size(), "strides", strides.size());
  }
  if (!elem_offset.has_value()) elem_offset = ir::IntImm(OffsetType(shape), 0);
  ir::CheckScalarInteger(this, {"elem_offset", elem_offset.value()});
  CheckPlacement(this);
  CheckAxisSeparators(this);
}

void BufferRegionNode::PostInit() {
  ir::CheckSameSize(this, "buffer.shape", buffer->shape.size(), "region", region.size());
}

void MatchBufferRegionNode::PostInit() {
  if (buffer->dtype != source->buffer->dtype) {
    TVM_FFI_THROW(TypeError) << "MatchBufferRegion: `buffer` and `source` must have the same data "
                             << "type, got `" << buffer->dtype << "` and `" << source->buffer->dtype
                             << "` (buffer = " << buffer->name
                             << ", source = " << source->buffer->name << ")";
  }
  if (buffer->shape.size() > source->region.size()) {
    TVM_FFI_THROW(ValueError) << "MatchBufferRegion: `buffer` must have at most the "
                              << source->region.size() << " dimensions of `source`, got "
                              << buffer->shape.size();
  }
}

DLDataType AccessType(const ffi::Object* node, const Buffer& buffer,
                      const ffi::Array<ir::PrimExpr>& indices,
                      const ffi::Optional<ir::PrimExpr>& predicate) {
  ir::CheckSameSize(node, "buffer.shape", buffer->shape.size(), "indices", indices.size());
  int lanes = 1;
  for (size_t i = 0; i < indices.size(); ++i) {
    const ir::PrimExpr index = indices[i];
    const bool is_last = i + 1 == indices.size();
    if (ir::IsInteger(index->dtype) && (is_last || ir::IsScalar(index->dtype))) {
      lanes = ir::LanesOf(index->dtype);
      continue;
    }
    const std::string name = "indices[" + std::to_string(i) + "]";
    ir::CheckInteger(node, {name.c_str(), index});
    ir::ThrowOperand(node, "a scalar integer, as only the last index may be a vector",
                     {name.c_str(), index});
  }
  if (predicate.has_value() && predicate.value()->dtype != ir::BoolType(lanes)) {
    ir::ThrowOperand(node, "a boolean with the lanes of the last index",
                     {"predicate", predicate.value()});
  }
  return ir::WithLanes(buffer->dtype, ir::LanesOf(buffer->dtype) * lanes);
}

void BufferLoadNode::PostInit() { dtype = AccessType(this, buffer, indices, predicate); }

void DataProducerNode::PostInit() { ir::CheckScalarIntegers(this, "shape", shape); }

void ProducerLoadNode::PostInit() {
  ir::CheckSameSize(this, "producer.shape", producer->shape.size(), "indices", indices.size());
  ir::CheckScalarIntegers(this, "indices", indices);
  dtype = producer->dtype;
}

}  // namespace uir::tir
