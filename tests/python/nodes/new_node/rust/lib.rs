//! Makes and reads the new node, and calls the new operator.

use tvm_ffi::{tvm_ffi_dll_export_typed_func, Any, Array, Result};
use uir::ir::{PrimExpr, RelayExpr};
use uir::relay;
use uir::tir::Repeat;

fn init() -> Result<()> {
    uir::init()
}

fn make(value: PrimExpr, times: u8) -> Result<Repeat> {
    Ok(Repeat::builder(value.dtype, value, times).build())
}

fn read(repeat: Repeat) -> Result<Array<Any>> {
    Ok(Array::new(vec![
        Any::from(repeat.dtype),
        Any::from(repeat.value.clone()),
        Any::from(repeat.times),
        Any::from(repeat.label.clone()),
    ]))
}

fn softsign(x: RelayExpr) -> Result<RelayExpr> {
    relay::softsign(&x).build()
}

tvm_ffi_dll_export_typed_func!(init, init);
tvm_ffi_dll_export_typed_func!(softsign, softsign);
tvm_ffi_dll_export_typed_func!(make, make);
tvm_ffi_dll_export_typed_func!(read, read);
