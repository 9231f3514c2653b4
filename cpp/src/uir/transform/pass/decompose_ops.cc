// Decomposes operators into calls of others, by their declarations.
#include <uir/ir/op.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/relay_pass.h>
#include <uir/transform/relay_passes.h>

#include <unordered_set>

#include "../rewrite/decomposer.h"

namespace uir::transform {

namespace {

/*! \brief Whether an operator has the kind `row`: its kernel stores the reused values of a row. */
bool IsRowOperator(const ir::Op& op) {
  return ir::op_attr(op, "kind").as<ffi::String>() == ffi::String("row");
}

}  // namespace

Pass DecomposeOps() {
  auto run = [](const relay::Function& func, const ir::IRModule&, const PassContext& context) {
    const auto options = OptionsOf<DecomposeOpsOptions>(context);
    std::unordered_set<const ffi::Object*> kept;
    for (const ffi::String& name : options->keep) kept.insert(ir::get_op(name).get());
    Decompositions decompositions([&](const ir::Op& op) {
      return kept.count(op.get()) != 0 || (!options->row && IsRowOperator(op));
    });
    return Decompose(func, &decompositions);
  };
  return MakeFunctionPass(run, 1, "DecomposeOps", {"InferType", "ToANormalForm"});
}

}  // namespace uir::transform
