//! The backward pass from a result to the variables that it was computed from.

use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;

use smallvec::SmallVec;
use tensor_kernels::autocast::with_autocast;
use tensor_kernels::element::Float;
use tensor_kernels::kernel::function;
use tensor_kernels::layout::Strides;
use tensor_kernels::layout::graph::with_recording;
use tensor_kernels::ops;
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;

use super::operations::fits;
use super::rule::for_float;
use super::scatter::add_strided;
use crate::array::dynamic::DynTensor;
use crate::array::history::{AnyArray, Node, NodeOperand, Recorded, Rule};
use crate::array::trace::in_backward_pass;

/// The sum of two gradients, in the memory of the first unless something else refers to it.
pub(crate) fn add(first: AnyArray, second: &AnyArray) -> AnyArray {
    for_each_element!(for_float[second value { accumulated(first, value) }])
}

/// The sum of a list of gradients, the elements along its first axis.
pub(crate) fn sum_of_items(list: &AnyArray) -> AnyArray {
    for_each_element!(for_float[list value { value.summed_to(&list.sizes()[1..]) }])
}

#[inline(never)]
fn accumulated<T: Float>(sum: AnyArray, value: &DynTensor<T>) -> DynTensor<T> {
    let sum = sum.into_array::<DynTensor<T>>();
    let mut sum = sum.expect("gradients of one node have elements of one type");
    // Neither is tracked or traced.
    if sum.layout.is_none() && value.layout.is_none() && sum.sizes == value.sizes {
        fits(sum.update(function::binary::<ops::Add, T>(), value));
        return sum;
    }
    sum.plus(value)
}

/// The gradient of the elements of a node, from that of an operand that is a view of them.
pub(super) fn of_base(gradient: AnyArray, operand: &NodeOperand, base: &[usize]) -> AnyArray {
    let sizes = gradient.sizes();
    if operand.view.is_none() && sizes == base && sizes == &operand.sizes[..] {
        return gradient;
    }
    let gradient = &gradient;
    for_each_element!(
        for_float[gradient value {
            let value = value.summed_to(&operand.sizes);
            match &operand.view {
                None => value.in_sizes(base),
                Some(view) => of_view(value, view.0, &view.1, base),
            }
        }]
    )
}

/// The gradient of elements in row-major order from that of a view of them.
fn of_view<T: Float>(
    value: DynTensor<T>,
    offset: usize,
    strides: &Strides,
    base: &[usize],
) -> DynTensor<T> {
    // A broadcast axis is summed, and axes of size 1 are dropped.
    let stretched = strides.iter().zip(value.sizes()).enumerate();
    let stretched = stretched.filter(|(_, (stride, size))| **stride == 0 || **size == 1);
    let stretched: SmallVec<[isize; 6]> = stretched.map(|(axis, _)| axis as isize).collect();
    // A sum over no axis would be a copy.
    let value = match stretched[..] {
        [] => value,
        _ => fits(value.sum_axes(&stretched)),
    };
    let kept = (0..strides.len()).filter(|axis| !stretched.contains(&(*axis as isize)));
    let strides: Strides = kept.map(|axis| strides[axis]).collect();
    let total: usize = base.iter().product();
    // The axes in memory order.
    let mut order: SmallVec<[isize; 6]> = (0..strides.len() as isize).collect();
    order.sort_by_key(|&axis| core::cmp::Reverse(strides[axis as usize].unsigned_abs()));
    let sorted = fits(value.permute(&order));
    let mut step = 1;
    let dense = sorted.sizes().iter().zip(&order).rev().all(|(&size, &axis)| {
        let plain = strides[axis as usize] == step as isize;
        step *= size;
        plain
    });
    if dense && step == total && offset == 0 {
        return sorted.in_sizes(base);
    }
    add_strided(&value, total, offset, &strides).in_sizes(base)
}

