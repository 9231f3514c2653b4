//! tvm-ffi's table of types: ancestors and fields, by type index.

use crate::ffi::tvm_ffi_sys::{TVMFFIFieldInfo, TVMFFIGetTypeInfo, TVMFFITypeInfo};

/// Return what is registered of a type, which lives as long as the process.
pub fn type_info(type_index: i32) -> &'static TVMFFITypeInfo {
    // SAFETY: an object's type is registered, and never removed.
    unsafe { &*TVMFFIGetTypeInfo(type_index) }
}

/// Return a type's ancestors, farthest first, and the type itself.
pub fn ancestors(type_index: i32) -> impl DoubleEndedIterator<Item = &'static TVMFFITypeInfo> {
    let info = type_info(type_index);
    // SAFETY: a type has as many ancestors as its depth, all registered.
    let above = unsafe { slice(info.type_acenstors, info.type_depth) };
    above
        .iter()
        .map(|ancestor| unsafe { &**ancestor })
        .chain(std::iter::once(info))
}

/// Return the name of the field of a type at an offset from the start of its objects.
pub fn field_name(type_index: i32, offset: usize) -> &'static str {
    fields(type_index)
        .find(|field| field.offset as usize == offset)
        .map_or("?", |field| field.name.as_str())
}

/// Return the fields of a type, its ancestors' first.
pub fn fields(type_index: i32) -> impl Iterator<Item = &'static TVMFFIFieldInfo> {
    // SAFETY: a type's table has as many rows as it says.
    ancestors(type_index).flat_map(|info| unsafe { slice(info.fields, info.num_fields) })
}

/// # Safety
///
/// There are `len` values at `data`, for as long as the process lives.
unsafe fn slice<T>(data: *const T, len: i32) -> &'static [T] {
    match len {
        0 => &[],
        _ => unsafe { std::slice::from_raw_parts(data, len as usize) },
    }
}
