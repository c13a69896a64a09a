//! Layers one after the other.

use tensor_core::module::{Facts, ModeVisitor, Module, Path, StaticModule, Visitor, VisitorMut};

use super::{Layer, Pass};

/// Layers one after the other, in a tuple: `Sequential((Linear::new(rng), Relu, Linear::new(rng)))`, up to
/// twelve; PyTorch's `nn.Sequential`.
///
/// Every layer takes what the one before gives, or the program does not compile.
///
/// ```
/// use tensor_core::{Tensor, dim, random::Generator, shape};
/// use tensor_nn::layers::{Linear, Pass, Relu, Sequential};
///
/// type Mlp = Sequential<(
///     Linear<dim!(784), dim!(128)>,
///     Relu,
///     Linear<dim!(128), dim!(10)>,
/// )>;
///
/// let mut rng = Generator::seed(42);
/// let model: Mlp = Sequential((Linear::new(&mut rng), Relu, Linear::new(&mut rng)));
/// let scores = model.forward(&Tensor::<shape![32, 784]>::ones(), &mut Pass::eval());
/// assert_eq!(scores.shape(), shape![32, 10]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sequential<Layers>(pub Layers);

#[cfg_attr(doc, tensor_core::__private::readable_bounds)]
impl<Layers> Sequential<Layers> {
    /// The last layer's output, of an input for the first.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::layers::{Pass, Relu, Sequential, Softmax};
    ///
    /// let model = Sequential((Relu, Softmax));
    /// assert_eq!(model.forward(&tensor![-1.0, -2.0], &mut Pass::eval()), tensor![0.5, 0.5]);
    /// ```
    pub fn forward<Input, Output>(&self, input: &Input, pass: &mut Pass) -> Output
    where
        Layers: LayerTuple,
        <Layers::Itself as LayersOf<Input>>::Output: Sized,
        Layers::Itself: LayersOf<Input, Output = Output>,
    {
        self.0.itself().run(input, pass)
    }
}

impl<Input, Layers: LayerList<Input>> Layer<Input> for Sequential<Layers> {
    type Output = Layers::Output;

    fn apply(&self, input: &Input, pass: &mut Pass) -> Layers::Output {
        self.0.chained(input, pass)
    }
}

/// A tuple of layers, of which each takes what the one before gives.
///
/// ```
/// use tensor_core::{Tensor, shape, tensor};
/// use tensor_nn::layers::{LayerList, Pass, Relu, Sequential, Tanh};
///
/// type Input = Tensor<shape![2]>;
///
/// fn run<Layers: LayerList<Input>>(model: &Sequential<Layers>) -> Layers::Output {
///     model.forward(&tensor![0.0, -1.0], &mut Pass::eval())
/// }
///
/// assert_eq!(run(&Sequential((Relu, Tanh))), tensor![0.0, 0.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of layers for an input `{Input}`",
    label = "expected a tuple of one to twelve layers",
    note = "write `Sequential((first, second))`, and `Sequential((layer,))` for a single one; a longer list has a `Sequential` in it [N101]"
)]
pub trait LayerList<Input>: LayerTuple<Itself = Self> {
    /// What the last layer gives.
    type Output;

    /// The layers applied one after the other.
    #[doc(hidden)]
    fn chained(&self, input: &Input, pass: &mut Pass) -> Self::Output;
}

/// A tuple of one to twelve, whatever they are. What is asked of [`Itself`](Self::Itself) is asked of
/// tuples alone, so that of another type nothing else is said.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of layers",
    label = "expected a tuple of one to twelve layers",
    note = "write `Sequential((first, second))`, and `Sequential((layer,))` for a single one; a longer list has a `Sequential` in it [N101]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait LayerTuple {
    /// The tuple.
    type Itself;

    /// The tuple.
    #[doc(hidden)]
    fn itself(&self) -> &Self::Itself;
}

/// What [`Sequential::forward`] asks for: a [`LayerList`]. It has one impl, so that a message lists none.
#[cfg_attr(doc, doc(hidden))]
pub trait LayersOf<Input> {
    /// What the last layer gives.
    type Output;

    /// The layers applied one after the other.
    fn run(&self, input: &Input, pass: &mut Pass) -> Self::Output;
}

impl<Input, Layers: LayerList<Input, Output = Last>, Last> LayersOf<Input> for Layers {
    type Output = Last;

    fn run(&self, input: &Input, pass: &mut Pass) -> Last {
        self.chained(input, pass)
    }
}

/// Stamps out the chains of these layers: `first: Layer<Input>, second: Layer<first::Output>` …
macro_rules! chains {
    ($First:ident $($Before:ident $Layer:ident $place:tt)*) => {
        chains!(@each [$First] [$($Before $Layer $place)*] []);
    };
    (@each [$First:ident] [] [$($done:tt)*]) => {
        chains!(@impl $First [$($done)*]);
    };
    (@each [$First:ident] [$Before:ident $Layer:ident $place:tt $($more:tt)*] [$($done:tt)*]) => {
        chains!(@impl $First [$($done)*]);
        chains!(@each [$First] [$($more)*] [$($done)* $Before $Layer $place]);
    };
    (@impl $First:ident [$($Before:ident $Layer:ident $place:tt)*]) => {
        #[diagnostic::do_not_recommend]
        impl<$First, $($Layer),*> LayerTuple for ($First, $($Layer,)*) {
            type Itself = Self;

            fn itself(&self) -> &Self {
                self
            }
        }

        impl<Input, $First: Layer<Input>, $($Layer: Layer<$Before::Output>),*> LayerList<Input>
            for ($First, $($Layer,)*)
        {
            type Output = chains!(@last $First $($Layer)*);

            fn chained(&self, input: &Input, pass: &mut Pass) -> Self::Output {
                let x = self.0.apply(input, pass);
                $(let x = self.$place.apply(&x, pass);)*
                x
            }
        }
    };
    (@last $Last:ident) => { $Last::Output };
    (@last $First:ident $($more:ident)+) => { chains!(@last $($more)+) };
}

chains! {
    L0 L0 L1 1 L1 L2 2 L2 L3 3 L3 L4 4 L4 L5 5 L5 L6 6 L6 L7 7 L7 L8 8 L8 L9 9 L9 L10 10 L10 L11 11
}

/// The names are those of the tuple, `0.weight` and so on, as in PyTorch.
impl<Layers: Module> Module for Sequential<Layers> {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        self.0.visit(path, visitor);
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        self.0.visit_mut(path, visitor);
    }

    fn visit_modes(&mut self, visitor: &mut ModeVisitor<'_>) {
        self.0.visit_modes(visitor);
    }
}

impl<Layers: StaticModule> StaticModule for Sequential<Layers> {
    const FACTS: Facts = Layers::FACTS;
}
