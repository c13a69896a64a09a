//! Convolutions of images, and their gradients: a convolution each, as large as the one itself.

use std::hint::black_box;

use tensor_core::windows::Conv2dOptions;
use tensor_core::{StaticShape, Tensor, shape};

use crate::additions::{numbers, tensor};
use crate::measure::roofline::{Moves, Real};
use crate::measure::way;
use crate::row::{Reach, Table, Work};

pub fn rows<T: Real>(table: &mut Table) {
    macro_rules! convolutions {
        ($($name:literal, $reach:tt: [$($x:tt)*] * [$($w:tt)*], groups $groups:literal, stride $stride:literal, $options:expr;)*) => {$(
            let sizes = ([$($x)*], [$($w)*], $groups, $stride);
            if table.wants($name) {
                let x = tensor::<shape![$($x)*], T>();
                let w = tensor::<shape![$($w)*], T>();
                let ours = || black_box(&x).conv2d(black_box(&w), $options);
                let [reach, ..]: [f64; 3] = $reach;
                convolution(table, $name, reach, sizes, ours);
            }
            let names = [concat!($name, ", dx"), concat!($name, ", dw")];
            if names.iter().any(|name| table.wants(name)) {
                let (x, w) = (tensor::<shape![$($x)*], T>(), tensor::<shape![$($w)*], T>());
                let (of_x, of_w) = (x.clone().requires_grad(), w.clone().requires_grad());
                // Some gradient of the results.
                let y = x.conv2d(&w, $options);
                let dx_loss = (of_x.conv2d(&w, $options) * &y).sum();
                let dw_loss = (x.conv2d(&of_w, $options) * &y).sum();
                let [_, dx, dw]: [f64; 3] = $reach;
                let work = work(sizes);
                let ways = vec![way("ours", || black_box(&dx_loss).gradients(&of_x))];
                table.row_if_wanted::<T>(names[0], Reach::Limit(dx), work, ways);
                let ways = vec![way("ours", || black_box(&dw_loss).gradients(&of_w))];
                table.row_if_wanted::<T>(names[1], Reach::Limit(dw), work, ways);
            }
        )*};
    }
    convolutions! {
        "conv 3×3, [32,16,28,28] to 32", [1.25, 1.5, 1.5]: [32, 16, 28, 28] * [32, 16, 3, 3],
            groups 1, stride 1, Conv2dOptions::new().padding::<1>();
        "conv 1×1, [32,64,28,28] to 64", [1.25, 1.75, 1.75]: [32, 64, 28, 28] * [64, 64, 1, 1],
            groups 1, stride 1, Conv2dOptions::new();
        "conv 5×5, [32,16,28,28] to 32", [1.25, 1.5, 1.5]: [32, 16, 28, 28] * [32, 16, 5, 5],
            groups 1, stride 1, Conv2dOptions::new().padding::<2>();
        "conv 5×5, [32,3,32,32] to 32", [1.5, 2.0, 2.0]: [32, 3, 32, 32] * [32, 3, 5, 5],
            groups 1, stride 1, Conv2dOptions::new().padding::<2>();
        "conv 3×3, stride 2, [32,32,56,56] to 64", [1.25, 2.0, 2.0]: [32, 32, 56, 56] * [64, 32, 3, 3],
            groups 1, stride 2, Conv2dOptions::new().stride::<2>().padding::<1>();
        "depthwise 3×3, [32,64,28,28]", [2.0, 5.0, 5.0]: [32, 64, 28, 28] * [64, 1, 3, 3],
            groups 64, stride 1, Conv2dOptions::new().padding::<1>().groups::<64>();
    }
}

/// The sizes of the images and weights, the groups and the stride.
type Sizes = ([usize; 4], [usize; 4], usize, usize);

/// The multiplications and additions.
fn operations(([images, _, height, width], [outputs, taken, k, _], _, stride): Sizes) -> usize {
    2 * images * outputs * height.div_ceil(stride) * width.div_ceil(stride) * taken * k * k
}

/// The operations, and the elements of the images and the results, which a depthwise convolution moves for longer.
fn work(sizes: Sizes) -> Work {
    let ([images, channels, height, width], [outputs, ..], _, stride) = sizes;
    let results = outputs * height.div_ceil(stride) * width.div_ceil(stride);
    let count = images * (channels * height * width).max(results);
    Work { operations: operations(sizes) as f64, ..Work::moves(Moves::Copy, count) }
}

/// `[images, c, h, w] * [o, c / groups, k, k]`, with padding `k / 2`.
fn convolution<S: StaticShape, T: Real>(
    table: &mut Table,
    name: &str,
    reach: f64,
    sizes: Sizes,
    ours: impl FnMut() -> Tensor<S, T>,
) {
    let ([images, channels, height, width], [outputs, taken, k, _], groups, stride) = sizes;
    let (x, w) =
        (numbers::<T>(images * channels * height * width), numbers::<T>(outputs * taken * k * k));
    let (rows, columns) = (height.div_ceil(stride), width.div_ceil(stride));
    let each = outputs / groups;
    let looped = || {
        let mut out = vec![T::ZERO; images * outputs * rows * columns];
        let (x, w) = (black_box(&x), black_box(&w));
        for (plane, out) in out.chunks_exact_mut(rows * columns).enumerate() {
            let (image, output) = (plane / outputs, plane % outputs);
            for channel in 0..taken {
                let from = image * channels + output / each * taken + channel;
                let x = &x[from * height * width..][..height * width];
                let w = &w[(output * taken + channel) * k * k..][..k * k];
                for (row, out) in out.chunks_exact_mut(columns).enumerate() {
                    for (tap, &w) in w.iter().enumerate() {
                        let y = (row * stride + tap / k).wrapping_sub(k / 2);
                        if y >= height {
                            continue;
                        }
                        let x = &x[y * width..][..width];
                        // The positions whose element is not padding.
                        let left = tap % k;
                        let first = (k / 2).saturating_sub(left).div_ceil(stride);
                        let end = (width + k / 2 - left).div_ceil(stride).min(columns);
                        let x = x[first * stride + left - k / 2..].iter().step_by(stride);
                        out[first..end].iter_mut().zip(x).for_each(|(out, &x)| *out += w * x);
                    }
                }
            }
        }
        out
    };
    let ways = vec![way("ours", ours), way("loop", looped)];
    table.row::<T>(name, Reach::Limit(reach), work(sizes), ways);
}
