//! The histories of tracked arrays: the operation and the operands that each was computed from.
//!
//! A [`Node`] belongs to the elements that an operation wrote. Views have no nodes: their layouts keep
//! the node of their elements, and the offset and strides of the view among those elements.
//!
//! A tracked tensor has its history in its layout, a pointer that fast paths already test: untracked tensors pay
//! nothing. [`parts`] makes nodes of operands without their element types;
//! `array/recording.rs` and `array/row_calls.rs` here, and `tensor/recording.rs` in `tensor-core`, call it. A recorded
//! result is contiguous from the start of its storage, and its layout has a mark for this, so operations treat it like
//! a tensor without a layout. Only floats are tracked: the result of a cast to integers or `bool` is a constant.
//!
//! Nodes are numbered in the order of their creation, so that the backward pass goes from the largest number down
//! without recursion. A chain of nodes is dropped in a loop.

mod element_type;
pub mod parts;
mod saved;

pub use element_type::ElementType;
pub(crate) use saved::FromBuffer;
pub use saved::Saved;

use core::any::Any;
use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};
use tensor_kernels::element::Float;
use tensor_kernels::layout::graph::Elements;
use tensor_kernels::layout::{
    ErasedView, History, Layout, StridedLayout, Strides, layout_of, num_elements,
};
use tensor_kernels::ops::AxisParams;
use tensor_kernels::plan::row_major_strides;
use tensor_kernels::sizes::Sizes;

/// An array whose element type is known at run time: a [`DynTensor`](super::dynamic::DynTensor), and no other type.
pub trait ErasedArray: sealed::Sealed + Any + Send + Sync {
    /// The sizes of all axes.
    fn sizes(&self) -> &[usize];

    /// The layout, which holds the history.
    fn layout(&self) -> Option<&StridedLayout>;

    /// The layout, to replace it.
    fn layout_mut(&mut self) -> &mut Layout;

    /// The same array; it shares the elements.
    fn boxed(&self) -> Box<dyn ErasedArray>;

    /// Its element type.
    fn element(&self) -> &'static ElementType;

    /// The array with its elements in row-major order.
    fn contiguous(&self) -> AnyArray;

    /// The array for a kernel of its element type.
    fn untyped(&self) -> ErasedView<'_>;

    /// Its elements.
    fn elements(&self) -> &dyn Elements;

    /// The element of an array of rank 0 as text; `None` for other arrays, and for one that is traced.
    fn as_scalar(&self) -> Option<String>;

    /// Refuses a division of integers by these ones, if one of them is 0.
    ///
    /// # Errors
    ///
    /// The message of the panic of the kernel.
    fn check_divisor(&self, dividend: &[usize]) -> Result<(), String>;

    /// A view of the elements with these sizes and this layout, which must stay in bounds.
    fn viewed(&self, sizes: Sizes, layout: Layout) -> AnyArray;
}

mod sealed {
    /// Arrays whose element type is the one that they name.
    pub trait Sealed {}

    impl<T: tensor_kernels::element::Element> Sealed for crate::array::dynamic::DynTensor<T> {}
}

/// An array whose element type is known at run time. Boxed, because gradients are moved often.
pub struct AnyArray(Box<dyn ErasedArray>);

impl Clone for AnyArray {
    fn clone(&self) -> Self {
        Self(self.0.boxed())
    }
}

impl fmt::Debug for AnyArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.element().name, self.sizes())
    }
}

impl AnyArray {
    /// The array without its element type.
    pub fn new(array: impl ErasedArray) -> Self {
        Self(Box::new(array))
    }

    /// The array, if it has this type.
    pub fn get<A: ErasedArray>(&self) -> Option<&A> {
        let any: &dyn Any = &*self.0;
        any.downcast_ref()
    }

    /// The array itself, if it has this type.
    pub fn into_array<A: ErasedArray>(self) -> Option<A> {
        let any: Box<dyn Any> = self.0;
        any.downcast().ok().map(|array| *array)
    }

    /// The sizes of all axes.
    pub fn sizes(&self) -> &[usize] {
        self.0.sizes()
    }

    /// The layout, which holds the history.
    pub fn layout(&self) -> Option<&StridedLayout> {
        self.0.layout()
    }

    pub(crate) fn layout_mut(&mut self) -> &mut Layout {
        self.0.layout_mut()
    }

