//! Pooling, compared with its definition as nested loops, on random sizes and options.

use crate::random::Random;
use tensor_core::trace::trace;
use tensor_core::windows::{
    Conv2dOptions, Pool1dOptions, Pool2dOptions, Pool3dOptions, PoolOptions,
};
use tensor_core::{DynTensor, IntoTensor, ShapeError, Tensor, axes, axis, shape, tensor};

#[derive(Clone, Copy, Debug)]
struct Axis {
    size: usize,
    window: usize,
    stride: usize,
    dilation: usize,
    padding: (usize, usize),
}

impl Axis {
    /// By trying each position.
    fn places(&self, is_ceil: bool) -> usize {
        let extent = (self.window - 1) * self.dilation + 1;
        let padded = self.size + self.padding.0 + self.padding.1;
        let fits = |place: usize| {
            let start = place * self.stride;
            if is_ceil {
                // There is an element beyond the previous window.
                let reached = (start + extent).saturating_sub(self.stride);
                start < self.size + self.padding.0 && (place == 0 || reached < padded)
            } else {
                start + extent <= padded
            }
        };
        (0..).take_while(|&place| fits(place)).count()
    }

    /// The elements of the window at a position, and the number of them within the axis or its
    /// padding.
    fn elements(&self, place: usize) -> (Vec<usize>, usize) {
        let all = (0..self.window).map(|tap| place * self.stride + tap * self.dilation);
        let padded = self.size + self.padding.0 + self.padding.1;
        let counted = all.clone().filter(|&at| at < padded).count();
        let inside = all.filter_map(|at| at.checked_sub(self.padding.0));
        (inside.filter(|&at| at < self.size).collect(), counted)
    }
}

/// The elements of each window, and how many there are with the padding.
fn windows(
    x: &DynTensor<f64>,
    axes: &[Axis],
    is_ceil: bool,
) -> (Vec<usize>, Vec<(Vec<f64>, usize)>) {
    let lead = x.rank() - axes.len();
    let mut sizes = x.sizes()[..lead].to_vec();
    sizes.extend(axes.iter().map(|axis| axis.places(is_ceil)));
    let mut all = Vec::new();
    let _ = DynTensor::from_fn(&sizes, |index| {
        let mut places = vec![index[..lead].to_vec()];
        let mut counted = 1;
        for (axis, &place) in axes.iter().zip(&index[lead..]) {
            let (elements, count) = axis.elements(place);
            counted *= count;
            places = places
                .iter()
                .flat_map(|lead| elements.iter().map(move |&at| [&lead[..], &[at]].concat()))
                .collect();
        }
        all.push((places.iter().map(|at| x.get(at).unwrap()).collect(), counted));
        0.0
    });
    (sizes, all)
}

