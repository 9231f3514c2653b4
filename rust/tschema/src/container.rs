//! Shared code of containers: elements, and conversions through `Any`.
//!
//! tvm-ffi keeps the conversions of an element, `Any` included, in the hidden supertrait of
//! `ContainerElement`; its own containers use them in the same way.

use crate::call::{construct, GlobalFunction};
use crate::ffi::type_traits::ContainerElement;
use crate::ffi::{Any, AnyView, Array, Error, Result, TVMFFIAny, TYPE_ERROR};

/// Borrow the representation of a value.
pub fn raw(value: &Any) -> &TVMFFIAny {
    // SAFETY: `Any` is a C struct of one `TVMFFIAny`.
    unsafe { &*std::ptr::from_ref(value).cast() }
}

/// View a representation that something else owns.
pub fn view(raw: &TVMFFIAny) -> &AnyView<'_> {
    // SAFETY: `AnyView` is a C struct of one `TVMFFIAny`; the borrow bounds its lifetime.
    unsafe { &*std::ptr::from_ref(raw).cast() }
}

/// Turn an element into a value.
pub fn to_any<T: ContainerElement>(element: T) -> Any {
    let mut data = TVMFFIAny::new();
    // SAFETY: the element gives its ownership to the value.
    unsafe {
        T::container_move_to_any(element, &mut data);
        Any::from_raw_ffi_any(data)
    }
}

/// Make an array that releases its elements when it is dropped.
///
/// In the pinned version of tvm-ffi, arrays from `Array::new` or `collect` leak their elements; C++
/// makes this one.
///
/// # Panics
///
/// The library of tvm-ffi is not loaded.
pub fn array<T: ContainerElement + Clone>(elements: impl IntoIterator<Item = T>) -> Array<T> {
    static NEW: GlobalFunction = GlobalFunction::new("ffi.Array");
    let elements: Vec<Any> = elements.into_iter().map(to_any).collect();
    let views: Vec<AnyView<'_>> = elements.iter().map(AnyView::from).collect();
    construct(NEW.call(&views))
}

/// Copy an element out of a value, if it has its type without conversion.
pub fn get_strict<T: ContainerElement>(data: &TVMFFIAny) -> Option<T> {
    // SAFETY: the copy follows the check.
    unsafe {
        T::container_check_any_strict(data)
            .then(|| T::container_copy_from_any_view_after_check(data))
    }
}

/// Convert a value to an element.
///
/// # Errors
///
/// The value is not a `T` and cannot be converted to one.
pub fn get<T: ContainerElement>(data: &TVMFFIAny) -> Result<T> {
    // SAFETY: the conversion checks what it reads.
    let element = unsafe { T::container_try_cast_from_any_view(data) };
    element.map_err(|()| {
        let message = format!(
            "Cannot convert from type `{}` to `{}`",
            T::container_get_mismatch_type_info(data),
            T::container_type_str()
        );
        Error::new(TYPE_ERROR, &message, "")
    })
}

/// The type schema of a container, as tvm-ffi writes it.
pub fn type_schema(origin: &str, args: &[std::string::String]) -> std::string::String {
    format!(r#"{{"type":"{origin}","args":[{}]}}"#, args.join(","))
}

/// Implement the conversions that `AnyCompatible` does not bring.
#[doc(hidden)]
#[macro_export]
macro_rules! impl_conversions {
    ([$($bounds:tt)*] $type_:ty) => {
        impl<$($bounds)*> ::std::convert::TryFrom<$crate::ffi::Any> for $type_ {
            type Error = $crate::ffi::Error;

            fn try_from(value: $crate::ffi::Any) -> $crate::ffi::Result<Self> {
                $crate::ffi::any::TryFromTemp::try_from(value)
                    .map($crate::ffi::any::TryFromTemp::into_value)
            }
        }

        impl<'a, $($bounds)*> ::std::convert::TryFrom<$crate::ffi::AnyView<'a>> for $type_ {
            type Error = $crate::ffi::Error;

            fn try_from(value: $crate::ffi::AnyView<'a>) -> $crate::ffi::Result<Self> {
                $crate::ffi::any::TryFromTemp::try_from(value)
                    .map($crate::ffi::any::TryFromTemp::into_value)
            }
        }

        impl<$($bounds)*> $crate::ffi::function_internal::IntoArgHolder for $type_ {
            type Target = Self;

            fn into_arg_holder(self) -> Self {
                self
            }
        }

        impl<$($bounds)*> $crate::ffi::function_internal::ArgIntoRef for $type_ {
            type Target = Self;

            fn to_ref(&self) -> &Self {
                self
            }
        }
    };
}

/// Implement what a reference to an object of a container has: `ObjectRefCore` and `Clone`.
macro_rules! impl_reference {
    ([$($bounds:tt)*] $container:ty, $object:ty) => {
        // SAFETY: the reference is its one pointer to the object.
        unsafe impl<$($bounds)*> crate::ffi::ObjectRefCore for $container {
            type ContainerType = $object;

            fn data(this: &Self) -> &crate::ffi::ObjectArc<$object> {
                &this.data
            }

            fn into_data(this: Self) -> crate::ffi::ObjectArc<$object> {
                this.data
            }

            unsafe fn from_data(data: crate::ffi::ObjectArc<$object>) -> Self {
                Self { data, _marker: std::marker::PhantomData }
            }
        }

        impl<$($bounds)*> Clone for $container {
            fn clone(&self) -> Self {
                Self { data: self.data.clone(), _marker: std::marker::PhantomData }
            }
        }
    };
}

/// The methods of `AnyCompatible` that move one object pointer.
macro_rules! object_any_methods {
    ($object:ty, $type_index:expr) => {
        unsafe fn is_undefined(field: *const Self) -> bool {
            unsafe { crate::ffi::ObjectArc::is_null(std::ptr::addr_of!((*field).data)) }
        }

        unsafe fn copy_to_any_view(src: &Self, data: &mut crate::ffi::TVMFFIAny) {
            data.type_index = $type_index as i32;
            data.small_str_len = 0;
            data.data_union.v_obj =
                unsafe { crate::ffi::ObjectArc::as_raw(&src.data).cast_mut().cast() };
        }

        unsafe fn move_to_any(src: Self, data: &mut crate::ffi::TVMFFIAny) {
            data.type_index = $type_index as i32;
            data.small_str_len = 0;
            data.data_union.v_obj =
                unsafe { crate::ffi::ObjectArc::into_raw(src.data).cast_mut().cast() };
        }

        unsafe fn copy_from_any_view_after_check(data: &crate::ffi::TVMFFIAny) -> Self {
            unsafe {
                let object = data.data_union.v_obj;
                crate::ffi::object::unsafe_::inc_ref(object);
                Self::from_data(crate::ffi::ObjectArc::from_raw(object.cast::<$object>()))
            }
        }

        unsafe fn move_from_any_after_check(data: &mut crate::ffi::TVMFFIAny) -> Self {
            unsafe {
                let taken = std::mem::replace(data, crate::ffi::TVMFFIAny::new());
                let object = taken.data_union.v_obj.cast::<$object>();
                Self::from_data(crate::ffi::ObjectArc::from_raw(object))
            }
        }
    };
}

pub(crate) use {impl_reference, object_any_methods};
