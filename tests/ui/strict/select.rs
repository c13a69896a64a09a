//! A mask for rows meets values for columns, and no operand has the shape of the result.
//!
//! The compiler says: "every operand would stretch: shapes `(((), Dim<2>), One)`, `((), Dim<3>)` and `()` give `(((), Dim<2>), Dim<3>)`"
//! And: "in strict code one operand has the shape of the result"
//! And: "[T106]"

use tensor_core::{select, strictly, tensor};

fn main() {
    let mask = tensor![[true], [false]];
    let row = tensor![1.0, 2.0, 3.0];
    let _ = strictly!(select(&mask, row, 0.0));
}