#[test]
fn random_pooling_is_by_definition() {
    let mut random = Random::new(1, 99);
    for round in 0..400 {
        let rank = 1 + random.below(3);
        let is_ceil = random.below(2) == 1;
        let counts = random.below(2) == 1;
        let is_whole = round % 8 == 0;
        let axes: Vec<Axis> = (0..rank)
            .map(|_| {
                let (window, dilation) = (1 + random.below(4), 1 + random.below(3));
                let extent = (window - 1) * dilation + 1;
                let mut padding = || random.below(3).min(extent / 2);
                let padding = (padding(), padding());
                let least = extent.saturating_sub(padding.0 + padding.1).max(1);
                // Of some, each window is the whole image.
                if is_whole {
                    let (dilation, padding) = (1, (0, 0));
                    return Axis { size: window, window, stride: 1, dilation, padding };
                }
                let size = least + random.below([30, 9, 5][rank - 1]);
                Axis { size, window, stride: 1 + random.below(4), dilation, padding }
            })
            .collect();
        let mut sizes: Vec<usize> = (0..random.below(3)).map(|_| random.below(4)).collect();
        if round % 5 == 0 {
            sizes.push(16 + random.below(4));
        }
        sizes.extend(axes.iter().map(|axis| axis.size));
        let list = |f: fn(&Axis) -> usize| axes.iter().map(f).collect::<Vec<_>>();
        let padding: Vec<_> = axes.iter().map(|axis| axis.padding).collect();
        let options = PoolOptions::new(&list(|axis| axis.window))
            .stride(&list(|axis| axis.stride))
            .dilation(&list(|axis| axis.dilation))
            .padding_sides(&padding)
            .ceil_mode(is_ceil)
            .count_include_pad(counts);
        let x = random.tensor(&sizes);
        let (sizes, windows) = windows(&x, &axes, is_ceil);
        let name = format!("{round}: {:?} {axes:?} {is_ceil} {counts}", x.sizes());
        let largest = windows
            .iter()
            .map(|(window, _)| window.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b)));
        let largest = DynTensor::from_vec(&sizes, largest.collect()).unwrap();
        assert_eq!(x.max_pool(&options).unwrap(), largest, "{name}");
        let mean = |(window, counted): &(Vec<f64>, usize)| {
            window.iter().sum::<f64>() / if counts { *counted } else { window.len() } as f64
        };
        let mean = DynTensor::from_vec(&sizes, windows.iter().map(mean).collect()).unwrap();
        let found = x.avg_pool(&options).unwrap();
        assert!(same(&found, &mean, 1e-12), "{name}: {:?} {:?}", found.to_vec(), mean.to_vec());

        // Other elements, and views.
        let whole: DynTensor<i16> = x.cast::<i16>().max_pool(&options).unwrap();
        let lowest = |x: f64| if x == f64::NEG_INFINITY { i16::MIN } else { x as i16 };
        assert_eq!(whole, largest.map(lowest), "{name}");
        let narrow = x.cast::<f32>().avg_pool(&options).unwrap().cast::<f64>();
        assert!(same(&narrow, &mean, 1e-5), "{name}");
        let order: Vec<isize> = (0..x.rank() as isize).rev().collect();
        let turned = x.permute(&order).unwrap().contiguous().permute(&order).unwrap();
        assert_eq!(turned.max_pool(&options).unwrap(), largest, "{name}");
    }
}

/// Of a window's elements, the gradient reaches the first maximum or NaN, as of those of -∞ alone.
#[test]
fn the_gradient_reaches_the_first_maximum_or_nan() {
    let mut random = Random::new(5, 99);
    let values = [f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY, -1.0, 2.0, f64::NAN];
    for (size, stride, padding, dilation) in [
        (40, 1, 1, 1),
        (50, 1, 0, 1),
        (70, 2, 1, 1),
        (71, 2, 0, 1),
        (70, 3, 1, 2),
        (90, 4, 1, 1),
        (5, 1, 1, 2),
    ] {
        let axis = Axis { size, window: 3, stride, dilation, padding: (padding, padding) };
        let elements: Vec<f64> = (0..3 * size).map(|_| values[random.below(6)]).collect();
        let x = DynTensor::from_vec(&[3, size], elements.clone()).unwrap().requires_grad();
        let options = PoolOptions::new(&[3]).stride(&[stride]).padding(&[padding]);
        let y = x.max_pool(&options.dilation(&[dilation])).unwrap();
        let weights = random.tensor(y.sizes());
        let mut expected = vec![0.0; elements.len()];
        for (index, weight) in weights.to_vec().into_iter().enumerate() {
            let (row, place) = (index / y.sizes()[1], index % y.sizes()[1]);
            let window = axis.elements(place).0.into_iter().map(|at| row * size + at);
            let is_better = |a: f64, b: f64| !a.is_nan() && (b > a || b.is_nan());
            let best =
                window.reduce(|a, b| if is_better(elements[a], elements[b]) { b } else { a });
            expected[best.unwrap()] += weight;
        }
        let gradient = (&y * &weights).unwrap().sum().gradients(&[&x]).remove(0);
        assert_eq!(gradient.to_vec(), expected, "{axis:?}");
    }
}

/// Equal up to a relative error, with NaN equal to NaN.
fn same(a: &DynTensor<f64>, b: &DynTensor<f64>, relative: f64) -> bool {
    let close = |(a, b): (f64, f64)| {
        a.is_nan() && b.is_nan() || a == b || (a - b).abs() <= relative * (1.0 + b.abs())
    };
    a.sizes() == b.sizes() && a.iter().zip(b.iter()).all(|(&a, &b)| close((a, b)))
}

