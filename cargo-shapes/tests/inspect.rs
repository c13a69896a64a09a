//! `cargo shapes inspect`: the tensors of files, and structs for them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use cargo_shapes::inspect::{Entry, diff, inspect, model, read, write_model};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// A file whose elements take `len` bytes.
fn safetensors(header: &str, len: usize) -> Vec<u8> {
    [&u64::try_from(header.len()).unwrap().to_le_bytes()[..], header.as_bytes(), &vec![0; len]]
        .concat()
}

fn npy(descr: &str, shape: &str) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let len = u16::try_from(header.len()).unwrap().to_le_bytes();
    [b"\x93NUMPY\x01\x00", &len[..], header.as_bytes()].concat()
}

/// An archive with one entry.
fn archive(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    archive.start_file(name, options).unwrap();
    archive.write_all(bytes).unwrap();
    archive.finish().unwrap().into_inner()
}

fn entry(name: &str, element: &str, sizes: &[u64]) -> Entry {
    Entry { name: name.into(), element: element.into(), sizes: sizes.into() }
}

#[test]
fn tensors_of_safetensors_are_listed_in_the_order_of_the_file() {
    let header = r#"{"__metadata__": {"format": "pt"},
        "fc.bias": {"dtype": "F32", "shape": [10], "data_offsets": [15680, 15720]},
        "fc.weight": {"dtype": "BF16", "shape": [10, 784], "data_offsets": [0, 15680]}}"#;
    let entries = [entry("fc.weight", "bf16", &[10, 784]), entry("fc.bias", "f32", &[10])];
    // A length may begin as a pickle does, or as an ONNX model.
    for len in [0x1_0280, 0x3a_0208] {
        let padded = header.to_owned() + &" ".repeat(len - header.len());
        let path = file("padded.safetensors", &safetensors(&padded, 15720));
        assert_eq!(read(&path).unwrap(), entries);
    }
    let path = file("model.safetensors", &safetensors(header, 15720));
    assert_eq!(read(&path).unwrap(), entries);
    let text = inspect(&path).unwrap();
    let table = "fc.weight  bf16  [10, 784]\nfc.bias    f32   [10]\n2 tensors, 7850 elements\n";
    assert!(text.starts_with(table), "{text}");
    let fields = "pub struct Fc {\n    pub weight: Tensor<shape![10, 784], half::bf16>,\n    pub bias: Tensor<shape![10]>,\n}\n";
    assert!(
        text.contains(fields) && text.contains("pub struct Model {\n    pub fc: Fc,\n}\n"),
        "{text}"
    );
}

