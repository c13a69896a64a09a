//! Convolutions, compared with their definition as nested loops in `f64`, on random sizes and options.

use crate::random::Random;
use crate::random_views::indices;
use tensor_core::element::Number;
use tensor_core::windows::{Conv1dOptions, Conv2dOptions, Conv3dOptions, ConvOptions};
use tensor_core::{DynTensor, IntoTensor, Padding, ShapeError, Tensor, axis, shape, tensor};

/// The options of an axis.
#[derive(Clone, Copy, Debug)]
struct Axis {
    size: usize,
    window: usize,
    stride: usize,
    dilation: usize,
    padding: (usize, usize),
    added: usize,
}

impl Axis {
    fn places(&self) -> usize {
        let padded = self.size + self.padding.0 + self.padding.1;
        (padded - (self.window - 1) * self.dilation - 1) / self.stride + 1
    }

    fn transposed(&self) -> usize {
        self.size * self.stride + (self.window - 1) * self.dilation + 1 + self.added
            - self.stride
            - self.padding.0
            - self.padding.1
    }
}

fn flat(sizes: &[usize], index: &[usize]) -> usize {
    sizes.iter().zip(index).fold(0, |flat, (size, index)| flat * size + index)
}

/// The convolution of `[image, c, ..]` with `[o, c / groups, ..]`, by its definition.
fn oracle(x: &DynTensor<f64>, w: &DynTensor<f64>, axes: &[Axis], groups: usize) -> DynTensor<f64> {
    let (xs, ws) = (x.sizes().to_vec(), w.sizes().to_vec());
    let (x, w) = (x.to_vec(), w.to_vec());
    let mut sizes = vec![xs[0], ws[0]];
    sizes.extend(axes.iter().map(Axis::places));
    let taps = indices(&ws[2..]);
    let area: usize = xs[2..].iter().product();
    // Within a channel, for each position of the window, the element under each tap that is not in the padding,
    // and its weight.
    let pairs = |places: Vec<usize>| -> Vec<(usize, usize)> {
        let within = |(weight, tap): (usize, &Vec<usize>)| {
            let at = along(axes, &places, tap).map(|(axis, place, tap)| {
                let place = place * axis.stride + tap * axis.dilation;
                place.checked_sub(axis.padding.0).filter(|&place| place < axis.size)
            });
            Some((flat(&xs[2..], &at.collect::<Option<Vec<_>>>()?), weight))
        };
        taps.iter().enumerate().filter_map(within).collect()
    };
    let pairs: Vec<_> = indices(&sizes[2..]).into_iter().map(pairs).collect();
    DynTensor::from_fn(&sizes, |result| {
        let group = result[1] / (ws[0] / groups);
        let pairs = &pairs[flat(&sizes[2..], &result[2..])];
        let mut sum = 0.0;
        for channel in 0..ws[1] {
            let first = (result[0] * xs[1] + group * ws[1] + channel) * area;
            let first_weight = (result[1] * ws[1] + channel) * taps.len();
            for &(element, weight) in pairs {
                sum += x[first + element] * w[first_weight + weight];
            }
        }
        sum
    })
}

/// The transposed convolution of `[image, c, ..]` with `[c, o / groups, ..]`: every element adds its
/// window to the results.
fn oracle_transposed(
    x: &DynTensor<f64>,
    w: &DynTensor<f64>,
    axes: &[Axis],
    groups: usize,
) -> DynTensor<f64> {
    let (xs, ws) = (x.sizes().to_vec(), w.sizes().to_vec());
    let (x, w) = (x.to_vec(), w.to_vec());
    let mut sizes = vec![xs[0], ws[1] * groups];
    sizes.extend(axes.iter().map(Axis::transposed));
    let mut sums = vec![0.0; sizes.iter().product()];
    let taps = indices(&ws[2..]);
    for at in indices(&xs) {
        let group = at[1] / (ws[0] / groups);
        for output in 0..ws[1] {
            'taps: for tap in &taps {
                let mut to = vec![at[0], group * ws[1] + output];
                for ((axis, place, tap), &size) in along(axes, &at[2..], tap).zip(&sizes[2..]) {
                    let place = place * axis.stride + tap * axis.dilation;
                    if place < axis.padding.0 || place - axis.padding.0 >= size {
                        continue 'taps;
                    }
                    to.push(place - axis.padding.0);
                }
                let weight = flat(&ws, &[&[at[1], output][..], tap].concat());
                sums[flat(&sizes, &to)] += x[flat(&xs, &at)] * w[weight];
            }
        }
    }
    DynTensor::from_vec(&sizes, sums).unwrap()
}

