//! Files of PyTorch: what it wrote is read, what we write is read there, and damaged files are errors.
//!
//! `tests/files/write_pt.py` wrote `tests/files/*.pt`.

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use proptest::prelude::*;
use tensor_core::io::{Checkpoint, FileElement};
use tensor_core::module::{Module, WeightMap};
use tensor_core::{Tensor, shape, tensor};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)
}

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("tensor-core-{}-{name}", std::process::id()))
}

/// The elements of the file, `index * 3 - 7`.
fn numbers(len: i64) -> Vec<i64> {
    (0..len).map(|index| 3 * index - 7).collect()
}

#[test]
fn element_types_and_views_are_read() {
    let checkpoint = Checkpoint::open(file("torch.pt")).unwrap();
    macro_rules! assert_reads {
        ($($name:literal: $T:ty;)*) => {$(
            let x: Tensor<shape![2, 3], $T> = checkpoint.tensor(concat!("types.", $name)).unwrap();
            assert_eq!(x.cast::<f64>().to_vec(), numbers(6).iter().map(|&x| (x as $T) as f64).collect::<Vec<_>>());
        )*};
    }
    assert_reads! { "float32": f32; "float64": f64; "int8": i8; "int16": i16; "int32": i32; "int64": i64; "uint8": u8; }
    let half: Tensor<shape![2, 3], half::f16> = checkpoint.tensor("types.float16").unwrap();
    let brain: Tensor<shape![2, 3], half::bf16> = checkpoint.tensor("types.bfloat16").unwrap();
    assert_eq!(half.cast::<i64>().to_vec(), numbers(6));
    assert_eq!(brain.cast::<i64>().to_vec(), numbers(6));
    let mask: Tensor<shape![2, 3], bool> = checkpoint.tensor("types.bool").unwrap();
    assert_eq!(mask, tensor![[true, false, false], [true, false, false]]);
    assert_eq!(checkpoint.tensor::<shape![2], u16>("types.uint16").unwrap(), tensor![1, 2]);
    assert_eq!(checkpoint.tensor::<shape![2], u32>("types.uint32").unwrap(), tensor![1, 2]);
    assert_eq!(checkpoint.tensor::<shape![2], u64>("types.uint64").unwrap(), tensor![1, 2]);

    let x: Tensor<shape![4, 3]> = checkpoint.tensor("views.parameter").unwrap();
    assert_eq!(x.cast::<i64>().to_vec(), numbers(12));
    assert_eq!(checkpoint.tensor::<shape![3, 4], f32>("views.transposed").unwrap(), x.transpose());
    assert_eq!(
        checkpoint.tensor::<shape![2, 3], f32>("views.rows").unwrap().to_vec(),
        [2., 5., 8., 11., 14., 17.]
    );
    let every_other = checkpoint.tensor::<shape![2, 2], f32>("views.every other").unwrap();
    assert_eq!(every_other, tensor![[-4.0, -1.0], [14.0, 17.0]]);
    assert_eq!(checkpoint.tensor::<shape![], f32>("views.scalar").unwrap().item(), 14.0);
    assert!(checkpoint.tensor::<shape![0, 3], f32>("views.empty").unwrap().is_empty());
    assert_eq!(checkpoint.tensor::<shape![], f32>("history.0.loss").unwrap().item(), -7.0);
    let error = checkpoint.dyn_tensor::<f32>("views.float8").unwrap_err();
    assert!(error.to_string().contains("the elements are float8_e4m3fn, not f32"), "{error}");
}

#[derive(Clone, Debug, Module, PartialEq)]
struct Linear {
    weight: Tensor<shape![2, 3]>,
    bias: Tensor<shape![2]>,
}

#[derive(Clone, Debug, Module, PartialEq)]
struct Norm {
    weight: Tensor<shape![2]>,
    bias: Tensor<shape![2]>,
    #[module(buffer)]
    running_mean: Tensor<shape![2]>,
    #[module(buffer)]
    running_var: Tensor<shape![2]>,
    num_batches_tracked: Tensor<shape![], i64>,
}

