//! Gradients where a slope is infinite, NaN or not defined: at limits, ties and singular points, and next to them.
//! The numbers are PyTorch's, or the limits of the derivatives where PyTorch has NaN.

use tensor_core::{
    DynTensor, Tensor, dim, fuse, select, shape, slice, tensor, zip_with, zip_with3, zip_with4,
};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

type Numbers = DynTensor<f64>;

fn numbers(elements: &[f64]) -> Numbers {
    DynTensor::from_vec(&[elements.len()], elements.to_vec()).unwrap()
}

fn same(got: &[f64], want: &[f64]) -> bool {
    let close = |got: f64, want: f64| {
        got == want
            || (got.is_nan() && want.is_nan())
            || (got - want).abs() <= if want == 0.0 { 1e-15 } else { 1e-12 * want.abs() }
    };
    got.len() == want.len() && got.iter().zip(want).all(|(&got, &want)| close(got, want))
}

#[track_caller]
fn assert_same(name: &str, got: &[f64], want: &[f64]) {
    assert!(same(got, want), "{name}: {got:?}, not {want:?}");
}

/// The gradients of the sum of the results, and those of the sum of all gradients.
fn gradients<const N: usize>(
    f: &dyn Fn(&[Numbers; N]) -> Numbers,
    at: [&[f64]; N],
) -> [[Vec<f64>; N]; 2] {
    let at = at.map(|elements| numbers(elements).requires_grad());
    let variables: Vec<&Numbers> = at.iter().collect();
    let first = f(&at).tracked_gradients(&variables);
    let sums = first.iter().map(Numbers::sum).reduce(|a, b| (a + b).unwrap()).unwrap();
    let second = sums.gradients(&variables);
    [first, second].map(|of| {
        let mut of = of.iter().map(Numbers::to_vec);
        core::array::from_fn(|_| of.next().unwrap())
    })
}

/// The name of a function of one operand, the function, elements, its gradient there and the second one.
type Row<'a> = (&'a str, &'a dyn Fn(&Numbers) -> Numbers, &'a [f64], &'a [f64], &'a [f64]);

