//! The objects in values of any type: nodes, alone or in containers.

use crate::cast::{downcast_ref, NodeRef};
use crate::container::array;
use crate::dict::Dict;
use crate::ffi::collections::array::ArrayObj;
use crate::ffi::object::ObjectRef;
use crate::ffi::{
    Any, AnyView, Array, List, Map, ObjectCore, ObjectRefCore, Result, TVMFFIAny, TypeIndex,
};

/// What a field does with the variables in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It binds them.
    Binding,
    /// It uses them.
    Use,
}

impl Role {
    /// View an object as a variable of a type, where the field binds it.
    pub fn bound<To: NodeRef>(self, object: &ObjectRef) -> Option<&To> {
        match self {
            Self::Binding => downcast_ref(object),
            Self::Use => None,
        }
    }
}

/// Call a function for the node that a value is, or for those that a container holds.
///
/// Strings, functions and other objects of tvm-ffi itself are passed by.
pub fn visit_value<'a>(value: impl Into<AnyView<'a>>, mut visit: impl FnMut(&ObjectRef)) {
    for_each_object(value.into(), &mut visit);
}

/// Iterate over the nodes in an array, in place.
///
/// # Panics
///
/// C++ or Python code put something else into the array than its type says.
pub fn elements<T>(array: &Array<T>) -> impl Iterator<Item = &T>
where
    T: NodeRef + crate::ffi::type_traits::ContainerElement,
{
    cells(array).iter().map(|cell| match element(cell) {
        Some(element) => element,
        None => panic!(
            "an element of the array is not a `{}`",
            T::ContainerType::TYPE_KEY
        ),
    })
}

/// View a cell of an array as the node that it holds.
pub fn element<T: NodeRef>(cell: &TVMFFIAny) -> Option<&T> {
    if cell.type_index < TypeIndex::kTVMFFIStaticObjectBegin as i32 {
        return None;
    }
    // SAFETY: the cell holds an object; a reference is the pointer to it.
    let object: &ObjectRef = unsafe { &*std::ptr::from_ref(&cell.data_union).cast() };
    downcast_ref(object)
}

fn cells<T>(array: &Array<T>) -> &[TVMFFIAny]
where
    T: crate::ffi::type_traits::ContainerElement + Clone,
{
    let array: &ArrayObj = Array::data(array);
    match array.size {
        0 => &[],
        // SAFETY: the array's elements live as long as the array, and never change.
        size => unsafe { std::slice::from_raw_parts(array.data.cast(), size as usize) },
    }
}

/// Call a function for each node in a value.
pub fn for_each_object(value: AnyView<'_>, visit: &mut dyn FnMut(&ObjectRef)) {
    let mut items = |items: &[Any]| {
        for item in items {
            for_each_object(AnyView::from(item), visit);
        }
    };
    match Shape::of(value) {
        Shape::Plain => {}
        Shape::Node(node) => visit(&node),
        Shape::Array(found) => items(&found.iter().collect::<Vec<_>>()),
        Shape::List(found) => items(&list_items(&found)),
        Shape::Map(entries) | Shape::Dict(entries) => {
            for (key, value) in entries {
                items(&[key, value]);
            }
        }
    }
}

/// Return what a value becomes when a function is applied to the nodes in it; None if it is equal.
pub fn map_objects(
    value: &Any,
    mutate: &mut dyn FnMut(ObjectRef) -> Result<ObjectRef>,
) -> Result<Option<Any>> {
    let new = match Shape::of(AnyView::from(value)) {
        Shape::Plain => return Ok(None),
        Shape::Node(node) => {
            let new = mutate(node.clone())?;
            return Ok((!new.same_as(&node)).then(|| Any::from(new)));
        }
        Shape::Array(found) => {
            let items: Vec<Any> = found.iter().collect();
            map_items(&items, mutate)?.map(|items| Any::from(array(items)))
        }
        Shape::List(found) => map_items(&list_items(&found), mutate)?
            .map(|items| Any::from(items.into_iter().collect::<List<Any>>())),
        Shape::Map(entries) => map_entries(&entries, mutate)?
            .map(|entries| Any::from(entries.collect::<Map<Any, Any>>())),
        Shape::Dict(entries) => map_entries(&entries, mutate)?
            .map(|entries| Any::from(entries.collect::<Dict<Any, Any>>())),
    };
    Ok(new)
}

fn map_items(
    items: &[Any],
    mutate: &mut dyn FnMut(ObjectRef) -> Result<ObjectRef>,
) -> Result<Option<Vec<Any>>> {
    let mut is_changed = false;
    let mut new = Vec::with_capacity(items.len());
    for item in items {
        let changed = map_objects(item, mutate)?;
        is_changed |= changed.is_some();
        new.push(changed.unwrap_or_else(|| item.clone()));
    }
    Ok(is_changed.then_some(new))
}

type Entries = Vec<(Any, Any)>;

fn map_entries(
    entries: &Entries,
    mutate: &mut dyn FnMut(ObjectRef) -> Result<ObjectRef>,
) -> Result<Option<impl Iterator<Item = (Any, Any)>>> {
    let items: Vec<Any> = entries
        .iter()
        .flat_map(|(key, value)| [key.clone(), value.clone()])
        .collect();
    let new = map_items(&items, mutate)?;
    Ok(new.map(|items| {
        let mut items = items.into_iter();
        std::iter::from_fn(move || Some((items.next()?, items.next()?)))
    }))
}

/// A value by what there is to look into.
enum Shape {
    Plain,
    Node(ObjectRef),
    Array(Array<Any>),
    List(List<Any>),
    Map(Entries),
    Dict(Entries),
}

impl Shape {
    fn of(value: AnyView<'_>) -> Self {
        let type_index = value.type_index();
        if type_index >= TypeIndex::kTVMFFIDynObjectBegin as i32 {
            return value.try_as().map_or(Self::Plain, Self::Node);
        }
        let shape = match type_index {
            ARRAY => value.try_as().map(Self::Array),
            LIST => value.try_as().map(Self::List),
            MAP => value
                .try_as::<Map<Any, Any>>()
                .map(|map| Self::Map(map.iter().collect())),
            DICT => value
                .try_as::<Dict<Any, Any>>()
                .and_then(|dict| dict.entries().ok())
                .map(Self::Dict),
            _ => None,
        };
        shape.unwrap_or(Self::Plain)
    }
}

const ARRAY: i32 = TypeIndex::kTVMFFIArray as i32;
const LIST: i32 = TypeIndex::kTVMFFIList as i32;
const MAP: i32 = TypeIndex::kTVMFFIMap as i32;
const DICT: i32 = TypeIndex::kTVMFFIDict as i32;

/// A list may change while it is visited: what it holds now.
fn list_items(list: &List<Any>) -> Vec<Any> {
    list.iter().filter_map(Result::ok).collect()
}
