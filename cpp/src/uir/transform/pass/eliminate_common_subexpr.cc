// Binds equal values once: value numbering over the bindings of blocks.
#include <tschema/structural_equal.h>
#include <tschema/structural_hash.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/effects.h>
#include <uir/transform/relay_pass.h>
#include <uir/transform/relay_passes.h>

#include <unordered_map>
#include <utility>
#include <vector>

namespace uir::transform {

namespace {

class CommonSubexprEliminator : public BindingRewriter {
 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    const ir::RelayExpr value = VisitRelayExpr(binding->value);
    const bool is_call = value.as<relay::CallNode>() != nullptr ||
                         value.as<relay::TupleNode>() != nullptr ||
                         value.as<relay::TupleGetItemNode>() != nullptr;
    if (!is_call || !IsPure(value)) return Emit(binding, value);
    const uint64_t hash = tschema::StructuralHash(value);
    std::vector<relay::Binding>& known = values_[hash];
    for (const relay::Binding& one : known) {
      if (tschema::StructuralEqual(one->value, value)) return Replace(binding->var, one->var);
    }
    Emit(binding, value);
    known.push_back(emitted().back());
    order_.push_back(hash);
  }

  /*! \brief What a branch binds is not known after it. */
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