fn check(rows: &[Row<'_>]) {
    for (name, f, at, first, second) in rows {
        let [[got], [got_second]] = gradients(&|[x]| f(x), [at]);
        assert_same(name, &got, first);
        assert_same(&format!("{name}, second"), &got_second, second);
    }
}

/// Slopes that are infinite or NaN at 0 and below.
#[test]
fn the_operand_that_was_not_chosen_has_no_gradient() {
    let scalar = DynTensor::scalar;
    let functions: &[(&str, &dyn Fn(&Numbers) -> Numbers, f64, f64)] = &[
        ("sqrt", &|x| x.sqrt(), 0.25, -0.03125),
        ("rsqrt", &|x| x.rsqrt(), -0.0625, 0.0234375),
        ("ln", &|x| x.ln(), 0.25, -0.0625),
        ("log2", &|x| x.log2(), 0.36067376022224085, -0.09016844005556021),
        ("log10", &|x| x.log10(), 0.10857362047581294, -0.027143405118953235),
        ("ln_1p(x - 1)", &|x| (x - 1.0).ln_1p(), 0.25, -0.0625),
        ("reciprocal", &|x| x.reciprocal(), -0.0625, 0.03125),
        ("1 / x", &|x| (scalar(1.0) / x).unwrap(), -0.0625, 0.03125),
        ("x · (1 / x)", &|x| (x * x.reciprocal()).unwrap(), 0.0, 0.0),
        ("pow(0.5)", &|x| x.pow(&scalar(0.5)).unwrap(), 0.25, -0.03125),
        ("pow(-1)", &|x| x.pow(&scalar(-1.0)).unwrap(), -0.0625, 0.03125),
        ("x^x", &|x| x.pow(x).unwrap(), 610.891356446692, 1521.7665991456224),
        ("powi(-2)", &|x| x.powi(-2), -0.03125, 0.0234375),
        ("fourth root", &|x| x.sqrt().sqrt(), 0.08838834764831843, -0.016572815184059706),
        ("ln of sqrt", &|x| x.sqrt().ln(), 0.125, -0.03125),
        ("acosh", &|x| (x + 1.0).acosh(), 0.20412414523193154, -0.04252586358998575),
        ("atanh", &|x| (x * -0.125 + 1.0).atanh(), -1.0 / 6.0, 0.027777777777777776),
        ("asin", &|x| (x * -0.125 + 1.0).asin(), -0.14433756729740646, 0.012028130608117209),
        ("acos", &|x| (x * -0.125 + 1.0).acos(), 0.14433756729740646, -0.012028130608117209),
    ];
    for (name, f, first, second) in functions {
        let chosen =
            |x: &Numbers| x.greater(&scalar(0.0)).unwrap().select(&f(x), &scalar(0.0)).unwrap();
        let [[got], [got_second]] = gradients(&|[x]| chosen(x), [&[0.0, -1.0, 4.0]]);
        assert_same(name, &got, &[0.0, 0.0, *first]);
        assert_same(&format!("{name}, second"), &got_second, &[0.0, 0.0, *second]);
    }
}

#[test]
fn limits_pass_on_the_gradient_of_what_is_chosen() {
    let x = tensor![-1.0, 0.5].requires_grad();
    let wanted = tensor![0.0, 0.5 / 0.5_f64.sqrt()];
    assert_eq!(x.clamp(0.0, 9.0).sqrt().sum().gradients(&x), wanted);
    assert_eq!(x.maximum(0.0).sqrt().sum().gradients(&x), wanted);
    assert_eq!((-(-&x).minimum(0.0)).sqrt().sum().gradients(&x), wanted);
    assert_eq!(fuse!(x.clamp(0.0, 9.0).sqrt()).sum().gradients(&x), wanted);
    assert_eq!(fuse!(x.maximum(0.0).sqrt()).sum().gradients(&x), wanted);
    assert_eq!(select(x.greater(0.0), x.sqrt(), 0.0).sum().gradients(&x), wanted);
    let zeros = Tensor::<shape![2], f64>::zeros().requires_grad();
    assert_eq!(
        fuse!(select(zeros.greater(0.0), zeros.ln(), 0.0)).sum().gradients(&zeros),
        Tensor::zeros()
    );
    // What a slice was assigned to, and what a larger value was scattered to.
    let mut assigned = numbers(&[0.0, 4.0]).requires_grad();
    let variable = assigned.clone();
    assigned.assign_slice(slice![..], &numbers(&[0.0, 1.0])).unwrap();
    assert_eq!(assigned.sqrt().sum().gradients(&[&variable])[0].to_vec(), [0.0, 0.0]);
    let x = tensor![-1.0, 4.0].requires_grad();
    let scattered = x.scatter_max::<0, _>(&tensor![0_i64], &tensor![0.0]).unwrap();
    assert_eq!(scattered.sqrt().sum().gradients(&x), tensor![0.0, 0.25]);
}

#[test]
fn piecewise_functions_at_their_edges() {
    const X: &[f64] = &[-1.0, 0.0, 1.0, 2.0, NAN, INF, -INF];
    let zeros = &[0.0; 7];
    let limits = |low: f64, high: f64| {
        move |x: &Numbers| x.clamp(&DynTensor::scalar(low), &DynTensor::scalar(high)).unwrap()
    };
    check(&[
        ("clamp(0, 1)", &limits(0.0, 1.0), X, zeros, zeros),
        ("clamp(-2, 2)", &limits(-2.0, 2.0), X, &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0], zeros),
        ("clamp(2, 1)", &limits(2.0, 1.0), X, zeros, zeros),
        ("clamp(NaN, 1)", &limits(NAN, 1.0), X, zeros, zeros),
        ("relu", &|x| x.relu(), X, &[0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0], zeros),
        ("abs", &|x| x.abs(), X, &[-1.0, 0.0, 1.0, 1.0, 0.0, 1.0, -1.0], zeros),
        ("max", &|x| x.max().unwrap(), &[1.0, 2.0, 2.0], &[0.0, 0.5, 0.5], &[0.0; 3]),
        ("max of NaN", &|x| x.max().unwrap(), &[1.0, NAN, NAN], &[0.0, 0.5, 0.5], &[0.0; 3]),
        ("max of ∞", &|x| x.max().unwrap(), &[1.0, INF, INF], &[0.0, 0.5, 0.5], &[0.0; 3]),
        ("min", &|x| x.min().unwrap(), &[1.0, 2.0, 1.0], &[0.5, 0.0, 0.5], &[0.0; 3]),
        ("norm_l1", &|x| x.norm_l1(), &[0.0, 1.0, -1.0, NAN], &[0.0, 1.0, -1.0, 0.0], &[0.0; 4]),
        ("norm_max", &|x| x.norm_max(), &[0.0, 1.0, -1.0], &[0.0, 0.5, -0.5], &[0.0; 3]),
        ("norm_max of 0", &|x| x.norm_max(), &[0.0, 0.0], &[0.0, 0.0], &[0.0, 0.0]),
    ]);
    let [[of_x, of_other], _] = gradients(&|[x, y]| x.maximum(y).unwrap(), [X, zeros]);
    assert_same("maximum", &of_x, &[0.0, 0.5, 1.0, 1.0, 1.0, 1.0, 0.0]);
    assert_same("maximum of zeros", &of_other, &[1.0, 0.5, 0.0, 0.0, 1.0, 0.0, 1.0]);
    let [[of_x, of_other], _] = gradients(&|[x, y]| x.minimum(y).unwrap(), [X, &[1.0; 7]]);
    assert_same("minimum", &of_x, &[1.0, 1.0, 0.5, 0.0, 1.0, 0.0, 1.0]);
    assert_same("minimum of ones", &of_other, &[0.0, 0.0, 0.5, 1.0, 1.0, 1.0, 0.0]);
}

