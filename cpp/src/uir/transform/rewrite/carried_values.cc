// Finds the last uses of a loop's variables, in one walk over the bindings of its body.
#include "./carried_values.h"

#include <uir/ir/op.h>
#include <uir/relay/relay_expr_functor.h>

#include <cstddef>
#include <set>
#include <unordered_map>
#include <utility>

#include "../analysis/views.h"
#include "./tensor_origins.h"

namespace uir::transform {

namespace {

/*! \brief Whether a value has memory of its own, which no operand shares. */
bool HasOwnMemory(const ir::RelayExpr& value) {
  if (value.as<relay::IfNode>() != nullptr || value.as<relay::WhileNode>() != nullptr) return true;
  const auto* call = value.as<relay::CallNode>();
  return call != nullptr && call->op.as<ir::OpNode>() != nullptr && ViewCallOf(value) == nullptr;
}

/*! \brief Notes the places of bindings, and of the last uses of a loop's variables. */
class LastUseFinder : private relay::RelayExprVisitor {
 public:
  explicit LastUseFinder(const relay::WhileNode* loop) : last_uses_(loop->params.size(), 0) {
    for (const relay::Var& param : loop->params) sharers_[param.get()] = {sharers_.size()};
    for (const relay::Binding& binding : loop->body->bindings) {
      places_.emplace(binding->var.get(), ++place_);
      std::set<size_t> used = Used(binding->value);
      if (!HasOwnMemory(binding->value)) sharers_[binding->var.get()] = std::move(used);
    }
    ++place_;
    VisitRelayExpr(loop->body->result);
  }

  /*! \brief Whether a binding comes after all uses of the memory of a loop's variable. */
  bool IsAfterUses(const relay::VarNode* var, size_t param) const {
    return places_.at(var) > last_uses_[param];
  }

 private:
  /*! \brief Visit a value; return the loop's variables whose memory it uses. */
  std::set<size_t> Used(const ir::RelayExpr& value) {
    used_.clear();
    VisitRelayExpr(value);
    return std::move(used_);
  }

  void VisitVar(const relay::VarNode* op) override {
    const auto found = sharers_.find(op);
    if (found == sharers_.end()) return;
    for (const size_t param : found->second) {
      last_uses_[param] = place_;
      used_.insert(param);
    }
  }
  void VisitConstant(const relay::ConstantNode*) override {}

  /*! \brief The loop's variables whose memory a variable may share. */
  std::unordered_map<const ffi::Object*, std::set<size_t>> sharers_;
  std::unordered_map<const ffi::Object*, size_t> places_;
  std::vector<size_t> last_uses_;
  std::set<size_t> used_;
  size_t place_ = 0;
};

}  // namespace

std::vector<bool> FindOverwritable(const relay::WhileNode* loop) {
  const LastUseFinder uses(loop);
  const std::vector<TensorOrigin> origins = OriginFinder(loop->body).Find(loop->body->result);
  std::set<std::pair<const relay::VarNode*, size_t>> seen;
  std::vector<bool> found;
  // The first tensor is the condition.
  for (size_t i = 0; i < origins.size(); ++i) {
    const auto& [var, index] = origins[i];
    const bool is_first = var != nullptr && seen.emplace(var, index).second;
    if (i > 0) found.push_back(is_first && uses.IsAfterUses(var, i - 1));
  }
  return found;
}

}  // namespace uir::transform
