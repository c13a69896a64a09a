//! Operations on several operands.

use tensor_core::DynTensor;
use tensor_core::windows::ConvOptions;

use super::{Computed, Expected, Floats, Row, all, checked, filled, one, with, without};

fn same(sizes: &[usize], _: usize) -> Expected {
    one(sizes)
}

/// Both orders of an operation on elements, with an operand of the same sizes, with one of an axis less, and
/// with one whose axis stretches.
macro_rules! elements {
    ($($name:literal $x:ident $y:ident $operation:expr;)*) => {
        [$((
            $name,
            (|x, axis| {
                let operation = |$x: &Floats, $y: &Floats| $operation;
                let smaller = Floats::ones(&x.sizes()[1..]);
                let stretched = Floats::ones(&with(x.sizes(), axis, 1));
                all(vec![
                    operation(x, x)?, operation(x, &smaller)?, operation(&smaller, x)?,
                    operation(x, &stretched)?, operation(&stretched, x)?,
                ])
            }) as fn(&Floats, usize) -> _,
            (|sizes, _| Some((vec![sizes.to_vec(); 5], None))) as fn(&[usize], usize) -> _,
        )),*]
    };
}

fn integers(x: &Floats) -> DynTensor<i64> {
    x.detach().cast()
}

/// Indices of this number, all of them 0.
fn zeros(count: usize) -> DynTensor<i64> {
    DynTensor::zeros(&[count])
}

pub(super) fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = elements! {
        "equal" x y x.equal(y);
        "not_equal" x y x.not_equal(y);
        "less" x y x.less(y);
        "less_equal" x y x.less_equal(y);
        "greater" x y x.greater(y);
        "greater_equal" x y x.greater_equal(y);
        "add" x y x + y;
        "sub" x y x - y;
        "mul" x y x * y;
        "div" x y x / y;
        "rem" x y x % y;
        "floor_divide" x y x.floor_divide(y);
        "remainder" x y x.remainder(y);
        "minimum" x y x.minimum(y);
        "maximum" x y x.maximum(y);
        "pow" x y x.pow(y);
        "atan2" x y x.atan2(y);
        "hypot" x y x.hypot(y);
        "logaddexp" x y x.logaddexp(y);
        "select" x y x.greater(y)?.select(x, y);
        "bitand" x y &integers(x) & &integers(y);
        "bitor" x y &integers(x) | &integers(y);
        "bitxor" x y &integers(x) ^ &integers(y);
        "shl" x y &integers(x) << &integers(y);
        "shr" x y &integers(x) >> &integers(y);
    }
    .to_vec();
    rows.extend(products());
    rows.extend(joins());
    rows.extend(indices());
    rows.extend(windows());
    rows
}

/// `[..lead, m, k] · [..lead, k, 17]`
fn times_17(x: &Floats) -> Computed {
    let mut sizes = x.sizes().to_vec();
    let rank = sizes.len();
    if rank > 1 {
        sizes[rank - 2] = sizes[rank - 1];
    }
    sizes[rank - 1] = 17;
    checked(x.matmul(&Floats::ones(&sizes)))
}

fn products() -> Vec<Row> {
    vec![
        (
            "matmul",
            |x, _| times_17(x),
            |sizes, _| {
                let last = sizes.len() - 1;
                let value = if sizes[last] == 0 { filled } else { |sizes, _| one(sizes) };
                match last {
                    // A vector and one of 17 elements.
                    0 => None,
                    _ => value(with(sizes, last, 17), 0.0),
                }
            },
        ),
        (
            "dot",
            |x, _| checked(x.dot(&Floats::ones(&[*x.sizes().last().unwrap()]))),
            |sizes, _| {
                let last = sizes.len() - 1;
                one(without(sizes, last))
            },
        ),
        (
            "outer",
            |x, _| checked(x.outer(&Floats::ones(&[17]))),
            |sizes, _| {
                if sizes.len() == 1 { one([sizes[0], 17]) } else { None }
            },
        ),
        (
            "tensordot",
            |x, axis| {
                checked(x.tensordot(&Floats::ones(&[17, x.sizes()[axis]]), &[axis as isize], &[1]))
            },
            |sizes, axis| one([&without(sizes, axis)[..], &[17]].concat()),
        ),
        (
            "einsum",
            |x, _| checked(DynTensor::einsum("a...,a...->...a", &[x, x])),
            |sizes, _| one([&sizes[1..], &sizes[..1]].concat()),
        ),
        (
            "einsum",
            |x, _| {
                checked(DynTensor::einsum(
                    "...a,ab->...b",
                    &[x, &Floats::ones(&[*x.sizes().last().unwrap(), 17])],
                ))
            },
            |sizes, _| one(with(sizes, sizes.len() - 1, 17)),
        ),
    ]
}