    pub(crate) fn contiguous(&self) -> Self {
        self.0.contiguous()
    }

    /// Its element type.
    pub fn element(&self) -> &'static ElementType {
        self.0.element()
    }

    /// The sizes of all axes, and the element type.
    pub fn ty(&self) -> (Sizes, &'static ElementType) {
        (Sizes::from_slice(self.sizes()), self.element())
    }

    /// The bytes of the elements in row-major order, the least significant one first.
    pub fn to_le_bytes(&self) -> Vec<u8> {
        (self.element().to_bytes)(self)
    }

    /// The element of an array of rank 0 as text; `None` for other arrays, and for one that is traced.
    pub fn as_scalar(&self) -> Option<String> {
        self.0.as_scalar()
    }

    pub(crate) fn untyped(&self) -> ErasedView<'_> {
        self.0.untyped()
    }

    pub(crate) fn elements(&self) -> &dyn Elements {
        self.0.elements()
    }

    pub(crate) fn check_divisor(&self, dividend: &[usize]) -> Result<(), String> {
        self.0.check_divisor(dividend)
    }

    /// A view of the elements with these sizes and this layout, which must stay in bounds.
    pub(crate) fn viewed(&self, sizes: Sizes, layout: Layout) -> Self {
        self.0.viewed(sizes, layout)
    }

    /// The node of the elements, if they are tracked.
    pub fn node(&self) -> Option<Arc<Node>> {
        node(self.layout())
    }

    /// The same array without its history.
    pub fn forget(mut self) -> Self {
        if self.layout().is_some_and(StridedLayout::is_recorded) {
            let sizes = Sizes::from_slice(self.sizes());
            let layout = self.layout_mut();
            *layout = forget(&sizes, layout.take());
        }
        self
    }
}

/// The layout without a history; that of an array that is traced has no gradient from then on.
pub fn forget(sizes: &[usize], layout: Layout) -> Layout {
    match layout.into_strided() {
        Some(old) if old.is_traced() => same_without_gradient(sizes.into(), &old),
        Some(old) => layout_of(sizes, old.offset, old.strides, None),
        None => Layout::ROW_MAJOR,
    }
}

/// The node of a layout.
pub fn node(layout: Option<&StridedLayout>) -> Option<Arc<Node>> {
    let node: Arc<dyn Any + Send + Sync> = layout?.history.clone()?.node;
    Some(node.downcast().expect("a history is a node"))
}

/// The tensors that a gradient rule reads besides the gradient of the result. Sizes are always
/// available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saves {
    /// The number of operands that are kept, counted from the first one.
    pub operands: usize,
    /// Whether the result is kept.
    pub result: bool,
}

impl Saves {
    pub(crate) const NOTHING: Self = Self { operands: 0, result: false };
    /// All operands.
    pub const OPERANDS: Self = Self { operands: usize::MAX, result: false };
    pub(crate) const FIRST: Self = Self { operands: 1, result: false };
    /// The result.
    pub const RESULT: Self = Self { operands: 0, result: true };
    pub(crate) const BOTH: Self = Self { operands: usize::MAX, result: true };
}

/// The gradients with respect to the operands, `None` for each operand that has no gradient.
pub type Gradients = SmallVec<[Option<AnyArray>; 2]>;

/// The rule of an operation: computes the gradients of the operands from the gradient of the result.
///
/// Rules are values: their types are named where operations are recorded. Those of operations are for one type of floats,
/// [`Rule::of`].
#[doc(hidden)]
#[allow(private_interfaces, reason = "users cannot name the trait")]
pub trait Backward: Send + Sync {
    /// What [`backward`](Self::backward) reads besides the gradient.
    fn saves(&self) -> Saves;

