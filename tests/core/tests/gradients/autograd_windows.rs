//! Gradients of windows against differences, on random sizes, options and strides, to third order.

use crate::random_views::Random;
use tensor_core::windows::{ConvOptions, Interpolation, PoolOptions};
use tensor_core::{DynTensor, Padding, tensor};

/// Numbers from -1 to 1, no two of them near each other.
fn distinct(random: &mut Random, sizes: &[usize]) -> DynTensor<f64> {
    let len: usize = sizes.iter().product();
    let mut order: Vec<usize> = (0..len).collect();
    for place in (1..len).rev() {
        order.swap(place, random.below(place + 1));
    }
    let place = |element: usize| (element as f64 + 0.5) / len as f64 * 2.0 - 1.0;
    DynTensor::from_vec(sizes, order.into_iter().map(place).collect()).unwrap()
}

/// The same elements with other strides: transposed in memory, cut out of a larger tensor, or reversed.
fn strided(x: &DynTensor<f64>, random: &mut Random) -> DynTensor<f64> {
    let rank = x.rank() as isize;
    match random.below(4) {
        0 => x.clone(),
        1 => {
            let back: Vec<isize> = (0..rank).rev().collect();
            x.permute(&back).unwrap().contiguous().permute(&back).unwrap()
        }
        2 => {
            let two = DynTensor::stack([x, x], 0).unwrap();
            two.contiguous().index(0, 1).unwrap()
        }
        _ => {
            let axis = random.below(x.rank()) as isize;
            x.flip(&[axis]).unwrap().contiguous().flip(&[axis]).unwrap()
        }
    }
}

type Function<'a> = &'a dyn Fn(&[DynTensor<f64>]) -> DynTensor<f64>;

/// Numbers that differ, of these sizes.
fn weights(sizes: &[usize]) -> DynTensor<f64> {
    let mut place = 0;
    DynTensor::from_fn(sizes, |_| {
        place += 1;
        0.5 + (place * 7 % 11) as f64 * 0.125
    })
}

fn weighted(x: &DynTensor<f64>) -> DynTensor<f64> {
    (x * &weights(x.sizes())).unwrap().sum()
}

/// Compares the gradients of the weighted sum of the results with differences, and goes on with the
/// gradients as results.
fn check(name: &str, f: Function<'_>, at: &[DynTensor<f64>], order: usize) {
    let variables: Vec<_> = at.iter().map(DynTensor::requires_grad).collect();
    let places: Vec<&DynTensor<f64>> = variables.iter().collect();
    let value = f(&variables);
    if !value.is_tracked() {
        // A gradient that is a constant.
        for (place, x) in at.iter().enumerate() {
            let mut moved = at.to_vec();
            moved[place] = x + 1e-3;
            assert!(f(&moved).all_close(&value, 1e-9, 1e-9), "{name}: {x:?} is lost");
        }
        return;
    }
    let gradients = weighted(&value).gradients(&places);
    for (place, (x, gradient)) in at.iter().zip(&gradients).enumerate() {
        let (elements, got) = (x.to_vec(), gradient.to_vec());
        assert_eq!(gradient.sizes(), x.sizes(), "{name}: sizes of gradient {place}");
        for (element, &got) in got.iter().enumerate() {
            let step = 1e-5;
            let moved = |by: f64| {
                let mut elements = elements.clone();
                elements[element] += by;
                let mut at = at.to_vec();
                at[place] = DynTensor::from_vec(x.sizes(), elements).unwrap();
                weighted(&f(&at)).item().unwrap()
            };
            let want = (moved(step) - moved(-step)) / (2.0 * step);
            assert!(
                (got - want).abs() <= 1e-4 * want.abs().max(1.0),
                "{name}: order {order}, gradient {place}, element {element} is {got}, not {want}"
            );
        }
    }
    if order > 1 {
        for place in 0..at.len() {
            let next = |x: &[DynTensor<f64>]| {
                let recorded: Vec<_> = x
                    .iter()
                    .map(|x| if x.is_tracked() { x.clone() } else { x.requires_grad() })
                    .collect();
                let places: Vec<&DynTensor<f64>> = recorded.iter().collect();
                weighted(&f(&recorded)).tracked_gradients(&places).swap_remove(place)
            };
            check(&format!("{name}, d{place}"), &next, at, order - 1);
        }
    }
}

