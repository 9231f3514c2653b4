//! Implementations for object references that tvm-ffi's macros omit.

use std::fmt;

use crate::ffi::{AnyCompatible, ObjectCore, ObjectRefCore};
use crate::structural::repr;

/// Write an object as tvm-ffi's `repr` does.
///
/// # Errors
///
/// The formatter fails.
pub fn fmt_object<R: ObjectRefCore + AnyCompatible>(
    reference: &R,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    match repr(reference) {
        Ok(text) => f.write_str(text.as_str()),
        Err(_) => f.write_str(R::ContainerType::TYPE_KEY),
    }
}

/// Implement `Debug` and [`NodeRef`](crate::NodeRef) for a reference that `def_object_ref!` makes, and
/// conversions to ancestors beyond the parent.
///
/// # Safety
///
/// As for `tvm_ffi::impl_object_upcast!`: each target is an ancestor of the type.
#[macro_export]
macro_rules! impl_object_ref {
    ($reference:ident $(: $ancestor:ty $(, $more:ty)*)?) => {
        $($crate::ffi::impl_object_upcast!($reference => $ancestor $(, $reference => $more)*);)?

        // SAFETY: `def_object_ref!` makes the reference one pointer to its object.
        unsafe impl $crate::NodeRef for $reference {}

        impl ::std::fmt::Debug for $reference {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                $crate::fmt_object(self, f)
            }
        }
    };
}
