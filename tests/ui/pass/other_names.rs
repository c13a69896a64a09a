//! Methods of the user's own traits with names of other libraries come before those that only have a message, and
//! what the messages of `tests/ui/names` advise compiles.

use tensor_core::{Axis, DynTensor, Element, IntoTensor, Shape, Tensor, axis, select, shape, tensor};

trait Familiar<S: Shape> {
    fn t(&self) -> usize;
    fn row(self) -> usize;
    fn clip(&mut self, low: f32) -> usize;
}

impl<S: Shape, T: Element> Familiar<S> for Tensor<S, T> {
    fn t(&self) -> usize {
        1
    }

    fn row(self) -> usize {
        2
    }

    fn clip(&mut self, _: f32) -> usize {
        3
    }
}

trait OfArrays {
    fn t(&self) -> usize;
}

impl<T: Element> OfArrays for DynTensor<T> {
    fn t(&self) -> usize {
        4
    }
}

fn of_references<S: Shape>(x: &Tensor<S>, y: &mut Tensor<S>) -> usize {
    x.t() + y.t() + y.clip(0.0)
}

axis!(Actions = 3);

fn attention<Lead: Shape, Q: Axis, K: Axis, D: Axis>(
    queries: &Tensor<shape![Lead.., Q, D]>,
    keys: &Tensor<shape![Lead.., K, D]>,
    values: &Tensor<shape![Lead.., K, D]>,
) -> Tensor<shape![Lead.., Q, D]> {
    let scores = queries.matmul(&keys.transpose()) / 8.0;
    scores.softmax::<-1>().matmul(values)
}

fn main() {
    let mut x = tensor![[1.0, -2.0], [3.0, 4.0]];
    let boxed = Box::new(x.clone());
    assert_eq!((x.t(), (&x).t(), boxed.t(), x.clip(0.0)), (1, 1, 1, 3));
    assert_eq!((x.clone().row(), of_references(&x.clone(), &mut x)), (2, 5));

    let array = DynTensor::full(&[2, 3], 1.0);
    assert_eq!((array.t(), (&array).t()), (4, 4));
    let typed: Tensor<shape![2, 3]> = array.clone().into_tensor().unwrap();
    assert_eq!(Tensor::<shape![2, 3]>::try_from(array).unwrap(), typed);

    assert_eq!(attention(&x, &x, &x).sizes()[..], [2, 2]);
    assert_eq!(x.clamp(0.0, 1.0), tensor![[1.0, 0.0], [1.0, 1.0]]);
    assert_eq!(tensor![1.0_f32].ln().item(), 0.0);
    let scores = Tensor::<shape![2, Actions]>::ones();
    let taken = scores.take_along_axis::<-1, _>(&tensor![[2_i64], [0]]).unwrap();
    assert_eq!(taken.squeeze::<-1>(), tensor![1.0, 1.0]);
    assert_eq!(x.index::<0>(1), tensor![3.0, 4.0]);
    assert_eq!((&x + &x).relu(), tensor![[2.0, 0.0], [6.0, 8.0]]);
    assert_eq!(select(x.less(0.0), 0.0, &x), tensor![[1.0, 0.0], [3.0, 4.0]]);

    // The methods of `PartialOrd` and `PartialEq`, whose argument is a reference.
    let loss = x.mean();
    let borrowed = &loss;
    assert!(borrowed < 2.0 && borrowed == 1.5 && borrowed <= borrowed && borrowed != 2.0);
    assert!(loss.lt(&2.0) && loss.gt(&tensor![1.0, 1.0].mean()) && x.eq(&x.clone()) && loss.ne(&2.0));
}
