//! Element-wise operations and sums, compared with a hand-written loop on the same memory and `ndarray`.
//!
//! ```text
//! cargo bench -p tensor-benchmarks --bench elementwise           everything, then the ratios
//! cargo bench -p tensor-benchmarks --bench elementwise -- row    what has `row` in its name
//! ```
//!
//! The table gives medians: nanoseconds of ours, and how many times the loop and `ndarray` take. The
//! loops are written by hand for each case, with run-time sizes.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::Criterion;
use ndarray::{Array, Array1, Array2, Array3, Array4, Axis, Zip};
use tensor_core::{Float, StaticShape, Tensor, select, shape, zip_with3};

/// Numbers that are neither all equal nor denormal.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i % 97) as f32 * 0.25 - 9.0).collect()
}

fn tensor<S: StaticShape>() -> Tensor<S> {
    let data = numbers(S::VALUE.num_elements());
    Tensor::from_vec(data).expect("as many numbers as elements")
}

/// A new vector of `count` floats that `fill` writes, without writing zeros first.
fn fresh(count: usize, fill: impl FnOnce(&mut Vec<f32>)) -> Vec<f32> {
    let mut out = Vec::with_capacity(count);
    fill(&mut out);
    out
}

/// Benchmarks `work/size` for each way to do it, and remembers its name for the table.
struct Run {
    criterion: Criterion,
    names: Vec<String>,
}

impl Run {
    fn compare(&mut self, name: &str, ways: &mut [(&str, &mut dyn FnMut())]) {
        let mut group = self.criterion.benchmark_group(name);
        for (way, work) in ways {
            group.bench_function(*way, |bencher| bencher.iter(&mut *work));
        }
        group.finish();
        self.names.push(name.to_string());
    }
}

macro_rules! same_shape_and_scalar {
    ($run:ident, $($size:tt)*) => {$(
        let count = $size;
        let (x, y) = (numbers(count), numbers(count));
        let (a, b) = (tensor::<shape![$size]>(), tensor::<shape![$size]>());
        let (p, q) = (Array1::from(x.clone()), Array1::from(y.clone()));
        $run.compare(&format!("same_shape/{count}"), &mut [
            ("ours", &mut || { black_box(black_box(&a) + black_box(&b)); }),
            ("loop", &mut || {
                let (x, y) = (black_box(&x), black_box(&y));
                black_box(x.iter().zip(y).map(|(x, y)| x + y).collect::<Vec<f32>>());
            }),
            ("ndarray", &mut || { black_box(black_box(&p) + black_box(&q)); }),
        ]);
        let (mut a2, mut x2, mut p2) = (a.map(|a| a), x.clone(), p.clone());
        $run.compare(&format!("same_shape_in_place/{count}"), &mut [
            ("ours", &mut || *black_box(&mut a2) += black_box(&b)),
            ("loop", &mut || {
                let (x, y) = (black_box(&mut x2), black_box(&y));
                x.iter_mut().zip(y).for_each(|(x, y)| *x += y);
            }),
            ("ndarray", &mut || *black_box(&mut p2) += black_box(&q)),
        ]);
        $run.compare(&format!("scalar/{count}"), &mut [
            ("ours", &mut || { black_box(black_box(&a) * black_box(1.5)); }),
            ("loop", &mut || {
                let (x, s) = (black_box(&x), black_box(1.5_f32));
                black_box(x.iter().map(|x| x * s).collect::<Vec<f32>>());
            }),
            ("ndarray", &mut || { black_box(black_box(&p) * black_box(1.5)); }),
        ]);
    )*};
}

