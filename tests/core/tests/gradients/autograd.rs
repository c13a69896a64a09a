//! Gradients: what is promised beyond the numbers of single operations, which `tests/dynamic_corpus`
//! compares with PyTorch and with differences.

use std::panic::catch_unwind;

use tensor_core::autograd::{self, grad, value_and_grad};
use tensor_core::functional::{cross_entropy, linear};
use tensor_core::module::{Frozen, Module, Path, Role, Visitor, VisitorMut};
use tensor_core::{
    Axis, DynTensor, IntoTensor, Shape, StaticAxis, StaticShape, Tensor, axes, axis, dim, fuse,
    select, shape, slice, tensor, zip_with,
};

/// The `n`-th derivative of a function of one number.
fn derivative(n: usize, at: f64, f: &dyn Fn(&Tensor<(), f64>) -> Tensor<(), f64>) -> f64 {
    fn step(
        n: usize,
        x: &Tensor<(), f64>,
        f: &dyn Fn(&Tensor<(), f64>) -> Tensor<(), f64>,
    ) -> Tensor<(), f64> {
        if n == 0 { f(x) } else { grad(x, |x| step(n - 1, x, f)) }
    }
    step(n, &Tensor::scalar(at), f).item()
}

fn close(got: f64, want: f64) -> bool {
    (got - want).abs() <= 1e-9 * want.abs().max(1.0)
}

#[test]
fn derivatives_to_the_third_order() {
    type Function<'a> = (&'a str, &'a dyn Fn(&Tensor<(), f64>) -> Tensor<(), f64>, [f64; 3]);
    let x: f64 = 0.7;
    let (s, e, t) = (1.0 / (1.0 + (-x).exp()), x.exp(), x.tanh());
    let sigmoid = s * (1.0 - s);
    let functions: &[Function<'_>] = &[
        ("exp", &|x| x.exp(), [e, e, e]),
        ("sin", &|x| x.sin(), [x.cos(), -x.sin(), -x.cos()]),
        ("ln", &|x| x.ln(), [1.0 / x, -1.0 / (x * x), 2.0 / x.powi(3)]),
        ("powi", &|x| x.powi(5), [5.0 * x.powi(4), 20.0 * x.powi(3), 60.0 * x.powi(2)]),
        ("sqrt", &|x| x.sqrt(), [0.5 * x.powf(-0.5), -0.25 * x.powf(-1.5), 0.375 * x.powf(-2.5)]),
        (
            "sigmoid",
            &|x| x.sigmoid(),
            [sigmoid, sigmoid * (1.0 - 2.0 * s), sigmoid * (1.0 - 6.0 * s + 6.0 * s * s)],
        ),
        (
            "tanh",
            &|x| x.tanh(),
            [1.0 - t * t, -2.0 * t * (1.0 - t * t), (1.0 - t * t) * (6.0 * t * t - 2.0)],
        ),
        ("product", &|x| x * x * x, [3.0 * x * x, 6.0 * x, 6.0]),
        ("quotient", &|x| 1.0 / x, [-1.0 / (x * x), 2.0 / x.powi(3), -6.0 / x.powi(4)]),
        (
            "matrix product",
            &|x| {
                let row = x.expand::<shape![1, 3]>() * tensor![[1.0, 2.0, 3.0]];
                row.matmul(&row.transpose()).sum()
            },
            [28.0 * x, 28.0, 0.0],
        ),
        (
            "sum over what was stretched",
            &|x| (x.expand::<shape![4, 2]>() * tensor![[1.0], [2.0], [3.0], [4.0]]).square().sum(),
            [120.0 * x, 120.0, 0.0],
        ),
        (
            "logsumexp",
            &|x| {
                let pair = x.expand::<shape![2]>() * tensor![1.0, 0.0];
                pair.logsumexp()
            },
            [s, sigmoid, sigmoid * (1.0 - 2.0 * s)],
        ),
        (
            "softmax",
            &|x| {
                let pair = x.expand::<shape![2]>() * tensor![1.0, 0.0];
                pair.softmax::<-1>().index::<0>(0)
            },
            [sigmoid, sigmoid * (1.0 - 2.0 * s), sigmoid * (1.0 - 6.0 * s + 6.0 * s * s)],
        ),
        (
            "variance",
            &|x| (x.expand::<shape![3]>() * tensor![1.0, 2.0, 6.0]).var(),
            [2.0 * x * 14.0 / 3.0, 2.0 * 14.0 / 3.0, 0.0],
        ),
    ];
    for (name, f, wanted) in functions {
        for (order, want) in (1..).zip(wanted) {
            let got = derivative(order, x, f);
            assert!(close(got, *want), "{name}, order {order}: {got}, not {want}");
        }
    }
}

