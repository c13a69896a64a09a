//! The mean of each row is taken from the row: `[4, 3] - [4]`

use tensor_core::{Tensor, shape};

fn main() {
    let rows = Tensor::<shape![4, 3]>::ones();
    let centred = &rows - rows.mean_axis::<1>();
    println!("{centred}");
}
