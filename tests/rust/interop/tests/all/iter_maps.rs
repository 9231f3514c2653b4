//! Iterator maps from Rust.

use tvm_ffi::{Array, DLDataType, DLDataTypeCode, Map, Result};
use uir::arith::{
    detect_iter_map, domain_touched, estimate_region_lower_bound, inverse_affine_iter_map,
    subspace_divide, Analyzer,
};
use uir::ir::{IntImm, PointerType, PrimExpr, PrimType, Range};
use uir::tir::{Add, Buffer, BufferStore, FloorDiv, FloorMod, For, ForKind, Mul, Var, LT};

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

#[test]
fn a_tile_is_divided() -> Result<()> {
    uir::init()?;
    let i = Var::builder("i").build()?;
    let j = Var::builder("j").build()?;
    let range = Range::builder(int32(0)?, int32(8)?).build()?;
    let rows = Mul::new(i.clone(), int32(8)?, None)?;
    let index: PrimExpr = Add::new(rows, j.clone(), None)?.into();
    let domains = Map::from_iter([(i, range.clone()), (j.clone(), range)]);
    let inner = Array::new(vec![j]);
    let found = subspace_divide(
        Array::new(vec![index]),
        domains,
        inner,
        None,
        "bijective",
        true,
        None,
    )?;
    let extent = found.inner.get(0)?.extent.clone();
    assert!(Analyzer::new().can_prove_equal(extent, int32(8)?)?);
    assert_eq!(found.errors.len(), 0);
    Ok(())
}

#[test]
fn a_loop_touches_what_it_stores() -> Result<()> {
    uir::init()?;
    let i = Var::builder("i").build()?;
    let dtype = DLDataType::new(DLDataTypeCode::kDLInt, 32, 1);
    let handle = DLDataType::new(DLDataTypeCode::kDLOpaqueHandle, 64, 1);
    let element = PrimType::new(dtype, None);
    let data = Var::builder("data")
        .dtype(handle)
        .type_annotation(PointerType::builder(element).build())
        .build()?;
    let buffer = Buffer::builder(data, dtype, [int32(64)?]).build()?;
    let store = BufferStore::new(&buffer, int32(1)?, [i.clone()], None, None)?;
    let body = For::builder(i, int32(2)?, int32(8)?, ForKind::SERIAL, store).build()?;
    let touched = domain_touched(body.clone(), buffer.clone(), false, true, None)?;
    let last = touched.get(0)?.max_value.clone().unwrap();
    assert!(Analyzer::new().can_prove_equal(last, int32(9)?)?);
    assert_eq!(domain_touched(body, buffer, true, false, None)?.len(), 0);
    Ok(())
}