/// A window never covers only padding: PyTorch's rule, of windows of all kinds and sides.
#[test]
fn padding_is_at_most_half_of_the_window() {
    let x = DynTensor::full(&[8, 8, 8], 1.0);
    let message = |options: &PoolOptions| {
        let errors = [x.max_pool(options).unwrap_err(), x.avg_pool(options).unwrap_err()];
        assert_eq!(errors[0], errors[1]);
        errors[0].to_string()
    };
    for (window, padding) in [(2, 1), (3, 1), (4, 2), (5, 2)] {
        for axes in 1..=3 {
            let options = PoolOptions::new(&vec![window; axes]).stride(&[1]);
            assert!(x.max_pool(&options.clone().padding(&[padding])).is_ok());
            let error = message(&options.padding(&[padding + 1]));
            let expected = format!(
                "the padding of a pooling is at most half of the window: axis {} has {} elements of padding, the window covers {window}, and half of that is {padding}; for more, as TensorFlow and ONNX allow it, `pad` the tensor first",
                3 - axes,
                padding + 1
            );
            assert_eq!(error, expected);
        }
    }
    // One side is enough, and a dilated window covers more.
    message(&PoolOptions::new(&[3]).padding_sides(&[(0, 2)]));
    message(&PoolOptions::new(&[3]).padding_sides(&[(2, 0)]));
    assert!(x.max_pool1d(&PoolOptions::new(&[2]).dilation(&[3]).padding(&[2])).is_ok());
    message(&PoolOptions::new(&[2]).dilation(&[3]).padding(&[3]));
    let typed: Tensor<shape![8, 8, 8], f64> = x.into_tensor().unwrap();
    let padded: Tensor<shape![8, 8, 9], f64> =
        typed.max_pool1d(Pool1dOptions::new::<2>().stride::<1>().padding::<1>());
    assert_eq!(padded, Tensor::ones());
    let wide: Tensor<shape![8, 8, 9], f64> =
        typed.avg_pool1d(Pool1dOptions::new::<2>().dilation::<3>().stride::<1>().padding::<2>());
    assert_eq!(wide.shape(), shape![8, 8, 9]);
}

#[test]
fn typed_pooling_is_that_of_run_time_shapes() {
    axis!(Batch);
    let mut random = Random::new(2, 99);
    let x = random.tensor(&[3, 9, 10]);
    let typed: Tensor<shape![Batch, 9, 10], f64> = x.clone().into_tensor().unwrap();

    let asked = Pool2dOptions::new::<3>().stride::<2>().padding::<1>();
    let y: Tensor<shape![Batch, 5, 5], f64> = typed.max_pool2d(asked);
    let options = PoolOptions::new(&[3, 3]).stride(&[2]).padding(&[1]);
    assert_eq!(DynTensor::from(y), x.max_pool2d(&options).unwrap());

    let asked = Pool2dOptions::sizes::<2, 3>().ceil_mode().count_include_pad(false);
    let y: Tensor<shape![Batch, 5, 4], f64> = typed.avg_pool2d(asked);
    let options = PoolOptions::new(&[2, 3]).ceil_mode(true).count_include_pad(false);
    assert_eq!(DynTensor::from(y), x.avg_pool2d(&options).unwrap());

    // The last window starts within the axis, never in the padding after it.
    let y: Tensor<shape![Batch, 9, 5], f64> =
        typed.max_pool1d(Pool1dOptions::new::<2>().padding_sides::<0, 1>().ceil_mode());
    let options = PoolOptions::new(&[2]).padding_sides(&[(0, 1)]).ceil_mode(true);
    assert_eq!(DynTensor::from(y), x.max_pool1d(&options).unwrap());
    let y: Tensor<shape![Batch, 9, 3], f64> =
        typed.max_pool1d(Pool1dOptions::new::<2>().dilation::<5>().stride::<2>());
    let options = PoolOptions::new(&[2]).dilation(&[5]).stride(&[2]);
    assert_eq!(DynTensor::from(y), x.max_pool1d(&options).unwrap());
    let y: Tensor<shape![Batch, 9, 3], f64> =
        typed.max_pool1d(Pool1dOptions::new::<6>().stride::<2>().ceil_mode());
    assert_eq!(y.shape().1, Default::default());

    let volumes = random.tensor(&[2, 5, 6, 7]);
    let typed: Tensor<shape![Batch, 5, 6, 7], f64> = volumes.clone().into_tensor().unwrap();
    let asked =
        Pool3dOptions::sizes::<2, 3, 2>().strides::<1, 2, 2>().padding_sides::<1, 0, 0, 1, 1, 1>();
    let options =
        PoolOptions::new(&[2, 3, 2]).stride(&[1, 2, 2]).padding_sides(&[(1, 0), (0, 1), (1, 1)]);
    let y: Tensor<shape![Batch, 5, 3, 4], f64> = typed.max_pool3d(asked);
    assert_eq!(DynTensor::from(y), volumes.max_pool3d(&options).unwrap());
    let y: Tensor<shape![Batch, 5, 3, 4], f64> = typed.avg_pool3d(asked.count_include_pad(false));
    let options = options.count_include_pad(false);
    assert_eq!(DynTensor::from(y), volumes.avg_pool3d(&options).unwrap());
    let y: Tensor<shape![Batch, 3, 3, 4], f64> =
        typed.max_pool3d(Pool3dOptions::new::<2>().ceil_mode());
    let options = PoolOptions::new(&[2, 2, 2]).ceil_mode(true);
    assert_eq!(DynTensor::from(y), volumes.max_pool3d(&options).unwrap());
    let y: Tensor<shape![Batch, 2, 1, 1], f64> =
        typed.max_pool3d(Pool3dOptions::new::<2>().dilations::<2, 4, 5>());
    let options = PoolOptions::new(&[2, 2, 2]).dilation(&[2, 4, 5]);
    assert_eq!(DynTensor::from(y), volumes.max_pool3d(&options).unwrap());

    // All of an image.
    let image: Tensor<shape![3, 8, 8], f64> = random.tensor(&[3, 8, 8]).into_tensor().unwrap();
    let pooled: Tensor<shape![3, 1, 1], f64> = image.max_pool2d(Pool2dOptions::new::<8>());
    assert_eq!(pooled, image.max_axes_keepdims::<axes![-2, -1]>());
}