fn along<'a>(
    axes: &'a [Axis],
    places: &'a [usize],
    taps: &'a [usize],
) -> impl Iterator<Item = (&'a Axis, usize, usize)> {
    axes.iter().zip(places).zip(taps).map(|((axis, &place), &tap)| (axis, place, tap))
}

fn options(axes: &[Axis], groups: usize) -> ConvOptions {
    let list = |f: fn(&Axis) -> usize| axes.iter().map(f).collect::<Vec<_>>();
    let padding: Vec<_> = axes.iter().map(|axis| axis.padding).collect();
    ConvOptions::new()
        .stride(&list(|axis| axis.stride))
        .dilation(&list(|axis| axis.dilation))
        .output_padding(&list(|axis| axis.added))
        .padding_sides(&padding)
        .groups(groups)
}

/// Whether a convolution is transposed.
#[derive(Clone, Copy)]
enum Kind {
    Forward,
    Transposed,
}

impl Kind {
    fn apply<T: Number>(
        self,
        x: &DynTensor<T>,
        w: &DynTensor<T>,
        options: &ConvOptions,
    ) -> DynTensor<T> {
        let y = match self {
            Self::Forward => x.conv(w, options),
            Self::Transposed => x.conv_transpose(w, options),
        };
        y.unwrap()
    }

    /// Compares the results of each kind of kernels, of contiguous tensors and of views, with the definition.
    fn check(self, x: &DynTensor<f64>, w: &DynTensor<f64>, axes: &[Axis], groups: usize) {
        let expected = match self {
            Self::Forward => oracle(x, w, axes, groups),
            Self::Transposed => oracle_transposed(x, w, axes, groups),
        };
        let options = options(axes, groups);
        let turned = |x: &DynTensor<f64>| {
            let order: Vec<isize> = (0..x.rank() as isize).rev().collect();
            x.permute(&order).unwrap().contiguous().permute(&order).unwrap()
        };
        let (turned_x, turned_w) = (turned(x), turned(w));
        for (kind, x, w) in [("tensors", x, w), ("views", &turned_x, &turned_w)] {
            let name = format!("{kind}: {:?} {:?} {axes:?} {groups}", x.sizes(), w.sizes());
            assert_eq!(self.apply(x, w, &options), expected, "{name}");
            let narrow = self.apply::<f32>(&x.cast(), &w.cast(), &options);
            assert_eq!(narrow.cast(), expected, "{name}, f32");
            let wide = self.apply::<i64>(&x.cast(), &w.cast(), &options);
            assert_eq!(wide.cast(), expected, "{name}, i64");
            // A byte wraps around: its results are compared with those of 64 bits.
            let bytes = |x: &DynTensor<f64>| x.cast::<i64>().map(|x| x as u8);
            let found = self.apply(&bytes(x), &bytes(w), &options);
            assert_eq!(found, wide.map(|x| x as u8), "{name}, u8");
        }
    }
}

#[test]
fn random_convolutions_are_sums_by_definition() {
    let mut random = Random::new(1, 8);
    for _ in 0..300 {
        let rank = random.from(1, 4);
        let axes: Vec<Axis> = (0..rank)
            .map(|_| {
                let (window, dilation) = (random.from(1, 4), random.from(1, 4));
                let padding = (random.below(4), random.below(4));
                let extent = (window - 1) * dilation + 1;
                let least = extent.saturating_sub(padding.0 + padding.1);
                let size = least + random.below([40, 12, 6][rank - 1]);
                Axis { size, window, stride: random.from(1, 4), dilation, padding, added: 0 }
            })
            .collect();
        let groups = random.from(1, 4);
        let (taken, outputs) = (random.from(1, 5), random.from(1, 9));
        let mut sizes = vec![random.below(4), taken * groups];
        sizes.extend(axes.iter().map(|axis| axis.size));
        let mut window = vec![outputs * groups, taken];
        window.extend(axes.iter().map(|axis| axis.window));
        let (x, w) = (random.tensor(&sizes), random.tensor(&window));
        Kind::Forward.check(&x, &w, &axes, groups);
    }
}

