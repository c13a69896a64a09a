//! Operations along an axis or with a window, compared with the same operation on the mirror image: the sizes of the
//! last axes, and of the window, in reverse order.
//!
//! ```text
//! cargo bench -p tensor-benchmarks --bench mirrors               the pairs above the limit, then the largest ratios
//! cargo bench -p tensor-benchmarks --bench mirrors -- conv dw    those with these parts in their names
//! cargo bench -p tensor-benchmarks --bench mirrors -- --avx2     without AVX-512
//! ```
//!
//! Both do the same work, so their times should be similar: the limit is 1.5. Times are minima of interleaved
//! samples.

mod measure;

use std::env;
use std::hint::black_box;
use std::time::Duration;

use measure::{Turns, Way, is_wanted, least, way};
use tensor_core::__private::without_avx512;
use tensor_core::DynTensor;
use tensor_core::windows::{ConvOptions, Interpolation, PoolOptions};

/// How many times as long as its mirror image an operation may take.
const LIMIT: f64 = 1.5;

fn numbers(sizes: &[usize]) -> DynTensor<f32> {
    let len = sizes.iter().product();
    let elements = (0..len).map(|i| measure::number(i) as f32).collect();
    DynTensor::from_vec(sizes, elements).expect("an element for each index")
}

/// The measured pairs: names, and nanoseconds of both.
struct Pairs {
    turns: Turns,
    measured: Vec<(String, f64, f64)>,
}

