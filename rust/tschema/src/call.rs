//! Calls of registered constructors, functions and methods.

use std::sync::OnceLock;

use crate::backtrace::with_short_backtrace;
use crate::ffi::{Any, AnyView, Error, Function, Result};

/// A global function, looked up on its first call.
pub struct GlobalFunction {
    name: &'static str,
    function: OnceLock<Function>,
}

impl GlobalFunction {
    /// Name a global function: `uir.tir.add`, or the type key of a constructor.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            function: OnceLock::new(),
        }
    }

    /// Call the function.
    ///
    /// # Errors
    ///
    /// The function is not registered, or its error.
    pub fn call(&self, args: &[AnyView]) -> Result<Any> {
        let function = cached(&self.function, || Function::get_global(self.name))?;
        with_short_backtrace(function.call_packed(args))
    }
}

/// A method of a type, looked up on its first call.
pub struct TypeMethod {
    path: &'static str,
    function: OnceLock<Function>,
}

impl TypeMethod {
    /// Name a method by its type key and name, dotted: `uir.tir.For.trip_count`.
    pub const fn new(path: &'static str) -> Self {
        Self {
            path,
            function: OnceLock::new(),
        }
    }

    /// Call the method; the object, if it needs one, is the first argument.
    ///
    /// # Errors
    ///
    /// The method is not registered, or its error.
    pub fn call(&self, args: &[AnyView]) -> Result<Any> {
        let function = cached(&self.function, || self.look_up())?;
        with_short_backtrace(function.call_packed(args))
    }

    fn look_up(&self) -> Result<Function> {
        let (type_key, name) = self.path.rsplit_once('.').unwrap_or(("", self.path));
        Function::from_type_key_method(type_key, name)
    }
}

/// A failed lookup is not cached: the library may be loaded later.
fn cached(
    cell: &OnceLock<Function>,
    look_up: impl FnOnce() -> Result<Function>,
) -> Result<&Function> {
    match cell.get() {
        Some(function) => Ok(function),
        None => {
            let function = look_up()?;
            Ok(cell.get_or_init(|| function))
        }
    }
}

/// Convert the result of a call.
///
/// # Errors
///
/// The call failed, or returned something else than a `T`.
pub fn from_any<T>(result: Result<Any>) -> Result<T>
where
    T: TryFrom<Any, Error = Error>,
{
    result.and_then(T::try_from)
}

/// Convert the result of a constructor that takes every value of its parameters' types.
///
/// # Panics
///
/// The call failed: the library that owns the type is not loaded, or does not match this code.
#[track_caller]
pub fn construct<T>(result: Result<Any>) -> T
where
    T: TryFrom<Any, Error = Error>,
{
    match from_any(result) {
        Ok(value) => value,
        Err(error) => panic!("{}: {}", error.kind(), error.message()),
    }
}

/// Call a global function by name, without converting the result.
///
/// The arguments are values that can be turned into [`AnyView`](crate::ffi::AnyView).
#[macro_export]
macro_rules! call_any {
    ($name:literal $(, $arg:expr)* $(,)?) => {{
        static FUNCTION: $crate::GlobalFunction = $crate::GlobalFunction::new($name);
        FUNCTION.call(&[$($crate::ffi::AnyView::from(&$arg)),*])
    }};
}

/// Call a global function by name, and convert the result: a `Result`.
#[macro_export]
macro_rules! call {
    ($($call:tt)*) => {
        $crate::from_any($crate::call_any!($($call)*))
    };
}

/// Call an infallible constructor, and convert the result.
#[macro_export]
macro_rules! construct {
    ($($call:tt)*) => {
        $crate::construct($crate::call_any!($($call)*))
    };
}

/// Call a method of a node by its path, without converting the result.
#[macro_export]
macro_rules! call_method_any {
    ($node:expr, $path:literal $(, $arg:expr)* $(,)?) => {{
        static METHOD: $crate::TypeMethod = $crate::TypeMethod::new($path);
        METHOD.call(&[
            $crate::ffi::AnyView::from(&$crate::to_object($node))
            $(, $crate::ffi::AnyView::from(&$arg))*
        ])
    }};
}

/// Call a method that needs no object by its path, without converting the result.
#[macro_export]
macro_rules! call_static_method_any {
    ($path:literal $(, $arg:expr)* $(,)?) => {{
        static METHOD: $crate::TypeMethod = $crate::TypeMethod::new($path);
        METHOD.call(&[$($crate::ffi::AnyView::from(&$arg)),*])
    }};
}

/// Call a method that needs no object by its path, and convert the result: a `Result`.
#[macro_export]
macro_rules! call_static_method {
    ($($call:tt)*) => {
        $crate::from_any($crate::call_static_method_any!($($call)*))
    };
}

/// Call a method of a node by its path, and convert the result: a `Result`.
#[macro_export]
macro_rules! call_method {
    ($($call:tt)*) => {
        $crate::from_any($crate::call_method_any!($($call)*))
    };
}
