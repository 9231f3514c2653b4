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
    match Shape::of(value) {
        Shape::Plain => {}
        Shape::Node(node) => visit(&node),
        Shape::Container(parts, _) => {
            for part in &parts {
                for_each_object(AnyView::from(part), visit);
            }
        }
    }
}

/// Return what a value becomes when a function is applied to the nodes in it; None if it is equal.
pub fn map_objects(
    value: &Any,
    mutate: &mut dyn FnMut(ObjectRef) -> Result<ObjectRef>,
) -> Result<Option<Any>> {
    match Shape::of(AnyView::from(value)) {
        Shape::Plain => Ok(None),
        Shape::Node(node) => {
            let new = mutate(node.clone())?;
            Ok((!new.same_as(&node)).then(|| Any::from(new)))
        }
        Shape::Container(parts, make) => Ok(map_parts(parts, mutate)?.map(make)),
    }
}

fn map_parts(
    mut parts: Vec<Any>,
    mutate: &mut dyn FnMut(ObjectRef) -> Result<ObjectRef>,
) -> Result<Option<Vec<Any>>> {
    let mut is_changed = false;
    for part in &mut parts {
        if let Some(new) = map_objects(part, mutate)? {
            *part = new;
            is_changed = true;
        }
    }
    Ok(is_changed.then_some(parts))
}

/// A value by what there is to look into.
enum Shape {
    Plain,
    Node(ObjectRef),
    /// The elements, or keys and values in turn, and the function that makes such a container.
    Container(Vec<Any>, fn(Vec<Any>) -> Any),
}

impl Shape {
    fn of(value: AnyView<'_>) -> Self {
        let type_index = value.type_index();
        if type_index >= TypeIndex::kTVMFFIDynObjectBegin as i32 {
            return value.try_as().map_or(Self::Plain, Self::Node);
        }
        Self::of_container(value, type_index).unwrap_or(Self::Plain)
    }

    fn of_container(value: AnyView<'_>, type_index: i32) -> Option<Self> {
        Some(match type_index {
            ARRAY => {
                let elements = value.try_as::<Array<Any>>()?.iter().collect();
                Self::Container(elements, |parts| array(parts).into())
            }
            LIST => {
                // A list may change while it is visited: what it holds now.
                let list: List<Any> = value.try_as()?;
                let elements = list.iter().filter_map(Result::ok).collect();
                Self::Container(elements, |parts| List::from_iter(parts).into())
            }
            MAP => {
                let entries = flat(value.try_as::<Map<Any, Any>>()?.iter());
                Self::Container(entries, |parts| Map::from_iter(pairs(parts)).into())
            }
            DICT => {
                let entries = flat(value.try_as::<Dict<Any, Any>>()?.entries().ok()?);
                Self::Container(entries, |parts| Dict::from_iter(pairs(parts)).into())
            }
            _ => return None,
        })
    }
}

const ARRAY: i32 = TypeIndex::kTVMFFIArray as i32;
const LIST: i32 = TypeIndex::kTVMFFIList as i32;
const MAP: i32 = TypeIndex::kTVMFFIMap as i32;
const DICT: i32 = TypeIndex::kTVMFFIDict as i32;

fn flat(entries: impl IntoIterator<Item = (Any, Any)>) -> Vec<Any> {
    entries
        .into_iter()
        .flat_map(|(key, value)| [key, value])
        .collect()
}

fn pairs(parts: Vec<Any>) -> impl Iterator<Item = (Any, Any)> {
    let mut parts = parts.into_iter();
    std::iter::from_fn(move || Some((parts.next()?, parts.next()?)))
}
