//! The two walks in turns on one tree: what the benchmarks call.

use std::time::Instant;

use tvm_ffi::extra::structural_visit::{structural_walk, WalkOrder, WalkResult};
use tvm_ffi::extra::StructuralView;
use tvm_ffi::{Array, DLDataType, DLDataTypeCode, Result};
use uir::ir::{IntImm, PrimExpr};
use uir::tir::Add;

fn tree(depth: i64, dtype: DLDataType, next: &mut i64) -> Result<PrimExpr> {
    if depth == 0 {
        *next += 1;
        return Ok(IntImm::new(dtype, *next, None)?.into());
    }
    let a = tree(depth - 1, dtype, next)?;
    let b = tree(depth - 1, dtype, next)?;
    Ok(Add::new(a, b, None)?.into())
}

fn count_ours(root: &PrimExpr) -> Result<i64> {
    let mut count = 0;
    tschema::walk(root, tschema::WalkOrder::PreOrder, |_| {
        count += 1;
        tschema::WalkAction::Advance
    })?;
    Ok(count)
}

fn count_peer(root: &PrimExpr) -> Result<i64> {
    let mut count = 0;
    let visit = |_: &StructuralView| {
        count += 1;
        WalkResult::Advance
    };
    structural_walk(root, visit, WalkOrder::PreOrder)?;
    Ok(count)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Return nanoseconds a node, ours and tvm-ffi's, on a tree of `2^(depth + 1) - 1` nodes.
pub fn time_walk(depth: i64, rounds: i64) -> Result<Array<f64>> {
    let root = tree(
        depth,
        DLDataType::new(DLDataTypeCode::kDLInt, 32, 1),
        &mut 0,
    )?;
    let num_nodes = ((2_i64 << depth) - 1) as f64;
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        for (side, count) in [count_ours, count_peer].into_iter().enumerate() {
            let start = Instant::now();
            std::hint::black_box(count(&root)?);
            times[side].push(start.elapsed().as_secs_f64() * 1e9 / num_nodes);
        }
    }
    Ok(times.map(median).into_iter().collect())
}
