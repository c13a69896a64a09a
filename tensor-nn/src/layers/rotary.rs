//! Rotary position embeddings.

use tensor_core::splitting::ChunkAxis;
use tensor_core::{Axis, Element, Float, Module, Shape, StaticAxis, Tensor, shape, shapes};

use super::layer::no_input;
use super::{Layer, Pass};
use crate::numbers::positive;

/// Rotates pairs of channels by angles that grow with the position, so that products of queries and keys
/// depend on their relative positions: `[..lead, time, c] → [..lead, time, c]`.
///
/// Pair `i` of `c / 2` at position `p` is rotated by `p · base^(-2i / c)`. A pair is a channel of the first
/// half and the corresponding one of the second half, as in GPT-NeoX and LLaMA; in the article it is two
/// neighbouring channels, which is the same up to the order of the channels.
///
/// Source: Su, Lu, Pan, Murtadha, Wen and Liu, "RoFormer", 2021.
///
/// ```
/// use tensor_core::{Tensor, dim, shape};
/// use tensor_nn::layers::RotaryPositions;
///
/// let positions: RotaryPositions<dim!(128), dim!(64)> = RotaryPositions::new();
/// let queries = Tensor::<shape![2, 12, 128, 64]>::ones();
/// let turned = positions.forward(&queries);
/// assert_eq!(turned[[0, 0, 0, 5]], 1.0);
/// // A turn keeps lengths.
/// assert!((turned.square().sum().item() / queries.sum().item() - 1.0).abs() < 1e-5);
/// ```
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct RotaryPositions<Time: Axis, C: Axis, T: Element = f32> {
    /// The cosine of the angle of each position and channel.
    #[module(skip)]
    cos: Tensor<shape![Time, C], T>,
    /// The sine of the angle, with the sign of its term for each channel.
    #[module(skip)]
    signed_sin: Tensor<shape![Time, C], T>,
}

#[tensor_core::__private::bounds_without_source]
impl<Time: Axis, C: Axis, T: Element> RotaryPositions<Time, C, T> {
    /// The positions from 0 on, with the base 10,000 of the article. The number of channels is even.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::RotaryPositions;
    ///
    /// let positions: RotaryPositions<dim!(1), dim!(4)> = RotaryPositions::new();
    /// assert_eq!(positions.forward(&Tensor::<shape![1, 4]>::ones()), Tensor::ones());
    /// ```
    #[expect(clippy::new_without_default, reason = "layers are made by `new`")]
    pub fn new() -> Self
    where
        T: Float,
        shape![C]: ChunkAxis<0, 2>,
        Time: StaticAxis,
        C: StaticAxis,
    {
        Self::new_shaped((((), Time::VALUE), C::VALUE), 10_000.0, 0)
    }

    /// The positions from `first` on, for a size known at run time, with any base.
    ///
    /// # Panics
    ///
    /// If the base is not finite and larger than 0.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, dim, shape};
    /// use tensor_nn::layers::RotaryPositions;
    ///
    /// axis!(Time);
    /// let positions: RotaryPositions<Time, dim!(4)> =
    ///     RotaryPositions::new_shaped(shape![Time(3), 4], 10_000.0, 7);
    /// let x: Tensor<shape![Time, 4]> = Tensor::ones_shaped(shape![Time(3), 4]);
    /// assert_ne!(positions.forward(&x), x);
    /// ```
    #[track_caller]
    pub fn new_shaped(shape: shape![Time, C], base: f64, first: usize) -> Self
    where
        T: Float,
        shape![C]: ChunkAxis<0, 2>,
    {
        positive("the base of rotary positions", base);
        let (((), time), channels) = shape;
        let half = channels.size() / 2;
        let angles = |function: fn(f64) -> f64, sign: f64| {
            let mut elements = Vec::with_capacity(time.size() * channels.size());
            for position in first..first + time.size() {
                for channel in 0..channels.size() {
                    let exponent = -((channel % half) as f64) / half as f64;
                    let value = function(position as f64 * base.powf(exponent));
                    let sign = if channel < half { sign } else { 1.0 };
                    elements.push(T::from_f64(sign * value));
                }
            }
            Tensor::from_vec_shaped(shape, elements)
                .expect("an element for each position and channel")
        };
        Self { cos: angles(f64::cos, 1.0), signed_sin: angles(f64::sin, -1.0) }
    }
}

impl<Time: Axis, C: Axis, T: Element> RotaryPositions<Time, C, T> {
    /// Queries or keys rotated by their positions, `[..lead, time, c] → [..lead, time, c]`.
    ///
    /// # Panics
    ///
    /// If a named axis has another size than the positions.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::RotaryPositions;
    ///
    /// let positions: RotaryPositions<dim!(128), dim!(64)> = RotaryPositions::new();
    /// let keys = Tensor::<shape![12, 128, 64]>::zeros();
    /// assert_eq!(positions.forward(&keys), keys);
    /// ```
    #[track_caller]
    pub fn forward<Lead: Shape>(
        &self,
        x: &Tensor<shape![Lead.., Time, C], T>,
    ) -> Tensor<shape![Lead.., Time, C], T>
    where
        T: Float,
    {
        let (_, channels) = self.cos.shape();
        // Rolled by half of the channels, each channel is at the index of its partner.
        let partners = x.roll::<-1>((channels.size() / 2) as isize);
        x * &self.cos + partners * &self.signed_sin
    }
}

impl<Lead: Shape, Time: Axis, C: Axis, T: Float> Layer<Tensor<shape![Lead.., Time, C], T>>
    for RotaryPositions<Time, C, T>
{
    type Output = Tensor<shape![Lead.., Time, C], T>;

    fn apply(&self, input: &Tensor<shape![Lead.., Time, C], T>, _: &mut Pass) -> Self::Output {
        self.forward(input)
    }
}

no_input! {
    [Time: Axis, C: Axis, T: Float] RotaryPositions<Time, C, T>;
}
