// The tensors of values, those of tuples in order, and the bindings that compute them.
#include "./tensor_origins.h"

#include <tschema/stack_guard.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/node_error.h>

#include <string>

#include "../analysis/views.h"

namespace uir::transform {

namespace {

void AddTensorTypes(const ir::Type& type, const ir::RelayExpr& value,
                    std::vector<ir::TensorType>* types) {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([&] { AddTensorTypes(type, value, types); });
  }
  if (const auto tensor = type.as<ir::TensorType>()) return types->push_back(*tensor);
  const auto* tuple = type.as<ir::TupleTypeNode>();
  if (tuple == nullptr) {
    ir::ThrowAt(
        value, "TypeError",
        "`LowerEntry` lowers tensors and tuples, not a value of type `" + type->GetTypeKey() + "`");
  }
  for (const ir::Type& field : tuple->fields) AddTensorTypes(field, value, types);
}

}  // namespace

std::vector<ir::TensorType> TensorTypesIn(const ir::Type& type, const ir::RelayExpr& value) {
  std::vector<ir::TensorType> types;
  AddTensorTypes(type, value, &types);
  return types;
}

std::vector<ir::TensorType> TensorTypesOf(const ir::RelayExpr& value) {
  if (!value->checked_type.has_value()) {
    ir::ThrowAt(value, "ValueError", "the value has no type; run `InferType` first");
  }
  return TensorTypesIn(value->checked_type.value(), value);
}

std::pair<size_t, size_t> PlaceOfItem(const relay::TupleGetItemNode* item) {
  const ir::RelayExpr& tuple = item->tuple_value;
  TensorTypesOf(tuple);
  const auto* type = tuple->checked_type.value().as<ir::TupleTypeNode>();
  std::vector<ir::TensorType> before;
  for (int64_t i = 0; i < item->index; ++i) AddTensorTypes(type->fields[i], tuple, &before);
  const size_t first = before.size();
  AddTensorTypes(type->fields[item->index], tuple, &before);
  return {first, before.size() - first};
}

OriginFinder::OriginFinder(const relay::Block& block) {
  for (const relay::Binding& binding : block->bindings) {
    values_.emplace(binding->var.get(), binding->value);
  }
}

std::vector<TensorOrigin> OriginFinder::Find(const ir::RelayExpr& value) const {
  if (!tschema::EnoughStack()) return tschema::RunOnNewStack([&] { return Find(value); });
  if (const auto* var = value.as<relay::VarNode>()) return FindVar(var);
  std::vector<TensorOrigin> origins;
  if (const auto* tuple = value.as<relay::TupleNode>()) {
    for (const ir::RelayExpr& field : tuple->fields) {
      for (const TensorOrigin& origin : Find(field)) origins.push_back(origin);
    }
  } else if (const auto* item = value.as<relay::TupleGetItemNode>()) {
    const auto [first, count] = PlaceOfItem(item);
    const std::vector<TensorOrigin> all = Find(item->tuple_value);
    const auto begin = all.begin() + static_cast<int64_t>(first);
    origins.assign(begin, begin + static_cast<int64_t>(count));
  } else {
    origins.resize(TensorTypesOf(value).size(), {nullptr, 0});
  }
  return origins;
}

std::vector<TensorOrigin> OriginFinder::FindVar(const relay::VarNode* var) const {
  const auto found = values_.find(var);
  const auto expr = ffi::GetRef<ir::RelayExpr>(var);
  if (found == values_.end()) return {TensorTypesOf(expr).size(), TensorOrigin{nullptr, 0}};
  const ir::RelayExpr& value = found->second;
  if (const relay::CallNode* view = ViewCallOf(value)) return Find(view->args[0]);
  const bool is_made = value.as<relay::CallNode>() != nullptr ||
                       value.as<relay::IfNode>() != nullptr ||
                       value.as<relay::WhileNode>() != nullptr;
  if (!is_made) return Find(value);
  std::vector<TensorOrigin> origins;
  for (size_t i = 0; i < TensorTypesOf(expr).size(); ++i) origins.push_back({var, i});
  return origins;
}

}  // namespace uir::transform
