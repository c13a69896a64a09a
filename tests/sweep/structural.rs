//! Products, views, joins, operations by indices and on windows, by name.

use std::error::Error;

use tensor_core::windows::{ConvOptions, Interpolation, PoolOptions};
use tensor_core::{DynTensor, Padding, slice};

use crate::case::{Operands, Output, Real, Results};
use crate::elementwise::{float, integer};

/// A result of floats, or of several.
type Floats<T> = Result<Vec<DynTensor<T>>, Box<dyn Error>>;

/// The results of an operation whose results are floats, `None` if it is none.
pub fn floats<T: Real>(op: &str, o: &Operands<'_, T>) -> Option<Results<T>> {
    let results = moved(op, o).or_else(|| joined(op, o)).or_else(|| indexed(op, o));
    let results = results.or_else(|| windowed(op, o))?;
    Some(results.map(|results| results.into_iter().map(Output::Float).collect()))
}

/// `Ok(vec![…])` of expressions with `?`.
macro_rules! results {
    ($($result:expr),*) => { (|| -> Floats<T> { Ok(vec![$($result),*]) })() };
}

fn moved<T: Real>(op: &str, o: &Operands<'_, T>) -> Option<Floats<T>> {
    let x = o.floats.first()?;
    let axis = || o.axis();
    Some(match op {
        "matmul" => results![x.matmul(o.y())?],
        "dot" => results![x.dot(o.y())?],
        "outer" => results![x.outer(o.y())?],
        "tensordot" => results![x.tensordot(o.y(), &o.list("left"), &o.list("right"))?],
        "einsum" => {
            results![DynTensor::einsum(o.text("equation"), &o.floats.iter().collect::<Vec<_>>())?]
        }
        "slice_axis" => results![x.slice_axis(axis(), o.size("start")..)?],
        "slice" => results![x.slice(slice![.., o.size("start")..])?.flip(&[0])?],
        "slice_axis_step" => {
            results![x.slice_axis_step(axis(), 0, None, o.integer("step"))?]
        }
        "index" => results![x.index(axis(), o.size("index"))?],
        "iter_axis" => (|| Ok(x.iter_axis(axis())?.collect()))(),
        "chunks_axis" => (|| Ok(x.chunks_axis(axis(), o.size("count"))?.collect()))(),
        "split" => x.split(axis(), &o.sizes("sizes")).map_err(Into::into),
        "chunk" => x.chunk(axis(), o.size("count")).map_err(Into::into),
        "swap_axes" => results![x.swap_axes(o.integer("first"), o.integer("second"))?],
        "move_axis" => results![x.move_axis(o.integer("from"), o.integer("to"))?],
        "diagonal" => {
            results![x.diagonal(o.integer("offset"), o.integer("first"), o.integer("second"))?]
        }
        "windows" => results![x.windows(axis(), o.size("window"))?],
        "rearrange" => results![x.rearrange(o.text("pattern"), &[])?],
        _ => return None,
    })
}

fn joined<T: Real>(op: &str, o: &Operands<'_, T>) -> Option<Floats<T>> {
    let x = o.floats.first()?;
    let axis = || o.axis();
    Some(match op {
        "concat" => results![x.concat(o.y(), axis())?],
        "concat_all" | "concat_tuple" => results![DynTensor::concat_all(&o.floats, axis())?],
        "stack" => results![DynTensor::stack(&o.floats, axis())?],
        "meshgrid" => x.meshgrid(o.y()).map(|(a, b)| vec![a, b]).map_err(Into::into),
        "assign_slice" => {
            let mut x = x.clone();
            let assigned = x.assign_slice(slice![o.size("start")..], o.y());
            assigned.map(|()| vec![x]).map_err(Into::into)
        }
        "pad" => pad(x, o),
        "roll" => results![x.roll(axis(), o.integer("shift"))?],
        "repeat" => results![x.repeat(axis(), o.size("count"))?],
        "repeat_each" => results![x.repeat_each(axis(), &o.sizes("counts"))?],
        "tile" => results![x.tile(&o.sizes("counts"))?],
        "tril" => results![x.tril(o.integer("k"))?],
        "triu" => results![x.triu(o.integer("k"))?],
        "diag_embed" => results![x.diag_embed()?],
        "trace" => results![x.trace()?],
        "unique" => Ok(vec![x.unique()]),
        "unique_axis" => results![x.unique_axis(axis())?],
        "masked_select" => results![x.masked_select(&o.masks[0])?],
        "compress" => results![x.compress(axis(), &o.masks[0])?],
        _ => return None,
    })
}