#[test]
fn limits_that_are_tensors_share_the_gradient() {
    let clamped = |[x, low, high]: &[Numbers; 3]| x.clamp(low, high).unwrap();
    let [[x, low, high], _] =
        gradients(&clamped, [&[-1.0, 0.0, 0.5, 1.0, 2.0, NAN], &[0.0; 6], &[1.0; 6]]);
    assert_same("x", &x, &[0.0, 0.5, 1.0, 0.5, 0.0, 1.0]);
    assert_same("low", &low, &[1.0, 0.5, 0.0, 0.0, 0.0, 0.0]);
    assert_same("high", &high, &[0.0, 0.0, 0.0, 0.5, 1.0, 0.0]);
    // Limits that cross, that are equal, and that are NaN.
    let [[x, low, high], _] =
        gradients(&clamped, [&[0.0, 1.0, 1.5, 2.0, 3.0], &[2.0; 5], &[1.0; 5]]);
    assert_same("x, crossed", &x, &[0.0; 5]);
    assert_same("low, crossed", &low, &[0.0; 5]);
    assert_same("high, crossed", &high, &[1.0; 5]);
    let [[x, low, high], _] = gradients(&clamped, [&[0.0, 1.0, 2.0, NAN], &[1.0; 4], &[1.0; 4]]);
    assert_same("x, equal", &x, &[0.0, 1.0, 0.0, 1.0]);
    assert_same("low, equal", &low, &[1.0, 0.0, 0.0, 0.0]);
    assert_same("high, equal", &high, &[0.0, 0.0, 1.0, 0.0]);
    let [[x, low, high], _] =
        gradients(&clamped, [&[0.0, 1.0, 2.0], &[NAN, 0.0, NAN], &[1.0, NAN, NAN]]);
    assert_same("x, NaN", &x, &[1.0; 3]);
    assert_same("low, NaN", &low, &[0.0; 3]);
    assert_same("high, NaN", &high, &[0.0; 3]);
}

