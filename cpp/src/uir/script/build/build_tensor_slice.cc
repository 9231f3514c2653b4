// Indices of tensors: `x[0:2, 1]`.
#include <uir/relay/expr.h>
#include <uir/relay/slice.h>

#include "./builder_state.h"

namespace uir::script {

namespace {

ffi::Any ReadBound(Builder* builder, const SyntaxNode* node) {
  return node == nullptr ? ffi::Any() : builder->Value(node);
}

ffi::Any ReadIndex(Builder* builder, const SyntaxNode* node) {
  if (node->kind != Syntax::kSlice) return builder->Value(node);
  return ffi::Array<ffi::Any>{ReadBound(builder, (*node)[0]), ReadBound(builder, (*node)[1]),
                              ReadBound(builder, (*node)[2])};
}

/*! \brief Give each call that was made from the indices their span. */
void SetSpans(Builder* builder, ir::RelayExpr part, const ir::RelayExpr& tensor,
              const SyntaxNode* node) {
  while (!part.same_as(tensor)) {
    builder->SetSpan(part.get(), node);
    part = ffi::Any(part).cast<relay::Call>()->args[0];
  }
}

}  // namespace

ir::RelayExpr BuildTensorSlice(Builder* builder, const ir::RelayExpr& tensor,
                               const SyntaxNode* node) {
  ffi::Array<ffi::Any> indices;
  for (uint32_t i = 1; i < node->size; ++i) indices.push_back(ReadIndex(builder, (*node)[i]));
  ir::RelayExpr part = builder->At(node, [&] { return relay::subscript(tensor, indices); });
  SetSpans(builder, part, tensor, node);
  return part;
}

}  // namespace uir::script