#[test]
fn random_transposed_convolutions_are_sums_by_definition() {
    let mut random = Random::new(2, 8);
    for _ in 0..200 {
        let rank = random.from(1, 4);
        let axes: Vec<Axis> = (0..rank)
            .map(|_| {
                let (window, dilation) = (random.from(1, 4), random.from(1, 3));
                let (stride, added) = (random.from(1, 4), random.below(2));
                let size = random.from(1, [20, 7, 4][rank - 1]);
                let all = (size - 1) * stride + (window - 1) * dilation + 1 + added;
                let before = random.below(all.min(4));
                let after = random.below((all - before).min(4));
                Axis { size, window, stride, dilation, padding: (before, after), added }
            })
            .collect();
        let groups = random.from(1, 4);
        let (taken, outputs) = (random.from(1, 4), random.from(1, 5));
        let mut sizes = vec![random.below(3), taken * groups];
        sizes.extend(axes.iter().map(|axis| axis.size));
        let mut window = vec![taken * groups, outputs];
        window.extend(axes.iter().map(|axis| axis.window));
        let (x, w) = (random.tensor(&sizes), random.tensor(&window));
        Kind::Transposed.check(&x, &w, &axes, groups);
    }
}

/// Sizes as in models: several blocks of columns and of inner steps, and threads.
#[test]
fn large_convolutions_are_sums_by_definition() {
    let mut random = Random::new(3, 8);
    for (sizes, window, groups, strides, padding) in [
        ([3, 16, 14, 28], [20, 16, 3, 3], 1, [1; 2], 1),
        ([1, 60, 30, 10], [13, 60, 3, 3], 1, [1; 2], 1),
        ([1, 16, 80, 80], [1, 16, 5, 5], 1, [1; 2], 2),
        ([2, 3, 40, 65], [10, 3, 7, 7], 1, [2; 2], 3),
        ([1, 70, 7, 7], [33, 70, 3, 3], 1, [1; 2], 1),
        ([2, 32, 20, 70], [32, 1, 3, 3], 32, [1; 2], 1),
        ([2, 48, 17, 17], [50, 48, 1, 1], 1, [1; 2], 0),
        ([2, 48, 17, 17], [50, 48, 1, 1], 1, [2; 2], 0),
        ([20, 4, 9, 9], [4, 4, 5, 5], 1, [1; 2], 2),
        // Several bands of rows: of which some have no padding, of a window that leaves elements over, and
        // of every other row.
        ([1, 1, 600, 64], [2, 1, 3, 3], 1, [1; 2], 1),
        ([1, 2, 150, 130], [9, 2, 3, 3], 1, [1; 2], 0),
        ([1, 1, 410, 91], [3, 1, 5, 5], 1, [2; 2], 2),
        // Windows of 1,024 elements, and of more.
        ([1, 1, 48, 40], [3, 1, 32, 32], 1, [1; 2], 16),
        ([1, 1, 48, 40], [3, 1, 32, 33], 1, [1; 2], 16),
        ([1, 2, 1, 3000], [2, 2, 1, 700], 1, [1; 2], 0),
        // Short rows: of one channel in each group, of many filters of one channel, and of a single position.
        ([1, 96, 6, 10], [96, 1, 5, 5], 96, [1; 2], 2),
        ([1, 40, 9, 9], [80, 1, 3, 3], 40, [2; 2], 0),
        ([1, 1, 1, 640], [258, 1, 1, 256], 1, [128; 2], 0),
        ([2, 64, 3, 3], [70, 64, 3, 3], 1, [2; 2], 0),
        // Filters of one channel with a stride from row to row, and of images with few positions.
        ([2, 24, 12, 40], [24, 1, 5, 5], 24, [2, 1], 2),
        ([1, 16, 13, 70], [32, 1, 3, 3], 16, [2, 1], 1),
        ([1, 8, 9, 9], [8, 1, 3, 3], 8, [3, 1], 0),
        ([1, 32, 3, 5], [32, 1, 5, 5], 32, [1, 1], 2),
        ([1, 24, 4, 4], [48, 1, 3, 3], 24, [1, 1], 1),
        ([1, 24, 7, 6], [24, 1, 5, 5], 24, [2, 1], 2),
    ] {
        let axes: Vec<Axis> = (2..4)
            .map(|axis| Axis {
                size: sizes[axis],
                window: window[axis],
                stride: strides[axis - 2],
                dilation: 1,
                padding: (padding, padding),
                added: 0,
            })
            .collect();
        let (x, w) = (random.tensor(&sizes), random.tensor(&window));
        Kind::Forward.check(&x, &w, &axes, groups);
    }
}

