//! Compile-time checks of a sharding: bounds of [`shard`](crate::shard) and of rules, and the types that they are
//! computed with, as messages name them.

use core::marker::PhantomData;

use tensor_core::align::{NumberedAxis, SameNumber, Truth};
use tensor_core::arithmetic::{Billions, DivSizes, MulSizes, RunTimeSize, SizeProduct};
use tensor_core::bounds::NoAxis;
use tensor_core::module::{AnyTensor, VisitShape, WalkShapes};
use tensor_core::slicing::IndexedAxis;
use tensor_core::trace::Parts;
use tensor_core::{Axis, Dim, Float, StaticAxis, Tensor};

use super::Sharding;

/// The rule that the tensor axis `A` is split over `M`: an axis of the mesh, or a tuple of several. `Over` is the list of
/// them.
#[derive(Debug)]
pub struct Rule<A, M, Over>(PhantomData<(A, M, Over)>);

/// A rule by the names of its axes: that of the tensor, and those of the mesh.
pub(super) type NamedRule = (&'static str, Vec<&'static str>);

/// A list of rules.
#[doc(hidden)]
pub trait RuleList {
    /// For each rule that its axis was not found in a shape.
    type NoneFound;

    /// Appends the names of the axes, of the tensor and of the mesh.
    fn write(rules: &mut Vec<(&'static str, Vec<&'static str>)>);
}

impl RuleList for () {
    type NoneFound = ();

    fn write(_: &mut Vec<NamedRule>) {}
}

impl<A: Axis, M, Over: MeshAxisList, Rest: RuleList> RuleList for (Rule<A, M, Over>, Rest) {
    type NoneFound = (Truth<false>, Rest::NoneFound);

    fn write(rules: &mut Vec<NamedRule>) {
        let mut over = Vec::new();
        Over::write(&mut over);
        rules.extend(A::NAME.map(|name| (name, over)));
        Rest::write(rules);
    }
}

/// A list of axes of a mesh.
#[doc(hidden)]
pub trait MeshAxisList {
    /// Appends their names.
    fn write(names: &mut Vec<&'static str>);
}

impl MeshAxisList for () {
    fn write(_: &mut Vec<&'static str>) {}
}

impl<M: Axis, Rest: MeshAxisList> MeshAxisList for (M, Rest) {
    fn write(names: &mut Vec<&'static str>) {
        names.extend(M::NAME);
        Rest::write(names);
    }
}

/// Requires that `M` is an axis of the mesh. `mesh!` implements it for the axes that it declares.
#[diagnostic::on_unimplemented(
    message = "`{M}` is not an axis of the mesh `{Grid}`",
    label = "not an axis of `{Grid}`",
    note = "a rule is `TensorAxis => MeshAxis`, and `mesh!({Grid}: …)` declares the axes of the mesh [X101]"
)]
pub trait AxisOfMesh<M, Grid> {
    /// The number of devices, as a size.
    type Devices;
}

/// A list of axes of a mesh.
pub trait AxesOfMesh<Grid> {
    /// The number of devices, the product of those of the axes.
    type Devices;
}

impl<M, Grid> AxesOfMesh<Grid> for (M, ())
where
    (M,): AxisOfMesh<M, Grid>,
{
    type Devices = <(M,) as AxisOfMesh<M, Grid>>::Devices;
}

impl<M, N, Rest, Grid, Devices, Others> AxesOfMesh<Grid> for (M, (N, Rest))
where
    (M,): AxisOfMesh<M, Grid, Devices = Devices>,
    (N, Rest): AxesOfMesh<Grid, Devices = Others>,
    Devices: MulSizes<Others>,
{
    type Devices = SizeProduct<Devices, Others>;
}

/// Requires that an axis has a name.
#[diagnostic::on_unimplemented(
    message = "axis `{A}` has no name",
    label = "rules are for axes that have names",
    note = "declare the axis by `axis!`, such as `axis!(Hidden = 768)`, and use it in the shapes of the tensors that are split [X102]"
)]
pub trait NamedAxis<A> {}

