//! Layout, asserted at compile time.

/// Assert the size of a data class and the offsets of its own fields, in bytes.
///
/// ```
/// #[repr(C)]
/// struct Pair {
///     left: u64,
///     right: u32,
/// }
/// tschema::assert_layout!(Pair: 16, left: 0, right: 8);
/// ```
#[macro_export]
macro_rules! assert_layout {
    ($node:ident: $size:literal $(, $field:ident: $offset:literal)* $(,)?) => {
        const _: () = {
            assert!(::core::mem::size_of::<$node>() == $size);
            assert!(::core::mem::align_of::<$node>() == 8);
            $(assert!(::core::mem::offset_of!($node, $field) == $offset);)*
        };
    };
}
