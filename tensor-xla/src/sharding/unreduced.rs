//! Sums over the devices of an axis of a mesh that are not added up yet, as a type.

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

use tensor_core::Axis;
use tensor_core::module::{AnyTensor, Module, Path, VisitShape, Visitor, VisitorMut, WalkShapes};
use tensor_core::trace::{Items, Parts};
use tensor_kernels::ops::{element_binary, float_binary, float_unary, number_binary, number_unary};

use super::check::{FactorOfSum, NotYetReduced, ReducedSum, SumOver};
use super::{DeviceMesh, MeshAxis};

/// A sum over the devices along the axis `D` of a mesh that is not reduced yet: each device has its part of it.
/// [`unreduced`] makes one of the results `M` of a function, tensors or a model, and [`reduce`](Self::reduce) adds the parts.
///
/// It is added to other sums over `D`, negated, and multiplied or divided by a number, part by part and without
/// communication. All else needs the sum, and does not compile before `reduce`: a function of a sum is not the sum of the
/// function of its parts. It is a panic if the tensors of the other sum differ in number or run-time sizes, and if integers
/// are negated, multiplied or divided.
///
/// In a program that is not split over devices, and in a function that is not traced, it is the same sum: its parts are one
/// tensor, with `D` as the first axis.
///
/// It is a [`Module`], so that it can be the state of a loop. As an input or output of a program, `shard` refuses it.
///
/// ```
/// use tensor_core::{Tensor, shape};
/// use tensor_xla::{mesh, unreduced};
///
/// mesh!(Grid: Data = 4);
///
/// let rows = Tensor::<shape![Data, 8, 3]>::ones();
/// let mut sum = unreduced(&rows, |rows| rows.sum_axis::<0>());
/// sum += unreduced(&rows, |rows| rows.square().sum_axis::<0>());
/// assert_eq!((-&sum).reduce(), Tensor::<shape![3]>::full(-64.0));
/// assert_eq!((0.5 * sum).reduce(), Tensor::<shape![3]>::full(32.0));
/// ```
#[doc(alias("Partial", "psum", "pending"))]
pub struct Unreduced<M, D> {
    parts: Parts<M>,
    over: PhantomData<fn() -> D>,
}

/// The sum of the results of a function of each item along the first axis of tensors, an axis of a mesh, as a sum that is
/// not reduced yet: `[d, ..x] → [..y]`, whose parts are `[d, ..y]`.
///
/// In a program that is split over the mesh, each device calls the function for its item: JAX's `jax.shard_map` over this
/// axis. What the function captures, such as weights, each of these devices has whole, unless it is split along other axes
/// of the mesh. Elsewhere the function is called for one item after the other.
///
/// Gradients that are computed within the function are not reduced either: those of several batches are added on each
/// device, and reduced once.
///
/// # Panics
///
/// If the function reads elements, or draws from a generator that it did not make, where it is traced; if results for two
/// items differ in size.
///
/// ```
/// use tensor_core::autograd::value_and_grad;
/// use tensor_core::{Tensor, axis, shape, trace::trace};
/// use tensor_xla::{mesh, shard, sharding, unreduced};
///
/// axis!(Row = 8, Pixel = 64);
/// mesh!(Grid: Data = 4);
/// sharding!(Rules on Grid: Data => Data);
///
/// type Weights = Tensor<shape![Pixel]>;
/// type Rows = Tensor<shape![Data, Row, Pixel]>;
///
/// fn step((weights, batches): &(Weights, [Rows; 2])) -> (Weights, Tensor<shape![]>) {
///     let slope = |rows: &Tensor<shape![Row, Pixel]>| {
///         value_and_grad(weights, |weights| (rows.dot(weights) - 1.0).square().mean())
///     };
///     let sum = unreduced(&batches[0], slope) + unreduced(&batches[1], slope);
///     let (loss, gradient) = (sum / 8.0).reduce();
///     (weights - gradient * 0.01, loss)
/// }
///
/// let inputs = (Weights::zeros(), [Rows::ones(), Rows::full(2.0)]);
/// let (_, loss) = step(&inputs);
/// assert_eq!(loss.item(), 1.0);
/// let text = shard(trace(&inputs, step), Rules)?.to_stablehlo();
/// assert_eq!(text.matches("sdy.manual_computation").count(), 2);
/// # Ok::<(), tensor_xla::Error>(())
/// ```
#[doc(alias = "shard_map")]
#[track_caller]
#[tensor_core::diagnostics::bounds_without_source]
pub fn unreduced<X, D, M>(items: &X, function: impl Fn(&X::Item) -> M) -> Unreduced<M, D>
where
    X: Items<Along = D>,
    D: MeshAxis,
    M: Module + Clone,
{
    let mesh = D::Mesh::mesh().unwrap_or_else(|error| panic!("{error}"));
    let axis = <D as Axis>::NAME.expect("an axis of a mesh has a name");
    Unreduced::of(Parts::each(items, &mesh.shardy(), axis, &function))
}

