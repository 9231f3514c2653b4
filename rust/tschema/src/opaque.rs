//! Members of C++ classes that no other language reads.

use std::cell::UnsafeCell;
use std::fmt;
use std::mem::MaybeUninit;

/// The bytes of a member that only C++ has, after those of the gap before it: C++ makes, copies and
/// destroys the member, and may write it at any time.
#[repr(transparent)]
pub struct Opaque<const N: usize>(#[allow(dead_code)] UnsafeCell<MaybeUninit<[u8; N]>>);

impl<const N: usize> fmt::Debug for Opaque<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opaque<{N}>")
    }
}