#[diagnostic::do_not_recommend]
impl<A, L, D> NamedAxis<A> for ((L, D),) {}

/// A second impl, so that the compiler does not explain the first one: see [`NoAxis`].
#[diagnostic::do_not_recommend]
impl<A> NamedAxis<A> for (NoAxis,) {}

/// An axis, static or not, divided by a number of devices.
pub trait DividedBy<Devices> {
    /// The remainder, in a tuple, or [`RunTimeSize`].
    type Remainder;
    /// The size, if it is static.
    type Size;
}

impl<A, Devices, F> DividedBy<Devices> for A
where
    A: IndexedAxis<Dim<0>, Fits = F>,
    F: DividedWhere<A, Devices>,
{
    type Remainder = F::Remainder;
    type Size = F::Size;
}

/// Where the size of an axis is known: in its type, or at run time.
pub trait DividedWhere<A, Devices> {
    /// The remainder, in a tuple, or [`RunTimeSize`].
    type Remainder;
    /// The size, if it is static.
    type Size;
}

impl<A, Devices> DividedWhere<A, Devices> for RunTimeSize {
    type Remainder = Self;
    type Size = Self;
}

impl<A: StaticAxis + DivSizes<Devices>, Devices> DividedWhere<A, Devices> for Billions {
    type Remainder = (A::Remainder,);
    type Size = A::Size;
}

/// Requires that the remainder of an axis divided by the number of devices is 0.
#[diagnostic::on_unimplemented(
    message = "`{A}` has size `{Size}`, which `{Devices}` devices do not share evenly",
    label = "`{Size}` is not a multiple of the `{Devices}` devices of `{M}`",
    note = "each device has a part of the same size: choose a size that is a multiple of `{Devices}`, or split `{A}` over another axis of the mesh [X103]"
)]
pub trait SharedEvenly<A, Size, M, Devices> {}

#[diagnostic::do_not_recommend]
impl<A, Size, M, Devices> SharedEvenly<A, Size, M, Devices> for (Dim<0>,) {}

/// A second impl of a tuple, so that the compiler does not take the first one: see [`NoAxis`].
#[diagnostic::do_not_recommend]
impl<A, Size, M, Devices> SharedEvenly<A, Size, M, Devices> for (NoAxis,) {}

/// The size is compared at run time.
#[diagnostic::do_not_recommend]
impl<A, Size, M, Devices> SharedEvenly<A, Size, M, Devices> for RunTimeSize {}

/// Checks a rule.
#[doc(hidden)]
#[tensor_core::diagnostics::bounds_without_source]
pub fn rule<A, M, Over, Grid>()
where
    Over: AxesOfMesh<Grid>,
    A: NumberedAxis + DividedBy<Over::Devices>,
    (A::Number,): NamedAxis<A>,
    A::Remainder: SharedEvenly<A, A::Size, M, Over::Devices>,
{
}

/// Checks that no two rules are for one axis, and that no rule has an axis of the mesh twice.
#[doc(hidden)]
#[tensor_core::diagnostics::bounds_without_source]
pub fn rules<R, Out>()
where
    R: Sharding<Rules: DistinctRules<Outcome = Out>>,
    Out: Outcome + OneRule<Out::Axis, Out::Over, Out::Other> + OnceInRule<Out::Axis, Out::Over>,
{
}

/// A list of rules, by its mistake. It rejects nothing: [`rules`] has a bound for each mistake.
pub trait DistinctRules {
    /// [`SplitShapes`], [`SecondRule`] or [`TwiceInRule`].
    type Outcome: Outcome;
}

impl DistinctRules for () {
    type Outcome = SplitShapes<()>;
}

