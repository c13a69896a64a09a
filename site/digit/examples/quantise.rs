//! Writes the weights of a checkpoint of `digits_cnn` with a byte for each element.
//!
//! ```text
//! cargo run --release --example digits_cnn
//! cargo run --release -p site-digit --example quantise -- target/digits_cnn/checkpoint.safetensors
//! ```

use std::error::Error;
use std::path::Path;

use site_digit::reader::Reader;
use site_digit::weights;
use tensor_core::module::WeightMap;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: quantise CHECKPOINT")?;
    let reader: Reader =
        WeightMap::new().prefix("model.").ignore("optimizer").ignore("step").open(&path)?;
    let (file, target) =
        (weights::write(reader), Path::new(env!("CARGO_MANIFEST_DIR")).join("weights.bin"));
    std::fs::write(&target, &file)?;
    println!("{}: {} bytes", target.display(), file.len());
    Ok(())
}