impl Pairs {
    /// Measures an operation on `sizes` and on the sizes with the last `mirrored` in reverse order.
    fn pair(
        &mut self,
        name: &str,
        sizes: &[usize],
        mirrored: usize,
        make: &dyn Fn(&[usize], bool) -> Box<dyn FnMut()>,
    ) {
        let name = format!("{name} {sizes:?}");
        if !is_wanted(&name) {
            return;
        }
        let mut other = sizes.to_vec();
        let from = other.len() - mirrored;
        other[from..].reverse();
        let (mut here, mut there) = (make(sizes, false), make(&other, true));
        let mut ways: [Way<'_>; 2] = [way("here", &mut *here), way("mirrored", &mut *there)];
        self.turns.take(&mut ways);
        let [here, there] = ways.map(|way| least(&way.times));
        self.measured.push((name, here, there));
    }

    /// Measures the convolution, and the gradients of its input and its weights.
    fn convolution(
        &mut self,
        what: &str,
        input: &[usize],
        weights: &[usize],
        options: &ConvOptions,
    ) {
        let axes = weights.len() - 2;
        let is_transposed = what.starts_with("transposed");
        for part in ["y", "dx", "dw"] {
            let name = format!("{what} {part}, {weights:?} *");
            self.pair(&name, input, axes, &|sizes, is_mirrored| {
                let mut window = weights.to_vec();
                if is_mirrored {
                    window[2..].reverse();
                }
                let (x, w) = (numbers(sizes), numbers(&window));
                let options = options.clone();
                let convolve = move |x: &DynTensor<f32>, w: &DynTensor<f32>| {
                    let y = if is_transposed {
                        x.conv_transpose(w, &options)
                    } else {
                        x.conv(w, &options)
                    };
                    y.expect("sizes that fit")
                };
                let (of_x, of_w) = (x.requires_grad(), w.requires_grad());
                match part {
                    "y" => Box::new(move || drop(black_box(convolve(black_box(&x), &w)))),
                    "dx" => gradient(&convolve(&of_x, &w), of_x),
                    _ => gradient(&convolve(&x, &of_w), of_w),
                }
            });
        }
    }

    /// Measures a function of floats, and its gradient.
    fn function(
        &mut self,
        name: &str,
        sizes: &[usize],
        mirrored: usize,
        f: &'static dyn Fn(&DynTensor<f32>, bool) -> DynTensor<f32>,
    ) {
        self.pair(name, sizes, mirrored, &|sizes, is_mirrored| {
            let x = numbers(sizes);
            Box::new(move || drop(black_box(f(black_box(&x), is_mirrored))))
        });
        self.pair(&format!("{name} dx"), sizes, mirrored, &|sizes, is_mirrored| {
            let x = numbers(sizes).requires_grad();
            gradient(&f(&x, is_mirrored), x)
        });
    }
}

/// Computes the gradient of the sum of `y²`, without `y` itself.
fn gradient(y: &DynTensor<f32>, x: DynTensor<f32>) -> Box<dyn FnMut()> {
    let loss = (y * &y.detach()).expect("equal sizes").sum();
    Box::new(move || drop(black_box(loss.gradients(&[&x]))))
}

fn convolutions(pairs: &mut Pairs) {
    let one = ConvOptions::new();
    // The long axis and its window, with each size from 1 to 4 of the other axis and of its window.
    for width in 1..=4 {
        for window in 1..=width {
            for (n, c, o, long, taps) in
                [(1, 1, 128, 1024, 512), (8, 1, 4, 2048, 3), (4, 16, 16, 512, 3)]
            {
                pairs.convolution("conv2d", &[n, c, long, width], &[o, c, taps, window], &one);
            }
        }
        let padded = ConvOptions::new().padding(&[1]);
        pairs.convolution("conv2d padded", &[4, 8, 512, width], &[8, 8, 3, 3], &padded);
        let strided = ConvOptions::new().stride(&[2]).padding(&[1]);
        pairs.convolution("conv2d stride 2", &[4, 8, 1024, width], &[8, 8, 3, 3], &strided);
        let depthwise = ConvOptions::new().padding(&[1]).groups(16);
        pairs.convolution("depthwise", &[4, 16, 1024, width], &[16, 1, 3, 3], &depthwise);
        let depthwise = ConvOptions::new().groups(16);
        pairs.convolution("depthwise", &[4, 16, 1024, width], &[16, 1, 3, 1], &depthwise);
        let transposed = ConvOptions::new().stride(&[2]);
        pairs.convolution("transposed stride 2", &[4, 8, 256, width], &[8, 8, 3, 3], &transposed);
        pairs.convolution("transposed", &[4, 8, 256, width], &[8, 8, 3, 1], &one);
        pairs.convolution("conv3d", &[2, 4, 256, 4, width], &[4, 4, 3, 3, 1], &one);
        pairs.convolution("conv3d", &[2, 4, 256, width, 1], &[4, 4, 3, 1, 1], &one);
    }
    for channels in 1..=4 {
        pairs.convolution("conv2d", &[8, channels, 64, 16], &[4, channels, 3, 3], &one);
        pairs.convolution("conv2d", &[8, channels, 32, 32], &[8, channels, 5, 1], &one);
        pairs.convolution("conv2d", &[64, channels, 9, 5], &[8, channels, 3, 3], &one);
    }
}

fn windows(pairs: &mut Pairs) {
    for width in 1..=4 {
        let sizes = [4, 16, 1024, width];
        pairs.function("max_pool 2 x 1", &sizes, 2, &|x, is_mirrored| {
            let window = if is_mirrored { [1, 2] } else { [2, 1] };
            x.max_pool(&PoolOptions::new(&window)).expect("sizes that fit")
        });
        pairs.function("avg_pool 2 x 1", &sizes, 2, &|x, is_mirrored| {
            let window = if is_mirrored { [1, 2] } else { [2, 1] };
            x.avg_pool(&PoolOptions::new(&window)).expect("sizes that fit")
        });
        pairs.function("max_pool 3 x 1 stride 1", &sizes, 2, &|x, is_mirrored| {
            let window = if is_mirrored { [1, 3] } else { [3, 1] };
            x.max_pool(&PoolOptions::new(&window).stride(&[1])).expect("sizes that fit")
        });
        pairs.function("avg_pool 3 x 3 padded", &sizes, 2, &|x, _| {
            x.avg_pool(&PoolOptions::new(&[3, 3]).stride(&[1]).padding(&[1]))
                .expect("sizes that fit")
        });
        pairs.function("max_pool 3 x 3 padded stride 2", &sizes, 2, &|x, _| {
            x.max_pool(&PoolOptions::new(&[3, 3]).stride(&[2]).padding(&[1]))
                .expect("sizes that fit")
        });
        pairs.function("max_pool3d 2 x 1 x 1", &[2, 4, 1024, 4, width], 3, &|x, is_mirrored| {
            let window = if is_mirrored { [1, 1, 2] } else { [2, 1, 1] };
            x.max_pool(&PoolOptions::new(&window)).expect("sizes that fit")
        });
        pairs.function("interpolate doubled", &sizes, 2, &|x, _| {
            let sizes: Vec<usize> = x.sizes()[2..].iter().map(|size| 2 * size).collect();
            x.interpolate(&sizes, Interpolation::Bilinear).expect("sizes that fit")
        });
        pairs.function("interpolate long axis", &sizes, 2, &|x, is_mirrored| {
            let mut sizes = x.sizes()[2..].to_vec();
            sizes[usize::from(is_mirrored)] *= 2;
            x.interpolate(&sizes, Interpolation::Bilinear).expect("sizes that fit")
        });
        pairs.function("adaptive_avg_pool", &sizes, 2, &|x, is_mirrored| {
            let sizes = if is_mirrored { [1, 64] } else { [64, 1] };
            x.adaptive_avg_pool(&sizes).expect("sizes that fit")
        });
    }
    pairs.function("max_pool 2 x 2", &[8, 16, 128, 16], 2, &|x, _| {
        x.max_pool(&PoolOptions::new(&[2, 2])).expect("sizes that fit")
    });
    pairs.function("max_pool 3 x 2", &[8, 16, 64, 64], 2, &|x, is_mirrored| {
        let window = if is_mirrored { [2, 3] } else { [3, 2] };
        x.max_pool(&PoolOptions::new(&window)).expect("sizes that fit")
    });
    pairs.function("avg_pool 3 x 2", &[8, 16, 64, 64], 2, &|x, is_mirrored| {
        let window = if is_mirrored { [2, 3] } else { [3, 2] };
        x.avg_pool(&PoolOptions::new(&window)).expect("sizes that fit")
    });
}

/// Operations along the long axis, and along the short one, of `[long, short]`.
fn axes(pairs: &mut Pairs) {
    macro_rules! along {
        ($($name:literal, |$x:ident, $axis:ident| $f:expr;)*) => {$(
            for short in [1, 2, 3, 4, 32] {
                let sizes = [32 << 10, short];
                pairs.function(concat!($name, ", long axis"), &sizes, 2, &|$x, is_mirrored| {
                    let $axis = isize::from(is_mirrored);
                    $f
                });
                pairs.function(concat!($name, ", short axis"), &sizes, 2, &|$x, is_mirrored| {
                    let $axis = isize::from(!is_mirrored);
                    $f
                });
            }
        )*};
    }
    along! {
        "sum", |x, axis| x.sum_axis(axis).expect("an axis");
        "mean", |x, axis| x.mean_axis(axis).expect("an axis");
        "max", |x, axis| x.max_axis(axis).expect("an axis");
        "var", |x, axis| x.var_axis(axis).expect("an axis");
        "prod", |x, axis| x.prod_axis(axis).expect("an axis");
        "logsumexp", |x, axis| x.logsumexp_axis(axis).expect("an axis");
        "softmax", |x, axis| x.softmax(axis).expect("an axis");
        "log_softmax", |x, axis| x.log_softmax(axis).expect("an axis");
        "standardize", |x, axis| x.standardize(axis).expect("an axis");
        "cumsum", |x, axis| x.cumsum(axis).expect("an axis");
        "sort", |x, axis| x.sort(axis).expect("an axis");
    }
    for short in [1, 2, 3, 4, 32] {
        for (axis, name) in [(0, "long"), (1, "short")] {
            let along = move |is_mirrored: bool| (axis + isize::from(is_mirrored)) % 2;
            let sizes = [32 << 10, short];
            pairs.pair(&format!("argmax, {name} axis"), &sizes, 2, &|sizes, is_mirrored| {
                let (x, axis) = (numbers(sizes), along(is_mirrored));
                Box::new(move || drop(black_box(x.argmax_axis(axis).expect("an axis"))))
            });
            pairs.pair(&format!("argsort, {name} axis"), &sizes, 2, &|sizes, is_mirrored| {
                let (x, axis) = (numbers(sizes), along(is_mirrored));
                Box::new(move || drop(black_box(x.argsort(axis).expect("an axis"))))
            });
            pairs.pair(&format!("all, {name} axis"), &sizes, 2, &|sizes, is_mirrored| {
                let (x, axis) = (numbers(sizes).cast::<bool>(), along(is_mirrored));
                Box::new(move || drop(black_box(x.all_axis(axis).expect("an axis"))))
            });
            pairs.pair(&format!("sum of i64, {name} axis"), &sizes, 2, &|sizes, is_mirrored| {
                let (x, axis) = (numbers(sizes).cast::<i64>(), along(is_mirrored));
                Box::new(move || drop(black_box(x.sum_axis(axis).expect("an axis"))))
            });
        }
    }
}

fn main() {
    let has = |option: &str| env::args().any(|argument| argument == option);
    let rounds = if has("--bench") { 15 } else { 1 };
    let turn = Duration::from_micros(if has("--bench") { 200 } else { 1 });
    if has("--avx2") {
        without_avx512();
    }
    // Threads would hide what an operation costs.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build_global();
    pool.expect("the first pool of the process");
    let turns = Turns { rounds, fewest: rounds.min(5), time: Duration::from_secs(2), turn };
    let mut pairs = Pairs { turns, measured: Vec::new() };
    convolutions(&mut pairs);
    windows(&mut pairs);
    axes(&mut pairs);
    let ratio = |&(_, here, there): &(String, f64, f64)| f64::max(here / there, there / here);
    let mut measured = pairs.measured;
    measured.sort_by(|a, b| ratio(b).total_cmp(&ratio(a)));
    let above = measured.iter().filter(|pair| ratio(pair) > LIMIT).count();
    println!("{:<72}{:>10}{:>10}{:>7}", "microseconds", "as named", "mirrored", "ratio");
    for pair in &measured[..(above + 10).min(measured.len())] {
        let (name, here, there) = pair;
        let (ratio, here, there) = (ratio(pair), here / 1e3, there / 1e3);
        println!("{name:<72}{here:>10.1}{there:>10.1}{ratio:>7.2}");
    }
    println!("{above} of {} pairs above {LIMIT}", measured.len());
}
