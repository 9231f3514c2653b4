//! Enums: integers with names, open to values that a newer owner knows.

/// Implement conversions and `Debug` of an enum: a `#[repr(transparent)]` struct over `i32`.
///
/// `impl_enum!(ForKind: SERIAL, PARALLEL)`, the members being associated constants. A value without
/// a name is kept; the owner of the type rejects it.
#[macro_export]
macro_rules! impl_enum {
    ($name:ident: $($member:ident),* $(,)?) => {
        impl $name {
            /// Whether the value is one of the declared members.
            pub const fn is_known(self) -> bool {
                false $(|| self.0 == Self::$member.0)*
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                $(if *self == Self::$member {
                    return f.write_str(stringify!($member));
                })*
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }

        // SAFETY: travels as an integer, and is read from integers of 32 bits alone.
        unsafe impl $crate::ffi::AnyCompatible for $name {
            fn type_str() -> ::std::string::String {
                stringify!($name).into()
            }

            fn type_schema() -> ::std::string::String {
                r#"{"type":"int"}"#.into()
            }

            unsafe fn copy_to_any_view(src: &Self, data: &mut $crate::ffi::TVMFFIAny) {
                unsafe { <i32 as $crate::ffi::AnyCompatible>::copy_to_any_view(&src.0, data) }
            }

            unsafe fn move_to_any(src: Self, data: &mut $crate::ffi::TVMFFIAny) {
                unsafe { <i32 as $crate::ffi::AnyCompatible>::move_to_any(src.0, data) }
            }

            unsafe fn check_any_strict(data: &$crate::ffi::TVMFFIAny) -> bool {
                unsafe {
                    <i64 as $crate::ffi::AnyCompatible>::check_any_strict(data)
                        && <i32 as ::std::convert::TryFrom<i64>>::try_from(
                            data.data_union.v_int64,
                        )
                        .is_ok()
                }
            }

            unsafe fn copy_from_any_view_after_check(data: &$crate::ffi::TVMFFIAny) -> Self {
                unsafe { Self(<i32 as $crate::ffi::AnyCompatible>::copy_from_any_view_after_check(data)) }
            }

            unsafe fn move_from_any_after_check(data: &mut $crate::ffi::TVMFFIAny) -> Self {
                unsafe { Self(<i32 as $crate::ffi::AnyCompatible>::move_from_any_after_check(data)) }
            }

            unsafe fn try_cast_from_any_view(
                data: &$crate::ffi::TVMFFIAny,
            ) -> ::std::result::Result<Self, ()> {
                unsafe {
                    let value = <i64 as $crate::ffi::AnyCompatible>::try_cast_from_any_view(data)?;
                    <i32 as ::std::convert::TryFrom<i64>>::try_from(value)
                        .map(Self)
                        .map_err(|_| ())
                }
            }
        }

        // SAFETY: an optional enum is one FFI value, as an optional integer is.
        unsafe impl $crate::ffi::OptionalCompatible for $name {}

        $crate::impl_conversions!([] $name);
    };
}
