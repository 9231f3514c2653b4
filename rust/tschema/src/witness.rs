//! Whether a reference is still to the same object, without keeping other references from being the
//! only holder.

use std::ffi::c_void;
use std::sync::atomic::{fence, Ordering};

use crate::cast::header;
use crate::ffi::tvm_ffi_sys::TVMFFIObjectDeleterFlagBitMask;
use crate::ffi::{ObjectRefCore, TVMFFIObject};

const ONE_WEAK: u64 = 1 << 32;

/// A weak reference: while it is there, no other object has the address, but the object may be
/// destroyed or written by its only holder.
pub struct Witness(*mut TVMFFIObject);

impl Witness {
    /// Remember an object.
    pub fn of(reference: &impl ObjectRefCore) -> Self {
        let object = header(reference);
        // SAFETY: the reference keeps the object alive.
        let count = unsafe { &(*object).combined_ref_count };
        count.fetch_add(ONE_WEAK, Ordering::Relaxed);
        Self(object)
    }

    /// Whether a reference is to the object.
    pub fn is(&self, reference: &impl ObjectRefCore) -> bool {
        header(reference) == self.0
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        // SAFETY: the weak reference keeps the header alive. Its last holder frees the memory, as
        // tvm-ffi's own weak references do.
        unsafe {
            let count = (*self.0)
                .combined_ref_count
                .fetch_sub(ONE_WEAK, Ordering::Release);
            if count >> 32 != 1 {
                return;
            }
            fence(Ordering::Acquire);
            if let Some(deleter) = (*self.0).deleter {
                let weak =
                    TVMFFIObjectDeleterFlagBitMask::kTVMFFIObjectDeleterFlagBitMaskWeak as i32;
                deleter(self.0.cast::<c_void>(), weak);
            }
        }
    }
}
