//! Checks of operations whose results are large enough for the cache of freed memory and for threads, neither of which
//! `wasm32-unknown-unknown` has: a clock, threads and process ids panic there.
//!
//! `run.mjs` calls each export of the module in Node.js. `cargo test` runs the same checks on the host.

pub mod bench;

use tensor_core::autograd::value_and_grad;
use tensor_core::random::Generator;
use tensor_core::windows::{ConvOptions, PoolOptions};
use tensor_core::{DynTensor, Tensor, axis, dim, fuse, memory, shape};
use tensor_nn::Module;
use tensor_nn::data::Loader;
use tensor_nn::layers::Linear;
use tensor_nn::losses::mse;
use tensor_nn::optim::{AdamW, Optimizer};

/// Exports each check, and lists them for the tests of the host.
macro_rules! checks {
    ($($(#[$doc:meta])* fn $name:ident() $body:block)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Panics
            ///
            /// If a result is wrong.
            // SAFETY: no other function of the module has the name.
            #[unsafe(no_mangle)]
            pub extern "C" fn $name() $body
        )*

        #[cfg(test)]
        mod tests {
            $(
                #[test]
                fn $name() {
                    super::$name();
                }
            )*
        }
    };
}

/// Sends the messages of panics to the host, which prints them.
#[cfg(target_family = "wasm")]
mod messages {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Prints a string in UTF-8.
        fn print(bytes: *const u8, len: usize);
    }

    /// Installs the hook of panics.
    #[unsafe(no_mangle)]
    pub extern "C" fn start() {
        std::panic::set_hook(Box::new(|panic| {
            let message = panic.to_string();
            // SAFETY: the host reads these bytes during the call.
            unsafe { print(message.as_ptr(), message.len()) };
        }));
    }
}

/// The cases of NumPy and PyTorch; on the host, a test of the workspace.
#[cfg(target_family = "wasm")]
#[allow(dead_code, reason = "the host runs the cases that panic")]
#[path = "../../conformance.rs"]
mod conformance;

/// Compares the results of all cases of the corpus.
///
/// # Panics
///
/// If a result is wrong.
#[cfg(target_family = "wasm")]
// SAFETY: no other function of the module has the name.
#[unsafe(no_mangle)]
pub extern "C" fn cases_of_the_corpus() {
    conformance::every_case_is_computed_refused_or_left_out_for_a_reason();
}

axis!(
    /// The examples of a batch.
    Batch
);

/// A network of two layers.
#[derive(Clone, Debug, Module)]
struct Network {
    hidden: Linear<dim!(32), dim!(64)>,
    out: Linear<dim!(64), dim!(1)>,
}

