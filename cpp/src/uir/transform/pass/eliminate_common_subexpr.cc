// Binds equal values once, by value numbering over the bindings of blocks.
#include <tschema/structural_equal.h>
#include <tschema/structural_hash.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/effects.h>
#include <uir/transform/relay_pass.h>
#include <uir/transform/relay_passes.h>

#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../analysis/tensor_hash.h"

namespace uir::transform {

namespace {

uint64_t Mix(uint64_t hash, uint64_t part) {
  // The golden ratio spreads addresses, which are multiples of 16, over the upper bits.
  hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

uint64_t HashOfName(const ffi::String& name) {
  return std::hash<std::string_view>()({name.data(), name.size()});
}

/*! \brief A hash of an operand; variables are compared by identity. */
uint64_t HashOfOperand(const ir::RelayExpr& expr) {
  if (const auto* constant = expr.as<relay::ConstantNode>()) return SampledHash(constant->data);
  const bool has_identity =
      expr->IsInstance<relay::VarNode>() || expr->IsInstance<ir::GlobalVarNode>();
  return has_identity ? reinterpret_cast<uintptr_t>(expr.get()) : tschema::StructuralHash(expr);
}

uint64_t HashOfOperands(const ffi::Array<ir::RelayExpr>& operands) {
  uint64_t hash = operands.size();
  for (const ir::RelayExpr& operand : operands) hash = Mix(hash, HashOfOperand(operand));
  return hash;
}

/*!
 * \brief A hash of a value; structurally equal values have equal hashes.
 *
 * Most operands are variables, whose types need no hash.
 */
uint64_t HashOf(const ir::RelayExpr& value) {
  if (const auto* tuple = value.as<relay::TupleNode>()) return HashOfOperands(tuple->fields);
  if (const auto* item = value.as<relay::TupleGetItemNode>()) {
    return Mix(HashOfOperand(item->tuple_value), static_cast<uint64_t>(item->index));
  }
  const auto* call = value.as<relay::CallNode>();
  if (call == nullptr) return tschema::StructuralHash(value);
  const auto* op = call->op.as<ir::OpNode>();
  const uint64_t callee = op == nullptr ? HashOfOperand(call->op) : HashOfName(op->name);
  const uint64_t hash = Mix(HashOfOperands(call->args), callee);
  return call->attrs.has_value() ? Mix(hash, tschema::StructuralHash(call->attrs.value())) : hash;
}

class CommonSubexprEliminator : public BindingRewriter {
 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    const ir::RelayExpr value = VisitRelayExpr(binding->value);
    const bool is_call = value.as<relay::CallNode>() != nullptr ||
                         value.as<relay::TupleNode>() != nullptr ||
                         value.as<relay::TupleGetItemNode>() != nullptr;
    if (!is_call || !IsPure(value)) return Emit(binding, value);
    const uint64_t hash = HashOf(value);
    std::vector<relay::Binding>& known = values_[hash];
    for (const relay::Binding& one : known) {
      if (tschema::StructuralEqual(one->value, value)) return Replace(binding->var, one->var);
    }
    Emit(binding, value);
    known.push_back(emitted().back());
    order_.push_back(hash);
  }

  /*! \brief Visit a branch, and forget its bindings after it. */
  relay::Block VisitBlock(const relay::BlockNode* op) override {
    const size_t mark = order_.size();
    relay::Block block = BindingRewriter::VisitBlock(op);
    while (order_.size() > mark) {
      values_[order_.back()].pop_back();
      order_.pop_back();
    }
    return block;
  }

 private:
  /*! \brief The bindings of the open blocks, by the hash of their values. */
  std::unordered_map<uint64_t, std::vector<relay::Binding>> values_;
  std::vector<uint64_t> order_;
};

}  // namespace

Pass EliminateCommonSubexpr() {
  return MakeRelayPass(
      [](const relay::Function& func) { return CommonSubexprEliminator().Run(func); }, 1,
      "EliminateCommonSubexpr");
}

}  // namespace uir::transform
