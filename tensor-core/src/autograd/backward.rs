//! From a recorded result back to what it was made of.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use super::rule::{for_float, of_class};
use super::scatter::add_strided;
use super::value::{Value, fits};
use crate::array::history::{AnyArray, Node, NodeOperand, Recorded, with_recording};
use crate::array::layout::Strides;
use crate::element::Float;
use crate::ops::elements::for_each_element;

/// The hash of a node's number. Nobody chooses these numbers, so that it need not resist an attack.
#[derive(Default)]
struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, number: u64) {
        // The golden ratio, by which successive numbers are far apart: Knuth's multiplicative hashing.
        self.0 = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only the numbers of nodes are hashed");
    }
}

/// Something for each node of some, by its number.
type ByNumber<X> = HashMap<u64, X, BuildHasherDefault<NumberHasher>>;
/// The numbers of some nodes.
type Numbers = HashSet<u64, BuildHasherDefault<NumberHasher>>;

/// The sum of two gradients.
fn add(first: &AnyArray, second: &AnyArray) -> AnyArray {
    for_each_element!(for_float[first value {
        value + Value::new(second.get().expect("gradients of one node have elements of one type"))
    }])
}

/// The gradient of the elements of a node, from that of an operand that looks at them.
fn of_base(gradient: &AnyArray, operand: &NodeOperand, base: &[usize]) -> AnyArray {
    for_each_element!(for_float[gradient value {
        let value = value.sum_to(&operand.sizes);
        match &operand.view {
            None => value.reshape(base),
            Some(view) => of_view(&value, view.0, &view.1, base),
        }
    }])
}

/// The gradient of elements in row-major order from that of a view of them.
fn of_view<T: Float>(
    value: &Value<T>,
    offset: usize,
    strides: &Strides,
    base: &[usize],
) -> Value<T> {
    // An axis that was stretched is summed, and axes of size 1 are left out.
    let stretched = strides.iter().zip(value.sizes()).enumerate();
    let stretched = stretched.filter(|(_, (stride, size))| **stride == 0 || **size == 1);
    let stretched: Vec<isize> = stretched.map(|(axis, _)| axis as isize).collect();
    // A sum over no axis would be a copy.
    let value = match stretched[..] {
        [] => value.clone(),
        _ => Value(fits(value.0.sum_axes(&stretched))),
    };
    let kept = (0..strides.len()).filter(|axis| !stretched.contains(&(*axis as isize)));
    let strides: Strides = kept.map(|axis| strides[axis]).collect();
    let total: usize = base.iter().product();
    // The axes in the order in which they lie in memory.
    let mut order: Vec<isize> = (0..strides.len() as isize).collect();
    order.sort_by_key(|&axis| core::cmp::Reverse(strides[axis as usize].unsigned_abs()));
    let sorted = Value(fits(value.0.permute(&order)));
    let mut step = 1;
    let dense = sorted.sizes().iter().zip(&order).rev().all(|(&size, &axis)| {
        let plain = strides[axis as usize] == step as isize;
        step *= size;
        plain
    });
    if dense && step == total && offset == 0 {
        return sorted.reshape(base);
    }
    add_strided(&value, total, offset, &strides).reshape(base)
}

/// The gradients of a result with respect to some variables, `None` where it does not depend on one.
///
/// `seed` is the gradient of the result itself.
pub(super) fn gradients(
    result: &Arc<Node>,
    seed: AnyArray,
    variables: &[Arc<Node>],
    recorded: bool,
) -> Vec<Option<AnyArray>> {
    let wanted = variables.iter().map(|variable| variable.number).collect();
    let (nodes, leads) = leading_to(result, &wanted);
    let leads = |number: u64| leads.get(&number) == Some(&true);
    let mut found = ByNumber::<AnyArray>::from_iter([(result.number, seed)]);
    with_recording(recorded, || {
        // Operands have smaller numbers than results: each gradient is complete when its turn comes.
        for node in nodes.iter().rev() {
            let Some(rule) = &node.rule else { continue };
            let Some(gradient) = found.remove(&node.number) else { continue };
            if wanted.contains(&node.number) {
                found.insert(node.number, gradient.clone());
            }
            let at = Recorded { node, recorded, leads: &leads };
            let gradients = rule.backward(&at, &gradient);
            for (operand, gradient) in node.operands.iter().zip(gradients) {
                let (Some(base), Some(gradient)) = (&operand.node, gradient) else { continue };
                if !leads(base.number) {
                    continue;
                }
                let gradient = of_base(&gradient, operand, &base.sizes);
                found
                    .entry(base.number)
                    .and_modify(|sum| *sum = add(sum, &gradient))
                    .or_insert(gradient);
            }
        }
    });
    variables.iter().map(|variable| found.get(&variable.number).cloned()).collect()
}

/// The nodes that a result was made of and that lead to one with a wanted number, in the order in which they
/// were made, and of all that it was made of whether they do.
fn leading_to(result: &Arc<Node>, wanted: &Numbers) -> (Vec<Arc<Node>>, ByNumber<bool>) {
    let mut seen = ByNumber::<bool>::from_iter([(result.number, false)]);
    let (mut left, mut nodes) = (vec![result.clone()], Vec::new());
    while let Some(node) = left.pop() {
        for base in node.operands.iter().filter_map(|operand| operand.node.as_ref()) {
            if seen.insert(base.number, false).is_none() {
                left.push(base.clone());
            }
        }
        nodes.push(node);
    }
    nodes.sort_unstable_by_key(|node| node.number);
    nodes.retain(|node| {
        let mut operands = node.operands.iter().filter_map(|operand| operand.node.as_ref());
        let leads = wanted.contains(&node.number) || operands.any(|base| seen[&base.number]);
        seen.insert(node.number, leads);
        leads
    });
    (nodes, seen)
}

/// Zeros of the sizes and the element type of an array.
pub(super) fn zeros_like(array: &AnyArray) -> AnyArray {
    for_each_element!(for_float[array value { Value::zeros(value.sizes()).like(&value) }])
}

/// The gradient of the sum of all elements of a result with respect to those of its node.
pub(super) fn seed(result: &AnyArray, node: &Arc<Node>) -> AnyArray {
    let ones =
        for_each_element!(for_float[result value { Value::full(value.sizes(), 1.0).like(&value) }]);
    let operand = NodeOperand::of(result);
    of_base(&ones, &operand, &node.sizes)
}
