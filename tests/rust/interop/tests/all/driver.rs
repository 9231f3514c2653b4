//! From Rust: C texts and programs become modules that are called, written, loaded and measured.

use uir::driver::{build, cache_folder, compile_c};
use uir::ffi::{Array, Bytes, Result, Tensor};
use uir::ir::{extern_func, with_function, GlobalVar, IRModule};
use uir::runtime::{export_library, load_module, profile, time_evaluator, Profile};
use uir::script::parse;
use uir::target::Target;

const TWICE: &str = "
#include <stdint.h>
typedef struct { int32_t type_index; uint32_t pad; int64_t value; } Any;
int __tvm_ffi_twice(void *self, const Any *args, int32_t count, Any *result) {
  result->type_index = 1;
  result->value = args[0].value * 2;
  return 0;
}
";

/// Keep the objects of this program's tests in the folder of the build.
pub fn use_cache() {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/uir-cache");
    std::env::set_var("UIR_CACHE_DIR", folder);
}

#[test]
fn a_text_is_compiled_written_loaded_and_measured() -> Result<()> {
    uir::init()?;
    use_cache();
    assert!(cache_folder()?.as_str().ends_with("uir-cache"));
    let module = compile_c(
        TWICE,
        Array::<uir::ffi::String>::new(vec![]),
        Bytes::from(&b""[..]),
    )?;
    let doubled: i64 = module
        .get_function("twice")?
        .call_tuple((21_i64,))?
        .try_into()?;
    assert_eq!(doubled, 42);
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/twice.so");
    export_library(module, path)?;
    let loaded = load_module(path)?;
    let times: Array<f64> = time_evaluator(loaded, "twice", 5, 2, 0)?
        .call_tuple((1_i64,))?
        .try_into()?;
    assert_eq!(times.len(), 2);
    Ok(())
}

const ADD_ONE: &str = "\
@uir.script.ir_module
class Module:
    @tir.prim_func
    def add_one(A: tir.Buffer((3,), \"float32\"), B: tir.Buffer((3,), \"float32\")):
        for i in range(3):
            B[i] = A[i] + 1.0
";

#[test]
fn a_program_is_built() -> Result<()> {
    uir::init()?;
    use_cache();
    let program: IRModule = parse(ADD_ONE)?;
    let a = Tensor::from_slice(&[5.0_f32, 6.0, 7.0], &[3])?;
    let b = Tensor::from_slice(&[0.0_f32; 3], &[3])?;
    let module = build(program, None, None, None)?;
    module.get_function("add_one")?.call_tuple((a, b.clone()))?;
    assert_eq!(b.data_as_slice::<f32>()?, &[6.0, 7.0, 8.0]);
    let measured: Profile = profile(module, "add_one", 4)?
        .call_tuple((b.clone(), b))?
        .try_into()?;
    assert_eq!(measured.kernels.len(), 1);
    let kernel = measured.kernels.get(0)?;
    assert_eq!(
        (kernel.calls, kernel.flops, kernel.bytes_moved),
        (4, 12, 96)
    );
    assert!(measured.text()?.as_str().contains("(outside kernels)"));
    Ok(())
}

const TRIPLE: &str = "\
@uir.script.ir_module
class Module:
    @tir.prim_func
    def triple(A: tir.Buffer((1,), \"float32\")):
        A[0] = tir.call_extern(\"float32\", \"three_times\", A[0])
";

#[test]
fn a_file_carries_sources() -> Result<()> {
    uir::init()?;
    use_cache();
    let source = "float three_times(float x) { return 3 * x; }";
    let func = extern_func("three_times", source, "c")?;
    let program: IRModule = parse(TRIPLE)?;
    let program = with_function(program, GlobalVar::new("three_times", None), func)?;
    let target = Target::builder().isa("x86-64").build()?;
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/triple.so");
    export_library(build(program, Some(target), None, None)?, path)?;
    let a = Tensor::from_slice(&[5.0_f32], &[1])?;
    load_module(path)?
        .get_function("triple")?
        .call_tuple((a.clone(),))?;
    assert_eq!(a.data_as_slice::<f32>()?, &[15.0]);
    Ok(())
}
