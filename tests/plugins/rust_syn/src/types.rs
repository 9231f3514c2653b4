//! How the types of fields are spelt in the emitted Rust.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Schema, TypeRef};
use crate::{names, Result};

pub fn rust_type(schema: &Schema, type_ref: &TypeRef) -> Result<TokenStream> {
    let args: Vec<_> = type_ref
        .args
        .iter()
        .map(|arg| rust_type(schema, arg))
        .collect::<Result<_>>()?;
    Ok(match (type_ref.kind.as_str(), args.as_slice()) {
        ("bool", []) => quote!(bool),
        ("int8", []) => quote!(i8),
        ("int16", []) => quote!(i16),
        ("int32", []) => quote!(i32),
        ("int64", []) => quote!(i64),
        ("uint8", []) => quote!(u8),
        ("uint16", []) => quote!(u16),
        ("uint32", []) => quote!(u32),
        ("uint64", []) => quote!(u64),
        ("float32", []) => quote!(f32),
        ("float64", []) => quote!(f64),
        ("DataType", []) => quote!(crate::DataType),
        ("Device", []) => quote!(crate::Device),
        ("String", []) => quote!(std::string::String),
        ("Bytes", []) => quote!(std::vec::Vec<u8>),
        ("Any", []) | ("Union", _) => quote!(crate::Value),
        ("Object", []) => quote!(crate::Node),
        ("Function" | "Tensor" | "Shape" | "Module", []) => quote!(crate::Opaque),
        ("Optional", [inner]) => quote!(std::option::Option<#inner>),
        ("Array" | "List", [element]) => quote!(std::vec::Vec<#element>),
        ("Map" | "Dict", [key, value]) => quote!(std::vec::Vec<(#key, #value)>),
        ("Tuple", elements) => quote!((#(#elements,)*)),
        ("enum", []) => names::path(type_ref.key()?),
        ("node", []) => node_type(schema, type_ref.key()?)?,
        (kind, args) => return Err(format!("unknown type `{kind}` of {} arguments", args.len())),
    })
}

/// A leaf is shared by itself; what has children is an enum over them.
fn node_type(schema: &Schema, key: &str) -> Result<TokenStream> {
    let class = schema.find(key)?;
    if class.options.is_abstract {
        return Ok(names::path(key));
    }
    if schema.has_children(class) {
        return Ok(names::any_path(key));
    }
    let path = names::path(key);
    Ok(quote!(std::rc::Rc<#path>))
}
