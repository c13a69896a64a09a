//! Changes that make shapes broadcast, found by trying each of them.

use core::fmt;

use super::analysis::{AxisSize, Explanation, brackets};

/// For shapes with more axes, the axes that another shape lacks are not searched.
const MOST_AXES: usize = 8;

/// If there are more ways than this, none is evident.
const MOST_WAYS: usize = 2;

/// A change of one shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// An axis of size 1 is inserted at this index, -1 for the last.
    InsertedAxis(isize),
    /// The last two axes are swapped.
    SwappedLast,
}

impl Change {
    /// The call of a method of `tensor_core::Tensor`.
    fn call(&self) -> String {
        match self {
            Self::InsertedAxis(axis) => format!(".unsqueeze::<{axis}>()"),
            Self::SwappedLast => ".transpose()".to_owned(),
        }
    }
}

/// Changes of one shape after which the shapes broadcast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The index of the shape to change.
    pub operand: usize,
    /// The changes, in order.
    pub changes: Vec<Change>,
    /// The call that changes it: `b.unsqueeze::<-1>()`.
    pub call: String,
    /// Its shape after the call.
    pub shape: Vec<AxisSize>,
    /// The shape of the result after the change.
    pub result: Vec<AxisSize>,
    /// Whether the result is an outer operation: each element of one shape is paired with each of the other.
    pub is_outer: bool,
}

/// The suggestion as a sentence.
impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { call, shape, result, is_outer, .. } = self;
        let (shape, result) = (brackets(shape), brackets(result));
        match is_outer {
            false => write!(f, "`{call}` makes it {shape}, and the result is {result}."),
            true => write!(
                f,
                "To combine every element of one with every element of the other, \
                 `{call}` makes it {shape}, and the result is {result}."
            ),
        }
    }
}

impl Explanation {
    /// The changes after which these shapes broadcast, if they are evident: none, one, or two of
    /// which only the author knows the intended one. The calls are methods of
    /// `tensor_core::Tensor`.
    ///
    /// ```
    /// use tensor_core::explain::explain_sizes;
    ///
    /// let repairs = explain_sizes(&[&[4, 3], &[4]]).repairs();
    /// assert_eq!(repairs.len(), 1);
    /// assert_eq!(repairs[0].call, "b.unsqueeze::<-1>()");
    ///
    /// // A value for each image, or for each row?
    /// let repairs = explain_sizes(&[&[28, 28, 3], &[28]]).repairs();
    /// assert_eq!(repairs.len(), 2);
    ///
    /// let repairs = explain_sizes(&[&[2, 4, 3], &[3, 4]]).repairs();
    /// assert_eq!(repairs[0].call, "b.transpose()");
    /// ```
    pub fn repairs(&self) -> Vec<Repair> {
        let Err(mismatch) = self.result() else { return Vec::new() };
        let operands = [mismatch.right, mismatch.left];
        for operand in operands {
            let found = self.with_new_axes(operand);
            if !found.is_empty() {
                return if found.len() <= MOST_WAYS { found } else { Vec::new() };
            }
        }
        let transposed = operands.into_iter().find_map(|operand| self.transposed(operand));
        transposed.or_else(|| self.outer()).into_iter().collect()
    }

    /// The repair by this change, if the shapes then broadcast.
    fn repair(&self, operand: usize, changes: Vec<Change>, shape: Vec<AxisSize>) -> Option<Repair> {
        let mut shapes: Vec<_> = self.operands().iter().map(|other| other.axes.clone()).collect();
        shapes[operand].clone_from(&shape);
        let result = Self::of(shapes).result_axes()?;
        let name = self.operands()[operand].name.clone();
        let call = changes.iter().fold(name, |call, change| call + &change.call());
        Some(Repair { operand, changes, call, shape, result, is_outer: false })
    }

    /// The shapes after a change.
    ///
    /// ```
    /// use tensor_core::explain::explain_sizes;
    ///
    /// let explanation = explain_sizes(&[&[4, 3], &[4]]);
    /// let repaired = explanation.repaired(&explanation.repairs()[0]);
    /// assert_eq!(repaired.shapes(), "(4, 3) + (4, 1)");
    /// ```
    #[must_use]
    pub fn repaired(&self, repair: &Repair) -> Self {
        let mut operands = self.operands().to_vec();
        if let Some(operand) = operands.get_mut(repair.operand) {
            operand.axes.clone_from(&repair.shape);
        }
        Self::of_operands(operands)
    }

    /// The broadcast shape of all other operands.
    fn others(&self, operand: usize) -> Option<Vec<AxisSize>> {
        let others = self.operands().iter().enumerate().filter(|(number, _)| *number != operand);
        Self::of(others.map(|(_, other)| other.axes.clone()).collect()).result_axes()
    }

    /// The ways to align the axes of an operand with other axes of a shape of higher rank.
    fn with_new_axes(&self, operand: usize) -> Vec<Repair> {
        let Some(target) = self.others(operand) else { return Vec::new() };
        let axes = &self.operands()[operand].axes;
        if target.len() > MOST_AXES || axes.len() >= target.len() || axes.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<Repair> = Vec::new();
        for places in 0_u32..1 << target.len() {
            if places.count_ones() as usize != axes.len() {
                continue;
            }
            let (changes, shape) = spread(axes, places, target.len());
            let fits = self.repair(operand, changes, shape).filter(|repair| {
                repair.result == target && found.iter().all(|other| other.shape != repair.shape)
            });
            found.extend(fits);
        }
        // Fewest new axes first.
        found.sort_by_key(|repair| repair.shape.len());
        found
    }

    /// A swap of the last two axes, if the result does not grow.
    fn transposed(&self, operand: usize) -> Option<Repair> {
        let mut shape = self.operands()[operand].axes.clone();
        let last = shape.len().checked_sub(1)?;
        shape.swap(last.checked_sub(1)?, last);
        let target = self.others(operand)?;
        let changes = vec![Change::SwappedLast];
        self.repair(operand, changes, shape).filter(|repair| repair.result == target)
    }

    /// The outer operation: every element of one vector with every element of another.
    fn outer(&self) -> Option<Repair> {
        let [left, right] = self.operands() else { return None };
        if left.axes.len() != 1 || right.axes.len() != 1 {
            return None;
        }
        let column = vec![left.axes[0].clone(), AxisSize::new(1)];
        let repair = self.repair(0, vec![Change::InsertedAxis(-1)], column)?;
        Some(Repair { is_outer: true, ..repair })
    }
}

/// The axes at these indices among `rank` (a bit mask), and the changes that move them there; no axes are
/// added in front, where they change nothing.
fn spread(axes: &[AxisSize], places: u32, rank: usize) -> (Vec<Change>, Vec<AxisSize>) {
    let mut axes = axes.iter();
    let mut shape = Vec::new();
    let mut new = Vec::new();
    for place in 0..rank {
        if places >> place & 1 == 1 {
            shape.extend(axes.next().cloned());
        } else if !shape.is_empty() {
            new.push(shape.len());
            shape.push(AxisSize::new(1));
        }
    }
    let at_the_end = new.first().is_some_and(|first| first + new.len() == shape.len());
    let change =
        |place: &usize| Change::InsertedAxis(if at_the_end { -1 } else { place.cast_signed() });
    (new.iter().map(change).collect(), shape)
}
