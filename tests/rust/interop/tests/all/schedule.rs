//! From Rust: loops are scheduled by hand, by recipes and by traces, and compute the same.

use tschema::{structural_equal, Union};
use uir::driver::{build, lower};
use uir::ffi::{self, Any, Array, Map, Module, Result, Tensor};
use uir::ir::{module_from_func, IRModule, IntImm, PrimExpr};
use uir::runtime::time_evaluator;
use uir::schedule::{
    annotate, cache, lists, recipes, reorder, replay, split, trace_of, with_lists,
};
use uir::script::{parse, print};
use uir::target::Target;
use uir::tir::{ForKind, PrimFunc, Var};
use uir::transform::run_pass;

use crate::driver::use_cache;

const ROWS: usize = 16;
const COLUMNS: usize = 20;
const SUMS: usize = 12;

const PRODUCT: &str = "\
@tir.prim_func
def main(
    a: tir.Buffer((16, 12), \"float32\"),
    b: tir.Buffer((12, 20), \"float32\"),
    c: tir.Buffer((16, 20), \"float32\"),
):
    tir.func_attr({\"tir.noalias\": True})
    for i in range(16):
        for j in range(20):
            c[i, j] = 0.0
            for k in range(12):
                c[i, j] = c[i, j] + a[i, k] * b[k, j]
";

type Rows = Array<Map<ffi::String, Any>>;

fn product() -> Result<PrimFunc> {
    uir::init()?;
    use_cache();
    parse(PRODUCT)
}

fn name(text: &str) -> Union<(Var, ffi::String)> {
    Union::of(ffi::String::from(text))
}

fn factors(inner: i64) -> Result<Array<Option<PrimExpr>>> {
    let int32 = ffi::DLDataType::new(ffi::DLDataTypeCode::kDLInt, 32, 1);
    let inner = IntImm::builder(int32, inner).build()?;
    Ok(Array::new(vec![None, Some(inner.into())]))
}

/// Small integers, so that their products and sums are exact.
fn numbers(rows: usize, columns: usize, step: usize) -> Vec<f32> {
    (0..rows * columns)
        .map(|place| (place * step % 7) as f32 - 3.0)
        .collect()
}

fn result_of(module: &Module) -> Result<Vec<f32>> {
    let shape = |rows: usize, columns: usize| [rows as i64, columns as i64];
    let a = Tensor::from_slice(&numbers(ROWS, SUMS, 2), &shape(ROWS, SUMS))?;
    let b = Tensor::from_slice(&numbers(SUMS, COLUMNS, 3), &shape(SUMS, COLUMNS))?;
    let c = Tensor::from_slice(&vec![0.0_f32; ROWS * COLUMNS], &shape(ROWS, COLUMNS))?;
    module.get_function("main")?.call_tuple((a, b, c.clone()))?;
    Ok(c.data_as_slice::<f32>()?.to_vec())
}

fn expected() -> Vec<f32> {
    let (a, b) = (numbers(ROWS, SUMS, 2), numbers(SUMS, COLUMNS, 3));
    let element = |i: usize, j: usize| -> f32 {
        (0..SUMS)
            .map(|k| a[i * SUMS + k] * b[k * COLUMNS + j])
            .sum()
    };
    (0..ROWS * COLUMNS)
        .map(|place| element(place / COLUMNS, place % COLUMNS))
        .collect()
}

#[test]
fn primitives_change_loops_and_not_the_result() -> Result<()> {
    let func = split(product()?, name("i"), factors(4)?)?;
    let func = split(func, name("j"), factors(4)?)?;
    let order = ["j_0", "i_0", "k", "i_1", "j_1"].map(name);
    let func = reorder(func, Array::new(order.to_vec()), false)?;
    let func = cache(
        func,
        Union::of(ffi::String::from("b")),
        name("j_0"),
        "global",
    )?;
    let func = cache(
        func,
        Union::of(ffi::String::from("c")),
        name("i_0"),
        "local",
    )?;
    let func = annotate(func, name("j_1"), Some(ForKind::VECTORIZED), None)?;
    let func = annotate(func, name("i_1"), Some(ForKind::UNROLLED), None)?;
    let text = print(&func)?;
    assert!(text
        .as_str()
        .contains("for j_0 in tir.serial(5, annotations="));
    assert!(text
        .as_str()
        .contains("b_cache = tir.alloc_buffer((12, 4), \"float32\")"));
    let module = build(module_from_func(func, None)?, None, None, None)?;
    assert_eq!(result_of(&module)?, expected());
    Ok(())
}

#[test]
fn primitives_refuse_what_would_change_the_result() -> Result<()> {
    let func = product()?;
    let error = annotate(func.clone(), name("k"), Some(ForKind::PARALLEL), None).unwrap_err();
    assert!(error.message().starts_with(
        "in pass `schedule.annotate`, function `main`: `k` cannot be parallel: an iteration \
         stores to an element of `c` that another one may load\n"
    ));
    let errors = [
        split(func.clone(), name("l"), factors(2)?),
        reorder(func.clone(), Array::new(vec![name("k"), name("k")]), false),
        cache(func, Union::of(ffi::String::from("d")), name("i"), "global"),
    ];
    for (found, primitive) in errors.into_iter().zip(["split", "reorder", "cache"]) {
        let message = found.unwrap_err().message().to_string();
        let start = format!("in pass `schedule.{primitive}`, function `main`: ");
        assert!(message.starts_with(&start), "{message}");
    }
    Ok(())
}

#[test]
fn lists_are_edited_and_run() -> Result<()> {
    let found = lists(product()?, "x86-64-v3")?;
    let steps = found.get(&ffi::String::from("c"))?.unwrap();
    assert_eq!(steps.get(steps.len() - 1)?.as_str(), "registers(\"group\")");
    let listed = |steps: &[&str]| {
        let steps = Array::new(steps.iter().map(|step| ffi::String::from(*step)).collect());
        let lists = Map::from_iter([(ffi::String::from("c"), steps)]);
        with_lists(product()?, lists, "native")
    };
    let func = listed(&["tile(\"i\", 5)", "tile(\"j\", 4)"])?;
    let module = build(module_from_func(func, None)?, None, None, None)?;
    assert_eq!(result_of(&module)?, expected());
    let error = listed(&["tile(\"i\", 5)", "vectorize(\"i:5\")"]).unwrap_err();
    let start = "step 2 of the list of `c`, `vectorize(\"i:5\")`: ";
    assert!(error.message().starts_with(start), "{}", error.message());
    Ok(())
}

#[test]
fn a_trace_replays() -> Result<()> {
    let module: IRModule = module_from_func(product()?, None)?;
    let mut scheduled = module.clone();
    for recipe in recipes("x86-64-v3")?.iter() {
        scheduled = run_pass(recipe, scheduled)?;
    }
    let trace = trace_of(scheduled.clone())?;
    let lines = trace
        .get(&ffi::String::from("main"))?
        .expect("a trace of `main`");
    assert_eq!(lines.len(), 1);
    assert!(lines
        .get(0)?
        .as_str()
        .starts_with("ScheduleContraction: c: "));
    assert!(structural_equal(
        &replay(module.clone(), trace)?,
        &scheduled,
        false
    )?);
    let nothing: Vec<(ffi::String, Array<ffi::String>)> = vec![];
    assert!(!structural_equal(
        &replay(module, Map::from_iter(nothing))?,
        &scheduled,
        false
    )?);
    Ok(())
}

fn row(rows: &str) -> Rows {
    let entries = [
        (
            ffi::String::from("recipe"),
            Any::from(ffi::String::from("contraction")),
        ),
        (ffi::String::from(rows), Any::from(4_i64)),
    ];
    Array::new(vec![Map::from_iter(entries)])
}

#[test]
fn rows_of_users_come_first() -> Result<()> {
    let module: IRModule = module_from_func(product()?, None)?;
    let line = |tuned: Option<Rows>| -> Result<String> {
        let target = Target::builder().isa("x86-64-v3").build()?;
        let lowered = lower(module.clone(), Some(target), None, tuned.map(Union::of))?;
        let lines = trace_of(lowered)?
            .get(&ffi::String::from("main"))?
            .expect("a trace of `main`");
        Ok(lines.get(0)?.as_str().to_string())
    };
    assert!(!line(None)?.contains("rows=4, "));
    assert!(line(Some(row("rows")))?.contains("rows=4, "));
    let message = line(Some(row("row"))).unwrap_err().message().to_string();
    assert!(message.contains("did you mean `rows`?"), "{message}");
    let built = build(module.clone(), None, None, Some(Union::of(row("rows"))))?;
    assert_eq!(result_of(&built)?, expected());
    let a = Tensor::from_slice(&numbers(ROWS, SUMS, 2), &[16, 12])?;
    let b = Tensor::from_slice(&numbers(SUMS, COLUMNS, 3), &[12, 20])?;
    let c = Tensor::from_slice(&vec![0.0_f32; ROWS * COLUMNS], &[16, 20])?;
    let times: Array<f64> = time_evaluator(built, "main", 3, 4, 0)?
        .call_tuple((a, b, c))?
        .try_into()?;
    assert_eq!(times.len(), 4);
    assert!(times.iter().all(|time| 0.0 < time && time < 1.0));
    Ok(())
}