#[test]
fn powers_and_reductions_at_singular_points() {
    let power = |exponent: f64| move |x: &Numbers| x.pow(&DynTensor::scalar(exponent)).unwrap();
    let third = 1.0 / 3.0;
    check(&[
        ("pow(0)", &power(0.0), &[0.0, 1.0, -1.0, INF], &[0.0; 4], &[0.0; 4]),
        ("pow(1)", &power(1.0), &[0.0, 1.0, -1.0], &[1.0; 3], &[0.0; 3]),
        ("pow(2)", &power(2.0), &[0.0, 1.0, -1.0], &[0.0, 2.0, -2.0], &[2.0; 3]),
        ("pow(3)", &power(3.0), &[0.0, 1.0, -1.0], &[0.0, 3.0, 3.0], &[0.0, 6.0, -6.0]),
        ("pow(0.5)", &power(0.5), &[0.0, 1.0], &[INF, 0.5], &[-INF, -0.25]),
        ("powi(0)", &|x| x.powi(0), &[0.0, INF], &[0.0; 2], &[0.0; 2]),
        ("powi(1)", &|x| x.powi(1), &[0.0, INF], &[1.0; 2], &[0.0; 2]),
        ("powi(2)", &|x| x.powi(2), &[0.0, INF], &[0.0, INF], &[2.0; 2]),
        ("powi(-1)", &|x| x.powi(-1), &[0.0, -1.0], &[-INF, -1.0], &[INF, -2.0]),
        ("sqrt", &|x| x.sqrt(), &[0.0, 1.0], &[INF, 0.5], &[-INF, -0.25]),
        ("ln", &|x| x.ln(), &[0.0, -1.0], &[INF, -1.0], &[-INF, -1.0]),
        ("std", &|x| x.std(), &[2.0; 3], &[0.0; 3], &[0.0; 3]),
        ("std_corrected", &|x| x.std_corrected(1), &[2.0; 3], &[0.0; 3], &[0.0; 3]),
        ("var", &|x| x.var(), &[2.0; 3], &[0.0; 3], &[0.0; 3]),
        ("norm", &|x| x.norm(), &[0.0, 0.0], &[0.0; 2], &[0.0; 2]),
        ("std of NaN", &|x| x.std(), &[1.0, NAN], &[NAN; 2], &[NAN; 2]),
        ("norm of NaN", &|x| x.norm(), &[1.0, NAN], &[NAN; 2], &[NAN; 2]),
        ("prod", &|x| x.prod(), &[4.0, 2.0, 3.0], &[6.0, 12.0, 8.0], &[5.0, 7.0, 6.0]),
        ("prod of one 0", &|x| x.prod(), &[0.0, 2.0, 3.0, 5.0], &[30.0, 0.0, 0.0, 0.0], {
            &[31.0, 15.0, 10.0, 6.0]
        }),
        ("prod of two 0", &|x| x.prod(), &[0.0, 0.0, 3.0], &[0.0; 3], &[3.0, 3.0, 0.0]),
        ("cumprod", &|x| x.cumprod(0).unwrap(), &[0.0, 2.0, 0.0, 3.0], &[3.0, 0.0, 0.0, 0.0], {
            &[9.0, 1.0, 8.0, 0.0]
        }),
        (
            "cumprod of numbers",
            &|x| x.cumprod(0).unwrap(),
            &[1.0, 2.0, 4.0, 3.0],
            { &[35.0, 17.0, 8.0, 8.0] },
            &[33.0, 25.0, 14.0, 14.0],
        ),
        ("logsumexp of -∞", &|x| x.logsumexp(), &[-INF, -INF], &[0.0; 2], &[0.0; 2]),
        ("mean of a row", &|x| x.mean(), &[1.0, 2.0, 4.0], &[third; 3], &[0.0; 3]),
    ]);
}

