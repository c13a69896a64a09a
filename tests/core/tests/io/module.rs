//! The walk over the tensors of a model: names, roles, counts, and what `derive` makes of items.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use tensor_core::module::{AnyTensor, AssignError, Frozen, Module, Path, Role, StaticModule};
use tensor_core::{Axis, DynTensor, Element, Shape, Tensor, axis, shape, shapes, tensor};

axis!(Words, Hidden = 64);

#[shapes]
#[derive(Clone, Debug, PartialEq, Module)]
struct Linear<I: Axis, O: Axis, T: Element = f32> {
    weight: Tensor<shape![O, I], T>,
    bias: Tensor<shape![O], T>,
}

/// Without bounds, with an array, a tuple and a phantom.
#[derive(Clone, Debug, PartialEq, Module)]
struct Block<M, const N: usize, Unused = u8> {
    inner: [M; N],
    pair: (M, Option<M>),
    r#loop: Frozen<M>,
    phantom: PhantomData<Unused>,
}

/// A tree: its own type is within its fields.
#[derive(Clone, Debug, Module)]
struct Tree<M> {
    value: M,
    children: Vec<Tree<M>>,
}

#[derive(Clone, Debug, Module)]
struct Unit;

#[derive(Clone, Debug, Module)]
enum Either<A, B: Clone>
where
    B: Module,
{
    #[expect(dead_code, reason = "a field that is skipped")]
    First(A, #[module(skip)] u8),
    Second {
        head: B,
        tail: Box<A>,
    },
    Neither,
}

struct Opaque;

#[derive(Module)]
struct Options<'x, S: Shape> {
    #[module(skip)]
    _opaque: &'x Opaque,
    #[module(rename = "gamma")]
    scale: Tensor<S>,
    #[module(buffer)]
    mean: Vec<Tensor<S>>,
    #[module(buffer, rename = "num_batches_tracked")]
    count: Tensor<(), i64>,
    #[module(value = 0.5)]
    momentum: f32,
}

type X = Tensor<shape![2]>;

fn x(value: f32) -> X {
    Tensor::full(value)
}

fn roles(module: &impl Module) -> Vec<(String, Role)> {
    module.tensors().into_iter().map(|(name, role, _)| (name, role)).collect()
}

#[test]
fn names_are_those_of_fields_and_indices() {
    let block = Block::<X, 2> {
        inner: [x(0.0), x(1.0)],
        pair: (x(2.0), None),
        r#loop: Frozen(x(3.0)),
        phantom: PhantomData,
    };
    let names = ["inner.0", "inner.1", "pair.0", "loop"];
    assert_eq!(block.names(), names);
    let nested =
        Tree { value: block.clone(), children: vec![Tree { value: block, children: Vec::new() }] };
    let all: Vec<String> = ["value", "children.0.value"]
        .iter()
        .flat_map(|path| names.map(|name| format!("{path}.{name}")))
        .collect();
    assert_eq!(nested.names(), all);

    let map = BTreeMap::from([("b".to_owned(), x(0.0)), ("a".to_owned(), x(1.0))]);
    assert_eq!((map, Unit, (), 3_u8, String::new()).names(), ["0.a", "0.b"]);
    assert_eq!(x(0.0).names(), [""]);
}

#[test]
fn names_are_compared_as_they_are_displayed() {
    let (layers, root) = (Path::ROOT.field("layers"), Path::ROOT);
    for number in [0, 7, 10, 1203] {
        let layer = layers.index(number);
        let weight = layer.field("weight");
        for path in [&root, &layers, &layer, &weight] {
            assert!(path.is_displayed_as(&path.to_string()), "{path}");
            for other in ["x", ".", "layers.", "weight", &format!("1{path}"), &format!("{path}0")] {
                assert!(!path.is_displayed_as(other), "{path}, {other}");
            }
        }
    }
}

