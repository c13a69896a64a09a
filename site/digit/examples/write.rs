//! Writes the network of `digits_cnn`, as a checkpoint has it, as one file of Rust and its weights.
//!
//! ```text
//! cargo run --release -p digits_cnn
//! cargo run --release -p site-digit --example write -- target/digits_cnn/checkpoint.safetensors
//! ```

#[path = "../../../examples/digits_cnn/reader.rs"]
#[expect(dead_code, reason = "the network is read from a checkpoint")]
mod reader;

use std::error::Error;
use std::fs;
use std::path::Path;

use tensor_core::module::WeightMap;
use tensor_core::trace::trace;
use tensor_core::{Tensor, shape};
use tensor_embed::{EmbedOptions, ToRust};
use tensor_nn::layers::Pass;

use reader::{Batch, Images, Reader};

/// The value of a pixel that is all ink.
const INK: u8 = 16;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: write CHECKPOINT")?;
    let reader: Reader =
        WeightMap::new().prefix("model.").ignore("optimizer").ignore("step").open(&path)?;
    let image: Images = Tensor::zeros_shaped(shape![Batch(1), 64]);
    let program = trace(&image, |image| {
        reader.scores(&reader::images(image), &mut Pass::eval()).softmax::<-1>()
    });
    let file = program.to_rust_with(&EmbedOptions::new().weights_as_argument())?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let weights: Vec<u8> = file.weights().iter().flat_map(|x| x.to_le_bytes()).collect();
    fs::write(folder.join("weights.bin"), &weights)?;
    file.save(folder.join("model.rs"))?;
    println!("{} bytes of weights, {} of memory", weights.len(), file.peak_bytes());
    Ok(())
}
