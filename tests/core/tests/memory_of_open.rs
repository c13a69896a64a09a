//! A model that is opened takes the memory of its weights, once.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::Write;

use tensor_core::module::Module;
use tensor_core::{Tensor, shape};

const TENSORS: usize = 16;

type Model = [Tensor<shape![1024, 1024]>; TENSORS];

/// A line of what Linux knows of this process, in bytes.
fn status(name: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("the line");
    let kilobytes = line.trim_start_matches(':').split_whitespace().next().expect("a number");
    kilobytes.parse::<usize>().expect("a number") * 1024
}

#[test]
fn weights_are_in_memory_once() {
    const BYTES: usize = 4 << 20;
    let entries: Vec<String> = (0..TENSORS)
        .map(|index| {
            let (start, end) = (index * BYTES, (index + 1) * BYTES);
            format!(
                r#""{index}":{{"dtype":"F32","shape":[1024,1024],"data_offsets":[{start},{end}]}}"#
            )
        })
        .collect();
    let header = format!("{{{}}}", entries.join(","));
    let path =
        std::env::temp_dir().join(format!("tensor-core-{}-memory.safetensors", std::process::id()));
    let mut file = File::create(&path).expect("a file");
    file.write_all(&u64::try_from(header.len()).unwrap().to_le_bytes()).unwrap();
    file.write_all(header.as_bytes()).unwrap();
    // Zeros, which take no room on the disk.
    file.set_len((8 + header.len() + TENSORS * BYTES) as u64).unwrap();
    drop(file);

    // Forgets the peak so far, where that is allowed.
    if fs::write("/proc/self/clear_refs", "5").is_err() {
        println!("skipped: the peak of this process cannot be reset");
        return;
    }
    let before = status("VmRSS");
    let model = Model::open(&path).expect("a model");
    let peak = status("VmHWM") - before;
    fs::remove_file(path).unwrap();
    assert_eq!(model[TENSORS - 1][[1023, 1023]], 0.0);
    let weights = TENSORS * BYTES;
    assert!(peak < weights + weights / 8, "{peak} bytes for weights of {weights}");
    assert!(peak > weights / 2, "{peak} bytes for weights of {weights}: is this the peak?");
}
