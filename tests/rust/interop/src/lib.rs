//! What the Python tests call to see one object from both sides.

mod operator_calls;
mod passes;
mod walk_time;

use tvm_ffi::object::ObjectRef;
use tvm_ffi::{
    tvm_ffi_dll_export_typed_func, Array, Bytes, DLDataType, Function, ObjectArc, ObjectRefCore,
    Result, String,
};
use uir::ir::{IntImm, PrimExpr};
use uir::tir::{Add, For, ForKind, PrimExprMutator, PrimExprVisitor, Var};

/// Check that libuir is the one that this library was built for.
fn init() -> Result<()> {
    uir::init()
}

/// Take an expression and return it.
fn identity(expr: PrimExpr) -> Result<PrimExpr> {
    Ok(expr)
}

/// Return where an object is in memory.
fn address(object: ObjectRef) -> Result<i64> {
    // SAFETY: the address is only looked at.
    Ok(unsafe { ObjectArc::as_raw(ObjectRef::data(&object)) } as i64)
}

/// Read the own and the inherited fields of a constant.
fn int_imm_fields(constant: IntImm) -> Result<String> {
    let DLDataType { code, bits, lanes } = constant.dtype;
    let has_span = constant.span.is_some();
    Ok(format!("{code} {bits} {lanes} {} {has_span}", constant.value).into())
}

/// Construct a constant, a variable and their sum.
fn make_sum(name: String, dtype: DLDataType, value: i64) -> Result<Add> {
    let var = Var::builder(name).dtype(dtype).build()?;
    Add::new(var, IntImm::new(dtype, value, None)?, None)
}

/// Construct a sum of given operands; the owner refuses operands of different types.
fn add(a: PrimExpr, b: PrimExpr) -> Result<Add> {
    Add::new(a, b, None)
}

/// Return the operands of a sum.
fn operands(sum: Add) -> Result<Array<PrimExpr>> {
    Ok(tschema::array([sum.a.clone(), sum.b.clone()]))
}

/// Return the name of a loop's kind.
fn loop_kind(loop_: For) -> Result<String> {
    Ok(format!("{:?}", loop_.kind).into())
}

/// Return a loop's kind as it stands.
fn loop_kind_value(loop_: For) -> Result<ForKind> {
    Ok(loop_.kind)
}

struct Constants(Vec<i64>);

impl PrimExprVisitor for Constants {
    fn visit_int_imm(&mut self, node: &IntImm) {
        self.0.push(node.value);
    }
}

/// Return the values of the constants in an expression, in the order of a visit.
fn constants(expr: PrimExpr) -> Result<Array<i64>> {
    let mut visitor = Constants(Vec::new());
    visitor.visit_prim_expr(&expr);
    Ok(tschema::array(visitor.0))
}

struct Increment;

impl PrimExprMutator for Increment {
    fn mutate_int_imm(&mut self, node: IntImm) -> Result<PrimExpr> {
        Ok(IntImm::new(node.dtype, node.value + 1, node.span.clone())?.into())
    }
}

/// Return an expression with one added to each constant.
fn increment(expr: PrimExpr) -> Result<PrimExpr> {
    Increment.mutate_prim_expr(expr)
}

struct Rewrite(Function);

impl PrimExprMutator for Rewrite {
    fn mutate_int_imm(&mut self, node: IntImm) -> Result<PrimExpr> {
        self.0.call_tuple((node,))?.try_into()
    }
}

/// Return an expression in which a function of the caller rewrites the constants.
fn rewrite_constants(expr: PrimExpr, function: Function) -> Result<PrimExpr> {
    Rewrite(function).mutate_prim_expr(expr)
}

/// Save any object as JSON, in Rust.
fn save_json(object: ObjectRef) -> Result<String> {
    tschema::save_json(&object)
}

/// Load any object from JSON, in Rust.
fn load_json(text: String) -> Result<ObjectRef> {
    tschema::load_json(text.as_str())
}

/// Save any object in the binary form, in Rust.
fn save_binary(object: ObjectRef) -> Result<Bytes> {
    tschema::save_binary(&object)
}

/// Load any object from the binary form, in Rust.
fn load_binary(data: Bytes) -> Result<ObjectRef> {
    tschema::load_binary(data.as_slice())
}

tvm_ffi_dll_export_typed_func!(init, init);
tvm_ffi_dll_export_typed_func!(save_json, save_json);
tvm_ffi_dll_export_typed_func!(load_json, load_json);
tvm_ffi_dll_export_typed_func!(save_binary, save_binary);
tvm_ffi_dll_export_typed_func!(load_binary, load_binary);
tvm_ffi_dll_export_typed_func!(identity, identity);
tvm_ffi_dll_export_typed_func!(address, address);
tvm_ffi_dll_export_typed_func!(int_imm_fields, int_imm_fields);
tvm_ffi_dll_export_typed_func!(make_sum, make_sum);
tvm_ffi_dll_export_typed_func!(add, add);
tvm_ffi_dll_export_typed_func!(operands, operands);
tvm_ffi_dll_export_typed_func!(loop_kind, loop_kind);
tvm_ffi_dll_export_typed_func!(loop_kind_value, loop_kind_value);
tvm_ffi_dll_export_typed_func!(time_walk, walk_time::time_walk);
tvm_ffi_dll_export_typed_func!(make_call_of, operator_calls::make_call_of);
tvm_ffi_dll_export_typed_func!(call_global, operator_calls::call_global);
tvm_ffi_dll_export_typed_func!(constants, constants);
tvm_ffi_dll_export_typed_func!(increment, increment);
tvm_ffi_dll_export_typed_func!(rewrite_constants, rewrite_constants);
