//! Operations on one operand, and those that move its elements.

use tensor_core::windows::{Interpolation, PoolOptions};
use tensor_core::{DynTensor, Padding, QuantileMethod, slice};

use super::{Expected, Floats, Row, all, checked, filled, one, with, without};

fn same(sizes: &[usize], _: usize) -> Expected {
    one(sizes)
}

/// Two results of the sizes of the operand.
fn twice(sizes: &[usize], axis: usize, size: usize) -> Expected {
    Some((vec![with(sizes, axis, size); 2], None))
}

/// The axis is gone.
fn reduced(sizes: &[usize], axis: usize) -> Expected {
    one(without(sizes, axis))
}

/// The axis is gone, and an empty one has no result.
fn chosen(sizes: &[usize], axis: usize) -> Expected {
    if sizes[axis] == 0 { None } else { reduced(sizes, axis) }
}

/// The axis is gone, and the result of an empty one has this value.
fn valued(value: f64, sizes: &[usize], axis: usize) -> Expected {
    if sizes[axis] == 0 { filled(without(sizes, axis), value) } else { reduced(sizes, axis) }
}

/// All elements become one number.
fn number(value: f64) -> Expected {
    filled([], value)
}

/// The last axes of which each window of 2 elements gives one, with stride 1.
fn pooled(sizes: &[usize], axes: usize) -> Expected {
    let lead = sizes.len().checked_sub(axes)?;
    let last = sizes[lead..].iter().map(|size| size.checked_sub(1).filter(|&places| places > 0));
    let last: Option<Vec<usize>> = last.collect();
    one([sizes[..lead].to_vec(), last?].concat())
}

/// The last two axes with 3 elements each.
fn resized(sizes: &[usize]) -> Expected {
    let lead = sizes.len().checked_sub(2)?;
    if sizes[lead..].contains(&0) { None } else { one([&sizes[..lead], &[3, 3]].concat()) }
}

fn pool(axes: usize) -> PoolOptions {
    PoolOptions::new(&vec![2; axes]).stride(&[1])
}

fn integers(x: &Floats) -> DynTensor<i64> {
    x.detach().cast()
}

/// Amounts of padding of one axis, 0 for the others.
fn amounts(x: &Floats, axis: usize, amounts: [isize; 2]) -> Vec<[isize; 2]> {
    let mut all = vec![[0, 0]; x.rank()];
    all[axis] = amounts;
    all
}

/// Operations on each element.
macro_rules! elements {
    ($($name:ident)*) => {
        [$((stringify!($name), (|x, _| all(x.$name())) as fn(&Floats, usize) -> _, same as fn(&[usize], usize) -> _)),*]
    };
}

/// Operations along an axis.
macro_rules! along {
    ($($name:ident $method:ident: $expected:expr;)*) => {
        [$((
            stringify!($name),
            (|x, axis| checked(x.$method(axis as isize))) as fn(&Floats, usize) -> _,
            $expected as fn(&[usize], usize) -> _,
        )),*]
    };
}