#[test]
fn a_model_in_a_dict_is_opened() {
    let map = WeightMap::new().prefix("net.").ignore("types").ignore("views").ignore("history");
    let (linear, norm): (Linear, Norm) = map.open(file("torch.pt")).unwrap();
    assert_eq!((linear.bias, norm.bias), (Tensor::full(1.0), Tensor::full(3.0)));
    assert_eq!(norm.running_var, Tensor::ones());
    // A tensor alone has no name.
    let one = Checkpoint::open(file("torch_one.pt")).unwrap();
    assert_eq!(one.names(), [""]);
    assert_eq!(Tensor::<shape![2, 3]>::open(file("torch_one.pt")).unwrap()[[0, 0]], -7.0);
}

#[test]
fn files_before_version_1_6_say_what_to_do() {
    let error = Checkpoint::open(file("torch_before_1_6.pt")).unwrap_err().to_string();
    assert!(error.contains("`torch.load` it there and `torch.save` it again"), "{error}");
}

/// Runs a program of Python that imports modules; `None` where there is no such Python.
fn python(modules: &str, program: &str, path: &Path) -> Option<String> {
    let named = std::env::var("PYTHON").ok();
    let candidates = named.as_deref().into_iter().chain(["python3", "python"]);
    let imports = format!("import {modules}");
    let has_modules = |python: &&str| {
        let import = Command::new(python).args(["-c", &imports]).output();
        import.is_ok_and(|output| output.status.success())
    };
    let python = candidates.into_iter().find(has_modules)?;
    let output =
        Command::new(python).args(["-c", &format!("{imports}\n{program}")]).arg(path).output();
    let output = output.expect("Python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("text"))
}

/// The model of `nn.MultiheadAttention`, with its parts as layers.
#[derive(Clone, Debug, Module, PartialEq)]
struct Attention {
    q: Dense,
    k: Dense,
    v: Dense,
    out: Dense,
}

/// A layer whose weight is `[in, out]`.
#[derive(Clone, Debug, Module, PartialEq)]
struct Dense {
    weight: Tensor<shape![4, 4]>,
    bias: Tensor<shape![4]>,
}

fn attention() -> WeightMap {
    WeightMap::new()
        .rename("out_proj", "out")
        .split("in_proj_weight", ["q.weight", "k.weight", "v.weight"], 0)
        .split("in_proj_bias", ["q.bias", "k.bias", "v.bias"], 0)
        .transpose("{layer}.weight")
}

fn dense(start: f32) -> Dense {
    let numbers: Vec<f32> = (0..16).map(|index| start + index as f32).collect();
    Dense { weight: Tensor::from_vec(numbers).unwrap(), bias: Tensor::full(start) }
}

#[test]
fn pytorch_loads_what_a_map_writes() {
    let model = Attention { q: dense(0.0), k: dense(100.0), v: dense(200.0), out: dense(300.0) };
    for (end, load) in [("safetensors", "safetensors.torch.load_file"), ("pt", "torch.load")] {
        let path = temporary(&format!("attention.{end}"));
        attention().save(&model, &path).unwrap();
        assert_eq!(attention().open::<Attention>(&path).unwrap(), model);
        let program = format!(
            "import sys
layer = torch.nn.MultiheadAttention(4, 2)
layer.load_state_dict({load}(sys.argv[1]), strict=True)
assert layer.in_proj_bias.tolist() == [0.0] * 4 + [100.0] * 4 + [200.0] * 4
assert layer.in_proj_weight[4].tolist() == [100.0, 104.0, 108.0, 112.0]
assert layer.out_proj.weight[0].tolist() == [300.0, 304.0, 308.0, 312.0]
torch.save(layer.state_dict(), sys.argv[1])
print('loaded')"
        );
        let modules = if end == "pt" { "torch" } else { "torch, safetensors.torch" };
        match python(modules, &program, &path) {
            Some(output) => {
                assert_eq!(output, "loaded\n");
                assert_eq!(attention().open::<Attention>(&path).unwrap(), model);
            }
            None => println!(
                "skipped: no Python with {modules}; `python3 -m pip install torch safetensors` installs it"
            ),
        }
        std::fs::remove_file(path).unwrap();
    }
}

/// An archive with these entries.
fn archive(entries: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        archive.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A pickle of a list with one tensor of two `f32` from element `offset` on, in a storage of four.
fn pickle(offset: u8) -> Vec<u8> {
    [
        &b"\x80\x02]ctorch._utils\n_rebuild_tensor_v2\n((X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000NK\x04tQK"[..],
        &[offset],
        b"K\x02\x85K\x01\x85\x89}tRa.",
    ]
    .concat()
}

#[test]
fn damaged_archives_are_errors() {
    let (stored, deflated) = (CompressionMethod::Stored, CompressionMethod::Deflated);
    let elements: Vec<u8> = [1.0_f32, 2.0, 3.0, 4.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let read = |bytes: Vec<u8>| Checkpoint::from_bytes(bytes).map_err(|error| error.to_string());
    let good = archive(&[("x/data.pkl", &pickle(2)), ("x/data/0", &elements)], stored);
    let checkpoint = read(good.clone()).unwrap();
    assert_eq!(checkpoint.tensor::<shape![2], f32>("0").unwrap(), tensor![3.0, 4.0]);
    let big: Vec<u8> = elements.chunks(4).flat_map(|x| x.iter().rev()).copied().collect();
    let of_another_machine =
        [("data.pkl", &pickle(2)[..]), ("data/0", &big), ("byteorder", b"big")];
    let checkpoint = read(archive(&of_another_machine, stored)).unwrap();
    assert_eq!(checkpoint.tensor::<shape![2], f32>("0").unwrap(), tensor![3.0, 4.0]);
    for (entries, method, expected) in [
        (vec![("x/data.pkl", &pickle(0)[..])], stored, "0: the archive has no `x/data/0`"),
        (
            vec![("x/data.pkl", &pickle(3)), ("x/data/0", &elements)],
            stored,
            "beyond the end of its storage",
        ),
        (
            vec![("x/data.pkl", &pickle(2)), ("x/data/0", &elements[..12])],
            stored,
            "elements 2 to 3 of `data/0`, which has 12 bytes",
        ),
        (
            vec![("x/data.pkl", &pickle(2)), ("x/data/0", &elements)],
            deflated,
            "`x/data.pkl` is compressed",
        ),
        (
            vec![("x/data.pkl", b"\x80\x02cos\nsystem\nX\x01\0\0\0x\x85R.")],
            stored,
            "`os.system`, which is no part of a tensor",
        ),
        (
            vec![("x/data.pkl", &pickle(0)), ("x/data/0", &elements), ("x/byteorder", b"middle")],
            stored,
            "the byte order `middle`",
        ),
    ] {
        let error = read(archive(&entries, method)).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    // A broken byte of a whole storage is found by its checksum.
    let whole = pickle(0).iter().map(|&byte| if byte == 4 { 2 } else { byte }).collect::<Vec<_>>();
    let mut bytes = archive(&[("data.pkl", &whole), ("data/0", &elements[..8])], stored);
    let at = bytes.windows(8).position(|window| *window == elements[..8]).unwrap();
    bytes[at] ^= 1;
    let error = read(bytes).unwrap().dyn_tensor::<f32>("0").unwrap_err();
    assert!(error.to_string().to_lowercase().contains("checksum"), "{error}");
    for end in 0..good.len() {
        assert!(read(good[..end].to_vec()).is_err(), "{end}");
    }
}

/// `x.expand(2)` has a stride of 0.
#[test]
fn expanded_tensors_are_read() {
    let (strided, expanded) = (b"K\x02\x85K\x01\x85", b"K\x02\x85K\0\x85");
    let mut pickle = pickle(2);
    let at = pickle.windows(6).position(|window| window == strided).unwrap();
    pickle[at..at + 6].copy_from_slice(expanded);
    let elements: Vec<u8> = [1.0_f32, 2.0, 3.0, 4.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let entries = [("data.pkl", &pickle[..]), ("data/0", &elements)];
    let checkpoint = Checkpoint::from_bytes(archive(&entries, CompressionMethod::Stored)).unwrap();
    assert_eq!(checkpoint.tensor::<shape![2], f32>("0").unwrap(), tensor![3.0, 3.0]);
}

fn read_all<T: FileElement>(checkpoint: &Checkpoint) {
    for name in checkpoint.names() {
        let _ = checkpoint.dyn_tensor::<T>(&name);
    }
}

proptest! {
    #[test]
    fn a_broken_byte_is_an_error_or_another_tensor(at in 0_usize..10_000, bits in 1_u8..) {
        let mut bytes = std::fs::read(file("torch_one.pt")).unwrap();
        let at = at % bytes.len();
        bytes[at] ^= bits;
        if let Ok(checkpoint) = Checkpoint::from_bytes(bytes) {
            read_all::<f32>(&checkpoint);
            read_all::<bool>(&checkpoint);
        }
    }
}
