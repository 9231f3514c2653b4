//! Fields of objects of unknown types, through tvm-ffi's tables.

use crate::call::GlobalFunction;
use crate::cast::{header, object_type_index, to_object, NodeRef};
use crate::ffi::object::{ObjectCore, ObjectRef};
use crate::ffi::tvm_ffi_sys::{TVMFFIFieldFlagBitMask as Flag, TVMFFIFieldInfo};
use crate::ffi::{
    check_safe_call, Any, AnyCompatible, AnyView, Error, Result, String, TVMFFIAny,
    ATTRIBUTE_ERROR, VALUE_ERROR,
};
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

/// Read a field of a type whose layout no schema knows, through the getter of its owner.
///
/// # Errors
///
/// The owner registers no such field, or its value is not a `T`.
pub fn get_field<N, T>(node: &N, name: &str) -> Result<T>
where
    N: ObjectCore,
    T: TryFrom<Any, Error = Error>,
{
    get_field_any(node, name)?
        .try_into()
        .map_err(|error: Error| {
            let message = format!("`{}.{name}`: {}", N::TYPE_KEY, error.message());
            Error::new(error.kind(), &message, "")
        })
}

/// Read such a field as an integer, which is never truncated.
///
/// # Errors
///
/// The owner registers no such field, or its value is not an integer in the range of `T`.
pub fn get_integer<N: ObjectCore, T: TryFrom<i64>>(node: &N, name: &str) -> Result<T> {
    in_range::<N, T>(name, get_field(node, name)?)
}

/// Read such a field as an integer or `None`.
///
/// # Errors
///
/// The owner registers no such field, or its value is neither of both.
pub fn get_optional_integer<N: ObjectCore, T: TryFrom<i64>>(
    node: &N,
    name: &str,
) -> Result<Option<T>> {
    let value: Option<i64> = get_field(node, name)?;
    value.map(|value| in_range::<N, T>(name, value)).transpose()
}

fn in_range<N: ObjectCore, T: TryFrom<i64>>(name: &str, value: i64) -> Result<T> {
    T::try_from(value).map_err(|_| {
        let message = format!(
            "`{}.{name}` is {value}, which `{}` does not hold",
            N::TYPE_KEY,
            std::any::type_name::<T>()
        );
        Error::new(VALUE_ERROR, &message, "")
    })
}

/// Read such a field without converting its value.
///
/// # Errors
///
/// The owner registers no such field.
pub fn get_field_any<N: ObjectCore>(node: &N, name: &str) -> Result<Any> {
    let object = to_object(node);
    // A class may register a field that an ancestor has too: the ancestors' fields come first.
    let field = fields(object_type_index(&object))
        .filter(|field| field.name.as_str() == name)
        .last();
    let Some(field) = field else {
        let message = format!("`{}` registers no field `{name}`", N::TYPE_KEY);
        return Err(Error::new(ATTRIBUTE_ERROR, &message, ""));
    };
    read(&object, field)
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