pub(super) fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = elements! {
        abs sign square is_nan is_finite exp exp_m1 ln ln_1p exp2 log2 log10 sqrt rsqrt reciprocal sin cos tan
        asin acos atan sinh cosh tanh asinh acosh atanh erf sigmoid relu gelu gelu_tanh silu softplus floor
        ceil round trunc
    }
    .to_vec();
    rows.extend(along! {
        sum sum_axis: |sizes, axis| valued(0.0, sizes, axis);
        sum sum_axis_keepdims: |sizes, axis| one(with(sizes, axis, 1));
        prod prod_axis: |sizes, axis| valued(1.0, sizes, axis);
        prod prod_axis_keepdims: |sizes, axis| one(with(sizes, axis, 1));
        max max_axis: chosen;
        min min_axis: chosen;
        argmax argmax_axis: chosen;
        argmin argmin_axis: chosen;
        cumsum cumsum: same;
        cumprod cumprod: same;
        cummax cummax: same;
        cummin cummin: same;
        mean mean_axis: |sizes, axis| valued(f64::NAN, sizes, axis);
        mean mean_axis_keepdims: |sizes, axis| one(with(sizes, axis, 1));
        var var_axis: |sizes, axis| valued(f64::NAN, sizes, axis);
        std std_axis: |sizes, axis| valued(f64::NAN, sizes, axis);
        norm_l1 norm_l1_axis: |sizes, axis| valued(0.0, sizes, axis);
        norm norm_axis: |sizes, axis| valued(0.0, sizes, axis);
        norm_max norm_max_axis: |sizes, axis| valued(0.0, sizes, axis);
        logsumexp logsumexp_axis: |sizes, axis| valued(f64::NEG_INFINITY, sizes, axis);
        logcumsumexp logcumsumexp: same;
        softmax softmax: same;
        log_softmax log_softmax: same;
        standardize standardize: same;
        count_nonzero count_nonzero_axis: reduced;
        sort sort: same;
        sort_descending sort_descending: same;
        argsort argsort: same;
        argsort_descending argsort_descending: same;
        median median_axis: |sizes, axis| valued(f64::NAN, sizes, axis);
        median_axis median_axis: |sizes, axis| valued(f64::NAN, sizes, axis);
        unique_axis unique_axis: |sizes, axis| one(with(sizes, axis, sizes[axis].min(1)));
        diff diff: |sizes, axis| one(with(sizes, axis, sizes[axis].checked_sub(1)?));

    });
    let of_all: [Row; _] = [
        ("sum", |x, _| all(x.sum()), |_, _| number(0.0)),
        ("prod", |x, _| all(x.prod()), |_, _| number(1.0)),
        ("max", |x, _| checked(x.max()), |_, _| None),
        ("min", |x, _| checked(x.min()), |_, _| None),
        ("argmax", |x, _| checked(x.argmax()), |_, _| None),
        ("argmin", |x, _| checked(x.argmin()), |_, _| None),
        ("mean", |x, _| all(x.mean()), |_, _| number(f64::NAN)),
        ("var", |x, _| all(x.var()), |_, _| number(f64::NAN)),
        ("std", |x, _| all(x.std()), |_, _| number(f64::NAN)),
        ("norm_l1", |x, _| all(x.norm_l1()), |_, _| number(0.0)),
        ("norm", |x, _| all(x.norm()), |_, _| number(0.0)),
        ("norm_max", |x, _| all(x.norm_max()), |_, _| number(0.0)),
        ("logsumexp", |x, _| all(x.logsumexp()), |_, _| number(f64::NEG_INFINITY)),
        ("count_nonzero", |x, _| all(x.count_nonzero()), |_, _| one([])),
        ("median", |x, _| all(x.median()), |_, _| number(f64::NAN)),
        ("quantile", |x, _| all(x.quantile(0.3)), |_, _| number(f64::NAN)),
        (
            "quantile_with",
            |x, _| all(x.quantile_with(0.3, QuantileMethod::Midpoint)),
            |_, _| number(f64::NAN),
        ),
    ];
    rows.extend(of_all);
    rows.extend(by_hand());
    rows.extend(moves());
    rows.extend(views());
    rows.extend(windows());
    rows
}

fn by_hand() -> Vec<Row> {
    vec![
        ("powi", |x, _| all(x.powi(3)), same),
        ("clamp", |x, _| checked(x.clamp(&Floats::scalar(0.0), &Floats::scalar(1.0))), same),
        (
            "cast",
            |x, _| all((x.cast::<i64>(), x.cast::<bool>())),
            |sizes, _| Some((vec![sizes.to_vec(); 2], None)),
        ),
        ("neg", |x, _| all(-x), same),
        (
            "not",
            |x, _| all((!&integers(x), !&x.greater(x)?)),
            |sizes, _| Some((vec![sizes.to_vec(); 2], None)),
        ),
        (
            "all",
            |x, axis| checked(x.greater(x)?.all_axis(axis as isize)),
            |sizes, axis| one(without(sizes, axis)),
        ),
        (
            "any",
            |x, axis| checked(x.greater(x)?.any_axis(axis as isize)),
            |sizes, axis| one(without(sizes, axis)),
        ),
        (
            "topk",
            |x, axis| checked(x.topk(axis as isize, 1)),
            |sizes, axis| {
                if sizes[axis] == 0 { None } else { twice(sizes, axis, 1) }
            },
        ),
        ("topk", |x, axis| checked(x.topk(axis as isize, 0)), |sizes, axis| twice(sizes, axis, 0)),
        (
            "topk_smallest",
            |x, axis| checked(x.topk_smallest(axis as isize, 1)),
            |sizes, axis| {
                if sizes[axis] == 0 { None } else { twice(sizes, axis, 1) }
            },
        ),
        (
            "kthvalue",
            |x, axis| checked(x.kthvalue(axis as isize, 0)),
            |sizes, axis| {
                let sizes = (sizes[axis] > 0).then(|| without(sizes, axis))?;
                Some((vec![sizes; 2], None))
            },
        ),
        (
            "quantile_axis",
            |x, axis| checked(x.quantile_axis(axis as isize, 0.3)),
            |sizes, axis| valued(f64::NAN, sizes, axis),
        ),
        (
            "quantile_axis_with",
            |x, axis| checked(x.quantile_axis_with(axis as isize, 0.3, QuantileMethod::Lower)),
            |sizes, axis| valued(f64::NAN, sizes, axis),
        ),
        ("unique", |x, _| all(x.unique()), |_, _| one([0])),
        ("unique_counts", |x, _| all(x.unique_counts()), |_, _| Some((vec![vec![0]; 2], None))),
        (
            "unique_inverse",
            |x, _| all(x.unique_inverse()),
            |sizes, _| Some((vec![vec![0], sizes.to_vec()], None)),
        ),
        (
            "unique_all",
            |x, _| all(x.unique_all()),
            |sizes, _| Some((vec![vec![0], vec![0], sizes.to_vec(), vec![0]], None)),
        ),
        (
            "unique_all_axis",
            |x, axis| checked(x.unique_all_axis(axis as isize)),
            |sizes, axis| {
                let found = sizes[axis].min(1);
                let values = with(sizes, axis, found);
                Some((vec![values, vec![found], vec![sizes[axis]], vec![found]], None))
            },
        ),
        ("nonzero", |x, _| all(x.nonzero()), |sizes, _| one([0, sizes.len()])),
        ("flatnonzero", |x, _| all(x.flatnonzero()), |_, _| one([0])),
        ("bincount", |x, _| checked(integers(x).bincount(17)), |_, _| one([17])),
        ("histogram", |x, _| checked(x.histogram(17, 0.0..=1.0)), |_, _| one([17])),
        (
            "one_hot",
            |x, _| checked(integers(x).one_hot::<f64>(17)),
            |sizes, _| one([sizes, &[17]].concat()),
        ),
        (
            "trace",
            |x, _| checked(x.trace()),
            |sizes, _| {
                let lead = sizes.len().checked_sub(2)?;
                one(&sizes[..lead])
            },
        ),
        ("group_norm", |x, axis| checked(x.group_norm(axis as isize, 1, 1e-5)), same),
        ("instance_norm", |x, axis| checked(x.instance_norm(axis as isize, 1e-5)), same),
        ("rms_norm", |x, axis| checked(x.rms_norm(axis as isize, 1e-5)), same),
    ]
}

