//! The engines of libtschema, called from Rust: they agree with themselves and with any depth.

use std::thread;

use uir::ffi::object::{ObjectRef, ObjectRefCore};
use uir::ffi::{Array, DLDataType, DLDataTypeCode, Result};
use uir::ir::{get_op, IntImm, IntImmNode, Op, PrimExpr};
use uir::tir::{Add, Let, Var};

use crate::depth::levels;

fn int32() -> DLDataType {
    DLDataType::new(DLDataTypeCode::kDLInt, 32, 1)
}

fn constant(value: i64) -> Result<PrimExpr> {
    Ok(IntImm::new(int32(), value, None)?.into())
}

/// `let name = 1 in name + last`.
fn binding(name: &str, last: i64) -> Result<Let> {
    let var = Var::builder(name).dtype(int32()).build()?;
    let body = Add::new(var.clone(), constant(last)?, None)?;
    Let::new(var, constant(1)?, body, None)
}

fn chain(depth: usize) -> Result<PrimExpr> {
    let one = constant(1)?;
    let mut expr = one.clone();
    for _ in 0..depth {
        expr = Add::new(expr, one.clone(), None)?.into();
    }
    Ok(expr)
}

#[test]
fn bound_variables_are_compared_by_place() -> Result<()> {
    uir::init()?;
    let (x, y) = (binding("x", 2)?, binding("y", 2)?);
    assert!(tschema::structural_equal(&x, &y, false)?);
    assert_eq!(
        tschema::structural_hash(&x, false)?,
        tschema::structural_hash(&y, false)?
    );
    assert_eq!(tschema::first_mismatch(&x, &y, false)?, None);
    Ok(())
}

#[test]
fn a_difference_is_located() -> Result<()> {
    uir::init()?;
    let (x, y) = (binding("x", 2)?, binding("x", 3)?);
    assert!(!tschema::structural_equal(&x, &y, false)?);
    let text = tschema::first_mismatch(&x, &y, false)?.expect("they differ");
    assert!(text.as_str().contains(".body.b.value"), "{}", text.as_str());
    Ok(())
}

#[test]
fn graphs_are_saved_and_loaded() -> Result<()> {
    uir::init()?;
    let expr = binding("x", 2)?;
    let from_json: Let = tschema::load_json(tschema::save_json(&expr)?.as_str())?;
    let from_binary: Let = tschema::load_binary(tschema::save_binary(&expr)?.as_slice())?;
    assert!(tschema::structural_equal(&expr, &from_json, false)?);
    assert!(tschema::structural_equal(&expr, &from_binary, false)?);
    Ok(())
}

#[test]
fn malformed_input_is_an_error() -> Result<()> {
    uir::init()?;
    assert!(tschema::load_json::<Let>("{\"nodes\": [").is_err());
    assert!(tschema::load_binary::<Let>(b"no such form").is_err());
    Ok(())
}

#[test]
fn copies_are_equal_and_other_objects() -> Result<()> {
    uir::init()?;
    let expr = binding("x", 2)?;
    let copy = tschema::deep_copy(&expr)?;
    assert!(!copy.same_as(&expr));
    assert!(tschema::structural_equal(&expr, &copy, false)?);
    Ok(())
}

#[test]
fn a_walk_comes_to_every_object_once() -> Result<()> {
    uir::init()?;
    let one = constant(1)?;
    let sum = Add::new(one.clone(), one, None)?;
    let mut values = Vec::new();
    let visit = |object: &ObjectRef| {
        values.extend(object.as_node::<IntImmNode>().map(|node| node.value));
        tschema::WalkAction::Advance
    };
    assert!(tschema::walk(&sum, tschema::WalkOrder::PostOrder, visit)?);
    assert_eq!(values, [1]);
    Ok(())
}

#[test]
fn a_walk_ends_when_asked_to() -> Result<()> {
    uir::init()?;
    let mut count = 0;
    let is_complete = tschema::walk(&chain(5)?, tschema::WalkOrder::PreOrder, |_| {
        count += 1;
        tschema::WalkAction::Interrupt
    })?;
    assert!(!is_complete);
    assert_eq!(count, 1);
    Ok(())
}