    /// The gradients of the operands of a node. The gradient of a broadcast operand may have the sizes
    /// of the result.
    fn backward(&self, at: &Recorded<'_>, gradient: &AnyArray) -> Gradients;
}

/// The rule of a call, which has several results and one node: the gradients of its operands from those of its results.
#[doc(hidden)]
#[allow(private_interfaces, reason = "users cannot name the trait")]
pub trait CallBackward: Send + Sync {
    /// The gradients of the operands, from those of the results with these numbers.
    fn backward(&self, at: &Recorded<'_>, results: &[(usize, AnyArray)]) -> Gradients;
}

/// An element-wise operation of the table, which may have a gradient rule.
pub(crate) trait HasRule<T: Float> {
    /// The rule; `None` where the gradient is zero or undefined, such as that of a comparison.
    fn rule() -> Option<Rule> {
        None
    }
}

/// The axes of a reduction, or the axis of an operation that keeps the sizes, with its parameters.
#[derive(Clone)]
pub(crate) struct AlongAxes {
    pub(crate) axes: SmallVec<[usize; 6]>,
    pub(crate) params: AxisParams,
}

impl AlongAxes {
    pub(crate) fn new(axes: &[usize], correction: usize) -> Self {
        Self { axes: axes.into(), params: AxisParams { correction, ..AxisParams::default() } }
    }

    /// All axes of a tensor.
    pub(crate) fn all(rank: usize, correction: usize) -> Self {
        let axes: SmallVec<[usize; 6]> = (0..rank).collect();
        Self::new(&axes, correction)
    }
}

/// A reduction or an operation along an axis, which may have a gradient rule.
pub(crate) trait HasAxesRule<T: Float> {
    /// The rule; `None` where the gradient is zero or undefined, such as that of `argmax`.
    fn rule(_along: AlongAxes) -> Option<Rule> {
        None
    }
}

/// A node with the operands and the result that its rule may read.
pub struct Recorded<'a> {
    pub(crate) node: &'a Arc<Node>,
    /// Whether the operations of the rule are recorded in turn.
    pub(crate) recorded: bool,
    /// Whether the node of this number leads to a tensor whose gradient is required.
    pub(crate) leads: &'a dyn Fn(u64) -> bool,
}

impl Recorded<'_> {
    /// A saved operand; `None` if it has a history and the rule is recorded.
    ///
    /// # Panics
    ///
    /// If the rule did not say that it reads operands.
    pub(crate) fn constant_operand<A: FromBuffer>(&self, position: usize) -> Option<A> {
        let operand = &self.node.operands[position];
        if self.recorded && operand.node.is_some() {
            return None;
        }
        self.node.saved.operand(position).array(&operand.sizes, operand.view.as_deref())
    }

    /// The saved result; `None` if the rule is recorded.
    ///
    /// # Panics
    ///
    /// If the rule did not say that it reads the result.
    pub(crate) fn constant_result<A: FromBuffer>(&self) -> Option<A> {
        if self.recorded {
            return None;
        }
        self.node.saved.result().array(&self.node.sizes, None)
    }

    /// An operand, with its history if the rule is recorded.
    ///
    /// # Panics
    ///
    /// If the rule did not say that it reads operands.
    pub fn operand(&self, position: usize) -> AnyArray {
        let operand = &self.node.operands[position];
        let array = self.node.saved.operand(position).any(&operand.sizes, operand.view.as_deref());
        match (&operand.node, self.recorded) {
            (Some(node), true) => with_history(array, node.clone()),
            _ => array,
        }
    }

    /// The result, with its history if the rule is recorded.
    ///
    /// # Panics
    ///
    /// If the rule did not say that it reads the result.
    pub fn result(&self) -> AnyArray {
        let array = self.node.saved.result().any(&self.node.sizes, None);
        if self.recorded { with_history(array, self.node.clone()) } else { array }
    }

    /// An array as the result of a rule that reads it, applied to the first operand.
    pub(crate) fn as_result(&self, array: &AnyArray, rule: impl FnOnce() -> Rule) -> AnyArray {
        let mut result = array.clone();
        if self.recorded {
            let saved = Saved::only_result(array.clone());
            let operands = smallvec![self.node.operands[0].clone()];
            *result.layout_mut() = record(rule(), operands, array.sizes().into(), saved);
        }
        result
    }

    /// The operands that the rule reads, with their histories if the rule is recorded.
    pub(crate) fn operands(&self) -> Vec<AnyArray> {
        (0..self.node.saved.operands).map(|position| self.operand(position)).collect()
    }

    /// The sizes of an operand.
    pub fn sizes(&self, position: usize) -> &[usize] {
        &self.node.operands[position].sizes
    }

    /// Whether an operand is tracked, rather than a constant.
    pub fn is_recorded(&self, position: usize) -> bool {
        self.node.operands[position].node.is_some()
    }

