//! Dispatch from the type of an object to the case of a functor family.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU16, Ordering};

use crate::cast::{object_type_index, NodeRef};
use crate::type_table::ancestors;

/// The size of the table; larger type indices are looked up each time.
const MAX_TYPES: usize = 1 << 16;
/// A type that has not been looked up yet.
const UNKNOWN: u16 = 0;
/// A type without a case.
const NONE: u16 = u16::MAX;

/// The table behind an enum of cases; [`cases!`](crate::cases) makes both.
///
/// A type without a case dispatches to its nearest ancestor that has one. The result is cached, so
/// that dispatch is a load from a table.
pub struct Cases<C> {
    type_indices: &'static [fn() -> i32],
    /// By type index: one more than the case's number, [`UNKNOWN`] or [`NONE`].
    table: [AtomicU16; MAX_TYPES],
    cases: PhantomData<C>,
}

impl<C: Copy> Cases<C> {
    /// Define the cases by functions that return their type indices:
    /// [`type_index`](crate::type_index).
    ///
    /// # Safety
    ///
    /// `C` is an enum with `repr(u16)`, its variants numbered from 0 in the order of `type_indices`.
    pub const unsafe fn new(type_indices: &'static [fn() -> i32]) -> Self {
        assert!(size_of::<C>() == size_of::<u16>());
        assert!(type_indices.len() < NONE as usize);
        Self {
            type_indices,
            table: [const { AtomicU16::new(UNKNOWN) }; MAX_TYPES],
            cases: PhantomData,
        }
    }

    /// Return the case of an object.
    ///
    /// # Panics
    ///
    /// The library that owns the cases is not loaded.
    #[inline]
    pub fn find(&self, reference: &impl NodeRef) -> Option<C> {
        let type_index = object_type_index(reference);
        let entry = self.table.get(type_index as usize);
        let case = match entry.map_or(UNKNOWN, |entry| entry.load(Ordering::Relaxed)) {
            UNKNOWN => self.look_up(type_index),
            known => known,
        };
        // SAFETY: any other number is a variant's plus one, by the contract of `new`.
        (case != NONE).then(|| unsafe { std::mem::transmute_copy(&(case - 1)) })
    }

    #[cold]
    fn look_up(&self, type_index: i32) -> u16 {
        let case = self.nearest(type_index).map_or(NONE, |at| at as u16 + 1);
        if let Some(entry) = self.table.get(type_index as usize) {
            entry.store(case, Ordering::Relaxed);
        }
        case
    }

    fn nearest(&self, type_index: i32) -> Option<usize> {
        let indices: Vec<_> = self.type_indices.iter().map(|index| index()).collect();
        ancestors(type_index)
            .rev()
            .find_map(|info| indices.iter().position(|index| *index == info.type_index))
    }
}

/// Declares a private enum of the types that functors dispatch on: `enum Case { Add, Sub }`.
///
/// `Case::of(node)` returns the case of a node's type, or of its nearest ancestor that has one. A
/// variant has the name of its type, or states it: `IrVar: crate::ir::Var`.
#[macro_export]
macro_rules! cases {
    ($(#[$attribute:meta])* enum $name:ident { $($case:ident $(: $type:ty)?),+ $(,)? }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy)]
        #[repr(u16)]
        // Variants are made from their numbers alone.
        #[allow(dead_code, clippy::enum_variant_names)]
        enum $name {
            $($case),+
        }

        impl $name {
            #[inline]
            fn of(node: &impl $crate::NodeRef) -> Option<Self> {
                // SAFETY: both lists are in one order.
                static CASES: $crate::Cases<$name> = unsafe {
                    $crate::Cases::new(&[
                        $($crate::type_index::<$crate::case_type!($case $(: $type)?)>),+
                    ])
                };
                CASES.find(node)
            }
        }
    };
}

/// The type of a case: the one that is given, or the one of its name.
#[doc(hidden)]
#[macro_export]
macro_rules! case_type {
    ($case:ident) => {
        $case
    };
    ($case:ident : $type:ty) => {
        $type
    };
}
