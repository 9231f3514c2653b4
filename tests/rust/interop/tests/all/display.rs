//! What the custom regions of the generated code add: `Display`.

use uir::ffi::{DLDataType, DLDataTypeCode};
use uir::ir::{FloatImm, GlobalVar, IntImm, SourceName, Span, StringImm};
use uir::tir::Var;

#[test]
fn constants_and_names_are_shown_as_they_are_written() {
    let int32 = DLDataType::new(DLDataTypeCode::kDLInt, 32, 1);
    let float32 = DLDataType::new(DLDataTypeCode::kDLFloat, 32, 1);
    assert_eq!(IntImm::new(int32, -7, None).unwrap().to_string(), "-7");
    assert_eq!(
        FloatImm::new(float32, 0.5, None).unwrap().to_string(),
        "0.5"
    );
    assert_eq!(StringImm::new("a\n", None).unwrap().to_string(), r#""a\n""#);
    assert_eq!(GlobalVar::new("main", None).to_string(), "@main");
    assert_eq!(Var::builder("x").build().unwrap().to_string(), "x");
}

#[test]
fn a_span_is_shown_as_editors_read_it() {
    let span = Span::builder(SourceName::new("a.py"), 3, 4)
        .build()
        .unwrap();
    assert_eq!(span.to_string(), "a.py:3:4");
}
