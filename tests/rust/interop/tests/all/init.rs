//! What `init` checks: the library, and that both sides have the same layouts.

use tschema::check;

#[test]
fn the_library_is_the_one_this_code_is_for() {
    uir::init().unwrap();
    uir::init().unwrap();
}

#[test]
fn a_package_without_a_library_is_refused() {
    let error = check("nobody", &[]).unwrap_err();
    assert_eq!(
        error.message(),
        "the compiled library of package `nobody` is not loaded; load libnobody first"
    );
}

#[test]
fn types_of_another_layout_are_all_named() {
    let digests = [
        ("uir.ir.IntImm", "0000000000000000"),
        ("uir.ir.NoSuch", "1111111111111111"),
        ("ffi.Array", "2222222222222222"),
    ];
    let error = check("uir", &digests).unwrap_err();
    let mut lines = error.message().lines();
    assert_eq!(
        lines.next(),
        Some(
            "the Rust code of package `uir` is not that of the library that is loaded; \
             rebuild both"
        )
    );
    let int_imm = lines.next().unwrap();
    assert!(
        int_imm.starts_with("type `uir.ir.IntImm`: layout digest "),
        "{int_imm}"
    );
    assert!(
        int_imm.ends_with(", expected 0000000000000000"),
        "{int_imm}"
    );
    assert_eq!(lines.next(), Some("type `uir.ir.NoSuch`: not registered"));
    let array = "type `ffi.Array`: registered by code that does not use tschema";
    assert_eq!(lines.next(), Some(array));
    assert_eq!(lines.next(), None);
}
