//! The backtrace of an error has the frames of the caller, and not those of the libraries.

use uir::ffi::{DLDataType, DLDataTypeCode, Result};
use uir::ir::IntImm;
use uir::tir::Add;

fn sum_of_unlike() -> Result<Add> {
    let int = |bits| DLDataType::new(DLDataTypeCode::kDLInt, bits, 1);
    let (a, b) = (
        IntImm::new(int(32), 1, None)?,
        IntImm::new(int(64), 2, None)?,
    );
    Add::new(a, b, None)
}

#[test]
fn only_frames_of_the_user_are_shown() -> Result<()> {
    uir::init()?;
    let error = sum_of_unlike().expect_err("the data types differ");
    let frames: Vec<&str> = error.backtrace().lines().collect();
    assert!(frames[0].contains("tests/all/backtrace.rs"), "{frames:?}");
    assert!(frames[0].contains("sum_of_unlike"), "{frames:?}");
    assert!(
        frames
            .iter()
            .all(|frame| frame.contains("tests/all/backtrace.rs")),
        "{frames:?}"
    );
    let shown = error.to_string();
    assert!(
        shown.starts_with("Traceback (most recent call last):\n"),
        "{shown}"
    );
    assert!(shown.contains("TypeError: Add: operands `a` and `b` must have the same data type"));
    Ok(())
}
