//! Triangles and diagonals: matrices with zeros on one side of a diagonal, or on both.

use super::MoveSource;
use super::writer::Writer;

/// The side of a diagonal whose elements are kept.
#[derive(Clone, Copy, Debug)]
pub enum Side {
    /// The elements on the diagonal and below it.
    Lower,
    /// The elements on the diagonal and above it.
    Upper,
}

impl Side {
    /// The method that keeps it.
    pub fn method(self) -> &'static str {
        match self {
            Self::Lower => "tril",
            Self::Upper => "triu",
        }
    }
}

/// Writes the elements on one side of the diagonal that is `diagonal` to the right of the main one, and
/// `fill` elsewhere.
pub(super) fn write<B: Copy>(
    writer: &mut Writer<'_, B>,
    source: &MoveSource<'_, B>,
    side: Side,
    diagonal: isize,
    fill: B,
) {
    let last = source.sizes.len() - 1;
    let (columns, step) = (source.sizes[last], source.strides[last]);
    source.for_each_outer(last, |index, offset| {
        // The number of leading columns up to the diagonal, with or without it.
        let row = index[last - 1] as isize;
        let on_diagonal = row.saturating_add(diagonal);
        let border = match side {
            Side::Lower => on_diagonal.saturating_add(1),
            Side::Upper => on_diagonal,
        };
        let border = usize::try_from(border).unwrap_or(0).min(columns);
        match side {
            Side::Lower => {
                writer.copy_strided(source.elements, offset, step, border);
                writer.fill(fill, columns - border);
            }
            Side::Upper => {
                writer.fill(fill, border);
                let first = offset + border as isize * step;
                writer.copy_strided(source.elements, first, step, columns - border);
            }
        }
    });
}

/// Writes the vectors along the last axis as diagonals of matrices, and `fill` elsewhere.
pub(super) fn write_diagonal<B: Copy>(
    writer: &mut Writer<'_, B>,
    source: &MoveSource<'_, B>,
    fill: B,
) {
    let last = source.sizes.len() - 1;
    let (size, step) = (source.sizes[last], source.strides[last]);
    source.for_each_outer(last, |_, offset| {
        for index in 0..size {
            if index > 0 {
                writer.fill(fill, size);
            }
            writer.copy(&[source.elements[(offset + index as isize * step) as usize]]);
        }
    });
}
