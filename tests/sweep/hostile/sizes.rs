//! Two shapes that mostly do not fit, sizes beyond memory, and patterns that cannot be read.

use tensor_core::DynTensor;
use tensor_core::windows::{ConvOptions, Interpolation, PoolOptions};

use super::{Attempt, SHAPES, SIZES, Tensor, attempt, expect_none, tensor, used};

/// Ways that take the sizes of two tensors, which mostly do not fit.
#[test]
fn two_shapes() {
    let methods = methods! { (x, sizes), (&Tensor, &[usize]);
        "+" => used((x + &tensor(sizes))?);
        "minimum" => used(x.minimum(&tensor(sizes))?);
        "pow" => used(x.pow(&tensor(sizes))?);
        "less" => x.less(&tensor(sizes)).map(drop).map_err(Into::into);
        "clamp" => used(x.clamp(&tensor(sizes), x)?);
        "select" => used(DynTensor::full(sizes, true).select(x, x)?);
        "expand" => used(x.expand(sizes)?);
        "reshape" => used(x.reshape(sizes)?);
        "sum_to" => used(x.sum_to(sizes)?);
        "tile" => used(x.tile(sizes)?);
        "matmul" => used(x.matmul(&tensor(sizes))?);
        "dot" => used(x.dot(&tensor(sizes))?);
        "outer" => used(x.outer(&tensor(sizes))?);
        "tensordot" => used(x.tensordot(&tensor(sizes), &[], &[])?);
        "concat" => used(x.concat(&tensor(sizes), 0)?);
        "stack" => used(DynTensor::stack([x, &tensor(sizes)], 0)?);
        "meshgrid" => used(x.meshgrid(&tensor(sizes))?.0);
        "meshgrid_xy" => used(x.meshgrid_xy(&tensor(sizes))?.1);
        "masked_select" => used(x.masked_select(&DynTensor::full(sizes, true))?);
        "compress" => used(x.compress(0, &DynTensor::full(sizes, true))?);
        "searchsorted" => x.searchsorted(&tensor(sizes)).map(drop).map_err(Into::into);
        "take" => used(x.take(0, &DynTensor::full(sizes, 0_i64))?);
        "take_along_axis" => used(x.take_along_axis(0, &DynTensor::full(sizes, 0_i64))?);
        "scatter_mul" => used(x.scatter_mul(0, &DynTensor::full(sizes, 0_i64), &tensor(sizes))?);
        "scatter_max" => used(x.scatter_max(-1, &DynTensor::full(sizes, -1_i64), &tensor(sizes))?);
        "index_add" => used(x.index_add(0, &DynTensor::full(&[1], 0_i64), &tensor(sizes))?);
        "embedding" => used(x.embedding(&DynTensor::full(sizes, 0_i64))?);
        "batch_norm" => used(x.batch_norm(0, &tensor(sizes), x, f64::NAN)?);
        "conv" => used(x.conv(&tensor(sizes), &ConvOptions::new())?);
        "conv1d" => used(x.conv1d(&tensor(sizes), &ConvOptions::new())?);
        "conv2d" => used(x.conv2d(&tensor(sizes), &ConvOptions::new().same())?);
        "conv_transpose" => used(x.conv_transpose(&tensor(sizes), &ConvOptions::new())?);
        "conv_transpose1d" => used(x.conv_transpose1d(&tensor(sizes), &ConvOptions::new())?);
        "max_pool" => used(x.max_pool(&PoolOptions::new(sizes))?);
        "avg_pool" => used(x.avg_pool(&PoolOptions::new(sizes))?);
        "adaptive_avg_pool" => used(x.adaptive_avg_pool(sizes)?);
        "interpolate" => used(x.interpolate(sizes, Interpolation::Nearest)?);
        "interpolate linearly" => used(x.interpolate(sizes, Interpolation::BilinearAlignCorners)?);
        "transpose" => used(x.transpose()?);
        "diag_embed" => used(x.diag_embed()?);
        "trace" => used(x.trace()?);
        "item" => x.item().map(drop).map_err(Into::into);
        "zip_with" => used(x.zip_with(&tensor(sizes), |x, y| x - y)?);
        "concat_all" => used(DynTensor::concat_all([x, &tensor(sizes)], -1)?);
        "concat_all of none" => used(DynTensor::<f64>::concat_all([], 0)?);
        "stack of none" => used(DynTensor::<f64>::stack([], -1)?);
        "max" => used(x.max()?);
        "argmin" => x.argmin().map(drop).map_err(Into::into);
        "isin" => { x.isin(&tensor(sizes)); Ok(()) };
        "histogram" => x.histogram(sizes.len(), -1.0..=1.0).map(drop).map_err(Into::into);
    };
    let attempts = methods.into_iter().flat_map(|(name, method)| {
        SHAPES.iter().flat_map(move |left| {
            SHAPES.iter().map(move |right| {
                attempt(format!("{name} of {left:?} and {right:?}"), &[], || {
                    method((&tensor(left), right))
                })
            })
        })
    });
    expect_none(attempts.flatten());
}

