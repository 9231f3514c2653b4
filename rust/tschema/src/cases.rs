//! Which case of a family of functors serves an object, by its type.

use std::sync::atomic::{AtomicU16, Ordering};

use crate::cast::{object_type_index, NodeRef};
use crate::reflect::ancestors;

/// Type indices that a table has entries for; those above are looked up each time.
const MAX_TYPES: usize = 1 << 16;
/// A type that has not been looked up yet.
const UNKNOWN: u16 = 0;

/// The cases of a family, numbered from 0.
///
/// A type that is no case is served by its nearest ancestor that is one. What was found for a type
/// is kept, so that dispatch is a load from a table.
pub struct Cases {
    type_indices: &'static [fn() -> i32],
    /// By type index: one more than what `find` returns.
    table: [AtomicU16; MAX_TYPES],
}

impl Cases {
    /// What [`find`](Self::find) returns for a type that no case serves.
    pub const NONE: usize = (u16::MAX - 1) as usize;

    /// Name the cases by what returns their type indices: [`type_index`](crate::type_index).
    pub const fn new(type_indices: &'static [fn() -> i32]) -> Self {
        Self {
            type_indices,
            table: [const { AtomicU16::new(UNKNOWN) }; MAX_TYPES],
        }
    }

    /// Return the number of the case that serves an object, or [`NONE`](Self::NONE).
    ///
    /// # Panics
    ///
    /// The library that owns the cases is not loaded.
    #[inline]
    pub fn find(&self, reference: &impl NodeRef) -> usize {
        let type_index = object_type_index(reference);
        let entry = self.table.get(type_index as usize);
        match entry.map_or(UNKNOWN, |entry| entry.load(Ordering::Relaxed)) {
            UNKNOWN => self.look_up(type_index),
            known => usize::from(known) - 1,
        }
    }

    #[cold]
    fn look_up(&self, type_index: i32) -> usize {
        let case = self.nearest(type_index).unwrap_or(Self::NONE);
        if let Some(entry) = self.table.get(type_index as usize) {
            entry.store(case as u16 + 1, Ordering::Relaxed);
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
