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
  void VisitVar(const relay::VarNode* op) override { ++uses_[op]; }
  void VisitConstant(const relay::ConstantNode*) override {}
  /*! \brief Do not count the bound variable. */
  void VisitBinding(const relay::BindingNode* op) override { VisitRelayExpr(op->value); }

  std::unordered_map<const ffi::Object*, int64_t> uses_;
};

}  // namespace

std::unordered_map<const ffi::Object*, int64_t> CountUses(const relay::Function& func) {
  return BindingUseCounter().Run(func);
}

}  // namespace uir::transform
