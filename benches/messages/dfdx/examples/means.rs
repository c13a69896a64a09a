//! The mean of each row is taken from the row: `[4, 3] - [4]`. Broadcasting is asked for.

use dfdx::prelude::*;

fn main() {
    let dev = Cpu::default();
    let rows: Tensor<Rank2<4, 3>, f32, _> = dev.ones();
    let means = rows.clone().mean::<_, Axis<1>>();
    let centred = rows - means.broadcast::<Rank2<4, 3>, Axis<0>>();
    println!("{:?}", centred.array());
}
