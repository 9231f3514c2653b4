// Makes and reads the new node, and calls the new operator.
#include <tvm/ffi/function.h>
#include <uir/relay/activation.h>
#include <uir/tir/expr.h>

namespace ffi = tvm::ffi;
using uir::tir::Repeat;

Repeat make(uir::ir::PrimExpr value, uint8_t times) { return Repeat(value->dtype, value, times); }

ffi::Array<ffi::Any> read(Repeat repeat) {
  return {repeat->dtype, repeat->value, repeat->times, repeat->label};
}

uir::ir::RelayExpr softsign(uir::ir::RelayExpr x) { return uir::relay::softsign(x); }

TVM_FFI_DLL_EXPORT_TYPED_FUNC(make, make);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(softsign, softsign);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(read, read);
