//! `Tuple<(A, B)>`: an array of a fixed length, each element of its own type.

use std::fmt;
use std::marker::PhantomData;

use crate::container::{
    array, get, get_strict, impl_reference, object_any_methods, to_any, type_schema,
};
use crate::ffi::collections::array::ArrayObj;
use crate::ffi::type_traits::ContainerElement;
use crate::ffi::{
    Any, AnyCompatible, Array, ObjectArc, ObjectRefCore, Result, TVMFFIAny, TypeIndex,
};

/// The elements of a [`Tuple`]: a Rust tuple of up to eight values.
pub trait Elements: Sized {
    /// How many there are.
    const LEN: usize;

    /// Turn the elements into values.
    fn into_values(self) -> Vec<Any>;

    /// Convert values to elements.
    ///
    /// # Errors
    ///
    /// A value is not convertible to its element's type.
    fn from_values(values: &[TVMFFIAny]) -> Result<Self>;

    /// Return whether values are the elements as they stand.
    fn match_strict(values: &[TVMFFIAny]) -> bool;

    /// Return the names of the elements' types.
    fn type_strs() -> Vec<String>;

    /// Return tvm-ffi's type schemas of the elements' types.
    fn type_schemas() -> Vec<String>;
}

macro_rules! impl_elements {
    ($len:literal: $($element:ident $idx:tt),*) => {
        impl<$($element: ContainerElement),*> Elements for ($($element,)*) {
            const LEN: usize = $len;

            fn into_values(self) -> Vec<Any> {
                vec![$(to_any(self.$idx)),*]
            }

            fn from_values(values: &[TVMFFIAny]) -> Result<Self> {
                let _ = values;
                Ok(($(get::<$element>(&values[$idx])?,)*))
            }

            fn match_strict(values: &[TVMFFIAny]) -> bool {
                values.len() == $len $(&& get_strict::<$element>(&values[$idx]).is_some())*
            }

            fn type_strs() -> Vec<String> {
                vec![$($element::container_type_str()),*]
            }

            fn type_schemas() -> Vec<String> {
                vec![$($element::container_type_schema()),*]
            }
        }

        impl<$($element: ContainerElement),*> From<($($element,)*)> for Tuple<($($element,)*)> {
            fn from(elements: ($($element,)*)) -> Self {
                Self::new(elements)
            }
        }
    };
}

impl_elements!(0:);
impl_elements!(1: A 0);
impl_elements!(2: A 0, B 1);
impl_elements!(3: A 0, B 1, C 2);
impl_elements!(4: A 0, B 1, C 2, D 3);
impl_elements!(5: A 0, B 1, C 2, D 3, E 4);
impl_elements!(6: A 0, B 1, C 2, D 3, E 4, F 5);
impl_elements!(7: A 0, B 1, C 2, D 3, E 4, F 5, G 6);
impl_elements!(8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);

/// An immutable tuple, shared with C++ and Python; `T` is the Rust tuple of its elements.
#[repr(C)]
pub struct Tuple<T> {
    data: ObjectArc<ArrayObj>,
    _marker: PhantomData<T>,
}

const _: () = assert!(size_of::<Tuple<(i64, i64)>>() == 8);
const _: () = assert!(size_of::<Option<Tuple<(i64, i64)>>>() == 8);

impl<T: Elements> Tuple<T> {
    /// Make a tuple.
    pub fn new(elements: T) -> Self {
        let data = Array::into_data(array(elements.into_values()));
        Self {
            data,
            _marker: PhantomData,
        }
    }

    /// Return the elements.
    ///
    /// # Panics
    ///
    /// C++ or Python code put something else into the tuple than its type says.
    pub fn get(&self) -> T {
        match T::from_values(self.values()) {
            Ok(elements) => elements,
            Err(error) => panic!("{}", error.message()),
        }
    }

    fn values(&self) -> &[TVMFFIAny] {
        // SAFETY: the array's elements live as long as the array, and never change.
        unsafe { std::slice::from_raw_parts(self.data.data.cast(), self.data.size as usize) }
    }
}

impl_reference!([T] Tuple<T>, ArrayObj);
crate::impl_conversions!([T: Elements] Tuple<T>);

impl<T: Elements + fmt::Debug> fmt::Debug for Tuple<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

// SAFETY: an `ffi.Array` whose elements were checked, moved as its one pointer.
unsafe impl<T: Elements> AnyCompatible for Tuple<T> {
    object_any_methods!(ArrayObj, TypeIndex::kTVMFFIArray);

    fn type_str() -> String {
        format!("Tuple<{}>", T::type_strs().join(", "))
    }

    fn type_schema() -> String {
        type_schema("Tuple", &T::type_schemas())
    }

    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        data.type_index == TypeIndex::kTVMFFIArray as i32
            && T::match_strict(unsafe { Self::copy_from_any_view_after_check(data) }.values())
    }

    unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> std::result::Result<Self, ()> {
        if data.type_index != TypeIndex::kTVMFFIArray as i32 {
            return Err(());
        }
        let tuple = unsafe { Self::copy_from_any_view_after_check(data) };
        if tuple.values().len() != T::LEN {
            return Err(());
        }
        if T::match_strict(tuple.values()) {
            return Ok(tuple);
        }
        T::from_values(tuple.values()).map(Self::new).map_err(drop)
    }
}
