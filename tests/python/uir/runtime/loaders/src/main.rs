//! Loads a library that uir exported, and calls it; it knows tvm-ffi alone.

use tvm_ffi::{Module, Result, Tensor};

fn main() -> Result<()> {
    let path = std::env::args().nth(1).expect("the path of a library");
    let module = Module::load_from_file(path)?;
    let x = Tensor::from_slice(&[1.0_f32, 2.0, 3.0, 4.0], &[2, 2])?;
    let y: Tensor = module
        .get_function("main")?
        .call_tuple((x.clone(),))?
        .try_into()?;
    println!("{:?} {:?}", y.shape(), y.data_as_slice::<f32>()?);
    let into = module.get_function("main_into")?;
    let ten = Tensor::from_slice(&[0.0_f32; 10], &[5, 2])?;
    let wide = Tensor::from_slice(&[0.0_f64; 4], &[2, 2])?;
    let flat = Tensor::from_slice(&[0.0_f32; 4], &[4])?;
    for refused in [
        into.call_tuple((x.clone(),)),
        into.call_tuple((x.clone(), x.clone())),
        into.call_tuple((x.clone(), ten)),
        into.call_tuple((wide, y.clone())),
        into.call_tuple((flat, y.clone())),
        into.call_tuple((x.clone(), 3_i64)),
    ] {
        match refused {
            Ok(_) => println!("a wrong call succeeds"),
            Err(error) => println!("{}: {}", error.kind(), error.message()),
        }
    }
    Ok(())
}
