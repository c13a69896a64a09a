//! Small tensors on all kinds of memory and layouts: what Miri runs (`.ci/run miri`) to find undefined behaviour. Sizes
//! are chosen so that each case takes the loops for whole vectors, for the rest, for several rows and for packed operands.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use half::{bf16, f16};
use tensor_core::autograd::{self, grad, value_and_grad};
use tensor_core::random::Generator;
use tensor_core::trace::trace;
use tensor_core::windows::{ConvOptions, PoolOptions};
use tensor_core::{
    DynTensor, Element, IntoTensor, Padding, Tensor, axes, axis, dim, fuse, select, shape, slice,
    tensor, zip_with,
};

axis!(Batch);

/// 0, 1, 2 …, of more elements than are stored inline.
fn counted<T: Element>(sizes: &[usize], of: fn(u8) -> T) -> DynTensor<T> {
    let mut next = 0_u8;
    DynTensor::from_fn(sizes, |_| {
        next = next.wrapping_add(7) % 29;
        of(next)
    })
}

fn floats(sizes: &[usize]) -> DynTensor<f32> {
    counted(sizes, |number| f32::from(number) / 4.0 - 3.0)
}

/// The same elements in other memory and in other layouts.
fn laid_out<T: Element>(x: &DynTensor<T>) -> Vec<DynTensor<T>> {
    let last = x.rank() as isize - 1;
    let transposed = x.swap_axes(0, last).unwrap().contiguous().swap_axes(0, last).unwrap();
    let flipped = x.flip(&[0]).unwrap().contiguous().flip(&[0]).unwrap();
    let part = x.concat(x, last).unwrap().slice_axis(last, ..x.sizes()[last as usize]).unwrap();
    let from_vec = DynTensor::from_vec(x.sizes(), x.to_vec()).unwrap();
    vec![x.clone(), x.contiguous(), transposed, flipped, part, from_vec]
}

/// Compares the results of a function on all layouts.
#[track_caller]
fn agrees<T: Element, O: Element + std::fmt::Debug>(
    x: &DynTensor<T>,
    function: impl Fn(&DynTensor<T>) -> DynTensor<O>,
) {
    let expected = function(x);
    for x in laid_out(x) {
        let found = function(&x);
        assert_eq!(found.sizes(), expected.sizes());
        // Compared as text: NaN equals NaN.
        assert_eq!(format!("{:?}", found.to_vec()), format!("{:?}", expected.to_vec()));
    }
}

