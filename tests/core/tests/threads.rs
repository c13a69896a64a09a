//! Results do not depend on the number of threads: every parallelised operation, on large tensors, in
//! pools of 1, 2, 3 and 16 threads, bit for bit.

use std::cell::Cell;

use tensor_core::{Shape, StaticShape, Tensor, fuse, select, shape, zip_with};

/// Numbers of many magnitudes, so that the order of a sum changes its last bits.
fn numbers<S: StaticShape>() -> Tensor<S> {
    let count = S::VALUE.num_elements();
    let numbers = (0..count).map(|i| {
        let i = i as u32;
        let mixed = i.wrapping_mul(0x9e37_79b9) ^ (i >> 3);
        ((mixed >> 8) as f32 / (1 << 20) as f32 - 7.0) * (mixed & 7) as f32
    });
    Tensor::from_vec(numbers.collect()).unwrap()
}

fn bits<S: Shape>(x: &Tensor<S>) -> Vec<u32> {
    x.contiguous().iter().map(|x| x.to_bits()).collect()
}

/// Asserts that `work` gives the same with any number of threads.
fn the_same<R: PartialEq + Send>(name: &str, work: impl Fn() -> R + Sync) {
    let results = [1, 2, 3, 16].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(&work)
    });
    let [one, others @ ..] = &results;
    for (other, threads) in others.iter().zip([2, 3, 16]) {
        assert!(other == one, "{name} with {threads} threads");
    }
}

#[test]
fn element_by_element() {
    let x = numbers::<shape![1000, 1050]>();
    let (row, column) = (numbers::<shape![1050]>(), numbers::<shape![1000, 1]>());
    the_same("+", || bits(&(&x + &x)));
    the_same("+ row", || bits(&(&x + &row)));
    the_same("* column", || bits(&(&x * &column)));
    the_same("* scalar", || bits(&(&x * 1.5)));
    the_same("owned", || bits(&(&x * 2.0 + &row)));
    the_same("tanh", || bits(&x.tanh()));
    the_same("transposed", || bits(&(x.transpose() + numbers::<shape![1050, 1000]>())));
    the_same("select", || bits(&select(&x.greater(0.0), &x, &row)));
    the_same("fuse!", || bits(&fuse!((x * row + column).gelu_tanh())));
    the_same("outer", || {
        bits(&(numbers::<shape![70, 1, 100, 1]>() - numbers::<shape![9, 1, 17]>()))
    });
    the_same("+=", || {
        let mut x = x.contiguous();
        x += &column;
        bits(&x)
    });
}

#[test]
fn reductions() {
    let x = numbers::<shape![1000, 1050]>();
    let deep = numbers::<shape![12, 300, 7, 50]>();
    the_same("sum", || x.sum().item().to_bits());
    the_same("max", || x.max().item().to_bits());
    the_same("var", || x.var().item().to_bits());
    the_same("sum_axis::<0>", || bits(&x.sum_axis::<0>()));
    the_same("sum_axis::<1>", || bits(&x.sum_axis::<1>()));
    the_same("sum_axis::<0> of columns", || bits(&x.transpose().sum_axis::<0>()));
    the_same("sum_axis::<1> of columns", || bits(&x.transpose().sum_axis::<1>()));
    the_same("var_axis::<0>", || bits(&x.var_axis::<0>()));
    the_same("std_axis::<1>", || bits(&x.std_axis::<1>()));
    the_same("logsumexp_axis::<0>", || bits(&x.logsumexp_axis::<0>()));
    the_same("sum_axis::<0>, deep", || bits(&deep.sum_axis::<0>()));
    the_same("sum_axis::<1>, deep", || bits(&deep.sum_axis::<1>()));
    the_same("sum_axis::<2>, deep", || bits(&deep.sum_axis::<2>()));
    the_same("sum_axis::<3>, deep", || bits(&deep.sum_axis::<3>()));
    let narrow = numbers::<shape![200_000, 5]>();
    the_same("sum_axis::<0>, narrow", || bits(&narrow.sum_axis::<0>()));
    the_same("argmax_axis::<0>", || x.argmax_axis::<0>() == x.argmax_axis::<0>());
}

