//! Copy on write: a node's fields are replaced, in place if the node has one reference.

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::sync::atomic::{fence, Ordering};

use crate::call::GlobalFunction;
use crate::cast::{downcast, expect, expect_ref, header, object_type_index, type_key, NodeRef};
use crate::container::{get, raw, to_any};
use crate::ffi::object::ObjectRef;
use crate::ffi::type_traits::ContainerElement;
use crate::ffi::{
    Any, AnyView, Array, Error, ObjectArc, ObjectCore, ObjectRefCore, OptionalCompatible, Result,
    TVMFFIAny, TYPE_ERROR,
};
use crate::mutable::Mutable;
use crate::type_table::field_name;
use crate::values::{element, map_objects};
use crate::witness::Witness;
use crate::{Dict, Tuple, Union};

thread_local! {
    /// The number of nodes written in place on this thread: the holder of one of them sees that the
    /// reference is the same, but has to run `PostInit`.
    static WRITES: Cell<u64> = const { Cell::new(0) };
}

/// The place of a field that can hold nodes.
///
/// # Safety
///
/// The place is laid out as its value, and its owner, which is C++ code, takes zero bytes in it for
/// an empty one.
pub unsafe trait Place {
    /// What the field holds.
    type Value: Clone;
}

// SAFETY: references and FFI values, for which zero bytes are a null pointer and None.
unsafe impl<T: NodeRef> Place for T {
    type Value = T;
}

// SAFETY: a cell is laid out as what it holds.
unsafe impl<T: Clone> Place for Mutable<T> {
    type Value = T;
}

macro_rules! impl_place {
    ($([$($bounds:tt)*] $value:ty),+ $(,)?) => {
        $(
            // SAFETY: as above.
            unsafe impl<$($bounds)*> Place for $value {
                type Value = Self;
            }
        )+
    };
}

impl_place!(
    [] Any,
    [T: Clone] Option<T>,
    [T: OptionalCompatible] crate::ffi::Optional<T>,
    [T: ContainerElement + Clone] Array<T>,
    [T: ContainerElement] crate::ffi::List<T>,
    [K, V] crate::ffi::Map<K, V>,
    [K, V] Dict<K, V>,
    [T] Tuple<T>,
    [T] Union<T>,
);

/// A node whose fields are being rewritten.
///
/// If the node has one reference, a field is moved out and its replacement moved in, so that
/// children with one reference are written in place too. If it is shared, it is copied when a field
/// first becomes something else.
pub struct Rewrite<R: NodeRef> {
    node: R,
    /// Whether the node, or the copy, has one reference.
    is_owned: bool,
    is_changed: bool,
    is_copied: bool,
}

impl<R: NodeRef> Rewrite<R> {
    /// Begin with a node.
    pub fn new(node: R) -> Self {
        let is_owned = is_unique(&node);
        Self {
            node,
            is_owned,
            is_changed: false,
            is_copied: false,
        }
    }

    /// Apply a function to a field that holds a node.
    ///
    /// # Errors
    ///
    /// The error of the function, or the field does not accept its result.
    pub fn node<P, T, E>(
        &mut self,
        place: impl FnOnce(&R::ContainerType) -> &P,
        mutate: impl FnOnce(E) -> Result<E>,
    ) -> Result<()>
    where
        P: Place<Value = T>,
        T: NodeRef,
        E: NodeRef,
    {
        self.apply(place, |value| change(value, mutate))
    }

    /// Apply a function to a field that holds a node or none.
    ///
    /// # Errors
    ///
    /// The error of the function, or the field does not accept its result.
    pub fn optional<P, T, E>(
        &mut self,
        place: impl FnOnce(&R::ContainerType) -> &P,
        mutate: impl FnOnce(E) -> Result<E>,
    ) -> Result<()>
    where
        P: Place<Value = Option<T>>,
        T: NodeRef,
        E: NodeRef,
    {
        self.apply(place, |value| match value {
            None => Ok((None, false)),
            Some(node) => change(node, mutate).map(|(node, is_changed)| (Some(node), is_changed)),
        })
    }

    /// Apply a function to each node in an array.
    ///
    /// # Errors
    ///
    /// The error of the function, or the array does not accept its result.
    pub fn array<P, T, E>(
        &mut self,
        place: impl FnOnce(&R::ContainerType) -> &P,
        mutate: impl FnMut(E) -> Result<E>,
    ) -> Result<()>
    where
        P: Place<Value = Array<T>>,
        T: NodeRef + ContainerElement,
        E: NodeRef,
    {
        self.apply(place, |value| change_array(value, mutate))
    }