#[derive(Clone, Debug, PartialEq, Module)]
struct Layer<A: Axis, B: Axis> {
    weight: Tensor<(((), A), B), f64>,
    bias: Option<Tensor<((), B), f64>>,
}

type Dims = (tensor_core::dim!(2), tensor_core::dim!(3));

#[derive(Clone, Debug, PartialEq, Module)]
struct Model {
    first: Layer<Dims0, Dims1>,
    rest: Vec<Layer<Dims1, Dims1>>,
    last: Box<Layer<Dims1, Dims1>>,
    scale: Frozen<Tensor<shape![3], f64>>,
    #[module(skip)]
    steps: usize,
    #[module(buffer)]
    mean: Tensor<shape![3], f64>,
}

type Dims0 = tensor_core::dim!(2);
type Dims1 = tensor_core::dim!(3);

/// Of sizes that the operation is made for, and of others; of views as well.
#[test]
fn a_linear_operation_is_a_product_and_a_sum() {
    type Parameters<O, I> = (Tensor<shape![O, I], f64>, Tensor<shape![O], f64>);
    fn check<Lead: Shape, I: Axis, O: Axis>(
        x: Tensor<(Lead, I), f64>,
        (weight, bias): Parameters<O, I>,
    ) {
        type One = Tensor<(), f64>;
        let together = |x: &Tensor<(Lead, I), f64>, w: &_, b: &_| linear(x, w, Some(b));
        let by_parts = |x: &Tensor<(Lead, I), f64>, w: &Tensor<shape![O, I], f64>, b: &_| {
            x.dot(&w.transpose()) + b
        };
        let (y, expected) = (together(&x, &weight, &bias), by_parts(&x, &weight, &bias));
        assert!(y.all_close(&expected, 1e-12, 1e-12));
        let model = (x, weight, bias);
        let loss = |y: Tensor<(Lead, O), f64>| -> One { (&y * &y * y).mean() };
        let first = [
            grad(&model, |(x, w, b)| loss(together(x, w, b))),
            grad(&model, |(x, w, b)| loss(by_parts(x, w, b))),
        ];
        let of_slopes = |(x, w, b): (Tensor<(Lead, I), f64>, Tensor<_, f64>, Tensor<_, f64>)| {
            x.square().sum() + w.square().sum() + b.square().sum()
        };
        let second = [
            grad(&model, |m| of_slopes(grad(m, |(x, w, b)| loss(together(x, w, b))))),
            grad(&model, |m| of_slopes(grad(m, |(x, w, b)| loss(by_parts(x, w, b))))),
        ];
        for [one, other] in [first, second] {
            assert!(one.0.all_close(&other.0, 1e-9, 1e-9));
            assert!(one.1.all_close(&other.1, 1e-9, 1e-9));
            assert!(one.2.all_close(&other.2, 1e-9, 1e-9));
        }
    }
    fn numbers<S: Shape + StaticShape>(step: usize) -> Tensor<S, f64> {
        let len = S::VALUE.num_elements();
        let element = |place: usize| ((place * step) % 31) as f64 / 16.0 - 1.0;
        Tensor::from_vec_shaped(S::VALUE, (0..len).map(element).collect()).unwrap()
    }
    check(
        numbers::<shape![3, 7, 20]>(7),
        (numbers::<shape![17, 20]>(11), numbers::<shape![17]>(5)),
    );
    check(numbers::<shape![19, 20]>(7), (numbers::<shape![5, 20]>(11), numbers::<shape![5]>(5)));
    check(numbers::<shape![40, 9]>(7), (numbers::<shape![70, 9]>(11), numbers::<shape![70]>(5)));
    check(numbers::<shape![4]>(7), (numbers::<shape![3, 4]>(11), numbers::<shape![3]>(5)));
    check(numbers::<shape![9, 1]>(7), (numbers::<shape![30, 1]>(11), numbers::<shape![30]>(5)));
    let weight = numbers::<shape![40, 20]>(11).slice(slice![10..23, ..]);
    let x = numbers::<shape![20, 33]>(7).transpose();
    check(x, (weight, numbers::<shape![13]>(5)));
    let x = numbers::<shape![2, 20, 12]>(7).transpose();
    check(x, (numbers::<shape![20, 16]>(11).transpose(), numbers::<shape![16]>(5)));
}

