//! The engines of libtschema: structural equality and hash, serialization, copies and text.
//!
//! Each function takes any value that tvm-ffi carries: a node, a container, a plain value.

use crate::call;
use crate::ffi::{Any, AnyCompatible, AnyView, Array, Bytes, Error, Result, String};

/// Return whether two values are structurally equal, up to alpha-equivalence.
///
/// With `map_free_vars`, free variables may differ too, if they correspond one to one; without it
/// such a variable equals itself only.
///
/// # Errors
///
/// A type without structural behaviour is among the objects.
pub fn structural_equal<A, B>(lhs: &A, rhs: &B, map_free_vars: bool) -> Result<bool>
where
    A: AnyCompatible,
    B: AnyCompatible,
{
    call!(
        "tschema.structural_equal",
        AnyView::from(lhs),
        AnyView::from(rhs),
        map_free_vars
    )
}

/// Return the structural hash, which is consistent with [`structural_equal`].
///
/// It is the one that tvm-ffi computes, and the same in every process for a value without
/// unbound variables.
///
/// # Errors
///
/// A type without structural behaviour is among the objects.
pub fn structural_hash<A: AnyCompatible>(value: &A, map_free_vars: bool) -> Result<u64> {
    let hash: i64 = call!(
        "tschema.structural_hash",
        AnyView::from(value),
        map_free_vars
    )?;
    Ok(hash as u64)
}

/// Return the first mismatch of two values as text: `<root>.body.value: 1 != 2`; None if they are
/// equal.
///
/// # Errors
///
/// As [`structural_equal`].
pub fn first_mismatch<A, B>(lhs: &A, rhs: &B, map_free_vars: bool) -> Result<Option<String>>
where
    A: AnyCompatible,
    B: AnyCompatible,
{
    let mismatch: Option<Array<Any>> = call!(
        "tschema.first_mismatch",
        AnyView::from(lhs),
        AnyView::from(rhs),
        map_free_vars
    )?;
    mismatch
        .map(|parts| parts.get(2).and_then(String::try_from))
        .transpose()
}

/// Save a graph as JSON, in the schema of tvm-ffi's serializer; shared objects stay shared.
///
/// # Errors
///
/// An object cannot be saved, such as a function.
pub fn save_json<A: AnyCompatible>(value: &A) -> Result<String> {
    call!("tschema.save_json", AnyView::from(value))
}

/// Load a graph from JSON.
///
/// # Errors
///
/// The text is malformed, or does not fit the types; the message has the position.
pub fn load_json<T>(text: &str) -> Result<T>
where
    T: TryFrom<Any, Error = Error>,
{
    call!("tschema.load_json", String::from(text))
}

/// Save a graph in the binary form, which is compact and versioned; shared objects stay shared.
///
/// # Errors
///
/// An object cannot be saved, such as a function.
pub fn save_binary<A: AnyCompatible>(value: &A) -> Result<Bytes> {
    call!("tschema.save_binary", AnyView::from(value))
}

/// Load a graph from the binary form.
///
/// # Errors
///
/// The bytes are malformed, or do not fit the types; the message has the position.
pub fn load_binary<T>(bytes: &[u8]) -> Result<T>
where
    T: TryFrom<Any, Error = Error>,
{
    call!("tschema.load_binary", Bytes::from(bytes))
}

/// Make a deep copy of a value, with the same sharing.
///
/// # Errors
///
/// An object cannot be copied.
pub fn deep_copy<T>(value: &T) -> Result<T>
where
    T: AnyCompatible + TryFrom<Any, Error = Error>,
{
    call!("tschema.deep_copy", AnyView::from(value))
}

/// Write a value as text, as tvm-ffi's `repr` does, at any depth.
///
/// # Errors
///
/// A hand-written representation fails.
pub fn repr<A: AnyCompatible>(value: &A) -> Result<String> {
    call!("tschema.repr", AnyView::from(value))
}
