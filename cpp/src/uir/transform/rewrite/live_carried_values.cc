// Finds the used items of the tuples that loops compute, and makes loops that compute only those.
#include "./live_carried_values.h"

#include <uir/relay/block.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/effects.h>

#include <cstddef>
#include <iterator>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace uir::transform {

namespace {

/*! \brief Notes the used variables, and of which tuples only items are used. */
class UseFinder : public relay::RelayExprVisitor {
 public:
  bool IsUsed(const ffi::Object* var) const {
    return whole_.count(var) != 0 || items_.count(var) != 0;
  }
  bool IsWholeUsed(const ffi::Object* var) const { return whole_.count(var) != 0; }
  const std::set<size_t>& ItemsOf(const ffi::Object* var) { return items_[var]; }
  bool has_loops() const { return has_loops_; }

 protected:
  void VisitVar(const relay::VarNode* op) override { whole_.insert(op); }
  void VisitConstant(const relay::ConstantNode*) override {}
  void VisitTupleGetItem(const relay::TupleGetItemNode* op) override {
    const auto* var = op->tuple_value.as<relay::VarNode>();
    if (var == nullptr) return VisitRelayExpr(op->tuple_value);
    items_[var].insert(static_cast<size_t>(op->index));
  }
  /*! \brief Do not count the bound variable. */
  void VisitBinding(const relay::BindingNode* op) override { VisitRelayExpr(op->value); }
  void VisitWhile(const relay::WhileNode* op) override {
    has_loops_ = true;
    VisitRelayExpr(op->condition);
    for (const ir::RelayExpr& value : op->initial) VisitRelayExpr(value);
    VisitBlock(op->body.get());
  }

 private:
  std::unordered_set<const ffi::Object*> whole_;
  std::unordered_map<const ffi::Object*, std::set<size_t>> items_;
  bool has_loops_ = false;
};

/*! \brief The condition and the values that a body computes; null if they are not listed. */
const relay::TupleNode* StepOf(const relay::Block& body) {
  if (const auto* tuple = body->result.as<relay::TupleNode>()) return tuple;
  for (const relay::Binding& binding : body->bindings) {
    if (binding->var.same_as(body->result)) return binding->value.as<relay::TupleNode>();
  }
  return nullptr;
}

/*! \brief Add the variables of a loop that a step needs for its condition and for live values. */
std::set<size_t> WithNeeded(const relay::WhileNode* loop, const relay::TupleNode* step,
                            std::set<size_t> live) {
  for (;;) {
    UseFinder uses;
    uses.VisitRelayExpr(step->fields[0]);
    for (const size_t i : live) uses.VisitRelayExpr(step->fields[static_cast<int64_t>(i) + 1]);
    for (size_t i = loop->body->bindings.size(); i-- > 0;) {
      const relay::Binding& binding = loop->body->bindings[static_cast<int64_t>(i)];
      const bool is_needed = uses.IsUsed(binding->var.get()) || !IsPure(binding->value);
      if (is_needed) uses.VisitRelayExpr(binding->value);
    }
    const size_t before = live.size();
    for (size_t i = 0; i < loop->params.size(); ++i) {
      if (uses.IsUsed(loop->params[static_cast<int64_t>(i)].get())) live.insert(i);
    }
    if (live.size() == before) return live;
  }
}

/*! \brief A loop that carries some of the values. */
relay::While Carrying(const relay::WhileNode* loop, const relay::TupleNode* step,
                      const std::set<size_t>& live) {
  ffi::Array<relay::Var> params;
  ffi::Array<ir::RelayExpr> initial;
  ffi::Array<ir::RelayExpr> values = {step->fields[0]};
  for (const size_t i : live) {
    const auto at = static_cast<int64_t>(i);
    params.push_back(loop->params[at]);
    initial.push_back(loop->initial[at]);
    values.push_back(step->fields[at + 1]);
  }
  relay::Block body(loop->body->bindings, relay::Tuple(std::move(values), step->span));
  return relay::While(std::move(params), loop->condition, std::move(initial), std::move(body),
                      loop->span);
}

class CarriedValueRemover : public BindingRewriter {
 public:
  explicit CarriedValueRemover(UseFinder* uses) : uses_(uses) {}

 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    const auto* loop = binding->value.as<relay::WhileNode>();
    const relay::TupleNode* step = loop == nullptr ? nullptr : StepOf(loop->body);
    if (step == nullptr || uses_->IsWholeUsed(binding->var.get())) {
      return BindingRewriter::RewriteBinding(binding);
    }
    const std::set<size_t> live = WithNeeded(loop, step, uses_->ItemsOf(binding->var.get()));
    if (live.empty() || live.size() == loop->params.size()) {
      return BindingRewriter::RewriteBinding(binding);
    }
    live_.emplace(binding->var.get(), live);
    Emit(binding, VisitRelayExpr(Carrying(loop, step, live)));
  }

  ir::RelayExpr VisitTupleGetItem(const relay::TupleGetItemNode* op) override {
    const auto found = live_.find(op->tuple_value.get());
    if (found == live_.end()) return VisitDefault(op);
    const auto place = found->second.find(static_cast<size_t>(op->index));
    const auto index = std::distance(found->second.begin(), place);
    return relay::TupleGetItem(VisitRelayExpr(op->tuple_value), index, op->span);
  }

 private:
  UseFinder* uses_;
  /*! \brief The values that changed loops carry, by the variables that were bound to their tuples.
   */
  std::unordered_map<const ffi::Object*, std::set<size_t>> live_;
};

}  // namespace

relay::Function WithLiveCarriedValues(const relay::Function& func) {
  UseFinder uses;
  uses.VisitRelayExpr(func);
  return uses.has_loops() ? CarriedValueRemover(&uses).Run(func) : func;
}

}  // namespace uir::transform
