//! Sums of products of tensors whose axes are numbered: pair by pair, by
//! [`matmul`](DynTensor::matmul) if an axis is summed over, otherwise by an element-wise product.

use tensor_kernels::element::Number;
use tensor_kernels::layout::checked_num_elements;
use tensor_kernels::plan::broadcast_sizes;
use tensor_kernels::sizes::Sizes;
use tensor_kernels::sizes::error::ShapeError;

use crate::array::dynamic::DynTensor;

/// The numbers of the axes of a tensor, first axis first.
pub type Labels = Sizes;

/// The label of all leading axes of an operand that have no name.
pub const LEADING: usize = usize::MAX;

/// The number of an axis of `..`, counted from the last of them.
fn leading(from_the_end: usize) -> usize {
    LEADING - 1 - from_the_end
}

/// A tensor, and the numbers of its axes.
struct Labelled<T: Number> {
    tensor: DynTensor<T>,
    labels: Labels,
}

/// Numbers each axis of `..`.
///
/// # Errors
///
/// If these axes do not broadcast.
fn number_leading_axes<T: Number>(
    operands: &[DynTensor<T>],
    labels: &mut [Labels],
    result: &mut Labels,
) -> Result<(), ShapeError> {
    let mut common = Sizes::new();
    for (operand, labels) in operands.iter().zip(labels) {
        let Some(position) = labels.iter().position(|&label| label == LEADING) else { continue };
        let count = operand.rank() + 1 - labels.len();
        common = broadcast_sizes(&common, &operand.sizes()[position..position + count])?;
        spell_out(labels, position, count);
    }
    if let Some(position) = result.iter().position(|&label| label == LEADING) {
        spell_out(result, position, common.len());
    }
    Ok(())
}

/// Removes the broadcast axes: those of size 1 for which another operand has another size. Products are the
/// same without them.
///
/// # Errors
///
/// None: an axis of size 1 can be removed.
fn remove_stretched_axes<T: Number>(
    operands: &mut [DynTensor<T>],
    labels: &mut [Labels],
) -> Result<(), ShapeError> {
    let all = operands.iter().zip(labels.iter());
    let all = all.flat_map(|(operand, labels)| labels.iter().zip(operand.sizes()));
    let stretched_to: Labels =
        all.filter(|&(_, &size)| size != 1).map(|(&label, _)| label).collect();
    for (operand, labels) in operands.iter_mut().zip(labels) {
        for axis in (0..labels.len()).rev() {
            if operand.sizes()[axis] == 1 && stretched_to.contains(&labels[axis]) {
                *operand = operand.squeeze(axis as isize)?;
                labels.remove(axis);
            }
        }
    }
    Ok(())
}

/// Replaces `..` by the numbers of `count` axes.
fn spell_out(labels: &mut Labels, position: usize, count: usize) {
    labels.remove(position);
    for from_the_end in 0..count {
        labels.insert(position, leading(from_the_end));
    }
}

/// The sum of products: every axis that is not in the result is summed over.
///
/// # Errors
///
/// If a result does not fit into memory.
fn contract<T: Number>(
    operands: Vec<DynTensor<T>>,
    labels: Vec<Labels>,
    result: &Labels,
) -> Result<DynTensor<T>, ShapeError> {
    let mut waiting: Vec<Labelled<T>> = operands
        .into_iter()
        .zip(labels)
        .map(|(tensor, labels)| Labelled { tensor, labels }.diagonal())
        .collect::<Result<_, _>>()?;
    waiting.reverse();
    let Some(mut product) = waiting.pop() else { return Ok(DynTensor::scalar(T::ONE)) };
    while let Some(next) = waiting.pop() {
        let is_kept =
            |label| result.contains(&label) || waiting.iter().any(|x| x.labels.contains(&label));
        product = product.times(next, is_kept)?;
    }
    let product = product.without(|label| !result.contains(&label))?;
    product.arranged(result.iter().copied())
}

/// The sum of products over pairs of axes of two operands, whose sizes were checked to match.
///
/// # Errors
///
/// If the result does not fit into memory.
#[doc(hidden)]
pub fn tensordot<T: Number>(
    left: DynTensor<T>,
    right: DynTensor<T>,
    axes: &[Sizes; 2],
) -> Result<DynTensor<T>, ShapeError> {
    let rank = left.rank();
    let of_left: Labels = (0..rank).collect();
    let mut of_right: Labels = (rank..rank + right.rank()).collect();
    for (&label, &axis) in axes[0].iter().zip(&axes[1]) {
        of_right[axis] = label;
    }
    let result: Labels = (of_left.iter().filter(|label| !axes[0].contains(label)))
        .chain(of_right.iter().filter(|&&label| label >= rank))
        .copied()
        .collect();
    contract(vec![left, right], vec![of_left, of_right], &result)
}

/// The sum of products of any number of operands, whose sizes were checked to match or to broadcast from 1.
///
/// # Errors
///
/// If the leading axes do not broadcast, or a result does not fit into memory.
#[doc(hidden)]
pub fn sum_of_products<T: Number>(
    mut operands: Vec<DynTensor<T>>,
    mut labels: Vec<Labels>,
    result: &[usize],
) -> Result<DynTensor<T>, ShapeError> {
    let mut result = Labels::from_slice(result);
    if labels.iter().any(|labels| labels.contains(&LEADING)) {
        number_leading_axes(&operands, &mut labels, &mut result)?;
    }
    remove_stretched_axes(&mut operands, &mut labels)?;
    contract(operands, labels, &result)
}

