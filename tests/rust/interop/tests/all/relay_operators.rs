//! Operators of relay from Rust: plain numbers, dimensions of both kinds, refusals.

use tschema::{structural_equal, Union};
use tvm_ffi::{DLDataType, DLDataTypeExt, Result};
use uir::ir::{IntImm, PrimExpr, RelayExpr, TensorType, Type};
use uir::relay::{self, Var};
use uir::script;
use uir::tir::SizeVar;

fn tensor_type(shape: impl tschema::IntoFfi<tvm_ffi::Array<PrimExpr>>) -> Result<TensorType> {
    TensorType::builder(shape, DLDataType::try_from_str("float32")?).build()
}

/// A variable of shape `(rows, 4)`.
fn variable(rows: &PrimExpr) -> Result<Var> {
    let columns = IntImm::builder(DLDataType::try_from_str("int64")?, 4).build()?;
    let shape: [PrimExpr; 2] = [rows.clone(), columns.into()];
    Var::builder("x")
        .type_annotation(tensor_type(shape)?)
        .build()
}

fn rows() -> Result<PrimExpr> {
    let dtype = DLDataType::try_from_str("int64")?;
    Ok(SizeVar::builder("n").dtype(dtype).build()?.into())
}

fn type_of(call: &RelayExpr) -> Type {
    call.checked_type.clone().expect("operands have types")
}

#[test]
fn numbers_and_expressions_are_dimensions() -> Result<()> {
    uir::init()?;
    let n = rows()?;
    let x = variable(&n)?;
    let sum = relay::add(&x, 1).build()?;
    assert!(structural_equal(
        &type_of(&sum),
        &type_of(&x.clone().into()),
        false
    )?);
    let flat = relay::reshape(&sum, [-1]).build()?;
    let same = relay::reshape(&flat, [Union::from(n.clone()), Union::from(4)]).build()?;
    assert!(structural_equal(&type_of(&same), &type_of(&sum), false)?);
    let parsed: RelayExpr = script::parse(script::print(&same)?.as_str())?;
    assert!(structural_equal(&parsed, &same, true)?);
    Ok(())
}

#[test]
fn errors_name_operator_operand_and_dimension() -> Result<()> {
    uir::init()?;
    let x = variable(&rows()?)?;
    // Not proved, and not refuted: `n == 4` is assumed.
    relay::matmul(&x, &relay::tile(&x, [1, 2]).build()?).build()?;
    let error = relay::squeeze(&x).axes([1]).build().unwrap_err();
    assert_eq!(
        error.message(),
        "relay.squeeze: operand `x`: dimension 1 is 4, expected 1 (the shape of `x` is (n, 4))"
    );
    Ok(())
}
