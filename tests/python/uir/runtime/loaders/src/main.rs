//! Loads a library that uir exported, and calls it; it knows tvm-ffi alone.

use tvm_ffi::{Module, Result, Tensor};

fn main() -> Result<()> {
    let path = std::env::args().nth(1).expect("the path of a library");
    let module = Module::load_from_file(path)?;
    let x = Tensor::from_slice(&[1.0_f32, 2.0, 3.0, 4.0], &[2, 2])?;
    let y: Tensor = module.get_function("main")?.call_tuple((x,))?.try_into()?;
    println!("{:?} {:?}", y.shape(), y.data_as_slice::<f32>()?);
    Ok(())
}