/// An infinite slope of the square root times a slope of 0.
#[test]
fn the_root_of_squares_is_flat_at_zero() {
    let [[first], _] = gradients(&|[x]| x.square().sqrt(), [&[0.0, -2.0]]);
    assert_same("square", &first, &[0.0, -1.0]);
    let [[first], _] = gradients(&|[x]| (x * x).unwrap().sqrt(), [&[0.0, -2.0]]);
    assert_same("product", &first, &[0.0, -1.0]);
    let [[first], _] = gradients(&|[x]| x.powi(2).sum().sqrt(), [&[0.0, 0.0]]);
    assert_same("length", &first, &[0.0, 0.0]);
}

/// Along axes that are not the last one, and not next to each other.
#[test]
fn products_of_several_axes() {
    let elements: Vec<f64> = (0..12).map(|place| f64::from(place % 5) - 1.0).collect();
    let x = DynTensor::from_vec(&[2, 3, 2], elements).unwrap().requires_grad();
    let joint = x.prod_axes(&[0, 2]).unwrap();
    let alone = x.prod_axis(2).unwrap().prod_axis(0).unwrap();
    let weights = numbers(&[1.0, -2.0, 0.5]);
    let slope = |y: Numbers| (y * &weights).unwrap().tracked_gradients(&[&x]).remove(0);
    let (joint, alone) = (slope(joint), slope(alone));
    assert_eq!(joint.to_vec(), alone.to_vec());
    let second = |slope: Numbers| slope.square().sum().gradients(&[&x]).remove(0).to_vec();
    assert_eq!(second(joint), second(alone));
}

/// First gradients alone: of products that are 0, that are too small or too large, and of others.
#[test]
fn products_at_the_ends_of_the_range() {
    let rows: &[([f64; 3], [f64; 3])] = &[
        ([4.0, 2.0, 3.0], [6.0, 12.0, 8.0]),
        ([0.0, 2.0, 3.0], [6.0, 0.0, 0.0]),
        ([1e-200, 1e-200, 3.0], [3e-200, 3e-200, 0.0]),
        ([1e200, 1e200, 3.0], [3e200, 3e200, INF]),
    ];
    for (at, want) in rows {
        let x = numbers(at).requires_grad();
        assert_same("prod", &x.prod().gradients(&[&x])[0].to_vec(), want);
    }
}

#[test]
fn products_that_are_scattered() {
    let indices = DynTensor::from_vec(&[3], vec![0_i64, 0, 1]).unwrap();
    let multiplied = |[x, values]: &[Numbers; 2]| x.scatter_mul(0, &indices, values).unwrap();
    let [first, second] = gradients(&multiplied, [&[2.0, 3.0], &[0.0, 4.0, 5.0]]);
    assert_same("x", &first[0], &[0.0, 5.0]);
    assert_same("values", &first[1], &[8.0, 0.0, 3.0]);
    assert_same("x, second", &second[0], &[4.0, 1.0]);
    assert_same("values, second", &second[1], &[6.0, 2.0, 1.0]);
    // `S = v0 v1 + x v1 + x v0` of two zeros.
    let [first, second] = gradients(&multiplied, [&[0.0, 3.0], &[0.0, 4.0, 5.0]]);
    assert_same("x, two zeros", &first[0], &[0.0, 5.0]);
    assert_same("x, two zeros, second", &second[0], &[4.0, 1.0]);
    assert_same("values, two zeros, second", &second[1], &[4.0, 0.0, 1.0]);
}

