# Half of what compiling libuir without optimization takes is reading these headers.
cmake_language(
  DEFER CALL target_precompile_headers uir PRIVATE
  <algorithm> <unordered_map> <unordered_set> <tvm/ffi/tvm_ffi.h> <tschema/registry.h> <uir/tir/stmt.h>
  <uir/transform/pass.h>
)
cmake_language(DEFER CALL target_precompile_headers tschema PRIVATE <tvm/ffi/tvm_ffi.h>)