#[test]
fn tuples_of_twelve_are_walked() {
    let model = (
        x(0.0),
        x(1.0),
        x(2.0),
        x(3.0),
        x(4.0),
        x(5.0),
        x(6.0),
        x(7.0),
        x(8.0),
        x(9.0),
        x(10.0),
        x(11.0),
    );
    let names: Vec<String> = (0..12).map(|index| index.to_string()).collect();
    assert_eq!(model.names(), names);
    let mut place = 0.0;
    model.visit(&Path::ROOT, &mut |_, _, tensor| {
        assert_eq!(tensor.get::<f32>().unwrap().to_vec(), [place, place]);
        place += 1.0;
    });
    assert_eq!(place, 12.0);
}

#[test]
fn variants_have_their_own_fields() {
    let first: Either<X, X> = Either::First(x(0.0), 3);
    assert_eq!(first.names(), ["0"]);
    let mut second: Either<X, X> = Either::Second { head: x(1.0), tail: Box::new(x(2.0)) };
    assert_eq!(second.names(), ["head", "tail"]);
    second.visit_mut(&Path::ROOT, &mut |_, _, tensor| {
        tensor.as_mut_slice::<f32>().unwrap().fill(5.0);
    });
    let Either::Second { head, tail } = &second else { unreachable!() };
    assert_eq!((head, &**tail), (&x(5.0), &x(5.0)));
    assert_eq!(Either::<X, X>::Neither.names(), [""; 0]);
}

#[test]
fn roles_follow_elements_and_attributes() {
    let options = Options {
        _opaque: &Opaque,
        scale: x(1.0),
        mean: vec![x(0.0)],
        count: Tensor::from(3),
        momentum: 0.1,
    };
    assert_eq!(options.momentum, 0.1);
    let expected = [
        ("gamma", Role::Parameter),
        ("mean.0", Role::Buffer),
        ("num_batches_tracked", Role::Buffer),
    ];
    assert_eq!(roles(&options), expected.map(|(name, role)| (name.to_owned(), role)));
    let frozen = Frozen((x(0.0), tensor![1], Frozen(x(0.0))));
    let found: Vec<Role> = roles(&frozen).into_iter().map(|(_, role)| role).collect();
    assert_eq!(found, [Role::Frozen, Role::Buffer, Role::Frozen]);
    assert_eq!(options.num_parameters(), 2);
    assert_eq!(options.num_bytes(), 8 + 8 + 8);
}

/// Generic code needs no bound for the impl.
fn count<I: Axis, O: Axis>(layer: &Linear<I, O>) -> usize {
    layer.num_parameters()
}

#[test]
fn generic_models_are_modules_without_bounds() {
    let layer = Linear {
        weight: Tensor::<shape![Hidden, Words]>::zeros_shaped(shape![Hidden, Words(10)]),
        bias: Tensor::zeros(),
    };
    assert_eq!(count(&layer), 704);
    assert_eq!(layer.tensors()[0].2.axis_names(), ["Hidden=64", "Words=10"]);
}

#[test]
fn facts_are_constants() {
    type L = Linear<tensor_core::Dim<768>, Hidden>;
    const { assert!(L::NUM_PARAMETERS == 768 * 64 + 64) };
    const { assert!(<(L, [L; 3], Frozen<L>)>::NUM_PARAMETERS == 5 * L::NUM_PARAMETERS) };
    const { assert!(L::NUM_BYTES == 4 * L::NUM_PARAMETERS) };
    const { assert!(Nested::<L>::NUM_PARAMETERS == L::NUM_PARAMETERS + 64) };
    let layer = L { weight: Tensor::zeros(), bias: Tensor::zeros() };
    assert_eq!(layer.num_parameters(), L::NUM_PARAMETERS);
}

/// A wrapper of a parameter, a buffer and what is skipped.
#[shapes]
#[derive(Clone, Debug, Module)]
struct Nested<M> {
    inner: Box<M>,
    scale: Tensor<shape![Hidden]>,
    #[module(buffer)]
    mean: Tensor<shape![Hidden]>,
    #[module(skip)]
    _log: Vec<f32>,
}

