//! How declared names are spelt in the emitted Rust.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use crate::ir::Type;

/// A declared name as an identifier, raw where Rust reserves it, or with an underscore.
pub fn ident(name: &str) -> Ident {
    if matches!(name, "Self" | "self" | "super" | "crate") {
        return format_ident!("{name}_");
    }
    syn::parse_str(name).unwrap_or_else(|_| Ident::new_raw(name, Span::call_site()))
}

/// The module of a namespace: `uir.ir` is `uir_ir`.
pub fn module(namespace: &str) -> String {
    namespace.replace('.', "_")
}

/// The path of a declared type or enum: `uir.ir.Span` is `crate::uir_ir::Span`.
pub fn path(key: &str) -> TokenStream {
    sibling(key, "")
}

/// The path of the enum over a concrete type and those below it: `crate::uir_tir::AnyVar`.
pub fn any_path(key: &str) -> TokenStream {
    sibling(key, "Any")
}

fn sibling(key: &str, prefix: &str) -> TokenStream {
    let (namespace, name) = key.rsplit_once('.').unwrap_or(("", key));
    let module = ident(&module(namespace));
    let name = ident(&format!("{prefix}{name}"));
    quote!(crate::#module::#name)
}

/// One name of its own for each type: `uir.ir.IntImm` is `UirIrIntImm`.
pub fn variant(class: &Type) -> Ident {
    ident(&class.key.split('.').map(capitalize).collect::<String>())
}

/// The visitor's method for a type: `visit_uir_ir_int_imm`.
pub fn visit_method(class: &Type) -> Ident {
    format_ident!("visit_{}", snake(&class.key.replace('.', "_")))
}

/// `SERIAL_LOOP` is `SerialLoop`.
pub fn camel(name: &str) -> Ident {
    let words = name.split('_').filter(|word| !word.is_empty());
    ident(
        &words
            .map(|word| capitalize(&word.to_lowercase()))
            .collect::<String>(),
    )
}

/// The documentation as attributes, a line each.
pub fn doc(text: &str) -> TokenStream {
    let lines = text.lines().map(|line| format!(" {line}"));
    quote! { #(#[doc = #lines])* }
}

fn capitalize(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_uppercase() + rest
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut previous = '_';
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let ends_acronym = letters.peek().is_some_and(|next| next.is_lowercase());
        if letter.is_uppercase() && previous != '_' && (!previous.is_uppercase() || ends_acronym) {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
        previous = letter;
    }
    snake
}
