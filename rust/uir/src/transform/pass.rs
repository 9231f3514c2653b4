//! Passes written in Rust, from closures and types, and running of passes.

use tvm_ffi::{Function, Result};

use crate::ir::IRModule;
use crate::relay;
use crate::tir::PrimFunc;
use crate::transform::{
    describe_pass, run_pass, FunctionPass, ModulePass, Pass, PassContext, PassInfo, PrimFuncPass,
    Sequential,
};

/// Describes a pass: a name, or a name with a level, or a [`PassInfo`].
pub trait IntoPassInfo {
    /// Convert.
    ///
    /// # Errors
    ///
    /// The name is empty or the level is negative.
    fn into_pass_info(self) -> Result<PassInfo>;
}

impl IntoPassInfo for PassInfo {
    fn into_pass_info(self) -> Result<PassInfo> {
        Ok(self)
    }
}

impl IntoPassInfo for &str {
    fn into_pass_info(self) -> Result<PassInfo> {
        (self, 0).into_pass_info()
    }
}

impl IntoPassInfo for (&str, i32) {
    fn into_pass_info(self) -> Result<PassInfo> {
        PassInfo::builder(self.1, self.0).build()
    }
}

/// Make a pass that takes the whole module.
///
/// A panic in `run` becomes an error that names the pass.
///
/// ```
/// use uir::ir::{with_function, ExternFunc, GlobalVar, IRModule};
/// use uir::transform::module_pass;
///
/// # fn main() -> uir::ffi::Result<()> {
/// uir::init()?;
/// let pass = module_pass("AddSqrt", |module, _context| {
///     let sqrt = ExternFunc::builder("sqrtf").build()?;
///     with_function(module, GlobalVar::builder("sqrt").build(), sqrt)
/// })?;
/// let module = pass.run(IRModule::builder().build()?)?;
/// assert!(module.contains("sqrt")?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// The name is empty or the level is negative.
pub fn module_pass<F>(info: impl IntoPassInfo, run: F) -> Result<Pass>
where
    F: Fn(IRModule, &PassContext) -> Result<IRModule> + 'static,
{
    let packed =
        Function::from_typed(move |module: IRModule, context: PassContext| run(module, &context));
    Ok(ModulePass::new(info.into_pass_info()?, packed).into())
}

/// Make a pass over each tensor-level function separately; the module is the one before the pass.
///
/// A panic in `run` becomes an error that names the pass and the function.
///
/// ```
/// use uir::ffi::Result;
/// use uir::ir::{module_from_func, IntImm, PrimExpr};
/// use uir::tir::{Evaluate, PrimExprMutator, PrimFunc, StmtMutator};
/// use uir::transform::prim_func_pass;
///
/// struct Increment;
///
/// impl PrimExprMutator for Increment {
///     fn mutate_int_imm(&mut self, node: IntImm) -> Result<PrimExpr> {
///         Ok(IntImm::new(node.dtype, node.value + 1, node.span.clone())?.into())
///     }
/// }
///
/// impl StmtMutator for Increment {}
///
/// # fn main() -> uir::ffi::Result<()> {
/// uir::init()?;
/// let pass = prim_func_pass(("Increment", 1), |func, _module, _context| {
///     let body = Increment.mutate_stmt(func.body.clone())?;
///     func.with_body(body)
/// })?;
/// # use uir::ffi::{DLDataType, DLDataTypeCode};
/// # let int32 = DLDataType::new(DLDataTypeCode::kDLInt, 32, 1);
/// # let body = Evaluate::builder(IntImm::builder(int32, 1).build()?).build();
/// # let none: [uir::tir::Var; 0] = [];
/// # let func = PrimFunc::builder(none, body).build()?;
/// let module = pass.run(module_from_func(func, None)?)?;
/// # let func: PrimFunc = tschema::expect(module.lookup("main")?);
/// # let body: Evaluate = tschema::expect(func.body.clone());
/// # let value: IntImm = tschema::expect(body.value.clone());
/// # assert_eq!(value.value, 2);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// The name is empty or the level is negative.
pub fn prim_func_pass<F>(info: impl IntoPassInfo, run: F) -> Result<Pass>
where
    F: Fn(PrimFunc, &IRModule, &PassContext) -> Result<PrimFunc> + 'static,
{
    let packed = Function::from_typed(
        move |func: PrimFunc, module: IRModule, context: PassContext| run(func, &module, &context),
    );
    Ok(PrimFuncPass::new(info.into_pass_info()?, packed).into())
}