impl<A, M, Over, Rest, Later, Second, Out> DistinctRules for (Rule<A, M, Over>, Rest)
where
    Rest: DistinctRules<Outcome = Later> + RuleFor<A, M, Later, Out = Second>,
    Over: DistinctAxes<A, Second, Out = Out>,
    Out: Outcome,
{
    type Outcome = Out;
}

/// The axis `A` has two rules: over `M`, and over `N`.
#[derive(Debug)]
pub struct SecondRule<A, M, N>(PhantomData<(A, M, N)>);

/// The rule for the axis `A` has the axis `M` of the mesh twice.
#[derive(Debug)]
pub struct TwiceInRule<A, M>(PhantomData<(A, M)>);

impl<A, M, N> Outcome for SecondRule<A, M, N> {
    type Axis = A;
    type Other = N;
    type Over = M;
    type Shape = ();
}

impl<A, M> Outcome for TwiceInRule<A, M> {
    type Axis = A;
    type Other = ();
    type Over = M;
    type Shape = ();
}

/// Requires that an axis has one rule.
#[diagnostic::on_unimplemented(
    message = "`{A}` has two rules: `{A} => {M}` and `{A} => {N}`",
    label = "a second rule for `{A}`",
    note = "an axis has one rule: leave out one of the two, or name all axes of the mesh in one, such as `{A} => (Data, Model)` [X108]"
)]
pub trait OneRule<A, M, N> {}

#[diagnostic::do_not_recommend]
impl<A, M, N> OneRule<A, M, N> for SplitShapes<()> {}

#[diagnostic::do_not_recommend]
impl<A, M, N, X, Y> OneRule<A, M, N> for TwiceInRule<X, Y> {}

/// Requires that a rule has each axis of the mesh once.
#[diagnostic::on_unimplemented(
    message = "the rule for `{A}` has `{M}` twice",
    label = "`{M}` splits an axis once",
    note = "an axis that is split over several axes of the mesh has parts for each of their devices: name each axis of the mesh once [X109]"
)]
pub trait OnceInRule<A, M> {}

#[diagnostic::do_not_recommend]
impl<A, M> OnceInRule<A, M> for SplitShapes<()> {}

#[diagnostic::do_not_recommend]
impl<A, M, X, Y, Z> OnceInRule<A, M> for SecondRule<X, Y, Z> {}

/// The rules after one for the axis `A`, which is over `M`.
pub trait RuleFor<A, M, Later> {
    /// [`SecondRule`] if a rule is for `A` as well, else `Later`.
    type Out;
}

impl<A, M, Later> RuleFor<A, M, Later> for () {
    type Out = Later;
}

impl<A, M, Later, B, N, Over, Rest, Is> RuleFor<A, M, Later> for (Rule<B, N, Over>, Rest)
where
    A: NumberedAxis<Number: SameNumber<B::Number, Is = Is>>,
    B: NumberedAxis,
    Is: SecondOr<A, M, N, Later, Rest>,
{
    type Out = Is::Out;
}

/// Whether a rule is the second one for the axis `A`.
pub trait SecondOr<A, M, N, Later, Rest> {
    /// [`SecondRule`], or what the other rules result in.
    type Out;
}

impl<A, M, N, Later, Rest> SecondOr<A, M, N, Later, Rest> for Truth<true> {
    type Out = SecondRule<A, M, N>;
}

impl<A, M, N, Later, Rest: RuleFor<A, M, Later>> SecondOr<A, M, N, Later, Rest> for Truth<false> {
    type Out = Rest::Out;
}

/// The axes of the mesh in the rule for the axis `A`.
pub trait DistinctAxes<A, Others> {
    /// [`TwiceInRule`], or `Others`.
    type Out;
}

impl<A, Others> DistinctAxes<A, Others> for () {
    type Out = Others;
}

