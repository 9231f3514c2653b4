// Replacement of function bodies.
#include <uir/transform/node_copy.h>
#include <uir/transform/with_body.h>

#include <utility>

namespace uir::transform {

tir::PrimFunc WithBody(tir::PrimFunc func, tir::Stmt body) {
  if (func->body.same_as(body)) return func;
  const auto copy = CopyOf<tir::PrimFunc>(func.get());
  Write(copy)->body = std::move(body);
  return copy;
}

}  // namespace uir::transform
