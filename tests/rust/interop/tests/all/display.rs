//! `Display` of nodes, as script, and of source locations.

use uir::ffi::{Any, DLDataType, DLDataTypeCode};
use uir::ir::{FloatImm, GlobalVar, IRModule, IntImm, PrimExpr, SourceName, Span, StringImm};
use uir::script;
use uir::tir::{Add, PrimFunc, Var};

#[test]
fn expressions_are_shown_as_script() {
    let int32 = DLDataType::new(DLDataTypeCode::kDLInt, 32, 1);
    let float32 = DLDataType::new(DLDataTypeCode::kDLFloat, 32, 1);
    let one = IntImm::new(int32, -7, None).unwrap();
    assert_eq!(one.to_string(), "-7");
    let half = FloatImm::new(float32, 0.5, None).unwrap();
    assert_eq!(half.to_string(), "0.5");
    assert_eq!(StringImm::new("a\n", None).unwrap().to_string(), r#""a\n""#);
    assert_eq!(GlobalVar::new("main", None).to_string(), "main");
    let x = Var::builder("x").build().unwrap();
    assert_eq!(x.to_string(), "x");
    let sum: PrimExpr = Add::builder(x, one).build().unwrap().into();
    assert_eq!(format!("{sum}"), "x + -7");
}

const MODULE: &str = "\
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(n: tir.int32):
        tir.evaluate(n + 1)";

#[test]
fn modules_functions_and_statements_are_shown_as_script() {
    uir::init().unwrap();
    let module: IRModule = script::parse(MODULE).unwrap();
    assert_eq!(module.to_string(), MODULE);
    let func = PrimFunc::try_from(Any::from(module.lookup("main").unwrap())).unwrap();
    assert!(func.to_string().starts_with("@tir.prim_func\ndef main("));
    assert_eq!(func.body.to_string(), "tir.evaluate(n + 1)");
}

#[test]
fn a_span_is_shown_as_editors_read_it() {
    let span = Span::builder(SourceName::new("a.py"), 3, 4)
        .build()
        .unwrap();
    assert_eq!(span.to_string(), "a.py:3:4");
}
