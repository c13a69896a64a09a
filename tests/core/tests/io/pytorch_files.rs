//! Files of PyTorch: what it wrote is read, what we write is read there, and damaged files are errors.
//!
//! `tests/files/write_pt.py` wrote `tests/files/torch*.pt`, `tests/files/write_legacy.py` `tests/files/legacy*.pt`.

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

/// The file of `write_legacy.py`, and the elements of its storage as `[4, 3]`.
fn legacy() -> (Vec<u8>, Tensor<shape![4, 3]>) {
    let x = numbers(12).into_iter().map(|x| x as f32).collect();
    (std::fs::read(file("legacy.pt")).unwrap(), Tensor::from_vec(x).unwrap())
}

#[test]
fn files_before_version_1_6_are_read() {
    // One that PyTorch wrote.
    let (bytes, x) = legacy();
    let torch = Checkpoint::open(file("torch_before_1_6.pt")).unwrap();
    assert_eq!(torch.tensor::<shape![4, 3], f32>("").unwrap(), x);
    let protocol_4 = Checkpoint::open(file("legacy_protocol_4.pt")).unwrap();
    let rows = &x.to_vec()[3..9];
    assert_eq!(protocol_4.dyn_tensor::<f32>("x").unwrap().to_vec(), rows);

    // SAFETY: nothing changes the files of the repository.
    let mapped = unsafe { Checkpoint::map(file("legacy.pt")).unwrap() };
    for checkpoint in [Checkpoint::from_bytes(bytes).unwrap(), mapped] {
        let read = |name: &str| checkpoint.dyn_tensor::<f32>(name).unwrap();
        for name in ["views.whole", "views.parameter", "views.subclass"] {
            assert_eq!(read(name), x.clone().into(), "{name}");
        }
        assert_eq!(read("views.transposed"), x.transpose().into());
        assert_eq!(read("views.rows").to_vec(), rows);
        assert_eq!(read("views.every other"), tensor![[-4.0, -1.0], [14.0, 17.0]].into());
        let scalar = read("views.scalar");
        assert_eq!((scalar.sizes(), scalar.to_vec()), (&[][..], vec![14.0]));
        assert_eq!(read("views.empty").sizes(), [0, 3]);
        // Element 1 of the part of the storage from element 2 on.
        assert_eq!(read("views.of a part"), tensor![2.0, 5.0].into());
        assert_eq!(read("views.negative"), tensor![[4.0, 1.0], [-14.0, -17.0]].into());
        macro_rules! assert_reads {
            ($($name:literal: $T:ty;)*) => {$(
                let x: Tensor<shape![3], $T> = checkpoint.tensor(concat!("kinds.", $name)).unwrap();
                assert_eq!(x.to_vec(), [-1.0, 2.0, 3.0].map(|x| x as $T), $name);
            )*};
        }
        assert_reads! { "Float": f32; "Double": f64; "Long": i64; "Int": i32; "Short": i16; "Char": i8; }
        assert_eq!(checkpoint.tensor("kinds.Byte").unwrap(), tensor![255_u8, 2, 3]);
        assert_eq!(checkpoint.tensor("kinds.Bool").unwrap(), tensor![true, false, true]);
        let half: Tensor<shape![3], half::f16> = checkpoint.tensor("kinds.Half").unwrap();
        assert_eq!(half.cast::<i64>(), tensor![-1, 2, 3]);
        assert_eq!(checkpoint.len(), 19);
    }
}

/// What the file has beside tensors is not read, and said where something is missing.
#[test]
fn objects_beside_tensors_are_listed() {
    let checkpoint = Checkpoint::from_bytes(legacy().0).unwrap();
    let expected = [("args", "argparse.Namespace"), ("quantized", "torch._utils._rebuild_qtensor")];
    assert_eq!(
        checkpoint.skipped(),
        expected.map(|(name, class)| (name.to_owned(), class.to_owned()))
    );
    let error = checkpoint.dyn_tensor::<f32>("args.weights").unwrap_err().to_string();
    assert!(
        error.contains("`args` is an object of `argparse.Namespace`, which is not read"),
        "{error}"
    );
    let mut x = tensor![0.0_f32];
    let error = checkpoint.load_into(&mut [("quantized", &mut x)]).unwrap_err().to_string();
    let line = "\n  `quantized` is an object of `torch._utils._rebuild_qtensor`, which is not read";
    assert!(error.contains("`quantized` is missing") && error.contains(line), "{error}");
    let plan = WeightMap::new().plan_for(&x, &checkpoint).to_string();
    let line = "`args` is an object of `argparse.Namespace`, which is not read\n";
    assert!(plan.contains(line), "{plan}");
}