/// A 4 by 4 addition, called and not inlined, as plain arrays and as tensors.
fn small(run: &mut Run) {
    #[inline(never)]
    fn arrays(a: &[[f32; 4]; 4], b: &[[f32; 4]; 4]) -> [[f32; 4]; 4] {
        let mut out = [[0.0; 4]; 4];
        for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
            for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
                *out = a + b;
            }
        }
        out
    }
    #[inline(never)]
    fn tensors(a: &Tensor<shape![4, 4]>, b: &Tensor<shape![4, 4]>) -> Tensor<shape![4, 4]> {
        a + b
    }
    let (x, a) = ([[1.5; 4]; 4], tensor::<shape![4, 4]>());
    let p = Array2::from_elem((4, 4), 1.5_f32);
    run.compare(
        "small/4x4",
        &mut [
            ("ours", &mut || {
                black_box(tensors(black_box(&a), black_box(&a)));
            }),
            ("loop", &mut || {
                black_box(arrays(black_box(&x), black_box(&x)));
            }),
            ("ndarray", &mut || {
                black_box(black_box(&p) + black_box(&p));
            }),
        ],
    );
}

fn rows_and_columns(run: &mut Run) {
    const N: usize = 1024;
    let (x, r) = (numbers(N * N), numbers(N));
    let m = tensor::<shape![1024, 1024]>();
    let row = tensor::<shape![1024]>();
    let column = tensor::<shape![1024, 1]>();
    let am = Array::from_shape_vec((N, N), x.clone()).unwrap();
    let ar = Array1::from(r.clone());
    let ac = Array::from_shape_vec((N, 1), r.clone()).unwrap();
    run.compare(
        "row/[1024,1024]+[1024]",
        &mut [
            ("ours", &mut || {
                black_box(black_box(&m) + black_box(&row));
            }),
            ("loop", &mut || {
                let (x, r) = (black_box(&x), black_box(&r));
                black_box(fresh(x.len(), |out| {
                    for x in x.chunks_exact(r.len()) {
                        out.extend(x.iter().zip(r).map(|(x, r)| x + r));
                    }
                }));
            }),
            ("ndarray", &mut || {
                black_box(black_box(&am) + black_box(&ar));
            }),
        ],
    );
    run.compare(
        "column/[1024,1024]*[1024,1]",
        &mut [
            ("ours", &mut || {
                black_box(black_box(&m) * black_box(&column));
            }),
            ("loop", &mut || {
                let (x, c) = (black_box(&x), black_box(&r));
                black_box(fresh(x.len(), |out| {
                    for (x, c) in x.chunks_exact(x.len() / c.len()).zip(c) {
                        out.extend(x.iter().map(|x| x * c));
                    }
                }));
            }),
            ("ndarray", &mut || {
                black_box(black_box(&am) * black_box(&ac));
            }),
        ],
    );
    run.compare(
        "outer/[1024,1]*[1024]",
        &mut [
            ("ours", &mut || {
                black_box(black_box(&column) * black_box(&row));
            }),
            ("loop", &mut || {
                let (c, r) = (black_box(&r), black_box(&r));
                black_box(fresh(c.len() * r.len(), |out| {
                    for c in c {
                        out.extend(r.iter().map(|r| c * r));
                    }
                }));
            }),
            ("ndarray", &mut || {
                black_box(black_box(&ac) * black_box(&ar));
            }),
        ],
    );
    let mut m2 = m.map(|x| x);
    let mut x2 = x.clone();
    let mut am2 = am.clone();
    run.compare(
        "row_in_place/[1024,1024]+=[1024]",
        &mut [
            ("ours", &mut || *black_box(&mut m2) += black_box(&row)),
            ("loop", &mut || {
                let (x, r) = (black_box(&mut x2), black_box(&r));
                for x in x.chunks_exact_mut(r.len()) {
                    x.iter_mut().zip(r).for_each(|(x, r)| *x += r);
                }
            }),
            ("ndarray", &mut || *black_box(&mut am2) += black_box(&ar)),
        ],
    );
}

