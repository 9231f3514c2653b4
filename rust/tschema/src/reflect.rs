//! Fields of objects of unknown types, through tvm-ffi's tables.

use crate::call::GlobalFunction;
use crate::cast::{header, object_type_index, NodeRef};
use crate::ffi::object::ObjectRef;
use crate::ffi::tvm_ffi_sys::{TVMFFIFieldFlagBitMask as Flag, TVMFFIFieldInfo};
use crate::ffi::{check_safe_call, Any, AnyCompatible, AnyView, Error, Result, String, TVMFFIAny};
use crate::type_table::fields;
use crate::values::{for_each_object, map_objects, Role};

/// Call a function for each object in the fields of a node, also in containers.
///
/// Fields that structural equality ignores are skipped.
///
/// # Panics
///
/// A field cannot be read.
pub fn visit_fields(node: &impl NodeRef, mut visit: impl FnMut(&ObjectRef, Role)) {
    for field in walked_fields(object_type_index(node)) {
        let value = read(node, field).unwrap_or_else(|error| panic!("{}", error.message()));
        for_each_object(AnyView::from(&value), &mut |object| {
            visit(object, role(field))
        });
    }
}

/// Return a node with a function applied to the objects in its fields.
///
/// Returns the node itself if nothing changed, else a copy on which `PostInit` has run. Fields that
/// structural equality ignores do not change.
///
/// # Errors
///
/// The error of the function or of `PostInit`, or a field does not accept its new value.
pub fn rebuild_fields<R>(
    node: R,
    mut mutate: impl FnMut(ObjectRef, Role) -> Result<ObjectRef>,
) -> Result<R>
where
    R: NodeRef + AnyCompatible + TryFrom<Any, Error = Error>,
{
    static REPLACE: GlobalFunction = GlobalFunction::new("tschema.replace");
    let mut changes = Vec::new();
    for field in walked_fields(object_type_index(&node)) {
        let value = read(&node, field)?;
        let new = map_objects(&value, &mut |object| mutate(object, role(field)))?;
        if let Some(new) = new {
            changes.push((String::from(field.name.as_str()), new));
        }
    }
    if changes.is_empty() {
        return Ok(node);
    }
    let mut args = vec![AnyView::from(&node)];
    for (name, value) in &changes {
        args.extend([AnyView::from(name), AnyView::from(value)]);
    }
    REPLACE.call(&args)?.try_into()
}

fn walked_fields(type_index: i32) -> impl Iterator<Item = &'static TVMFFIFieldInfo> {
    fields(type_index)
        .filter(|field| field.flags & Flag::kTVMFFIFieldFlagBitMaskSEqHashIgnore as i64 == 0)
}

fn role(field: &TVMFFIFieldInfo) -> Role {
    let binding = Flag::kTVMFFIFieldFlagBitMaskSEqHashDefSimple as i64
        | Flag::kTVMFFIFieldFlagBitMaskSEqHashDefPattern as i64;
    match field.flags & binding {
        0 => Role::Use,
        _ => Role::Binding,
    }
}

fn read(node: &impl NodeRef, field: &TVMFFIFieldInfo) -> Result<Any> {
    let Some(getter) = field.getter else {
        return Ok(Any::new());
    };
    let mut value = TVMFFIAny::new();
    // SAFETY: the owner registered offset and getter for objects of this type.
    unsafe {
        let address = header(node).byte_add(field.offset as usize);
        check_safe_call!(getter(address.cast(), &mut value))?;
        Ok(Any::from_raw_ffi_any(value))
    }
}
