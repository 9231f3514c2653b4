// Calls of kiln's operators, for the test.
#include <kiln/clay/clay.h>
#include <kiln/glaze/glaze.h>
#include <tvm/ffi/function.h>

namespace ffi = ::tvm::ffi;
using uir::ir::PrimExpr;
using uir::ir::RelayExpr;
using namespace kiln;

ffi::Array<PrimExpr> clay_calls(PrimExpr x) {
  return {clay::bake(x, 3), clay::blend(x, x), clay::count({x, x}), clay::join(x, x),
          clay::fire(clay::fire(x))};
}

ffi::Array<RelayExpr> glaze_calls(RelayExpr x) {
  return {glaze::soften(x, 0, true), glaze::fuse(x, x), glaze::fold(x, {0, 1}, {2}),
          glaze::where(x), glaze::template_(x)};
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(clay_calls, clay_calls);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(glaze_calls, glaze_calls);
