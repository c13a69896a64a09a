//! Rows of the table as values.

/// A row of the table as a value, by which graphs know the operation of a kernel.
#[doc(hidden)]
#[derive(Debug)]
pub struct Row {
    pub name: &'static str,
    pub group: RowGroup,
    /// Its number in the group.
    pub position: usize,
    /// Whether it divides by the last operand.
    pub divides: bool,
}

/// The groups of rows, named as the traits of their kernels.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum RowGroup {
    NumberUnary,
    SignedUnary,
    BitsUnary,
    FloatUnary,
    ElementBinary,
    NumberBinary,
    BitsBinary,
    IntegerBinary,
    FloatBinary,
    GradientBinary,
    /// Reductions, and operations along an axis that keep the sizes.
    AlongAxes,
}

/// An operation that is a row of the table.
pub trait HasRow {
    /// The row.
    const ROW: &'static Row;
}

/// Implements [`HasRow`] for the rows of a group.
macro_rules! impl_rows {
    ($Group:ident $($Op:ident = $name:expr, $bits:ident;)+) => {
        const _: () = {
            /// The positions of the rows.
            #[allow(dead_code, clippy::enum_variant_names, reason = "named as the rows, to count them")]
            enum Position {
                $($Op,)+
            }

            $(
                impl $crate::ops::row::HasRow for $Op {
                    const ROW: &'static $crate::ops::row::Row = &$crate::ops::row::Row {
                        name: $name,
                        group: $crate::ops::row::RowGroup::$Group,
                        position: Position::$Op as usize,
                        divides: matches!(stringify!($bits).as_bytes(), b"divides"),
                    };
                }
            )+
        };
    };
}

pub(super) use impl_rows;
