//! Modules, passes, sequences, contexts and instruments, all from Rust.

use std::cell::RefCell;
use std::panic;
use std::rc::Rc;

use tschema::{expect, structural_equal};
use uir::ffi::{Any, DLDataType, DLDataTypeCode, Error, Map, ObjectRefCore, Result, RUNTIME_ERROR};
use uir::ir::{
    error_at, error_context, module_from_func, with_function, BaseFunc, ExternFunc, GlobalVar,
    IRModule, IntImm, PrimExpr,
};
use uir::tir::{Evaluate, PrimExprMutator, PrimFunc, StmtMutator, Var};
use uir::transform::{
    instrument, make_pass, module_pass, prim_func_pass, register_option, register_pass, Instrument,
    ModuleTransform, Pass, PassContext, PassInfo, PrimFuncTransform, Sequential,
};

fn int32() -> DLDataType {
    DLDataType::new(DLDataTypeCode::kDLInt, 32, 1)
}

fn function(value: i64) -> Result<PrimFunc> {
    let none: [Var; 0] = [];
    let body = Evaluate::builder(IntImm::builder(int32(), value).build()?).build();
    PrimFunc::builder(none, body).build()
}

fn module(value: i64) -> Result<IRModule> {
    module_from_func(function(value)?, None)
}

fn value_of(module: &IRModule, name: &str) -> Result<i64> {
    let func: PrimFunc = expect(module.lookup(name)?);
    let body: Evaluate = expect(func.body.clone());
    let value: IntImm = expect(body.value.clone());
    Ok(value.value)
}

struct Add(i64);

impl PrimExprMutator for Add {
    fn mutate_int_imm(&mut self, node: IntImm) -> Result<PrimExpr> {
        Ok(IntImm::new(node.dtype, node.value + self.0, None)?.into())
    }
}

impl StmtMutator for Add {}

/// Adds a number to each constant.
struct AddPass(i64);

impl PrimFuncTransform for AddPass {
    fn info(&self) -> Result<PassInfo> {
        PassInfo::builder(1, "Add").build()
    }

    fn transform_function(
        &self,
        func: PrimFunc,
        _module: &IRModule,
        _context: &PassContext,
    ) -> Result<PrimFunc> {
        let body = Add(self.0).mutate_stmt(func.body.clone())?;
        func.with_body(body)
    }
}