impl<M, D> Unreduced<M, D> {
    fn of(parts: Parts<M>) -> Self {
        Self { parts, over: PhantomData }
    }
}

impl<M: Module + Clone, D: MeshAxis> Unreduced<M, D> {
    /// The sum, which each device has: its parts are added over the devices along `D`.
    ///
    /// # Panics
    ///
    /// If elements are `bool`: `cast` them in the function of the parts.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape};
    /// use tensor_xla::{mesh, unreduced};
    ///
    /// mesh!(Grid: Data = 4);
    /// let sum = unreduced(&Tensor::<shape![Data, 3]>::ones(), |x| x.exp());
    /// assert_eq!(sum.reduce(), Tensor::<shape![3]>::full(4.0 * 1_f32.exp()));
    /// ```
    #[doc(alias("all_reduce", "psum", "redistribute"))]
    #[track_caller]
    pub fn reduce(&self) -> M {
        self.parts.sum()
    }

    /// A sum whose parts are 0, with the tensors of a module: the first state of a loop that adds to it.
    ///
    /// ```
    /// use tensor_core::trace::scan;
    /// use tensor_core::{Tensor, shape};
    /// use tensor_xla::{Unreduced, mesh, unreduced};
    ///
    /// mesh!(Grid: Data = 4);
    ///
    /// let batches = Tensor::<shape![10, Data, 3]>::ones();
    /// let start = Unreduced::zeros_like(&Tensor::<shape![3]>::zeros());
    /// let (sum, ()) = scan(&start, &batches, |sum, rows| (sum + unreduced(rows, |row| row * 2.0), ()));
    /// assert_eq!(sum.reduce(), Tensor::full(80.0));
    /// ```
    pub fn zeros_like(module: &M) -> Self {
        let devices = <D as Axis>::SIZE.expect("an axis of a mesh has a static size");
        Self::of(Parts::zeros(module, devices))
    }
}

impl<M: Clone, D> Clone for Unreduced<M, D> {
    fn clone(&self) -> Self {
        Self::of(self.parts.clone())
    }
}

impl<M, D: Axis> fmt::Debug for Unreduced<M, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let over = D::NAME.unwrap_or_default();
        let mut parts = Vec::new();
        self.visit(&Path::ROOT, &mut |_, _, tensor| parts.push(tensor));
        write!(f, "a sum over {over} that is not reduced: {parts:?}")
    }
}

/// The tensors of the parts, whose first axis is `D`.
impl<M, D> Module for Unreduced<M, D> {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        self.parts.visit(path, visitor);
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        self.parts.visit_mut(path, visitor);
    }
}

#[diagnostic::do_not_recommend]
impl<M, D> SumOver<M, D> for Unreduced<M, D> {
    fn parts(&self) -> &Parts<M> {
        &self.parts
    }
}

#[diagnostic::do_not_recommend]
impl<M, D> SumOver<M, D> for &Unreduced<M, D> {
    fn parts(&self) -> &Parts<M> {
        &self.parts
    }
}