/// Views whose strides are negative or 0, in images of more positions than a vector has lanes: with the
/// window at every side of the image, with a window of one channel, and with strides.
#[test]
fn convolutions_of_flipped_and_stretched_views_are_sums_by_definition() {
    let mut random = Random::new(5, 8);
    for (channels, outputs, groups, window, stride, dilation, padding) in [
        (5, 9, 1, 3, 1, 1, (1, 1)),
        (4, 3, 1, 2, 1, 2, (0, 3)),
        (3, 17, 1, 3, 2, 1, (1, 0)),
        (2, 4, 1, 4, 3, 1, (2, 1)),
        (6, 4, 2, 3, 1, 1, (2, 4)),
        (6, 12, 6, 3, 1, 1, (1, 1)),
        (3, 3, 3, 3, 1, 1, (5, 0)),
        (4, 4, 4, 5, 1, 1, (2, 2)),
        (4, 4, 4, 5, 1, 1, (0, 6)),
        (4, 8, 4, 3, 2, 1, (1, 1)),
        (20, 1, 1, 3, 1, 2, (1, 3)),
        (32, 2, 2, 2, 1, 1, (0, 1)),
    ] {
        for [height, width] in [[9, 11], [8, 16], [5, 40], [7, 67]] {
            let axes = [height, width].map(|size| Axis {
                size,
                window,
                stride,
                dilation,
                padding,
                added: 0,
            });
            let options = options(&axes, groups);
            let w = random.tensor(&[outputs, channels / groups, window, window]);
            let sizes = [3, channels, height, width];
            let whole = random.tensor(&sizes);
            let mut views: Vec<DynTensor<f64>> = [&[3][..], &[2], &[1], &[0], &[0, 1, 2, 3]]
                .iter()
                .map(|axes| whole.flip(axes).unwrap())
                .collect();
            for axis in 0..4 {
                let mut one = sizes;
                one[axis] = 1;
                views.push(random.tensor(&one).expand(&sizes).unwrap());
            }
            for (view, x) in views.into_iter().enumerate() {
                let expected = oracle(&x, &w, &axes, groups);
                let name = format!("{sizes:?} {window} {stride} {padding:?}, view {view}");
                assert_eq!(x.conv(&w, &options).unwrap(), expected, "{name}");
                // The cast of a view is contiguous: that of its elements is a view in turn.
                let order = [1, 0, 2, 3];
                let narrow = x.permute(&order).unwrap().cast::<f32>().permute(&order).unwrap();
                let found = narrow.flip(&[3]).unwrap().contiguous().flip(&[3]).unwrap();
                let w = w.cast::<f32>();
                assert_eq!(found.conv(&w, &options).unwrap().cast(), expected, "{name}, f32");
            }
        }
    }
}

/// Strides, dilations and windows of which some phases of the results have no element, in one to three axes.
#[test]
fn large_transposed_convolutions_are_sums_by_definition() {
    let mut random = Random::new(6, 8);
    for (sizes, window, stride, dilation, padding, added) in [
        (&[14, 17][..], &[3, 3][..], 2, 1, (1, 1), 1),
        (&[14, 17], &[3, 3], 2, 1, (0, 2), 0),
        (&[9, 33], &[1, 1], 2, 1, (0, 0), 1),
        (&[12, 12], &[2, 5], 3, 2, (1, 0), 2),
        (&[12, 12], &[4, 3], 2, 2, (0, 1), 1),
        (&[12, 12], &[3, 4], 4, 1, (2, 2), 3),
        (&[9, 9], &[2, 2], 5, 1, (0, 0), 4),
        (&[300], &[7], 4, 3, (2, 5), 1),
        (&[6, 7, 8], &[3, 2, 3], 2, 1, (1, 0), 1),
    ] {
        for (channels, outputs, groups) in [(3, 10, 1), (4, 2, 2), (3, 3, 3)] {
            let axes: Vec<Axis> = (sizes.iter().zip(window))
                .map(|(&size, &window)| Axis { size, window, stride, dilation, padding, added })
                .collect();
            let x = random.tensor(&[&[2, channels][..], sizes].concat());
            let w = random.tensor(&[&[channels, outputs / groups][..], window].concat());
            Kind::Transposed.check(&x, &w, &axes, groups);
        }
    }
}

#[test]
fn half_floats_are_summed_in_f32_and_rounded_once() {
    let mut random = Random::new(4, 8);
    let (x, w) = (random.tensor(&[2, 3, 9, 9]), random.tensor(&[4, 3, 3, 3]));
    let options = ConvOptions::new().same();
    let narrow = |x: &DynTensor<f64>| x.cast::<half::f16>();
    let found = narrow(&x).conv(&narrow(&w), &options).unwrap();
    assert_eq!(found, narrow(&x.conv(&w, &options).unwrap()));
    let turned = narrow(&x).transpose().unwrap();
    let found = turned.conv(&narrow(&w).transpose().unwrap(), &options).unwrap();
    assert_eq!(found.transpose().unwrap(), narrow(&x.conv(&w, &options).unwrap()));
}

