// Substitution as a pass.
#include <uir/transform/pass.h>
#include <uir/transform/substitute.h>
#include <uir/transform/tir_passes.h>

#include <utility>

namespace uir::transform {

Pass Substitute(Substitution substitution) {
  auto run = [substitution](tir::PrimFunc func, const ir::IRModule&, const PassContext&) {
    return Substitute(std::move(func), substitution);
  };
  return MakePrimFuncPass(run, 0, "Substitute");
}

}  // namespace uir::transform
