//! Layers applied one after the other.

use tensor_core::broadcast::After;
use tensor_core::module::{
    Facts, ModeVisitor, Module, ModuleTree, Path, StaticModule, TensorReader, Visitor, VisitorMut,
    WalkShapes,
};

use super::{Layer, Pass};

/// A tuple of layers, applied in order: `Sequential((Linear::new(rng), Relu, Linear::new(rng)))`, up to
/// twelve; PyTorch's `nn.Sequential`.
///
/// Every layer must accept the output of the one before, or the program does not compile.
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

#[tensor_core::diagnostics::bounds_without_source]
impl<Layers> Sequential<Layers> {
    /// The output of the last layer, for an input of the first.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::layers::{Pass, Relu, Sequential, Softmax};
    ///
    /// let model = Sequential((Relu, Softmax));
    /// assert_eq!(model.forward(&tensor![-1.0, -2.0], &mut Pass::eval()), tensor![0.5, 0.5]);
    /// ```
    pub fn forward<Input>(&self, input: &Input, pass: &mut Pass) -> Input::Output
    where
        Input: InputOfList<Layers>,
    {
        input.of_list(&self.0, pass)
    }
}

impl<Input, Layers: LayerList<Input>> Layer<Input> for Sequential<Layers> {
    type Output = Layers::Output;

    fn apply(&self, input: &Input, pass: &mut Pass) -> Layers::Output {
        self.0.chained(input, pass)
    }
}

/// A tuple of layers, each of which takes the output of the one before.
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
pub trait LayerList<Input>: LayerTuple {
    /// The output of the last layer.
    type Output;

    /// The layers applied one after the other.
    #[doc(hidden)]
    fn chained(&self, input: &Input, pass: &mut Pass) -> Self::Output;
}

impl<Input, Layers> LayerList<Input> for Layers
where
    Layers: LayerTuple,
    After<Layers::Itself, Input>: GoesThrough<Layers>,
{
    type Output = <After<Layers::Itself, Input> as GoesThrough<Layers>>::Output;

    fn chained(&self, input: &Input, pass: &mut Pass) -> Self::Output {
        input.through(self.references(), pass)
    }
}

/// The bound of [`Sequential::forward`]: a [`LayerList`]. Implemented for the input, which is unknown during
/// method lookup: rustc does not find a method if it already knows that a bound fails.
#[cfg_attr(doc, doc(hidden))]
pub trait InputOfList<Layers> {
    /// The output of the last layer.
    type Output;

    /// The layers applied one after the other.
    fn of_list(&self, layers: &Layers, pass: &mut Pass) -> Self::Output;
}

impl<Input, Layers: LayerList<Input>> InputOfList<Layers> for Input {
    type Output = Layers::Output;

    fn of_list(&self, layers: &Layers, pass: &mut Pass) -> Layers::Output {
        layers.chained(self, pass)
    }
}

/// An input of the first layer, if each output is an input of the next layer. The tuple is a parameter, not
/// `Self`: messages would list eight of the tuples that implement the trait.
#[cfg_attr(doc, doc(hidden))]
pub trait GoesThrough<Layers: LayerTuple> {
    /// The output of the last layer.
    type Output;

    /// The layers applied one after the other.
    fn through(&self, layers: Layers::References<'_>, pass: &mut Pass) -> Self::Output;
}

/// A tuple of one to twelve elements of any types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of layers",
    label = "expected a tuple of one to twelve layers",
    note = "write `Sequential((first, second))`, and `Sequential((layer,))` for a single one; a longer list has a `Sequential` in it [N101]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait LayerTuple {
    /// The tuple itself. A bound checked [after](After) it is checked for tuples only.
    type Itself;

    /// The type of a tuple of references to the elements.
    type References<'a>
    where
        Self: 'a;

    /// References to the elements.
    #[doc(hidden)]
    fn references(&self) -> Self::References<'_>;
}

/// Implements the traits for the tuple of these layers and for each of its suffixes.
macro_rules! tuples {
    ($First:ident $($Rest:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<$First, $($Rest),*> LayerTuple for ($First, $($Rest,)*) {
            type Itself = Self;
            type References<'a> = (&'a $First, $(&'a $Rest,)*) where Self: 'a;

            #[allow(non_snake_case)]
            fn references(&self) -> Self::References<'_> {
                let ($First, $($Rest,)*) = self;
                ($First, $($Rest,)*)
            }
        }

        tuples!(@through [$First $($Rest)*] [] Input; $First $($Rest)*);
        tuples!($($Rest)*);
    };
    () => {};
    // Applies each layer to the output before it. The bounds are not nested: rustc follows only ten levels.
    (@through [$($Layer:ident)+] [$($Bound:tt)*] $Taken:ty; $Next:ident $($Rest:ident)*) => {
        tuples!(
            @through [$($Layer)+] [$($Bound)* $Next: Layer<$Taken>,]
            <$Next as Layer<$Taken>>::Output; $($Rest)*
        );
    };
    (@through [$First:ident $($Rest:ident)*] [$($Bound:tt)*] $Given:ty;) => {
        impl<Input, $First, $($Rest),*> GoesThrough<($First, $($Rest,)*)> for Input
        where
            $($Bound)*
        {
            type Output = $Given;

            #[allow(non_snake_case)]
            fn through(
                &self,
                ($First, $($Rest,)*): (&$First, $(&$Rest,)*),
                pass: &mut Pass,
            ) -> Self::Output {
                let x = $First.apply(self, pass);
                $(let x = $Rest.apply(&x, pass);)*
                x
            }
        }
    };
}

tuples!(L0 L1 L2 L3 L4 L5 L6 L7 L8 L9 L10 L11);

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

    fn from_tensors(path: &Path<'_>, tensors: &mut TensorReader<'_>) -> Option<Self> {
        Layers::from_tensors(path, tensors).map(Self)
    }
}

impl<Layers: StaticModule> StaticModule for Sequential<Layers> {
    const FACTS: Facts = Layers::FACTS;
    const TREE: ModuleTree = Layers::TREE;
}

impl<V, In, Layers: WalkShapes<V, In>> WalkShapes<V, In> for Sequential<Layers> {
    type Out = Layers::Out;
}
