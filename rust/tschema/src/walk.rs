//! Traversal of the objects reachable from a value, by libtschema's engine.

use std::any::Any as Panic;
use std::ffi::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::OnceLock;

use crate::ffi::object::ObjectRef;
use crate::ffi::{AnyCompatible, AnyView, Function, Result, TVMFFIAny, TVMFFIObject};

/// What a callback wants next.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkAction {
    /// Go on.
    Advance = 0,
    /// Leave out what is below the object; without effect in post-order.
    Skip = 1,
    /// End the walk.
    Interrupt = 2,
}

/// Whether the callback comes before or after what is below an object.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkOrder {
    /// Before.
    PreOrder = 0,
    /// After.
    PostOrder = 1,
}

/// Call a function for each object below a value, the value itself included.
///
/// Objects are nodes and containers; each is visited once. Fields that structural equality ignores
/// and keys of maps are skipped. The stack does not grow with the depth of the value.
///
/// Returns whether the walk completed without [`WalkAction::Interrupt`].
///
/// # Errors
///
/// libtschema is not loaded.
///
/// # Panics
///
/// If the callback does.
pub fn walk<A, F>(root: &A, order: WalkOrder, mut callback: F) -> Result<bool>
where
    A: AnyCompatible,
    F: FnMut(&ObjectRef) -> WalkAction,
{
    let mut context = Context {
        callback: &mut callback,
        panic: None,
    };
    let entry = entry()?;
    let view = AnyView::from(root);
    // SAFETY: a view is laid out as a `TVMFFIAny`; the entry calls back before it returns only.
    let is_complete = unsafe {
        entry(
            std::ptr::from_ref(&view).cast(),
            order as i32,
            call::<F>,
            std::ptr::from_mut(&mut context).cast(),
        )
    };
    match context.panic {
        Some(panic) => resume_unwind(panic),
        None => Ok(is_complete != 0),
    }
}

type Callback = unsafe extern "C" fn(*mut c_void, *mut TVMFFIObject) -> WalkAction;
type Entry = unsafe extern "C" fn(*const TVMFFIAny, i32, Callback, *mut c_void) -> i32;

struct Context<'a, F> {
    callback: &'a mut F,
    /// What the callback panicked with, carried past the C++ frames.
    panic: Option<Box<dyn Panic + Send>>,
}

unsafe extern "C" fn call<F>(context: *mut c_void, object: *mut TVMFFIObject) -> WalkAction
where
    F: FnMut(&ObjectRef) -> WalkAction,
{
    // SAFETY: `walk` passes its own context, which outlives the walk; a reference is laid out as
    // the pointer to its object, which the walk keeps alive.
    let (context, object) = unsafe {
        let object = &*std::ptr::from_ref(&object).cast::<ObjectRef>();
        (&mut *context.cast::<Context<F>>(), object)
    };
    match catch_unwind(AssertUnwindSafe(|| (context.callback)(object))) {
        Ok(action) => action,
        Err(panic) => {
            context.panic = Some(panic);
            WalkAction::Interrupt
        }
    }
}

/// The C function that walks, asked for once.
fn entry() -> Result<Entry> {
    static ENTRY: OnceLock<usize> = OnceLock::new();
    let address = match ENTRY.get() {
        Some(address) => *address,
        None => {
            let result = Function::get_global("tschema.walk_entry")?.call_packed(&[])?;
            let address = <*mut c_void>::try_from(result)? as usize;
            *ENTRY.get_or_init(|| address)
        }
    };
    // SAFETY: the function of that name returns the address of a function of this type.
    Ok(unsafe { std::mem::transmute::<usize, Entry>(address) })
}