#[test]
fn shards_are_one_model() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("inspect-shards");
    fs::create_dir_all(&folder).unwrap();
    let shard = |name: &str| {
        let entry = r#"{"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}"#;
        safetensors(&format!("{{\"{name}\": {entry}}}"), 8)
    };
    fs::write(folder.join("model-1.safetensors"), shard("layers.0")).unwrap();
    fs::write(folder.join("model-2.safetensors"), shard("layers.1")).unwrap();
    let index = folder.join("model.safetensors.index.json");
    let map = r#"{"layers.0": "model-1.safetensors", "layers.1": "model-2.safetensors"}"#;
    fs::write(&index, format!("\n {{\"metadata\": {{}}, \"weight_map\": {map}}}")).unwrap();
    let entries = [entry("layers.0", "f32", &[2]), entry("layers.1", "f32", &[2])];
    assert_eq!(read(&index).unwrap(), entries);
    assert_eq!(read(&folder).unwrap(), entries);
    let text = write_model(&folder).unwrap();
    assert!(text.contains("pub layers: [Tensor<shape![2]>; 2],"), "{text}");

    let [a, b] = [("layers.0", "[0, 8]"), ("layers.1", "[8, 16]")].map(|(name, offsets)| {
        format!(r#""{name}": {{"dtype": "F32", "shape": [2], "data_offsets": {offsets}}}"#)
    });
    fs::write(folder.join("model-3.safetensors"), safetensors(&format!("{{{a}, {b}}}"), 16))
        .unwrap();
    // As for `Checkpoint::open`, the index decides where a tensor is in two shards, or is not listed.
    let both = r#"{"layers.0": "model-1.safetensors", "layers.1": "model-3.safetensors"}"#;
    let one = r#"{"layers.1": "model-3.safetensors"}"#;
    for (map, expected) in [(both, &entries[..]), (one, &entries[1..])] {
        fs::write(&index, format!("{{\"weight_map\": {map}}}")).unwrap();
        assert_eq!(read(&index).unwrap(), expected);
    }
    // It refuses these in the same words.
    for (map, expected) in [
        (r#"{}"#, "not an index of shards: it has no object `weight_map`"),
        (r#"{"weight_map": {"x": 3}}"#, "not an index of shards: `x` has no file"),
        (
            r#"{"weight_map": {"x": "../a.safetensors"}}"#,
            "../a.safetensors: a shard is a file in the folder of its index",
        ),
        (
            r#"{"weight_map": {"x": "model.safetensors.index.json"}}"#,
            "model.safetensors.index.json: an index of shards names files in its folder: open it by its path",
        ),
        (
            r#"{"weight_map": {"layers.1": "model-1.safetensors"}}"#,
            "model-1.safetensors: no `layers.1`, which the index lists for it",
        ),
    ] {
        fs::write(&index, map).unwrap();
        assert_eq!(read(&index).unwrap_err(), expected);
    }

    let empty = folder.join("empty");
    fs::create_dir_all(&empty).unwrap();
    let error = read(&empty).unwrap_err();
    assert!(
        error.starts_with("a folder without weights; looked for model.safetensors,"),
        "{error}"
    );
    fs::write(empty.join("weights.pt"), "").unwrap();
    let error = read(&empty).unwrap_err();
    assert!(error.ends_with("; it has `weights.pt`: open it by its path"), "{error}");
    fs::write(empty.join("saved_model.pb"), "").unwrap();
    assert!(read(&empty).unwrap_err().starts_with("a SavedModel of TensorFlow, which is not read"));
    fs::remove_dir_all(empty).unwrap();
}

#[test]
fn files_of_pytorch_before_version_1_6_are_listed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/core/tests/files/legacy.pt");
    let entries = read(&path).unwrap();
    assert_eq!(entries.len(), 19);
    assert_eq!(entries[0], entry("views.whole", "f32", &[4, 3]));
    let text = inspect(&path).unwrap();
    assert!(text.contains("// Not read: `args`, an object of `argparse.Namespace`.\n"), "{text}");
    let bytes = fs::read(path).unwrap();
    let error = inspect(&file("half.pt", &bytes[..bytes.len() / 2])).unwrap_err();
    assert!(
        error.ends_with(": the file ends at byte 1270, within a pickle: download or copy it again"),
        "{error}"
    );
}

/// A field of a message of Protocol Buffers that has bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, u8::try_from(bytes.len()).unwrap()], bytes].concat()
}

/// A tensor of ONNX.
fn onnx_tensor(name: &str, element: u8, sizes: &[u8]) -> Vec<u8> {
    let raw = field(9, &[0; 4]);
    [&field(1, sizes)[..], &[2 << 3, element], &field(8, name.as_bytes()), &raw].concat()
}

