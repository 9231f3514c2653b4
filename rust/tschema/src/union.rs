//! `Union<(A, B)>`: one of several types, laid out as C++ `Variant<A, B>` is: one FFI value.

use std::fmt;
use std::marker::PhantomData;

use crate::container::{get, get_strict, raw, to_any, type_schema};
use crate::ffi::type_traits::ContainerElement;
use crate::ffi::{Any, AnyCompatible, OptionalCompatible, TVMFFIAny};

/// The alternatives of a [`Union`]: a Rust tuple of up to eight types.
pub trait Alternatives: Sized {
    /// The enum that tells which alternative a value is.
    type OneOf;

    /// Return which alternative a value is, if it is one as it stands.
    fn match_strict(value: &TVMFFIAny) -> Option<Self::OneOf>;

    /// Convert a value to the first alternative that takes it.
    fn convert(value: &TVMFFIAny) -> Option<Self::OneOf>;

    /// Turn an alternative into a value.
    fn into_value(one: Self::OneOf) -> Any;

    /// Return the names of the types.
    fn type_strs() -> Vec<String>;

    /// Return tvm-ffi's type schemas of the types.
    fn type_schemas() -> Vec<String>;
}

/// The alternatives, `T` among them at the place that `Place` marks.
pub trait Alternative<T, Place>: Alternatives {
    /// Name the value's alternative.
    fn one_of(value: T) -> Self::OneOf;
}

macro_rules! define_places {
    ($($place:ident)*) => {
        $(
            #[doc = concat!("The alternative `", stringify!($place), "`.")]
            pub struct $place;
        )*
    };
}

define_places!(First Second Third Fourth Fifth Sixth Seventh Eighth);

macro_rules! impl_alternatives {
    (@each $one_of:ident $all:tt $($type_:ident $place:ident),*) => {
        $(impl_alternatives!(@one $one_of $all $type_ $place);)*
    };
    (@one $one_of:ident ($($all:ident)*) $type_:ident $place:ident) => {
        impl<$($all: ContainerElement),*> Alternative<$type_, $place> for ($($all,)*) {
            fn one_of(value: $type_) -> Self::OneOf {
                $one_of::$place(value)
            }
        }
    };
    ($one_of:ident: $($type_:ident $place:ident),*) => {
        #[doc = concat!("Which alternative a [`Union`] of ", stringify!($($type_),*), " holds.")]
        #[derive(Clone, Debug, PartialEq)]
        pub enum $one_of<$($type_),*> {
            $(
                #[doc = concat!("A value of type `", stringify!($type_), "`.")]
                $place($type_),
            )*
        }

        impl<$($type_: ContainerElement),*> Alternatives for ($($type_,)*) {
            type OneOf = $one_of<$($type_),*>;

            fn match_strict(value: &TVMFFIAny) -> Option<Self::OneOf> {
                $(if let Some(value) = get_strict(value) {
                    return Some($one_of::$place(value));
                })*
                None
            }

            fn convert(value: &TVMFFIAny) -> Option<Self::OneOf> {
                $(if let Ok(value) = get(value) {
                    return Some($one_of::$place(value));
                })*
                None
            }

            fn into_value(one: Self::OneOf) -> Any {
                match one {
                    $($one_of::$place(value) => to_any(value),)*
                }
            }

            fn type_strs() -> Vec<String> {
                vec![$($type_::container_type_str()),*]
            }

            fn type_schemas() -> Vec<String> {
                vec![$($type_::container_type_schema()),*]
            }
        }

        impl<$($type_: ContainerElement),*> From<$one_of<$($type_),*>> for Union<($($type_,)*)> {
            fn from(one: $one_of<$($type_),*>) -> Self {
                Self::new(one)
            }
        }

        impl_alternatives!(@each $one_of ($($type_)*) $($type_ $place),*);
    };
}