fn many_axes(run: &mut Run) {
    let (x, y) = (numbers(64 * 64), numbers(64 * 64));
    let (a, b) = (tensor::<shape![64, 1, 64, 1]>(), tensor::<shape![64, 1, 64]>());
    let pa: Array4<f32> = Array::from_shape_vec((64, 1, 64, 1), x.clone()).unwrap();
    let pb: Array3<f32> = Array::from_shape_vec((64, 1, 64), y.clone()).unwrap();
    run.compare(
        "both_stretch/[64,1,64,1]+[64,1,64]",
        &mut [
            ("ours", &mut || {
                black_box(black_box(&a) + black_box(&b));
            }),
            ("loop", &mut || {
                let (x, y) = (black_box(&x), black_box(&y));
                black_box(fresh(64 * 64 * 64 * 64, |out| {
                    for x in x.chunks_exact(64) {
                        for y in y.chunks_exact(64) {
                            for x in x {
                                out.extend(y.iter().map(|y| x + y));
                            }
                        }
                    }
                }));
            }),
            ("ndarray", &mut || {
                black_box(black_box(&pa) + black_box(&pb));
            }),
        ],
    );

    let (image, scale) = (numbers(256 * 256 * 3), numbers(3));
    let (a, b) = (tensor::<shape![256, 256, 3]>(), tensor::<shape![3]>());
    let pa: Array3<f32> = Array::from_shape_vec((256, 256, 3), image.clone()).unwrap();
    let pb = Array1::from(scale.clone());
    run.compare(
        "channels/[256,256,3]*[3]",
        &mut [
            ("ours", &mut || {
                black_box(black_box(&a) * black_box(&b));
            }),
            ("loop", &mut || {
                let (x, s) = (black_box(&image), black_box(&scale));
                let s = [s[0], s[1], s[2]];
                let mut out = vec![0.0; x.len()];
                for (out, x) in out.chunks_exact_mut(3).zip(x.chunks_exact(3)) {
                    for (out, (x, s)) in out.iter_mut().zip(x.iter().zip(s)) {
                        *out = x * s;
                    }
                }
                black_box(out);
            }),
            ("ndarray", &mut || {
                black_box(black_box(&pa) * black_box(&pb));
            }),
        ],
    );

    let (keep, x): (Vec<bool>, _) =
        ((0..512 * 32).map(|i| i % 3 == 0).collect(), numbers(512 * 512 * 32));
    let mask: Tensor<shape![512, 1, 32], bool> = Tensor::from_vec(keep.clone()).unwrap();
    let a = tensor::<shape![512, 512, 32]>();
    let pa: Array3<f32> = Array::from_shape_vec((512, 512, 32), x.clone()).unwrap();
    let pm: Array3<bool> = Array::from_shape_vec((512, 1, 32), keep.clone()).unwrap();
    run.compare(
        "select/mask[512,1,32],[512,512,32]",
        &mut [
            ("ours", &mut || {
                black_box(select(black_box(&mask), black_box(&a), 0.0));
            }),
            ("loop", &mut || {
                let (keep, x) = (black_box(&keep), black_box(&x));
                black_box(fresh(x.len(), |out| {
                    for (keep, x) in keep.chunks_exact(32).zip(x.chunks_exact(512 * 32)) {
                        for x in x.chunks_exact(32) {
                            out.extend(
                                keep.iter().zip(x).map(|(&keep, &x)| if keep { x } else { 0.0 }),
                            );
                        }
                    }
                }));
            }),
            ("ndarray", &mut || {
                let mask = black_box(&pm).broadcast((512, 512, 32)).unwrap();
                let pick = |&keep: &bool, &x: &f32| if keep { x } else { 0.0 };
                black_box(Zip::from(&mask).and(black_box(&pa)).map_collect(pick));
            }),
        ],
    );
}

fn fused(run: &mut Run) {
    let (x, w, b) = (numbers(1024 * 1024), numbers(1024), numbers(1024));
    let (tx, tw, tb) =
        (tensor::<shape![1024, 1024]>(), tensor::<shape![1024]>(), tensor::<shape![1024]>());
    let px = Array::from_shape_vec((1024, 1024), x.clone()).unwrap();
    let (pw, pb) = (Array1::from(w.clone()), Array1::from(b.clone()));
    run.compare(
        "fused/gelu(x*w+b)",
        &mut [
            ("ours", &mut || {
                let (x, w, b) = (black_box(&tx), black_box(&tw), black_box(&tb));
                black_box(zip_with3(x, w, b, |x, w, b| (x * w + b).gelu_tanh()));
            }),
            ("loop", &mut || {
                let (x, w, b) = (black_box(&x), black_box(&w), black_box(&b));
                black_box(fresh(x.len(), |out| {
                    for x in x.chunks_exact(w.len()) {
                        out.extend(
                            x.iter()
                                .zip(w.iter().zip(b))
                                .map(|(x, (w, b))| (x * w + b).gelu_tanh()),
                        );
                    }
                }));
            }),
            ("ndarray", &mut || {
                let sum = black_box(&px) * black_box(&pw) + black_box(&pb);
                black_box(sum.mapv_into(Float::gelu_tanh));
            }),
        ],
    );
}