#[test]
fn tensors_of_onnx_are_listed() {
    let node = |kind: &str, output: &str, attribute: &[u8]| {
        let fields = [field(2, output.as_bytes()), field(4, kind.as_bytes()), field(5, attribute)];
        field(1, &fields.concat())
    };
    let value = |name: &str, number: u8, bytes: &[u8]| {
        [field(1, name.as_bytes()), field(number, bytes)].concat()
    };
    let inner = node("Constant", "inner", &value("value", 5, &onnx_tensor("", 7, &[])));
    let graph = [
        node("Constant", "shape", &value("value", 5, &onnx_tensor("", 7, &[2]))),
        node("Constant", "numbers", &value("value_ints", 8, &[1, 2, 0x80, 1])),
        node("Constant", "floats", &value("value_floats", 7, &[0; 8])),
        // Numbers that are not packed.
        node(
            "Constant",
            "scale",
            &[field(1, b"value_float"), vec![2 << 3 | 5, 0, 0, 0, 0]].concat(),
        ),
        node("If", "y", &value("then_branch", 6, &inner)),
        // An attribute of another operation.
        node("ConstantOfShape", "zeros", &value("value", 5, &onnx_tensor("", 1, &[1]))),
        field(5, &onnx_tensor("fc.weight", 1, &[10, 0x80, 6])),
        field(5, &onnx_tensor("fc.bias", 10, &[10])),
    ]
    .concat();
    let model = [&b"\x08\x08\x12\x07pytorch\x3a"[..], &varint(graph.len()), &graph].concat();
    let path = file("model.onnx", &model);
    let expected = [
        entry("shape", "i64", &[2]),
        entry("numbers", "i64", &[3]),
        entry("floats", "f32", &[2]),
        entry("scale", "f32", &[]),
        entry("inner", "i64", &[]),
        entry("fc.weight", "f32", &[10, 768]),
        entry("fc.bias", "f16", &[10]),
    ];
    assert_eq!(read(&path).unwrap(), expected);
    let text = write_model(&path).unwrap();
    let note =
        "// ONNX files are not read: save the initializers and the values of `Constant` nodes";
    assert!(text.contains(note) && text.contains("pub weight: Tensor<shape![10, 768]>"), "{text}");
    for end in 12..model.len() {
        let error = read(&file("half.onnx", &model[..end])).err();
        assert!(error.is_none_or(|error| error.contains("not all of one")), "{end}");
    }
    assert!(read(&file("half.onnx", &model[..model.len() - 1])).is_err());
}

fn varint(number: usize) -> Vec<u8> {
    vec![(number % 128) as u8 | 0x80, u8::try_from(number / 128).unwrap()]
}

/// What a file names is shown, and changes nothing of what a terminal shows.
#[test]
fn names_of_files_are_escaped() {
    let header = r#"{"a\u001b[31m\n": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
        "b\u202e\u0000": {"dtype": "F8_E4M3", "shape": [0], "data_offsets": [8, 8]}}"#;
    let path = file("escaped.safetensors", &safetensors(header, 8));
    for text in [inspect(&path).unwrap(), write_model(&path).unwrap()] {
        assert!(
            !text.contains(|c: char| c != '\n' && c.is_control() || c == '\u{202e}'),
            "{text:?}"
        );
        assert!(text.contains("a\\u{1b}[31m\\n") && text.contains("b\\u{202e}\\0"), "{text}");
    }
    let index = br#"{"weight_map": {"x\u001b[2J": 3}}"#;
    let error = inspect(&file("escaped.json", index)).unwrap_err();
    assert!(error.ends_with("`x\\u{1b}[2J` has no file"), "{error:?}");
    let error = inspect(&file("escaped.npz", &archive("\u{1b}[2J", b"no array"))).unwrap_err();
    assert!(error.contains(": \\u{1b}[2J: not a .npy file: it begins with [6e, 6f,"), "{error:?}");
}

