//! Random tensors. One seed gives the same numbers on every machine and for every number of threads.
//!
//! ```
//! use tensor_core::random::Generator;
//! use tensor_core::{Tensor, shape};
//!
//! let mut rng = Generator::seed(42);
//! let noise: Tensor<shape![64, 28]> = rng.normal(0.0, 0.1);
//! let weight: Tensor<shape![784, 128]> = rng.he_normal();
//! let kept: Tensor<shape![64, 28], bool> = rng.bernoulli(0.9);
//! assert_eq!(noise, Generator::seed(42).normal(0.0, 0.1));
//! # let _ = (weight, kept);
//! ```
//!
//! Each method has three forms: `normal` for a static shape, which the result type determines,
//! `normal_shaped` for a shape with run-time sizes, and `normal_dyn` for a [`DynTensor`].
//!
//! The generator is xoshiro256++ and the distributions are those of the crate `rand_distr`, computed
//! in `f64` and rounded to the element type once. Elements are drawn in row-major order. Numbers are
//! the same as long as the version of `tensor-core` is; no other crate of the program may switch on
//! the feature `std_math` of `rand_distr`, whose last bits are those of the platform.
//!
//! Other generators and distributions of the `rand` crates work as well: a [`Generator`] is a
//! [`rand::Rng`], and [`Generator::sample`] takes any [`Distribution`].
//!
//! # In programs
//!
//! A generator with a seed would draw the same numbers in every run of a [program](crate::trace), so it panics in a
//! traced function. [`Generator::at`] draws from a seed and a tensor, which is an input of the program, such as the
//! step number.
//!
//! The body of a loop or branch, such as that of [`scan`](crate::trace::scan()), is traced once: it makes its own generator, from
//! a step that is a state, an item or an operand, and panics if it draws from one that was made outside of it.

use core::convert::Infallible;
use core::fmt;
use core::ops::Range;

use rand::distr::uniform::SampleUniform;
use rand::distr::{Distribution, StandardUniform};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng, TryRng};
use rand_distr::StandardNormal;

use tensor_array::array::trace::is_tracing;
use tensor_kernels::element::{Element, Float, Integer};
use tensor_kernels::evaluate::unwrap_or_panic;
use tensor_kernels::layout::{checked_num_elements, len_in_memory};
use tensor_kernels::sizes::error::ShapeError;

use crate::shape::axis::Axis;
use crate::shape::{Shape, StaticShape};
use crate::tensor::{DynTensor, Tensor, new_len};

mod counter;
mod initialize;

use counter::Counter;
pub use initialize::Fans;

/// A seeded source of random tensors; NumPy's `default_rng(seed)`, PyTorch's `Generator`.
///
/// ```
/// use tensor_core::random::Generator;
/// use tensor_core::{Tensor, shape};
///
/// let mut rng = Generator::seed(7);
/// let dice: Tensor<shape![10], i32> = rng.integers(1..7);
/// assert!((1..7).contains(&dice.max().item()));
/// ```
#[doc(alias = "default_rng")]
#[doc(alias = "manual_seed")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    rng: Xoshiro256PlusPlus,
    /// What tensors are drawn of, if they follow from a step.
    counter: Option<Counter>,
}

/// Each call draws the next numbers, like [`Generator`]'s own methods.
impl TryRng for Generator {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.numbers().try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.numbers().try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.numbers().try_fill_bytes(bytes)
    }
}

