//! From Rust: modules become C, and what C cannot say is an error.

use uir::ffi::Result;
use uir::ir::IRModule;
use uir::script::parse;
use uir::target::{constant_bytes, emit_c, Target};

fn parsed(body: &str) -> Result<IRModule> {
    let text = format!("@uir.script.ir_module\nclass Module:\n{body}");
    parse(&text)
}

#[test]
fn a_function_becomes_a_static_one_and_an_entry() -> Result<()> {
    uir::init()?;
    let module = parsed(
        "    @tir.prim_func\n    def twice(x: tir.int32) -> tir.int32:\n        tir.ret(x * 2)\n",
    )?;
    assert_eq!(constant_bytes(module.clone())?.as_slice().len(), 0);
    let target = Target::builder().isa("x86-64-v3").build()?;
    let text = emit_c(module, target)?;
    assert!(text
        .as_str()
        .contains("  *result = x * 2;\n  return 0;\n}\n"));
    assert!(text.as_str().contains("\nENTRY __tvm_ffi_twice("));
    Ok(())
}

#[test]
fn problems_are_one_error() -> Result<()> {
    uir::init()?;
    let module = parsed(
        "    @tir.prim_func\n    def main(A: tir.Buffer((2, 2), \"int32\")):\n        A[0, 0] = 1\n",
    )?;
    let error = emit_c(module, Target::builder().build()?).unwrap_err();
    assert!(error
        .message()
        .contains("buffer `A` is not flat; run `FlattenBuffer` before"));
    Ok(())
}