/// Few classes are computed otherwise than many.
#[test]
fn the_loss_of_classes_is_a_logarithm_of_softmax() {
    fn check<C: Axis>(scores: Tensor<shape![7, C], f64>, classes: Vec<usize>) {
        let indices = classes.iter().map(|&class| class as i64).collect();
        let indices: Tensor<shape![7], i64> = Tensor::from_vec(indices).unwrap();
        let each =
            |x: &Tensor<_, f64>| -> Tensor<shape![7], f64> { cross_entropy(x, &indices).unwrap() };
        let sum =
            |x: &Tensor<_, f64>| (each(x) * tensor![1.0, 2.0, -1.0, 0.5, 1.0, 1.0, 3.0]).sum();
        let expected = scores.log_softmax::<-1>();
        for (row, &class) in classes.iter().enumerate() {
            let [loss, logarithm] = [each(&scores)[[row]], expected[[row, class]]];
            assert!(loss == -logarithm || close(loss, -logarithm), "{loss} {logarithm}");
        }
        let slopes = grad(&scores, sum);
        let weights = [1.0, 2.0, -1.0, 0.5, 1.0, 1.0, 3.0];
        for (row, &class) in classes.iter().enumerate() {
            for column in 0..scores.sizes()[1] {
                let share = expected[[row, column]].exp() - f64::from(column == class);
                assert!(close(slopes[[row, column]], share * weights[row]));
            }
        }
    }
    fn scores<C: StaticAxis>() -> Tensor<shape![7, C], f64> {
        let len = 7 * C::VALUE.size();
        let element = |place: usize| ((place * 37) % 101) as f64 * 0.7 - 30.0;
        let shape = <shape![7, C] as StaticShape>::VALUE;
        Tensor::from_vec_shaped(shape, (0..len).map(element).collect()).unwrap()
    }
    check(scores::<dim!(2)>(), vec![0, 1, 1, 0, 0, 1, 1]);
    check(scores::<dim!(10)>(), vec![0, 9, 3, 4, 4, 7, 2]);
    check(scores::<dim!(40)>(), vec![0, 39, 3, 24, 4, 7, 12]);
    let mut extreme = scores::<dim!(3)>();
    extreme[[1, 2]] = f64::NEG_INFINITY;
    extreme[[2, 0]] = 1e300;
    check(extreme, vec![0, 2, 1, 0, 0, 1, 1]);
}

