// The assumptions of calls on dimensions, collected in an attribute of their function or checked by
// branches.
#include "./assumptions.h"

#include <tschema/structural_equal.h>
#include <tschema/structural_hash.h>
#include <tvm/ffi/cast.h>
#include <uir/relay/block.h>
#include <uir/relay/relay_expr_functor.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>

#include <map>
#include <unordered_set>
#include <utility>

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

using ConditionSet = std::unordered_set<ir::PrimExpr, StructuralHasher, StructuralComparer>;

/*! \brief Visits the calls of a function or of a branch, in order. */
class CallVisitor : protected relay::RelayExprVisitor {
 protected:
  void VisitBlock(const relay::BlockNode* op) override {
    for (const relay::Binding& binding : op->bindings) VisitValue(binding->value);
    VisitRelayExpr(op->result);
  }
  void VisitValue(const ir::RelayExpr& value) {
    const auto* call = value.as<relay::CallNode>();
    call != nullptr ? VisitCall(call) : VisitRelayExpr(value);
  }
  void VisitCall(const relay::CallNode* op) override {
    for (const ir::RelayExpr& arg : op->args) {
      if (arg.as<relay::VarNode>() == nullptr) VisitRelayExpr(arg);
    }
    if (!op->assumptions.has_value()) return;
    for (const ir::PrimExpr& condition : op->assumptions.value()) Note(condition);
  }
  void VisitVar(const relay::VarNode*) override {}
  void VisitConstant(const relay::ConstantNode*) override {}

  /*! \brief Note an assumption of a call. */
  virtual void Note(const ir::PrimExpr& condition) = 0;
};

/*! \brief Finds the assumptions that a function checks at its entry. */
class AssumptionCollector : private CallVisitor {
 public:
  ffi::Array<ir::PrimExpr> Run(const relay::Function& func) {
    VisitBlock(func->body.get());
    return std::move(found_);
  }

 private:
  void VisitIf(const relay::IfNode* op) override {
    VisitRelayExpr(op->condition);
    const bool was_in_branch = std::exchange(is_in_branch_, true);
    VisitBlock(op->true_branch.get());
    VisitBlock(op->false_branch.get());
    is_in_branch_ = was_in_branch;
  }
  void VisitWhile(const relay::WhileNode* op) override {
    VisitRelayExpr(op->condition);
    for (const ir::RelayExpr& value : op->initial) VisitRelayExpr(value);
    const bool was_in_branch = std::exchange(is_in_branch_, true);
    VisitBlock(op->body.get());
    is_in_branch_ = was_in_branch;
  }
  void VisitFunction(const relay::FunctionNode* op) override {
    const bool was_in_branch = std::exchange(is_in_branch_, false);
    VisitBlock(op->body.get());
    is_in_branch_ = was_in_branch;
  }
  void VisitCall(const relay::CallNode* op) override {
    CallVisitor::VisitCall(op);
    if (const tir::VarNode* size = BoundSizeOf(ffi::GetRef<ir::RelayExpr>(op))) sizes_.insert(size);
  }
  void Note(const ir::PrimExpr& condition) override {
    const bool is_checked_inside =
        (is_in_branch_ && IsCheckedByBranch(condition)) || DependsOn(condition, sizes_);
    if (!is_checked_inside) found_.push_back(condition);
  }

  bool is_in_branch_ = false;
  SizeSet sizes_;
  ffi::Array<ir::PrimExpr> found_;
};

/*! \brief Finds the assumptions that a block checks, without those of branches and functions
 * inside. */
class BlockCollector : private CallVisitor {
 public:
  BlockCollector(bool is_branch, const SizeSet& sizes) : is_branch_(is_branch), sizes_(sizes) {}

  ffi::Array<ir::PrimExpr> Run(const std::vector<relay::Binding>& block,
                               const ir::RelayExpr& result) {
    for (const relay::Binding& binding : block) VisitValue(binding->value);
    VisitRelayExpr(result);
    ffi::Array<ir::PrimExpr> missing;
    for (const ir::PrimExpr& condition : found_) {
      if (checked_.insert(condition).second) missing.push_back(condition);
    }
    return missing;
  }

 private:
  void VisitCall(const relay::CallNode* op) override {
    CallVisitor::VisitCall(op);
    if (!op->attrs.has_value()) return;
    const auto* check = op->attrs.value().as<relay::RequireAttrsNode>();
    if (check != nullptr) checked_.insert(check->conditions.begin(), check->conditions.end());
  }
  void VisitIf(const relay::IfNode* op) override { VisitRelayExpr(op->condition); }
  void VisitWhile(const relay::WhileNode* op) override {
    VisitRelayExpr(op->condition);
    for (const ir::RelayExpr& value : op->initial) VisitRelayExpr(value);
  }
  void VisitFunction(const relay::FunctionNode*) override {}
  void Note(const ir::PrimExpr& condition) override {
    const bool is_checked =
        (is_branch_ && IsCheckedByBranch(condition)) || DependsOn(condition, sizes_);
    if (is_checked) found_.push_back(condition);
  }

  bool is_branch_;
  const SizeSet& sizes_;
  std::vector<ir::PrimExpr> found_;
  ConditionSet checked_;
};

/*! \brief The number of bindings of a block after which all sizes in a condition are bound. */
size_t PlaceOfCheck(const std::vector<relay::Binding>& block, const ir::PrimExpr& condition) {
  for (size_t i = block.size(); i > 0; --i) {
    const tir::VarNode* size = BoundSizeOf(block[i - 1]->value);
    if (size != nullptr && DependsOn(condition, {size})) return i;
  }
  return 0;
}

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
  ConditionSet known(all.begin(), all.end());
  for (const ir::PrimExpr& condition : conditions) {
    if (known.insert(condition).second) all.push_back(condition);
  }
  if (all.size() == before) return func;
  return ir::with_attr(func, kAssumptions, all).as<relay::Function>().value();
}

relay::Function WithAssumptionsOfCalls(const relay::Function& func) {
  return WithAssumptions(func, AssumptionCollector().Run(func));
}

bool IsCheckedByBranch(const ir::PrimExpr& condition) {
  if (const auto* either = condition.as<tir::OrNode>()) {
    return IsCheckedByBranch(either->a) && IsCheckedByBranch(either->b);
  }
  if (const auto* both = condition.as<tir::AndNode>()) {
    return IsCheckedByBranch(both->a) && IsCheckedByBranch(both->b);
  }
  return condition.as<tir::EQNode>() != nullptr || condition.as<tir::NENode>() != nullptr;
}

void AddMissingChecks(std::vector<relay::Binding>* block, const ir::RelayExpr& result,
                      bool is_branch, const SizeSet& sizes) {
  if (!is_branch && sizes.empty()) return;
  std::map<size_t, ffi::Array<ir::PrimExpr>> checks;
  for (const ir::PrimExpr& condition : BlockCollector(is_branch, sizes).Run(*block, result)) {
    checks[PlaceOfCheck(*block, condition)].push_back(condition);
  }
  for (auto i = checks.rbegin(); i != checks.rend(); ++i) {
    const ir::RelayExpr check = relay::require(i->second, std::nullopt);
    const relay::Binding binding(relay::Var("checked", check->checked_type), check);
    block->insert(block->begin() + static_cast<std::ptrdiff_t>(i->first), binding);
  }
}

}  // namespace uir::transform
