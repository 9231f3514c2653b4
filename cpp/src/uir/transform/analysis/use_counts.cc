// Counts the uses of a high-level function's variables, in one walk.
#include "./use_counts.h"

#include <uir/relay/relay_expr_functor.h>

#include <utility>

namespace uir::transform {

namespace {

class BindingUseCounter : private relay::RelayExprVisitor {
 public:
  std::unordered_map<const ffi::Object*, int64_t> Run(const relay::Function& func) {
    VisitBlock(func->body.get());
    return std::move(uses_);
  }

 private:
  void VisitVar(const relay::VarNode* op) override {
    const bool is_repeated = depth_ > 0 && DepthOf(op) < depth_;
    uses_[op] += is_repeated ? 2 : 1;
  }
  void VisitConstant(const relay::ConstantNode*) override {}
  /*! \brief Do not count the bound variable. */
  void VisitBinding(const relay::BindingNode* op) override {
    VisitRelayExpr(op->value);
    if (depth_ > 0) depths_.emplace(op->var.get(), depth_);
  }
  void VisitWhile(const relay::WhileNode* op) override {
    VisitRelayExpr(op->condition);
    for (const ir::RelayExpr& value : op->initial) VisitRelayExpr(value);
    ++depth_;
    for (const relay::Var& param : op->params) depths_.emplace(param.get(), depth_);
    VisitBlock(op->body.get());
    --depth_;
  }

  /*! \brief The number of loops around the binding of a variable. */
  int DepthOf(const relay::VarNode* var) const {
    const auto found = depths_.find(var);
    return found == depths_.end() ? 0 : found->second;
  }

  std::unordered_map<const ffi::Object*, int64_t> uses_;
  /*! \brief The loops around the visited expression, and around the variables bound in some. */
  int depth_ = 0;
  std::unordered_map<const ffi::Object*, int> depths_;
};

}  // namespace

std::unordered_map<const ffi::Object*, int64_t> CountUses(const relay::Function& func) {
  return BindingUseCounter().Run(func);
}

}  // namespace uir::transform