#[test]
fn the_gradient_has_the_type_of_the_model() {
    let _: Option<Dims> = None;
    let layer = Layer {
        weight: tensor![[1.0, 0.5, -1.0], [2.0, 1.0, 0.0]],
        bias: Some(tensor![0.1, 0.2, 0.3]),
    };
    let square =
        Layer { weight: tensor![[0.5, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.5]], bias: None };
    let model = Model {
        first: layer,
        rest: vec![square.clone(), square.clone()],
        last: Box::new(square),
        scale: Frozen(tensor![1.0, 2.0, 3.0]),
        steps: 7,
        mean: tensor![0.0, 0.0, 1.0],
    };
    let x = tensor![[1.0, 2.0], [3.0, -1.0]];
    let loss = |model: &Model| {
        let mut y = x.dot(&model.first.weight) + model.first.bias.as_ref().unwrap();
        for layer in model.rest.iter().chain([&*model.last]) {
            y = y.dot(&layer.weight).tanh();
        }
        (y * &*model.scale - &model.mean).square().mean()
    };
    let (value, gradient) = value_and_grad(&model, loss);
    assert_eq!(value, loss(&model));
    assert!(!value.is_tracked() && !gradient.first.weight.is_tracked());
    assert_eq!((gradient.steps, &gradient.scale, &gradient.mean), (7, &model.scale, &model.mean));
    // Every parameter against differences.
    let step = 1e-6;
    for (place, (name, role, tensor)) in gradient.tensors().into_iter().enumerate() {
        if role != Role::Parameter {
            continue;
        }
        let found = tensor.get::<f64>().unwrap().to_vec();
        for (element, got) in found.into_iter().enumerate() {
            let moved = |by: f64| {
                let mut model = model.clone();
                model.tensors_mut().remove(place).2.as_mut_slice::<f64>().unwrap()[element] += by;
                loss(&model).item()
            };
            let want = (moved(step) - moved(-step)) / (2.0 * step);
            assert!((got - want).abs() < 1e-6, "{name}[{element}]: {got}, not {want}");
        }
    }
}

fn message(f: &(dyn Fn() + std::panic::RefUnwindSafe)) -> String {
    let panic = catch_unwind(f).unwrap_err();
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()))
        .unwrap()
}

/// A module that is written by hand, whose `visit_mut` has the other order.
#[derive(Clone)]
struct TwoOrders(Tensor<shape![2]>, Tensor<shape![3]>);

impl Module for TwoOrders {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        self.0.visit(&path.field("a"), visitor);
        self.1.visit(&path.field("b"), visitor);
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        self.1.visit_mut(&path.field("b"), visitor);
        self.0.visit_mut(&path.field("a"), visitor);
    }
}

#[test]
fn walks_in_two_orders_are_refused() {
    let model = TwoOrders(tensor![1.0, 2.0], tensor![3.0, 4.0, 5.0]);
    assert_eq!(
        message(&|| drop(grad(&model, |model| model.0.sum() + model.1.sum()))),
        "`visit_mut` of the module shows `f32` of sizes [3] where its `visit` shows `f32` of sizes [2]: both must show the \
         same tensors in the same order"
    );
}

/// A module that is written by hand, one of whose walks, or both, leave out the second tensor.
#[derive(Clone)]
struct OneWalk(Tensor<shape![2]>, Tensor<shape![3]>, [bool; 2]);

impl Module for OneWalk {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        self.0.visit(&path.field("a"), visitor);
        if self.2[0] {
            self.1.visit(&path.field("b"), visitor);
        }
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        self.0.visit_mut(&path.field("a"), visitor);
        if self.2[1] {
            self.1.visit_mut(&path.field("b"), visitor);
        }
    }
}

/// The gradient of the second tensor is not 0.
#[test]
fn a_walk_that_leaves_out_a_tensor_is_refused() {
    for (walks, shown) in [([true, false], [1, 2]), ([false, true], [2, 1])] {
        let model = OneWalk(tensor![1.0, 2.0], tensor![3.0, 4.0, 5.0], walks);
        assert_eq!(
            message(&|| drop(grad(&model, |model| model.0.sum() + model.1.sum()))),
            format!(
                "`visit_mut` of the module showed {} parameters, and `visit` {}: both must show the same tensors in the \
                 same order",
                shown[0], shown[1]
            )
        );
    }
    let neither = OneWalk(tensor![1.0, 2.0], tensor![3.0, 4.0, 5.0], [false, false]);
    assert_eq!(grad(&neither, |model| model.0.sum() + model.1.sum()).0, tensor![1.0, 1.0]);
}

