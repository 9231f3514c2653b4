//! The root of the emitted crate: its modules, the visitor, and the types that no schema declares.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Schema, Type};
use crate::names;

pub fn crate_root(schema: &Schema) -> TokenStream {
    let modules = schema
        .space_names()
        .into_iter()
        .map(|name| names::ident(&names::module(name)));
    let classes: Vec<_> = schema
        .types()
        .filter(|class| !class.options.is_abstract)
        .collect();
    let (visitor, values, walks) = (visitor(&classes), values(&classes), walks());
    quote! {
        // Names are those of the declarations.
        #![allow(non_snake_case, non_camel_case_types)]
        //! Plain data structures that mirror the nodes of a schema.
        #(pub mod #modules;)*
        #visitor
        #values
        #walks
    }
}

fn visitor(classes: &[&Type]) -> TokenStream {
    let methods = classes.iter().map(|class| names::visit_method(class));
    let paths = classes.iter().map(|class| names::path(&class.key));
    quote! {
        /// Is called for every node; what is not overridden goes on to the children.
        pub trait Visitor {
            #(fn #methods(&mut self, node: &#paths) { node.walk_fields(self); })*
        }

        /// What a visitor can be sent through; plain values hold no nodes.
        pub trait Walk {
            fn walk<V: Visitor + ?Sized>(&self, _visitor: &mut V) {}
        }
    }
}

fn values(classes: &[&Type]) -> TokenStream {
    let variants: Vec<_> = classes.iter().map(|class| names::variant(class)).collect();
    let paths = classes.iter().map(|class| names::path(&class.key));
    let visitor = names::ident(if classes.is_empty() {
        "_visitor"
    } else {
        "visitor"
    });
    quote! {
        /// A node of any type.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Node { #(#variants(std::rc::Rc<#paths>),)* }

        impl Walk for Node {
            fn walk<V: Visitor + ?Sized>(&self, #visitor: &mut V) {
                match *self { #(Self::#variants(ref node) => node.walk(visitor),)* }
            }
        }

        /// A value of any type.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Value { None, Bool(bool), Int(i64), Float(f64), Text(String), Bytes(Vec<u8>), List(Vec<Value>), Node(Node) }

        impl Walk for Value {
            fn walk<V: Visitor + ?Sized>(&self, visitor: &mut V) {
                match self {
                    Self::List(values) => values.walk(visitor),
                    Self::Node(node) => node.walk(visitor),
                    _ => {}
                }
            }
        }

        /// The type of a scalar: `bits` of one lane.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub struct DataType { pub code: u8, pub bits: u8, pub lanes: u16 }

        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub struct Device { pub kind: i32, pub index: i32 }

        /// The name of a function, a tensor, a shape or a module, which are not data.
        #[derive(Clone, Debug, Eq, PartialEq)]
        pub struct Opaque(pub String);
    }
}

fn walks() -> TokenStream {
    let plain = [
        "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "String",
        "DataType", "Device", "Opaque",
    ];
    let plain = plain.map(names::ident);
    let tuples = (0..=6).map(tuple_walk);
    quote! {
        #(impl Walk for #plain {})*

        impl<T: Walk> Walk for std::rc::Rc<T> {
            fn walk<V: Visitor + ?Sized>(&self, visitor: &mut V) { (**self).walk(visitor); }
        }

        impl<T: Walk> Walk for Option<T> {
            fn walk<V: Visitor + ?Sized>(&self, visitor: &mut V) {
                self.iter().for_each(|value| value.walk(visitor));
            }
        }

        impl<T: Walk> Walk for Vec<T> {
            fn walk<V: Visitor + ?Sized>(&self, visitor: &mut V) {
                self.iter().for_each(|value| value.walk(visitor));
            }
        }

        #(#tuples)*
    }
}

fn tuple_walk(arity: usize) -> TokenStream {
    if arity == 0 {
        return quote! { impl Walk for () {} };
    }
    let params: Vec<_> = (0..arity)
        .map(|index| names::ident(&format!("T{index}")))
        .collect();
    let places = (0..arity).map(syn::Index::from);
    quote! {
        impl<#(#params: Walk),*> Walk for (#(#params,)*) {
            fn walk<V: Visitor + ?Sized>(&self, visitor: &mut V) { #(self.#places.walk(visitor);)* }
        }
    }
}