/// Options of a convolution along `axes` axes, with sizes that fit: the input and the weights.
fn convolution(
    random: &mut Random,
    axes: usize,
    is_transposed: bool,
) -> (ConvOptions, DynTensor<f64>, DynTensor<f64>) {
    loop {
        let groups = random.from(1, 3);
        let (channels, outputs) = (random.from(1, 3), random.from(1, 3));
        let mut each = |start, end| (0..axes).map(|_| random.from(start, end)).collect::<Vec<_>>();
        let (stride, dilation, window) = (each(1, 4), each(1, 3), each(1, 4));
        let (size, before, after) = (each(1, 6), each(0, 3), each(0, 3));
        let padding: Vec<_> = before.into_iter().zip(after).collect();
        let mut options =
            ConvOptions::new().stride(&stride).dilation(&dilation).padding_sides(&padding);
        options = options.groups(groups);
        if is_transposed {
            let added: Vec<_> = stride.iter().map(|stride| stride - 1).collect();
            options = options.output_padding(&added);
        }
        let first = match is_transposed {
            true => [groups * channels, outputs],
            false => [groups * outputs, channels],
        };
        let lead = &[2, 1, 0][..random.below(2)];
        let x = distinct(random, &[lead, &[groups * channels], &size].concat());
        let w = distinct(random, &[&first[..], &window].concat());
        let fits = match is_transposed {
            true => x.conv_transpose(&w, &options).is_ok(),
            false => x.conv(&w, &options).is_ok(),
        };
        if fits && x.len() < 80 {
            return (options, strided(&x, random), strided(&w, random));
        }
    }
}

#[test]
fn convolutions() {
    let mut random = Random::new(1);
    for case in 0..40 {
        let axes = random.from(1, 4);
        let (options, x, w) = convolution(&mut random, axes, false);
        let f = |x: &[DynTensor<f64>]| x[0].conv(&x[1], &options).unwrap();
        check(&format!("{options:?} {:?} {:?}", x.sizes(), w.sizes()), &f, &[x, w], 1 + case % 2);
    }
}

#[test]
fn transposed_convolutions() {
    let mut random = Random::new(2);
    for case in 0..40 {
        let axes = random.from(1, 4);
        let (options, x, w) = convolution(&mut random, axes, true);
        let f = |x: &[DynTensor<f64>]| x[0].conv_transpose(&x[1], &options).unwrap();
        check(&format!("{options:?} {:?} {:?}", x.sizes(), w.sizes()), &f, &[x, w], 1 + case % 2);
    }
}

#[test]
fn convolutions_to_third_order() {
    let mut random = Random::new(3);
    for is_transposed in [false, true] {
        let options = ConvOptions::new().stride(&[2]).padding_sides(&[(1, 0)]).dilation(&[2]);
        let (x, w) = (distinct(&mut random, &[2, 2, 6]), distinct(&mut random, &[2, 2, 2]));
        // Not linear in either operand.
        let f = |x: &[DynTensor<f64>]| match is_transposed {
            true => x[0].conv_transpose(&x[1], &options).unwrap().powi(3),
            false => x[0].conv(&x[1], &options).unwrap().powi(3),
        };
        check("the cube of a convolution", &f, &[x, w], 3);
    }
}

#[test]
fn padding_much_larger_than_the_image() {
    let mut random = Random::new(4);
    let options = ConvOptions::new().padding(&[400_000]).stride(&[300_000]).dilation(&[100_000]);
    let (x, w) = (distinct(&mut random, &[2, 2, 3]), distinct(&mut random, &[1, 2, 9]));
    let f = |x: &[DynTensor<f64>]| x[0].conv(&x[1], &options).unwrap();
    check("far apart", &f, &[x, w], 2);
}