#[test]
fn losses_without_a_history_are_refused() {
    let model = tensor![1.0, 2.0];
    assert!(
        message(&|| drop(grad(&model, |_| Tensor::scalar(1.0))))
            .contains("does not depend on a parameter")
    );
    assert!(message(&|| grad(&(), |()| Tensor::scalar(1.0))).contains("not frozen"));
    assert!(message(&|| drop(Tensor::scalar(1.0).gradients(&model))).contains("`requires_grad`"));
    let tracked = model.requires_grad();
    assert!(
        message(&|| drop(tracked.sum().gradients(&model))).contains("does not require gradients")
    );
    assert!(message(&|| drop(tracked.map(|x| x * 2.0))).contains("fuse!"));
    assert!(message(&|| drop(zip_with(&tracked, &model, |x, y| x * y))).contains("fuse!"));
    assert!(message(&|| tracked.clone().map_assign(|x| x * 2.0)).contains("fuse!"));
    assert!(message(&|| tracked.clone()[[0]] = 1.0).contains("detach"));
    let dynamic = DynTensor::from(tracked.clone());
    assert!(message(&|| drop(dynamic.map(|x| x * 2.0))).contains("fuse!"));
    assert_eq!(autograd::no_grad(|| tracked.map(|x| x * 2.0)), tensor![2.0, 4.0]);
}

#[test]
fn changes_in_place_do_not_corrupt_a_gradient() {
    let x = tensor![1.0, 2.0, 3.0].requires_grad();
    let mut y = x.square();
    let before = y.exp();
    y *= 10.0;
    y += &x;
    y -= tensor![1.0, 1.0, 1.0];
    y.assign_slice(slice![0..1], x.index::<0>(2));
    let loss = (&y * tensor![1.0, 10.0, 100.0]).sum() + before.sum();
    let want: Vec<f64> = [0.0, 10.0 * 41.0, 100.0 * 61.0 + 1.0]
        .iter()
        .zip([1.0_f64, 2.0, 3.0])
        .map(|(outer, x)| outer + 2.0 * x * (x * x).exp())
        .collect();
    let got = loss.gradients(&x);
    assert!(got.iter().zip(&want).all(|(got, want)| close(*got, *want)), "{got:?}, not {want:?}");
    // The variable itself, whose history is that of the sum then.
    let mut z = x.clone();
    z += &x;
    assert_eq!(z.sum().gradients(&x), tensor![2.0, 2.0, 2.0]);
    // A constant that a variable is added to.
    let mut constant = tensor![5.0, 5.0, 5.0];
    constant += &x;
    assert_eq!((constant * &x).sum().gradients(&x), tensor![7.0, 9.0, 11.0]);
    // Owned operands give their memory to the result where they are not tracked.
    let big = Tensor::<shape![100], f64>::ones();
    let variable = Tensor::<shape![100], f64>::full(3.0).requires_grad();
    let sum = (big.clone() + &variable) * 2.0 * variable.clone();
    assert_eq!(sum.sum().gradients(&variable), Tensor::full(14.0));
}

