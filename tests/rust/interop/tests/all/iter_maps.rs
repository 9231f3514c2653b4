//! Iterator maps from Rust.

use tvm_ffi::{Array, DLDataType, DLDataTypeCode, Map, Result};
use uir::arith::{detect_iter_map, estimate_region_lower_bound, inverse_affine_iter_map, Analyzer};
use uir::ir::{IntImm, PrimExpr, Range};
use uir::tir::{FloorDiv, FloorMod, Var, LT};

fn int32(value: i64) -> Result<PrimExpr> {
    let dtype = DLDataType::new(DLDataTypeCode::kDLInt, 32, 1);
    Ok(IntImm::new(dtype, value, None)?.into())
}

#[test]
fn a_split_has_an_inverse() -> Result<()> {
    uir::init()?;
    let i = Var::builder("i").build()?;
    let range = Range::builder(int32(0)?, int32(24)?).build()?;
    let high: PrimExpr = FloorDiv::new(i.clone(), int32(6)?, None)?.into();
    let low: PrimExpr = FloorMod::new(i.clone(), int32(6)?, None)?.into();
    let indices = Array::new(vec![high.clone(), low.clone()]);
    let domains = Map::from_iter([(i.clone(), range)]);
    let found = detect_iter_map(indices, domains, None, "bijective", true, None)?;
    let outputs = Array::new(vec![high, low]);
    let inverse = inverse_affine_iter_map(found.indices.clone(), outputs)?;
    let again = inverse.get(&i)?.unwrap();
    assert!(Analyzer::new().can_prove_equal(again, i)?);
    Ok(())
}

#[test]
fn a_region_covers_an_interval() -> Result<()> {
    uir::init()?;
    let i = Var::builder("i").build()?;
    let domain = Range::builder(int32(0)?, int32(8)?).build()?;
    let region = Array::new(vec![Range::builder(i.clone(), int32(3)?).build()?]);
    let inside = LT::new(i.clone(), int32(6)?, None)?;
    let covered = estimate_region_lower_bound(region, Map::from_iter([(i, domain)]), inside, None)?;
    let last = covered.unwrap().get(0)?.max_value.clone().unwrap();
    assert!(Analyzer::new().can_prove_equal(last, int32(7)?)?);
    Ok(())
}
