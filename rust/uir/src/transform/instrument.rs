//! Instruments written in Rust.

use std::rc::Rc;

use tvm_ffi::{Function, Result};

use crate::ir::IRModule;
use crate::transform::{PassInfo, PassInstrument};

/// Callbacks before and after passes; an error in one ends the run.
pub trait Instrument {
    /// The instrument's name in messages.
    fn name(&self) -> &str;

    /// Run on entry of the context.
    ///
    /// # Errors
    ///
    /// What ends the run.
    fn enter_pass_ctx(&self) -> Result<()> {
        Ok(())
    }

    /// Run on exit of the context.
    ///
    /// # Errors
    ///
    /// What ends the run.
    fn exit_pass_ctx(&self) -> Result<()> {
        Ok(())
    }

    /// Return whether a pass may run; it runs only if all instruments return true.
    ///
    /// # Errors
    ///
    /// What ends the run.
    fn should_run(&self, _module: &IRModule, _info: &PassInfo) -> Result<bool> {
        Ok(true)
    }

    /// Run before a pass.
    ///
    /// # Errors
    ///
    /// What ends the run.
    fn run_before_pass(&self, _module: &IRModule, _info: &PassInfo) -> Result<()> {
        Ok(())
    }

    /// Run after a pass that succeeded.
    ///
    /// # Errors
    ///
    /// What ends the run.
    fn run_after_pass(&self, _module: &IRModule, _info: &PassInfo) -> Result<()> {
        Ok(())
    }
}

/// Make an instrument for contexts from a shared value.
///
/// ```
/// use std::{cell::RefCell, rc::Rc};
/// use uir::ffi::Result;
/// use uir::ir::IRModule;
/// use uir::transform::{instrument, module_pass, Instrument, PassContext, PassInfo};
///
/// #[derive(Default)]
/// struct Names(RefCell<Vec<String>>);
///
/// impl Instrument for Names {
///     fn name(&self) -> &str {
///         "names"
///     }
///
///     fn run_before_pass(&self, _module: &IRModule, info: &PassInfo) -> Result<()> {
///         self.0.borrow_mut().push(info.name.as_str().into());
///         Ok(())
///     }
/// }
///
/// # fn main() -> Result<()> {
/// uir::init()?;
/// let names = Rc::new(Names::default());
/// let context = PassContext::builder().instruments([instrument(&names)]).build()?;
/// let pass = module_pass("Keep", |module, _context| Ok(module))?;
/// context.within(|| pass.run(IRModule::builder().build()?))?;
/// assert_eq!(*names.0.borrow(), ["Keep"]);
/// # Ok(())
/// # }
/// ```
pub fn instrument<I: Instrument + 'static>(value: &Rc<I>) -> PassInstrument {
    let [enter, exit, asked, before, after] = std::array::from_fn(|_| Rc::clone(value));
    let on_should_run = move |module: IRModule, info: PassInfo| -> Result<bool> {
        asked.should_run(&module, &info)
    };
    let on_before = move |module: IRModule, info: PassInfo| -> Result<()> {
        before.run_before_pass(&module, &info)
    };
    let on_after = move |module: IRModule, info: PassInfo| -> Result<()> {
        after.run_after_pass(&module, &info)
    };
    PassInstrument::builder(value.name())
        .on_enter(Function::from_typed(move || enter.enter_pass_ctx()))
        .on_exit(Function::from_typed(move || exit.exit_pass_ctx()))
        .on_should_run(Function::from_typed(on_should_run))
        .on_before(Function::from_typed(on_before))
        .on_after(Function::from_typed(on_after))
        .build()
}
