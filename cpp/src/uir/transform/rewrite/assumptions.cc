// The assumptions of calls on dimensions, collected in an attribute of their function.
#include "./assumptions.h"

#include <tschema/structural_equal.h>
#include <tschema/structural_hash.h>
#include <tvm/ffi/cast.h>
#include <uir/relay/relay_expr_functor.h>

#include <unordered_set>

namespace uir::transform {

namespace {

constexpr const char* kAssumptions = "shape_assumptions";

struct StructuralHasher {
  size_t operator()(const ir::PrimExpr& expr) const { return tschema::StructuralHash(expr); }
};

struct StructuralComparer {
  bool operator()(const ir::PrimExpr& a, const ir::PrimExpr& b) const {
    return tschema::StructuralEqual(a, b);
  }
};

class AssumptionCollector : private relay::RelayExprVisitor {
 public:
  ffi::Array<ir::PrimExpr> Run(const relay::Function& func) {
    VisitBlock(func->body.get());
    return std::move(found_);
  }

 private:
  void VisitBlock(const relay::BlockNode* op) override {
    for (const relay::Binding& binding : op->bindings) {
      const auto* call = binding->value.as<relay::CallNode>();
      call != nullptr ? VisitCall(call) : VisitRelayExpr(binding->value);
    }
    VisitRelayExpr(op->result);
  }
  void VisitCall(const relay::CallNode* op) override {
    for (const ir::RelayExpr& arg : op->args) {
      if (arg.as<relay::VarNode>() == nullptr) VisitRelayExpr(arg);
    }
    if (!op->assumptions.has_value()) return;
    for (const ir::PrimExpr& condition : op->assumptions.value()) found_.push_back(condition);
  }
  void VisitVar(const relay::VarNode*) override {}
  void VisitConstant(const relay::ConstantNode*) override {}

  ffi::Array<ir::PrimExpr> found_;
};

}  // namespace

ffi::Array<ir::PrimExpr> AssumptionsOf(const relay::Function& func) {
  return func->GetAttr(kAssumptions)
      .as<ffi::Array<ir::PrimExpr>>()
      .value_or(ffi::Array<ir::PrimExpr>());
}

relay::Function WithAssumptions(const relay::Function& func,
                                const ffi::Array<ir::PrimExpr>& conditions) {
  if (conditions.empty()) return func;
  ffi::Array<ir::PrimExpr> all = AssumptionsOf(func);
  const size_t before = all.size();
  std::unordered_set<ir::PrimExpr, StructuralHasher, StructuralComparer> known(all.begin(),
                                                                               all.end());
  for (const ir::PrimExpr& condition : conditions) {
    if (known.insert(condition).second) all.push_back(condition);
  }
  if (all.size() == before) return func;
  return ir::with_attr(func, kAssumptions, all).as<relay::Function>().value();
}

relay::Function WithAssumptionsOfCalls(const relay::Function& func) {
  return WithAssumptions(func, AssumptionCollector().Run(func));
}

}  // namespace uir::transform
