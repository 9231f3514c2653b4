// Binds the operands of values that are not atoms to variables of their own.
#include <uir/relay/atom.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/relay_pass.h>
#include <uir/transform/relay_passes.h>

#include <string>

namespace uir::transform {

namespace {

class Normalizer : public BindingRewriter {
 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    Emit(binding, Normalized(VisitRelayExpr(binding->value)));
  }

  ir::RelayExpr RewriteResult(const ir::RelayExpr& result) override {
    ir::RelayExpr value = Normalized(VisitRelayExpr(result));
    return relay::IsAtom(value) ? value : ir::RelayExpr(Bind(value));
  }

 private:
  relay::Var Bind(const ir::RelayExpr& value) {
    return EmitNew(value, "v" + std::to_string(emitted().size()));
  }

  ir::RelayExpr Normalized(ir::RelayExpr value) {
    return relay::WithAtoms(std::move(value),
                            [this](const ir::RelayExpr& operand) { return Bind(operand); });
  }
};

}  // namespace

Pass ToANormalForm() {
  return MakeRelayPass([](const relay::Function& func) { return Normalizer().Run(func); }, 0,
                       "ToANormalForm");
}

}  // namespace uir::transform
