//! Images that are taller than wide: kernels compute them with their axes merged or exchanged. All results are those of
//! the mirror images, which are wider than tall, and of loops.

use tensor_core::DynTensor;
use tensor_core::windows::{ConvOptions, Interpolation, PoolOptions};

use super::random::Random;

/// Heights, widths, and the sizes of windows: with each of the first columns as the whole width.
fn sizes() -> impl Iterator<Item = ([usize; 2], [usize; 2])> {
    (1..=4).flat_map(|width| {
        let windows = (1..=width).map(move |across| ([37, width], [3, across]));
        windows.chain([([40, width], [1, 1]), ([35, width], [2, 1])])
    })
}

fn mirrored(x: &DynTensor<f64>) -> DynTensor<f64> {
    x.transpose().unwrap().contiguous()
}

/// A list of options for two axes in the other order.
fn reversed(list: [usize; 2]) -> [usize; 2] {
    [list[1], list[0]]
}

#[test]
fn convolutions() {
    let mut random = Random::new(1, 4);
    for (image, window) in sizes() {
        for (stride, padding, dilation) in [
            ([1, 1], [0, 0], [1, 1]),
            ([1, 1], [1, 0], [2, 1]),
            ([2, 1], [1, 0], [1, 1]),
            ([1, 1], [1, 1], [1, 1]),
        ] {
            for (groups, is_transposed) in [(1, false), (4, false), (1, true), (2, true)] {
                let x = random.tensor(&[&[2, 4][..], &image].concat());
                let channels = if is_transposed { [4, 3] } else { [8, 4 / groups] };
                let w = random.tensor(&[&channels[..], &window].concat());
                let apply = |x: &DynTensor<f64>, w: &DynTensor<f64>, lists: [[usize; 2]; 3]| {
                    let [stride, padding, dilation] = lists;
                    let options = ConvOptions::new().groups(groups);
                    let options = options.stride(&stride).padding(&padding).dilation(&dilation);
                    if is_transposed { x.conv_transpose(w, &options) } else { x.conv(w, &options) }
                };
                let (x, w) = (x.requires_grad(), w.requires_grad());
                let Ok(y) = apply(&x, &w, [stride, padding, dilation]) else { continue };
                let (x2, w2) = (mirrored(&x).detach().requires_grad(), mirrored(&w).detach());
                let w2 = w2.requires_grad();
                let lists = [stride, padding, dilation].map(reversed);
                let y2 = apply(&x2, &w2, lists).unwrap();
                let what = format!("{x:?} {w:?}", x = x.sizes(), w = w.sizes());
                assert_eq!(y.detach(), mirrored(&y2).detach(), "{what} {lists:?} {groups}");
                // Not the sum of the results, whose gradients are all 1.
                let weights = random.tensor(y.sizes());
                let loss = (&y * &weights).unwrap().sum();
                let loss2 = (&y2 * &mirrored(&weights)).unwrap().sum();
                let gradients = loss.gradients(&[&x, &w]);
                let expected = loss2.gradients(&[&x2, &w2]);
                for (found, expected) in gradients.iter().zip(&expected) {
                    assert_eq!(found, &mirrored(expected), "{what} {lists:?} {groups}");
                }
            }
        }
    }
}

#[test]
fn means_and_interpolations() {
    let mut random = Random::new(2, 8);
    for (image, window) in sizes() {
        let x = random.tensor(&[&[3][..], &image].concat()).requires_grad();
        let x2 = mirrored(&x).detach().requires_grad();
        let same = |y: DynTensor<f64>, y2: DynTensor<f64>| {
            let what = format!("{image:?} {window:?}");
            let difference = (&y - &mirrored(&y2)).unwrap().abs().max().unwrap().item().unwrap();
            assert!(difference < 1e-12, "{what}");
            let weights = DynTensor::from_fn(y.sizes(), |index| index.iter().sum::<usize>() as f64);
            let loss = (&y * &weights).unwrap().sum();
            let loss2 = (&y2 * &mirrored(&weights)).unwrap().sum();
            let [found, expected] = [loss.gradients(&[&x]), loss2.gradients(&[&x2])];
            let difference =
                (&found[0] - &mirrored(&expected[0])).unwrap().abs().max().unwrap().item().unwrap();
            assert!(difference < 1e-9, "{what}");
        };
        for stride in [[1, 1], window] {
            let options = |window, stride| PoolOptions::new(window).stride(stride);
            let y = x.avg_pool(&options(&window, &stride)).unwrap();
            same(y, x2.avg_pool(&options(&reversed(window), &reversed(stride))).unwrap());
        }
        for to in [[74, image[1]], [image[0], 3], [50, 5]] {
            let y = x.interpolate(&to, Interpolation::Bilinear).unwrap();
            same(y, x2.interpolate(&reversed(to), Interpolation::Bilinear).unwrap());
            let y = x.adaptive_avg_pool(&to).unwrap();
            same(y, x2.adaptive_avg_pool(&reversed(to)).unwrap());
        }
    }
}

/// Of equal elements of a window, the gradient reaches the first in row-major order.
#[test]
fn the_first_maximum() {
    let mut random = Random::new(3, 1);
    for ([height, width], [down, across]) in sizes() {
        for stride in [[1, 1], [down, across]] {
            let x = random.tensor(&[2, height, width]).requires_grad();
            let options = PoolOptions::new(&[down, across]).stride(&stride);
            let y = x.max_pool(&options).unwrap();
            let weights = random.tensor(y.sizes());
            let (elements, of_results) = (x.to_vec(), weights.to_vec());
            let (mut expected, mut largest) = (vec![0.0; elements.len()], Vec::new());
            let [_, rows, columns] = y.sizes() else { panic!("an image for each image") };
            for (position, of_result) in of_results.iter().enumerate() {
                let (row, column) = (position / columns % rows, position % columns);
                let image = position / columns / rows * height * width;
                let first = image + row * stride[0] * width + column * stride[1];
                let window = (0..down).flat_map(|i| (0..across).map(move |j| i * width + j));
                let best = window
                    .map(|offset| first + offset)
                    .reduce(|a, b| if elements[b] > elements[a] { b } else { a })
                    .unwrap();
                expected[best] += of_result;
                largest.push(elements[best]);
            }
            assert_eq!(y.to_vec(), largest, "{height} {width} {down} {across}");
            let gradient = (&y * &weights).unwrap().sum().gradients(&[&x]).remove(0);
            assert_eq!(gradient.to_vec(), expected, "{height} {width} {down} {across}");
        }
    }
}
