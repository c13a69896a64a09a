//! The mean over the time of each series lacks its axis, and is paired with the time.
//!
//! The compiler says: "cannot broadcast an axis of size `Time` with one of size `Batch`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch, Time);

type Series = Tensor<shape![Batch, Time]>;

fn detrend(x: &Series) -> Series {
    let level = x.mean_axis::<1>();
    x - level
}

fn autocovariance(x: &Series) -> Tensor<shape![Batch]> {
    let d = detrend(x);
    (&d * &d).mean_axis::<1>()
}

fn main() {
    let x = Series::from_fn_shaped(shape![Batch(16), Time(1000)], |[b, t]| {
        ((t + b) as f32 / 50.0).sin() + b as f32
    });
    println!("{}", autocovariance(&x));
}
