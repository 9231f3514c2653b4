//! How deep and how wide the large objects of the tests are.

/// Levels, or children: a million in `make test-deep`. A recursion on a stack of 8 MB ends far below
/// the usual number.
pub fn levels() -> usize {
    let is_deep = std::env::var("TSCHEMA_DEPTH").is_ok_and(|factor| factor != "1");
    if is_deep {
        1_000_000
    } else {
        200_000
    }
}