checks! {
    /// Results of 4 MiB, freed and made again.
    fn large_element_wise_operations() {
        let x: Tensor<shape![1024, 1024]> = Tensor::ones();
        for _ in 0..4 {
            let y = &x + &x;
            assert_eq!(y.sum().item(), 2.0 * 1024.0 * 1024.0);
            let z = fuse!(y * y - x);
            assert_eq!(z.max().item(), 3.0);
            assert!((z.exp().to_vec()[77] - 3.0_f32.exp()).abs() < 1e-5);
        }
        memory::clear_cache();
        // Elsewhere other tests free memory at the same time.
        #[cfg(target_arch = "wasm32")]
        assert_eq!(memory::cached_bytes(), 0);
    }

    /// Rows and columns that broadcast to a large result.
    fn large_broadcasts() {
        let column: Tensor<shape![2048, 1], i64> = Tensor::<shape![2048], i64>::arange().reshape();
        let row: Tensor<shape![1024], i64> = Tensor::arange();
        let sums = &column + &row;
        assert_eq!(sums.to_vec()[2047 * 1024 + 1023], 2047 + 1023);
        assert_eq!(sums.transpose().contiguous().to_vec()[2048 + 3], 4);
    }

    /// Products of matrices that other machines share among threads.
    fn large_products() {
        let a: Tensor<shape![300, 400]> = Generator::seed(1).uniform(-1.0, 1.0);
        let b: Tensor<shape![400, 500]> = Generator::seed(2).uniform(-1.0, 1.0);
        let product = a.matmul(&b);
        let (a, b, product) = (a.to_vec(), b.to_vec(), product.to_vec());
        for (row, column) in [(0, 0), (17, 423), (299, 499)] {
            let expected: f64 =
                (0..400).map(|k| f64::from(a[row * 400 + k]) * f64::from(b[k * 500 + column])).sum();
            assert!((f64::from(product[row * 500 + column]) - expected).abs() < 1e-4);
        }
    }

    /// Sums, means and maxima along each axis of 2 M elements.
    fn large_reductions() {
        let x: Tensor<shape![2048, 1024], i64> = Tensor::<shape![2_097_152], i64>::arange().reshape();
        assert_eq!(x.sum().item(), 2_097_151 * 2_097_152 / 2);
        assert_eq!(x.max_axis::<-1>().to_vec()[1], 2047);
        assert_eq!(x.sum_axis::<0>().to_vec()[0], 1024 * (2047 * 2048 / 2));
        let shares = x.cast::<f32>().softmax::<-1>().sum_axis::<-1>();
        assert!((shares - 1.0).abs().max().item() < 1e-5);
    }

    /// Sorting 1 M random numbers, and their order.
    fn sorting() {
        let x: Tensor<shape![1_048_576]> = Generator::seed(7).normal(0.0, 1.0);
        let sorted = x.sort::<0>();
        assert!(sorted.to_vec().is_sorted());
        assert_eq!(x.take::<0, _>(&x.argsort::<0>()), Ok(sorted));
    }

    /// One seed gives the same numbers as on other machines.
    fn random_numbers() {
        let x: Tensor<shape![1000, 1000]> = Generator::seed(42).normal(0.0, 1.0);
        assert!(x.mean().item().abs() < 0.01 && (x.std().item() - 1.0).abs() < 0.01);
        assert_eq!(x, Generator::seed(42).normal(0.0, 1.0));
    }

    /// Convolution and pooling of a batch.
    fn convolutions() {
        let x = DynTensor::full(&[8, 3, 64, 64], 1.0_f32);
        let y = x.conv2d(&DynTensor::full(&[16, 3, 3, 3], 1.0), &ConvOptions::new()).unwrap();
        assert_eq!(y.sizes(), [8, 16, 62, 62]);
        let pooled = y.max_pool2d(&PoolOptions::new(&[2, 2])).unwrap();
        assert_eq!(pooled, DynTensor::full(&[8, 16, 31, 31], 27.0));
    }

    /// Gradients, an optimiser and batches that a loader would make in advance on other machines.
    fn a_training_step() {
        let mut rng = Generator::seed(3);
        let x: Tensor<shape![4096, 32]> = rng.normal(0.0, 1.0);
        let y: Tensor<shape![4096, 1]> = x.sum_axis_keepdims::<-1>() * 0.1;
        let mut network = Network { hidden: Linear::new(&mut rng), out: Linear::new(&mut rng) };
        let mut optimizer = Optimizer::new(AdamW::default(), 0.01);
        let mut losses = Vec::new();
        for _ in 0..20 {
            let (loss, gradient) = value_and_grad(&network, |network| {
                mse(&network.out.forward(&network.hidden.forward(&x).tanh()), &y)
            });
            optimizer.step(&mut network, &gradient).unwrap();
            losses.push(loss.item());
        }
        assert!(losses[19] < 0.5 * losses[0], "{losses:?}");
        let batches = Loader::new(x, 1024).shuffled(5).prefetched(2);
        assert_eq!(batches.epoch::<Batch>(0).count(), 4);
    }

    /// Files are refused with an error.
    fn files() {
        assert!(Tensor::<shape![2]>::ones().save_npy("/no such folder/x.npy").is_err());
    }
}
