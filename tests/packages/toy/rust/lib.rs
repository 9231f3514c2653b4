//! Makes and reads nodes of a package that extends uir's.

use tvm_ffi::object::ObjectRef;
use tvm_ffi::{tvm_ffi_dll_export_typed_func, Array, ObjectRefCast, ObjectRefCore, Result, String};
use uir::ir::{PrimExpr, PrimExprNode};
use uir::tir::Add;

#[path = "../generated/rust/mod.rs"]
pub mod generated;

use generated::{clamp_all, Clamp, ClampNode, Rounding};

fn init() -> Result<()> {
    uir::init()?;
    generated::init()
}

/// Construct a node, its rounding left to the default.
fn make(value: PrimExpr, bits: u8) -> Result<Clamp> {
    Clamp::builder(value, bits).build()
}

/// Construct a node, with every argument given.
fn make_rounded(value: PrimExpr, bits: u8, rounding: Rounding) -> Result<Clamp> {
    Clamp::new(value, bits, rounding, None)
}

/// Read own and inherited fields.
fn read(clamp: Clamp) -> Result<String> {
    let bits = clamp.dtype.bits;
    let has_span = clamp.span.is_some();
    Ok(format!("{} {:?} {bits} {has_span}", clamp.bits, clamp.rounding).into())
}

/// Return what is limited.
fn value(clamp: Clamp) -> Result<PrimExpr> {
    Ok(clamp.value.clone())
}

/// Call the method.
fn upper_bound(clamp: Clamp) -> Result<i64> {
    clamp.upper_bound()
}

/// Call the function.
fn clamp_twice(value: PrimExpr) -> Result<Array<Clamp>> {
    clamp_all([value.clone(), value], 4)
}

/// Take any object for an expression of uir, as a checked cast does.
fn is_prim_expr(object: ObjectRef) -> Result<bool> {
    let found = object.as_node::<PrimExprNode>().is_some();
    let cast = object.try_cast::<PrimExpr>();
    assert_eq!(found, cast.is_ok());
    Ok(found)
}

/// Make a sum of a node and itself, through the reference to its base.
fn double(clamp: Clamp) -> Result<Add> {
    let sum = Add::new(&clamp, &clamp, None)?;
    let back = sum.a.clone().try_cast::<Clamp>()?;
    assert!(back.same_as(&clamp));
    assert!(sum.a.as_node::<ClampNode>().is_some());
    Ok(sum)
}

tvm_ffi_dll_export_typed_func!(init, init);
tvm_ffi_dll_export_typed_func!(make, make);
tvm_ffi_dll_export_typed_func!(make_rounded, make_rounded);
tvm_ffi_dll_export_typed_func!(read, read);
tvm_ffi_dll_export_typed_func!(value, value);
tvm_ffi_dll_export_typed_func!(upper_bound, upper_bound);
tvm_ffi_dll_export_typed_func!(clamp_twice, clamp_twice);
tvm_ffi_dll_export_typed_func!(is_prim_expr, is_prim_expr);
tvm_ffi_dll_export_typed_func!(double, double);