#[test]
fn typed_convolutions_are_those_of_run_time_shapes() {
    axis!(Batch);
    axis!(Height);
    axis!(Width);
    axis!(Channels = 3);
    let mut random = Random::new(5, 8);
    let (x, w) = (random.tensor(&[2, 3, 9, 8]), random.tensor(&[4, 3, 3, 2]));
    let typed: Tensor<shape![Batch, Channels, 9, 8], f64> = x.clone().into_tensor().unwrap();
    let weights: Tensor<shape![4, Channels, 3, 2], f64> = w.clone().into_tensor().unwrap();

    let y: Tensor<shape![Batch, 4, 7, 7], f64> = typed.conv2d(&weights, Conv2dOptions::new());
    assert_eq!(DynTensor::from(y), x.conv2d(&w, &ConvOptions::new()).unwrap());

    let asked =
        Conv2dOptions::new().strides::<2, 3>().padding_sides::<1, 2, 0, 1>().dilations::<2, 1>();
    let y: Tensor<shape![Batch, 4, 4, 3], f64> = typed.conv2d(&weights, asked);
    let options =
        ConvOptions::new().stride(&[2, 3]).padding_sides(&[(1, 2), (0, 1)]).dilation(&[2, 1]);
    assert_eq!(DynTensor::from(y), x.conv2d(&w, &options).unwrap());

    // Sizes that are known at run time stay.
    let image: Tensor<shape![Channels, Height, Width], f64> =
        random.tensor(&[3, 6, 5]).into_tensor().unwrap();
    let y: Tensor<shape![4, Height, Width], f64> =
        image.conv2d(&weights, Conv2dOptions::new().same());
    let same = DynTensor::from(image).conv2d(&w, &ConvOptions::new().same()).unwrap();
    assert_eq!(same.sizes(), [4, 6, 5]);
    assert_eq!(DynTensor::from(y), same);

    let x = random.tensor(&[6, 50]);
    let w = random.tensor(&[6, 2, 5]);
    let typed: Tensor<shape![6, 50], f64> = x.clone().into_tensor().unwrap();
    let weights: Tensor<shape![6, 2, 5], f64> = w.clone().into_tensor().unwrap();
    let asked = Conv1dOptions::new().stride::<2>().padding::<2>().groups::<3>();
    let y: Tensor<shape![6, 25], f64> = typed.conv1d(&weights, asked);
    let options = ConvOptions::new().stride(&[2]).padding(&[2]).groups(3);
    assert_eq!(DynTensor::from(y), x.conv1d(&w, &options).unwrap());

    let asked = asked.output_padding::<1>();
    let y: Tensor<shape![6, 100], f64> = typed.conv_transpose1d(&weights, asked);
    let options = options.output_padding(&[1]);
    assert_eq!(DynTensor::from(y), x.conv_transpose1d(&w, &options).unwrap());
}

#[test]
fn typed_convolutions_of_volumes_are_those_of_run_time_shapes() {
    axis!(Batch);
    axis!(Frames);
    let mut random = Random::new(6, 8);
    let (x, w) = (random.tensor(&[2, 4, 7, 6, 5]), random.tensor(&[6, 2, 3, 2, 2]));
    let typed: Tensor<shape![Batch, 4, 7, 6, 5], f64> = x.clone().into_tensor().unwrap();
    let weights: Tensor<shape![6, 2, 3, 2, 2], f64> = w.clone().into_tensor().unwrap();
    let asked = Conv3dOptions::new()
        .strides::<2, 1, 2>()
        .padding_sides::<1, 0, 2, 1, 0, 1>()
        .dilations::<1, 2, 1>()
        .groups::<2>();
    let y: Tensor<shape![Batch, 6, 3, 7, 3], f64> = typed.conv3d(&weights, asked);
    let options = ConvOptions::new()
        .stride(&[2, 1, 2])
        .padding_sides(&[(1, 0), (2, 1), (0, 1)])
        .dilation(&[1, 2, 1])
        .groups(2);
    assert_eq!(DynTensor::from(y), x.conv3d(&w, &options).unwrap());

    let back = random.tensor(&[4, 3, 3, 2, 2]);
    let of_back: Tensor<shape![4, 3, 3, 2, 2], f64> = back.clone().into_tensor().unwrap();
    let asked =
        Conv3dOptions::new().stride::<2>().padding::<1>().output_padding::<1>().groups::<2>();
    let y: Tensor<shape![Batch, 6, 14, 11, 9], f64> = typed.conv_transpose3d(&of_back, asked);
    let options = ConvOptions::new().stride(&[2]).padding(&[1]).output_padding(&[1]).groups(2);
    assert_eq!(DynTensor::from(y), x.conv_transpose3d(&back, &options).unwrap());

    // A number of frames that is known at run time.
    let video: Tensor<shape![4, Frames, 6, 5], f64> =
        random.tensor(&[4, 5, 6, 5]).into_tensor().unwrap();
    let whole: Tensor<shape![6, 4, 3, 2, 2], f64> =
        random.tensor(&[6, 4, 3, 2, 2]).into_tensor().unwrap();
    let y: Tensor<shape![6, Frames, 6, 5], f64> = video.conv3d(&whole, Conv3dOptions::new().same());
    let options = ConvOptions::new().same();
    let expected = DynTensor::from(video).conv3d(&DynTensor::from(whole), &options).unwrap();
    assert_eq!(DynTensor::from(y), expected);
}

