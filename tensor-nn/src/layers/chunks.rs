//! An axis of several chunks of the same size.

use core::fmt;
use core::marker::PhantomData;

use tensor_core::align::{NumberedAxis, Unnamed};
use tensor_core::arithmetic::{MulSizes, SizeProduct};
use tensor_core::bounds::NoAxis;
use tensor_core::broadcast::{AssignAxis, AxisMismatch, BroadcastAxis, ExpandAxis};
use tensor_core::{Axis, One, StaticAxis};

/// The number of a layout for an axis whose own layout is `inner`: a polynomial of both.
pub(super) const fn layout_of(number: u64, inner: u64) -> u64 {
    inner.wrapping_mul(0x0100_0000_01B3).wrapping_add(number)
}

/// The number of chunks is added to this number.
const FIRST_OF_CHUNKS: u64 = 8;

/// An axis of `N` consecutive chunks of size `A`, as `torch.chunk` cuts it: the rows of PyTorch's
/// `in_proj_weight`, and those of the weights of recurrent layers, which have a chunk for each gate.
///
/// ```
/// use tensor_core::{Tensor, dim, shape};
/// use tensor_nn::layers::Chunks;
///
/// let weight: Tensor<shape![Chunks<dim!(3), dim!(8)>, 8]> = Tensor::zeros();
/// assert_eq!(weight.sizes()[..], [24, 8]);
/// ```
pub struct Chunks<N, A> {
    /// The axis of one chunk.
    pub chunk: A,
    count: PhantomData<fn() -> N>,
}

impl<N: StaticAxis, A: Axis> Chunks<N, A> {
    /// Chunks of the size of `chunk`.
    ///
    /// ```
    /// use tensor_core::{Axis, axis, dim};
    /// use tensor_nn::layers::Chunks;
    ///
    /// axis!(Hidden);
    /// let gates: Chunks<dim!(4), Hidden> = Chunks::of(Hidden(16));
    /// assert_eq!(gates.size(), 64);
    /// ```
    pub fn of(chunk: A) -> Self {
        Self { chunk, count: PhantomData }
    }

    const COUNT: usize = match N::SIZE {
        Some(count) => count,
        None => panic!("a static axis has a size"),
    };
}

#[diagnostic::do_not_recommend]
impl<N: StaticAxis, A: Axis> Axis for Chunks<N, A> {
    const SIZE: Option<usize> = match A::SIZE {
        Some(size) => Some(Self::COUNT * size),
        None => None,
    };
    const NAME: Option<&'static str> = None;
    const LAYOUT: u64 = match A::LAYOUT {
        0 => 0,
        chunk => layout_of(FIRST_OF_CHUNKS + Self::COUNT as u64, chunk),
    };
    const LAYOUT_OF_PART: u64 = A::LAYOUT;

    fn size(self) -> usize {
        let size = self.chunk.size();
        Self::COUNT.checked_mul(size).unwrap_or_else(|| {
            panic!("{} chunks of size {size} are more elements than there can be", Self::COUNT)
        })
    }

    fn from_size(size: usize) -> Option<Self> {
        let chunk = size.checked_div(Self::COUNT)?;
        if chunk.checked_mul(Self::COUNT) != Some(size) {
            return None;
        }
        A::from_size(chunk).map(Self::of)
    }
}

impl<N: StaticAxis, A: Axis> NumberedAxis for Chunks<N, A> {
    type Number = Unnamed;
}

impl<N: StaticAxis, A: MulSizes<N>> StaticAxis for Chunks<N, A> {
    const VALUE: Self = Self { chunk: A::VALUE, count: PhantomData };
    type Size = SizeProduct<A, N>;
}

impl<N: StaticAxis, A: Axis> BroadcastAxis<Self> for Chunks<N, A> {
    type BroadcastedAxis = Self;

    fn broadcast_axis(self, right: Self) -> Result<Self, AxisMismatch> {
        AxisMismatch::unless_equal(self, right)
    }
}

impl<N: StaticAxis, A: Axis> BroadcastAxis<One> for Chunks<N, A> {
    type BroadcastedAxis = Self;
    const RIGHT_STRETCHES: bool = true;

    fn broadcast_axis(self, _: One) -> Result<Self, AxisMismatch> {
        Ok(self)
    }
}

impl<N: StaticAxis, A: Axis> ExpandAxis<Self> for Chunks<N, A> {
    type Matched = Self;

    fn expand_axis(self, target: Self) -> Result<(), AxisMismatch> {
        AxisMismatch::unless_equal(self, target).map(|_| ())
    }
}

impl<N: StaticAxis, A: Axis> ExpandAxis<NoAxis> for Chunks<N, A> {
    type Matched = NoAxis;

    fn expand_axis(self, target: NoAxis) -> Result<(), AxisMismatch> {
        match target {}
    }
}

impl<N: StaticAxis, A: Axis> AssignAxis<Self> for Chunks<N, A> {}

impl<N: StaticAxis, A: Axis> AssignAxis<NoAxis> for Chunks<N, A> {}

// Derived impls would require the same traits of `N`, of which no value is stored.
impl<N, A: Clone> Clone for Chunks<N, A> {
    fn clone(&self) -> Self {
        Self { chunk: self.chunk.clone(), count: PhantomData }
    }
}

impl<N, A: Copy> Copy for Chunks<N, A> {}

impl<N, A: PartialEq> PartialEq for Chunks<N, A> {
    fn eq(&self, other: &Self) -> bool {
        self.chunk == other.chunk
    }
}

impl<N: StaticAxis, A: Axis> fmt::Debug for Chunks<N, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {:?}", Self::COUNT, self.chunk)
    }
}
