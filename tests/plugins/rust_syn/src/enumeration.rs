//! An integer enum, as a Rust enum.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::ir::{Enum, Member};
use crate::names;

pub fn items(declared: &Enum) -> TokenStream {
    let name = names::ident(&declared.name);
    let doc = names::doc(&declared.doc);
    let mut variants: BTreeMap<i32, Ident> = BTreeMap::new();
    let mut body = TokenStream::new();
    let mut aliases = TokenStream::new();
    for member in &declared.members {
        match variants.get(&member.value) {
            Some(first) => aliases.extend(alias(member, first)),
            None => body.extend(variant(member)),
        }
        variants
            .entry(member.value)
            .or_insert_with(|| names::camel(&member.name));
    }
    quote! {
        #doc
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        #[repr(i32)]
        pub enum #name { #body }

        impl #name { #aliases }

        impl crate::Walk for #name {}
    }
}

fn variant(member: &Member) -> TokenStream {
    let (name, value, doc) = (
        names::camel(&member.name),
        member.value,
        names::doc(&member.doc),
    );
    quote! { #doc #name = #value, }
}

/// Rust has one variant for a value; a second name is a constant.
fn alias(member: &Member, first: &Ident) -> TokenStream {
    let (name, doc) = (names::ident(&member.name), names::doc(&member.doc));
    quote! { #doc pub const #name: Self = Self::#first; }
}