impl<A, Others, M, Rest, Is> DistinctAxes<A, Others> for (M, Rest)
where
    Rest: ListsAxis<M, Is = Is>,
    Is: TwiceOr<A, Others, M, Rest>,
{
    type Out = Is::Out;
}

/// Whether an axis of the mesh comes again.
pub trait TwiceOr<A, Others, M, Rest> {
    /// [`TwiceInRule`], or what the other axes result in.
    type Out;
}

impl<A, Others, M, Rest> TwiceOr<A, Others, M, Rest> for Truth<true> {
    type Out = TwiceInRule<A, M>;
}

impl<A, Others, M, Rest: DistinctAxes<A, Others>> TwiceOr<A, Others, M, Rest> for Truth<false> {
    type Out = Rest::Out;
}

/// A program, by its modules of inputs and outputs, whose tensors are split by the rules `R`. The walk rejects nothing:
/// it results in [`SplitShapes`] or in a mistake, and for each mistake there is a bound that rejects it.
pub trait SplitProgram<R> {
    /// [`SplitShapes`], [`SplitTwice`] or [`UnusedRule`].
    type Outcome: Outcome;
}

impl<Modules, R, Rules, State, Out> SplitProgram<R> for Modules
where
    R: Sharding<Rules = Rules>,
    Rules: RuleList,
    Modules: WalkShapes<SplitBy<R>, SplitShapes<Rules::NoneFound>, Out = State>,
    State: Finish<Rules, Out = Out>,
    Out: Outcome,
{
    type Outcome = Out;
}

/// The result of a walk, with the types that a message about a mistake names.
pub trait Outcome {
    /// An axis.
    type Axis;
    /// Another axis.
    type Other;
    /// The axis of the mesh.
    type Over;
    /// The shape of a tensor.
    type Shape;
}

/// No mistake; for each rule, whether a shape had its axis.
#[derive(Debug)]
pub struct SplitShapes<List>(PhantomData<List>);

/// The axes `B` and `A` of the shape `S` are both over the mesh axis `M`.
#[derive(Debug)]
pub struct SplitTwice<B, A, M, S>(PhantomData<(B, A, M, S)>);

/// No shape has the axis `A`, which has a rule.
#[derive(Debug)]
pub struct UnusedRule<A, M>(PhantomData<(A, M)>);

impl<List> Outcome for SplitShapes<List> {
    type Axis = ();
    type Other = ();
    type Over = ();
    type Shape = ();
}

impl<B, A, M, S> Outcome for SplitTwice<B, A, M, S> {
    type Axis = A;
    type Other = B;
    type Over = M;
    type Shape = S;
}

impl<A, M> Outcome for UnusedRule<A, M> {
    type Axis = A;
    type Other = ();
    type Over = M;
    type Shape = ();
}

/// The tensors of `M` are sums over the mesh axis `D` that are not reduced. As a shape it stands for theirs.
#[derive(Debug)]
pub struct NotYetReduced<M, D>(PhantomData<(M, D)>);

impl<M, D> Outcome for NotYetReduced<M, D> {
    type Axis = ();
    type Other = ();
    type Over = D;
    type Shape = M;
}

impl<M, D, Rules, Whole> SplitAxes<Rules, Whole> for NotYetReduced<M, D> {
    type Out = Self;
}

impl<M, D, List, Rules, S> NextState<List, Rules, S> for NotYetReduced<M, D> {
    type Out = Self;
}

impl<R, S, M, D> VisitShape<S, NotYetReduced<M, D>> for SplitBy<R> {
    type Out = NotYetReduced<M, D>;
}

impl<M, D, Rules> Finish<Rules> for NotYetReduced<M, D> {
    type Out = Self;
}

/// Requires a sum over the mesh axis `D` that is not reduced, with parts of the type `M`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not added to a sum over `{D}` that is not reduced",
    label = "expected another such sum, `Unreduced<{M}, {D}>`",
    note = "parts are added to parts over the same axis of the mesh, for the same tensors; call `.reduce()` before all else is added [X114]"
)]
pub trait SumOver<M, D> {
    /// The parts.
    #[doc(hidden)]
    fn parts(&self) -> &Parts<M>;
}