    /// Apply a function to each node in a value of any type; they are never written in place.
    ///
    /// # Errors
    ///
    /// The error of the function, or the field does not accept its result.
    pub fn value<P, T>(
        &mut self,
        place: impl FnOnce(&R::ContainerType) -> &P,
        mut mutate: impl FnMut(ObjectRef) -> Result<ObjectRef>,
    ) -> Result<()>
    where
        P: Place<Value = T>,
        T: ContainerElement,
    {
        self.apply(place, |value| {
            let old = to_any(value);
            let new = map_objects(&old, &mut mutate)?;
            let is_changed = new.is_some();
            let value = get(raw(&new.unwrap_or(old))).map_err(Failure::Misfit)?;
            Ok((value, is_changed))
        })
    }

    /// Return the node or its copy, after `PostInit` on a change.
    ///
    /// # Errors
    ///
    /// What `PostInit` raises.
    pub fn finish(self) -> Result<R> {
        static POST_INIT: GlobalFunction = GlobalFunction::new("tschema.post_init");
        if !self.is_changed {
            return Ok(self.node);
        }
        if !self.is_copied {
            WRITES.set(WRITES.get() + 1);
        }
        POST_INIT.call(&[AnyView::from(expect_ref::<ObjectRef>(&self.node))])?;
        Ok(self.node)
    }

    fn apply<P: Place>(
        &mut self,
        place: impl FnOnce(&R::ContainerType) -> &P,
        change: impl FnOnce(P::Value) -> std::result::Result<(P::Value, bool), Failure>,
    ) -> Result<()> {
        let offset = self.offset(place);
        let value = if self.is_owned {
            self.take::<P>(offset)
        } else {
            // SAFETY: the field is there, and holds a value as long as others hold the node.
            unsafe { (*self.address::<P>(offset)).clone() }
        };
        let (new, is_changed) = change(value).map_err(|failure| self.error(offset, failure))?;
        if self.is_owned {
            // SAFETY: the field is empty, and there is no other reference to the node.
            unsafe { self.address::<P>(offset).write(new) };
        } else if is_changed {
            self.node = copy_node(&self.node)?;
            self.is_owned = true;
            self.is_copied = true;
            drop(self.take::<P>(offset));
            // SAFETY: as above.
            unsafe { self.address::<P>(offset).write(new) };
        }
        self.is_changed |= is_changed;
        Ok(())
    }

    /// Where a field is, from the start of the node.
    fn offset<P>(&self, place: impl FnOnce(&R::ContainerType) -> &P) -> usize {
        let node: &R::ContainerType = R::data(&self.node);
        let field = std::ptr::from_ref(place(node)).cast::<u8>() as usize;
        let offset = field.wrapping_sub(std::ptr::from_ref(node).cast::<u8>() as usize);
        let end = offset.checked_add(size_of::<P>());
        assert!(
            end.is_some_and(|end| end <= size_of::<R::ContainerType>()),
            "the place is a field of the node"
        );
        offset
    }

    /// The address of what `offset` found, for reads, and for writes where the node is owned.
    fn address<P: Place>(&self, offset: usize) -> *mut P::Value {
        // SAFETY: the field is inside of the object.
        unsafe { header(&self.node).byte_add(offset).cast() }
    }

    /// Move a field's value out of a node with one reference.
    fn take<P: Place>(&self, offset: usize) -> P::Value {
        // SAFETY: the value is moved, and the field is left empty: the destructor of the node, if
        // it runs before the field is written, passes it by.
        unsafe {
            let field = self.address::<P>(offset).cast::<MaybeUninit<P::Value>>();
            std::mem::replace(&mut *field, MaybeUninit::zeroed()).assume_init()
        }
    }

    #[cold]
    fn error(&self, offset: usize, failure: Failure) -> Error {
        let error = match failure {
            Failure::Raised(error) => return error,
            Failure::Misfit(error) => error,
        };
        let field = field_name(object_type_index(&self.node), offset);
        let message = format!(
            "field `{field}` of `{}` cannot become what a mutator made of it: {}",
            type_key(&self.node),
            error.message()
        );
        Error::new(TYPE_ERROR, &message, "")
    }
}

