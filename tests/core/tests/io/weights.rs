//! `weights!`: files that the compiler has compared with a model. `tests/ui/weights` has those that do not fit.

use std::collections::BTreeMap;

use tensor_core::io::Checkpoint;
use tensor_core::module::{
    AnyTensor, LoadModelError, Module, ModuleTree, Path, StaticModule, TensorReader, Visitor,
    VisitorMut,
};
use tensor_core::{DynTensor, Tensor, axis, shape, tensor, weights};

axis!(Rows);
axis!(Columns = 3);

fn folder(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)
}

/// Some tensors of `model.safetensors`, by the kinds of types that a model consists of.
#[derive(Module)]
struct Numbers {
    /// A size that the file decides.
    f8: Tensor<shape![2, Columns, 4], f64>,
    #[module(rename = "f4")]
    floats: Box<Tensor<shape![Rows, 3, 4]>>,
    f2: DynTensor<half::f16>,
    empty: Option<Tensor<shape![0, 3]>>,
    absent: Option<Tensor<shape![7]>>,
    list: Vec<Tensor<shape![7]>>,
    u8: Tensor<shape![2, 3, 4], u64>,
    u4: Tensor<shape![2, 3, 4], u32>,
    u2: Tensor<shape![2, 3, 4], u16>,
    u1: Tensor<shape![2, 3, 4], u8>,
    i8: Tensor<shape![2, 3, 4], i64>,
    i4: Tensor<shape![2, 3, 4], i32>,
    i2: Tensor<shape![2, 3, 4], i16>,
    i1: Tensor<shape![2, 3, 4], i8>,
    b1: Tensor<shape![2, 3, 4], bool>,
    #[module(value = 3)]
    steps: i64,
    #[module(skip, value = "none")]
    note: &'static str,
}

/// The compiler compares the names of both.
#[test]
fn a_model_may_wrap_one_of_the_same_name() {
    mod layers {
        #[derive(tensor_core::Module)]
        pub struct Scale {
            pub factor: tensor_core::DynTensor,
        }
    }
    #[derive(Module)]
    struct Scale {
        of_rows: layers::Scale,
    }
    const FACTOR: ModuleTree = ModuleTree::Fields(&[("factor", ModuleTree::AnySizes("f32"))]);
    let expected = ModuleTree::Fields(&[("of_rows", FACTOR)]);
    assert_eq!(format!("{:?}", Scale::TREE), format!("{expected:?}"));
}

#[test]
fn a_file_that_fits_is_opened() {
    let weights = weights!(Numbers, "../files/model.safetensors");
    let model = weights.open(folder("model.safetensors")).unwrap();
    assert_eq!(model.floats.sizes()[..], [2, 3, 4]);
    assert!(model.empty.is_some() && model.absent.is_none() && model.list.is_empty());
    assert_eq!((model.steps, model.note), (3, "none"));
    let checkpoint = Checkpoint::open(folder("model.safetensors")).unwrap();
    assert_eq!(weights.open_from(&checkpoint).unwrap().u1, model.u1);
}

#[test]
fn a_path_may_be_that_of_the_package() {
    let weights = weights!(Numbers, "tests/files/model.safetensors");
    assert!(weights.open(folder("model.safetensors")).is_ok());
    assert_eq!(format!("{weights:?}"), "CheckedWeights(\"tests/files/model.safetensors\")");
}

#[derive(Module)]
struct Shards {
    u1: Tensor<shape![2, 3, 4], u8>,
    b1: Tensor<shape![2, 3, 4], bool>,
}

#[test]
fn the_formats_of_open_are_read() {
    let index = folder("model.safetensors.index.json");
    let shards = weights!(Shards, "../files/model.safetensors.index.json").open(index).unwrap();
    let whole = Checkpoint::open(folder("model.safetensors")).unwrap();
    assert_eq!(whole.tensor::<shape![2, 3, 4], bool>("b1").unwrap(), shards.b1);

    let one = weights!(Tensor<shape![4, 3]>, "../files/torch_before_1_6.pt");
    assert_eq!(one.open(folder("torch_before_1_6.pt")).unwrap().sizes()[..], [4, 3]);

    let named =
        weights!(BTreeMap<String, Tensor<shape![Rows, 30]>>, "../files/numpy_compressed.npz");
    assert_eq!(named.open(folder("numpy_compressed.npz")).unwrap()["x"].sizes()[..], [20, 30]);
}

#[derive(Debug, Module)]
struct Norm {
    weight: Tensor<shape![Rows]>,
    bias: Tensor<shape![Rows]>,
}

