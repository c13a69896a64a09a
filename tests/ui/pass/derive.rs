//! `derive` on structs and enums with shapes.

use tensor_core::{Axis, Element, Shape, Tensor, axis, dim, shape, shapes, tensor};

const VOCAB: usize = 50_257;

axis!(Batch, Hidden = 768);

#[shapes]
#[derive(Clone, Debug, PartialEq)]
pub struct Linear<I: Axis, O: Axis> {
    /// From inputs to outputs.
    pub weight: Tensor<shape![I, O]>,
    pub(crate) bias: Tensor<shape![O]>,
}

#[shapes]
#[derive(Clone, Debug, PartialEq)]
enum Block<Lead: Shape, D: Axis> {
    Linear(Linear<D, D>),
    Scale { by: Option<Vec<Tensor<shape![Lead.., D]>>> },
    Table(Tensor<shape![{VOCAB}, 7 * 4]>, [Tensor<tensor_core::shape![3]>; 2]),
    Named(Box<Tensor<::tensor_core::shape![Batch, Hidden], f64>>),
}

#[shapes]
#[derive(Clone, Debug, Default)]
struct Parts(Option<Tensor<shape![dim!(2), 2048], i64>>, (u8, Square<dim!(4)>));

#[shapes]
#[derive(Clone, Debug, Default, PartialEq)]
struct Square<D: Axis = dim!(7)>(Option<Tensor<shape![D, D]>>)
where
    Tensor<shape![D]>: Clone;

mod losses {
    use super::*;

    #[shapes]
    #[derive(Clone, Debug, PartialEq, PartialOrd)]
    pub struct Loss<T: Element>(pub Tensor<shape![], T>);
}

fn twice<I: Axis, O: Axis>(layer: &Linear<I, O>) -> [Linear<I, O>; 2] {
    [layer.clone(), layer.clone()]
}

fn equals_its_clone<L: Shape, D: Axis>(block: &Block<L, D>) -> bool {
    *block == block.clone()
}

fn main() {
    #[shapes]
    #[derive(Clone, Copy, PartialEq)]
    struct Local<const N: usize> {
        shape: shape![2, 2048],
        axis: tensor_core::dim!(7),
    }

    let local = Local::<7> { shape: shape![2, 2048], axis: dim!(7) };
    let copy = local;
    assert!(local == copy && copy.shape == shape![2, 2048] && copy.axis == dim!(7));

    let layer = Linear { weight: Tensor::<shape![784, 10]>::zeros(), bias: Tensor::ones() };
    assert_eq!(twice(&layer), [layer.clone(), layer]);

    let square = Linear { weight: Tensor::<shape![4, 4]>::ones(), bias: Tensor::ones() };
    let scale = Some(vec![Tensor::ones_shaped(shape![Batch(3), 4])]);
    let three = [tensor![1.0, 2.0, 3.0], tensor![4.0, 5.0, 6.0]];
    let named = Tensor::ones_shaped(shape![Batch(2), Hidden]);
    for block in [
        Block::<shape![Batch], dim!(4)>::Linear(square),
        Block::Scale { by: scale },
        Block::Table(Tensor::zeros(), three),
        Block::Named(Box::new(named)),
    ] {
        assert!(equals_its_clone(&block));
    }

    assert!(losses::Loss(Tensor::scalar(1)) < losses::Loss(Tensor::scalar(2)));
    let parts = Parts::default().clone();
    assert_eq!((parts.0, parts.1), (None, (0, Square(None))));
}
