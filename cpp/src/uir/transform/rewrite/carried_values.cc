// Finds the last uses of a loop's variables, in one walk over the bindings of its body.
#include "./carried_values.h"

#include <uir/ir/op.h>
#include <uir/relay/relay_expr_functor.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <unordered_map>
#include <utility>

#include "../analysis/bound_sizes.h"
#include "../analysis/views.h"
#include "./tensor_origins.h"

namespace uir::transform {

namespace {

/*! \brief Whether a value has memory of its own, which no operand shares. */
bool HasOwnMemory(const ir::RelayExpr& value) {
  if (value.as<relay::IfNode>() != nullptr || value.as<relay::WhileNode>() != nullptr) return true;
  const auto* call = value.as<relay::CallNode>();
  return call != nullptr && call->op.as<ir::OpNode>() != nullptr && ViewCallOf(value) == nullptr &&
         BoundSizeOf(value) == nullptr;
}

/*! \brief Notes the places of bindings, and of the last uses of a loop's variables. */
class LastUseFinder : private relay::RelayExprVisitor {
 public:
  explicit LastUseFinder(const relay::WhileNode* loop) : last_uses_(loop->params.size(), 0) {
    for (const relay::Var& param : loop->params) {
      const size_t place = sharers_.size();
      sharers_.emplace(param.get(), std::set<size_t>{place});
    }
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

  /*! \brief The place of a loop's variable among the tensors of a call that uses its memory last.
   */
  std::optional<size_t> OperandOf(const relay::VarNode* var, const relay::WhileNode* loop,
                                  size_t param) {
    const size_t place = place_ = places_.at(var);
    const auto* call =
        loop->body->bindings[static_cast<int64_t>(place) - 1]->value.as<relay::CallNode>();
    if (call == nullptr || last_uses_[param] != place) return std::nullopt;
    std::optional<size_t> found;
    size_t count = 0;
    for (size_t i = 1; i < call->args.size(); ++i) {
      const ir::RelayExpr& arg = call->args[static_cast<int64_t>(i)];
      const bool is_used = Used(arg).count(param) != 0;
      if (is_used && (found || !arg.same_as(loop->params[static_cast<int64_t>(param)]))) {
        return std::nullopt;
      }
      if (is_used) found = count;
      count += TensorTypesOf(arg).size();
    }
    return found;
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
      last_uses_[param] = std::max(last_uses_[param], place_);
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

std::vector<NextValue> FindNextValues(const relay::WhileNode* loop) {
  LastUseFinder uses(loop);
  const std::vector<TensorOrigin> origins = OriginFinder(loop->body).Find(loop->body->result);
  std::set<std::pair<const relay::VarNode*, size_t>> seen;
  std::vector<NextValue> found(loop->params.size());
  for (size_t i = 0; i < origins.size(); ++i) {
    const auto& [var, index] = origins[i];
    // One value has one place. The first tensor is the condition.
    if (var == nullptr || !seen.emplace(var, index).second || i == 0) continue;
    NextValue& next = found[i - 1];
    next.var = var;
    next.is_after_uses = uses.IsAfterUses(var, i - 1);
    if (index == 0) next.operand = uses.OperandOf(var, loop, i - 1);
  }
  return found;
}

}  // namespace uir::transform
