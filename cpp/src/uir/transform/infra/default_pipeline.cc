// The default pipeline, through a global function, because `driver` is above this library.
#include <tvm/ffi/function.h>
#include <uir/transform/pipeline.h>

namespace uir::transform {

ffi::Array<Pass> default_pipeline(ffi::Optional<target::Target> target) {
  static const auto find = ffi::Function::GetGlobalRequired("uir.driver.default_pipeline");
  return find(target).cast<ffi::Array<Pass>>();
}

}  // namespace uir::transform