#[test]
fn the_first_lines_say_what_the_structs_need() {
    let entry = |name: &str, dtype: &str, start: usize| {
        let len = if dtype == "F8_E4M3" { 2 } else { 4 };
        format!(
            r#""{name}": {{"dtype": "{dtype}", "shape": [2], "data_offsets": [{start}, {}]}}"#,
            start + len
        )
    };
    let bits16 = format!("{{{}}}", entry("w", "BF16", 0));
    let text = write_model(&file("bits16.safetensors", &safetensors(&bits16, 4))).unwrap();
    let expected = "\
// The weights of \"bits16.safetensors\": `Model::open` reads them.
// Elements of 16 bits need the crate `half`, and the feature `half` of tensor-core:
// `cargo add half`, `cargo add tensor-core --features half`.

use tensor_core::{Module, Tensor, shape};
";
    assert!(text.starts_with(expected), "{text}");

    let tensors = [
        entry("layers.0.scale", "F16", 0),
        entry("layers.0.w", "F8_E4M3", 4),
        entry("layers.1.w", "F8_E4M3", 6),
        // A pattern of both would ignore the first.
        entry("mixed.0", "F16", 8),
        entry("mixed.1", "F8_E4M3", 12),
        entry("c..d", "F16", 14),
        entry("e{.", "F16", 18),
        // So would a placeholder, which matches any part.
        entry("deep.0.w", "F8_E4M3", 22),
        entry("deep.norm.w", "F16", 24),
    ];
    let path = file("bits8.safetensors", &safetensors(&format!("{{{}}}", tensors.join(", ")), 28));
    let text = write_model(&path).unwrap();
    let expected = "\
// The weights of \"bits8.safetensors\": a `WeightMap` reads those that have a field.
// Elements of 16 bits need the crate `half`, and the feature `half` of tensor-core:
// `cargo add half`, `cargo add tensor-core --features half`.
// Tensors in comments have no element type in Rust, or no name of a field. This opens the file without them:
// WeightMap::new()
//     .ignore(\"c..d\")
//     .ignore(\"deep.0.w\")
//     .ignore(\"e*.\")
//     .ignore(\"layers.{i}.w\")
//     .ignore(\"mixed.1\")
//     .open::<Model>(path)

use tensor_core::{Module, Tensor, shape};
";
    assert!(text.starts_with(expected), "{text}");
    assert!(inspect(&path).unwrap().contains("//     .ignore(\"layers.{i}.w\")\n"));
}

#[test]
fn arrays_of_numpy_are_listed() {
    let mut archive = ZipWriter::new(fs::File::create(file("arrays.npz", &[])).unwrap());
    for (name, descr, shape, method) in [
        ("images.npy", "<u1", "(32, 28, 28)", CompressionMethod::Deflated),
        ("scale.npy", "<f8", "()", CompressionMethod::Stored),
        ("mask.npy", "|b1", "(32,)", CompressionMethod::Stored),
    ] {
        archive.start_file(name, SimpleFileOptions::default().compression_method(method)).unwrap();
        archive.write_all(&npy(descr, shape)).unwrap();
    }
    archive.finish().unwrap();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("arrays.npz");
    let images = entry("images", "u8", &[32, 28, 28]);
    assert_eq!(
        read(&path).unwrap(),
        [images, entry("scale", "f64", &[]), entry("mask", "bool", &[32])]
    );
    // An element type that NumPy does not have either is none of Rust.
    let huge = file("huge.npy", &npy("<f4000000000", "(2,)"));
    assert_eq!(read(&huge).unwrap(), [entry("huge", "f4000000000", &[2])]);
    let text = write_model(&file("complex.bin", &npy("<c8", "(2,)"))).unwrap();
    let first = "// The weights of \"complex.bin\": one array, whose element type Rust lacks.\n";
    assert!(text.starts_with(first) && !text.contains("WeightMap"), "{text}");
    let single = file("single.npy", &npy("<i4", "(3, 0)"));
    assert_eq!(read(&single).unwrap(), [entry("single", "i32", &[3, 0])]);
    assert!(inspect(&single).unwrap().contains("pub single: Tensor<shape![3, 0], i32>,\n"));
    assert!(
        write_model(&single)
            .unwrap()
            .starts_with("// The weights of \"single.npy\": one array, which `Tensor::load_npy`")
    );
}