fn sums(run: &mut Run) {
    const N: usize = 1024;
    let x = numbers(N * N);
    let m = tensor::<shape![1024, 1024]>();
    let p = Array::from_shape_vec((N, N), x.clone()).unwrap();
    run.compare(
        "sum/all",
        &mut [
            ("ours", &mut || {
                black_box(black_box(&m).sum());
            }),
            ("loop", &mut || {
                // Sixteen sums at a time, as a loop that vectorises needs for floats.
                let mut sums = [0.0_f32; 16];
                for x in black_box(&x).chunks_exact(16) {
                    sums.iter_mut().zip(x).for_each(|(sum, x)| *sum += x);
                }
                black_box(sums.iter().sum::<f32>());
            }),
            ("ndarray", &mut || {
                black_box(black_box(&p).sum());
            }),
        ],
    );
    run.compare(
        "sum/last_axis",
        &mut [
            ("ours", &mut || {
                black_box(black_box(&m).sum_axis::<-1>());
            }),
            ("loop", &mut || {
                let row = |x: &[f32]| {
                    let mut sums = [0.0_f32; 16];
                    for x in x.chunks_exact(16) {
                        sums.iter_mut().zip(x).for_each(|(sum, x)| *sum += x);
                    }
                    sums.iter().sum::<f32>()
                };
                black_box(black_box(&x).chunks_exact(N).map(row).collect::<Vec<f32>>());
            }),
            ("ndarray", &mut || {
                black_box(black_box(&p).sum_axis(Axis(1)));
            }),
        ],
    );
    run.compare(
        "sum/first_axis",
        &mut [
            ("ours", &mut || {
                black_box(black_box(&m).sum_axis::<0>());
            }),
            ("loop", &mut || {
                let mut sums = vec![0.0_f32; N];
                for x in black_box(&x).chunks_exact(N) {
                    sums.iter_mut().zip(x).for_each(|(sum, x)| *sum += x);
                }
                black_box(sums);
            }),
            ("ndarray", &mut || {
                black_box(black_box(&p).sum_axis(Axis(0)));
            }),
        ],
    );
}

/// The median that criterion wrote for one benchmark of this run, in nanoseconds.
fn median(group: &str, way: &str) -> Option<f64> {
    let folder = group.replace(['/', '*'], "_");
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../criterion");
    let file = root.join(folder).join(way).join("new/estimates.json");
    let estimates: serde_json::Value = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
    estimates["median"]["point_estimate"].as_f64()
}

fn table(names: &[String]) {
    println!("\n{:<42}{:>14}{:>14}{:>16}", "", "ours, ns", "ours / loop", "ndarray / ours");
    for name in names {
        let ways = ["ours", "loop", "ndarray"].map(|way| median(name, way));
        if let [Some(ours), Some(plain), Some(peer)] = ways {
            println!("{name:<42}{ours:>14.1}{:>14.2}{:>16.2}", ours / plain, peer / ours);
        }
    }
}

fn main() {
    let criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600))
        .without_plots()
        .configure_from_args();
    let mut run = Run { criterion, names: Vec::new() };
    small(&mut run);
    same_shape_and_scalar!(run, 16 1024 16384 262144 1048576 16777216);
    rows_and_columns(&mut run);
    many_axes(&mut run);
    fused(&mut run);
    sums(&mut run);
    table(&run.names);
    run.criterion.final_summary();
}