#[test]
fn blocks_of_places_and_rows() {
    // More positions than are multiplied at a time, in one image and in several; more rows than a
    // block has.
    let mut random = Random::new(5);
    for (x, w) in [
        ([1, 1, 40, 41], [2, 1, 3, 3]),
        ([40, 2, 7, 9], [3, 2, 2, 2]),
        ([3, 33, 6, 5], [2, 33, 3, 3]),
        // Several bands of rows; and a window that leaves elements of the image over.
        ([1, 1, 300, 62], [2, 1, 3, 3]),
        ([2, 2, 20, 30], [11, 2, 4, 4]),
    ] {
        let (x, w) = (distinct(&mut random, &x), distinct(&mut random, &w).requires_grad());
        let y = x.conv2d(&w, &ConvOptions::new().padding(&[1])).unwrap();
        let g = distinct(&mut random, y.sizes());
        let got = (&y * &g).unwrap().gradients(&[&w]).remove(0);
        let (rows, columns) = (y.sizes()[2], y.sizes()[3]);
        let x = x.pad(&[[0, 0], [0, 0], [1, 1], [1, 1]], Padding::Constant(0.0)).unwrap();
        let want = DynTensor::from_fn(w.sizes(), |at| {
            let mut sum = 0.0;
            for image in 0..x.sizes()[0] {
                for row in 0..rows {
                    for column in 0..columns {
                        sum += x[[image, at[1], row + at[2], column + at[3]]]
                            * g[[image, at[0], row, column]];
                    }
                }
            }
            sum
        });
        assert!(got.all_close(&want, 1e-10, 1e-10));
        let halves = (&y.detach() * &g).unwrap();
        assert!(!halves.is_tracked());
    }
}

#[test]
fn half_precision_is_summed_in_single() {
    let x = DynTensor::<f32>::from_fn(&[9, 2, 8], |at| ((at[0] + 3 * at[1] + at[2]) % 5) as f32);
    let w = DynTensor::<f32>::from_fn(&[3, 2, 3], |at| (at[0] + at[1] + at[2]) as f32 - 2.0);
    let of = |x: &DynTensor<f32>, w: &DynTensor<f32>| {
        let (x, w) = (x.requires_grad(), w.requires_grad());
        let y = x.conv1d(&w, &ConvOptions::new()).unwrap();
        let pooled = y.avg_pool1d(&PoolOptions::new(&[2])).unwrap();
        pooled.gradients(&[&x, &w])
    };
    let single = of(&x, &w);
    {
        use half::f16;
        let (x, w) = (x.cast::<f16>().requires_grad(), w.cast::<f16>().requires_grad());
        let y = x.conv1d(&w, &ConvOptions::new()).unwrap();
        let pooled = y.avg_pool1d(&PoolOptions::new(&[2])).unwrap();
        for (got, want) in pooled.gradients(&[&x, &w]).iter().zip(&single) {
            assert_eq!(got.cast::<f32>(), *want);
        }
    }
    assert_eq!(single[1].sizes(), [3, 2, 3]);
}

/// Options of pooling along `axes` axes, with an input that fits.
fn pooling(random: &mut Random, axes: usize) -> (PoolOptions, DynTensor<f64>) {
    loop {
        let mut each = |start, end| (0..axes).map(|_| random.from(start, end)).collect::<Vec<_>>();
        let (stride, mut dilation, window) = (each(1, 4), each(1, 3), each(1, 4));
        let (mut size, before, after) = (each(1, 7), each(0, 2), each(0, 2));
        let mut padding: Vec<_> = before.into_iter().zip(after).collect();
        // Of some, each window is the whole image.
        if random.below(4) == 0 {
            size.clone_from(&window);
            padding.fill((0, 0));
            dilation.fill(1);
        }
        let options = PoolOptions::new(&window)
            .stride(&stride)
            .dilation(&dilation)
            .padding_sides(&padding)
            .ceil_mode(random.below(2) == 0)
            .count_include_pad(random.below(2) == 0);
        let lead = [&[][..], &[2], &[2, 2], &[16]][random.below(4)];
        let x = distinct(random, &[lead, &size].concat());
        if x.max_pool(&options).is_ok() && x.len() < 150 {
            return (options, strided(&x, random));
        }
    }
}

