//! `.safetensors`: round trips, errors for tensors that do not fit, and errors for malformed files.

use std::path::PathBuf;
use std::process::Command;

use proptest::prelude::*;
use tensor_core::io::{Checkpoint, Mismatch};
use tensor_core::module::{AnyTensor, WeightMap};
use tensor_core::{DynTensor, Tensor, axis, shape, tensor};

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("tensor-core-{}-{name}.safetensors", std::process::id()))
}

fn bytes_of(tensors: &[(&str, &dyn AnyTensor)], name: &str) -> Vec<u8> {
    let path = path(name);
    Checkpoint::save(&path, tensors).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    bytes
}

/// `tests/files/model.safetensors` is what the Python package wrote: `tests/files/write.py`.
#[test]
fn files_of_the_python_package_are_read() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files/model.safetensors");
    let checkpoint = Checkpoint::open(file).unwrap();
    assert_eq!(checkpoint.len(), 12 + 1);
    assert_eq!(checkpoint.metadata()["written by"], "safetensors");
    let numbers = || (0..24).map(|index| 3 * index - 7);
    macro_rules! assert_reads {
        ($($name:literal: $T:ty;)*) => {$(
            let x: Tensor<shape![2, 3, 4], $T> = checkpoint.tensor($name).unwrap();
            assert_eq!(x.to_vec(), numbers().map(|x: i64| x as $T).collect::<Vec<_>>(), $name);
        )*};
    }
    assert_reads! { "f4": f32; "f8": f64; "i1": i8; "i2": i16; "i4": i32; "i8": i64; "u1": u8; "u2": u16; "u4": u32; "u8": u64; }
    let mask: Tensor<shape![2, 3, 4], bool> = checkpoint.tensor("b1").unwrap();
    assert_eq!(mask.to_vec(), (0..24).map(|index| index % 3 == 0).collect::<Vec<_>>());
    {
        let x: Tensor<shape![2, 3, 4], half::f16> = checkpoint.tensor("f2").unwrap();
        assert_eq!(x.cast::<f64>().to_vec(), numbers().map(|x| x as f64).collect::<Vec<_>>());
    }
    assert!(checkpoint.tensor::<shape![0, 3], f32>("empty").unwrap().is_empty());
}

/// Where Python has the package, it reads what we write, bit for bit.
#[test]
fn the_python_package_reads_what_we_write() {
    let path = path("python");
    let x = tensor![[1.5_f32, -0.0, f32::NAN], [f32::INFINITY, 1e-45, 3.0]];
    let y = tensor![[1_i64, 2], [3, i64::MIN]];
    Checkpoint::save(&path, &[("x", &x.transpose()), ("y", &y), ("mask", &tensor![true, false])])
        .unwrap();
    let program = "import sys, numpy as np
from safetensors.numpy import load_file
t = load_file(sys.argv[1])
x = np.ascontiguousarray(t['x'].T)
assert x.view(np.uint32).tolist() == [[0x3fc00000, 0x80000000, 0x7fc00000], [0x7f800000, 1, 0x40400000]]
assert t['y'].tolist() == [[1, 2], [3, -2**63]] and t['mask'].tolist() == [True, False]
print('read')";
    let has_package = |python: &&&str| {
        let import = Command::new(python).args(["-c", "import numpy, safetensors"]).output();
        import.is_ok_and(|output| output.status.success())
    };
    if let Some(python) = ["python3", "python"].iter().find(has_package) {
        let output = Command::new(python).args(["-c", program]).arg(&path).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "read\n", "{output:?}");
    } else {
        println!(
            "not read by Python: `python3 -m pip install numpy safetensors` installs what it needs"
        );
    }
    // SAFETY: no other program writes to the file.
    let mapped = unsafe { Checkpoint::map(&path).unwrap() };
    assert_eq!(mapped.tensor::<shape![2, 2], i64>("y").unwrap(), y);
    assert_eq!(format!("{mapped:?}"), r#"{mask: bool [2], x: f32 [3, 2], y: i64 [2, 2]}"#);
    drop(mapped);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn everything_that_does_not_fit_is_said_and_nothing_is_changed() {
    axis!(Classes);
    let (weight, bias) = (Tensor::<shape![784, 128]>::ones(), tensor![1.0_f64, 2.0]);
    let bytes = bytes_of(
        &[
            ("fc.weight", &weight),
            ("fc.bias", &bias),
            ("head", &tensor![true]),
            ("scale", &tensor![1.0_f32]),
        ],
        "fit",
    );
    let checkpoint = Checkpoint::from_bytes(bytes).unwrap();

    let mut transposed = Tensor::<shape![128, 784]>::zeros();
    let mut single = tensor![0.0_f32, 0.0];
    let mut missing: Tensor<_> = Tensor::zeros_shaped(shape![Classes(3), 2]);
    let mut scale = tensor![0.0_f32];
    let error = checkpoint
        .load_into(&mut [
            ("fc.weight", &mut transposed),
            ("fc.bias", &mut single),
            ("fc2.weight", &mut missing),
            ("scale", &mut scale),
        ])
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the checkpoint does not fit:
  `fc.weight` is f32 [784, 128], not f32 [128, 784]
  `fc.bias` is f64 [2], not f32 [2]
  `fc2.weight` is missing
  `head` bool [1] is left over"
    );
    assert_eq!(error.mismatches().len(), 4);
    assert_eq!(error.mismatches()[2].1, Mismatch::Missing);
    assert_eq!(scale, tensor![0.0], "nothing is changed");

    let (mut weight, mut head) = (Tensor::<shape![784, 128]>::zeros(), DynTensor::full(&[], false));
    let mut bias: Tensor<shape![Classes], f64> = Tensor::zeros_shaped(shape![Classes(7)]);
    checkpoint
        .load_into(&mut [
            ("scale", &mut scale),
            ("head", &mut head),
            ("fc.weight", &mut weight),
            ("fc.bias", &mut bias),
        ])
        .unwrap();
    assert_eq!((scale, head), (tensor![1.0], tensor![true].into()));
    assert_eq!(weight, Tensor::ones());
    assert_eq!(bias.shape(), shape![Classes(2)], "a named axis takes its size from the file");
}