fn moves() -> Vec<Row> {
    vec![
        ("pad", |x, axis| checked(x.pad(&amounts(x, axis, [0, 1]), Padding::Constant(2.0))), {
            |sizes, axis| filled(with(sizes, axis, sizes[axis] + 1), 2.0)
        }),
        ("pad", |x, axis| checked(x.pad(&amounts(x, axis, [20, 18]), Padding::Constant(2.0))), {
            |sizes, axis| filled(with(sizes, axis, sizes[axis] + 38), 2.0)
        }),
        ("pad", |x, _| checked(x.pad(&vec![[1, 2]; x.rank()], Padding::Constant(2.0))), {
            |sizes, _| filled(sizes.iter().map(|size| size + 3).collect::<Vec<_>>(), 2.0)
        }),
        ("pad", |x, axis| checked(x.pad(&amounts(x, axis, [1, 17]), Padding::Edge)), padded),
        ("pad", |x, axis| checked(x.pad(&amounts(x, axis, [1, 17]), Padding::Reflect)), padded),
        ("pad", |x, axis| checked(x.pad(&amounts(x, axis, [1, 17]), Padding::Symmetric)), padded),
        ("pad", |x, axis| checked(x.pad(&amounts(x, axis, [1, 17]), Padding::Wrap)), padded),
        ("roll", |x, axis| checked(x.roll(axis as isize, 5)), same),
        (
            "repeat",
            |x, axis| checked(x.repeat(axis as isize, 17)),
            |sizes, axis| one(with(sizes, axis, sizes[axis] * 17)),
        ),
        (
            "repeat_each",
            |x, axis| checked(x.repeat_each(axis as isize, &vec![2; x.sizes()[axis]])),
            |sizes, axis| one(with(sizes, axis, sizes[axis] * 2)),
        ),
        (
            "tile",
            |x, _| checked(x.tile(&vec![17; x.rank()])),
            |sizes, _| one(sizes.iter().map(|size| size * 17).collect::<Vec<_>>()),
        ),
        (
            "tril",
            |x, _| checked(x.tril(1)),
            |sizes, _| if sizes.len() < 2 { None } else { one(sizes) },
        ),
        (
            "triu",
            |x, _| checked(x.triu(-1)),
            |sizes, _| if sizes.len() < 2 { None } else { one(sizes) },
        ),
        (
            "diag_embed",
            |x, _| checked(x.diag_embed()),
            |sizes, _| one([sizes, &[*sizes.last()?]].concat()),
        ),
    ]
}

/// An axis with 18 more elements, which an empty one has nothing for.
fn padded(sizes: &[usize], axis: usize) -> Expected {
    if sizes[axis] == 0 { None } else { one(with(sizes, axis, sizes[axis] + 18)) }
}