/// The axes of two operands, grouped by their role in the product.
struct AxisRoles {
    /// The axes in both operands and in the result.
    batch: Labels,
    /// The axes in both operands, summed over.
    summed: Labels,
    /// The axes in the left operand alone.
    left: Labels,
    /// The axes in the right operand alone.
    right: Labels,
}

impl AxisRoles {
    fn of(left: &Labels, right: &Labels, is_kept: impl Fn(usize) -> bool) -> Self {
        let (both, left_alone): (Labels, Labels) =
            left.iter().copied().partition(|label| right.contains(label));
        let (batch, summed) = both.into_iter().partition(|&label| is_kept(label));
        let right_alone = right.iter().filter(|label| !left.contains(label)).copied().collect();
        Self { batch, summed, left: left_alone, right: right_alone }
    }
}

impl<T: Number> Labelled<T> {
    fn size(&self, label: usize) -> usize {
        let axis = self.labels.iter().position(|&other| other == label);
        axis.map_or(1, |axis| self.tensor.sizes()[axis])
    }

    /// The product of the sizes of some axes.
    fn count(&self, labels: &Labels) -> Result<usize, ShapeError> {
        let sizes: Sizes = labels.iter().map(|&label| self.size(label)).collect();
        checked_num_elements(&sizes).ok_or_else(|| ShapeError::TooLarge { sizes: sizes.to_vec() })
    }

    /// A view of the elements for which all axes with the same number have the same index: a diagonal.
    fn diagonal(mut self) -> Result<Self, ShapeError> {
        let mut first = 0;
        while first < self.labels.len() {
            let label = self.labels[first];
            let again = self.labels[first + 1..].iter().position(|&other| other == label);
            match again {
                Some(behind) => {
                    let second = first + 1 + behind;
                    self.tensor = self.tensor.diagonal(0, first as isize, second as isize)?;
                    self.labels.remove(second);
                    self.labels.remove(first);
                    self.labels.push(label);
                }
                None => first += 1,
            }
        }
        Ok(self)
    }

    /// Sums over some axes.
    fn without(self, is_summed: impl Fn(usize) -> bool) -> Result<Self, ShapeError> {
        let axes: Vec<isize> = (0..)
            .zip(&self.labels)
            .filter(|&(_, &label)| is_summed(label))
            .map(|(axis, _)| axis)
            .collect();
        if axes.is_empty() {
            return Ok(self);
        }
        let labels = self.labels.into_iter().filter(|&label| !is_summed(label)).collect();
        Ok(Self { tensor: self.tensor.sum_axes(&axes)?, labels })
    }

    /// The tensor with its axes in another order.
    fn arranged(&self, labels: impl Iterator<Item = usize>) -> Result<DynTensor<T>, ShapeError> {
        let position = |label| self.labels.iter().position(|&other| other == label);
        let order: Vec<isize> = labels.filter_map(position).map(|axis| axis as isize).collect();
        if order.iter().enumerate().all(|(position, &axis)| position as isize == axis) {
            return Ok(self.tensor.clone());
        }
        self.tensor.permute(&order)
    }

    /// The product, summed over every axis of both that is not kept.
    fn times(self, right: Self, is_kept: impl Fn(usize) -> bool) -> Result<Self, ShapeError> {
        let left = {
            let right = &right.labels;
            self.without(|label| !right.contains(&label) && !is_kept(label))?
        };
        let right = {
            let left = &left.labels;
            right.without(|label| !left.contains(&label) && !is_kept(label))?
        };
        let groups = AxisRoles::of(&left.labels, &right.labels, is_kept);
        let mut labels = groups.batch.clone();
        labels.extend(groups.left.iter().chain(&groups.right).copied());
        let tensor = match groups.summed.is_empty() {
            true => left.product_of_elements(&right, &groups)?,
            false => left.matrix_product(&right, &groups)?,
        };
        Ok(Self { tensor, labels })
    }

    /// `[..batch, ..left] · [..batch, ..right] → [..batch, ..left, ..right]`
    fn product_of_elements(
        &self,
        right: &Self,
        groups: &AxisRoles,
    ) -> Result<DynTensor<T>, ShapeError> {
        let AxisRoles { batch, left: rows, right: columns, .. } = groups;
        let mut left = self.arranged(batch.iter().chain(rows).copied())?;
        for _ in columns {
            left = left.unsqueeze(-1)?;
        }
        let mut right = right.arranged(batch.iter().chain(columns).copied())?;
        for _ in rows {
            right = right.unsqueeze(batch.len() as isize)?;
        }
        &left * &right
    }

    /// `[..batch, ..left, ..summed] · [..batch, ..summed, ..right] → [..batch, ..left, ..right]`
    fn matrix_product(&self, right: &Self, groups: &AxisRoles) -> Result<DynTensor<T>, ShapeError> {
        let AxisRoles { batch, summed, left: rows, right: columns } = groups;
        let lead: Sizes = batch.iter().map(|&label| self.size(label)).collect();
        let matrix = |operand: &Self, [first, second]: [&Labels; 2]| {
            let order = batch.iter().chain(first).chain(second).copied();
            let mut sizes = lead.clone();
            sizes.push(operand.count(first)?);
            sizes.push(operand.count(second)?);
            operand.arranged(order)?.reshape(&sizes)
        };
        let product = matrix(self, [rows, summed])?.matmul(&matrix(right, [summed, columns])?)?;
        let mut sizes = lead.clone();
        sizes.extend(rows.iter().map(|&label| self.size(label)));
        sizes.extend(columns.iter().map(|&label| right.size(label)));
        product.reshape(&sizes)
    }
}
