//! The steps of a simplification from Rust.

use tvm_ffi::{DLDataType, DLDataTypeCode, Result};
use uir::arith::{Analyzer, StepMethod};
use uir::ir::{IntImm, PrimExpr, Range};
use uir::tir::{FloorDiv, Var};

fn int32(value: i64) -> Result<PrimExpr> {
    let dtype = DLDataType::new(DLDataTypeCode::kDLInt, 32, 1);
    Ok(IntImm::new(dtype, value, None)?.into())
}

#[test]
fn a_step_tells_its_rule_and_its_facts() -> Result<()> {
    uir::init()?;
    let j = Var::builder("j").build()?;
    let analyzer = Analyzer::new();
    analyzer.bind_range(&j, Range::new(int32(0)?, int32(4)?, None)?)?;
    let explanation = analyzer.explain(FloorDiv::new(j, int32(4)?, None)?)?;
    assert_eq!(explanation.steps.len(), 1);
    let step = explanation.steps.get(0)?;
    assert!(step.method == StepMethod::RULE);
    assert_eq!(step.facts.len(), 2);
    assert!(explanation.text()?.as_str().ends_with("\n= 0"));
    Ok(())
}
