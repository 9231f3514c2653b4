//! `IntoFfi`: conversions to parameters of container types.

use std::collections::{BTreeMap, HashMap};

use crate::container::array;
use crate::dict::Dict;
use crate::ffi::type_traits::ContainerElement;
use crate::ffi::{Array, List, Map};

/// Converts to an FFI container: itself, which shares the object, or a Rust collection of
/// anything that converts to its elements, which makes a new one.
pub trait IntoFfi<Container> {
    /// Convert.
    fn into_ffi(self) -> Container;
}

macro_rules! impl_sequence {
    ($container:ident, $make:expr, $($bound:tt)*) => {
        impl<T: $($bound)*> IntoFfi<$container<T>> for $container<T> {
            fn into_ffi(self) -> $container<T> {
                self
            }
        }

        impl<T: $($bound)*> IntoFfi<$container<T>> for &$container<T> {
            fn into_ffi(self) -> $container<T> {
                self.clone()
            }
        }

        impl<T: $($bound)*, U: Into<T>> IntoFfi<$container<T>> for Vec<U> {
            fn into_ffi(self) -> $container<T> {
                $make(self.into_iter().map(Into::into))
            }
        }

        impl<T: $($bound)*, U: Into<T>, const N: usize> IntoFfi<$container<T>> for [U; N] {
            fn into_ffi(self) -> $container<T> {
                $make(self.into_iter().map(Into::into))
            }
        }

        impl<T: $($bound)*, U: Into<T> + Clone> IntoFfi<$container<T>> for &[U] {
            fn into_ffi(self) -> $container<T> {
                $make(self.iter().cloned().map(Into::into))
            }
        }
    };
}

impl_sequence!(Array, array, ContainerElement + Clone);
impl_sequence!(List, List::from_iter, ContainerElement);

macro_rules! impl_mapping {
    ($container:ident) => {
        impl<K: ContainerElement, V: ContainerElement> IntoFfi<$container<K, V>>
            for $container<K, V>
        {
            fn into_ffi(self) -> $container<K, V> {
                self
            }
        }

        impl<K: ContainerElement, V: ContainerElement> IntoFfi<$container<K, V>>
            for &$container<K, V>
        {
            fn into_ffi(self) -> $container<K, V> {
                self.clone()
            }
        }

        impl_mapping!($container: [] Vec<(A, B)>);
        impl_mapping!($container: [, const N: usize] [(A, B); N]);
        impl_mapping!($container: [, S] HashMap<A, B, S>);
        impl_mapping!($container: [] BTreeMap<A, B>);
    };
    ($container:ident: [$($param:tt)*] $collection:ty) => {
        impl<K, V, A, B $($param)*> IntoFfi<$container<K, V>> for $collection
        where
            K: ContainerElement,
            V: ContainerElement,
            A: Into<K>,
            B: Into<V>,
        {
            fn into_ffi(self) -> $container<K, V> {
                self.into_iter().map(|(key, value)| (key.into(), value.into())).collect()
            }
        }
    };
}

impl_mapping!(Map);
impl_mapping!(Dict);
