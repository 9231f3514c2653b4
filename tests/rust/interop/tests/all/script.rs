//! Script, printed and read from Rust.

use tschema::{expect, structural_equal};
use uir::ffi::{Result, VALUE_ERROR};
use uir::ir::{error_at, module_from_func, IRModule, IntImm, PrimExpr};
use uir::script::{parse, print};
use uir::tir::{PrimExprMutator, PrimFunc, StmtMutator};
use uir::transform::prim_func_pass;

const FUNCTION: &str = "\
@tir.prim_func(private=True)
def main(A: tir.Buffer((16,), \"int32\")):
    for i in range(16):
        A[i] = A[i] + 3";

struct Increment;

impl PrimExprMutator for Increment {
    fn mutate_int_imm(&mut self, node: IntImm) -> Result<PrimExpr> {
        Ok(IntImm::new(node.dtype, node.value + 1, None)?.into())
    }
}

impl StmtMutator for Increment {}

#[test]
fn what_is_printed_is_read_again() -> Result<()> {
    uir::init()?;
    let func: PrimFunc = parse(FUNCTION)?;
    assert_eq!(print(&func)?.as_str(), FUNCTION);
    let module = module_from_func(func, None)?;
    let again: IRModule = parse(print(&module)?.as_str())?;
    assert!(structural_equal(&module, &again, false)?);
    Ok(())
}

#[test]
fn what_a_pass_changes_shows_in_the_script() -> Result<()> {
    uir::init()?;
    let pass = prim_func_pass("Increment", |func, _module, _context| {
        func.with_body(Increment.mutate_stmt(func.body.clone())?)
    })?;
    let module = pass.run(module_from_func(parse::<PrimFunc>(FUNCTION)?, None)?)?;
    let func: PrimFunc = expect(module.lookup("main")?);
    let expected = FUNCTION
        .replace("+ 3", "+ 4")
        .replace("range(16)", "range(1, 18)");
    assert_eq!(print(&func)?.as_str(), expected);
    Ok(())
}

#[test]
fn an_error_in_a_pass_shows_the_script() -> Result<()> {
    uir::init()?;
    let pass = prim_func_pass("At", |func, _module, _context| {
        Err(error_at(&func.body, "odd"))
    })?;
    let module = module_from_func(parse::<PrimFunc>(FUNCTION)?, None)?;
    let error = pass.run(module).expect_err("the pass fails");
    let shown: Vec<&str> = error.message().lines().collect();
    assert_eq!(shown[0], "in pass `At`, function `main`: odd");
    assert_eq!(shown[4].trim_start_matches([' ', '^']), "odd");
    Ok(())
}

#[test]
fn an_error_in_the_text_is_located() -> Result<()> {
    uir::init()?;
    let error = parse::<PrimFunc>("tir.nothing(3)").expect_err("there is no such name");
    assert!(error.message().contains("<text>:1:"), "{}", error.message());
    let error = parse::<PrimFunc>("1 + 2").expect_err("that is not a function");
    assert_ne!(error.kind(), VALUE_ERROR);
    Ok(())
}
