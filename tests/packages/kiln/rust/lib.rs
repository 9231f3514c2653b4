//! Calls of kiln's operators, for the test.

#[path = "../generated/rust/mod.rs"]
mod generated;

use generated::{clay, glaze};
use tvm_ffi::{tvm_ffi_dll_export_typed_func, Array, Result};
use uir::ir::{PrimExpr, RelayExpr};

fn init() -> Result<()> {
    generated::init()
}

fn clay_calls(x: PrimExpr) -> Result<Array<PrimExpr>> {
    let fired = clay::fire(&x).build()?;
    Ok(tschema::array([
        clay::bake(&x).low(3).build()?,
        clay::blend(&x, &x).build()?,
        clay::count([x.clone(), x.clone()]).build()?,
        clay::join(&x, &x).build()?,
        clay::fire(&fired).build()?,
    ]))
}

fn glaze_calls(x: RelayExpr) -> Result<Array<RelayExpr>> {
    Ok(tschema::array([
        glaze::soften(&x).axis(0).twice(true).build()?,
        glaze::fuse(&x, &x).build()?,
        glaze::fold(&x, [0, 1]).keep([2]).build()?,
        glaze::r#where(&x).build()?,
        glaze::template(x.clone())?,
    ]))
}

tvm_ffi_dll_export_typed_func!(init, init);
tvm_ffi_dll_export_typed_func!(clay_calls, clay_calls);
tvm_ffi_dll_export_typed_func!(glaze_calls, glaze_calls);