/// The reasons that a field does not change.
enum Failure {
    Raised(Error),
    /// The new value has another type.
    Misfit(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Raised(error)
    }
}

/// Apply a function to a node; also say whether it is another one now, or has been written.
fn change<T: NodeRef, E: NodeRef>(
    value: T,
    mutate: impl FnOnce(E) -> Result<E>,
) -> std::result::Result<(T, bool), Failure> {
    let witness = Witness::of(&value);
    let writes = WRITES.get();
    let new = mutate(expect(value))?;
    let is_changed = !witness.is(&new) || WRITES.get() != writes;
    let fitting = downcast(new).map_err(|new| misfit::<T>(&new))?;
    Ok((fitting, is_changed))
}

#[cold]
fn misfit<T: NodeRef>(new: &impl NodeRef) -> Failure {
    let expected = T::ContainerType::TYPE_KEY;
    let message = format!("a `{}` is not a `{expected}`", type_key(new));
    Failure::Misfit(Error::new(TYPE_ERROR, &message, ""))
}

fn change_array<T, E>(
    mut array: Array<T>,
    mut mutate: impl FnMut(E) -> Result<E>,
) -> std::result::Result<(Array<T>, bool), Failure>
where
    T: NodeRef + ContainerElement,
    E: NodeRef,
{
    let mut is_owned = is_unique(&array);
    let mut is_any_changed = false;
    for index in 0..array.len() {
        let old = take_element(&array, index, is_owned)?;
        let (new, is_changed) = change(old, &mut mutate)?;
        if is_changed && !is_owned {
            array = copy_array(&array)?;
            is_owned = true;
        }
        if is_owned {
            let old = put_element(&array, index, new);
            drop(old);
        }
        is_any_changed |= is_changed;
    }
    Ok((array, is_any_changed))
}

/// Return an element of an array, moved out if the array has one reference.
fn take_element<T>(
    array: &Array<T>,
    index: usize,
    is_owned: bool,
) -> std::result::Result<T, Failure>
where
    T: NodeRef + ContainerElement,
{
    let cell = cell(array, index);
    // SAFETY: the cell holds an element as long as the array is held, and is left empty if it is
    // moved out, to which there is no other reference.
    unsafe {
        let Some(element) = element::<T>(&*cell) else {
            let expected = T::ContainerType::TYPE_KEY;
            let message = format!("an element of the array is not a `{expected}`");
            return Err(Failure::Misfit(Error::new(TYPE_ERROR, &message, "")));
        };
        if !is_owned {
            return Ok(element.clone());
        }
        let element = std::ptr::read(element);
        cell.write(TVMFFIAny::new());
        Ok(element)
    }
}

/// Replace an element of an array with one reference; return the old one.
fn put_element<T: ContainerElement + Clone>(array: &Array<T>, index: usize, element: T) -> Any {
    // SAFETY: the cell is in the array, to which there is no other reference.
    unsafe {
        let new = Any::into_raw_ffi_any(to_any(element));
        Any::from_raw_ffi_any(cell(array, index).replace(new))
    }
}

fn cell<T: ContainerElement + Clone>(array: &Array<T>, index: usize) -> *mut TVMFFIAny {
    let cells = Array::data(array).data.cast::<TVMFFIAny>();
    cells.wrapping_add(index)
}

/// Return whether a reference is the only one to its object.
fn is_unique(reference: &impl ObjectRefCore) -> bool {
    let is_unique = ObjectArc::strong_count(ObjectRefCore::data(reference)) == 1;
    // An acquire fence orders accesses of former holders before later ones.
    fence(Ordering::Acquire);
    is_unique
}

fn copy_node<R: NodeRef>(node: &R) -> Result<R> {
    let object = copy(AnyView::from(expect_ref::<ObjectRef>(node)))?;
    Ok(expect(object))
}

fn copy_array<T: ContainerElement + Clone>(array: &Array<T>) -> Result<Array<T>> {
    let object = copy(AnyView::from(array))?;
    // SAFETY: the copy of an array is one with the same elements.
    unsafe {
        let object = ObjectArc::into_raw(ObjectRef::into_data(object));
        Ok(Array::from_data(ObjectArc::from_raw(object.cast())))
    }
}

fn copy(object: AnyView<'_>) -> Result<ObjectRef> {
    static SHALLOW_COPY: GlobalFunction = GlobalFunction::new("tschema.shallow_copy");
    SHALLOW_COPY.call(&[object])?.try_into()
}
