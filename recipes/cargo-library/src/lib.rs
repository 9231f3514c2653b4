//! The functions of the compiled network, with the types that they have in Rust.

use std::ffi::c_void;
use std::ptr::null_mut;

use tvm_ffi::tvm_ffi_sys::TVMFFIAny;
use tvm_ffi::{Function, Result, Tensor};

extern "C" {
    fn __tvm_ffi_predict(
        handle: *mut c_void,
        args: *const TVMFFIAny,
        num_args: i32,
        result: *mut TVMFFIAny,
    ) -> i32;
}

/// The probabilities of each digit for images of 8 x 8 pixels, a row each.
///
/// # Errors
/// If the tensor does not have rows of 64 numbers of type `f32`.
pub fn predict(pixels: &Tensor) -> Result<Tensor> {
    // SAFETY: The library has this function, with the signature that tvm-ffi calls.
    let function = unsafe { Function::from_extern_c(null_mut(), __tvm_ffi_predict, None) };
    function.call_tuple((pixels,))?.try_into()
}