#[test]
fn normalizations() {
    let x = numbers::<shape![1000, 1050]>();
    let deep = numbers::<shape![12, 300, 7, 50]>();
    the_same("softmax::<-1>", || bits(&x.softmax::<-1>()));
    the_same("softmax::<0>", || bits(&x.softmax::<0>()));
    the_same("log_softmax::<1>, deep", || bits(&deep.log_softmax::<1>()));
    the_same("layer_norm::<-1>", || bits(&x.layer_norm::<-1>(1e-5)));
    the_same("standardize::<0>", || bits(&x.standardize::<0>()));
    the_same("standardize::<2>, deep", || bits(&deep.standardize::<2>()));
    the_same("cumsum::<0>", || bits(&x.cumsum::<0>()));
    the_same("cumsum::<1>, deep", || bits(&deep.cumsum::<1>()));
    let narrow = numbers::<shape![200_000, 5]>();
    the_same("standardize::<0>, narrow", || bits(&narrow.standardize::<0>()));
    let line = numbers::<shape![1_000_000]>();
    the_same("softmax::<0>, one line", || bits(&line.softmax::<0>()));
}

#[test]
fn products() {
    let (a, b) = (numbers::<shape![217, 263]>(), numbers::<shape![263, 221]>());
    let (at, bt) = (a.transpose().contiguous(), b.transpose().contiguous());
    the_same("f32", || bits(&a.matmul(&b)));
    the_same("transposed left", || bits(&at.transpose().matmul(&b)));
    the_same("transposed right", || bits(&a.matmul(&bt.transpose())));
    the_same("both transposed", || bits(&at.transpose().matmul(&bt.transpose())));
    // More inner steps and columns than a block has, and few rows or columns.
    let (a, b) = (numbers::<shape![13, 1030]>(), numbers::<shape![1030, 643]>());
    the_same("few rows", || bits(&a.matmul(&b)));
    the_same("few columns", || bits(&b.transpose().matmul(&a.transpose())));
    let (a, b) = (a.cast::<f64>(), b.cast::<f64>());
    the_same("f64", || a.matmul(&b).iter().map(|x| x.to_bits()).collect::<Vec<u64>>());
    let (a, b) = (numbers::<shape![210, 205]>(), numbers::<shape![205, 203]>());
    let (a, b) = (a.cast::<i32>(), b.cast::<i32>());
    the_same("i32", || a.matmul(&b).iter().copied().collect::<Vec<i32>>());
}

#[test]
fn products_of_batches_and_vectors() {
    let (a, b) = (numbers::<shape![5, 4, 67, 81]>(), numbers::<shape![4, 81, 79]>());
    the_same("batch", || bits(&a.matmul(&b)));
    the_same("transposed batch", || bits(&b.transpose().matmul(&a.transpose())));
    the_same("batch of vectors", || {
        bits(&numbers::<shape![3000, 1, 60]>().matmul(&numbers::<shape![3000, 60, 50]>()))
    });
    the_same("rows of one matrix", || {
        bits(&numbers::<shape![7, 300, 70]>().matmul(&numbers::<shape![70, 61]>()))
    });
    let (x, v, w) =
        (numbers::<shape![1009, 1103]>(), numbers::<shape![1103]>(), numbers::<shape![1009]>());
    the_same("matrix and vector", || bits(&x.matmul(&v)));
    the_same("vector and matrix", || bits(&w.matmul(&x)));
    the_same("transposed matrix and vector", || bits(&x.transpose().matmul(&w)));
}

/// Closures of the user may have state, and see the elements in row-major order.
#[test]
fn closures_stay_on_one_thread_in_order() {
    let x = Tensor::<shape![1024, 1024]>::ones();
    let count = Cell::new(0.0);
    let counted = x.map(|x| {
        count.set(count.get() + x);
        count.get()
    });
    assert_eq!(counted[[0, 0]], 1.0);
    assert_eq!(counted[[1023, 1023]], 1_048_576.0);
}

/// For any strides of the operands and any length of the rows.
#[test]
fn closures_are_called_once_for_each_result_in_order() {
    /// The numbers of the calls that made the elements.
    macro_rules! calls {
        ($a:expr, $b:expr) => {{
            let count = Cell::new(0.0);
            let calls = zip_with($a, $b, |_: f32, _: f32| {
                count.set(count.get() + 1.0);
                count.get()
            });
            assert_eq!(count.get(), calls.len() as f32);
            calls.into_vec()
        }};
    }
    let in_order =
        |calls: Vec<f32>| calls.iter().zip(1..).all(|(&call, index)| call == index as f32);
    let (a, b) = (Tensor::<shape![8, 1, 6, 1]>::ones(), Tensor::<shape![7, 1, 5]>::ones());
    assert!(in_order(calls!(&a, &b)));
    let (a, b) = (Tensor::<shape![400, 300]>::ones(), Tensor::<shape![300, 400]>::ones());
    assert!(in_order(calls!(&a.transpose(), &b)));
    assert!(in_order(calls!(&Tensor::<shape![30, 1]>::ones(), &Tensor::<shape![17]>::ones())));
}