/// Adds a function.
struct Declare(&'static str);

impl ModuleTransform for Declare {
    fn info(&self) -> Result<PassInfo> {
        PassInfo::builder(0, "Declare").build()
    }

    fn transform_module(&self, module: IRModule, _context: &PassContext) -> Result<IRModule> {
        let func = ExternFunc::builder(self.0).build()?;
        with_function(module, GlobalVar::builder(self.0).build(), func)
    }
}

fn fails(error: impl Fn() -> Error + 'static) -> Result<Pass> {
    module_pass("Fails", move |_module, _context| Err(error()))
}

fn message<T>(result: Result<T>) -> String {
    match result {
        Ok(_) => "no error".into(),
        Err(error) => format!("{}: {}", error.kind(), error.message()),
    }
}

#[test]
fn a_module_is_built_walked_and_transformed() -> Result<()> {
    uir::init()?;
    let functions: Map<GlobalVar, BaseFunc> = [("one", 1), ("two", 2)]
        .into_iter()
        .map(|(name, value)| Ok((GlobalVar::builder(name).build(), function(value)?.into())))
        .collect::<Result<Vec<_>>>()?
        .into_iter()
        .collect();
    let before = IRModule::builder().functions(functions).build()?;
    let passes = [AddPass(10).into_pass()?, Declare("sqrtf").into_pass()?];
    let after = Sequential::builder(passes).build()?.run(&before)?;
    assert_eq!(
        (value_of(&after, "one")?, value_of(&after, "two")?),
        (11, 12)
    );
    assert!(after.contains("sqrtf")?);
    assert_eq!((value_of(&before, "one")?, before.functions.len()), (1, 2));
    Ok(())
}

#[test]
fn a_module_that_does_not_change_is_the_same_object() -> Result<()> {
    uir::init()?;
    let before = module(1)?;
    let after = AddPass(0).into_pass()?.run(&before)?;
    assert!(structural_equal(&before, &after, false)?);
    let keep = prim_func_pass("Keep", |func, _module, _context| {
        func.with_body(func.body.clone())
    })?;
    assert!(keep.run(&before)?.same_as(&before));
    Ok(())
}

#[test]
fn sequences_ask_the_context() -> Result<()> {
    uir::init()?;
    let add = Sequential::builder([AddPass(1).into_pass()?]).build()?;
    let low = PassContext::builder().opt_level(0).build()?;
    assert_eq!(value_of(&low.within(|| add.run(module(1)?))?, "main")?, 1);
    let required = PassContext::builder()
        .opt_level(0)
        .required_pass(["Add"])
        .build()?;
    assert_eq!(
        value_of(&required.within(|| add.run(module(1)?))?, "main")?,
        2
    );
    Ok(())
}

#[test]
fn passes_are_registered_by_name() -> Result<()> {
    uir::init()?;
    register_pass("interop.Add", |value: i64| AddPass(value).into_pass())?;
    let add = make_pass("interop.Add", &[Any::from(5)])?;
    assert_eq!(value_of(&add.run(module(1)?)?, "main")?, 6);
    let second = message(register_pass("interop.Add", || Declare("x").into_pass()));
    assert!(second.contains("tests/all/passes.rs:"), "{second}");
    assert_eq!(
        second.matches("tests/all/passes.rs:").count(),
        2,
        "{second}"
    );
    assert!(message(make_pass("interop.Nothing", &[])).contains("`interop.Add`"));
    Ok(())
}

#[test]
fn options_are_read_from_the_context() -> Result<()> {
    uir::init()?;
    register_option("interop.steps", "int")?;
    let set = PassContext::builder()
        .config([("interop.steps", 3)])
        .build()?;
    assert_eq!(set.option::<i64>("interop.steps")?, Some(3));
    assert_eq!(
        PassContext::builder()
            .build()?
            .option::<i64>("interop.steps")?,
        None
    );
    assert!(message(set.option::<i64>("interop.step")).contains("no option `interop.step`"));
    Ok(())
}

#[test]
fn errors_name_the_pass_and_keep_the_node() -> Result<()> {
    uir::init()?;
    let text = message(fails(|| Error::new(RUNTIME_ERROR, "odd", ""))?.run(module(1)?));
    assert_eq!(text, "RuntimeError: in pass `Fails`: odd");
    let pass = prim_func_pass("At", |func, _module, _context| {
        Err(error_at(&func.body, "odd"))
    })?;
    let error = pass.run(module(1)?).expect_err("the pass fails");
    let first = error.message().lines().next().unwrap_or("");
    assert_eq!(first, "in pass `At`, function `main`: odd");
    let context = error_context(&error).expect("the runner of passes adds a context");
    assert_eq!(context.pass_name.as_str(), "At");
    assert!(context.node.is_some());
    Ok(())
}

#[test]
fn a_panic_is_an_error_that_names_the_pass() -> Result<()> {
    uir::init()?;
    let pass = prim_func_pass("Panics", |_func, _module, _context| panic!("boom"))?;
    panic::set_hook(Box::new(|_| {}));
    let text = message(pass.run(module(1)?));
    let _ = panic::take_hook();
    assert_eq!(
        text,
        "InternalError: in pass `Panics`, function `main`: panicked: boom"
    );
    Ok(())
}

#[test]
fn a_context_is_left_when_its_body_panics() -> Result<()> {
    uir::init()?;
    let context = PassContext::builder().opt_level(7).build()?;
    panic::set_hook(Box::new(|_| {}));
    let run = panic::AssertUnwindSafe(|| context.within(|| -> Result<()> { panic!("boom") }));
    assert!(panic::catch_unwind(run).is_err());
    let _ = panic::take_hook();
    assert_eq!(PassContext::current()?.opt_level.get(), 2);
    Ok(())
}

#[derive(Default)]
struct Recorder(RefCell<Vec<String>>);

impl Recorder {
    fn note(&self, call: &str, info: &PassInfo) {
        self.0
            .borrow_mut()
            .push(format!("{call} {}", info.name.as_str()));
    }
}

impl Instrument for Recorder {
    fn name(&self) -> &str {
        "recorder"
    }

    fn exit_pass_ctx(&self) -> Result<()> {
        self.0.borrow_mut().push("exit".into());
        Ok(())
    }

    fn should_run(&self, _module: &IRModule, info: &PassInfo) -> Result<bool> {
        self.note("should", info);
        Ok(info.name.as_str() != "Declare")
    }

    fn run_after_pass(&self, _module: &IRModule, info: &PassInfo) -> Result<()> {
        self.note("after", info);
        match info.name.as_str() {
            "Add" => Err(Error::new(RUNTIME_ERROR, "enough", "")),
            _ => Ok(()),
        }
    }
}

#[test]
fn instruments_are_called_and_may_fail() -> Result<()> {
    uir::init()?;
    let recorder = Rc::new(Recorder::default());
    let context = PassContext::builder()
        .instruments([instrument(&recorder)])
        .build()?;
    let passes = [Declare("x").into_pass()?, AddPass(1).into_pass()?];
    let sequence = Sequential::builder(passes).build()?;
    let text = message(context.within(|| sequence.run(module(1)?)));
    assert_eq!(text, "RuntimeError: in instrument `recorder`: enough");
    let expected = [
        "should sequential",
        "should Declare",
        "should Add",
        "after Add",
        "exit",
    ];
    assert_eq!(*recorder.0.borrow(), expected);
    Ok(())
}

#[test]
fn a_sequence_lists_its_passes() -> Result<()> {
    uir::init()?;
    let listing = Sequential::builder([AddPass(1).into_pass()?])
        .build()?
        .listing()?;
    assert_eq!(listing.as_str(), "sequential (level 0)\n1. Add (level 1)");
    Ok(())
}