/// # Making a generator
impl Generator {
    /// A generator with this seed.
    ///
    /// ```
    /// use tensor_core::random::Generator;
    ///
    /// assert_eq!(Generator::seed(42), Generator::seed(42));
    /// ```
    pub fn seed(seed: u64) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed), counter: None }
    }

    /// A generator whose numbers follow from a seed and from the number of a step, which may be an input of a
    /// [program](crate::trace): the program has other numbers in each step, and the same bits as a call. JAX's `fold_in`.
    ///
    /// In a function that is traced it draws [`uniform`](Self::uniform), [`normal`](Self::normal),
    /// [`integers`](Self::integers), [`bernoulli`](Self::bernoulli), [`permutations`](Self::permutations),
    /// [`categorical`](Self::categorical) and the initialisers but [`orthogonal`](Self::orthogonal). What draws number by number, such as [`sample`](Self::sample),
    /// works outside alone. A training that goes on from a checkpoint needs no state of such a generator.
    ///
    /// The bits are those of SplitMix64; normal numbers are computed from them by the method of Box and Muller, in `f32` or,
    /// for elements of `f64`, in `f64`. XLA computes the same bits, integers, masks and uniform numbers, and normal numbers up to
    /// rounding.
    ///
    /// ```
    /// use tensor_core::random::Generator;
    /// use tensor_core::trace::trace;
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// type Step = Tensor<shape![], i64>;
    /// type X = Tensor<shape![3]>;
    ///
    /// // A sample of a variational autoencoder.
    /// let sample = |(mean, std, step): &(X, X, Step)| {
    ///     mean + std * Generator::at(42, step).normal::<shape![3], f32>(0.0, 1.0)
    /// };
    /// let inputs = |step| (tensor![0.0, 1.0, 2.0], tensor![0.1, 0.1, 0.2], Tensor::scalar(step));
    /// let program = trace(&inputs(0), sample);
    /// assert_eq!(program.run(&inputs(7))?, sample(&inputs(7)));
    /// assert_ne!(program.run(&inputs(7))?, program.run(&inputs(8))?);
    /// # Ok::<(), tensor_core::trace::InputError>(())
    /// ```
    #[doc(alias = "fold_in")]
    pub fn at(seed: u64, step: &Tensor<(), i64>) -> Self {
        Self::counting(Counter::new(seed, step.erased()))
    }

    fn counting(counter: Counter) -> Self {
        // For numbers that are drawn one by one, which a program has not.
        let seed = if counter.key.is_traced() { 0 } else { counter.key.to_vec()[0] };
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed), counter: Some(counter) }
    }

    /// A generator whose seed is drawn from another one: from [`rand::rng()`](https://docs.rs/rand) for a new
    /// seed at each run of the program.
    ///
    /// ```
    /// use tensor_core::random::Generator;
    ///
    /// let mut other = Generator::seed(1);
    /// assert_ne!(Generator::from_rng(&mut other), Generator::from_rng(&mut other));
    /// ```
    pub fn from_rng(rng: &mut (impl Rng + ?Sized)) -> Self {
        Self { rng: Xoshiro256PlusPlus::from_rng(rng), counter: None }
    }

    /// A second generator, for another thread or part of a program: the numbers that one draws do not
    /// affect the other. JAX's `split`, NumPy's `spawn`.
    ///
    /// ```
    /// use tensor_core::random::Generator;
    ///
    /// let mut rng = Generator::seed(42);
    /// let (mut data, mut model) = (rng.split(), rng.split());
    /// assert_ne!(data.permutation(20), model.permutation(20));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn split(&mut self) -> Self {
        match &self.counter {
            Some(_) => Self::counting(self.counter().expect("it counts").split()),
            None => Self { rng: Xoshiro256PlusPlus::from_rng(&mut self.rng), counter: None },
        }
    }
}

/// The distribution of the elements of a tensor.
#[derive(Clone, Copy)]
enum Draw {
    /// Uniform from 0, included, to 1, excluded.
    Unit,
    Normal,
    /// Normal, redrawn beyond two standard deviations.
    Truncated,
}

impl Generator {
    /// What tensors are drawn of, if they follow from a step.
    ///
    /// # Panics
    ///
    /// If a function is being traced, and the step is no input of it, or if the generator was made outside of the body of
    /// the loop or branch.
    #[track_caller]
    fn counter(&mut self) -> Option<&mut Counter> {
        let follows = self.counter.as_ref().is_some_and(|counter| counter.key.is_traced());
        assert!(
            follows || !is_tracing(),
            "the numbers of this generator would be the same whenever the program runs: draw from `Generator::at(seed, \
             &step)` with an input `step`, or draw outside, and give the numbers to the function as an input"
        );
        assert!(
            !self.counter.as_ref().is_some_and(Counter::is_outside_of_body),
            "this generator was made outside of the body of a loop or branch, which is traced once, so that it would draw the \
             same numbers in each call of the body: make it in the body, by `Generator::at(seed, &step)` with a `step` that \
             is a state, an item or an operand, or give the numbers to the loop as items"
        );
        self.counter.as_mut()
    }

