// Products of one value by several constant matrices: one walk over the bindings of a body.
#include "./parallel_matmuls.h"

#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "./use_counts.h"

namespace uir::transform {

namespace {

bool CallsOp(const relay::CallNode* call, std::string_view name) {
  const auto* op = call->op.as<ir::OpNode>();
  return op != nullptr && std::string_view(op->name.data(), op->name.size()) == name;
}

/*! \brief The dimensions of a tensor; `nullopt` if one of them is symbolic. */
std::optional<std::vector<int64_t>> ConstantShapeOf(const ir::RelayExpr& expr) {
  const auto* type = expr->checked_type.has_value()
                         ? expr->checked_type.value().as<ir::TensorTypeNode>()
                         : nullptr;
  if (type == nullptr) return std::nullopt;
  std::vector<int64_t> shape;
  for (const ir::PrimExpr& dim : type->shape) {
    const auto* number = dim.as<ir::IntImmNode>();
    if (number == nullptr) return std::nullopt;
    shape.push_back(number->value);
  }
  return shape;
}

/*! \brief Whether a tensor is a row with one element for each column. */
bool IsRowOfColumns(const ir::RelayExpr& expr, int64_t num_columns) {
  const std::optional<std::vector<int64_t>> shape = ConstantShapeOf(expr);
  return shape && !shape->empty() && shape->back() == num_columns &&
         std::all_of(shape->begin(), shape->end() - 1, [](int64_t dim) { return dim == 1; });
}

class MatmulFinder {
 public:
  MatmulFinder(const relay::Function& func, const std::unordered_set<const ffi::Object*>& constants)
      : func_(func), constants_(constants), uses_(CountUses(func)) {}

  std::vector<ParallelMatmuls> Run() {
    for (const relay::Binding& binding : func_->body->bindings) {
      const auto* call = binding->value.as<relay::CallNode>();
      if (call == nullptr) continue;
      if (CallsOp(call, "relay.matmul")) AddProduct(binding->var, call);
      if (CallsOp(call, "relay.add")) AddSum(binding->var, call);
    }
    const auto is_alone = [](const ParallelMatmuls& one) { return one.products.size() < 2; };
    sets_.erase(std::remove_if(sets_.begin(), sets_.end(), is_alone), sets_.end());
    return std::move(sets_);
  }

 private:
  bool IsConstant(const ir::RelayExpr& value) const {
    return value.as<relay::ConstantNode>() != nullptr || constants_.count(value.get()) != 0;
  }

  void AddProduct(const relay::Var& var, const relay::CallNode* call) {
    const ir::RelayExpr& data = call->args[0];
    const ir::RelayExpr& weight = call->args[1];
    const std::optional<std::vector<int64_t>> shape = ConstantShapeOf(weight);
    if (IsConstant(data) || !IsConstant(weight) || !shape || shape->size() != 2) return;
    const auto [known, is_new] = set_of_data_.emplace(data.get(), sets_.size());
    if (is_new) sets_.push_back({data, {}});
    sets_[known->second].products.push_back({var, weight, shape->back(), {}, {}});
    set_of_product_[var.get()] = known->second;
  }

  void AddSum(const relay::Var& var, const relay::CallNode* call) {
    for (int64_t i = 0; i < 2; ++i) {
      const auto known = set_of_product_.find(call->args[i].get());
      if (known == set_of_product_.end() || uses_.at(known->first) != 1) continue;
      std::vector<ParallelMatmul>& products = sets_[known->second].products;
      const auto product = std::find_if(
          products.begin(), products.end(),
          [&](const ParallelMatmul& one) { return one.product.get() == known->first; });
      const ir::RelayExpr& summand = call->args[1 - i];
      if (!IsConstant(summand) || !IsRowOfColumns(summand, product->num_columns)) continue;
      product->sum = var;
      product->summand = summand;
    }
  }

  const relay::Function& func_;
  const std::unordered_set<const ffi::Object*>& constants_;
  const std::unordered_map<const ffi::Object*, int64_t> uses_;
  std::vector<ParallelMatmuls> sets_;
  std::unordered_map<const ffi::Object*, size_t> set_of_data_;
  std::unordered_map<const ffi::Object*, size_t> set_of_product_;
};

}  // namespace

bool ParallelMatmuls::HaveSummands() const {
  return std::all_of(products.begin(), products.end(),
                     [](const ParallelMatmul& one) { return one.summand.has_value(); });
}

std::vector<ParallelMatmuls> FindParallelMatmuls(
    const relay::Function& func, const std::unordered_set<const ffi::Object*>& constants) {
  return MatmulFinder(func, constants).Run();
}

}  // namespace uir::transform
