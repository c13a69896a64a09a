//! What this crate knows of the rows of kernels: a constant for each, found by its group and position.

/// A list of the constants of a group of element-wise rows.
macro_rules! constants {
    ([$Trait:ident $CONSTANT:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt
    )+})+) => {
        const { &[$($(<tensor_kernels::ops::$Op as $Trait>::$CONSTANT,)+)+] }
    };
}

/// A list of the constants of rows along axes.
macro_rules! constants_along {
    ($Trait:ident $CONSTANT:ident $(
        $(#[$doc:meta])*
        $Bound:ident $Kernels:ident $elements:ident {$(
            $Op:ident $ROW:ident: $Row:ident -> $Result:ident $row:tt $kind:ident $methods:tt
        )*}
    )*) => {
        const { &[$($(<tensor_kernels::ops::reductions::$Op as $Trait>::$CONSTANT,)*)*] }
    };
}

/// The constant of a row, a list of those of rows along axes being `$along`.
macro_rules! constant_of_row {
    ($row:expr, $Trait:ident::$CONSTANT:ident, $along:expr) => {{
        use tensor_kernels::ops::{
            RowGroup, bits_binary, bits_unary, element_binary, float_binary, float_unary,
            gradient_binary, integer_binary, number_binary, number_unary, signed_unary,
        };

        use $crate::array::row_constants::constants;

        let group: &[_] = match $row.group {
            RowGroup::NumberUnary => number_unary!(constants![$Trait $CONSTANT]),
            RowGroup::SignedUnary => signed_unary!(constants![$Trait $CONSTANT]),
            RowGroup::BitsUnary => bits_unary!(constants![$Trait $CONSTANT]),
            RowGroup::FloatUnary => float_unary!(constants![$Trait $CONSTANT]),
            RowGroup::ElementBinary => element_binary!(constants![$Trait $CONSTANT]),
            RowGroup::NumberBinary => number_binary!(constants![$Trait $CONSTANT]),
            RowGroup::BitsBinary => bits_binary!(constants![$Trait $CONSTANT]),
            RowGroup::IntegerBinary => integer_binary!(constants![$Trait $CONSTANT]),
            RowGroup::FloatBinary => float_binary!(constants![$Trait $CONSTANT]),
            RowGroup::GradientBinary => gradient_binary!(constants![$Trait $CONSTANT]),
            RowGroup::AlongAxes => $along,
        };
        group[$row.position]
    }};
}

pub(crate) use {constant_of_row, constants, constants_along};