/// Sizes of models, and sizes at the edges of the digits in which the compiler computes.
#[test]
fn the_compiler_counts_places() {
    fn zeros<S: tensor_core::StaticShape>() -> Tensor<S> {
        Tensor::zeros()
    }
    let _: Tensor<shape![1, 112, 112]> = zeros::<shape![1, 224, 224]>()
        .conv2d(&zeros::<shape![1, 1, 7, 7]>(), Conv2dOptions::new().stride::<2>().padding::<3>());
    let _: Tensor<shape![1, 1, 1]> = zeros::<shape![1, 1024, 2048]>()
        .conv2d(&zeros::<shape![1, 1, 1024, 2048]>(), Conv2dOptions::new());
    let _: Tensor<shape![1, 1]> = zeros::<shape![1, 5]>()
        .conv1d(&zeros::<shape![1, 1, 3]>(), Conv1dOptions::new().stride::<3>());
    let _: Tensor<shape![1, 16_753]> = zeros::<shape![1, 50_257]>()
        .conv1d(&zeros::<shape![1, 1, 1]>(), Conv1dOptions::new().stride::<3>());
    let _: Tensor<shape![1, 1001]> = zeros::<shape![1, 2001]>()
        .conv1d(&zeros::<shape![1, 1, 1]>(), Conv1dOptions::new().stride::<2>());
    let _: Tensor<shape![1, 999]> =
        zeros::<shape![1, 1000]>().conv1d(&zeros::<shape![1, 1, 2]>(), Conv1dOptions::new());
    let _: Tensor<shape![1, 10_000]> = zeros::<shape![1, 9_999]>()
        .conv1d(&zeros::<shape![1, 1, 2]>(), Conv1dOptions::new().padding::<1>());
    let _: Tensor<shape![1, 101]> = zeros::<shape![1, 100_999]>()
        .conv1d(&zeros::<shape![1, 1, 1]>(), Conv1dOptions::new().stride::<1000>());
    let _: Tensor<shape![2048, 4]> = zeros::<shape![2048, 4]>()
        .conv1d(&zeros::<shape![2048, 1, 1]>(), Conv1dOptions::new().groups::<2048>());
    let _: Tensor<shape![1, 2000]> = zeros::<shape![1, 1000]>()
        .conv_transpose1d(&zeros::<shape![1, 1, 2]>(), Conv1dOptions::new().stride::<2>());
}

