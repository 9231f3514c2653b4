//! Iterator maps from Rust.

use tvm_ffi::{Array, DLDataType, DLDataTypeCode, Map, Result};
use uir::arith::{detect_iter_map, inverse_affine_iter_map, Analyzer};
use uir::ir::{IntImm, PrimExpr, Range};
use uir::tir::{FloorDiv, FloorMod, Var};

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