    /// Whether the gradient of an operand is required.
    pub(crate) fn wants(&self, position: usize) -> bool {
        let node = self.node.operands[position].node.as_ref();
        node.is_some_and(|node| (self.leads)(node.number))
    }
}

/// The array with a history.
pub(crate) fn with_history(mut array: AnyArray, node: Arc<Node>) -> AnyArray {
    let sizes = Sizes::from_slice(array.sizes());
    let layout = array.layout_mut();
    let (offset, strides) = match layout.take().into_strided() {
        Some(old) => (old.offset, old.strides),
        None => (0, row_major_strides(&sizes)),
    };
    *layout = layout_of(&sizes, offset, strides, Some(&node.into_history()));
    array
}

/// An operand of a recorded operation.
#[derive(Clone)]
pub struct NodeOperand {
    /// The node of the operand's elements; `None` for a constant.
    pub(crate) node: Option<Arc<Node>>,
    pub(crate) sizes: Sizes,
    /// The offset and strides within the node's elements; `None` for all of them in row-major order.
    pub(crate) view: Option<Box<(usize, Strides)>>,
}

impl NodeOperand {
    /// The operand of this layout and these sizes.
    pub fn new(layout: Option<&StridedLayout>, sizes: Sizes) -> Self {
        let node = node(layout);
        let view = match (&node, layout) {
            (Some(node), Some(layout)) => view_of(layout, &sizes, &node.sizes),
            _ => None,
        };
        Self { node, sizes, view }
    }

    /// The operand of an array.
    pub fn of(array: &AnyArray) -> Self {
        Self::new(array.layout(), array.sizes().into())
    }

    /// Whether both are the same elements of the same node.
    pub(crate) fn is(&self, other: &Self) -> bool {
        let number = |of: &Self| of.node.as_ref().map(|node| node.number);
        (number(self), &self.sizes, &self.view) == (number(other), &other.sizes, &other.view)
    }
}

/// A recorded operation, or a variable, which has no operands and no rule.
pub struct Node {
    /// Later nodes have larger numbers: every operand has a smaller number than its result.
    pub(crate) number: u64,
    pub(crate) sizes: Sizes,
    pub(crate) operands: SmallVec<[NodeOperand; 2]>,
    saved: Saved,
    /// `None` for a variable, and for what has no gradient.
    pub(crate) rule: Option<Rule>,
    /// The step of the program that is being traced.
    pub(crate) step: Option<Box<dyn TracedStep>>,
}

/// A step of a program that is being traced.
pub(crate) trait TracedStep: Any + Send + Sync {
    /// The step that takes the elements of the result of this one as they are.
    fn same(&self) -> Box<dyn TracedStep>;
}

/// The step that takes the elements of an array with this layout as they are; `None` if it is not traced.
fn same_step(layout: &StridedLayout) -> Option<Box<dyn TracedStep>> {
    let node = if layout.is_traced() { node(Some(layout)) } else { None };
    Some(node?.step.as_ref()?.same())
}

/// The rule of a node.
pub enum Rule {
    /// The identity: the elements are those of the only operand.
    Same,
    /// That of an operation.
    Owned(Box<dyn Backward>),
    /// That of a call.
    Call(Arc<dyn CallBackward>),
    /// That of the result with this number of a call, the only operand.
    Result(usize),
}

impl Rule {
    fn get(&self) -> Option<&dyn Backward> {
        match self {
            Self::Same | Self::Call(_) | Self::Result(_) => None,
            Self::Owned(rule) => Some(&**rule),
        }
    }

    pub(crate) fn saves(&self) -> Saves {
        match self {
            Self::Call(_) => Saves::OPERANDS,
            rule => rule.get().map_or(Saves::NOTHING, Backward::saves),
        }
    }

    /// The gradients of the operands of a node.
    pub(crate) fn backward(&self, at: &Recorded<'_>, gradient: &AnyArray) -> Gradients {
        match self.get() {
            Some(rule) => rule.backward(at, gradient),
            None => smallvec![Some(gradient.clone())],
        }
    }
}

impl<R: Backward + 'static> From<R> for Rule {
    fn from(rule: R) -> Self {
        Self::Owned(Box::new(rule))
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node").field("number", &self.number).field("sizes", &self.sizes).finish()
    }
}

