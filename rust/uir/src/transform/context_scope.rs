//! Contexts of passes, as scopes.

use tvm_ffi::object::ObjectCore;
use tvm_ffi::{Any, Error, Result};

use crate::transform::{
    current_pass_context, enter_pass_context, exit_pass_context, find_option, options_of,
    PassContext,
};

impl PassContext {
    /// Return the current context of this thread, or the default one.
    ///
    /// # Errors
    ///
    /// libuir is not loaded.
    pub fn current() -> Result<Self> {
        current_pass_context()
    }

    /// Run something with this as the thread's current context.
    ///
    /// ```
    /// use uir::transform::PassContext;
    ///
    /// # fn main() -> uir::ffi::Result<()> {
    /// uir::init()?;
    /// let context = PassContext::builder().opt_level(3).build()?;
    /// let level = context.within(|| Ok(PassContext::current()?.opt_level.get()))?;
    /// assert_eq!(level, 3);
    /// assert_eq!(PassContext::current()?.opt_level.get(), 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The error of an instrument on entry or exit, or of `run`. The context is always exited, also
    /// if `run` panics.
    pub fn within<T>(&self, run: impl FnOnce() -> Result<T>) -> Result<T> {
        enter_pass_context(self.clone())?;
        let mut entered = Entered(Some(self.clone()));
        let result = run();
        let left = entered.leave();
        let value = result?;
        left?;
        Ok(value)
    }

    /// Return the value of an option, or its declared default; `None` if there is neither.
    ///
    /// # Errors
    ///
    /// There is no such option, or it is of another type.
    pub fn option<T: TryFrom<Any, Error = Error>>(&self, name: &str) -> Result<Option<T>> {
        let value = find_option(self.clone(), name)?;
        match value.type_index() {
            0 => Ok(None),
            _ => T::try_from(value).map(Some),
        }
    }

    /// Return the options of a pass; those that this context does not set have their defaults.
    ///
    /// ```
    /// use uir::transform::{PassContext, UnrollLoopOptions};
    ///
    /// # fn main() -> uir::ffi::Result<()> {
    /// uir::init()?;
    /// let context = PassContext::builder().config([("UnrollLoop.auto_max_extent", 4)]).build()?;
    /// let options = context.options::<UnrollLoopOptions>()?;
    /// assert_eq!((options.auto_max_extent, options.auto_max_depth), (4, 8));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `T` is not a subclass of [`PassOptions`](crate::transform::PassOptions), or it refuses a
    /// value.
    pub fn options<T: tschema::NodeRef>(&self) -> Result<T> {
        options_of(self.clone(), T::ContainerType::TYPE_KEY).map(tschema::expect)
    }
}

/// Leaves a context when it is dropped, unless that has been done.
struct Entered(Option<PassContext>);

impl Entered {
    fn leave(&mut self) -> Result<()> {
        self.0.take().map_or(Ok(()), exit_pass_context)
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        // During a panic, errors of instruments are dropped.
        let _ = self.leave();
    }
}