/// Requires a number, or a tensor of floats without axes.
#[diagnostic::on_unimplemented(
    message = "a sum that is not reduced is not multiplied or divided by `{Self}`",
    label = "expected a number, or a tensor of rank 0",
    note = "a number multiplies each part, as `sum / 4.0`; call `.reduce()` before the sum is multiplied by all else [X115]"
)]
pub trait FactorOfSum {
    /// Calls a function of the number as a tensor.
    #[doc(hidden)]
    fn as_number(&self, then: &mut dyn FnMut(&dyn AnyTensor));
}

/// Generates it for numbers.
macro_rules! numbers {
    ($($T:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl FactorOfSum for $T {
            fn as_number(&self, then: &mut dyn FnMut(&dyn AnyTensor)) {
                then(&Tensor::<(), $T>::scalar(*self));
            }
        }
    )*};
}

numbers! { f32 f64 }

#[diagnostic::do_not_recommend]
impl<T: Float> FactorOfSum for Tensor<(), T> {
    fn as_number(&self, then: &mut dyn FnMut(&dyn AnyTensor)) {
        then(self);
    }
}

#[diagnostic::do_not_recommend]
impl<T: Float> FactorOfSum for &Tensor<(), T> {
    fn as_number(&self, then: &mut dyn FnMut(&dyn AnyTensor)) {
        then(*self);
    }
}

/// Requires a sum that is reduced. Nothing implements it: methods of tensors that [`Unreduced`](crate::Unreduced) does not have are bound by
/// it.
#[diagnostic::on_unimplemented(
    message = "the sum over `{D}` is not reduced",
    label = "`{M}` is a sum whose parts are not added yet",
    note = "a function of a sum is not the sum of the function of its parts: call `.reduce()` before; parts are added to other sums over `{D}`, and multiplied by numbers [X113]"
)]
pub trait ReducedSum<M, D> {}

/// Requires that no two axes of a shape are over the same axis of the mesh.
#[diagnostic::on_unimplemented(
    message = "`{B}` and `{A}` are both split over `{M}`, and are axes of one tensor",
    label = "a tensor of shape `{S}` has both",
    note = "an axis of the mesh splits one axis of a tensor: split one of the two over another axis of the mesh, or leave out its rule [X104]"
)]
pub trait NoSecondAxis<B, A, M, S> {}

#[diagnostic::do_not_recommend]
impl<List, B, A, M, S> NoSecondAxis<B, A, M, S> for SplitShapes<List> {}

#[diagnostic::do_not_recommend]
impl<X, Y, B, A, M, S> NoSecondAxis<B, A, M, S> for UnusedRule<X, Y> {}

#[diagnostic::do_not_recommend]
impl<X, Y, B, A, M, S> NoSecondAxis<B, A, M, S> for NotYetReduced<X, Y> {}

/// Requires that the axis of each rule is in a shape.
#[diagnostic::on_unimplemented(
    message = "the rule `{A} => {M}` splits nothing: no input or output of the program has the axis `{A}`",
    label = "no tensor has the axis `{A}`",
    note = "the axes of tensors are those of their shapes: leave out the rule, or use `{A}` in the shape of a tensor that is to be split [X105]"
)]
pub trait IsAxisOfProgram<A, M> {}

#[diagnostic::do_not_recommend]
impl<List, A, M> IsAxisOfProgram<A, M> for SplitShapes<List> {}

#[diagnostic::do_not_recommend]
impl<X, Y, Z, S, A, M> IsAxisOfProgram<A, M> for SplitTwice<X, Y, Z, S> {}

#[diagnostic::do_not_recommend]
impl<X, Y, A, M> IsAxisOfProgram<A, M> for NotYetReduced<X, Y> {}

