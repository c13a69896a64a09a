//! Sums of products over axes of the user's choice.

use super::operation::operation_rows;

operation_rows! {
    topic "Products" {
        tensordot: 2 "Number" "tensordot" "tensordot" "dot_general";
        einsum: 2 "Number" "einsum" "einsum" "dot_general";
    }
    topic "Axes by name" {
        rearrange: 1 "Element" "" "" "";
    }
}
