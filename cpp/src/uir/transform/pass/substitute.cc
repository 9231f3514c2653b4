// Substitution as a pass.
#include <uir/transform/pass.h>
#include <uir/transform/substitute.h>

#include <utility>

namespace uir::transform {

namespace {

Pass MakeSubstitute(Substitution substitution) {
  auto run = [substitution](tir::PrimFunc func, const ir::IRModule&, const PassContext&) {
    return Substitute(std::move(func), substitution);
  };
  return MakePrimFuncPass(run, 0, "Substitute");
}

UIR_TRANSFORM_REGISTER_PASS("Substitute", MakeSubstitute);

}  // namespace

}  // namespace uir::transform