/// Requires that no input or output is a sum that is not reduced.
#[diagnostic::on_unimplemented(
    message = "an input or output of the program is a sum over `{D}` that is not reduced",
    label = "`{M}` is a sum whose parts are not added yet",
    note = "call `.reduce()`, which adds the parts, in the function that is traced [X116]"
)]
pub trait ReducedSums<M, D> {}

#[diagnostic::do_not_recommend]
impl<List, M, D> ReducedSums<M, D> for SplitShapes<List> {}

#[diagnostic::do_not_recommend]
impl<X, Y, Z, S, M, D> ReducedSums<M, D> for SplitTwice<X, Y, Z, S> {}

#[diagnostic::do_not_recommend]
impl<X, Y, M, D> ReducedSums<M, D> for UnusedRule<X, Y> {}

/// Requires that the axis of each rule for the state of an optimiser is in the shape of a tensor beside it, such as a weight.
#[diagnostic::on_unimplemented(
    message = "the rule `{A} => {M}` splits nothing of the optimiser's state: no parameter has the axis `{A}`",
    label = "no weight has the axis `{A}`",
    note = "the state of an optimiser has the axes of the weights: leave out the rule, or use `{A}` in the shape of a weight [X110]"
)]
pub trait IsAxisOfState<A, M> {}

#[diagnostic::do_not_recommend]
impl<List, A, M> IsAxisOfState<A, M> for SplitShapes<List> {}

#[diagnostic::do_not_recommend]
impl<X, Y, Z, S, A, M> IsAxisOfState<A, M> for SplitTwice<X, Y, Z, S> {}

#[diagnostic::do_not_recommend]
impl<X, Y, A, M> IsAxisOfState<A, M> for NotYetReduced<X, Y> {}

/// Requires that these rules, for the state of an optimiser, are on the mesh of the other rules, `R`. The rules are the
/// implementing type, so that the compiler waits until it knows them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` splits over the mesh `{G}`, and `{R}` over `{H}`",
    label = "a program is over one mesh",
    note = "declare both by `sharding!` on the same mesh [X111]"
)]
pub trait SameMesh<G, R, H> {}

#[diagnostic::do_not_recommend]
impl<Q, R, G> SameMesh<G, R, G> for Q {}

/// A second impl, so that the compiler does not explain the first one: see [`NoAxis`].
#[diagnostic::do_not_recommend]
impl<Q, R> SameMesh<NoAxis, R, ()> for Q {}

/// A visitor of the shapes that the rules `R` split. Its state is [`SplitShapes`] or [`SplitTwice`].
#[derive(Debug)]
pub struct SplitBy<R>(PhantomData<R>);

impl<R, S, List, Checked, Out> VisitShape<S, SplitShapes<List>> for SplitBy<R>
where
    R: Sharding,
    S: SplitAxes<R::Rules, S, Out = Checked>,
    Checked: NextState<List, R::Rules, S, Out = Out>,
{
    type Out = Out;
}

impl<R, S, B, A, M, W> VisitShape<S, SplitTwice<B, A, M, W>> for SplitBy<R> {
    type Out = SplitTwice<B, A, M, W>;
}

/// The state after a shape, from the result of its check.
pub trait NextState<List, Rules, S> {
    /// [`SplitShapes`] or [`SplitTwice`].
    type Out;
}

impl<List: FindAxes<Rules, S>, Rules, S> NextState<List, Rules, S> for SplitShapes<()> {
    type Out = SplitShapes<List::Out>;
}

impl<B, A, M, W, List, Rules, S> NextState<List, Rules, S> for SplitTwice<B, A, M, W> {
    type Out = Self;
}

/// The axes of the shape `Whole`, from the first on.
pub trait SplitAxes<Rules, Whole> {
    /// `SplitShapes<()>`, or [`SplitTwice`].
    type Out;
}