#[test]
fn the_compiler_counts_places_rounded_up() {
    fn zeros<S: tensor_core::StaticShape>() -> Tensor<S> {
        Tensor::zeros()
    }
    let _: Tensor<shape![113]> =
        zeros::<shape![225]>().max_pool1d(Pool1dOptions::new::<2>().ceil_mode());
    let _: Tensor<shape![112]> =
        zeros::<shape![224]>().max_pool1d(Pool1dOptions::new::<2>().ceil_mode());
    let _: Tensor<shape![3]> =
        zeros::<shape![7]>().max_pool1d(Pool1dOptions::new::<3>().padding::<1>().ceil_mode());
    let _: Tensor<shape![1000]> =
        zeros::<shape![1999]>().max_pool1d(Pool1dOptions::new::<2>().ceil_mode());
}

#[test]
fn nan_goes_through_a_maximum_and_padding_does_not() {
    let x = tensor![[f32::NAN, -1.0], [-2.0, -3.0]];
    let y = x.max_pool2d(Pool2dOptions::new::<2>().stride::<1>().padding::<1>());
    let expected = [f32::NAN, f32::NAN, -1.0, f32::NAN, f32::NAN, -1.0, -2.0, -2.0, -3.0];
    for (found, expected) in y.iter().zip(expected) {
        assert!(*found == expected || found.is_nan() && expected.is_nan(), "{y:?}");
    }
    // A dilated window around the axis.
    let around = Pool1dOptions::new::<2>().dilation::<4>().padding::<2>();
    assert_eq!(tensor![5_u8].max_pool1d(around), tensor![0]);
    assert_eq!(tensor![5_i8].max_pool1d(around), tensor![i8::MIN]);
}

#[test]
fn adaptive_means_are_those_of_the_parts() {
    let mut random = Random::new(3, 99);
    for _ in 0..100 {
        let sizes = [1 + random.below(3), 1 + random.below(12), 1 + random.below(12)];
        let target = [1 + random.below(9), 1 + random.below(9)];
        let x = random.tensor(&sizes);
        let part = |place: usize, size: usize, target: usize| {
            place * size / target..((place + 1) * size).div_ceil(target)
        };
        let expected = DynTensor::from_fn(&[sizes[0], target[0], target[1]], |index| {
            let rows = part(index[1], sizes[1], target[0]);
            let columns = part(index[2], sizes[2], target[1]);
            let count = rows.len() * columns.len();
            let at = |row, column| x.get(&[index[0], row, column]).unwrap();
            let all = rows.flat_map(|row| columns.clone().map(move |column| (row, column)));
            all.map(|(row, column)| at(row, column)).sum::<f64>() / count as f64
        });
        let found = x.adaptive_avg_pool(&target).unwrap();
        assert!(same(&found, &expected, 1e-12), "{sizes:?} {target:?}");
    }
    let x = Tensor::<shape![2, 5, 5]>::ones().adaptive_avg_pool::<shape![7, 7]>();
    assert!(x.all_close(&Tensor::<shape![2, 7, 7]>::ones(), 1e-6, 0.0));
}