/// Drops a chain of operations iteratively: recursion would overflow the stack for 100,000 of them.
impl Drop for Node {
    fn drop(&mut self) {
        // Most graphs need so few that nothing is allocated on the heap.
        let mut left: SmallVec<[Arc<Node>; 8]> = SmallVec::new();
        let take = |node: &mut Node, left: &mut SmallVec<[Arc<Node>; 8]>| {
            left.extend(node.operands.iter_mut().filter_map(|operand| operand.node.take()));
        };
        take(self, &mut left);
        while let Some(node) = left.pop() {
            if let Some(mut node) = Arc::into_inner(node) {
                take(&mut node, &mut left);
            }
        }
    }
}

fn next_number() -> u64 {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    NUMBER.fetch_add(1, Ordering::Relaxed)
}

/// The row-major layout of a new variable that takes the elements of an array with these sizes and this
/// layout, whose element type is tracked.
///
/// If the array has a history, the variable is still computed from it.
pub(crate) fn variable(sizes: Sizes, layout: Option<&StridedLayout>) -> Layout {
    let is_recorded = layout.is_some_and(StridedLayout::is_recorded);
    let operands = is_recorded.then(|| NodeOperand::new(layout, sizes.clone()));
    let rule = operands.is_some().then_some(Rule::Same);
    unsaved(sizes, operands.into_iter().collect(), rule, layout.and_then(same_step))
}

/// The layout of the same elements as those of an array that is traced, without a gradient.
pub(crate) fn same_without_gradient(sizes: Sizes, layout: &StridedLayout) -> Layout {
    let operand = NodeOperand::new(Some(layout), sizes.clone());
    unsaved(sizes, smallvec![operand], None, same_step(layout))
}

/// The layout of an input of a program that is being traced, or of a tensor that it captures, whose gradient is that of
/// the tensor.
pub(crate) fn traced_leaf(
    sizes: Sizes,
    captured: Option<&AnyArray>,
    step: Box<dyn TracedStep>,
) -> Layout {
    let rule = captured.filter(|array| array.element().is_float).map(|_| Rule::Same);
    unsaved(sizes, captured.map(NodeOperand::of).into_iter().collect(), rule, Some(step))
}

/// The layout of a node whose rule reads nothing but the gradient.
fn unsaved(
    sizes: Sizes,
    operands: SmallVec<[NodeOperand; 2]>,
    rule: Option<Rule>,
    step: Option<Box<dyn TracedStep>>,
) -> Layout {
    let saved = Saved::default();
    recorded_layout(Arc::new(Node { number: next_number(), sizes, operands, saved, rule, step }))
}

fn recorded_layout(node: Arc<Node>) -> Layout {
    let strides = row_major_strides(&node.sizes);
    Layout::new(StridedLayout::of_node(strides, node.into_history()))
}

impl Node {
    /// A node with this rule and without operands.
    fn new(rule: Option<Rule>, step: Option<Box<dyn TracedStep>>) -> Self {
        Self {
            number: next_number(),
            sizes: Sizes::new(),
            operands: SmallVec::new(),
            saved: Saved::default(),
            rule,
            step,
        }
    }

    /// Whether this is a step of a program that is being traced.
    pub fn is_traced(&self) -> bool {
        self.step.is_some()
    }

    fn into_history(self: Arc<Self>) -> History {
        History { is_traced: self.step.is_some(), node: self }
    }
}

/// Records an operation with its rule, its operands and what the rule reads; returns the layout of the
/// result, which is in row-major order.
pub fn record(
    rule: Rule,
    operands: SmallVec<[NodeOperand; 2]>,
    sizes: Sizes,
    saved: Saved,
) -> Layout {
    let node = Node { number: next_number(), sizes, operands, saved, rule: Some(rule), step: None };
    recorded_layout(Arc::new(node))
}

/// The offset and strides of a layout within a base in row-major order; `None` if both have the same
/// elements in the same order.
fn view_of(
    layout: &StridedLayout,
    sizes: &[usize],
    base: &[usize],
) -> Option<Box<(usize, Strides)>> {
    let same =
        layout.row_major_start(sizes) == Some(0) && num_elements(sizes) == num_elements(base);
    (!same).then(|| Box::new((layout.offset, Strides::from_slice(&layout.strides))))
}
