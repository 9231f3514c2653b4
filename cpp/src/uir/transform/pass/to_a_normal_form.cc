// Binds each operand that is not an atom to a new variable.
#include <uir/relay/atom.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/relay_pass.h>
#include <uir/transform/relay_passes.h>

#include <string>
#include <unordered_map>
#include <utility>

namespace uir::transform {

namespace {

class Normalizer : public BindingRewriter {
 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    visited_.clear();
    Emit(binding, Normalized(VisitRelayExpr(binding->value)));
  }

  ir::RelayExpr RewriteResult(const ir::RelayExpr& result) override {
    visited_.clear();
    ir::RelayExpr value = Normalized(VisitRelayExpr(result));
    return relay::IsAtom(value) ? value : ir::RelayExpr(Bind(value));
  }

  /*! \brief Visit a shared part of a value once. */
  ir::RelayExpr VisitRelayExpr(ir::RelayExpr node) override {
    if (relay::IsAtom(node)) return BindingRewriter::VisitRelayExpr(std::move(node));
    const auto known = visited_.find(node);
    if (known != visited_.end()) return known->second;
    const ir::RelayExpr result = BindingRewriter::VisitRelayExpr(node);
    return visited_.emplace(std::move(node), result).first->second;
  }

 private:
  relay::Var Bind(const ir::RelayExpr& value) {
    return EmitNew(value, "v" + std::to_string(emitted().size()));
  }

  ir::RelayExpr Normalized(ir::RelayExpr value) {
    return relay::WithAtoms(std::move(value),
                            [this](const ir::RelayExpr& operand) { return Bind(operand); });
  }

  /*! \brief The visited parts of the present value. */
  std::unordered_map<ir::RelayExpr, ir::RelayExpr, ffi::ObjectPtrHash, ffi::ObjectPtrEqual>
      visited_;
};

}  // namespace

Pass ToANormalForm() {
  return MakeRelayPass([](const relay::Function& func) { return Normalizer().Run(func); }, 0,
                       "ToANormalForm");
}

}  // namespace uir::transform
