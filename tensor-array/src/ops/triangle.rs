//! Triangles and diagonals of matrices: `tril`, `triu`, `diag_embed`, `trace`.

use tensor_kernels::kernel::moves::{Fill, Program, Side, assemble};

use super::prelude::*;

operation_rows! {
    topic "Padding, repeating and moving" {
        tril: 1 "Element" "tril" "tril" "select";
        triu: 1 "Element" "triu" "triu" "select";
        diag_embed: 1 "Element" "diag" "diag_embed" "select";
        trace: 1 "Number" "trace" "trace" "reduce(add)";
    }
}

/// The elements of matrices on one side of a diagonal, and another element elsewhere.
#[derive(Debug)]
struct Triangle<T> {
    side: Side,
    diagonal: isize,
    fill: T,
}

primitive!(Triangle<T> where T: Element, |triangle| triangle.side.method(), |_, _, _| 0, |triangle, to| {
    let fill = to.scalar(triangle.fill);
    to.builder.triangle(&to.x[0], triangle.side, triangle.diagonal, &fill)
});

evaluate!(
    Triangle<T> => (x: T) -> T where T: Element,
    |triangle, sizes| {
        let fill = Fill(triangle.fill);
        assemble(sizes, &Program::triangle(x.as_view(), triangle.side, triangle.diagonal, &fill))
    },
    |triangle| TriangleRule { side: triangle.side, diagonal: triangle.diagonal },
);

struct TriangleRule {
    side: Side,
    diagonal: isize,
}

/// Vectors as the diagonals of matrices.
#[derive(Clone, Debug)]
struct DiagEmbed;

primitive!(DiagEmbed, |_| "diag_embed", |_, _, _| 0, |_, to| {
    let axes: Vec<usize> = (0..to.x[0].rank()).collect();
    let matrices = to.builder.broadcast_in(&to.x[0], &axes, to.sizes);
    let zero = to.builder.number(0.0, &[], to.element);
    let lower = to.builder.triangle(&matrices, Side::Lower, 0, &zero);
    to.builder.triangle(&lower, Side::Upper, 0, &zero)
});

evaluate!(
    DiagEmbed => (x: T) -> T where T: Element,
    |_, sizes| assemble(sizes, &Program::diagonal(x.as_view(), &Fill(T::ZERO))),
    |diagembed| diagembed.clone(),
);

impl GradientRule for TriangleRule {
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        smallvec![Some(fits(gradient.triangle(self.side, self.diagonal, T::ZERO)))]
    }
}

impl GradientRule for DiagEmbed {
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        smallvec![Some(fits(gradient.diagonal(0, -2, -1)))]
    }
}

impl<T: Element> DynTensor<T> {
    #[track_caller]
    fn triangle(&self, side: Side, diagonal: isize, fill: T) -> Result<Self, ShapeError> {
        self.check_rank(side.method(), 2)?;
        let triangle = Triangle { side, diagonal, fill };
        Ok(apply::<(T,), _>(triangle, (self,), self.sizes.clone()))
    }

    /// # Errors
    ///
    /// If there are fewer axes.
    fn check_rank(&self, operation: &'static str, least: usize) -> Result<(), ShapeError> {
        match self.rank() {
            rank if rank < least => Err(ShapeError::TooFewAxes { operation, least, rank }),
            _ => Ok(()),
        }
    }
}

/// # Triangles and diagonals
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// The elements of matrices on and below a diagonal, 0 above it: `[..l, m, n] → [..l, m, n]`. The diagonal
    /// lies `diagonal` columns to the right of the main one.
    /// Errors: If there are fewer than two axes.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[1, 2], [3, 4]]).tril(0)?, tensor![[1, 0], [3, 4]].into());
    /// ```
    pub fn tril(&self, diagonal: isize) -> Result<Self, ShapeError> {
        self.triangle(Side::Lower, diagonal, T::ZERO)
    }

    /// The elements of matrices on and above a diagonal, 0 below it: `[..l, m, n] → [..l, m, n]`. The diagonal
    /// lies `diagonal` columns to the right of the main one.
    /// Errors: If there are fewer than two axes.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[1, 2], [3, 4]]).triu(1)?, tensor![[0, 2], [0, 0]].into());
    /// ```
    pub fn triu(&self, diagonal: isize) -> Result<Self, ShapeError> {
        self.triangle(Side::Upper, diagonal, T::ZERO)
    }

    /// The elements of matrices on and below a diagonal, as `tril`, and `fill` instead of 0 above it:
    /// `[..l, m, n] → [..l, m, n]`.
    /// Errors: If there are fewer than two axes.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2], [3, 4]]).tril_or(0, -9)?;
    /// assert_eq!(x, tensor![[1, -9], [3, 4]].into());
    /// ```
    pub fn tril_or(&self, diagonal: isize, fill: T) -> Result<Self, ShapeError> {
        self.triangle(Side::Lower, diagonal, fill)
    }

    /// Vectors as the diagonals of matrices with 0 elsewhere: `[..l, n] → [..l, n, n]`.
    /// Errors: If there is no axis, or if the result exceeds `isize::MAX` bytes.
    /// ```
    /// let x = DynTensor::from(tensor![1, 2]).diag_embed()?;
    /// assert_eq!(x, tensor![[1, 0], [0, 2]].into());
    /// ```
    #[doc(alias("diag", "diagflat"))]
    pub fn diag_embed(&self) -> Result<Self, ShapeError> {
        self.check_rank("diag_embed", 1)?;
        let mut sizes = self.sizes.clone();
        sizes.push(sizes[sizes.len() - 1]);
        fits_into_memory::<T>(&sizes)?;
        Ok(apply::<(T,), _>(DiagEmbed, (self,), sizes))
    }

    /// The sums of the main diagonals of matrices: `[..l, m, n] → [..l]`.
    /// Errors: If there are fewer than two axes.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[1, 2], [3, 4]]).trace()?.item()?, 5);
    /// ```
    pub fn trace(&self) -> Result<Self, ShapeError>
    where
        T: Number,
    {
        self.check_rank("trace", 2)?;
        let (mut sizes, mut strides) = (self.sizes.clone(), self.strides());
        let (columns, rows) = (sizes.pop(), sizes.pop());
        let (across, down) = (strides.pop(), strides.pop());
        sizes.push(rows.min(columns).unwrap_or(0));
        strides.push(down.zip(across).map_or(0, |(down, across)| down + across));
        let layout = self.layout_of_view(&sizes, strides);
        Self { sizes, layout, storage: self.storage.clone() }.sum_axis(-1)
    }
}
