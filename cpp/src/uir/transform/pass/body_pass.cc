// Passes over the bodies of tensor-level functions.
#include "./body_pass.h"

#include <uir/transform/with_body.h>

#include <utility>

namespace uir::transform {

Pass MakeBodyPass(std::function<tir::Stmt(tir::Stmt, const PassContext&)> run, ffi::String name) {
  auto run_on = [run = std::move(run)](tir::PrimFunc func, const ir::IRModule&,
                                       const PassContext& context) {
    tir::Stmt body = run(func->body, context);
    return WithBody(std::move(func), std::move(body));
  };
  return MakePrimFuncPass(std::move(run_on), 0, std::move(name));
}

}  // namespace uir::transform
