// The variables of calls of `first_rows`.
#include "./bound_sizes.h"

#include <tschema/walk.h>
#include <tvm/ffi/cast.h>

namespace uir::transform {

const tir::VarNode* BoundSizeOf(const ir::RelayExpr& value) {
  const auto* call = value.as<relay::CallNode>();
  if (call == nullptr || !call->attrs.has_value()) return nullptr;
  const auto* attrs = call->attrs.value().as<relay::FirstRowsAttrsNode>();
  return attrs == nullptr ? nullptr : attrs->size.as<tir::VarNode>();
}

bool DependsOn(const ffi::ObjectRef& part, const SizeSet& sizes) {
  if (sizes.empty()) return false;
  bool depends = false;
  tschema::Walk(part, [&](const tir::VarNode* var) { depends |= sizes.count(var) != 0; });
  return depends;
}

ffi::Array<ir::PrimExpr> WithoutSizes(const ffi::Array<ir::PrimExpr>& conditions,
                                      const SizeSet& sizes) {
  if (sizes.empty()) return conditions;
  ffi::Array<ir::PrimExpr> others;
  for (const ir::PrimExpr& condition : conditions) {
    if (!DependsOn(condition, sizes)) others.push_back(condition);
  }
  return others;
}

}  // namespace uir::transform