fn views() -> Vec<Row> {
    vec![
        (
            "rearrange",
            |x, _| checked(x.rearrange("a ... -> ... a 1", &[])),
            |sizes, _| one([&sizes[1..], &sizes[..1], &[1]].concat()),
        ),
        ("slice", |x, _| checked(x.slice(slice![..; -1])), same),
        ("slice_axis", |x, axis| checked(x.slice_axis(axis as isize, ..x.sizes()[axis] / 2)), {
            |sizes, axis| one(with(sizes, axis, sizes[axis] / 2))
        }),
        (
            "iter_axis",
            |x, axis| all(x.iter_axis(axis as isize)?.collect::<Vec<_>>()),
            |sizes, axis| Some((vec![without(sizes, axis); sizes[axis]], None)),
        ),
        ("index", |x, axis| checked(x.index(axis as isize, 0)), chosen),
        (
            "assign_slice",
            |x, _| {
                let mut y = x.clone();
                y.assign_slice(slice![..], &Floats::scalar(1.0))?;
                all(y)
            },
            same,
        ),
        (
            "chunks_axis",
            |x, axis| all(x.chunks_axis(axis as isize, 9)?.collect::<Vec<_>>()),
            |sizes, axis| {
                let chunk = |start| with(sizes, axis, 9.min(sizes[axis] - start));
                Some(((0..sizes[axis]).step_by(9).map(chunk).collect(), None))
            },
        ),
        (
            "split",
            |x, axis| checked(x.split(axis as isize, &[0, x.sizes()[axis]])),
            |sizes, axis| Some((vec![with(sizes, axis, 0), sizes.to_vec()], None)),
        ),
        ("chunk", |x, axis| checked(x.chunk(axis as isize, 1)), same),
        (
            "chunk",
            |x, axis| checked(x.chunk(axis as isize, 17)),
            |sizes, axis| {
                // As in PyTorch: fewer chunks of a shorter axis, but empty ones of an empty axis.
                let count = if sizes[axis] == 1 { 1 } else { 17 };
                Some((vec![with(sizes, axis, sizes[axis].div_ceil(17)); count], None))
            },
        ),
        ("flip", |x, axis| checked(x.flip(&[axis as isize])), same),
        (
            "swap_axes",
            |x, axis| checked(x.swap_axes(0, axis as isize)),
            |sizes, axis| {
                let mut sizes = sizes.to_vec();
                sizes.swap(0, axis);
                one(sizes)
            },
        ),
        (
            "move_axis",
            |x, axis| checked(x.move_axis(axis as isize, -1)),
            |sizes, axis| one([without(sizes, axis), vec![sizes[axis]]].concat()),
        ),
        (
            "diagonal",
            |x, axis| checked(x.diagonal(0, 0, axis as isize)),
            |sizes, axis| {
                let size = sizes[0].min(sizes[axis]);
                (axis > 0)
                    .then(|| ([&without(sizes, axis)[1..], &[size]].concat(), size))
                    .and_then(|x| one(x.0))
            },
        ),
        (
            "windows",
            |x, axis| checked(x.windows(axis as isize, 5)),
            |sizes, axis| {
                let places = (sizes[axis] + 1).checked_sub(5).filter(|&places| places > 0)?;
                one([&with(sizes, axis, places)[..], &[5]].concat())
            },
        ),
    ]
}

fn windows() -> Vec<Row> {
    vec![
        ("max_pool1d", |x, _| checked(x.max_pool1d(&pool(1))), |sizes, _| pooled(sizes, 1)),
        ("max_pool2d", |x, _| checked(x.max_pool2d(&pool(2))), |sizes, _| pooled(sizes, 2)),
        ("max_pool3d", |x, _| checked(x.max_pool3d(&pool(3))), |sizes, _| pooled(sizes, 3)),
        ("avg_pool1d", |x, _| checked(x.avg_pool1d(&pool(1))), |sizes, _| pooled(sizes, 1)),
        ("avg_pool2d", |x, _| checked(x.avg_pool2d(&pool(2))), |sizes, _| pooled(sizes, 2)),
        ("avg_pool3d", |x, _| checked(x.avg_pool3d(&pool(3))), |sizes, _| pooled(sizes, 3)),
        (
            "adaptive_avg_pool",
            |x, _| checked(x.adaptive_avg_pool(&[3, 3])),
            |sizes, _| resized(sizes),
        ),
        (
            "interpolate",
            |x, _| checked(x.interpolate(&[3, 3], Interpolation::Nearest)),
            |sizes, _| resized(sizes),
        ),
        (
            "interpolate",
            |x, _| checked(x.interpolate(&[3, 3], Interpolation::Bilinear)),
            |sizes, _| resized(sizes),
        ),
    ]
}