#[test]
fn views_share_the_history_of_their_elements() {
    axis!(Batch);
    let x = Tensor::<shape![2, 3], f64>::from_fn(|[i, j]| (i * 3 + j) as f64).requires_grad();
    let weights = Tensor::<shape![3, 2], f64>::from_fn(|[i, j]| (1 + i * 2 + j) as f64);
    let check = |loss: Tensor<(), f64>, want: Tensor<shape![2, 3], f64>| {
        assert_eq!(loss.gradients(&x), want);
    };
    check((x.transpose() * &weights).sum(), weights.transpose().contiguous());
    check((x.reshape::<shape![3, 2]>() * &weights).sum(), weights.reshape());
    check(
        x.transpose().reshape::<shape![6]>().slice(slice![0..2]).sum(),
        tensor![[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
    );
    check(x.index::<1>(2).sum(), tensor![[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]);
    check(
        x.flip::<axes![1]>().slice(slice![.., 0..1]).sum(),
        tensor![[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]],
    );
    check(x.unsqueeze::<0>().expand::<shape![5, 2, 3]>().sum(), Tensor::full(5.0));
    check(x.windows::<1, tensor_core::dim!(2)>().sum(), tensor![[1.0, 2.0, 1.0], [1.0, 2.0, 1.0]]);
    check(
        x.iter_axis::<0>().map(|row| row.square().sum()).reduce(|a, b| a + b).unwrap(),
        x.detach() * 2.0,
    );
    check(x.rename_axis::<0, Batch>().sum_axis::<0>().sum(), Tensor::ones());
    check(x.diagonal::<0, 1>().sum(), tensor![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    check(
        DynTensor::from(x.clone())
            .swap_axes(0, 1)
            .unwrap()
            .into_tensor::<shape![3, 2]>()
            .unwrap()
            .sum(),
        Tensor::ones(),
    );
    // One element.
    check(x.index::<0>(1).index::<0>(0), tensor![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
}

/// Each of two gradients at a tie, alone and with the other.
#[test]
fn a_gradient_does_not_depend_on_which_others_are_asked_for() {
    type Number = Tensor<(), f64>;
    let check = |name: &str, f: &dyn Fn(&Number, &Number) -> Number| {
        let x = Tensor::scalar(2.0).requires_grad();
        let y = Tensor::scalar(2.0).requires_grad();
        let result = f(&x, &y);
        let (of_x, of_y) = result.gradients((&x, &y));
        assert_eq!(result.gradients(&x), of_x, "{name}, the first");
        assert_eq!(result.gradients(&y), of_y, "{name}, the second");
    };
    check("clamp", &|x, y| x.clamp(y, 5.0));
    check("clamp from above", &|x, y| x.clamp(0.0, y));
    check("clamp, fused", &|x, y| fuse!(x.clamp(y, 5.0) * 3.0));
    check("maximum", &|x, y| x.maximum(y) * y);
    check("select", &|x, y| select(x.less(3.0), x * y, y));
    check("product", &|x, y| x.unsqueeze::<0>().dot(&y.unsqueeze::<0>()));
    check("power", &|x, y| x.pow(y));
}

#[test]
fn a_long_graph_is_walked_and_dropped() {
    let x = Tensor::scalar(1.0).requires_grad();
    let mut y = x.clone();
    for _ in 0..100_000 {
        y = &y + 1e-5;
    }
    assert_eq!(y.gradients(&x).item(), 1.0);
    let mut z = Tensor::<shape![20], f64>::ones().requires_grad();
    for _ in 0..100_000 {
        z *= 1.0;
    }
    drop(z);
}

#[test]
fn recorded_tensors_cross_threads() {
    fn is_send_and_sync<X: Send + Sync>(_: &X) {}
    let x = tensor![1.0, 2.0].requires_grad();
    is_send_and_sync(&x);
    let y = std::thread::scope(|scope| scope.spawn(|| x.exp() * 2.0).join().unwrap());
    assert_eq!(y.sum().gradients(&x), x.detach().exp() * 2.0);
}

#[test]
fn what_is_constant_has_no_history() {
    let x = tensor![1.5, -2.5].requires_grad();
    assert!(!x.floor().is_tracked() && !x.sign().is_tracked() && !x.detach().is_tracked());
    let chosen = select(x.greater(0.0), &x, &x * 10.0);
    assert_eq!(chosen.sum().gradients(&x), tensor![1.0, 10.0]);
    assert_eq!((&x * x.detach()).sum().gradients(&x), tensor![1.5, -2.5]);
    // A loss that does not depend on a variable.
    let other = tensor![1.0].requires_grad();
    assert_eq!(x.sum().gradients((&x, &other)), (tensor![1.0, 1.0], tensor![0.0]));
}

#[test]
fn types_of_elements_may_change_on_the_way() {
    let x = tensor![1.0_f32, 2.0].requires_grad();
    let y: Tensor<shape![2], f64> = x.cast::<f64>().square();
    assert_eq!(y.cast::<f32>().sum().gradients(&x), tensor![2.0, 4.0]);
}

#[test]
fn generic_functions_have_gradients() {
    fn layer<Lead: Shape, I: Axis, O: Axis>(
        x: &Tensor<(Lead, I), f64>,
        weight: &Tensor<shape![I, O], f64>,
    ) -> Tensor<(Lead, O), f64> {
        x.dot(weight).relu()
    }
    let weight = Tensor::<shape![4, 3], f64>::from_fn(|[i, j]| i as f64 - j as f64);
    let x = Tensor::<shape![2, 5, 4], f64>::ones();
    let gradient = grad(&weight, |weight| layer(&x, weight).sum());
    assert_eq!(
        gradient,
        tensor![[10.0, 10.0, 0.0], [10.0, 10.0, 0.0], [10.0, 10.0, 0.0], [10.0, 10.0, 0.0]]
    );
}

#[test]
fn parts_may_be_computed_again() {
    let x = tensor![0.3, 0.4].requires_grad();
    let w = tensor![2.0, -1.0].requires_grad();
    let part = |(x, w): &(Tensor<shape![2], f64>, Tensor<shape![2], f64>)| (x * w).exp().sin();
    let kept = part(&(x.clone(), w.clone())).square().sum();
    let again = autograd::checkpoint((&x, &w), part).square().sum();
    assert_eq!(kept.item(), again.item());
    assert_eq!(kept.gradients((&x, &w)), again.gradients((&x, &w)));
    // Gradients of gradients.
    let slope = |y: Tensor<(), f64>| y.tracked_gradients(&x).square().sum().gradients((&x, &w));
    let (kept, again) = (slope(kept), slope(again));
    assert!(kept.0.all_close(&again.0, 1e-12, 1e-12) && kept.1.all_close(&again.1, 1e-12, 1e-12));
}

#[test]
fn halves_have_gradients() {
    use half::{bf16, f16};
    let wide = tensor![0.5_f32, -1.5, 2.0];
    let slope = |loss: Tensor<(), f32>, x: &Tensor<shape![3]>| loss.gradients(x);
    let x = wide.requires_grad();
    let want = slope((x.tanh() * &x).sum(), &x);
    let x = wide.cast::<f16>().requires_grad();
    let got = (x.tanh() * &x).sum().gradients(&x);
    assert!(got.cast::<f32>().all_close(&want, 5e-3, 5e-3), "{got}, not {want}");
    let x = wide.cast::<bf16>().requires_grad();
    let got = (x.tanh() * &x).sum().gradients(&x);
    assert!(got.cast::<f32>().all_close(&want, 3e-2, 3e-2), "{got}, not {want}");
}

/// The gradient of the sum of `f` at `x`.
fn gradient(x: &[f64], f: impl Fn(&DynTensor<f64>) -> DynTensor<f64>) -> Vec<f64> {
    let x = DynTensor::from_vec(&[x.len()], x.to_vec()).unwrap().requires_grad();
    f(&x).gradients(&[&x]).remove(0).to_vec()
}

#[test]
fn large_numbers_have_finite_gradients() {
    let numbers = [1e200, -1e200, f64::MAX, f64::INFINITY, f64::NEG_INFINITY];
    let gelu = gradient(&numbers, DynTensor::gelu_tanh);
    assert_eq!(gelu.iter().map(|x| x + 0.0).collect::<Vec<_>>(), [1.0, 0.0, 1.0, 1.0, 0.0]);
    // `⌊1 / -∞⌋` is -1.
    let divisor = DynTensor::from_vec(&[2], vec![f64::NEG_INFINITY, 2.0]).unwrap().requires_grad();
    let one = DynTensor::full(&[2], 1.0);
    let gradient = one.remainder(&divisor).unwrap().gradients(&[&divisor]).remove(0);
    assert_eq!(gradient.to_vec(), [1.0, 0.0]);
}
