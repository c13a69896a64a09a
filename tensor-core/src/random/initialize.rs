//! Initialisation of weights.

use tensor_kernels::element::Float;
use tensor_kernels::layout::num_elements;
use tensor_kernels::storage::Storage;

use super::{Draw, Generator};
use crate::shape::axis::Axis;
use crate::shape::{Shape, StaticShape};
use crate::tensor::{Tensor, new_len};

/// The numbers of inputs and outputs of a layer that a weight connects, which determine the scale of its
/// initial values.
///
/// ```
/// use tensor_core::random::Fans;
///
/// assert_eq!(Fans::of(&[784, 128]), Fans { fan_in: 784, fan_out: 128 });
/// assert_eq!(Fans::of_convolution(&[32, 16, 3, 3]), Fans { fan_in: 144, fan_out: 288 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fans {
    /// The number of inputs that an output depends on.
    pub fan_in: usize,
    /// The number of outputs that an input affects.
    pub fan_out: usize,
}

impl Fans {
    /// The fans of `[..field, in, out]`: the weight of `x.dot(&weight)`. As in JAX and Keras, leading axes
    /// count as the field of a convolution; a vector has as many inputs as outputs.
    ///
    /// ```
    /// use tensor_core::random::Fans;
    ///
    /// assert_eq!(Fans::of(&[3, 3, 16, 32]), Fans { fan_in: 144, fan_out: 288 });
    /// assert_eq!(Fans::of(&[10]), Fans { fan_in: 10, fan_out: 10 });
    /// ```
    pub fn of(sizes: &[usize]) -> Self {
        match sizes {
            [] => Self { fan_in: 1, fan_out: 1 },
            [n] => Self { fan_in: *n, fan_out: *n },
            [field @ .., fan_in, fan_out] => Self::over(field, *fan_in, *fan_out),
        }
    }

    /// The fans of `[out, in, ..field]`: the weight of a convolution in PyTorch's layout.
    ///
    /// # Panics
    ///
    /// If there are fewer than two sizes.
    ///
    /// ```
    /// use tensor_core::random::Fans;
    ///
    /// assert_eq!(Fans::of_convolution(&[128, 784]), Fans::of(&[784, 128]));
    /// ```
    #[track_caller]
    pub fn of_convolution(sizes: &[usize]) -> Self {
        match sizes {
            [fan_out, fan_in, field @ ..] => Self::over(field, *fan_in, *fan_out),
            _ => panic!("the weight of a convolution is [out, in, ..field], not {sizes:?}"),
        }
    }

    fn over(field: &[usize], fan_in: usize, fan_out: usize) -> Self {
        let field = num_elements(field);
        Self { fan_in: field.saturating_mul(fan_in), fan_out: field.saturating_mul(fan_out) }
    }
}