#[test]
fn a_panic_of_a_callback_goes_through() {
    uir::init().expect("libuir is loaded");
    let expr = chain(2).expect("a chain is made");
    let result = std::panic::catch_unwind(|| {
        tschema::walk(&expr, tschema::WalkOrder::PreOrder, |_| {
            panic!("out of here")
        })
    });
    let panic = result.expect_err("the panic comes back");
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"out of here"));
}

#[test]
fn an_operator_is_loaded_as_the_registered_one() -> Result<()> {
    uir::init()?;
    let op = get_op("tir.exp")?;
    let from_json: Op = tschema::load_json(tschema::save_json(&op)?.as_str())?;
    let from_binary: Op = tschema::load_binary(tschema::save_binary(&op)?.as_slice())?;
    assert!(from_json.same_as(&op) && from_binary.same_as(&op));
    assert!(tschema::deep_copy(&op)?.same_as(&op));
    Ok(())
}

/// Save, load, compare, hash, copy and walk a value that has many objects or many paths to them.
fn run_engines<T>(value: &T, objects: usize) -> Result<()>
where
    T: uir::ffi::AnyCompatible + TryFrom<uir::ffi::Any, Error = uir::ffi::Error>,
{
    let from_json: T = tschema::load_json(tschema::save_json(value)?.as_str())?;
    let from_binary: T = tschema::load_binary(tschema::save_binary(value)?.as_slice())?;
    assert!(tschema::structural_equal(&from_json, &from_binary, false)?);
    assert_eq!(
        tschema::structural_hash(value, false)?,
        tschema::structural_hash(&tschema::deep_copy(value)?, false)?
    );
    let mut count = 0;
    tschema::walk(value, tschema::WalkOrder::PostOrder, |_| {
        count += 1;
        tschema::WalkAction::Advance
    })?;
    assert_eq!(count, objects);
    Ok(())
}

#[test]
fn shared_parts_are_visited_once() -> Result<()> {
    uir::init()?;
    let mut expr = constant(1)?;
    for _ in 0..60 {
        expr = Add::new(expr.clone(), expr, None)?.into();
    }
    run_engines(&expr, 61)
}

#[test]
fn very_many_children() -> Result<()> {
    uir::init()?;
    let count = levels();
    let values = (0..count as i64).map(constant);
    let wide: Array<PrimExpr> = tschema::array(values.collect::<Result<Vec<_>>>()?);
    run_engines(&wide, count + 1)
}

/// Run every engine on a value that is very deep.
fn run_engines_deep() -> Result<()> {
    uir::init()?;
    let depth = levels();
    let (deep, other) = (chain(depth)?, chain(depth)?);
    assert!(tschema::structural_equal(&deep, &other, false)?);
    let hash = tschema::structural_hash(&deep, false)?;
    assert_eq!(hash, tschema::structural_hash(&other, false)?);
    let mut count = 0;
    tschema::walk(&deep, tschema::WalkOrder::PreOrder, |_| {
        count += 1;
        tschema::WalkAction::Advance
    })?;
    assert_eq!(count, depth + 1);
    let from_json: PrimExpr = tschema::load_json(tschema::save_json(&deep)?.as_str())?;
    assert!(tschema::structural_equal(&deep, &from_json, false)?);
    let from_binary: PrimExpr = tschema::load_binary(tschema::save_binary(&deep)?.as_slice())?;
    assert!(tschema::structural_equal(&deep, &from_binary, false)?);
    assert!(tschema::structural_equal(
        &deep,
        &tschema::deep_copy(&deep)?,
        false
    )?);
    assert!(tschema::repr(&deep)?.as_str().len() > depth);
    let longer = Add::new(deep.clone(), constant(2)?, None)?;
    assert!(tschema::first_mismatch(&deep, &longer, false)?.is_some());
    Ok(())
}

#[test]
fn no_depth_overflows_the_stack() {
    let run = || run_engines_deep().map_err(|error| error.message().to_string());
    let thread = thread::Builder::new()
        .stack_size(8 << 20)
        .spawn(run)
        .expect("a thread starts");
    thread
        .join()
        .expect("no engine overflows")
        .expect("no engine fails");
}