/// Sizes, counts and options of windows near the limits of `usize`.
#[test]
fn sizes_beyond_memory() {
    let methods = methods! { (x, n), (&Tensor, usize);
        "expand" => x.expand(&[n, n]).map(drop).map_err(Into::into);
        "reshape" => used(x.reshape(&[n, 2])?);
        "sum_to" => used(x.sum_to(&[n, n])?);
        "tile" => used(x.tile(&[n])?);
        "tile twice" => used(x.tile(&[n, n])?);
        "unflatten" => used(x.unflatten(0, &[n, 2, n])?);
        "adaptive_avg_pool" => used(x.adaptive_avg_pool(&[n])?);
        "interpolate" => used(x.interpolate(&[n], Interpolation::Bilinear)?);
        "window" => used(x.max_pool(&PoolOptions::new(&[n]))?);
        "stride of a pool" => used(x.avg_pool(&PoolOptions::new(&[1]).stride(&[n]))?);
        "dilation of a pool" => used(x.max_pool(&PoolOptions::new(&[2]).dilation(&[n]))?);
        "padding of a pool" => used(x.max_pool(&PoolOptions::new(&[2]).padding(&[n]))?);
        "rounding of a pool" => used(x.avg_pool(&PoolOptions::new(&[2]).stride(&[n]).ceil_mode(true))?);
        "sides of a pool" => used(x.avg_pool(&PoolOptions::new(&[2]).padding_sides(&[(n, 0)]))?);
        "stride" => used(x.conv(&tensor(&[3, 3, 1]), &ConvOptions::new().stride(&[n]))?);
        "dilation" => used(x.conv(&tensor(&[3, 3, 2]), &ConvOptions::new().dilation(&[n]))?);
        "padding" => used(x.conv(&tensor(&[3, 3, 1]), &ConvOptions::new().padding(&[n]))?);
        "padding_sides" => used(x.conv(&tensor(&[3, 3, 1]), &ConvOptions::new().padding_sides(&[(n, n)]))?);
        "groups" => used(x.conv(&tensor(&[3, 3, 1]), &ConvOptions::new().groups(n))?);
        "stride, transposed" => used(x.conv_transpose(&tensor(&[3, 3, 1]), &ConvOptions::new().stride(&[n]))?);
        "dilation, transposed" =>
            used(x.conv_transpose(&tensor(&[3, 3, 2]), &ConvOptions::new().dilation(&[n]))?);
        "padding, transposed" =>
            used(x.conv_transpose(&tensor(&[3, 3, 1]), &ConvOptions::new().padding(&[n]))?);
        "output_padding" =>
            used(x.conv_transpose(&tensor(&[3, 3, 1]), &ConvOptions::new().output_padding(&[n]))?);
        "no axes of a window" => used(x.max_pool(&PoolOptions::new(&[]))?);
        "options of other ranks" => used(x.conv(&tensor(&[3, 3, 1]), &ConvOptions::new().stride(&[1, n]))?);
        "windows" => used(x.windows(-1, n)?);
        "from_vec" => DynTensor::from_vec(&[n, 3], vec![0.0]).map(drop).map_err(Into::into);
        "histogram" => DynTensor::<f64>::zeros(&[0]).histogram(n, 0.0..=1.0).map(drop).map_err(Into::into);
        "one_hot" => used(DynTensor::full(&[3], 0_i64).one_hot(n)?);
        "rearrange" => used(x.rearrange("(a b) ... -> a b ...", &[("a", n)])?);
    };
    let attempts = methods.into_iter().flat_map(|(name, method)| {
        SHAPES.iter().flat_map(move |sizes| {
            SIZES.iter().map(move |&n| {
                attempt(format!("{name} {n} of {sizes:?}"), &[], || method((&tensor(sizes), n)))
            })
        })
    });
    expect_none(attempts.flatten());
}

#[test]
fn patterns() {
    let equations = [
        "",
        "->",
        ",",
        "ij",
        "ij->",
        "ij->ii",
        "ij->k",
        "i->ij",
        "ij,jk",
        "ii",
        "iii->i",
        "...",
        "...->",
        "......",
        "...i...",
        "..i",
        "i..",
        "i...j->j...i",
        "a->b",
        "A->a",
        "1->1",
        "ij->ji->ij",
        " i j -> j i ",
        "ij,->ij",
        "é->é",
        "ij→ji",
        "...ij->...ji",
        "...ij,...jk->...ik",
        ",,,",
        "i,i",
        "i...->...",
        "...->i",
        "-",
        ">",
        "-->",
    ];
    let patterns = [
        "",
        "->",
        "a",
        "a->",
        "->a",
        "a b -> b a",
        "a b -> a",
        "a -> a b",
        "(a b) -> a b",
        "a b -> (a b)",
        "a a -> a",
        "(a (b c)) -> a b c",
        "... -> ...",
        "... ... -> ...",
        "(...) -> ...",
        "a ... -> ... a",
        "a -> (a",
        "a) -> a",
        "1 -> ",
        "a -> a 1",
        "a -> 1 a 1",
        "2 -> 2",
        "() -> ()",
        "a () -> a",
        "a -> a ()",
        "é -> é",
        "a->b",
        "a - b",
        "... c -> (...) c",
        "a b -> b (a)",
        "_ -> _",
        "a -> -> a",
        "(a b) c -> a (b c)",
    ];
    let mut faults = Vec::new();
    for sizes in SHAPES {
        let x = tensor(sizes);
        for equation in equations {
            for operands in [&[][..], &[&x], &[&x, &x], &[&x, &x, &x]] {
                let what = format!("einsum({equation:?}) of {} × {sizes:?}", operands.len());
                faults.extend(attempt(what, &[], || used(DynTensor::einsum(equation, operands)?)));
            }
        }
        for pattern in patterns {
            for given in [
                &[][..],
                &[("a", 2)],
                &[("a", 0)],
                &[("z", 2)],
                &[("a", usize::MAX)],
                &[("a", 2), ("a", 3)],
            ] {
                let what = format!("rearrange({pattern:?}, {given:?}) of {sizes:?}");
                faults.extend(attempt(what, &[], || used(x.rearrange(pattern, given)?)));
            }
        }
    }
    expect_none(faults.into_iter());
}