#[test]
fn memory_is_shared_and_copied() {
    let mut x = floats(&[3, 40]);
    let (before, view) = (x.clone(), x.transpose().unwrap());
    x.as_mut_slice()[7] = 100.0;
    assert_ne!(x, before);
    assert_eq!(view.transpose().unwrap(), before);
    let vector = before.clone().into_vec();
    assert_eq!(DynTensor::from_vec(&[3, 40], vector).unwrap(), before);
    let mut typed: Tensor<shape![3, 40]> = before.clone().into_tensor().unwrap();
    typed += &typed.clone();
    typed[[2, 39]] = -1.0;
    typed *= 2.0;
    assert_eq!(typed[[0, 0]], before[[0, 0]] * 4.0);
    // Memory that other threads own, free and get.
    let sums: Vec<f32> = thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|number| {
                let x = before.clone();
                scope.spawn(move || (x * number as f32).sum().item().unwrap())
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(sums[2], 2.0 * sums[1]);
}

#[test]
fn element_wise_operations_of_all_layouts() {
    for sizes in [&[5, 3][..], &[3, 37], &[2, 3, 9]] {
        let x = floats(sizes);
        agrees(&x, |x| x.exp());
        agrees(&x, |x| (x + x).unwrap());
        agrees(&x, |x| (x * &x.slice_axis(0, ..1).unwrap()).unwrap());
        agrees(&x, |x| x.greater(&DynTensor::full(&[], 0.5)).unwrap());
        agrees(&x, |x| x.clamp(&DynTensor::full(&[], -1.0), &DynTensor::full(&[], 1.0)).unwrap());
        agrees(&x, |x| x.is_nan().select(x, &x.square()).unwrap());
        agrees(&x, |x| x.cast::<i8>());
        agrees(&x, |x| x.map(|x| x + 1.0));
        let mut y = x.transpose().unwrap();
        y.zip_assign(&y.clone(), |a, b| a * b).unwrap();
        assert_eq!(y.transpose().unwrap(), x.square());
    }
    let x = counted(&[3, 40], f16::from);
    agrees(&x, |x| (x / x).unwrap().exp());
    let x = counted(&[3, 40], bf16::from);
    agrees(&x, |x| (x - x).unwrap().tanh());
    let x = counted(&[3, 40], i64::from);
    agrees(&x, |x| (x % &DynTensor::full(&[], 5)).unwrap());
    let x = counted(&[3, 40], |number| number % 2 == 0);
    agrees(&x, |x| !(x & x).unwrap());
}

#[test]
fn reductions_and_operations_along_axes() {
    for sizes in [&[4, 5][..], &[3, 37], &[2, 19, 3]] {
        let x = floats(sizes);
        for axis in 0..sizes.len() as isize {
            agrees(&x, |x| x.sum_axis(axis).unwrap());
            agrees(&x, |x| x.max_axis(axis).unwrap());
            agrees(&x, |x| x.argmin_axis(axis).unwrap());
            // The order of the terms depends on the layout.
            agrees(&x.cast::<f64>(), |x| x.var_axis_corrected(axis, 1).unwrap().cast::<f32>());
            agrees(&x, |x| x.softmax(axis).unwrap());
            agrees(&x, |x| x.log_softmax(axis).unwrap());
            agrees(&x, |x| x.layer_norm(axis, 1e-5).unwrap());
            agrees(&x, |x| x.cumsum(axis).unwrap());
            agrees(&x, |x| x.sort(axis).unwrap());
            agrees(&x, |x| x.topk(axis, 2).unwrap().1);
        }
        agrees(&x, |x| x.sum());
        agrees(&x, |x| x.norm());
        agrees(&x.cast::<f16>(), |x| x.softmax(-1).unwrap());
        agrees(&x.cast::<f16>(), |x| x.transpose().unwrap().mean_axis(-1).unwrap());
        agrees(&x.cast::<bf16>(), |x| x.transpose().unwrap().softmax(0).unwrap());
    }
    type X = Tensor<shape![3, 20]>;
    let x: X = floats(&[3, 20]).into_tensor().unwrap();
    for difference in [
        x.transpose().softmax::<1>().transpose() - x.softmax::<0>(),
        x.transpose().softmax::<0>().transpose() - x.softmax::<1>(),
    ] {
        assert!(difference.abs().max().item() < 1e-6);
    }
}

#[test]
fn products_and_windows() {
    for (m, k, n) in [(2, 3, 4), (5, 17, 9), (1, 20, 33), (20, 1, 3)] {
        let (a, b) = (floats(&[m, k]), floats(&[k, n]));
        agrees(&a, |a| a.matmul(&b).unwrap());
        agrees(&b, |b| a.matmul(b).unwrap());
        agrees(&a.cast::<f64>(), |a| a.dot(&b.cast()).unwrap());
        agrees(&a.cast::<bf16>(), |a| a.matmul(&b.cast()).unwrap());
        agrees(&a.cast::<i32>(), |a| a.matmul(&b.cast()).unwrap());
    }
    let (x, weights) = (floats(&[2, 3, 7, 5]), floats(&[4, 3, 3, 2]));
    let options = ConvOptions::new().stride(&[2, 1]).padding(&[1, 1]);
    agrees(&x, |x| x.conv2d(&weights, &options).unwrap());
    agrees(&x, |x| x.max_pool2d(&PoolOptions::new(&[2, 3]).padding(&[1, 1])).unwrap());
    agrees(&x, |x| x.avg_pool2d(&PoolOptions::new(&[3, 2])).unwrap());
    agrees(&x, |x| x.windows(2, 3).unwrap().sum_axis(-1).unwrap());
    let gradients = |x: &DynTensor<f32>| {
        let (x, weights) = (x.requires_grad(), weights.requires_grad());
        let y = x.conv2d(&weights, &options).unwrap();
        let y =
            (y.square().sum() + x.max_pool2d(&PoolOptions::new(&[2, 3])).unwrap().sum()).unwrap();
        y.gradients(&[&x, &weights])
    };
    agrees(&x, |x| gradients(x).swap_remove(0));
    agrees(&x, |x| gradients(x).swap_remove(1));
}

#[test]
fn moves_and_indices() {
    let x = floats(&[3, 21]);
    agrees(&x, |x| x.concat(x, 1).unwrap());
    agrees(&x, |x| DynTensor::stack([x, x], 1).unwrap());
    agrees(&x, |x| x.pad(&[[1, 0], [2, 3]], Padding::Reflect).unwrap());
    agrees(&x, |x| x.roll(1, 5).unwrap());
    agrees(&x, |x| x.tril(1).unwrap());
    agrees(&x, |x| x.repeat(0, 3).unwrap());
    agrees(&x, |x| x.slice(slice![.., 1..20; 3]).unwrap());
    agrees(&x, |x| x.take(1, &DynTensor::from(tensor![20, 0, -1])).unwrap());
    let indices = counted(&[3, 4], |number| i64::from(number % 21));
    agrees(&x, |x| x.take_along_axis(1, &indices).unwrap());
    let values = floats(&[3, 4]);
    agrees(&x, |x| x.scatter_add(1, &indices, &values).unwrap());
    agrees(&x, |x| x.index_add(0, &DynTensor::from(tensor![2, 0]), &floats(&[2, 21])).unwrap());
    agrees(&x.cast::<bool>(), |x| x.nonzero());
    agrees(&x, |x| x.unique());
    let mut y = x.transpose().unwrap();
    y.assign_slice(slice![1..3], &DynTensor::full(&[3], 9.0)).unwrap();
    assert_eq!(y.index(0, 1).unwrap(), DynTensor::full(&[3], 9.0));
}

#[test]
fn iterators() {
    let x = floats(&[3, 21]);
    for x in laid_out(&x) {
        assert_eq!(x.iter().copied().collect::<Vec<_>>(), x.to_vec());
        assert_eq!(x.iter().rev().count(), 63);
        let rows: Vec<_> = x.iter_axis(0).unwrap().collect();
        assert_eq!(DynTensor::stack(&rows, 0).unwrap(), x);
        assert_eq!(x.chunks_axis(1, 4).unwrap().count(), 6);
        assert_eq!(x.clone().into_vec(), x.to_vec());
    }
    let typed: Tensor<shape![3, 21]> = x.into_tensor().unwrap();
    assert_eq!((&typed).into_iter().copied().sum::<f32>(), typed.iter().sum::<f32>());
    assert_eq!(typed.transpose().iter_axis::<0>().count(), 21);
}

#[test]
fn fused_expressions() {
    let x: Tensor<shape![3, 40]> = floats(&[3, 40]).into_tensor().unwrap();
    let row: Tensor<shape![40]> = floats(&[40]).into_tensor().unwrap();
    let y = fuse!((&x * &row + 1.0).maximum(&x).exp());
    assert_eq!(y, (&x * &row + 1.0).maximum(&x).exp());
    let y = fuse!(select(x.greater(0.0), x.transpose().transpose(), row.sqrt()));
    assert_eq!(y.len(), 120);
    let slopes = grad(&x, |x| fuse!(x * row * x).sum());
    assert_eq!(slopes, grad(&x, |x| (x * &row * x).sum()));
    assert_eq!(zip_with(&x, &row, |a, b| a - b), &x - &row);
    let tiny = tensor![1.0, 2.0, 3.0];
    assert_eq!(fuse!(&tiny + &tiny * 2.0), tensor![3.0, 6.0, 9.0]);
}

#[test]
fn programs_and_gradients() {
    type X = Tensor<shape![3, 20], f64>;
    let x: X = floats(&[3, 20]).cast().into_tensor().unwrap();
    let function = |x: &X| {
        let y = x.transpose().dot(x).softmax::<-1>();
        let y = y.slice(slice![1.., ..; 2]).tanh().sum() + x.cumsum::<0>().max();
        y + autograd::checkpoint(x, |x| x.square().exp_m1().sin()).mean()
    };
    let (value, gradient) = value_and_grad(&x, function);
    let program = trace(&X::zeros(), |x| value_and_grad(x, function));
    assert_eq!(program.run(&x).unwrap(), (value.clone(), gradient.clone()));
    let inner = trace(&X::zeros(), function);
    assert_eq!(value_and_grad(&x, |x| inner.run(x).unwrap()), (value, gradient));
    let outer = trace(&X::zeros(), |x| grad(x, |x| inner.run(&(x * 2.0)).unwrap()));
    outer.run(&x).unwrap();
    // A tensor that is kept, of another element type and size.
    let kept = RefCell::new(None);
    trace(&Tensor::<shape![64], i64>::zeros(), |x| {
        kept.replace(Some(x.clone()));
    });
    let kept = kept.into_inner().unwrap();
    let uses: &[&dyn Fn()] =
        &[&|| drop(-&kept), &|| drop(kept.to_vec()), &|| drop(kept.clone() + 1), &|| {
            drop(kept.sum())
        }];
    for used in uses {
        assert!(catch_unwind(AssertUnwindSafe(used)).is_err());
    }
}

#[test]
fn random_numbers_and_shapes() {
    let mut rng = Generator::seed(42);
    let x: Tensor<shape![Batch, 5]> = rng.normal_shaped(shape![Batch(7), 5], 0.0, 1.0);
    assert_eq!(x.permute::<axes![1, 0]>().reshape_shaped(shape![35]).len(), 35);
    assert_eq!(rng.permutation(20).len(), 20);
    assert_eq!(x.windows::<-1, dim!(2)>().contiguous().len(), 56);
    assert_eq!((x + Tensor::<shape![5], f32>::zeros()).len(), 35);
}

#[test]
fn sizes_beyond_memory() {
    let many = 1_usize << 62;
    assert!(DynTensor::<f32>::from_vec(&[many, many], vec![]).is_err());
    let empty = DynTensor::<f32>::zeros(&[0, 3]);
    assert!(empty.reshape(&[many, 0, many]).is_ok_and(|x| x.is_empty()));
    assert!(floats(&[3]).expand(&[many, 3]).is_err());
    let stretched = floats(&[1]).expand(&[many]).unwrap();
    assert!(stretched.concat(&stretched, 0).is_err());
    assert!(stretched.repeat(0, 8).is_err());
    assert!(catch_unwind(|| drop(stretched.to_vec())).is_err());
    assert!(catch_unwind(|| drop(stretched.exp())).is_err());
}
