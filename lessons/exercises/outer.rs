//! A table of products: four numbers down the side, three along the top.
//!
//! Two vectors of different lengths do not go together element by element. A column does: it has
//! shape `[4, 1]`, and stretches over the columns of the table, while the row stretches over its
//! rows.

use tensor_core::tensor;

fn main() {
    let down = tensor![1, 2, 3, 4];
    let along = tensor![1, 10, 100];

    // A vector becomes a column by a new axis of size 1 at its end.
    let down = down.unsqueeze::<0>();

    let products = down * along;

    let row_by_row = [1, 10, 100, 2, 20, 200, 3, 30, 300, 4, 40, 400];
    assert_eq!(products.to_vec(), row_by_row);
}