/// Generates an initialiser for a static shape, with the fans [`Fans::of`] it, and for a shape
/// value with any fans.
macro_rules! initialisers {
    ($(
        $(#[$doc:meta])*
        $name:ident, $shaped:ident { $from:ident, |$fans:ident| $scale:expr }
    )*) => {$(
        $(#[$doc])*
        #[tensor_array_macros::bounds_without_source]
        pub fn $name<S, T: Float>(&mut self) -> Tensor<S, T>
        where
            S: StaticShape<Checked: Sized>,
        {
            self.$shaped(S::VALUE, Fans::of(&S::VALUE.sizes()))
        }

        #[doc = concat!("[`", stringify!($name), "`](Self::", stringify!($name), ") for a shape value, of these fans: `[..s]`.")]
        ///
        /// # Panics
        ///
        /// If the elements exceed `isize::MAX` bytes, or if a named axis has two sizes.
        ///
        /// ```
        /// use tensor_core::random::{Fans, Generator};
        /// use tensor_core::{Tensor, shape};
        ///
        /// let fans = Fans::of_convolution(&[32, 16, 3, 3]);
        #[doc = concat!("let kernel: Tensor<_> = Generator::seed(42).", stringify!($shaped), "(shape![32, 16, 3, 3], fans);")]
        /// assert_eq!(kernel.sizes()[..], [32, 16, 3, 3]);
        /// ```
        #[track_caller]
        pub fn $shaped<S: Shape, T: Float>(&mut self, shape: S, $fans: Fans) -> Tensor<S, T> {
            new_len::<S, T>(shape);
            let scale: f64 = $scale;
            // Uniform numbers are shifted to be symmetric around 0.
            let (scale, shift) = match Draw::$from {
                Draw::Unit => (2.0 * scale, -scale),
                _ => (scale, 0.0),
            };
            Tensor::with_shape(shape, self.floats(Draw::$from, shift, scale, &shape.sizes()))
        }
    )*};
}

/// # Initialisers
impl Generator {
    initialisers! {
        /// Uniform within `±√(6 / (fan_in + fan_out))`: `[..field, in, out]`. For `tanh` and softmax.
        ///
        /// Source: Glorot and Bengio, "Understanding the difficulty of training deep feedforward
        /// neural networks", 2010.
        ///
        /// ```
        /// use tensor_core::random::Generator;
        /// use tensor_core::{Tensor, shape};
        ///
        /// let weight: Tensor<shape![784, 10]> = Generator::seed(42).glorot_uniform();
        /// assert!(weight.abs().max().item() <= (6.0_f32 / 794.0).sqrt());
        /// ```
        #[doc(alias = "xavier_uniform_")]
        glorot_uniform, glorot_uniform_shaped {
            Unit, |fans| (6.0 / (fans.fan_in as f64 + fans.fan_out as f64)).sqrt()
        }

        /// Normal with standard deviation `√(2 / (fan_in + fan_out))`: `[..field, in, out]`.
        ///
        /// Source: as [`glorot_uniform`](Self::glorot_uniform).
        ///
        /// ```
        /// use tensor_core::random::Generator;
        /// use tensor_core::{Tensor, shape};
        ///
        /// let weight: Tensor<shape![784, 10]> = Generator::seed(42).glorot_normal();
        /// assert!((weight.std().item() - (2.0_f32 / 794.0).sqrt()).abs() < 0.001);
        /// ```
        #[doc(alias = "xavier_normal_")]
        glorot_normal, glorot_normal_shaped {
            Normal, |fans| (2.0 / (fans.fan_in as f64 + fans.fan_out as f64)).sqrt()
        }

        /// Uniform within `±√(6 / fan_in)`: `[..field, in, out]`. For ReLU and its kin.
        ///
        /// Source: He, Zhang, Ren and Sun, "Delving deep into rectifiers", 2015.
        ///
        /// ```
        /// use tensor_core::random::Generator;
        /// use tensor_core::{Tensor, shape};
        ///
        /// let weight: Tensor<shape![784, 10]> = Generator::seed(42).he_uniform();
        /// assert!(weight.abs().max().item() <= (6.0_f32 / 784.0).sqrt());
        /// ```
        #[doc(alias = "kaiming_uniform_")]
        he_uniform, he_uniform_shaped { Unit, |fans| (6.0 / fans.fan_in as f64).sqrt() }

        /// Normal with standard deviation `√(2 / fan_in)`: `[..field, in, out]`.
        ///
        /// Source: as [`he_uniform`](Self::he_uniform).
        ///
        /// ```
        /// use tensor_core::random::Generator;
        /// use tensor_core::{Tensor, shape};
        ///
        /// let weight: Tensor<shape![784, 10]> = Generator::seed(42).he_normal();
        /// assert!((weight.std().item() - (2.0_f32 / 784.0).sqrt()).abs() < 0.002);
        /// ```
        #[doc(alias = "kaiming_normal_")]
        he_normal, he_normal_shaped { Normal, |fans| (2.0 / fans.fan_in as f64).sqrt() }
    }

    /// An orthogonal matrix: its columns, or its rows if there are more columns than rows, are
    /// orthonormal: `[..lead, m, n]`, where all axes but the last count as rows.
    ///
    /// Source: Saxe, McClelland and Ganguli, "Exact solutions to the nonlinear dynamics of learning
    /// in deep linear neural networks", 2014.
    ///
    /// ```
    /// use tensor_core::random::Generator;
    /// use tensor_core::{Tensor, shape};
    ///
    /// let q: Tensor<shape![6, 4], f64> = Generator::seed(42).orthogonal();
    /// let error = q.transpose().matmul(&q) - Tensor::<shape![4, 4], f64>::eye();
    /// assert!(error.abs().max().item() < 1e-12);
    /// ```
    pub fn orthogonal<Lead: Shape, M: Axis, N: Axis, T: Float>(
        &mut self,
    ) -> Tensor<((Lead, M), N), T>
    where
        ((Lead, M), N): StaticShape,
    {
        let shape = <((Lead, M), N)>::VALUE;
        let (rows, columns) = (num_elements(&shape.0.sizes()), shape.1.size());
        let q = self.orthonormal_rows(rows.min(columns), rows.max(columns));
        let element = |index: usize| {
            let (row, column) = (index / columns, index % columns);
            T::from_f64(if rows < columns { q[row][column] } else { q[column][row] })
        };
        let elements = (0..rows * columns).map(element).collect();
        Tensor::from_storage(shape, Storage::from_vec(elements))
    }

    /// `count` orthonormal vectors of length `len`, `count ≤ len`: normal numbers, orthogonalised by
    /// Gram–Schmidt twice, which reaches the accuracy of the arithmetic.
    fn orthonormal_rows(&mut self, count: usize, len: usize) -> Vec<Vec<f64>> {
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(count);
        while rows.len() < count {
            let mut row = vec![0.0; len];
            self.draw(Draw::Normal, &mut row);
            let before = dot(&row, &row);
            for other in rows.iter().chain(&rows) {
                let along = dot(&row, other);
                row.iter_mut().zip(other).for_each(|(x, y)| *x -= along * y);
            }
            let left = dot(&row, &row);
            // Otherwise it is nearly within the span of the others, which happens with probability 0.
            if left > 1e-20 * before {
                row.iter_mut().for_each(|x| *x /= left.sqrt());
                rows.push(row);
            }
        }
        rows
    }
}
