//! The mean of each row is taken from the row: `[4, 3] - [4]`

use ndarray::{Array2, Axis};

fn main() {
    let rows = Array2::<f32>::ones((4, 3));
    let means = rows.mean_axis(Axis(1)).expect("there are columns");
    let centred = &rows - &means;
    println!("{centred}");
}