/// Generates operators of sums, owned and borrowed: with other sums, or with factors.
macro_rules! operators {
    ($($Op:ident::$op:ident($($Bound:tt)+) => |$sum:ident, $right:ident| $result:expr;)+) => {$(
        operators! { @of Unreduced<M, D>: $Op $op [$($Bound)+] |$sum, $right| $result }
        operators! { @of &Unreduced<M, D>: $Op $op [$($Bound)+] |$sum, $right| $result }
    )+};
    (@of $Left:ty: $Op:ident $op:ident [$($Bound:tt)+] |$sum:ident, $right:ident| $result:expr) => {
        impl<M: Module + Clone, D, R: $($Bound)+> $Op<R> for $Left {
            type Output = Unreduced<M, D>;

            #[track_caller]
            fn $op(self, $right: R) -> Unreduced<M, D> {
                let $sum = &self.parts;
                Unreduced::of($result)
            }
        }
    };
}

operators! {
    Add::add(SumOver<M, D>) => |sum, right| sum.plus(right.parts());
    Sub::sub(SumOver<M, D>) => |sum, right| sum.minus(right.parts());
    Mul::mul(FactorOfSum) => |sum, factor| with_number(&factor, &|factor| sum.times(factor));
    Div::div(FactorOfSum) => |sum, divisor| with_number(&divisor, &|divisor| sum.over(divisor));
}

/// Generates the negation of sums, and their products with a number on the left: an `f64`, as a literal that fits two types
/// is ambiguous.
macro_rules! scaled {
    ($($Sum:ty)*) => {$(
        impl<M: Module + Clone, D> Neg for $Sum {
            type Output = Unreduced<M, D>;

            #[track_caller]
            fn neg(self) -> Unreduced<M, D> {
                self * -1.0_f64
            }
        }

        #[diagnostic::do_not_recommend]
        impl<M: Module + Clone, D> Mul<$Sum> for f64 {
            type Output = Unreduced<M, D>;

            #[track_caller]
            fn mul(self, sum: $Sum) -> Unreduced<M, D> {
                sum * self
            }
        }
    )*};
}

scaled! { Unreduced<M, D> &Unreduced<M, D> }

/// The result of a function of a number as a tensor.
fn with_number<M>(
    number: &impl FactorOfSum,
    then: &dyn Fn(&dyn AnyTensor) -> Parts<M>,
) -> Parts<M> {
    let mut result = None;
    number.as_number(&mut |number| result = Some(then(number)));
    result.expect("it calls the function")
}

impl<M: Module + Clone, D, R: SumOver<M, D>> AddAssign<R> for Unreduced<M, D> {
    #[track_caller]
    fn add_assign(&mut self, right: R) {
        self.parts = self.parts.plus(right.parts());
    }
}

/// The compiler lists a sum instead of the shapes of its tensors.
impl<M, D, V: VisitShape<NotYetReduced<M, D>, In>, In> WalkShapes<V, In> for Unreduced<M, D> {
    type Out = V::Out;
}

/// Methods of tensors, none of which can be called: each requires that the sum is reduced.
macro_rules! refused {
    ($arguments:tt $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt
    )+})+) => {
        $($( refused! { @$kind $name $arguments } )+)+
    };
    ($($name:ident $arguments:tt)*) => { $( refused! { @method $name $arguments } )* };
    (@operator $($row:tt)*) => {};
    (@method $name:ident $arguments:tt) => { refused! { @generic $name [R] $arguments -> R } };
    (@generic $name:ident [$($generic:tt)+] [$($argument:ident)?] -> $R:ty) => {
        #[tensor_core::diagnostics::bounds_without_source]
        impl<M, D> Unreduced<M, D> {
            #[doc(hidden)]
            pub fn $name<$($generic)+>(&self $(, $argument: impl Sized)?) -> $R
            where
                (D,): ReducedSum<M, D>,
            {
                $(let _ = $argument;)?
                unreachable!("no sum satisfies the bound of the method")
            }
        }
    };
}

number_unary!(refused![]);
float_unary!(refused![]);
element_binary!(refused![other]);
number_binary!(refused![other]);
float_binary!(refused![other]);

refused! {
    sum[] mean[] max[] min[] prod[] var[] std[] item[] to_vec[] as_slice[]
    dot[other] matmul[other] all_close[other]
}

/// Those along an axis.
macro_rules! refused_along_axes {
    ($($name:ident)+) => {$(
        refused! { @generic $name [const AXIS: isize] [] -> M }
    )+};
}

refused_along_axes! { sum_axis mean_axis max_axis min_axis softmax }