fn joins() -> Vec<Row> {
    vec![
        (
            "concat",
            |x, axis| checked(x.concat(&Floats::ones(&with(x.sizes(), axis, 17)), axis as isize)),
            |sizes, axis| one(with(sizes, axis, sizes[axis] + 17)),
        ),
        (
            "concat_all",
            |x, axis| {
                let (one, more) = (with(x.sizes(), axis, 1), with(x.sizes(), axis, 17));
                let (one, more) = (Floats::ones(&one), Floats::ones(&more));
                checked(DynTensor::concat_all([x, &more, x, &one], axis as isize))
            },
            |sizes, axis| one(with(sizes, axis, 2 * sizes[axis] + 18)),
        ),
        (
            "concat_tuple",
            |x, axis| checked(DynTensor::concat_all([x, x], axis as isize)),
            |sizes, axis| one(with(sizes, axis, 2 * sizes[axis])),
        ),
        (
            "stack",
            |x, axis| checked(DynTensor::stack([x; 17], axis as isize)),
            |sizes, axis| one([&sizes[..axis], &[17], &sizes[axis..]].concat()),
        ),
        (
            "meshgrid",
            |x, _| checked(x.meshgrid(&Floats::ones(&[17]))),
            |sizes, _| (sizes.len() == 1).then(|| (vec![vec![0, 17]; 2], None)),
        ),
    ]
}

/// Values at indices that are all 0, 17 of them along an axis, or none where the axis is empty.
fn at_zero(x: &Floats, axis: usize) -> (DynTensor<i64>, Floats) {
    let count = if x.sizes()[axis] == 0 { 0 } else { 17 };
    let sizes = with(x.sizes(), axis, count);
    (DynTensor::zeros(&sizes), Floats::ones(&sizes))
}

macro_rules! scatters {
    ($($name:ident)*) => {
        [$((stringify!($name), (|x, axis| {
            let (indices, values) = at_zero(x, axis);
            checked(x.$name(axis as isize, &indices, &values))
        }) as fn(&Floats, usize) -> _, same as fn(&[usize], usize) -> _)),*]
    };
}

fn indices() -> Vec<Row> {
    let mut rows: Vec<Row> =
        scatters! { scatter scatter_add scatter_mul scatter_max scatter_min }.to_vec();
    let others: [Row; _] = [
        (
            "take",
            |x, axis| checked(x.take(axis as isize, &zeros(17))),
            |sizes, axis| {
                if sizes[axis] == 0 { None } else { one(with(sizes, axis, 17)) }
            },
        ),
        (
            "take",
            |x, axis| checked(x.take(axis as isize, &zeros(0))),
            |sizes, axis| one(with(sizes, axis, 0)),
        ),
        (
            "embedding",
            |x, _| checked(x.embedding(&DynTensor::<i64>::zeros(&[0, 17]))),
            |sizes, _| {
                if sizes.len() == 2 { one([0, 17, sizes[1]]) } else { None }
            },
        ),
        (
            "take_along_axis",
            |x, axis| checked(x.take_along_axis(axis as isize, &at_zero(x, axis).0)),
            { |sizes, axis| one(with(sizes, axis, if sizes[axis] == 0 { 0 } else { 17 })) },
        ),
        (
            "index_add",
            |x, axis| {
                let values = at_zero(x, axis).1;
                checked(x.index_add(axis as isize, &zeros(values.sizes()[axis]), &values))
            },
            same,
        ),
        (
            "index_copy",
            |x, axis| {
                let values = at_zero(x, axis).1;
                checked(x.index_copy(axis as isize, &zeros(values.sizes()[axis]), &values))
            },
            same,
        ),
        (
            "searchsorted",
            |x, _| {
                all(vec![Floats::ones(&[17]).searchsorted(x)?, Floats::ones(&[0]).searchsorted(x)?])
            },
            |sizes, _| Some((vec![sizes.to_vec(); 2], None)),
        ),
        ("searchsorted_right", |x, _| checked(Floats::ones(&[17]).searchsorted_right(x)), same),
        (
            "isin",
            |x, _| all(vec![x.isin(&Floats::ones(&[17])), x.isin(x)]),
            |sizes, _| Some((vec![sizes.to_vec(); 2], None)),
        ),
        ("masked_select", |x, _| checked(x.masked_select(&x.equal(x)?)), |_, _| one([0])),
        (
            "compress",
            |x, axis| {
                checked(x.compress(axis as isize, &DynTensor::full(&[x.sizes()[axis]], true)))
            },
            same,
        ),
    ];
    rows.extend(others);
    rows
}