impl<Rules, Whole> SplitAxes<Rules, Whole> for () {
    type Out = SplitShapes<()>;
}

impl<L, A, Over, Rules, Whole, Before, Out> SplitAxes<Rules, Whole> for (L, A)
where
    Rules: MeshAxesOf<A, Over = Over>,
    L: SplitAxes<Rules, Whole, Out = Before>,
    Over: NotBefore<L, A, Rules, Whole, Before, Out = Out>,
{
    type Out = Out;
}

/// The axes of the mesh that `A` is split over, the axes before `A` being `L`.
pub trait NotBefore<L, A, Rules, Whole, Before> {
    /// `Before`, or [`SplitTwice`] if one of them splits an axis of `L`.
    type Out;
}

impl<L, A, Rules, Whole, Before> NotBefore<L, A, Rules, Whole, Before> for () {
    type Out = Before;
}

impl<L, A, Rules, Whole, Before, M, Rest, B, Next, Out> NotBefore<L, A, Rules, Whole, Before>
    for (M, Rest)
where
    L: AxisOver<M, Rules, Axis = B>,
    B: OnceOr<Before, A, M, Whole, Out = Next>,
    Rest: NotBefore<L, A, Rules, Whole, Next, Out = Out>,
{
    type Out = Out;
}

/// Whether there is an axis over `M` before `A`: [`NoAxis`] or [`AxisBefore`].
pub trait OnceOr<Before, A, M, Whole> {
    /// `Before`, or [`SplitTwice`].
    type Out;
}

impl<Before, A, M, Whole> OnceOr<Before, A, M, Whole> for NoAxis {
    type Out = Before;
}

impl<B, Before, A, M, Whole> OnceOr<Before, A, M, Whole> for AxisBefore<B> {
    type Out = SplitTwice<B, A, M, Whole>;
}

/// For each rule, whether a shape had its axis: with those of the shape `S`.
pub trait FindAxes<Rules, S> {
    /// The same for one shape more.
    type Out;
}

impl<S> FindAxes<(), S> for () {
    type Out = ();
}

impl<A, M, Over, Rest, S, Is, Found> FindAxes<(Rule<A, M, Over>, Rest), S> for (Is, Found)
where
    Is: FoundOr<S, A>,
    Found: FindAxes<Rest, S>,
{
    type Out = (Is::Is, Found::Out);
}

/// Whether axis `A` was found or is in the shape `S`.
pub trait FoundOr<S, A> {
    /// [`Truth`]
    type Is;
}

impl<S, A> FoundOr<S, A> for Truth<true> {
    type Is = Self;
}

impl<A> FoundOr<(), A> for Truth<false> {
    type Is = Self;
}

impl<L, B, A, Is> FoundOr<(L, B), A> for Truth<false>
where
    B: NumberedAxis,
    A: NumberedAxis<Number: SameNumber<B::Number, Is = Is>>,
    Is: FoundOr<L, A>,
{
    type Is = Is::Is;
}

/// The outcome of a walk that ends in this state.
pub trait Finish<Rules> {
    /// [`SplitShapes`], [`SplitTwice`] or [`UnusedRule`].
    type Out;
}

impl<B, A, M, S, Rules> Finish<Rules> for SplitTwice<B, A, M, S> {
    type Out = Self;
}

impl Finish<()> for SplitShapes<()> {
    type Out = Self;
}

impl<List, Rule, Rest> Finish<(Rule, Rest)> for SplitShapes<(Truth<true>, List)>
where
    SplitShapes<List>: Finish<Rest>,
{
    type Out = <SplitShapes<List> as Finish<Rest>>::Out;
}

impl<List, A, M, Over, Rest> Finish<(Rule<A, M, Over>, Rest)>
    for SplitShapes<(Truth<false>, List)>
{
    type Out = UnusedRule<A, M>;
}

