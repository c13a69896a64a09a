//! Steps of optimisers.

use std::hint::black_box;

use tensor_core::{Tensor, shape};
use tensor_nn::optim::{AdamW, Optimizer};

use crate::additions::{numbers, tensor};
use crate::measure::roofline::{Real, widest};
use crate::measure::way;
use crate::row::{Reach, Table, Work};

/// The numbers of elements of the parameters: 10,000 in all.
const SIZES: [usize; 5] = [64 * 128, 128, 128 * 12, 12, 132];

/// `AdamW` of a model of five tensors. The limit is a loop that reads all that a step reads, and writes what it
/// writes.
pub fn rows<T: Real>(table: &mut Table) {
    let name = "AdamW, 10,000 parameters in 5 tensors";
    if !table.wants(name) {
        return;
    }
    let mut model = model::<T>();
    let gradient = model.clone();
    let mut optimizer = Optimizer::new(AdamW::default(), 1e-3).with_state_of(&model);
    let parts = || SIZES.map(numbers::<T>);
    let (mut x, g, mut m, mut v) = (parts(), parts(), parts(), parts());
    v.iter_mut().flatten().for_each(|v| *v = *v * *v);
    let (mut moved, mut means, mut squares) = (parts(), parts(), parts());
    let ways = vec![
        way("ours", || optimizer.step(&mut model, &gradient).expect("they fit")),
        way("moves", || {
            for part in 0..SIZES.len() {
                let (x, g) = (&mut moved[part], black_box(&g[part]));
                let state = means[part].iter_mut().zip(&mut squares[part]);
                widest(
                    #[inline(always)]
                    || {
                        for ((x, g), (m, v)) in x.iter_mut().zip(g).zip(state) {
                            (*x, *m, *v) = (*x + *g, *m - *g, *v + *g);
                        }
                    },
                );
            }
        }),
        way("loop", || {
            let [kept, rate, beta1, beta2, scale, epsilon] =
                black_box([0.99999, 1e-3, 0.1, 0.001, 0.5, 1e-8].map(T::of));
            for part in 0..SIZES.len() {
                let (x, g) = (&mut x[part], black_box(&g[part]));
                for ((x, g), (m, v)) in
                    x.iter_mut().zip(g).zip(m[part].iter_mut().zip(&mut v[part]))
                {
                    *m += beta1 * (*g - *m);
                    *v += beta2 * (*g * *g - *v);
                    *x = *x * kept - rate * *m / (v.std_sqrt() / scale + epsilon);
                }
            }
        }),
    ];
    table.row::<T>(name, Reach::Limit(2.0), Work::default(), ways);
}

type Model<T> = (
    Tensor<shape![64, 128], T>,
    Tensor<shape![128], T>,
    Tensor<shape![128, 12], T>,
    Tensor<shape![12], T>,
    Tensor<shape![132], T>,
);

fn model<T: Real>() -> Model<T> {
    (tensor(), tensor(), tensor(), tensor(), tensor())
}
