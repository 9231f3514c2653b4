//! Operators from Rust: registered once, with attributes, and errors that name both places.

use tvm_ffi::Result;
use uir::ir::{get_op, has_op, list_op_names, Op};

#[test]
fn an_operator_is_registered_with_attributes() -> Result<()> {
    uir::init()?;
    let op = Op::builder("rust_tests.square").build()?.register()?;
    let op = op.set_attr("TCost", 7)?;
    assert!(has_op("rust_tests.square")?);
    assert_eq!(
        get_op("rust_tests.square")?.name.as_str(),
        "rust_tests.square"
    );
    assert_eq!(i64::try_from(op.get_attr("TCost")?)?, 7);
    assert!(list_op_names()?.len() > 30);
    Ok(())
}

#[test]
fn a_second_one_names_both_places() -> Result<()> {
    uir::init()?;
    Op::builder("rust_tests.twice").build()?.register()?;
    let first = line!() - 1;
    let twice = Op::builder("rust_tests.twice").build()?;
    let second = line!() + 1;
    let error = twice.register().unwrap_err();
    for place in [first, second] {
        let place = format!("operators.rs:{place}");
        assert!(error.message().contains(&place), "{}", error.message());
    }
    let error = Op::builder("tir.exp").build()?.register().unwrap_err();
    assert!(
        error.message().contains("at schema/tir/math.py"),
        "{}",
        error.message()
    );
    Ok(())
}

#[test]
fn a_name_nearly_right_is_told() -> Result<()> {
    uir::init()?;
    let error = get_op("tir.sqrtt").unwrap_err();
    assert!(
        error.message().contains("did you mean `tir.sqrt`"),
        "{}",
        error.message()
    );
    Ok(())
}
