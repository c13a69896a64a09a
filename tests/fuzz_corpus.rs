//! Every file that fuzzing kept, in `fuzz/corpus`, is read without a panic, as are its beginnings and
//! its neighbours of one other byte.

#[path = "../fuzz/readers.rs"]
mod readers;

use std::fs;
use std::path::Path;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus");

/// The most bytes of a corpus: it is carried by everybody who clones the repository.
const MOST_BYTES: usize = 100_000;

/// The files of a target, with their names.
fn files(target: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(Path::new(CORPUS).join(target)).expect("a folder");
    let mut files: Vec<_> = entries
        .map(|entry| {
            let path = entry.unwrap().path();
            (path.display().to_string(), fs::read(path).unwrap())
        })
        .collect();
    files.sort();
    let bytes: usize = files.iter().map(|(_, file)| file.len()).sum();
    assert!(
        files.len() >= 9 && bytes < MOST_BYTES,
        "{target}: {} files, {bytes} bytes",
        files.len()
    );
    files
}

/// Reads the files of a target, their beginnings, and a few of their neighbours.
fn read_all(target: &str, read: fn(&[u8])) {
    for (path, file) in files(target) {
        // The output of a failing test has the name of the file.
        println!("{path}");
        read(&file);
        let step = file.len() / 40 + 1;
        for end in (0..file.len()).step_by(step) {
            read(&file[..end]);
        }
        for at in (0..file.len()).step_by(step) {
            let mut other = file.clone();
            other[at] ^= 1 << (at % 8);
            read(&other);
        }
    }
}

#[test]
fn npy_files_are_read_or_refused() {
    read_all("npy", readers::npy);
}

#[test]
fn npz_files_are_read_or_refused() {
    read_all("npz", readers::npz);
}

#[test]
fn safetensors_files_are_read_or_refused() {
    read_all("safetensors", readers::safetensors);
}

#[test]
fn pt_files_are_read_or_refused() {
    read_all("pt", readers::pt);
}

#[test]
fn pickles_are_read_or_refused() {
    read_all("pickle", readers::pickle);
}

/// `cargo shapes model` reads the headers of all formats, and those of ONNX.
#[test]
fn models_are_written_of_all_files() {
    for target in ["inspect", "npy", "npz", "safetensors", "pt"] {
        read_all(target, readers::inspect);
    }
}