#[test]
fn largest_of_windows() {
    let mut random = Random::new(6);
    for _ in 0..50 {
        let axes = random.from(1, 4);
        let (options, x) = pooling(&mut random, axes);
        // A window of padding alone has no slope, and no difference of infinities.
        let finite = |x: &DynTensor<f64>| {
            let y = x.max_pool(&options).unwrap();
            let is_finite = y.is_finite();
            is_finite.select(&y, &DynTensor::full(&[], 0.0)).unwrap()
        };
        let f = |x: &[DynTensor<f64>]| finite(&x[0]).powi(2);
        check(&format!("{options:?} {:?}", x.sizes()), &f, &[x], 2);
    }
}

#[test]
fn means_of_windows() {
    let mut random = Random::new(7);
    for _ in 0..50 {
        let axes = random.from(1, 4);
        let (options, x) = pooling(&mut random, axes);
        if x.avg_pool(&options).unwrap().is_nan().to_vec().contains(&true) {
            continue;
        }
        let f = |x: &[DynTensor<f64>]| x[0].avg_pool(&options).unwrap().powi(2);
        check(&format!("{options:?} {:?}", x.sizes()), &f, &[x], 2);
    }
}

#[test]
fn other_sizes() {
    let mut random = Random::new(8);
    for case in 0..60 {
        let axes = random.from(1, 4);
        let mut each = |start, end| (0..axes).map(|_| random.from(start, end)).collect::<Vec<_>>();
        let (from, to) = (each(1, 6), each(1, 7));
        let lead = &[2, 1][..random.below(3)];
        let x = distinct(&mut random, &[lead, &from].concat());
        let x = strided(&x, &mut random);
        let interpolation =
            [Interpolation::Nearest, Interpolation::Bilinear, Interpolation::BilinearAlignCorners];
        let f = |x: &[DynTensor<f64>]| match interpolation.get(case % 4) {
            Some(&interpolation) => x[0].interpolate(&to, interpolation).unwrap().powi(2),
            None => x[0].adaptive_avg_pool(&to).unwrap().powi(2),
        };
        check(&format!("{case}: {from:?} to {to:?}"), &f, &[x], 2);
    }
}

/// Empty tensors are not tracked, and the other operands keep their gradients.
#[test]
fn empty_axes() {
    let options = ConvOptions::new().padding(&[1]);
    for (x, w) in [([0, 2, 4], [3, 2, 3]), ([2, 0, 4], [3, 0, 3]), ([2, 2, 4], [0, 2, 3])] {
        let (x, w) = (DynTensor::full(&x, 1.0), DynTensor::full(&w, 1.0));
        let (x, w) = (x.requires_grad(), w.requires_grad());
        let y = x.conv1d(&w, &options).unwrap();
        assert_eq!(y.sum(), DynTensor::full(&[], 0.0));
        let one = DynTensor::full(&[], 1.0).requires_grad();
        let loss = (&(&y.sum() + &x.sum()).unwrap() + &(&w.sum() * &one).unwrap()).unwrap();
        assert_eq!(loss.gradients(&[&one]), [w.detach().sum()]);
    }
    let x = DynTensor::full(&[0, 4], 1.0).requires_grad();
    assert_eq!(x.max_pool1d(&PoolOptions::new(&[2])).unwrap().sizes(), [0, 2]);
    assert_eq!(x.avg_pool1d(&PoolOptions::new(&[2])).unwrap().sizes(), [0, 2]);
    let x = DynTensor::full(&[2, 3], 1.0).requires_grad();
    let none = x.interpolate(&[0], Interpolation::Nearest).unwrap();
    assert_eq!((&none.sum() + &x.sum()).unwrap().gradients(&[&x]), [DynTensor::full(&[2, 3], 1.0)]);
}

#[test]
fn the_first_of_equal_elements_and_of_nan_has_the_gradient() {
    let options = PoolOptions::new(&[3]);
    let x = DynTensor::from(tensor![2.0, 2.0, 1.0, 0.0, f64::NAN, f64::NAN]).requires_grad();
    let gradient = x.max_pool1d(&options).unwrap().gradients(&[&x]).remove(0);
    assert_eq!(gradient, tensor![1.0, 0.0, 0.0, 0.0, 1.0, 0.0].into());
    let x = DynTensor::from(tensor![1.0, f64::NAN, 9.0]).requires_grad();
    let gradient = x.max_pool1d(&options).unwrap().gradients(&[&x]).remove(0);
    assert_eq!(gradient, tensor![0.0, 1.0, 0.0].into());
    let x = DynTensor::full(&[3], f64::NEG_INFINITY).requires_grad();
    let gradient = x.max_pool1d(&options).unwrap().gradients(&[&x]).remove(0);
    assert_eq!(gradient, tensor![1.0, 0.0, 0.0].into());
}