#[test]
fn what_does_not_fit_is_an_error() {
    let x = DynTensor::full(&[2, 4], 1.0_f32);
    let error = |options| x.max_pool(&options).unwrap_err();
    let new = PoolOptions::new;
    assert!(matches!(error(new(&[5])), ShapeError::WindowTooLarge { axis: 1, size: 4, .. }));
    assert!(matches!(error(new(&[1, 1, 1])), ShapeError::PoolRank { input: 2, axes: 3 }));
    assert!(matches!(error(new(&[])), ShapeError::PoolRank { .. }));
    assert!(matches!(error(new(&[0])), ShapeError::WindowOptionZero { .. }));
    assert!(matches!(error(new(&[1]).stride(&[0])), ShapeError::WindowOptionZero { .. }));
    assert!(matches!(error(new(&[1]).stride(&[1, 1])), ShapeError::WindowOptionCount { .. }));
    let huge = usize::MAX;
    for (window, dilation) in [(huge, 1), (2, huge), (huge, huge)] {
        for is_ceil in [false, true] {
            let options = new(&[window]).dilation(&[dilation]).ceil_mode(is_ceil);
            assert!(matches!(error(options), ShapeError::WindowTooLarge { .. }));
        }
    }
    assert!(matches!(x.max_pool1d(&new(&[1, 1])), Err(ShapeError::WindowOptionCount { .. })));
    let none = DynTensor::full(&[2, 0], 1.0_f32);
    assert!(matches!(none.adaptive_avg_pool(&[3]), Err(ShapeError::Empty { axis: Some(1), .. })));
    assert_eq!(none.adaptive_avg_pool(&[0]).unwrap(), none);
}

/// Only the elements within the axes are read, however many the padding has.
#[test]
fn a_window_may_be_mostly_padding() {
    let half = 1 << 40;
    let x = DynTensor::<f64>::from_fn(&[3, 5], |index| (5 * index[0] + index[1]) as f64);
    let all = DynTensor::full(&[3, 6], 1.0);
    let tracked = x.requires_grad();
    let row = PoolOptions::new(&[2 * half]).stride(&[1]).padding(&[half]);
    let largest = tracked.max_pool(&row).unwrap();
    assert_eq!(largest, (&all * DynTensor::from(tensor![[4.0], [9.0], [14.0]])).unwrap());
    let gradient = largest.sum().gradients(&[&tracked]).remove(0);
    assert_eq!(
        gradient,
        DynTensor::from_fn(&[3, 5], |index| if index[1] == 4 { 6.0 } else { 0.0 })
    );

    let image = PoolOptions::new(&[2 * half, 2 * half]).stride(&[1]).padding(&[half]);
    let mean = |counts| tracked.avg_pool(&image.clone().count_include_pad(counts)).unwrap();
    assert_eq!(mean(false), DynTensor::full(&[4, 6], 7.0));
    let size = (2 * half) as f64;
    assert_eq!(mean(true), DynTensor::full(&[4, 6], 105.0 / size / size));
    let gradient = mean(true).sum().gradients(&[&tracked]).remove(0);
    assert_eq!(gradient, DynTensor::full(&[3, 5], 24.0 / size / size));

    let program = trace(&x, |x| x.avg_pool(&image).unwrap());
    let count = format!("dense<{:#018x}>", (size * size).to_bits());
    assert!(program.to_stablehlo().contains(&count), "{}", program.to_stablehlo());
}

#[test]
fn options_print_their_fields_by_name() {
    let options = Pool2dOptions::new::<2>();
    assert_eq!(format!("{options:?}"), "Pool2dOptions { excludes_padding: false }");
    let options = Pool3dOptions::new::<2>().stride::<1>().count_include_pad(false);
    assert_eq!(format!("{options:?}"), "Pool3dOptions { excludes_padding: true }");
    assert_eq!(format!("{:?}", Conv2dOptions::new().stride::<2>()), "Conv2dOptions");
}
