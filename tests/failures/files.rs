//! Failures of files and of models that are read from them.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use tensor_core::io::{Checkpoint, Npz, NpzWriter};
use tensor_core::module::WeightMap;
use tensor_core::{DynTensor, Module, Shape, Tensor, shape, tensor};

use crate::case::{Case, fails, panics};

fn path(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("failures");
    fs::create_dir_all(&folder).expect("a folder");
    folder.join(name)
}

/// A file that has this shape in its header, and no elements.
fn npy_of(shape: &str) -> Vec<u8> {
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
    let len = u16::try_from(header.len()).expect("a short header");
    [b"\x93NUMPY\x01\x00", &len.to_le_bytes()[..], header.as_bytes()].concat()
}

pub fn files() -> Vec<Case> {
    let (npy, path) = (path("scores.npy"), path("a.safetensors"));
    tensor![[1.0, 2.0], [3.0, 4.0]].save_npy(&npy).expect("a file");
    let huge = npy_of("(99999999999, 99999999999)");
    let mut writer = NpzWriter::new(Cursor::new(Vec::new()));
    writer.add("scores", &DynTensor::from(tensor![1.0])).expect("an entry");
    let mut npz = Npz::new(writer.finish().expect("an archive")).expect("an archive");
    let bytes = fs::read(&npy).expect("a file");
    let cut = &bytes[..bytes.len() - 8];
    vec![
        fails!(DynTensor::<f64>::load_npy("missing.npy")),
        fails!(DynTensor::<f64>::read_npy(&b"P5 640 480 255"[..])),
        fails!(DynTensor::<f64>::read_npy(cut)),
        fails!(DynTensor::<f64>::read_npy(&huge[..])),
        fails!(DynTensor::<f32>::read_npy(&bytes[..])),
        fails!(Tensor::<shape![2, 3], f64>::read_npy(&bytes[..])),
        fails!(npz.dyn_tensor::<f64>("labels")),
        fails!(tensor![half::bf16::ONE].write_npy(Vec::new())),
        fails!(Checkpoint::save(&path, &[("x", &tensor![1.0]), ("x", &tensor![2.0])])),
        fails!(Checkpoint::save(&path, &[("__metadata__", &tensor![1.0])])),
    ]
}

#[derive(Module)]
struct Model {
    weight: Tensor<shape![2, 3]>,
    bias: Tensor<shape![3]>,
    mask: Tensor<shape![2], bool>,
}

impl Model {
    fn new() -> Self {
        Self { weight: Tensor::ones(), bias: Tensor::ones(), mask: Tensor::from([true, false]) }
    }
}

/// A file with two tensors that fit no field of the model.
fn other_model() -> Vec<u8> {
    let path = path("other.safetensors");
    let scale: Tensor<shape![2], u8> = Tensor::ones();
    let weight: Tensor<shape![3, 2]> = Tensor::ones();
    let mask: Tensor<shape![2], bool> = Tensor::from([true, true]);
    Checkpoint::save(&path, &[("weight", &weight), ("scale", &scale), ("mask", &mask)])
        .expect("a file");
    let mut bytes = fs::read(&path).expect("a file");
    // A `bool` that is neither 0 nor 1.
    let len = bytes.len();
    for place in (0..len - 1).rev() {
        if bytes[place..place + 2] == [1, 1] {
            bytes[place] = 7;
            bytes[place + 1] = 7;
            break;
        }
    }
    bytes
}

/// A model of which a file does not have all, and of which one tensor has a value.
#[derive(Module)]
struct Scaled {
    weight: Tensor<shape![1]>,
    #[module(value = Tensor::ones())]
    scale: Tensor<shape![1]>,
}

fn scaled_model() -> Vec<u8> {
    let path = path("scaled.safetensors");
    let weight: Tensor<shape![1]> = Tensor::ones();
    Checkpoint::save(&path, &[("weight", &weight)]).expect("a file");
    fs::read(&path).expect("a file")
}

#[derive(Module)]
struct Weight<S: Shape> {
    weight: Tensor<S>,
}

#[derive(Module)]
struct Layers {
    wide: Weight<shape![3, 2]>,
    square: Weight<shape![2, 2]>,
}

/// A file of weights in the other order than those of the model.
fn transposed_model() -> Vec<u8> {
    let path = path("transposed.safetensors");
    let wide: Tensor<shape![2, 3]> = Tensor::ones();
    let square: Tensor<shape![2, 2]> = Tensor::ones();
    Checkpoint::save(&path, &[("wide.weight", &wide), ("square.weight", &square)]).expect("a file");
    fs::read(&path).expect("a file")
}

/// A file of elements that Rust does not have.
fn floats_of_8_bits() -> Vec<u8> {
    let entry = |name, at| {
        format!(r#""{name}":{{"dtype":"F8_E5M2","shape":[1],"data_offsets":[{at},{}]}}"#, at + 1)
    };
    let header = format!("{{{},{},{}}}", entry("a", 0), entry("b", 1), entry("c", 2));
    let len = u64::try_from(header.len()).expect("a short header");
    [&len.to_le_bytes()[..], header.as_bytes(), &[0, 1, 2]].concat()
}

pub fn models() -> Vec<Case> {
    let empty = Checkpoint::from_bytes(b"\x02\0\0\0\0\0\0\0{}".to_vec()).expect("a checkpoint");
    let other = Checkpoint::from_bytes(other_model()).expect("a checkpoint");
    let scaled = Checkpoint::from_bytes(scaled_model()).expect("a checkpoint");
    let of_8_bits = Checkpoint::from_bytes(floats_of_8_bits()).expect("a checkpoint");
    let transposed = Checkpoint::from_bytes(transposed_model()).expect("a checkpoint");
    vec![
        fails!(Model::new().load("missing.safetensors")),
        fails!(Model::new().load_from(&other)),
        fails!(other.tensor::<shape![2, 3], f32>("weight")),
        fails!(other.dyn_tensor::<f32>("bias")),
        fails!(empty.dyn_tensor::<f32>("bias")),
        fails!(Checkpoint::from_bytes(vec![0; 4])),
        fails!(other.dyn_tensor::<bool>("mask")),
        fails!(Model::open("missing.safetensors")),
        fails!(WeightMap::new().open_from::<Scaled>(&scaled)),
        fails!(WeightMap::new().ignore("a").tie("b", "c").ignore("c").open_from::<()>(&of_8_bits)),
        fails!(WeightMap::new().rename("scale", "bias").open_from::<Model>(&other)),
        fails!(WeightMap::new().open_from::<Layers>(&transposed)),
        fails!(WeightMap::new().open_from::<f32>(&empty)),
        fails!(
            WeightMap::new().rename_with(str::to_lowercase).save(&Model::new(), "a.safetensors")
        ),
        fails!(WeightMap::new().tie("1", "0").save(&(tensor![1.0], tensor![2.0]), "a.safetensors")),
        fails!(
            WeightMap::new()
                .rename("weight", "scale")
                .join(["scale", "mask"], "all", 0)
                .open_from::<()>(&other)
        ),
        panics!(WeightMap::new().rename("layers.{i}", "blocks.0")),
        panics!(WeightMap::new().ignore("layers.{i")),
        panics!(WeightMap::new().split("qkv", [] as [&str; 0], 0)),
    ]
}