/// Lists of more than ten elements, whose names are in another order than their indices.
#[test]
fn lists_are_in_any_order() {
    #[derive(Module)]
    struct Layer {
        weight: Tensor<shape![2]>,
        biases: Option<[Tensor<shape![1]>; 2]>,
    }

    #[derive(Module)]
    struct Model {
        layers: Vec<Layer>,
        scales: Vec<Tensor<shape![1]>>,
        norms: [Tensor<shape![3]>; 12],
    }

    let weights = weights!(Model, "../files/lists.safetensors");
    let model = weights.open(folder("lists.safetensors")).unwrap();
    assert_eq!((model.layers.len(), model.scales.len()), (12, 101));
    for (index, scale) in model.scales.iter().enumerate() {
        assert_eq!(scale.to_vec(), [index as f32]);
    }
    for (index, layer) in model.layers.iter().enumerate() {
        assert_eq!(layer.weight.to_vec(), [index as f32, 0.0]);
        assert_eq!(layer.biases.is_some(), index % 3 == 0);
    }
    assert_eq!(model.norms[11].to_vec(), [11.0; 3]);
}

/// A model that is one tensor has an empty name, as a tensor of a file may.
#[test]
fn names_that_are_empty_have_words() {
    let path = std::env::temp_dir().join(format!("nameless-{}.safetensors", std::process::id()));
    let problems = |error: String| error.split_once(":\n").unwrap().1.to_owned();
    Checkpoint::save(&path, &[("a", &tensor![0.5_f32] as &dyn AnyTensor)]).unwrap();
    let error = Tensor::<shape![1]>::open(&path).unwrap_err().to_string();
    assert!(problems(error.clone()).starts_with("  the model is missing\n"), "{error}");
    Checkpoint::save(&path, &[("", &tensor![0.5_f32] as &dyn AnyTensor)]).unwrap();
    let error = Tensor::<shape![2]>::open(&path).unwrap_err().to_string();
    assert!(problems(error.clone()).starts_with("  the model is f32 [1], not f32 [2]"), "{error}");
    let error = Norm::open(&path).unwrap_err().to_string();
    assert!(error.contains("\n  the tensor without a name, f32 [1], is left over"), "{error}");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn another_file_is_refused_at_run_time() {
    let weights = weights!(Norm, "../../../../tensor-core/guide/norm.safetensors");
    let path = std::env::temp_dir().join(format!("weights-{}.safetensors", std::process::id()));
    let message = |weights: Result<Norm, LoadModelError>| weights.unwrap_err().to_string();

    // Other elements are those of another step of training.
    let [weight, bias] = [tensor![0.5_f32, 1.5, 2.5], tensor![1.0, 1.0, 1.0]];
    (weight, bias).save(&path).unwrap();
    assert!(message(weights.open(&path)).contains("\n  `weight` is missing\n"));
    let checkpoint: [(&str, &dyn AnyTensor); 2] =
        [("weight", &tensor![0.5_f32, 1.5, 2.5]), ("bias", &tensor![1.0_f32, 1.0, 1.0])];
    Checkpoint::save(&path, &checkpoint).unwrap();
    assert_eq!(weights.open(&path).unwrap().bias.sum().item(), 3.0);

    // The model has any number of rows, and the file of the program has three.
    let checkpoint: [(&str, &dyn AnyTensor); 2] =
        [("weight", &tensor![0.5_f32, 1.5]), ("bias", &tensor![1.0_f32, 1.0])];
    Checkpoint::save(&path, &checkpoint).unwrap();
    assert!(Norm::open(&path).is_ok());
    let error = message(weights.open(&path));
    let expected = ": not the file that the program was compiled with, `../../../../tensor-core/guide/norm.safetensors`: \
                    names, element types or sizes differ";
    assert!(error.contains(expected) && error.starts_with(path.to_str().unwrap()), "{error}");
    std::fs::remove_file(path).unwrap();
}

/// A module that is written by hand: its tensors are compared when the program runs.
struct ByHand(Tensor<shape![2]>);

impl Module for ByHand {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        self.0.visit(&path.field("weight"), visitor);
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        self.0.visit_mut(&path.field("weight"), visitor);
    }

    fn from_tensors(path: &Path<'_>, tensors: &mut TensorReader<'_>) -> Option<Self> {
        Some(Self(Module::from_tensors(&path.field("weight"), tensors)?))
    }
}

#[derive(Module)]
struct Second {
    weight: Tensor<shape![10, 64], f64>,
    biases: Tensor<shape![10]>,
}

#[derive(Module)]
struct Layers {
    #[module(rename = "0")]
    first: ByHand,
    #[module(rename = "1")]
    second: Second,
}

#[derive(Module)]
struct Encoder {
    layers: Layers,
}

#[test]
fn parts_that_are_written_by_hand_are_compared_at_run_time() {
    let weights = weights!(Encoder, "../../../ui/weights/encoder.safetensors");
    let error = weights.open(folder("../../../ui/weights/encoder.safetensors"));
    let error = error.err().unwrap().to_string();
    assert!(error.contains("`layers.0.weight` is f32 [64, 32], not f32 [2]"), "{error}");
}