#[test]
fn tensors_are_changed_in_place() {
    let mut model = vec![x(1.0), x(2.0)];
    let address = model[0].as_slice().unwrap().as_ptr();
    for (_, _, tensor) in model.tensors_mut() {
        tensor.as_mut_slice::<f32>().unwrap()[0] = 9.0;
    }
    assert_eq!(model[0].as_slice().unwrap().as_ptr(), address);
    assert_eq!(model, [tensor![9.0, 1.0], tensor![9.0, 2.0]]);

    // Shared or strided tensors are copied first, and nothing else changes.
    let large = Tensor::<shape![20, 30]>::full(1.0_f32);
    let mut views = (large.clone(), large.transpose());
    for (_, _, tensor) in views.tensors_mut() {
        tensor.as_mut_slice::<f32>().unwrap()[1] = 2.0;
    }
    assert_eq!((views.0[[0, 1]], views.1[[0, 1]]), (2.0, 2.0));
    assert_eq!(large, Tensor::full(1.0));
}

#[test]
fn assignments_are_checked() {
    let mut table = Tensor::<shape![Words, 3]>::zeros_shaped(shape![Words(2), 3]);
    let any: &mut dyn AnyTensor = &mut table;
    any.assign(DynTensor::full(&[4, 3], 1.0_f32)).unwrap();
    let refused = any.assign(DynTensor::full(&[4, 2], 1.0_f32)).unwrap_err();
    assert!(matches!(refused, AssignError::OtherSizes(_)));
    assert!(any.assign(DynTensor::full(&[4, 3], 1.0)).is_err());
    assert_eq!(table.shape(), shape![Words(4), 3]);
    assert_eq!(table.sum().item(), 12.0);

    let mut dynamic = DynTensor::full(&[2], 1.0);
    let any: &mut dyn AnyTensor = &mut dynamic;
    any.assign(DynTensor::full(&[3, 1], 2.0)).unwrap();
    assert_eq!(dynamic, DynTensor::full(&[3, 1], 2.0));
}

mod files {
    use super::*;
    use tensor_core::io::Mismatch;
    use tensor_core::module::LoadModelError;

    #[test]
    fn every_element_type_is_saved_and_loaded() {
        let path = std::env::temp_dir().join("tensor-core-test-module.safetensors");
        let model = (
            (tensor![1.0_f32, -2.0], tensor![1.0, f64::MAX]),
            (tensor![1_i8], tensor![-2_i16], tensor![3_i32], tensor![i64::MIN]),
            (tensor![1_u8], tensor![2_u16], tensor![3_u32], tensor![u64::MAX]),
            tensor![[true, false]],
            Tensor::<shape![Words, 2]>::zeros_shaped(shape![Words(3), 2]),
        );
        model.save(&path).unwrap();
        let mut other = (
            (tensor![0.0_f32, 0.0], tensor![0.0, 0.0]),
            (tensor![0_i8], tensor![0_i16], tensor![0_i32], tensor![0_i64]),
            (tensor![0_u8], tensor![0_u16], tensor![0_u32], tensor![0_u64]),
            tensor![[false, false]],
            Tensor::<shape![Words, 2]>::zeros_shaped(shape![Words(1), 2]),
        );
        other.load(&path).unwrap();
        assert_eq!(other, model);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_foreign_file_is_refused_as_a_whole() {
        let path = std::env::temp_dir().join("tensor-core-test-foreign.safetensors");
        (x(1.0), tensor![1.0], tensor![2_i32]).save(&path).unwrap();
        let mut model = (x(0.0), Tensor::<shape![3], f64>::zeros());
        let Err(LoadModelError::Fit(error)) = model.load(&path) else { unreachable!() };
        let names: Vec<_> = error.mismatches().iter().map(|(name, _)| &name[..]).collect();
        assert_eq!(names, ["1", "2"]);
        assert!(matches!(error.mismatches()[1].1, Mismatch::LeftOver { .. }));
        assert_eq!(model, (x(0.0), Tensor::zeros()));
        std::fs::write(&path, b"no tensors").unwrap();
        assert!(matches!(model.load(&path), Err(LoadModelError::Read(_))));
        std::fs::remove_file(path).unwrap();
    }
}