#[test]
fn logarithms_of_sums_that_differ_widely() {
    let sums = |x: &Numbers| x.logcumsumexp(0).unwrap();
    let weighted = |x: &Numbers| (sums(x) * numbers(&[1.0, -2.0, 3.0, 0.5])).unwrap();
    let near = [0.5, 1.0, -1.0, 2.0];
    check(&[
        ("rising", &sums, &[0.0, 100.0], &[1.0, 1.0], &[0.0; 2]),
        ("falling", &sums, &[100.0, 0.0], &[2.0, 3.720075976020836e-44], &[0.0; 2]),
        ("far", &sums, &[0.0, 1000.0, -1000.0, 2000.0], &[1.0, 2.0, 0.0, 1.0], &[0.0; 4]),
        (
            "from -∞",
            &|x| sums(x).slice_axis(0, 2..).unwrap(),
            &[-INF, -INF, 1.0, -INF, 2.0],
            { &[0.0, 0.0, 2.268941421369995, 0.0, 0.7310585786300049] },
            &[0.0; 5],
        ),
        ("all -∞", &sums, &[-INF, -INF], &[0.0; 2], &[0.0; 2]),
    ]);
    let [[got], [second]] = gradients(&|[x]| weighted(x), [&near]);
    let want = [1.3575354039516665, 0.5894762255234749, 0.24825835172541988, 0.30473001879943856];
    assert_same("weighted", &got, &want);
    assert_same("weighted, second", &second, &[0.0; 4]);
    let x = tensor![0.0_f32, 100.0].requires_grad();
    assert_eq!(x.logcumsumexp::<-1>().sum().gradients(&x), tensor![1.0, 1.0]);
    let [[a, b], _] = gradients(
        &|[a, b]| a.logaddexp(b).unwrap(),
        [&[-INF, -INF, 1.0, INF, 0.0], &[-INF, 1.0, -INF, 1.0, 1000.0]],
    );
    assert_same("logaddexp", &a, &[0.0, 0.0, 1.0, 1.0, 0.0]);
    assert_same("logaddexp", &b, &[0.0, 1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn angles_and_distances_neither_overflow_nor_underflow() {
    let (root, tiny, huge) = (0.5_f64.sqrt(), 1e-200, 1e200);
    let at: [&[f64]; 2] = [&[3.0, 0.0, tiny, huge, 0.0], &[4.0, 0.0, tiny, huge, 1.0]];
    let [first, second] = gradients(&|[a, b]| a.hypot(b).unwrap(), at);
    assert_same("hypot", &first[0], &[0.6, 0.0, root, root, 0.0]);
    assert_same("hypot", &first[1], &[0.8, 0.0, root, root, 1.0]);
    assert_eq!([second[0][1], second[1][1]], [0.0, 0.0]);
    assert!((second[0][0] - 0.032).abs() < 1e-15 && (second[1][0] + 0.024).abs() < 1e-15);
    let [first, second] = gradients(&|[a, b]| a.atan2(b).unwrap(), at);
    assert_same("atan2", &first[0], &[0.16, 0.0, 0.5 / tiny, 0.5 / huge, 1.0]);
    assert_same("atan2", &first[1], &[-0.12, 0.0, -0.5 / tiny, -0.5 / huge, 0.0]);
    assert_eq!([second[0][1], second[1][1]], [0.0, 0.0]);
    assert!((second[0][0] + 0.0496).abs() < 1e-15 && (second[1][0] - 0.0272).abs() < 1e-15);
    // Neither do the results, nor those of `f32`.
    let (a, b) = (tensor![1e200, 1e-200, 5e-324], tensor![1e200, 1e-200, 0.0]);
    let lengths = a.hypot(&b).to_vec();
    assert_same("lengths", &lengths, &[2.0_f64.sqrt() * 1e200, 2.0_f64.sqrt() * 1e-200, 5e-324]);
    let (a, b) = (tensor![1e30_f32, 1e-30, 1e-45], tensor![1e30_f32, 1e-30, 0.0]);
    let root = 2.0_f32.sqrt();
    assert!(a.hypot(&b).all_close(&tensor![root * 1e30, root * 1e-30, 1e-45], 1e-6, 0.0));
    let a = a.requires_grad();
    let wanted = tensor![0.5e-30_f32, 0.5e30, 0.0];
    assert!(a.atan2(&b).sum().gradients(&a).all_close(&wanted, 1e-6, 0.0));
}

/// Results that are no floats are constants: their gradient is 0, and they may be written.
#[test]
fn only_floats_are_tracked() {
    let x = tensor![1.5, -2.5, 0.0].requires_grad();
    let zeros = Tensor::<shape![3], f64>::zeros();
    assert_eq!(x.cast::<i32>().cast::<f64>().sum().gradients(&x), zeros);
    assert_eq!((x.cast::<bool>().cast::<f64>() * &x).sum().gradients(&x), tensor![1.0, 1.0, 0.0]);
    let (_, places) = x.topk::<0, dim!(2)>();
    assert_eq!((places.cast::<f64>().sum() + x.sum()).gradients(&x), tensor![1.0; 3]);
    let kinds = |x: &Tensor<shape![3], f64>| {
        [
            x.cast::<i32>(),
            x.floor().cast::<i32>(),
            x.argsort::<0>().cast::<i32>(),
            x.argmax().cast::<i32>() + tensor![0, 0, 0],
            x.greater(0.0).cast::<i32>(),
            fuse!(x.cast::<i32>() + 0),
        ]
    };
    for (got, want) in kinds(&x).into_iter().zip(kinds(&x.detach())) {
        let mut got = got;
        assert_eq!(got, want);
        got.map_assign(|x| x + 1);
        got[[0]] = 7;
        assert_eq!(got.map(|x| x * 2)[[0]], 14);
        assert_eq!((got.cast::<f64>() * &x).sum().gradients(&x), got.cast::<f64>());
    }
    let dynamic = DynTensor::from(tensor![1.5, -2.5, 0.0]).requires_grad();
    let mut integers = dynamic.cast::<i64>();
    integers.map_assign(|x| x + 1);
    integers[[0]] = 5;
    assert_eq!(integers.to_vec(), [5, -1, 1]);
    let floats = integers.cast::<f64>();
    assert!(!floats.is_tracked());
    assert_eq!(floats.sum().gradients(&[&dynamic]), [DynTensor::zeros(&[3])]);
    // Between floats nothing ends.
    assert!(dynamic.cast::<f32>().is_tracked());
}

#[test]
fn closures_whose_results_are_no_floats() {
    let (x, y) = (tensor![1.0_f32, f32::INFINITY].requires_grad(), tensor![2.0_f32, 0.0]);
    assert_eq!(x.map(f32::is_infinite), tensor![false, true]);
    assert_eq!(x.map(|x| x as u8), tensor![1_u8, 255]);
    assert_eq!(zip_with(&x, &y, |x, y| x < y), tensor![true, false]);
    assert_eq!(zip_with3(&x, &y, &x, |a, b, c| a < b && b < c), tensor![false, false]);
    assert_eq!(zip_with4(&x, &y, &x, &y, |a, b, c, d| a < b && c < d), tensor![true, false]);
    let mut count = tensor![1, 2];
    count.zip_assign(&x, |count, x| count + i32::from(x.is_infinite()));
    assert_eq!(count, tensor![1, 3]);
    let (x, y) = (DynTensor::from(x), DynTensor::from(y));
    assert_eq!(x.map(f32::is_infinite).to_vec(), [false, true]);
    assert_eq!(x.zip_with(&y, |x, y| x < y).unwrap().to_vec(), [true, false]);
    let three = x.zip_with3(&y, &x, |a, b, c| a < b && b < c).unwrap();
    assert_eq!(three.to_vec(), [false, false]);
    let four = x.zip_with4(&y, &x, &y, |a, b, c, d| a < b && c < d).unwrap();
    assert_eq!(four.to_vec(), [true, false]);
    let mut count = DynTensor::from(tensor![1, 2]);
    count.zip_assign(&x, |count, x| count + i32::from(x.is_infinite())).unwrap();
    assert_eq!(count.to_vec(), [1, 3]);
}