    /// The source of numbers that are drawn one by one.
    ///
    /// # Panics
    ///
    /// If a function is being traced.
    #[track_caller]
    fn numbers(&mut self) -> &mut Xoshiro256PlusPlus {
        let follows = self.counter().is_some_and(|counter| counter.key.is_traced());
        assert!(
            !follows,
            "numbers that are drawn one by one cannot be traced: draw `uniform`, `normal`, `integers`, `bernoulli`, \
             `permutations` or `categorical`, or draw outside, and give the numbers to the function as an input"
        );
        &mut self.rng
    }

    /// A tensor of these sizes, whose elements are drawn one by one.
    #[track_caller]
    fn each<T: Element>(
        &mut self,
        sizes: &[usize],
        mut one: impl FnMut(&mut Xoshiro256PlusPlus) -> T,
    ) -> DynTensor<T> {
        let rng = self.numbers();
        filled(sizes, |elements| elements.fill_with(|| one(rng)))
    }

    /// Fills `out`; compiled here once.
    #[inline(never)]
    #[track_caller]
    fn draw(&mut self, from: Draw, out: &mut [f64]) {
        let rng = self.numbers();
        for position in out {
            *position = match from {
                Draw::Unit => StandardUniform.sample(rng),
                Draw::Normal => StandardNormal.sample(rng),
                Draw::Truncated => loop {
                    let x: f64 = StandardNormal.sample(rng);
                    if x.abs() <= 2.0 {
                        break x;
                    }
                },
            };
        }
    }

    /// Elements that are each `scale · x + shift`: `[..s]`.
    #[track_caller]
    fn floats<T: Float>(
        &mut self,
        from: Draw,
        shift: f64,
        scale: f64,
        sizes: &[usize],
    ) -> DynTensor<T> {
        if let (Draw::Unit | Draw::Normal, Some(counter)) = (from, self.counter()) {
            return counter.floats(from, shift, scale, sizes);
        }
        filled(sizes, |elements| self.fill_floats(from, shift, scale, elements))
    }

    /// Draws each element as `scale · x + shift`.
    #[track_caller]
    fn fill_floats<T: Float>(&mut self, from: Draw, shift: f64, scale: f64, elements: &mut [T]) {
        let mut drawn = [0.0; 256];
        for elements in elements.chunks_mut(drawn.len()) {
            let drawn = &mut drawn[..elements.len()];
            self.draw(from, drawn);
            for (element, x) in elements.iter_mut().zip(drawn) {
                *element = T::from_f64(scale * *x + shift);
            }
        }
    }

    #[track_caller]
    fn uniform_floats<T: Float>(&mut self, low: T, high: T, sizes: &[usize]) -> DynTensor<T> {
        if let Some(counter) = self.counter() {
            return counter.uniform(low, high, sizes);
        }
        let (from, to) = (low.to_f64(), high.to_f64());
        filled(sizes, |elements| {
            self.fill_floats(Draw::Unit, from, to - from, elements);
            // Rounding to `T` may give `high`, which is excluded.
            for element in elements {
                while *element >= high && low < high {
                    self.fill_floats(Draw::Unit, from, to - from, core::slice::from_mut(element));
                }
            }
        })
    }
}

/// A tensor of these sizes that `fill` writes: allocated by the library, which puts large tensors in huge pages, so that
/// weights are read faster than from a `Vec` (benchmark `inference`, row `Llama, token`).
#[track_caller]
fn filled<T: Element>(sizes: &[usize], fill: impl FnOnce(&mut [T])) -> DynTensor<T> {
    let mut tensor = DynTensor::zeros(sizes);
    fill(tensor.as_mut_slice());
    tensor
}

