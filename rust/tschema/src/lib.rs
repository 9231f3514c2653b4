//! The run-time library of generated Rust code.
//!
//! A generated type is bound to objects that its owner, a compiled C++ library, lays out,
//! constructs and destroys. This crate calls the owner ([`call!`], [`GlobalFunction`],
//! [`TypeMethod`], [`Arguments`]), checks that both sides agree ([`check`], [`assert_layout!`]),
//! and has the types of fields that tvm-ffi's crate lacks ([`Dict`], [`Tuple`], [`Union`],
//! [`Mutable`], [`impl_enum!`]). Generated functors use [`Cases`] for dispatch by type, [`Rewrite`]
//! for copy on write, and [`with_stack`] for recursion to any depth. The crate knows no declared
//! type.

mod arguments;
mod backtrace;
mod call;
mod cases;
mod cast;
mod check;
mod container;
mod convert;
mod dict;
mod int_enum;
mod layout;
mod load_types;
mod mutable;
mod object;
mod opaque;
mod operand;
mod reflect;
mod replacements;
mod rewrite;
mod stack;
mod structural;
mod tuple;
mod type_table;
mod union;
mod values;
mod walk;
mod witness;

pub use tvm_ffi as ffi;

pub use arguments::Arguments;
pub use call::{construct, from_any, GlobalFunction, TypeMethod};
pub use cases::Cases;
pub use cast::{downcast, downcast_ref, expect, expect_ref, to_object, type_index, NodeRef};
pub use check::{check, Digest, FFI_VERSION};
pub use container::array;
pub use convert::IntoFfi;
pub use dict::{Dict, DictObj};
pub use load_types::load_types;
pub use mutable::{set_field, Mutable};
pub use object::fmt_object;
pub use opaque::Opaque;
pub use operand::IntoOperand;
pub use reflect::{
    get_field, get_field_any, get_integer, get_optional_integer, rebuild_fields, visit_fields,
};
pub use replacements::{note_replacement, replaced, Replacements};
pub use rewrite::{Place, Rewrite};
pub use stack::with_stack;
pub use structural::{
    deep_copy, first_mismatch, load_binary, load_json, repr, save_binary, save_json,
    structural_equal, structural_hash,
};
pub use tuple::{Elements, Tuple};
pub use union::{Alternative, Alternatives, Union};
pub use union::{OneOf1, OneOf2, OneOf3, OneOf4, OneOf5, OneOf6, OneOf7, OneOf8};
pub use values::{elements, visit_value, Role};
pub use walk::{walk, WalkAction, WalkOrder};

/// Marks the alternatives of a [`Union`], so that [`Union::of`] tells them apart.
pub mod alternative {
    pub use crate::union::{Eighth, Fifth, First, Fourth, Second, Seventh, Sixth, Third};
}