fn pad<T: Real>(x: &DynTensor<T>, o: &Operands<'_, T>) -> Floats<T> {
    let axis = if o.has("axis") { o.size("axis") } else { x.rank() - 1 };
    let mut amounts = vec![[0, 0]; x.rank()];
    amounts[axis] = [o.integer("before"), o.integer("after")];
    let padding = match o.text("mode") {
        "constant" => Padding::Constant(T::from_f64(0.25)),
        "edge" => Padding::Edge,
        "reflect" => Padding::Reflect,
        "symmetric" => Padding::Symmetric,
        _ => Padding::Wrap,
    };
    Ok(vec![x.pad(&amounts, padding)?])
}

fn indexed<T: Real>(op: &str, o: &Operands<'_, T>) -> Option<Floats<T>> {
    let (x, indices) = (o.floats.first()?, o.integers.first()?);
    let axis = || o.axis();
    macro_rules! scatter {
        ($($name:ident)*) => {
            match op {
                "take" => results![x.take(axis(), indices)?],
                "embedding" => results![x.embedding(indices)?],
                "take_along_axis" => results![x.take_along_axis(axis(), indices)?],
                $(stringify!($name) => results![x.$name(axis(), indices, o.y())?],)*
                _ => return None,
            }
        };
    }
    Some(scatter! { scatter scatter_add scatter_mul scatter_max scatter_min index_add index_copy })
}

fn windowed<T: Real>(op: &str, o: &Operands<'_, T>) -> Option<Floats<T>> {
    let x = o.floats.first()?;
    macro_rules! windows {
        (conv: $($conv:ident $d:literal)*; pool: $($pool:ident $e:literal)*;) => {
            match op {
                $(stringify!($conv) => results![x.$conv(o.y(), &convolution(o, $d))?],)*
                $(stringify!($pool) => results![x.$pool(&pooling(o, $e))?],)*
                "adaptive_avg_pool" => results![x.adaptive_avg_pool(&o.sizes("sizes"))?],
                "interpolate" => {
                    let how = match o.text("how") {
                        "nearest" => Interpolation::Nearest,
                        "linear" => Interpolation::Bilinear,
                        _ => Interpolation::BilinearAlignCorners,
                    };
                    results![x.interpolate(&o.sizes("sizes"), how)?]
                }
                "group_norm" => results![x.group_norm(o.axis(), o.size("groups"), o.real("epsilon"))?],
                "instance_norm" => results![x.instance_norm(o.axis(), o.real("epsilon"))?],
                "batch_norm" => {
                    results![x.batch_norm(o.axis(), o.y(), &o.floats[2], o.real("epsilon"))?]
                }
                "batch_norm_training" => results![x.batch_norm_training(o.axis(), o.real("epsilon"))?],
                _ => return None,
            }
        };
    }
    Some(windows! {
        conv: conv1d 1 conv2d 2 conv3d 3 conv_transpose1d 1 conv_transpose2d 2 conv_transpose3d 3;
        pool: max_pool1d 1 max_pool2d 2 max_pool3d 3 avg_pool1d 1 avg_pool2d 2 avg_pool3d 3;
    })
}

fn convolution<T: Real>(o: &Operands<'_, T>, d: usize) -> ConvOptions {
    ConvOptions::new()
        .stride(&vec![o.size("stride"); d])
        .padding(&vec![o.size("padding"); d])
        .dilation(&vec![o.size("dilation"); d])
        .groups(o.size("groups"))
}

fn pooling<T: Real>(o: &Operands<'_, T>, d: usize) -> PoolOptions {
    let options = PoolOptions::new(&vec![o.size("window"); d])
        .stride(&vec![o.size("stride"); d])
        .padding(&vec![o.size("padding"); d])
        .ceil_mode(o.flag("ceil"));
    if o.has("counted") { options.count_include_pad(o.flag("counted")) } else { options }
}

/// The results of an operation with other results than floats, `None` if it is none.
pub fn counted<T: Real>(op: &str, o: &Operands<'_, T>) -> Option<Results<T>> {
    let mixed = |(values, numbers)| vec![Output::Float(values), Output::Integer(numbers)];
    Some(match op {
        "one_hot" => o.indices().one_hot(o.size("depth")).map(float).map_err(Into::into),
        "bincount" => o.indices().bincount(o.size("bins")).map(integer).map_err(Into::into),
        "unique_counts" => Ok(mixed(o.x().unique_counts())),
        "unique_inverse" => Ok(mixed(o.x().unique_inverse())),
        "isin" => Ok(vec![Output::Mask(o.x().isin(o.y()))]),
        "searchsorted" => o.x().searchsorted(o.y()).map(integer).map_err(Into::into),
        "searchsorted_right" => o.x().searchsorted_right(o.y()).map(integer).map_err(Into::into),
        "nonzero" => Ok(integer(o.x().nonzero())),
        "flatnonzero" => Ok(integer(o.x().flatnonzero())),
        "histogram" => {
            let range = o.real("low")..=o.real("high");
            o.x().histogram(o.size("bins"), range).map(integer).map_err(Into::into)
        }
        _ => return None,
    })
}
