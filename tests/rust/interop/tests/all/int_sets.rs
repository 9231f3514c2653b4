//! Sets of integers from Rust.

use tvm_ffi::{Array, DLDataType, DLDataTypeCode, Map, Result};
use uir::arith::{deduce_bound, detect_linear_equation, eval_set, nothing, Analyzer, IntSet};
use uir::ir::{IntImm, PrimExpr};
use uir::tir::{Add, Mul, Var, LE};

fn int32(value: i64) -> Result<PrimExpr> {
    let dtype = DLDataType::new(DLDataTypeCode::kDLInt, 32, 1);
    Ok(IntImm::new(dtype, value, None)?.into())
}

#[test]
fn a_set_has_the_ends_of_its_values() -> Result<()> {
    uir::init()?;
    let i = Var::builder("i").build()?;
    let domain = IntSet::new(Some(int32(-1)?), Some(int32(7)?))?;
    let product = Mul::new(i.clone(), int32(3)?, None)?;
    let values = eval_set(product, Map::from_iter([(i, domain)]), None)?;
    let analyzer = Analyzer::new();
    for (end, value) in [(&values.min_value, -3), (&values.max_value, 21)] {
        assert!(analyzer.can_prove_equal(end.clone().unwrap(), int32(value)?)?);
    }
    assert!(nothing()?.is_nothing()?);
    Ok(())
}

#[test]
fn a_condition_bounds_its_variable() -> Result<()> {
    uir::init()?;
    let i = Var::builder("i").build()?;
    let sum = Add::new(Mul::new(i.clone(), int32(3)?, None)?, int32(2)?, None)?;
    let parts = detect_linear_equation(&sum, Array::new(vec![i.clone()]))?;
    assert_eq!(parts.len(), 2);
    let inside = deduce_bound(
        &i,
        LE::new(sum, int32(9)?, None)?,
        Map::default(),
        Map::default(),
    )?;
    let last = inside.max_value.clone().unwrap();
    assert!(inside.min_value.is_none());
    assert!(Analyzer::new().can_prove_equal(last, int32(2)?)?);
    Ok(())
}