#[test]
fn damaged_files_are_errors() {
    let x = r#"{"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}"#;
    for (name, bytes, expected) in [
        ("a.safetensors", vec![1, 2], "it is shorter than its header"),
        ("b.safetensors", u64::MAX.to_le_bytes().to_vec(), "in none of the formats that are read"),
        ("c.safetensors", safetensors("[]", 0), "not a .safetensors file: "),
        (
            "d.safetensors",
            safetensors(r#"{"x": {"dtype": "F32"}}"#, 0),
            "not a .safetensors file: missing field `shape`",
        ),
        (
            "m.safetensors",
            safetensors(x, 7),
            "the elements take 8 bytes, and the file ends after 7",
        ),
        ("n.safetensors", safetensors(x, 9), "not a .safetensors file: 1 bytes follow the tensors"),
        ("o.safetensors", safetensors(&x.replace("[2]", "[3]"), 8), "not a .safetensors file: "),
        ("e.npy", b"not an array".to_vec(), "in none of the formats that are read: .safetensors,"),
        ("f.npy", npy("<f4", "(x,)"), "expected a size, found \"x,), }\\n\""),
        ("empty.npy", npy("|", "(2,)"), "the element type `|`"),
        ("ascii.npy", npy("<é4", "(2,)"), "the element type `<é4`"),
        ("g.npz", b"PK\x03\x04".to_vec(), "archive"),
        ("h.txt", Vec::new(), "h.txt: the file is empty: download it or save it again"),
        ("i.pt", b"\x80\x02}.".to_vec(), "a pickle of Python that `torch.save` did not write"),
        ("half.npy", npy("<f4", "(3,)"), "the elements take 12 bytes, and the file ends after 0"),
        ("half.npz", archive("x", &[7; 99])[..60].to_vec(), "or not all of one: "),
    ] {
        let error = inspect(&file(name, &bytes)).unwrap_err();
        assert!(error.contains(expected), "{name}: {error}");
    }
    assert!(read(Path::new("no such file.npz")).is_err());
}

#[test]
fn files_of_other_formats_are_named() {
    for (start, expected) in [
        (&b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"[..], "Git LFS"),
        (b"\n<!DOCTYPE html><html></html>", "HTML"),
        (b"GGUF\x03\0\0\0\0\0\0\0\0\0\0\0", "GGUF"),
        (b"\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08\0", "HDF5"),
        (
            b"\x08\x08\x12\x07pytorch\x1a\x052.1.0\x3a\x09\x0a",
            "ONNX model that is damaged, or not all",
        ),
        (b"\x1c\0\0\0TFL3\x14\0\x20\0", "TensorFlow Lite"),
        (b"\x08\x01\x12\xf3\x9b\x02\x0a\x4d", "a graph of TensorFlow"),
        (b"\x0a\x2e\x0a\x05input\x12\x0bPlaceholder", "a graph of TensorFlow"),
        (b"\x80\x04\x95\x10\0\0\0\0\0\0\0\x8c\x15numpy.core.multiarray", "a pickle of Python"),
        (b"\x06\0\0\0\x0c\0WhisperSpec\0", "in none of the formats that are read"),
    ] {
        let error = write_model(&file("other.bin", start)).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_file_is_recognised_by_its_contents() {
    let header = r#"{"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}"#;
    let x = [entry("x", "f32", &[2])];
    let pickle = b"\x80\x02}.";
    for (name, bytes, expected) in [
        ("named", safetensors(header, 8), &x[..]),
        ("named.ckpt", safetensors(header, 8), &x),
        ("index", br#"{"weight_map": {"x": "named.ckpt"}}"#.to_vec(), &x),
        ("x", [npy("<f4", "(2,)"), vec![0; 8]].concat(), &x),
        ("arrays", archive("x.npy", &npy("<f4", "(2,)")), &x),
        ("wrong.safetensors", archive("x.npy", &npy("<f4", "(2,)")), &x),
        ("torch", archive("archive/data.pkl", pickle), &[]),
    ] {
        assert_eq!(read(&file(name, &bytes)).unwrap(), expected, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_as_a_file() {
    let pipe = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pipe");
    let _ = fs::remove_file(&pipe);
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let header = r#"{"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}"#;
    let writer = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::write(pipe, safetensors(header, 8)).unwrap())
    };
    assert_eq!(read(&pipe).unwrap(), [entry("x", "f32", &[2])]);
    writer.join().unwrap();
}

/// A quadratic search takes minutes.
#[test]
fn many_names_take_little_time() {
    let count = 200_000;
    for part in ["", ".w"] {
        let entries: Vec<Entry> =
            (0..count).map(|index| entry(&format!("x{index}{part}"), "f32", &[2])).collect();
        let text = model(&entries);
        assert_eq!(text.matches("    pub x").count(), count);
    }
}

#[test]
fn parts_of_one_type_are_an_array() {
    let names = ["blocks.0.w", "blocks.2.w", "blocks.1.w", "type", "a-b", "LayerNorm", "0"];
    let entries: Vec<Entry> = names.iter().map(|name| entry(name, "f32", &[2])).collect();
    let text = model(&entries);
    let expected = "\
use tensor_core::{Module, Tensor, shape};

#[derive(Clone, Debug, Module)]
pub struct Blocks {
    pub w: Tensor<shape![2]>,
}

#[derive(Clone, Debug, Module)]
pub struct Model {
    pub blocks: [Blocks; 3],
    #[module(rename = \"type\")]
    pub type_: Tensor<shape![2]>,
    #[module(rename = \"a-b\")]
    pub a_b: Tensor<shape![2]>,
    #[module(rename = \"LayerNorm\")]
    pub layer_norm: Tensor<shape![2]>,
    #[module(rename = \"0\")]
    pub _0: Tensor<shape![2]>,
}
";
    assert_eq!(text, expected);
    let different = [entry("layers.0", "f32", &[2]), entry("layers.1", "i64", &[3])];
    assert!(model(&different).contains("layers: (Tensor<shape![2]>, Tensor<shape![3], i64>,),\n"));
}

#[test]
fn files_are_compared_axis_by_axis() {
    let old = r#"{"a.weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
        "a.bias": {"dtype": "F32", "shape": [3], "data_offsets": [24, 36]},
        "scale": {"dtype": "F16", "shape": [2], "data_offsets": [36, 40]}}"#;
    let new = r#"{"a.weight": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]},
        "scale": {"dtype": "F32", "shape": [1], "data_offsets": [16, 20]},
        "b": {"dtype": "F32", "shape": [], "data_offsets": [20, 24]},
        "a.bias": {"dtype": "F32", "shape": [1, 3], "data_offsets": [24, 36]}}"#;
    let paths = [("diff_old.safetensors", old, 40), ("diff_new.safetensors", new, 36)]
        .map(|(name, header, len)| file(name, &safetensors(header, len)));
    let names = paths.each_ref().map(|path| path.display().to_string());
    let same = diff(&paths[0], &paths[0]).unwrap();
    let expected =
        format!("a program that opens {0} opens {0}: 3 tensors are the same\n", names[0]);
    assert_eq!((same.text, same.opens), (expected, true));
    let other = diff(&paths[0], &paths[1]).unwrap();
    let expected = format!(
        "a program that opens {} does not open {}; 0 tensors are the same, and:
  `a.weight` is f32 [2, 2], not f32 [2, 3]: axis 1 has size 2, not 3
  `a.bias` is f32 [1, 3], not f32 [3]: 2 axes, not 1 axis
  `scale` is f32 [1], not f16 [2]: axis 0 has size 1, not 2
  `b` f32 [] is left over
",
        names[0], names[1]
    );
    assert_eq!((other.text, other.opens), (expected, false));
    let back = diff(&paths[1], &paths[0]).unwrap();
    assert!(back.text.contains("`b` is missing") && !back.opens, "{}", back.text);
    assert!(
        diff(&paths[0], Path::new("missing.safetensors")).unwrap_err().contains("No such file")
    );
}