#[test]
fn one_entry_that_does_not_fit() {
    let checkpoint =
        Checkpoint::from_bytes(bytes_of(&[("x", &tensor![1.0_f32, 2.0])], "one")).unwrap();
    let message = |error: tensor_core::io::ReadError| error.to_string();
    assert_eq!(message(checkpoint.dyn_tensor::<f32>("y").unwrap_err()), "no `y`; there are `x`");
    assert_eq!(
        message(checkpoint.tensor::<shape![3], f32>("x").unwrap_err()),
        "x: axis 0 has size 3 in the type, 2 in the data"
    );
    assert_eq!(
        message(checkpoint.tensor::<shape![2], f64>("x").unwrap_err()),
        "x: the elements are f32, not f64: read them as what they are, then `cast`"
    );
}

#[test]
fn two_tensors_of_one_name() {
    let path = path("twice");
    let error = Checkpoint::save(&path, &[("x", &tensor![1]), ("x", &tensor![2])]).unwrap_err();
    assert_eq!(error.to_string(), "two tensors have the name `x`");
    let error = Checkpoint::save(&path, &[("__metadata__", &tensor![1])]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`__metadata__` names what a file says about itself, not a tensor"
    );
    assert!(!path.exists());
}

/// No elements, and sizes whose product does not fit into 64 bits: the format has no such tensor.
#[test]
fn sizes_that_no_header_has() {
    let path = path("sizes");
    let empty = DynTensor::<f32>::from_vec(&[usize::MAX, usize::MAX, 0], Vec::new()).unwrap();
    assert!(Checkpoint::save(&path, &[("x", &empty)]).is_err());
    assert!(!path.exists());
}

#[test]
fn a_file_that_cannot_be_replaced_stays() {
    let path = path("stays");
    Checkpoint::save(&path, &[("x", &tensor![1])]).unwrap();
    let folder = path.join("no folder");
    assert!(Checkpoint::save(folder, &[("x", &tensor![2])]).is_err());
    assert_eq!(Checkpoint::open(&path).unwrap().tensor::<shape![1], i32>("x").unwrap(), tensor![1]);
    std::fs::remove_file(path).unwrap();
}

