//! `Module::open` makes a model from a file: whatever it consists of, and with every mismatch at once.

use std::collections::BTreeMap;
use std::path::PathBuf;

use tensor_core::io::{Checkpoint, Mismatch};
use tensor_core::module::{AnyTensor, Frozen, LoadModelError, Module, WeightMap};
use tensor_core::{DynTensor, Tensor, axis, shape, tensor};

axis!(Words);

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("tensor-core-{}-open-{name}.safetensors", std::process::id()))
}

type X = Tensor<shape![2]>;

fn x(value: f32) -> X {
    Tensor::full(value)
}

#[derive(Clone, Debug, Default, Module, PartialEq)]
struct Unit;

#[derive(Clone, Debug, Module, PartialEq)]
struct Layer {
    weight: X,
    #[module(value = 0.5)]
    rate: f64,
    activation: Unit,
}

#[derive(Clone, Debug, Module, PartialEq)]
struct Everything {
    table: Tensor<shape![Words, 2]>,
    #[module(buffer)]
    mean: X,
    count: Tensor<shape![], i64>,
    mask: Tensor<shape![2], bool>,
    any: DynTensor<f64>,
    #[module(set(rate = 0.25))]
    first: Layer,
    layers: Vec<Layer>,
    none: Vec<Layer>,
    pair: [X; 2],
    tuple: (X, Frozen<X>),
    there: Option<X>,
    not_there: Option<X>,
    boxed: Box<Layer>,
    #[module(rename = "type")]
    kind: BTreeMap<String, X>,
    #[module(skip, value = vec![1, 2])]
    skipped: Vec<u8>,
    r#fn: (),
}

fn layer(value: f32, rate: f64) -> Layer {
    Layer { weight: x(value), rate, activation: Unit }
}