/// The gradients of results with respect to some variables, `None` where no result depends on one. Those of the results
/// themselves are given. If the variables are `leaves`, what they are computed from is a constant.
pub(super) fn gradients(
    results: Vec<(Arc<Node>, AnyArray)>,
    variables: &[Arc<Node>],
    recorded: bool,
    leaves: bool,
) -> Vec<Option<AnyArray>> {
    // The gradients of a program that is being traced are steps of it.
    let recorded = recorded || results.iter().any(|(result, _)| result.step.is_some());
    let (results, seeds): (Vec<Arc<Node>>, Vec<AnyArray>) = results.into_iter().unzip();
    let mut wanted: Vec<u64> = variables.iter().map(|variable| variable.number).collect();
    wanted.sort_unstable();
    let walk = Walk::new(&results, &wanted, leaves);
    let mut found = Vec::<Option<AnyArray>>::new();
    found.resize_with(walk.nodes.len(), || None);
    // The gradients of the results of a call, by the number of its node.
    let mut of_calls = HashMap::<u64, Vec<(usize, AnyArray)>>::new();
    let walk_back = || {
        let add_to = |found: &mut Option<AnyArray>, gradient: AnyArray| {
            *found = Some(match found.take() {
                Some(sum) => add(sum, &gradient),
                None => gradient,
            });
        };
        for (result, seed) in results.iter().zip(seeds) {
            let position = walk.position(result.number);
            if walk.leads[position] {
                add_to(&mut found[position], seed);
            }
        }
        // Operands have smaller numbers than results: each gradient is complete when its turn comes.
        for (position, node) in walk.nodes.iter().enumerate() {
            if !walk.leads[position] {
                continue;
            }
            let Some(rule) = &node.rule else { continue };
            let is_wanted = wanted.binary_search(&node.number).is_ok();
            if is_wanted && (leaves || !walk.leads_on(node)) {
                continue;
            }
            let gradient = if is_wanted { found[position].clone() } else { found[position].take() };
            let at = Recorded { node, recorded, leads: &|number| walk.leads(number) };
            let gradients = match (rule, gradient) {
                (Rule::Call(rule), _) => match of_calls.remove(&node.number) {
                    Some(results) => rule.backward(&at, &results),
                    None => continue,
                },
                (Rule::Result(number), Some(gradient)) => {
                    let call = node.operands[0].node.as_ref().expect("a result is that of a call");
                    of_calls.entry(call.number).or_default().push((*number, gradient));
                    continue;
                }
                (rule, Some(gradient)) => rule.backward(&at, &gradient),
                (_, None) => continue,
            };
            for (operand, gradient) in node.operands.iter().zip(gradients) {
                let (Some(base), Some(gradient)) = (&operand.node, gradient) else { continue };
                let position = walk.position(base.number);
                if walk.leads[position] {
                    add_to(&mut found[position], of_base(gradient, operand, &base.sizes));
                }
            }
        }
    };
    // Each node has its type, whatever that of the caller is.
    with_autocast(None, || in_backward_pass(|| with_recording(recorded, walk_back)));
    let found_of = |variable: &Arc<Node>| {
        let position = walk.nodes.binary_search_by(|node| variable.number.cmp(&node.number));
        position.ok().and_then(|position| found[position].clone())
    };
    variables.iter().map(found_of).collect()
}

/// All nodes that a result was computed from, in reverse order.
struct Walk<'a> {
    nodes: Vec<&'a Arc<Node>>,
    /// Whether each of them is wanted, or leads to a wanted node.
    leads: Vec<bool>,
}

/// A node, ordered by its number.
struct ByNumber<'a>(&'a Arc<Node>);

impl PartialEq for ByNumber<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.number == other.0.number
    }
}

impl Eq for ByNumber<'_> {}

impl PartialOrd for ByNumber<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByNumber<'_> {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.0.number.cmp(&other.0.number)
    }
}

impl<'a> Walk<'a> {
    /// The nodes that results were computed from, up to the wanted ones if these are leaves; `wanted` has the sorted numbers
    /// of the wanted ones.
    fn new(results: &'a [Arc<Node>], wanted: &[u64], leaves: bool) -> Self {
        let is_wanted = |node: &Node| wanted.binary_search(&node.number).is_ok();
        let mut left: BinaryHeap<_> = results.iter().map(ByNumber).collect();
        let mut nodes: Vec<&Arc<Node>> = Vec::new();
        while let Some(ByNumber(node)) = left.pop() {
            // A node that is an operand several times comes out of the heap several times in a row.
            if nodes.last().is_some_and(|last| last.number == node.number) {
                continue;
            }
            if !(leaves && is_wanted(node)) {
                let bases = node.operands.iter().filter_map(|operand| operand.node.as_ref());
                left.extend(bases.map(ByNumber));
            }
            nodes.push(node);
        }
        let leads = vec![false; nodes.len()];
        let mut walk = Self { nodes, leads };
        for position in (0..walk.nodes.len()).rev() {
            let node = walk.nodes[position];
            // Empty results contribute nothing: rules are not called for them.
            walk.leads[position] =
                !node.sizes.contains(&0) && (is_wanted(node) || walk.leads_on(node));
        }
        walk
    }

    /// The index of the node with this number, which must exist.
    fn position(&self, number: u64) -> usize {
        let position = self.nodes.binary_search_by(|node| number.cmp(&node.number));
        position.expect("an operand of a node of the walk")
    }

    /// Whether an operand of a node with a rule leads to a wanted node.
    fn leads_on(&self, node: &Node) -> bool {
        let mut bases = node.operands.iter().filter_map(|operand| operand.node.as_ref());
        node.rule.is_some() && bases.any(|base| self.leads(base.number))
    }

    /// Whether the node with this number leads to a wanted one.
    fn leads(&self, number: u64) -> bool {
        self.leads[self.position(number)]
    }
}

/// Zeros or ones with the sizes of `like`, `[..s] → [..s]`.
fn filled<T: Float>(like: &DynTensor<T>, with_ones: bool) -> DynTensor<T> {
    DynTensor::full(like.sizes(), if with_ones { T::ONE } else { T::ZERO })
}

/// Zeros with the sizes and the element type of an array.
pub fn zeros_like(array: &AnyArray) -> AnyArray {
    for_each_element!(for_float[array value { filled(value, false) }])
}

/// Ones with the sizes and the element type of an array.
pub(super) fn ones_like(array: &AnyArray) -> AnyArray {
    for_each_element!(for_float[array value { filled(value, true) }])
}
