//! Enums: integers with names, kept where they have none.

use tvm_ffi::{Any, Array, Function, Optional, String};
use uir::tir::ForKind;

#[test]
fn a_member_has_its_name() {
    assert_eq!(format!("{:?}", ForKind::PARALLEL), "PARALLEL");
    assert!(ForKind::PARALLEL.is_known());
}

#[test]
fn an_unknown_value_is_kept() {
    let kind = ForKind::try_from(Any::from(40i64)).unwrap();
    assert_eq!(format!("{kind:?}"), "ForKind(40)");
    assert!(!kind.is_known());
}

#[test]
fn a_value_beyond_32_bits_is_refused_not_truncated() {
    let error = ForKind::try_from(Any::from(1i64 << 40)).unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot convert from type `int` to `ForKind`"
    );
    assert!(ForKind::try_from(Any::from(String::from("SERIAL"))).is_err());
}

#[test]
fn enums_travel_in_containers_optionals_and_calls() {
    let kinds = tschema::array([ForKind::SERIAL, ForKind::UNROLLED]);
    let back = Array::<ForKind>::try_from(Any::from(kinds)).unwrap();
    assert_eq!(back.get(1).unwrap(), ForKind::UNROLLED);
    assert_eq!(Optional::some(ForKind::SERIAL).get(), Some(ForKind::SERIAL));
    let echo = Function::from_typed(|kind: ForKind| Ok(kind));
    let result = echo.call_tuple((ForKind::SERIAL,)).unwrap();
    assert_eq!(ForKind::try_from(result).unwrap(), ForKind::SERIAL);
}