#[test]
fn what_does_not_fit_is_an_error() {
    let tensor = |sizes: &[usize]| DynTensor::full(sizes, 1.0_f32);
    let error = |x: &[usize], w: &[usize], options: ConvOptions| {
        tensor(x).conv(&tensor(w), &options).unwrap_err()
    };
    let new = ConvOptions::new;
    assert_eq!(
        error(&[3, 5, 5], &[2, 4, 3, 3], new()),
        ShapeError::Channels { input: 3, weights: 4, groups: 1 }
    );
    assert_eq!(
        error(&[6, 5], &[6, 2, 3], new().groups(2)).to_string(),
        "the input has 6 channels, and the weights take 2 in each of 2 groups"
    );
    assert_eq!(
        error(&[6, 5], &[4, 2, 3], new().groups(3)),
        ShapeError::Groups { channels: 4, groups: 3 }
    );
    assert_eq!(
        error(&[1, 4, 5], &[1, 1, 7, 3], new().padding(&[1, 0])).to_string(),
        "a window of size 7 is larger than its padded input: axis 1 has size 4 and 2 elements of padding"
    );
    let huge = usize::MAX / 2;
    assert!(matches!(
        error(&[1, 4], &[1, 1, 3], new().dilation(&[huge])),
        ShapeError::WindowTooLarge { .. }
    ));
    let transposed = |x: &[usize], options: ConvOptions| {
        tensor(x).conv_transpose(&tensor(&[1, 1, 3]), &options).unwrap_err().to_string()
    };
    assert_eq!(
        transposed(&[1, 4], new().stride(&[huge])),
        format!(
            "the result of this transposed convolution has more than isize::MAX elements along axis 1, which has size 4, with stride {huge} and a window of size 3"
        )
    );
    assert_eq!(
        transposed(&[1, 4], new().padding(&[9])),
        "the padding of this transposed convolution, 18 elements, removes all of its results along axis 1, of size 4, for a window of size 3"
    );
    for options in [new().stride(&[0]), new().dilation(&[0]), new().groups(0)] {
        assert!(matches!(error(&[1, 4], &[1, 1, 3], options), ShapeError::WindowOptionZero { .. }));
    }
    assert!(matches!(
        error(&[1, 4], &[1, 1, 0], new()),
        ShapeError::WindowOptionZero { option: "a window" }
    ));
    assert!(matches!(
        error(&[1, 4], &[1, 1, 3], new().stride(&[1, 2])),
        ShapeError::WindowOptionCount { found: 2, axes: 1, .. }
    ));
    assert!(matches!(error(&[1, 4], &[1, 3], new()), ShapeError::ConvolutionRank { .. }));
    assert!(matches!(error(&[4], &[1, 1, 3], new()), ShapeError::ConvolutionRank { .. }));
    assert_eq!(
        error(&[1, 4], &[1, 1, 3], new().same().stride(&[2])),
        ShapeError::WindowSame { stride: 2 }
    );
    assert_eq!(
        error(&[1, 4], &[1, 1, 3], new().output_padding(&[1])),
        ShapeError::WindowOutputPadding
    );
    // Padding beyond what memory holds.
    assert!(matches!(
        error(&[1, 4], &[1, 1, 1], new().padding(&[huge / 8])),
        ShapeError::TooLarge { .. }
    ));
    assert!(matches!(
        error(&[1, 4], &[1, 1, 1], new().padding(&[usize::MAX])),
        ShapeError::WindowTooLarge { .. }
    ));
    let transposed = tensor(&[1, 2]).conv_transpose(&tensor(&[1, 1, 2]), &new().padding(&[5]));
    assert!(matches!(transposed, Err(ShapeError::WindowNothingLeft { .. })));
}

/// Padding that dwarfs the image is not made.
#[test]
fn padding_far_beyond_the_image_takes_no_memory() {
    let x = DynTensor::from(tensor![[[1.0, 2.0], [3.0, 4.0]]]);
    let w = DynTensor::from(tensor![[[[5.0]]]]);
    let far = 1 << 40;
    let options = ConvOptions::new().padding(&[far]).stride(&[far]);
    let y = x.conv(&w, &options).unwrap();
    let mut expected = DynTensor::full(&[1, 3, 3], 0.0);
    expected[[0, 1, 1]] = 5.0;
    assert_eq!(y, expected);
}

/// Padding is zeros, whatever kernel computes it: the product with a weight that is not finite is NaN.
#[test]
fn padding_times_infinity_is_nan() {
    let bits = |x: f32| if x.is_nan() { 0 } else { x.to_bits() };
    for half in [1, 2] {
        let window = 2 * half + 1;
        for (size, stride) in [(4, 1), (16, 1), (17, 2), (40, 1)] {
            let x = DynTensor::<f32>::full(&[2, size, size], 1.0);
            let mut weights = vec![1.0; 2 * window * window];
            weights[half] = f32::INFINITY;
            let weights = DynTensor::from_vec(&[2, 1, window, window], weights).unwrap();
            let options = ConvOptions::new().groups(2).stride(&[stride, 1]);
            let found = x.conv2d(&weights, &options.clone().padding(&[half, half])).unwrap();
            let around = [half as isize; 2];
            let padded = x.pad(&[[0, 0], around, around], Padding::Constant(0.0)).unwrap();
            let expected = padded.conv2d(&weights, &options).unwrap();
            assert!(expected.to_vec().iter().any(|x| x.is_nan()));
            assert_eq!(found.map(bits), expected.map(bits));
        }
    }
    // Padding that is not made.
    let x = DynTensor::<f32>::full(&[1, 2], 1.0);
    let weights = DynTensor::<f32>::full(&[1, 1, 1], f32::INFINITY);
    let far = ConvOptions::new().padding(&[1 << 40]).stride(&[1 << 40]);
    let found = x.conv1d(&weights, &far).unwrap().to_vec();
    assert!(found[0].is_nan() && found[1] == f32::INFINITY && found[2].is_nan());
}

