//! Makes and reads objects of classes of every kind.

#[path = "../generated/rust/mod.rs"]
pub mod generated;

use generated::ir::{
    check_config, make_holder, AddStep, BothSteps, Config, Hand, Level, Lonely, MarkedExpr, Mode,
    Pair, PairNode, Sensor, Span, Step, StepVisitor, TunedConfig, WideSensor,
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

/// Return all that Rust reads of a sensor, whose layout only its library knows.
fn read_sensor(sensor: Sensor) -> Result<tvm_ffi::String> {
    let optional = |value: bool| i32::from(value);
    let groups = sensor.groups()?;
    let all = groups.get(&"all".into())?.expect("the library sets it");
    let expr = all.get(1)?;
    let mut text = format!(
        "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}",
        sensor.name()?.as_str(),
        sensor.count()?,
        sensor.small()?,
        sensor.big()?,
        sensor.limit()?.unwrap_or(0),
        sensor.ratio()?,
        sensor.gain()?,
        optional(sensor.is_on()?),
        optional(sensor.mode()? == Mode::BUSY),
        optional(sensor.label()?.is_some()),
        sensor.dtype()?.lanes,
        sensor.device()?.map_or(0, |device| device.device_id),
        sensor.tags()?.get(1)?.as_str(),
        expr.map(|expr| expr.name.clone()).unwrap_or_default().as_str(),
        optional(sensor.expr()?.is_some()),
        f64::try_from(sensor.value()?)?,
        sensor.def()?.as_str(),
    );
    if let Ok(wide) = tschema::downcast::<WideSensor, _>(sensor) {
        if let Some(inner) = wide.inner()? {
            text += &format!(" / {}", inner.name()?.as_str());
        }
    }
    Ok(text.into())
}

fn read_small(sensor: Sensor) -> Result<i64> {
    Ok(sensor.small()?.into())
}

fn read_missing(sensor: WideSensor) -> Result<i64> {
    Ok(sensor.missing()?.unwrap_or(0))
}

fn check_in_rust() -> Result<()> {
    check_defaults()?;
    check_virtual()?;
    check_references()
}

tvm_ffi_dll_export_typed_func!(init, init);
tvm_ffi_dll_export_typed_func!(check_in_rust, check_in_rust);
tvm_ffi_dll_export_typed_func!(read_sensor, read_sensor);
tvm_ffi_dll_export_typed_func!(read_small, read_small);
tvm_ffi_dll_export_typed_func!(read_missing, read_missing);
