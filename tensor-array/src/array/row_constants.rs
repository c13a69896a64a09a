//! What this crate knows of the rows of kernels: a constant or a function for each, found by its group and position.

/// A list of the constants of a group of element-wise rows.
macro_rules! constants {
    ([($Trait:path) $item:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt
    )+})+) => {
        const { &[$($(<tensor_kernels::ops::$Op as $Trait>::$item,)+)+] }
    };
}

/// A list of the constants of rows along axes.
macro_rules! constants_along {
    (($Trait:path) $item:ident $(
        $(#[$doc:meta])*
        $Bound:ident $Kernels:ident $elements:ident {$(
            $Op:ident $ROW:ident: $Row:ident -> $Result:ident $row:tt $kind:ident $methods:tt
        )*}
    )*) => {
        const { &[$($(<tensor_kernels::ops::reductions::$Op as $Trait>::$item,)*)*] }
    };
}

/// The constant of a row, a list of those of rows along axes being `$along`.
macro_rules! constant_of_row {
    ($row:expr, $Trait:path, $item:ident, $along:expr) => {{
        use tensor_kernels::ops::{
            RowGroup, bits_binary, bits_unary, element_binary, float_binary, float_unary,
            gradient_binary, integer_binary, number_binary, number_unary, signed_unary,
        };

        use $crate::array::row_constants::constants;

        let group: &[_] = match $row.group {
            RowGroup::NumberUnary => number_unary!(constants![($Trait) $item]),
            RowGroup::SignedUnary => signed_unary!(constants![($Trait) $item]),
            RowGroup::BitsUnary => bits_unary!(constants![($Trait) $item]),
            RowGroup::FloatUnary => float_unary!(constants![($Trait) $item]),
            RowGroup::ElementBinary => element_binary!(constants![($Trait) $item]),
            RowGroup::NumberBinary => number_binary!(constants![($Trait) $item]),
            RowGroup::BitsBinary => bits_binary!(constants![($Trait) $item]),
            RowGroup::IntegerBinary => integer_binary!(constants![($Trait) $item]),
            RowGroup::FloatBinary => float_binary!(constants![($Trait) $item]),
            RowGroup::GradientBinary => gradient_binary!(constants![($Trait) $item]),
            RowGroup::AlongAxes => $along,
        };
        group[$row.position]
    }};
}

pub(crate) use {constant_of_row, constants, constants_along};