fn file(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn malformed_files_are_errors() {
    let entry = |dtype: &str, shape: &str, offsets: &str| {
        format!(r#"{{"x":{{"dtype":"{dtype}","shape":{shape},"data_offsets":{offsets}}}}}"#)
    };
    assert!(Checkpoint::from_bytes(file(&entry("F32", "[2]", "[0,8]"), &[0; 8])).is_ok());
    // Lengths whose sum is more than `usize` counts.
    let sum = (0..8).map(|k: u64| {
        let (start, end) = (k << 61, if k == 7 { u64::MAX } else { (k + 1) << 61 });
        format!(
            r#""t{k}":{{"dtype":"U8","shape":[{}],"data_offsets":[{start},{end}]}}"#,
            end - start
        )
    });
    let sum = format!("{{{}}}", sum.collect::<Vec<_>>().join(","));
    let malformed = [
        vec![],
        vec![0; 7],
        u64::MAX.to_le_bytes().to_vec(),
        (1_u64 << 40).to_le_bytes().to_vec(),
        file("", &[]),
        file("{", &[]),
        file("[]", &[]),
        file(&"[".repeat(100_000), &[]),
        file(&r#"{"a":"#.repeat(50_000), &[]),
        file(&entry("F32", "[2]", "[0,8]"), &[0; 7]),
        file(&entry("F32", "[2]", "[0,8]"), &[0; 9]),
        file(&entry("F32", "[2]", "[0,4]"), &[0; 4]),
        file(&entry("F32", "[2]", "[8,0]"), &[0; 8]),
        file(&entry("F32", "[2]", "[4,12]"), &[0; 12]),
        file(&entry("F32", "[-2]", "[0,8]"), &[0; 8]),
        file(&entry("F99", "[2]", "[0,8]"), &[0; 8]),
        file(&entry("U8", "[4294967296,4294967296]", "[0,0]"), &[]),
        file(&entry("U8", "[18446744073709551615]", "[0,18446744073709551615]"), &[]),
        file(&sum, &[0; 64]),
        file(
            r#"{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"y":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#,
            &[0],
        ),
    ];
    for bytes in malformed {
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]).into_owned();
        let error = Checkpoint::from_bytes(bytes).expect_err(&shown);
        assert!(!error.to_string().is_empty());
    }
    let twice = r#"{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"y":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},"\u0078":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#;
    let error = Checkpoint::from_bytes(file(twice, &[0, 1])).unwrap_err();
    assert!(error.to_string().contains("not a .safetensors file: `x` is there twice"), "{error}");
    let checkpoint = Checkpoint::from_bytes(file(&entry("BOOL", "[2]", "[0,2]"), &[1, 2])).unwrap();
    assert_eq!(
        checkpoint.dyn_tensor::<bool>("x").unwrap_err().to_string(),
        "x: a bool is byte 0 or 1, not 2"
    );
    let mut mask = tensor![false, false];
    let error = checkpoint.load_into(&mut [("x", &mut mask)]).unwrap_err();
    assert_eq!(error.mismatches(), [("x".to_owned(), Mismatch::Malformed)]);
    // A type that Rust has not.
    let checkpoint =
        Checkpoint::from_bytes(file(&entry("F8_E5M2", "[2]", "[0,2]"), &[0; 2])).unwrap();
    assert_eq!(
        checkpoint.dyn_tensor::<f32>("x").unwrap_err().to_string(),
        "x: the elements are F8_E5M2, not f32: no such element type exists here, so convert them where the file was written"
    );
}

#[test]
fn files_of_other_formats_are_named() {
    for (start, expected) in [
        (&b""[..], "the file is empty: download it or save it again"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
            "a pointer of Git LFS instead of the file: `git lfs pull` downloads the file",
        ),
        (b"\n<!DOCTYPE html><html></html>", "a page of HTML or XML instead of the file: download"),
        (
            b"GGUF\x03\0\0\0\0\0\0\0\0\0\0\0",
            "a GGUF file of llama.cpp, which is not read: download",
        ),
        (
            b"\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08\0",
            "an HDF5 file, as Keras writes, which is not read",
        ),
        (b"\x08\x08\x12\x07pytorch\x1a\x052.1.0", "an ONNX model, which is not read: save its"),
        (b"\x1c\0\0\0TFL3\x14\0\x20\0", "a TensorFlow Lite model, which is not read: save"),
        (b"\x08\x01\x12\xf3\x9b\x02\x0a\x4d", "a graph of TensorFlow, as a SavedModel has"),
        (b"\x0a\x2e\x0a\x05input\x12\x0bPlaceholder", "a graph of TensorFlow, as a SavedModel has"),
        (b"\x80\x04\x95\x10\0\0\0\0\0\0\0.", "a pickle of Python that `torch.save` did not write"),
        (b"PK\x03\x04", "not a zip archive, or not all of one: "),
        (b"\x06\0\0\0\x0c\0WhisperSpec\0", "in none of the formats that are read: .safetensors,"),
        // A header of this length, which is not complete.
        (b"<\0\0\0\0\0\0\0{}", "not a .safetensors file: it is shorter than its header"),
    ] {
        let error = Checkpoint::from_bytes(start.to_vec()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

/// What a file names is shown, and changes nothing of what a terminal shows.
#[test]
fn names_of_files_are_escaped() {
    let name = "a\u{1b}[31m\n\u{202e}";
    let bytes = bytes_of(&[(name, &tensor![1.0_f32])], "escaped");
    let checkpoint = Checkpoint::from_bytes(bytes).unwrap();
    let error = checkpoint.load_into(&mut [("x", &mut tensor![0.0_f32])]).unwrap_err();
    let plan = WeightMap::new().plan_for(&tensor![0.0_f32], &checkpoint);
    let ignored = WeightMap::new().ignore(name).plan_for(&(), &checkpoint);
    for text in [
        error.to_string(),
        plan.to_string(),
        ignored.to_string(),
        format!("{checkpoint:?}"),
        checkpoint.dyn_tensor::<f32>("x").unwrap_err().to_string(),
        checkpoint.dyn_tensor::<f64>(name).unwrap_err().to_string(),
    ] {
        assert!(text.contains("a\\u{1b}[31m\\n\\u{202e}"), "{text}");
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    }
}

proptest! {
    #[test]
    fn a_broken_byte_is_an_error_or_another_value(place in 0_usize..200, bits in 1_u8..) {
        let mut bytes = bytes_of(&[("x", &tensor![1.0_f32, 2.0]), ("mask", &tensor![true])], &format!("broken{place}{bits}"));
        let place = place % bytes.len();
        bytes[place] ^= bits;
        if let Ok(checkpoint) = Checkpoint::from_bytes(bytes) {
            for name in checkpoint.names() {
                let _ = (checkpoint.dyn_tensor::<f32>(&name), checkpoint.dyn_tensor::<bool>(&name));
            }
        }
    }
}
