//! Checked casts of references between types, and from a node to a reference.

use crate::ffi::object::{unsafe_, ObjectRef};
use crate::ffi::{ObjectArc, ObjectCore, ObjectRefCore, TVMFFIObject};
use crate::type_table::type_info;

/// A reference that is one pointer and accepts every object of its container type.
///
/// # Safety
///
/// The type has the layout of `ObjectArc<Self::ContainerType>` and no further requirements, such as
/// the parameters of containers.
pub unsafe trait NodeRef: ObjectRefCore {}

// SAFETY: the reference to any object.
unsafe impl NodeRef for ObjectRef {}

/// Return the type index of a reference's declared type.
pub fn type_index<R: NodeRef>() -> i32 {
    R::ContainerType::type_index()
}

/// View a reference as one to `To`, if its object is one.
#[inline]
pub fn downcast_ref<To: NodeRef>(reference: &impl NodeRef) -> Option<&To> {
    reference.as_node::<To::ContainerType>()?;
    // SAFETY: both references are one pointer, to an object that was found to be a `To`.
    Some(unsafe { &*std::ptr::from_ref(reference).cast() })
}

/// Turn a reference into one to `To`.
///
/// # Errors
///
/// The reference itself, if its object is not a `To`.
#[inline]
pub fn downcast<To: NodeRef, From: NodeRef>(reference: From) -> Result<To, From> {
    if reference.as_node::<To::ContainerType>().is_none() {
        return Err(reference);
    }
    // SAFETY: the reference is moved; its object was found to be a `To`.
    unsafe {
        let object = ObjectArc::into_raw(From::into_data(reference));
        Ok(To::from_data(ObjectArc::from_raw(object.cast())))
    }
}

/// View a reference as one to `To`; panics if its object is not one.
///
/// # Panics
///
/// It is not.
#[inline]
pub fn expect_ref<To: NodeRef>(reference: &impl NodeRef) -> &To {
    match downcast_ref(reference) {
        Some(cast) => cast,
        None => fail::<To>(reference),
    }
}

/// Turn a reference into one to `To`; panics if its object is not one.
///
/// # Panics
///
/// It is not.
#[inline]
pub fn expect<To: NodeRef, From: NodeRef>(reference: From) -> To {
    match downcast(reference) {
        Ok(cast) => cast,
        Err(reference) => fail::<To>(&reference),
    }
}

/// Return a reference to the object of a node.
///
/// Nodes of generated types are only constructed by their owner, at the start of an object.
pub fn to_object<N: ObjectCore>(node: &N) -> ObjectRef {
    let header = std::ptr::from_ref(node).cast_mut().cast::<TVMFFIObject>();
    // SAFETY: a node's first bytes are the header of a live object, which the count keeps alive.
    unsafe {
        unsafe_::inc_ref(header);
        ObjectRef::from_data(ObjectArc::from_raw(header.cast()))
    }
}

/// Return the header of a reference's object.
#[inline]
pub fn header(reference: &impl ObjectRefCore) -> *mut TVMFFIObject {
    // SAFETY: the pointer is not dereferenced here.
    let object = unsafe { ObjectArc::as_raw(ObjectRefCore::data(reference)) };
    object.cast_mut().cast()
}

/// Return the type index of a reference's object.
#[inline]
pub fn object_type_index(reference: &impl ObjectRefCore) -> i32 {
    // SAFETY: the reference keeps its object alive; the index is never written.
    unsafe { (*header(reference)).type_index }
}

/// Return the type key of a reference's object.
pub fn type_key(reference: &impl ObjectRefCore) -> &'static str {
    type_info(object_type_index(reference)).type_key.as_str()
}

#[cold]
fn fail<To: NodeRef>(reference: &impl NodeRef) -> ! {
    let expected = To::ContainerType::TYPE_KEY;
    panic!("a `{}` is not a `{expected}`", type_key(reference))
}