#[test]
fn damaged_files_before_version_1_6_are_errors() {
    let (bytes, x) = legacy();
    let read = |bytes: Vec<u8>| Checkpoint::from_bytes(bytes).map_err(|error| error.to_string());
    for end in 0..bytes.len() {
        let error = read(bytes[..end].to_vec()).unwrap_err();
        assert!(error.contains("end") || error.contains("shorter") || end < 16, "{end}: {error}");
    }
    let error = read(bytes[..bytes.len() - 1].to_vec()).unwrap_err();
    assert_eq!(
        error,
        "the file ends at byte 2539, before the elements of storage `99` end: download or copy it again"
    );
    let replaced = |from: &[u8], to: &[u8]| {
        let at = bytes.windows(from.len()).position(|window| window == from).unwrap();
        read([&bytes[..at], to, &bytes[at + from.len()..]].concat())
    };
    // Elements are little-endian on any machine.
    let big = replaced(b"little_endianq\x02\x88", b"little_endianq\x02\x89").unwrap();
    assert_eq!(big.tensor::<shape![4, 3], f32>("views.whole").unwrap(), x);
    let (count, elements) = (12_u64.to_le_bytes(), (-7.0_f32).to_le_bytes());
    let from = [&count[..], &elements].concat();
    for (from, to, expected) in [
        (&b"M\xe9\x03."[..], &b"M\xea\x03."[..], "has protocol 1001, and this one has another"),
        (
            &from,
            &[&12_u64.to_be_bytes()[..], &elements].concat(),
            "storage `94021` has 864691128455135232 elements, and 12 in the pickle",
        ),
        (&from, &[&11_u64.to_le_bytes()[..], &elements].concat(), "has 11 elements, and 12"),
    ] {
        assert!(replaced(from, to).unwrap_err().contains(expected), "{expected}");
    }
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
            "the pickle is an object of `os.system`, which is not read",
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

/// `x.conj().imag` of PyTorch has the elements of the storage with the other sign.
#[test]
fn negated_tensors_are_read() {
    let pickle = pickle(2);
    let at = pickle.len() - 4;
    assert_eq!(&pickle[at..], b"tRa.");
    let negated = [&pickle[..at], b"}X\x03\0\0\0neg\x88s", &pickle[at..]].concat();
    for (whole, big) in [(false, false), (false, true), (true, false), (true, true)] {
        // Two of four elements from element 2 on, or all of two.
        let mut negated = negated.clone();
        if whole {
            for (from, to) in [(b"K\x04t", b"K\x02t"), (b"QK\x02", b"QK\0")] {
                let at = negated.windows(3).position(|window| window == from).unwrap();
                negated[at..at + 3].copy_from_slice(to);
            }
        }
        let elements = if whole { vec![3.0, -4.0] } else { vec![1.0, 2.0, 3.0, -4.0] };
        let bytes = |x: f32| if big { x.to_be_bytes() } else { x.to_le_bytes() };
        let elements: Vec<u8> = elements.into_iter().flat_map(bytes).collect();
        let order = if big { &b"big"[..] } else { b"little" };
        let entries = [("data.pkl", &negated[..]), ("data/0", &elements), ("byteorder", order)];
        let checkpoint = Checkpoint::from_bytes(archive(&entries, CompressionMethod::Stored));
        let x = checkpoint.unwrap().tensor::<shape![2], f32>("0").unwrap();
        assert_eq!(x, tensor![-3.0, 4.0], "{whole} {big}");
    }
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

    #[test]
    fn a_broken_byte_before_version_1_6_is_an_error_or_another_tensor(at in 0_usize..2540, bits in 1_u8..) {
        let mut bytes = std::fs::read(file("legacy.pt")).unwrap();
        bytes[at] ^= bits;
        if let Ok(checkpoint) = Checkpoint::from_bytes(bytes) {
            read_all::<f32>(&checkpoint);
            read_all::<bool>(&checkpoint);
        }
    }
}