/// A transposed convolution has no zeros around and between the elements: a weight that is not finite changes the results
/// that it is added to, and no others.
#[test]
fn transposed_weights_that_are_not_finite_change_their_results_alone() {
    let mut random = Random::new(7, 8);
    let [channels, size, window] = [2, 17, 3];
    let mut weights = random.tensor(&[channels, 1, window, window]);
    weights[[0, 0, 1, 1]] = f64::INFINITY;
    let x = DynTensor::full(&[channels, size, size], 1.0);
    for (stride, padding) in [(1, 0), (1, 1), (2, 0), (2, 1), (3, 1)] {
        let positions = (size - 1) * stride + window - 2 * padding;
        let mut expected = DynTensor::full(&[1, positions, positions], 0.0);
        let to = |element: usize, tap: usize| {
            (element * stride + tap).checked_sub(padding).filter(|&to| to < positions)
        };
        for index in 0..(channels * size * size) * (window * window) {
            let (tap, element) = (index % (window * window), index / (window * window));
            let (row, column) = (element / size % size, element % size);
            let (row_tap, column_tap) = (tap / window, tap % window);
            if let (Some(row), Some(column)) = (to(row, row_tap), to(column, column_tap)) {
                expected[[0, row, column]] +=
                    weights[[element / (size * size), 0, row_tap, column_tap]];
            }
        }
        let options = ConvOptions::new().stride(&[stride]).padding(&[padding]);
        assert_eq!(x.conv_transpose(&weights, &options).unwrap(), expected);
        let narrow = x.cast::<f32>().conv_transpose(&weights.cast::<f32>(), &options).unwrap();
        assert_eq!(narrow.cast::<f64>(), expected);
    }
}

#[test]
fn no_channels_and_no_images() {
    let x = DynTensor::full(&[2, 0, 4, 4], 1.0);
    let y = x.conv(&DynTensor::full(&[3, 0, 3, 3], 1.0), &ConvOptions::new()).unwrap();
    assert_eq!(y, DynTensor::full(&[2, 3, 2, 2], 0.0));
    let x = DynTensor::full(&[0, 2, 4, 4], 1.0);
    let y = x.conv(&DynTensor::full(&[3, 2, 3, 3], 1.0), &ConvOptions::new()).unwrap();
    assert_eq!(y.sizes(), [0, 3, 2, 2]);
    // An image without elements has padding.
    let x = DynTensor::full(&[1, 0], 1.0);
    let y = x.conv(&DynTensor::full(&[1, 1, 2], 1.0), &ConvOptions::new().padding(&[2])).unwrap();
    assert_eq!(y, DynTensor::full(&[1, 3], 0.0));
}

#[test]
fn any_leading_axes_are_images() {
    let mut random = Random::new(6, 8);
    let (x, w) = (random.tensor(&[2, 3, 2, 5, 5]), random.tensor(&[4, 2, 3, 3]));
    let options = ConvOptions::new().padding(&[1]);
    let joined = x.flatten_axes(0, 1).unwrap().conv2d(&w, &options).unwrap();
    assert_eq!(x.conv2d(&w, &options).unwrap(), joined.unflatten(0, &[2, 3]).unwrap());
    // The same image again and again, without a copy of it.
    let image = random.tensor(&[2, 5, 5]);
    let repeated = image.expand(&[3, 2, 5, 5]).unwrap();
    let alone = image.conv2d(&w, &options).unwrap();
    assert_eq!(repeated.conv2d(&w, &options).unwrap(), alone.expand(&[3, 4, 5, 5]).unwrap());
}

#[test]
#[should_panic(expected = "the input has 3 channels, and the weights take 4")]
fn named_channels_of_two_sizes_panic() {
    axis!(Color);
    let x = Tensor::<shape![Color, 5]>::ones_shaped(shape![Color(3), 5]);
    let w = Tensor::<shape![2, Color, 3]>::ones_shaped(shape![2, Color(4), 3]);
    let _ = x.conv1d(&w, Conv1dOptions::new());
}
