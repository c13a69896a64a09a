//! A model that is opened takes the memory of its weights, once.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;

use tensor_core::module::{Module, WeightMap};
use tensor_core::{Tensor, shape};

const TENSORS: usize = 16;

/// The bytes of all of them as `f32`.
const WEIGHTS: usize = TENSORS * (4 << 20);

type Model = [Tensor<shape![1024, 1024]>; TENSORS];

/// A line of what Linux knows of this process, in bytes.
fn status(name: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("the line");
    let kilobytes = line.trim_start_matches(':').split_whitespace().next().expect("a number");
    kilobytes.parse::<usize>().expect("a number") * 1024
}

/// The path of a file of zeros, which take no room on the disk.
fn zeros(name: &str, element: &str, bytes: usize) -> PathBuf {
    let size = bytes / TENSORS;
    let entries: Vec<String> = (0..TENSORS)
        .map(|index| {
            let (start, end) = (index * size, (index + 1) * size);
            format!(
                r#""{index}":{{"dtype":"{element}","shape":[1024,1024],"data_offsets":[{start},{end}]}}"#
            )
        })
        .collect();
    let header = format!("{{{}}}", entries.join(","));
    let path = temporary(name);
    let mut file = File::create(&path).expect("a file");
    file.write_all(&u64::try_from(header.len()).unwrap().to_le_bytes()).unwrap();
    file.write_all(header.as_bytes()).unwrap();
    file.set_len((8 + header.len() + bytes) as u64).unwrap();
    path
}

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("tensor-core-{}-{name}", std::process::id()))
}

/// Opens a file, which is removed, and compares the most memory that this takes with that of the weights.
fn assert_takes_the_weights(path: PathBuf, map: WeightMap) {
    // Forgets the peak so far.
    fs::write("/proc/self/clear_refs", "5").expect("the peak can be reset");
    let before = status("VmRSS");
    let model: Model = map.open(&path).expect("a model");
    let peak = status("VmHWM") - before;
    fs::remove_file(&path).unwrap();
    assert_eq!(model[TENSORS - 1][[1023, 1023]], 0.0);
    let file = path.display();
    assert!(peak < WEIGHTS + WEIGHTS / 8, "{file}: {peak} bytes for weights of {WEIGHTS}");
    assert!(peak > WEIGHTS / 2, "{file}: {peak} bytes for weights of {WEIGHTS}: is this the peak?");
}

/// One test, because others would take memory of the same process.
#[test]
fn weights_are_in_memory_once() {
    if fs::write("/proc/self/clear_refs", "5").is_err() {
        println!("skipped: the peak of this process cannot be reset");
        return;
    }
    assert_takes_the_weights(zeros("memory.safetensors", "F32", WEIGHTS), WeightMap::new());
    let halves = zeros("memory-f16.safetensors", "F16", WEIGHTS / 2);
    assert_takes_the_weights(halves, WeightMap::new().convert("*"));
    let path = temporary("memory.pt");
    let model: Model = core::array::from_fn(|_| Tensor::zeros());
    model.save(&path).expect("a file");
    drop(model);
    assert_takes_the_weights(path, WeightMap::new());
}