/// Elements of which many are equal, and some NaN.
fn equal_and_nan(random: &mut Random, sizes: &[usize]) -> DynTensor<f32> {
    let number = |number| if number == 0 { f32::NAN } else { (number % 4) as f32 - 1.5 };
    let elements = (0..sizes.iter().product()).map(|_| number(random.below(20))).collect();
    DynTensor::from_vec(sizes, elements).unwrap()
}

fn bits(x: &DynTensor<f32>) -> Vec<u32> {
    x.iter().map(|x| x.to_bits()).collect()
}

/// Many small images are computed together: as each alone, with equal elements and NaN, and their gradients.
#[test]
fn many_images_are_images_like_others() {
    let mut random = Random::new(32);
    for (image, window, stride) in [
        (&[9][..], &[3][..], 2),
        (&[4], &[2], 1),
        (&[9, 7], &[4, 3], 2),
        (&[3, 4, 5], &[2, 2, 2], 1),
    ] {
        let sizes = [&[17], image].concat();
        let x = equal_and_nan(&mut random, &sizes);
        let options = PoolOptions::new(window).stride(&[stride]);
        let computed = |x: &DynTensor<f32>| {
            let x = x.requires_grad();
            let (largest, mean) = (x.max_pool(&options).unwrap(), x.avg_pool(&options).unwrap());
            let [of_largest, of_mean] = [&largest, &mean].map(|y| {
                let weights = DynTensor::from_fn(&y.sizes()[1..], |at| 0.5 + at[0] as f32);
                (y * &weights).unwrap().gradients(&[&x]).remove(0)
            });
            [largest, mean, of_largest, of_mean]
        };
        let together = computed(&x);
        for image in 0..17 {
            let alone = computed(&x.slice_axis(0, image..image + 1).unwrap());
            for (together, alone) in together.iter().zip(&alone) {
                let part = together.slice_axis(0, image..image + 1).unwrap();
                assert_eq!(bits(&part), bits(alone), "{sizes:?}, image {image}");
            }
        }
    }
}

/// Windows of two by two elements have separate loops: their results are bit-identical to those of images
/// with one more axis, with equal elements and NaN, and with a remaining row or column.
#[test]
fn quads_are_windows_like_others() {
    let mut random = Random::new(31);
    for sizes in [[2, 8, 8], [3, 5, 7], [1, 2, 3], [2, 4, 19], [1, 3, 2], [300, 28, 26]] {
        let x = equal_and_nan(&mut random, &sizes);
        let [images, height, width] = sizes;
        let deeper = x.reshape(&[images, 1, height, width]).unwrap();
        let quads = PoolOptions::new(&[2, 2]).stride(&[2, 2]);
        let others = PoolOptions::new(&[1, 2, 2]).stride(&[1, 2, 2]);

        let (x, deeper) = (x.requires_grad(), deeper.requires_grad());
        let (largest, expected) = (x.max_pool(&quads).unwrap(), deeper.max_pool(&others).unwrap());
        assert_eq!(bits(&largest), bits(&expected), "{sizes:?}");
        let weights = (0..largest.len()).map(|place| 0.5 + place as f32).collect();
        let weights = DynTensor::from_vec(largest.sizes(), weights).unwrap();
        let of = weights.reshape(expected.sizes()).unwrap();
        // Without `NaN · 0` on the way back.
        let gradient = (largest * &weights).unwrap().gradients(&[&x]).remove(0);
        let other = (expected * &of).unwrap().gradients(&[&deeper]).remove(0);
        assert_eq!(bits(&gradient), bits(&other), "{sizes:?}");

        let (mean, expected) = (x.avg_pool(&quads).unwrap(), deeper.avg_pool(&others).unwrap());
        assert_eq!(bits(&mean), bits(&expected), "{sizes:?}");
    }
}