impl_alternatives!(OneOf1: A First);
impl_alternatives!(OneOf2: A First, B Second);
impl_alternatives!(OneOf3: A First, B Second, C Third);
impl_alternatives!(OneOf4: A First, B Second, C Third, D Fourth);
impl_alternatives!(OneOf5: A First, B Second, C Third, D Fourth, E Fifth);
impl_alternatives!(OneOf6: A First, B Second, C Third, D Fourth, E Fifth, F Sixth);
impl_alternatives!(OneOf7: A First, B Second, C Third, D Fourth, E Fifth, F Sixth, G Seventh);
impl_alternatives!(
    OneOf8: A First, B Second, C Third, D Fourth, E Fifth, F Sixth, G Seventh, H Eighth
);

/// A value of one of several types; `T` is the Rust tuple of the types.
///
/// ```
/// use tschema::{ffi, OneOf2, Union};
///
/// let name: Union<(ffi::String, i64)> = Union::of(ffi::String::from("x"));
/// assert!(matches!(name.get(), OneOf2::First(text) if text.as_str() == "x"));
/// ```
#[repr(transparent)]
pub struct Union<T> {
    value: Any,
    _marker: PhantomData<T>,
}

const _: () = assert!(size_of::<Union<(i64, f64)>>() == 16);
const _: () = assert!(align_of::<Union<(i64, f64)>>() == 8);

/// A plain number where a number or an expression is taken: `relay::reshape(&x, [2, -1])`.
impl<B: ContainerElement> From<i64> for Union<(i64, B)> {
    fn from(number: i64) -> Self {
        Self::new(OneOf2::First(number))
    }
}

impl<T: Alternatives> Union<T> {
    /// Hold a value whose alternative is named.
    pub fn new(one: T::OneOf) -> Self {
        Self {
            value: T::into_value(one),
            _marker: PhantomData,
        }
    }

    /// Hold a value whose type tells its alternative.
    pub fn of<V, Place>(value: V) -> Self
    where
        T: Alternative<V, Place>,
    {
        Self::new(T::one_of(value))
    }

    /// Return the value, by its alternative.
    ///
    /// # Panics
    ///
    /// C++ or Python code put something else into the field than its type says.
    pub fn get(&self) -> T::OneOf {
        let value = raw(&self.value);
        T::match_strict(value)
            .or_else(|| T::convert(value))
            .unwrap_or_else(|| panic!("the value is none of {}", T::type_strs().join(", ")))
    }
}

crate::impl_conversions!([T: Alternatives] Union<T>);

impl<T> Clone for Union<T> {
    fn clone(&self) -> Self {
        Self {
            value: self.value.clone(),
            _marker: PhantomData,
        }
    }
}

impl<T: Alternatives<OneOf: fmt::Debug>> fmt::Debug for Union<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

// SAFETY: one FFI value that was checked to be one of the alternatives.
unsafe impl<T: Alternatives> AnyCompatible for Union<T> {
    fn type_str() -> String {
        format!("Variant<{}>", T::type_strs().join(", "))
    }

    fn type_schema() -> String {
        type_schema("Variant", &T::type_schemas())
    }

    unsafe fn copy_to_any_view(src: &Self, data: &mut TVMFFIAny) {
        *data = *raw(&src.value);
    }

    unsafe fn move_to_any(src: Self, data: &mut TVMFFIAny) {
        *data = unsafe { Any::into_raw_ffi_any(src.value) };
    }

    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        T::match_strict(data).is_some()
    }

    unsafe fn copy_from_any_view_after_check(data: &TVMFFIAny) -> Self {
        let value = Any::from(*crate::container::view(data));
        Self {
            value,
            _marker: PhantomData,
        }
    }

    unsafe fn move_from_any_after_check(data: &mut TVMFFIAny) -> Self {
        let value = unsafe { Any::from_raw_ffi_any(std::mem::replace(data, TVMFFIAny::new())) };
        Self {
            value,
            _marker: PhantomData,
        }
    }

    unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> Result<Self, ()> {
        T::match_strict(data)
            .or_else(|| T::convert(data))
            .map(Self::new)
            .ok_or(())
    }
}

// SAFETY: C++ has an optional variant as one FFI value, None if there is no value.
unsafe impl<T: Alternatives> OptionalCompatible for Union<T> {}