/// Generates the three forms of a method: for a static shape, a shape value and sizes.
macro_rules! forms {
    ($(
        $(#[$doc:meta])*
        $name:ident, $shaped:ident, $dynamic:ident
        [$($T:ident: $Bound:path),*] ($($argument:ident: $A:ty),*) -> $Element:ident
            { |$rng:ident, $sizes:ident| $elements:expr }
        example: $call:literal, $dyn_call:literal;
    )*) => {
        $(
            $(#[$doc])*
            #[track_caller]
            #[tensor_array_macros::bounds_without_source]
            pub fn $name<S, $($T: $Bound),*>(
                &mut self,
                $($argument: $A),*
            ) -> Tensor<S, $Element>
            where
                S: StaticShape,
            {
                self.$shaped(S::VALUE, $($argument),*)
            }

            #[doc = concat!("[`", stringify!($name), "`](Self::", stringify!($name), ") for a shape with run-time sizes: `[..s]`.")]
            ///
            /// # Panics
            ///
            #[doc = concat!("As [`", stringify!($name), "`](Self::", stringify!($name), "), if the elements exceed `isize::MAX` bytes, and if a named axis has two sizes.")]
            ///
            /// ```
            /// use tensor_core::random::Generator;
            /// use tensor_core::{axis, shape};
            ///
            /// axis!(Batch);
            /// let mut rng = Generator::seed(42);
            #[doc = concat!("let x = ", $call, ";")]
            /// assert_eq!(x.sizes()[..], [32, 3]);
            /// ```
            #[track_caller]
            pub fn $shaped<S: Shape, $($T: $Bound),*>(
                &mut self,
                shape: S,
                $($argument: $A),*
            ) -> Tensor<S, $Element> {
                new_len::<S, $Element>(shape);
                let ($rng, $sizes) = (self, &shape.sizes()[..]);
                Tensor::with_shape(shape, $elements)
            }

            #[doc = concat!("[`", stringify!($name), "`](Self::", stringify!($name), ") of these sizes: `[..s]`.")]
            ///
            /// # Panics
            ///
            #[doc = concat!("As [`", stringify!($name), "`](Self::", stringify!($name), "), and if the elements exceed `isize::MAX` bytes.")]
            ///
            /// ```
            /// use tensor_core::DynTensor;
            /// use tensor_core::random::Generator;
            ///
            /// let mut rng = Generator::seed(42);
            #[doc = concat!("let x = ", $dyn_call, ";")]
            /// assert_eq!(x.sizes(), [32, 3]);
            /// ```
            #[track_caller]
            pub fn $dynamic<$($T: $Bound),*>(
                &mut self,
                sizes: &[usize],
                $($argument: $A),*
            ) -> DynTensor<$Element> {
                len_in_memory(sizes, size_of::<$Element>());
                let ($rng, $sizes) = (self, sizes);
                $elements
            }
        )*
    };
}

/// The types of [`Generator::integers`]: `i8` to `i64` and `u8` to `u64`.
///
/// ```
/// use tensor_core::random::{Generator, RandomInteger};
/// use tensor_core::{Tensor, shape};
///
/// fn bits<T: RandomInteger>(rng: &mut Generator) -> Tensor<shape![8], T> {
///     rng.integers(T::ZERO..T::from_f64(2.0))
/// }
///
/// assert!(bits::<u8>(&mut Generator::seed(42)).max().item() < 2);
/// ```
pub trait RandomInteger: Integer + SampleUniform {}

impl<T: Integer + SampleUniform> RandomInteger for T {}

#[track_caller]
fn assert_range<T: Float>(low: T, high: T) {
    let span = high.to_f64() - low.to_f64();
    assert!(low < high && span.is_finite(), "no numbers from {low} up to {high}");
}

#[track_caller]
fn assert_std<T: Float>(std: T) {
    assert!(std >= T::ZERO, "the standard deviation is {std}, and must be 0 or more");
}

/// # Distributions
impl Generator {
    forms! {
        /// Uniform numbers from `low`, included, to `high`, excluded: `[..s]`.
        ///
        /// # Panics
        ///
        /// If `low < high` does not hold, or if `high - low` is infinite.
        ///
        /// ```
        /// use tensor_core::random::Generator;
        /// use tensor_core::{Tensor, shape};
        ///
        /// let x: Tensor<shape![2, 3]> = Generator::seed(42).uniform(-1.0, 1.0);
        /// assert!(x.greater_equal(-1.0).all().item() && x.less(1.0).all().item());
        /// ```
        #[doc(alias = "rand")]
        #[doc(alias = "random")]
        uniform, uniform_shaped, uniform_dyn[T: Float](low: T, high: T) -> T {
            |rng, sizes| {
                assert_range(low, high);
                rng.uniform_floats(low, high, sizes)
            }
        }
        example: "rng.uniform_shaped(shape![Batch(32), 3], -1.0, 1.0)",
            "rng.uniform_dyn(&[32, 3], -1.0_f32, 1.0)";

        /// Normally distributed numbers with a mean and a standard deviation: `[..s]`.
        ///
        /// # Panics
        ///
        /// If `std` is negative or NaN.
        ///
        /// ```
        /// use tensor_core::random::Generator;
        /// use tensor_core::{Tensor, shape};
        ///
        /// let x: Tensor<shape![100, 100]> = Generator::seed(42).normal(3.0, 0.5);
        /// assert!((x.mean().item() - 3.0).abs() < 0.02);
        /// ```
        #[doc(alias = "randn")]
        normal, normal_shaped, normal_dyn[T: Float](mean: T, std: T) -> T {
            |rng, sizes| {
                assert_std(std);
                rng.floats(Draw::Normal, mean.to_f64(), std.to_f64(), sizes)
            }
        }
        example: "rng.normal_shaped(shape![Batch(32), 3], 0.0, 1.0)",
            "rng.normal_dyn(&[32, 3], 0.0_f32, 1.0)";

        /// Truncated normal numbers: redrawn if they are more than two standard deviations from the
        /// mean: `[..s]`. As Keras and TensorFlow; `std` is that of the distribution before truncation.
        ///
        /// # Panics
        ///
        /// If `std` is negative or NaN.
        ///
        /// ```
        /// use tensor_core::random::Generator;
        /// use tensor_core::{Tensor, shape};
        ///
        /// let x: Tensor<shape![1000]> = Generator::seed(42).truncated_normal(0.0, 0.02);
        /// assert!(x.abs().max().item() <= 0.04);
        /// ```
        #[doc(alias = "trunc_normal_")]
        truncated_normal, truncated_normal_shaped, truncated_normal_dyn[T: Float](mean: T, std: T) -> T {
            |rng, sizes| {
                assert_std(std);
                rng.floats(Draw::Truncated, mean.to_f64(), std.to_f64(), sizes)
            }
        }
        example: "rng.truncated_normal_shaped(shape![Batch(32), 3], 0.0, 1.0)",
            "rng.truncated_normal_dyn(&[32, 3], 0.0_f32, 1.0)";

        /// Uniformly distributed integers of a range: `[..s]`.
        ///
        /// # Panics
        ///
        /// If the range is empty.
        ///
        /// ```
        /// use tensor_core::random::Generator;
        /// use tensor_core::{Tensor, shape};
        ///
        /// let classes: Tensor<shape![64], i64> = Generator::seed(42).integers(0..10);
        /// assert!(classes.max().item() < 10);
        /// ```
        #[doc(alias = "randint")]
        integers, integers_shaped, integers_dyn[T: RandomInteger](range: Range<T>) -> T {
            |rng, sizes| {
                let Range { start, end } = range;
                assert!(start < end, "the range {start}..{end} has no integer");
                match rng.counter() {
                    Some(counter) => counter.integers(start, end, sizes),
                    None => rng.each(sizes, |numbers| numbers.random_range(start..end)),
                }
            }
        }
        example: "rng.integers_shaped(shape![Batch(32), 3], 0..10)",
            "rng.integers_dyn(&[32, 3], 0..10)";

        /// Samples of a [`Distribution`] of the crates `rand` and `rand_distr`: `[..s]`.
        ///
        /// ```
        /// use rand::distr::StandardUniform;
        /// use tensor_core::random::Generator;
        /// use tensor_core::{Tensor, shape};
        ///
        /// let bits: Tensor<shape![2, 2], u8> = Generator::seed(42).sample(&StandardUniform);
        /// # let _ = bits;
        /// ```
        sample, sample_shaped, sample_dyn[T: Element, D: Distribution<T>](distribution: &D) -> T {
            |rng, sizes| rng.each(sizes, |numbers| distribution.sample(numbers))
        }
        example: "rng.sample_shaped::<_, u8, _>(shape![Batch(32), 3], &rand::distr::StandardUniform)",
            "rng.sample_dyn::<u8, _>(&[32, 3], &rand::distr::StandardUniform)";
    }
}

/// # Choices
impl Generator {
    forms! {
        /// `true` with probability `p`: `[..s]`. A mask for dropout.
        ///
        /// # Panics
        ///
        /// If `p` is not from 0 to 1.
        ///
        /// ```
        /// use tensor_core::random::Generator;
        /// use tensor_core::{Tensor, shape};
        ///
        /// let kept: Tensor<shape![1000], bool> = Generator::seed(42).bernoulli(0.9);
        /// assert!((850..950).contains(&kept.cast::<i32>().sum().item()));
        /// ```
        bernoulli, bernoulli_shaped, bernoulli_dyn[](p: f64) -> bool {
            |rng, sizes| {
                assert!((0.0..=1.0).contains(&p), "the probability is {p}, and must be from 0 to 1");
                match rng.counter() {
                    Some(counter) => counter.bernoulli(p, sizes),
                    None => rng.each(sizes, |numbers| numbers.random_bool(p)),
                }
            }
        }
        example: "rng.bernoulli_shaped(shape![Batch(32), 3], 0.5)", "rng.bernoulli_dyn(&[32, 3], 0.5)";

        /// Random permutations of the numbers from 0 to `n - 1`, one for each lane of the last axis: `[..lead, n]`. For
        /// [`take`](Tensor::take), in programs too.
        ///
        /// # Panics
        ///
        /// If the shape has rank 0: there is no such axis.
        ///
        /// ```
        /// use tensor_core::random::Generator;
        /// use tensor_core::{Tensor, shape};
        ///
        /// let orders: Tensor<shape![2, 100], i64> = Generator::seed(42).permutations();
        /// assert_ne!(orders.index::<0>(0), orders.index::<0>(1));
        /// assert_eq!(orders.sort::<-1>().index::<0>(1), Tensor::<shape![100], i64>::arange());
        /// ```
        permutations, permutations_shaped, permutations_dyn[]() -> i64 {
            |rng, sizes| {
                // Equal numbers of 64 bits, which keep their order, have a probability of n² / 2^65.
                let bits = match rng.counter() {
                    Some(counter) => counter.bits(sizes),
                    None => rng.each(sizes, |numbers| numbers.next_u64()),
                };
                unwrap_or_panic(bits.argsort(-1))
            }
        }
        example: "rng.permutations_shaped(shape![Batch(32), 3])", "rng.permutations_dyn(&[32, 3])";
    }

    /// A random permutation of the numbers from 0 to `n - 1`: `[n]`. [`permutations`](Self::permutations) gives a tensor.
    ///
    /// # Panics
    ///
    /// If a function is being traced.
    ///
    /// ```
    /// use tensor_core::random::Generator;
    ///
    /// let mut order = Generator::seed(42).permutation(5);
    /// assert_ne!(order, [0, 1, 2, 3, 4]);
    /// order.sort();
    /// assert_eq!(order, [0, 1, 2, 3, 4]);
    /// ```
    #[doc(alias = "randperm")]
    #[doc(alias = "shuffle")]
    #[track_caller]
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        order.shuffle(self.numbers());
        order
    }

    /// For each row of weights an index of the last axis, with a probability proportional to its
    /// weight: `[..lead, k] → [..lead]`, in programs too. PyTorch's `multinomial` of one sample.
    ///
    /// # Errors
    ///
    /// If a weight is negative, infinite or NaN, or if all of a row are 0. The weights that a program computes are not
    /// checked: such a row has an arbitrary index from 0 to `k - 1`.
    ///
    /// ```
    /// use tensor_core::random::Generator;
    /// use tensor_core::tensor;
    ///
    /// let scores = tensor![[0.0_f32, 4.0, 0.0], [9.0, -50.0, -50.0]];
    /// let mut rng = Generator::seed(42);
    /// assert_eq!(rng.categorical(&scores.softmax::<-1>())?.sizes()[..], [2]);
    ///
    /// let error = rng.categorical(&tensor![[1.0, 0.0], [0.0, -1.0]]).unwrap_err();
    /// assert_eq!(error.to_string(), "row 1: weight 1 is -1, and must be finite and 0 or more");
    /// # Ok::<(), tensor_core::random::WeightError>(())
    /// ```
    #[doc(alias = "multinomial")]
    #[doc(alias = "choice")]
    #[track_caller]
    pub fn categorical<Lead: Shape, K: Axis, T: Float>(
        &mut self,
        weights: &Tensor<(Lead, K), T>,
    ) -> Result<Tensor<Lead, i64>, WeightError> {
        let indices = self.categorical_dyn(&weights.erased())?;
        Ok(Tensor::with_shape(weights.shape().0, indices))
    }

    /// [`categorical`](Self::categorical) for a [`DynTensor`].
    ///
    /// # Errors
    ///
    /// As [`categorical`](Self::categorical), and if the weights have rank 0.
    ///
    /// ```
    /// use tensor_core::random::Generator;
    /// use tensor_core::{DynTensor, tensor};
    ///
    /// let weights = DynTensor::from(tensor![[0.0, 1.0, 0.0], [3.0, 0.0, 0.0]]);
    /// let chosen = Generator::seed(42).categorical_dyn(&weights)?;
    /// assert_eq!(chosen, tensor![1, 0].into());
    /// # Ok::<(), tensor_core::random::WeightError>(())
    /// ```
    #[track_caller]
    pub fn categorical_dyn<T: Float>(
        &mut self,
        weights: &DynTensor<T>,
    ) -> Result<DynTensor<i64>, WeightError> {
        let invalid = |row, reason| Err(WeightError { row, reason });
        let Some((&k, lead)) = weights.sizes().split_last() else {
            return invalid(0, WeightReason::NoAxis);
        };
        // More rows than memory holds have no weights, and the first row is the error.
        let rows = checked_num_elements(lead).unwrap_or(usize::MAX);
        match (rows, k) {
            (0, _) => return Ok(DynTensor::zeros(lead)),
            (_, 0) => return invalid(0, WeightReason::AllZero),
            _ => {}
        }
        if !weights.is_traced() {
            let weights = weights.to_vec();
            for (row, weights) in weights.chunks_exact(k).enumerate() {
                let is_valid = |weight: &T| *weight >= T::ZERO && weight.is_finite();
                if let Some(index) = weights.iter().position(|weight| !is_valid(weight)) {
                    return invalid(row, WeightReason::Weight(index, weights[index].to_f64()));
                }
                if weights.iter().all(|weight| *weight == T::ZERO) {
                    return invalid(row, WeightReason::AllZero);
                }
            }
        }
        let units = self.floats(Draw::Unit, 0.0, 1.0, lead);
        Ok(unwrap_or_panic(indices_at(&weights.converted(T::to_f64), &units)))
    }
}

/// The index of the first weight of each row whose cumulative sum exceeds a share of the sum of all:
/// `[..lead, k], [..lead] → [..lead]`.
fn indices_at(
    weights: &DynTensor<f64>,
    shares: &DynTensor<f64>,
) -> Result<DynTensor<i64>, ShapeError> {
    let k = weights.sizes()[weights.rank() - 1];
    // The sum of large weights may overflow; that of the weights divided by the largest does not.
    let largest = weights.max_axis(-1)?.unsqueeze(-1)?;
    let is_large = largest.greater(&DynTensor::scalar(f64::MAX / (2 * k) as f64))?;
    let sums = (weights / is_large.select(&largest, &DynTensor::scalar(1.0))?)?.cumsum(-1)?;
    let total = sums.slice_axis(-1, k - 1..)?;
    let count = |is_counted: DynTensor<bool>| is_counted.cast::<i64>().sum_axis(-1);
    let passed = count(sums.less_equal(&(shares.unsqueeze(-1)? * &total)?)?)?;
    // The first of equal sums, because the weights after it are 0.
    passed.minimum(&count(sums.less(&total)?)?)
}

/// The error of [`Generator::categorical`]: invalid weights.
#[derive(Clone, Copy, PartialEq)]
pub struct WeightError {
    row: usize,
    reason: WeightReason,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum WeightReason {
    /// The index of an invalid weight, and the weight.
    Weight(usize, f64),
    AllZero,
    NoAxis,
}

impl fmt::Display for WeightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row;
        match self.reason {
            WeightReason::Weight(index, weight) => {
                write!(f, "row {row}: weight {index} is {weight}, and must be finite and 0 or more")
            }
            WeightReason::AllZero => write!(f, "row {row}: all weights are 0"),
            WeightReason::NoAxis => f.write_str(
                "weights of rank 0 have no axis to choose along: a row of weights has rank 1",
            ),
        }
    }
}

tensor_kernels::__debug_as_display!(WeightError);

impl std::error::Error for WeightError {}
