//! Fields that may be written after construction, from any language.

use std::cell::UnsafeCell;
use std::fmt;

use crate::container::raw;
use crate::ffi::tvm_ffi_sys::{TVMFFIFieldFlagBitMask, TVMFFIFieldSetter};
use crate::ffi::{check_safe_call, Any, Error, ObjectCore, Result, ATTRIBUTE_ERROR};
use crate::type_table::fields;

/// A field of a mutable type: read by value, since others may write it; written by the type's
/// `set_` methods.
#[repr(transparent)]
pub struct Mutable<T>(UnsafeCell<T>);

impl<T: Clone> Mutable<T> {
    /// Return the value as it is now.
    pub fn get(&self) -> T {
        // SAFETY: objects of mutable types are not shared between threads (`UnsafeCell`), and the
        // field is not written while it is cloned.
        unsafe { (*self.0.get()).clone() }
    }
}

impl<T: Clone + fmt::Debug> fmt::Debug for Mutable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// Write a field that `N` itself declares, through the setter of the type's owner.
///
/// # Errors
///
/// The owner rejects the value, or has no such field.
pub fn set_field<N: ObjectCore>(node: &N, name: &str, value: impl Into<Any>) -> Result<()> {
    let is_function = TVMFFIFieldFlagBitMask::kTVMFFIFieldFlagBitSetterIsFunctionObj as i64;
    let field = fields(N::type_index()).find(|field| field.name.as_str() == name);
    let Some(field) = field.filter(|field| field.flags & is_function == 0) else {
        let message = format!("`{}` has no field `{name}` to be set", N::TYPE_KEY);
        return Err(Error::new(ATTRIBUTE_ERROR, &message, ""));
    };
    let value = value.into();
    // SAFETY: the owner registered offset and setter for objects of this type; the field is a
    // `Mutable`, so that there is no reference into it.
    unsafe {
        let setter: TVMFFIFieldSetter = std::mem::transmute(field.setter);
        let address = std::ptr::from_ref(node)
            .cast_mut()
            .byte_offset(field.offset as isize);
        check_safe_call!(setter(address.cast(), raw(&value)))
    }
}
