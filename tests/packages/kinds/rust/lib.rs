//! Makes and reads objects of classes of every kind.

#[path = "../generated/rust/mod.rs"]
pub mod generated;

use generated::ir::{
    check_config, make_holder, AddStep, BothSteps, Config, Hand, Level, Lonely, MarkedExpr, Pair,
    PairNode, Span, Step, StepVisitor, TunedConfig,
};
use tvm_ffi::{tvm_ffi_dll_export_typed_func, Any, Result};

fn init() -> Result<()> {
    generated::init()
}

/// What is left out is what the initializers of C++ make.
fn check_defaults() -> Result<()> {
    let config = Config::builder().build()?;
    assert_eq!((config.limit.get(), config.ratio.get()), (42, 0.5));
    assert_eq!(config.level.get(), Level::QUIET);
    assert!(config.span.get().is_none() && config.pair.get().is_none());
    config.set_limit(7)?;
    config.set_span(Some(Span::new(3)))?;
    assert_eq!(check_config(config.clone())?.as_str(), " 7 0 0 span");
    let expr = MarkedExpr::new("e", -1);
    assert_eq!((expr.name.as_str(), expr.mark), ("e", -1));
    let tuned = TunedConfig::builder().limit(1).expr(expr).build()?;
    assert_eq!((tuned.limit.get(), tuned.ratio.get()), (1, 0.75));
    assert!(tuned.expr.get().is_some());
    Ok(())
}

struct Amounts(Vec<i64>);

impl StepVisitor for Amounts {
    fn visit_add_step(&mut self, op: &AddStep) {
        self.0.push(op.amount);
    }
}

/// The table pointer of C++ precedes what a handle points to, so that structs do not have it.
fn check_virtual() -> Result<()> {
    let first = AddStep::new(true, false, 5, None);
    let second = AddStep::new(false, true, 6, Some(Span::new(1)));
    assert!(first.is_fast && !first.is_exact && second.is_exact);
    assert_eq!(second.span.as_ref().map(|span| span.line), Some(1));
    let both = BothSteps::new(false, first, second);
    assert_eq!(both.run(1)?, 12);
    let mut amounts = Amounts(Vec::new());
    let step: Step = both.into();
    amounts.visit_step(&step);
    assert_eq!(amounts.0, [5, 6]);
    Ok(())
}

fn check_references() -> Result<()> {
    let pair = PairNode::twice(4)?;
    assert_eq!((pair.count(1)?, pair.both()?.len()), (3, 2));
    assert_eq!(i64::try_from(pair.left.clone())?, 4);
    let _ = Pair::new(Any::new(), 1);
    let lonely = Lonely::new(1, Some(Hand::new(2)));
    assert_eq!(lonely.hand.as_ref().map(|hand| hand.value), Some(2));
    let holder = make_holder(8)?;
    assert_eq!(holder.config.limit.get(), 42);
    Ok(())
}

fn check_in_rust() -> Result<()> {
    check_defaults()?;
    check_virtual()?;
    check_references()
}

tvm_ffi_dll_export_typed_func!(init, init);
tvm_ffi_dll_export_typed_func!(check_in_rust, check_in_rust);