/// Rules: the axes of the mesh that axis `A` is split over.
pub trait MeshAxesOf<A> {
    /// The list of them, which is empty if there is no rule.
    type Over;
}

impl<A> MeshAxesOf<A> for () {
    type Over = ();
}

impl<A, B, M, Over, Rest, Is> MeshAxesOf<A> for (Rule<B, M, Over>, Rest)
where
    A: NumberedAxis<Number: SameNumber<B::Number, Is = Is>>,
    B: NumberedAxis,
    Is: MatchingRule<A, B, Over, Rest>,
{
    type Over = Is::Over;
}

/// Whether the first rule is for axis `A`.
pub trait MatchingRule<A, B, M, Rest> {
    /// The axes of the mesh.
    type Over;
}

impl<A, B, M, Rest> MatchingRule<A, B, M, Rest> for Truth<true>
where
    (A,): SameAxis<A, B>,
{
    type Over = M;
}

impl<A, B, M, Rest: MeshAxesOf<A>> MatchingRule<A, B, M, Rest> for Truth<false> {
    type Over = Rest::Over;
}

/// Requires that the axis of a tensor and that of a rule, which have the same name, are the same type.
#[diagnostic::on_unimplemented(
    message = "axes of one name are two types: `{A}` in a tensor, `{B}` in a rule",
    label = "a rule takes the axis of the tensor",
    note = "an axis is the type that `axis!` declared: declare it once and import it [X106]"
)]
pub trait SameAxis<A, B> {}

#[diagnostic::do_not_recommend]
impl<A> SameAxis<A, A> for (A,) {}

/// A second impl, so that the compiler does not explain the first one: see [`NoAxis`].
#[diagnostic::do_not_recommend]
impl<A> SameAxis<NoAxis, ()> for (A,) {}

/// The axis `A`, which comes before another one.
#[derive(Debug)]
pub struct AxisBefore<A>(PhantomData<A>);

/// Axes of a shape: the last one that is split over the mesh axis `M`.
pub trait AxisOver<M, Rules> {
    /// [`AxisBefore`] or [`NoAxis`].
    type Axis;
}

impl<M, Rules> AxisOver<M, Rules> for () {
    type Axis = NoAxis;
}

impl<L, A, M, Over, Rules, Is> AxisOver<M, Rules> for (L, A)
where
    Rules: MeshAxesOf<A, Over = Over>,
    Over: ListsAxis<M, Is = Is>,
    Is: AxisOrBefore<L, A, M, Rules>,
{
    type Axis = Is::Axis;
}

/// A list of axes of a mesh: whether `M` is one of them.
pub trait ListsAxis<M> {
    /// [`Truth`]
    type Is;
}

impl<M> ListsAxis<M> for () {
    type Is = Truth<false>;
}

impl<M, N, Rest, Is> ListsAxis<M> for (N, Rest)
where
    M: NumberedAxis<Number: SameNumber<N::Number, Is = Is>>,
    N: NumberedAxis,
    Is: OrIn<Rest, M>,
{
    type Is = Is::Is;
}

/// Type-level `||`: whether `Self` is true or `M` is in the list.
pub trait OrIn<List, M> {
    /// [`Truth`]
    type Is;
}

impl<List, M> OrIn<List, M> for Truth<true> {
    type Is = Self;
}

impl<List: ListsAxis<M>, M> OrIn<List, M> for Truth<false> {
    type Is = List::Is;
}

/// Whether the last axis is split over the mesh axis `M`.
pub trait AxisOrBefore<L, A, M, Rules> {
    /// [`AxisBefore`] or [`NoAxis`].
    type Axis;
}

impl<L, A, M, Rules> AxisOrBefore<L, A, M, Rules> for Truth<true> {
    type Axis = AxisBefore<A>;
}

impl<L: AxisOver<M, Rules>, A, M, Rules> AxisOrBefore<L, A, M, Rules> for Truth<false> {
    type Axis = L::Axis;
}
