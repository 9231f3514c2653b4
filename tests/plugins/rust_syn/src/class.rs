//! A node, as a struct of all its fields, and what has children as an enum over them.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::ir::{Field, Schema, Type};
use crate::types::rust_type;
use crate::{names, Result};

pub fn items(schema: &Schema, class: &Type) -> Result<TokenStream> {
    let name = names::ident(&class.name);
    if class.options.is_abstract {
        return Ok(choice(schema, class, &name));
    }
    let node = structure(schema, class, &name)?;
    if !schema.has_children(class) {
        return Ok(node);
    }
    let any = choice(schema, class, &format_ident!("Any{}", class.name));
    Ok(quote! { #node #any })
}

fn structure(schema: &Schema, class: &Type, name: &Ident) -> Result<TokenStream> {
    let lineage = schema.lineage(class)?;
    let fields: Vec<&Field> = lineage
        .iter()
        .flat_map(|ancestor| &ancestor.fields)
        .collect();
    let members: Vec<_> = fields
        .iter()
        .map(|field| member(schema, field))
        .collect::<Result<_>>()?;
    let names: Vec<_> = fields
        .iter()
        .map(|field| names::ident(&field.name))
        .collect();
    let visitor = parameter(names.is_empty());
    let visit = names::visit_method(class);
    let doc = names::doc(&class.doc);
    Ok(quote! {
        #doc
        #[derive(Clone, Debug, PartialEq)]
        pub struct #name { #(#members,)* }

        impl #name {
            /// Visits the children, in the order of the fields.
            pub fn walk_fields<V: crate::Visitor + ?Sized>(&self, #visitor: &mut V) {
                #(crate::Walk::walk(&self.#names, visitor);)*
            }
        }

        impl crate::Walk for #name {
            fn walk<V: crate::Visitor + ?Sized>(&self, visitor: &mut V) {
                visitor.#visit(self);
            }
        }
    })
}

fn member(schema: &Schema, field: &Field) -> Result<TokenStream> {
    let (name, doc) = (names::ident(&field.name), names::doc(&field.doc));
    let type_ = rust_type(schema, &field.type_ref)?;
    Ok(quote! { #doc pub #name: #type_ })
}

fn choice(schema: &Schema, class: &Type, name: &Ident) -> TokenStream {
    let classes = schema.concrete_below(class);
    let variants: Vec<_> = classes.iter().map(|class| names::variant(class)).collect();
    let paths = classes.iter().map(|class| names::path(&class.key));
    let visitor = parameter(variants.is_empty());
    let doc = names::doc(&class.doc);
    quote! {
        #doc
        #[derive(Clone, Debug, PartialEq)]
        pub enum #name { #(#variants(std::rc::Rc<#paths>),)* }

        impl crate::Walk for #name {
            fn walk<V: crate::Visitor + ?Sized>(&self, #visitor: &mut V) {
                match *self {
                    #(Self::#variants(ref node) => node.walk(visitor),)*
                }
            }
        }
    }
}

fn parameter(is_unused: bool) -> Ident {
    names::ident(if is_unused { "_visitor" } else { "visitor" })
}