/// Make a pass over each high-level function separately; the module is the one before the pass.
///
/// A panic in `run` becomes an error that names the pass and the function.
///
/// ```
/// use uir::transform::{function_pass, BindingRewriter, Rewrites};
///
/// /// Replaces nothing; see [`BindingRewriter`].
/// #[derive(Default)]
/// struct Keep(Rewrites);
///
/// impl BindingRewriter for Keep {
///     fn rewrites(&mut self) -> &mut Rewrites {
///         &mut self.0
///     }
/// }
///
/// # fn main() -> uir::ffi::Result<()> {
/// uir::init()?;
/// let pass = function_pass("Keep", |func, _module, _context| Keep::default().run(&func))?;
/// # assert_eq!(pass.pass_info.name.as_str(), "Keep");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// The name is empty or the level is negative.
pub fn function_pass<F>(info: impl IntoPassInfo, run: F) -> Result<Pass>
where
    F: Fn(relay::Function, &IRModule, &PassContext) -> Result<relay::Function> + 'static,
{
    let packed = Function::from_typed(
        move |func: relay::Function, module: IRModule, context: PassContext| {
            run(func, &module, &context)
        },
    );
    Ok(FunctionPass::new(info.into_pass_info()?, packed).into())
}

/// A type whose values transform modules.
pub trait ModuleTransform {
    /// Describe the pass.
    ///
    /// # Errors
    ///
    /// The name is empty or the level is negative.
    fn info(&self) -> Result<PassInfo>;

    /// Return the module after the pass; the same one if nothing changes.
    ///
    /// # Errors
    ///
    /// What the pass refuses.
    fn transform_module(&self, module: IRModule, context: &PassContext) -> Result<IRModule>;

    /// Make a pass of the value.
    ///
    /// # Errors
    ///
    /// The name is empty or the level is negative.
    fn into_pass(self) -> Result<Pass>
    where
        Self: Sized + 'static,
    {
        module_pass(self.info()?, move |module, context| {
            self.transform_module(module, context)
        })
    }
}

/// A type whose values transform high-level functions, one by one.
pub trait FunctionTransform {
    /// Describe the pass.
    ///
    /// # Errors
    ///
    /// The name is empty or the level is negative.
    fn info(&self) -> Result<PassInfo>;

    /// Return the function after the pass; the same one if nothing changes.
    ///
    /// # Errors
    ///
    /// What the pass refuses.
    fn transform_function(
        &self,
        func: relay::Function,
        module: &IRModule,
        context: &PassContext,
    ) -> Result<relay::Function>;

    /// Make a pass of the value.
    ///
    /// # Errors
    ///
    /// The name is empty or the level is negative.
    fn into_pass(self) -> Result<Pass>
    where
        Self: Sized + 'static,
    {
        function_pass(self.info()?, move |func, module, context| {
            self.transform_function(func, module, context)
        })
    }
}

/// A type whose values transform tensor-level functions, one by one.
pub trait PrimFuncTransform {
    /// Describe the pass.
    ///
    /// # Errors
    ///
    /// The name is empty or the level is negative.
    fn info(&self) -> Result<PassInfo>;

    /// Return the function after the pass; the same one if nothing changes.
    ///
    /// # Errors
    ///
    /// What the pass refuses.
    fn transform_function(
        &self,
        func: PrimFunc,
        module: &IRModule,
        context: &PassContext,
    ) -> Result<PrimFunc>;

    /// Make a pass of the value.
    ///
    /// # Errors
    ///
    /// The name is empty or the level is negative.
    fn into_pass(self) -> Result<Pass>
    where
        Self: Sized + 'static,
    {
        prim_func_pass(self.info()?, move |func, module, context| {
            self.transform_function(func, module, context)
        })
    }
}

macro_rules! impl_run {
    ($($reference:ident),*) => {$(
        impl $reference {
            /// Run the pass on a module with the thread's current context, even if it disables the
            /// pass.
            ///
            /// # Errors
            ///
            /// What the pass or an instrument refuses, with the pass named.
            pub fn run(&self, module: impl Into<IRModule>) -> Result<IRModule> {
                run_pass(self.clone(), module)
            }

            /// Name the pass, and each pass of a sequence on a line of its own.
            ///
            /// # Errors
            ///
            /// libuir is not loaded.
            pub fn listing(&self) -> Result<tvm_ffi::String> {
                describe_pass(self.clone())
            }
        }
    )*};
}

impl_run!(Pass, ModulePass, FunctionPass, PrimFuncPass, Sequential);