fn windows() -> Vec<Row> {
    /// A window of 2 elements along each of the last axes, 17 channels of results.
    fn conv(x: &Floats, axes: usize) -> Computed {
        let channels = x.rank().checked_sub(axes + 1).map_or(1, |axis| x.sizes()[axis]);
        let weights = Floats::ones(&[vec![17, channels], vec![2; axes]].concat());
        let options = ConvOptions::new();
        checked(match axes {
            1 => x.conv1d(&weights, &options),
            2 => x.conv2d(&weights, &options),
            _ => x.conv3d(&weights, &options),
        })
    }

    fn transposed(x: &Floats, axes: usize) -> Computed {
        let channels = x.rank().checked_sub(axes + 1).map_or(1, |axis| x.sizes()[axis]);
        let weights = Floats::ones(&[vec![channels, 17], vec![2; axes]].concat());
        let options = ConvOptions::new();
        checked(match axes {
            1 => x.conv_transpose1d(&weights, &options),
            2 => x.conv_transpose2d(&weights, &options),
            _ => x.conv_transpose3d(&weights, &options),
        })
    }

    /// 17 channels of results, and sizes that a window of 2 makes smaller or larger by 1.
    fn expected(sizes: &[usize], axes: usize, is_transposed: bool) -> Expected {
        let channels = sizes.len().checked_sub(axes + 1)?;
        let last = sizes[channels + 1..].iter();
        let moved: Option<Vec<usize>> = match is_transposed {
            false => last.map(|size| size.checked_sub(1).filter(|&places| places > 0)).collect(),
            true => last.map(|size| Some(size + 1)).collect(),
        };
        let sizes_of_result = [&sizes[..channels], &[17], &moved?].concat();
        // Sums of no elements.
        if sizes[channels..].contains(&0) {
            filled(sizes_of_result, 0.0)
        } else {
            one(sizes_of_result)
        }
    }

    vec![
        ("conv1d", |x, _| conv(x, 1), |sizes, _| expected(sizes, 1, false)),
        ("conv2d", |x, _| conv(x, 2), |sizes, _| expected(sizes, 2, false)),
        ("conv3d", |x, _| conv(x, 3), |sizes, _| expected(sizes, 3, false)),
        ("conv_transpose1d", |x, _| transposed(x, 1), |sizes, _| expected(sizes, 1, true)),
        ("conv_transpose2d", |x, _| transposed(x, 2), |sizes, _| expected(sizes, 2, true)),
        ("conv_transpose3d", |x, _| transposed(x, 3), |sizes, _| expected(sizes, 3, true)),
        (
            "batch_norm",
            |x, axis| {
                let (mean, variance) =
                    (Floats::zeros(&[x.sizes()[axis]]), Floats::ones(&[x.sizes()[axis]]));
                checked(x.batch_norm(axis as isize, &mean, &variance, 1e-5))
            },
            same,
        ),
    ]
}
