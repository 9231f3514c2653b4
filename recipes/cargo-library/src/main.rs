//! Calls the compiled network.

use tvm_ffi::{Result, Tensor};

fn main() -> Result<()> {
    let values: Vec<f32> = (0..128_u8).map(|i| f32::from(i % 7) / 7.0).collect();
    let probabilities = digits::predict(&Tensor::from_slice(&values, &[2, 64])?)?;
    for (number, row) in probabilities.data_as_slice::<f32>()?.chunks(10).enumerate() {
        let best = (0..10).max_by(|&a, &b| row[a].total_cmp(&row[b]));
        println!("image {number}: digit {}", best.expect("ten digits"));
    }
    if let Err(error) = digits::predict(&probabilities) {
        println!("{}: {}", error.kind(), error.message());
    }
    Ok(())
}
