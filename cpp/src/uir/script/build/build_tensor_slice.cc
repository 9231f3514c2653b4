// Indices of tensors: `x[0:2, 1]` is a strided slice, from which single indices drop their axes.
// In: a tensor and the syntax of its indices.  Out: calls of `strided_slice` and `squeeze`.
#include <uir/ir/tensor_type.h>
#include <uir/relay/shape.h>
#include <uir/relay/slice.h>
#include <uir/tir/arith_op.h>

#include <string>
#include <utility>

#include "./builder_state.h"

namespace uir::script {

namespace {

using Extent = ffi::Variant<int64_t, ir::PrimExpr>;

/*! \brief What is sliced, an element for each axis that is not taken whole. */
struct Slices {
  ffi::Array<Extent> begin;
  ffi::Array<Extent> end;
  ffi::Array<int64_t> axes;
  ffi::Array<int64_t> strides;
  /*! \brief The axes of single indices. */
  ffi::Array<int64_t> dropped;
  bool has_strides = false;

  void Add(int64_t axis, Extent from, Extent to, int64_t stride) {
    begin.push_back(std::move(from));
    end.push_back(std::move(to));
    axes.push_back(axis);
    strides.push_back(stride);
    has_strides = has_strides || stride != 1;
  }
};

Extent ReadExtent(Builder* builder, const SyntaxNode* node) {
  const ffi::Any value = builder->Value(node);
  if (value.type_index() != kTVMFFIBool) {
    if (const auto extent = value.as<Extent>()) return *extent;
  }
  builder->Fail(node, "expected an integer, or an expression of the dimensions");
}

Extent DimensionOf(const ir::PrimExpr& dimension) {
  const auto* number = dimension.as<ir::IntImmNode>();
  return number == nullptr ? Extent(dimension) : Extent(number->value);
}

void AddRange(Builder* builder, const SyntaxNode* slice, int64_t axis,
              const ir::PrimExpr& dimension, Slices* slices) {
  const SyntaxNode* step = (*slice)[2];
  const int64_t stride = step == nullptr ? 1 : builder->Int(step);
  if (stride <= 0) {
    builder->Fail(step, "the step of a slice must be positive",
                  "use `relay.strided_slice`, or `relay.flip` to reverse an axis");
  }
  const SyntaxNode *from = (*slice)[0], *to = (*slice)[1];
  if (from == nullptr && to == nullptr && stride == 1) return;
  slices->Add(axis, from == nullptr ? Extent(int64_t{0}) : ReadExtent(builder, from),
              to == nullptr ? DimensionOf(dimension) : ReadExtent(builder, to), stride);
}

void AddIndex(Builder* builder, const SyntaxNode* node, int64_t axis, const ir::PrimExpr& dimension,
              Slices* slices) {
  const Extent index = ReadExtent(builder, node);
  slices->dropped.push_back(axis);
  if (const auto number = index.as<int64_t>()) {
    const bool is_last = *number == -1;
    return slices->Add(axis, index, is_last ? DimensionOf(dimension) : Extent(*number + 1), 1);
  }
  const ir::PrimExpr first = index.get<ir::PrimExpr>();
  slices->Add(axis, first, tir::add(first, ir::IntImm(first->dtype, 1)), 1);
}

}  // namespace

ir::RelayExpr BuildTensorSlice(Builder* builder, const ir::RelayExpr& tensor,
                               const SyntaxNode* node) {
  const auto type = tensor->checked_type.value().as<ir::TensorType>();
  const auto& shape = (*type)->shape;
  if (node->size - 1 > shape.size()) {
    builder->Fail(node, "too many indices: the tensor has rank " + std::to_string(shape.size()));
  }
  Slices slices;
  for (uint32_t i = 1; i < node->size; ++i) {
    const int64_t axis = i - 1;
    const bool is_range = (*node)[i]->kind == Syntax::kSlice;
    (is_range ? AddRange : AddIndex)(builder, (*node)[i], axis, shape[axis], &slices);
  }
  if (slices.axes.empty()) return tensor;
  return builder->At(node, [&] {
    ffi::Optional<ffi::Array<int64_t>> strides;
    if (slices.has_strides) strides = slices.strides;
    const ir::RelayExpr part =
        relay::strided_slice(tensor, slices.begin, slices.end, slices.axes, strides);
    if (slices.dropped.empty()) return part;
    builder->SetSpan(part.get(), node);
    return relay::squeeze(part, slices.dropped);
  });
}

}  // namespace uir::script