fn everything() -> Everything {
    Everything {
        table: Tensor::from_vec_shaped(shape![Words(3), 2], vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
            .unwrap(),
        mean: x(1.0),
        count: Tensor::scalar(7),
        mask: tensor![true, false],
        any: DynTensor::full(&[2, 1, 2], 0.5),
        first: layer(2.0, 0.25),
        layers: (0..11).map(|index| layer(index as f32, 0.5)).collect(),
        none: Vec::new(),
        pair: [x(3.0), x(4.0)],
        tuple: (x(5.0), Frozen(x(6.0))),
        there: Some(x(7.0)),
        not_there: None,
        boxed: Box::new(layer(8.0, 0.5)),
        kind: BTreeMap::from([("a".to_owned(), x(9.0)), ("a-b".to_owned(), x(10.0))]),
        skipped: vec![1, 2],
        r#fn: (),
    }
}

#[test]
fn a_model_that_is_opened_is_the_one_that_was_saved() {
    let path = path("all");
    let model = everything();
    model.save(&path).unwrap();
    assert_eq!(Everything::open(&path).unwrap(), model);
    std::fs::remove_file(path).unwrap();
}

/// A struct whose macro has its path.
macro_rules! chain {
    ($Chain:ident) => {
        #[derive(Module)]
        struct $Chain {
            weight: X,
            next: Option<Box<$crate::open::$Chain>>,
        }
    };
}

chain!(Chain);

#[test]
fn a_model_may_contain_itself() {
    #[derive(Clone, Debug, Module, PartialEq)]
    struct Tree {
        weight: X,
        branches: Vec<Self>,
    }
    #[derive(Clone, Debug, Module, PartialEq)]
    struct List {
        weight: X,
        next: Option<Box<List>>,
    }
    let leaf = |value| Tree { weight: x(value), branches: Vec::new() };
    let branch = Tree { branches: vec![leaf(3.0), leaf(4.0)], ..leaf(2.0) };
    let tree = Tree { branches: vec![branch], ..leaf(1.0) };
    let file = path("itself");
    tree.save(&file).unwrap();
    assert_eq!(tree.names()[2..], ["branches.0.branches.0.weight", "branches.0.branches.1.weight"]);
    assert_eq!(Tree::open(&file).unwrap(), tree);

    let list = |first, second| List {
        weight: x(first),
        next: Some(Box::new(List { weight: x(second), next: None })),
    };
    list(1.0, 2.0).save(&file).unwrap();
    let mut loaded = list(0.0, 0.0);
    loaded.load(&file).unwrap();
    assert_eq!(loaded, list(1.0, 2.0));
    std::fs::remove_file(file).unwrap();

    let chain = Chain { weight: x(1.0), next: None };
    let chain = Chain { weight: x(2.0), next: Some(Box::new(chain)) };
    assert_eq!(chain.names(), ["weight", "next.weight"]);
}

#[test]
fn everything_that_does_not_fit_is_reported() {
    #[derive(Debug, Module)]
    struct Model {
        weight: Tensor<shape![3, 2]>,
        table: Tensor<shape![Words, 3]>,
        bias: Tensor<shape![2]>,
        active: bool,
        #[module(skip)]
        name: Option<u8>,
    }
    let path = path("mismatches");
    let weight = Tensor::<shape![2, 3]>::ones();
    Checkpoint::save(&path, &[("weight", &weight), ("table", &weight), ("biases", &x(1.0))])
        .unwrap();
    let error = Model::open(&path).map(|model| (model.active, model.name)).unwrap_err();
    let LoadModelError::Fit(fit) = &error else { panic!("{error}") };
    assert_eq!(fit.mismatches()[1].1, Mismatch::Missing);
    let expected = format!(
        "{} does not fit:
  `weight` is f32 [2, 3], not f32 [3, 2]: `WeightMap::transpose` swaps its axes
  `bias` is missing
  `active` is bool, which is not read from a file: write `#[module(value = …)]` above it
  `name` is core::option::Option<u8>, which is not read from a file: write `#[module(value = …)]` above it
  `biases` f32 [2] is left over",
        path.display()
    );
    assert_eq!(error.to_string(), expected);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_value_with_tensors_is_not_read() {
    #[derive(Debug, Module)]
    struct Model {
        a: X,
        #[module(value = x(0.0))]
        b: X,
    }
    let path = path("value");
    Checkpoint::save(&path, &[("a", &x(1.0))]).unwrap();
    let error = Model::open(&path).unwrap_err().to_string();
    assert!(error.ends_with("`b` is not read from the file: its field has a `value`, or `from_tensors` leaves it out"), "{error}");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn an_enum_needs_a_value() {
    #[derive(Debug, Module)]
    enum Head {
        #[expect(dead_code, reason = "a file does not say which variant it is")]
        One(X),
    }
    let path = path("enum");
    Checkpoint::save(&path, &[("0", &x(1.0))]).unwrap();
    let error = <(Head,)>::open(&path).unwrap_err().to_string();
    assert!(
        error.contains("`0` is io::open::an_enum_needs_a_value::Head, which is not read"),
        "{error}"
    );
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_length_that_begins_as_a_pickle_is_a_length() {
    let path = path("length");
    let tensor = r#"{"0": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}"#;
    for len in [0x280_usize, 0x1_0280] {
        let header = tensor.to_owned() + &" ".repeat(len - tensor.len());
        let elements = [1.0_f32.to_le_bytes(), 2.0_f32.to_le_bytes()].concat();
        let file = [&len.to_le_bytes()[..], header.as_bytes(), &elements].concat();
        std::fs::write(&path, file).unwrap();
        assert_eq!(Checkpoint::open(&path).unwrap().names(), ["0"], "{len}");
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn shards_are_one_checkpoint() {
    let folder = std::env::temp_dir().join(format!("tensor-core-{}-shards", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let index = folder.join("model.safetensors.index.json");
    let write = |text: &str| std::fs::write(&index, text).unwrap();
    Checkpoint::save(folder.join("a.safetensors"), &[("0", &x(1.0))]).unwrap();
    Checkpoint::save(folder.join("b.safetensors"), &[("1", &x(2.0))]).unwrap();
    write(
        "\n  {\"metadata\": {\"total_size\": 16}, \"weight_map\": {\"0\": \"a.safetensors\", \"1\": \"b.safetensors\"}}",
    );
    let expected = [x(1.0), x(2.0)];
    assert_eq!(<[X; 2]>::open(&index).unwrap(), expected);
    assert_eq!(<[X; 2]>::open(&folder).unwrap(), expected, "the folder");
    for path in [&index, &folder] {
        // SAFETY: no other program writes to the shards.
        let mapped = unsafe { Checkpoint::map(path).unwrap() };
        assert_eq!(WeightMap::new().open_from::<[X; 2]>(&mapped).unwrap(), expected);
    }
    // The index decides which file a tensor comes from, and which tensors there are.
    let two: [(&str, &dyn AnyTensor); 2] = [("0", &x(7.0)), ("1", &x(2.0))];
    Checkpoint::save(folder.join("c.safetensors"), &two).unwrap();
    write(r#"{"weight_map": {"0": "a.safetensors", "1": "c.safetensors"}}"#);
    assert_eq!(<[X; 2]>::open(&index).unwrap(), expected);
    write(r#"{"weight_map": {"0": "c.safetensors"}}"#);
    assert_eq!(<[X; 1]>::open(&index).unwrap(), [x(7.0)]);
    std::fs::remove_file(folder.join("c.safetensors")).unwrap();
    for (text, expected) in [
        (
            r#"{"weight_map": {"0": "b.safetensors"}}"#,
            "b.safetensors: no `0`, which the index lists for it",
        ),
        (
            r#"{"weight_map": {"0": "../a.safetensors"}}"#,
            "a shard is a file in the folder of its index",
        ),
        (r#"{"weight_map": {"0": "/etc/passwd"}}"#, "a shard is a file in the folder of its index"),
        (r#"{"weight_map": {"0": "c.safetensors"}}"#, "c.safetensors: "),
        (r#"{"weight_map": {"0": 3}}"#, "`0` has no file"),
        (
            r#"{"weight_map": {"0": "model.safetensors.index.json"}}"#,
            "an index of shards names files",
        ),
        (r#"{"weights": {}}"#, "it has no object `weight_map`"),
        ("{ ", "not an index of shards"),
    ] {
        write(text);
        let error = Checkpoint::open(&index).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    std::fs::remove_file(index).unwrap();
    let error = Checkpoint::open(&folder).unwrap_err().to_string();
    assert!(error.contains("a folder without weights; looked for model.safetensors,"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn arrays_of_numpy_are_a_checkpoint() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files/numpy.npz");
    let checkpoint = Checkpoint::open(&file).unwrap();
    let mut npz = tensor_core::io::Npz::open(&file).unwrap();
    assert_eq!(checkpoint.len(), npz.names().len());
    for name in npz.names().iter().filter(|name| name.starts_with("f4")) {
        let expected = npz.dyn_tensor::<f32>(name).unwrap();
        assert_eq!(checkpoint.dyn_tensor::<f32>(name).unwrap(), expected, "{name}");
    }
    #[derive(Module)]
    struct Array {
        x: Tensor<shape![20, 30]>,
    }
    let compressed = file.with_file_name("numpy_compressed.npz");
    assert_eq!(Array::open(compressed).unwrap().x[[19, 29]], 599.0 * 3.0 - 7.0);
}

#[test]
fn tied_tensors_share_their_elements() {
    let path = path("tied");
    Checkpoint::save(&path, &[("0", &Tensor::<shape![100]>::ones())]).unwrap();
    let tied = WeightMap::new().tie("1", "0");
    let [a, b]: [Tensor<shape![100]>; 2] = tied.open(&path).unwrap();
    assert_eq!(a.as_slice().unwrap().as_ptr(), b.as_slice().unwrap().as_ptr());
    std::fs::remove_file(path).unwrap();
}
