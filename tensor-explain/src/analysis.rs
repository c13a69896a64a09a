//! The data of an explanation: shapes aligned at their last axis, and the role of each at each axis.

use core::fmt;

/// Axes without a known size are drawn with these sizes, each name with another one.
const LEAST_DRAWN: usize = 2;
const MOST_DRAWN: usize = 6;

/// The size of an axis, with its name if it has one; printed as `32`, `Batch(32)` or `Batch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisSize {
    /// The size; that of the pictures if it is not known.
    pub size: usize,
    /// The name that `axis!` gave.
    pub name: Option<String>,
    /// Whether the size is known: a named axis of a type has only a name.
    pub is_known: bool,
}

impl AxisSize {
    /// An axis without a name.
    ///
    /// ```
    /// use tensor_core::explain::AxisSize;
    ///
    /// assert_eq!(AxisSize::new(3).to_string(), "3");
    /// ```
    pub fn new(size: usize) -> Self {
        Self { size, name: None, is_known: true }
    }

    /// A named axis; without a size, [`Explanation::of`] chooses one for the pictures.
    ///
    /// ```
    /// use tensor_core::explain::AxisSize;
    ///
    /// assert_eq!(AxisSize::named("Batch", Some(32)).to_string(), "Batch(32)");
    /// assert_eq!(AxisSize::named("Batch", None).to_string(), "Batch");
    /// ```
    pub fn named(name: impl Into<String>, size: Option<usize>) -> Self {
        let (name, is_known) = (Some(name.into()), size.is_some());
        Self { size: size.unwrap_or(LEAST_DRAWN), name, is_known }
    }

    /// The size, or the name of an axis whose size is not known.
    pub(super) fn factor(&self) -> String {
        match &self.name {
            Some(name) if !self.is_known => name.clone(),
            _ => self.size.to_string(),
        }
    }

    /// Whether this axis is `One`: a named axis does not stretch, not even from 1.
    pub(super) fn can_stretch(&self) -> bool {
        self.size == 1 && self.name.is_none()
    }
}

impl fmt::Display for AxisSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) if !self.is_known => f.write_str(name),
            Some(name) => write!(f, "{name}({})", self.size),
            None => write!(f, "{}", self.size),
        }
    }
}

/// One of the shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedOperand {
    /// Its name: `a`, `b` and so on, or as set by [`with_names`](Explanation::with_names).
    pub name: String,
    /// Its axes, first axis first.
    pub axes: Vec<AxisSize>,
}

impl ExplainedOperand {
    /// The shape in brackets: `[Batch(32), 10]`.
    pub(super) fn shape(&self) -> String {
        brackets(&self.axes)
    }

    /// The axis aligned with axis `axis` of `rank` axes.
    pub(super) fn aligned(&self, axis: usize, rank: usize) -> Option<&AxisSize> {
        (axis + self.axes.len()).checked_sub(rank).map(|axis| &self.axes[axis])
    }
}

/// `[4, 3]`
pub(super) fn brackets(axes: &[AxisSize]) -> String {
    let axes: Vec<_> = axes.iter().map(AxisSize::to_string).collect();
    format!("[{}]", axes.join(", "))
}

/// The role of one shape at one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisRole {
    /// The axis equals that of the result.
    Matches,
    /// The axis has size 1 and stretches to another size.
    Stretches,
    /// The shape lacks the axis, which counts as size 1.
    Missing,
    /// The axis has neither the size of the first shape that does not stretch nor size 1.
    Differs,
}

/// One axis of the result, and the role of each shape there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlignedAxis {
    /// The role of each shape.
    pub parts: Vec<AxisRole>,
    /// The axis of the result, or the two shapes that do not match.
    pub outcome: Result<AxisSize, MismatchedAxes>,
}

/// Two shapes that do not match at an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MismatchedAxes {
    /// The axis of the result, counted from 0 at the front.
    pub axis: usize,
    /// The index of the first shape.
    pub left: usize,
    /// The index of the shape that does not match it.
    pub right: usize,
}

/// Shapes aligned by the rules of broadcasting, whether they broadcast or not.
///
/// `Display` writes the table; [`to_dot`](Self::to_dot) and [`to_svg`](Self::to_svg) draw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    operands: Vec<ExplainedOperand>,
    axes: Vec<AlignedAxis>,
}

impl Explanation {
    /// The explanation of the shapes with these axes, which are called `a`, `b` and so on.
    ///
    /// ```
    /// use tensor_core::explain::{AxisSize, Explanation};
    ///
    /// let batch = AxisSize::named("Batch", Some(32));
    /// let explanation = Explanation::of(vec![vec![batch.clone()], vec![AxisSize::new(1)]]);
    /// assert_eq!(explanation.axes()[0].outcome, Ok(batch));
    /// ```
    pub fn of(shapes: Vec<Vec<AxisSize>>) -> Self {
        let operand = |(number, axes)| ExplainedOperand { name: default_name(number), axes };
        Self::of_operands(shapes.into_iter().enumerate().map(operand).collect())
    }

    /// The explanation of shapes with names.
    pub(super) fn of_operands(mut operands: Vec<ExplainedOperand>) -> Self {
        choose_sizes(&mut operands);
        let rank = operands.iter().map(|operand| operand.axes.len()).max().unwrap_or(0);
        let axes = (0..rank).map(|axis| line_up(&operands, axis, rank)).collect();
        Self { operands, axes }
    }

    /// Names the first shapes, replacing `a`, `b` and so on. A name is one line.
    ///
    /// ```
    /// use tensor_core::{explain::explain, shape};
    ///
    /// let table = explain(&[&shape![4, 3], &shape![3]]).with_names(&["rows", "bias"]).to_string();
    /// assert!(table.contains("bias lacks it"));
    /// ```
    #[must_use]
    pub fn with_names(mut self, names: &[&str]) -> Self {
        for (operand, name) in self.operands.iter_mut().zip(names) {
            operand.name = name.replace(char::is_control, " ");
        }
        self
    }

    /// The shapes, in order.
    ///
    /// ```
    /// use tensor_core::explain::explain_sizes;
    ///
    /// let explanation = explain_sizes(&[&[4, 3], &[3]]);
    /// assert_eq!(explanation.operands()[1].name, "b");
    /// assert_eq!(explanation.operands()[1].axes[0].size, 3);
    /// ```
    pub fn operands(&self) -> &[ExplainedOperand] {
        &self.operands
    }

    /// The axes of the result, first axis first.
    ///
    /// ```
    /// use tensor_core::explain::{AxisRole, explain_sizes};
    ///
    /// let explanation = explain_sizes(&[&[4, 1], &[3]]);
    /// assert_eq!(explanation.axes()[0].parts, [AxisRole::Matches, AxisRole::Missing]);
    /// assert_eq!(explanation.axes()[1].parts, [AxisRole::Stretches, AxisRole::Matches]);
    /// ```
    pub fn axes(&self) -> &[AlignedAxis] {
        &self.axes
    }

    /// The shapes as text, in the form of Python, which [`parse`](str::parse) reads.
    ///
    /// ```
    /// use tensor_core::explain::explain_sizes;
    ///
    /// assert_eq!(explain_sizes(&[&[8, 1, 6, 1], &[5]]).shapes(), "(8, 1, 6, 1) + (5,)");
    /// ```
    pub fn shapes(&self) -> String {
        let shape = |(number, ExplainedOperand { name, axes }): (usize, &ExplainedOperand)| {
            let sizes: Vec<_> = axes.iter().map(AxisSize::to_string).collect();
            let comma = if sizes.len() == 1 { "," } else { "" };
            let name = match *name == default_name(number) {
                true => String::new(),
                false => format!("{name} = "),
            };
            format!("{name}({}{comma})", sizes.join(", "))
        };
        self.operands.iter().enumerate().map(shape).collect::<Vec<_>>().join(" + ")
    }

    /// The sizes of the result.
    ///
    /// # Errors
    ///
    /// The last axis at which two shapes do not match.
    ///
    /// ```
    /// use tensor_core::explain::explain_sizes;
    ///
    /// assert_eq!(explain_sizes(&[&[4, 1], &[3]]).result(), Ok(vec![4, 3]));
    ///
    /// let explanation = explain_sizes(&[&[2, 5, 3], &[3, 4, 3]]);
    /// let mismatch = explanation.result().unwrap_err();
    /// assert_eq!((mismatch.axis, mismatch.left, mismatch.right), (1, 0, 1));
    /// ```
    pub fn result(&self) -> Result<Vec<usize>, MismatchedAxes> {
        let mut sizes = vec![1; self.axes.len()];
        for (size, axis) in sizes.iter_mut().zip(&self.axes).rev() {
            *size = axis.outcome.as_ref().map_err(|mismatch| *mismatch)?.size;
        }
        Ok(sizes)
    }

    /// The axes of the result, if the shapes broadcast.
    pub(super) fn result_axes(&self) -> Option<Vec<AxisSize>> {
        self.axes.iter().map(|axis| axis.outcome.clone().ok()).collect()
    }

    /// Why the shapes do not broadcast, as a sentence; `None` if they do.
    ///
    /// ```
    /// use tensor_core::explain::explain_sizes;
    ///
    /// assert_eq!(
    ///     explain_sizes(&[&[4, 3], &[4]]).reason().unwrap(),
    ///     "Axis 1, the last, fails: a has 3 and b has 4, which differ, and neither is 1."
    /// );
    /// assert_eq!(explain_sizes(&[&[4, 3], &[3]]).reason(), None);
    /// ```
    pub fn reason(&self) -> Option<String> {
        let mismatch = self.result().err()?;
        let place = place(mismatch.axis, self.axes.len());
        let difference = self.difference(mismatch)?;
        Some(format!("Axis {}, {place}, fails: {difference}.", mismatch.axis))
    }

    /// The two axes that do not match.
    pub(super) fn meeting(&self, mismatch: MismatchedAxes) -> Option<[&AxisSize; 2]> {
        let rank = self.axes.len();
        let axis = |operand: usize| self.operands[operand].aligned(mismatch.axis, rank);
        Some([axis(mismatch.left)?, axis(mismatch.right)?])
    }

    /// The two axes that do not match, and the reason, as text.
    pub(super) fn difference(&self, mismatch: MismatchedAxes) -> Option<String> {
        let [left, right] = self.meeting(mismatch)?;
        let why = why([left, right].map(|axis| axis.name.as_deref()));
        let name = |operand: usize| &self.operands[operand].name;
        let (a, b) = (name(mismatch.left), name(mismatch.right));
        Some(format!("{a} has {left} and {b} has {right}, {why}"))
    }
}

/// Aligns shapes of these sizes by the rules of broadcasting; they need not broadcast.
///
/// ```
/// use tensor_core::explain::explain_sizes;
///
/// let explanation = explain_sizes(&[&[6, 7], &[5, 6, 1], &[7], &[5, 1, 7]]);
/// assert_eq!(explanation.result(), Ok(vec![5, 6, 7]));
///
/// let explanation = explain_sizes(&[&[4, 3], &[4]]);
/// assert_eq!(explanation.result().unwrap_err().axis, 1);
/// ```
pub fn explain_sizes(shapes: &[&[usize]]) -> Explanation {
    let axes = |sizes: &&[usize]| sizes.iter().copied().map(AxisSize::new).collect();
    Explanation::of(shapes.iter().map(axes).collect())
}

/// Gives each name without a known size the size that it has in another shape, or one to draw it with.
fn choose_sizes(operands: &mut [ExplainedOperand]) {
    let axes = || operands.iter().flat_map(|operand| &operand.axes);
    let mut sizes: Vec<AxisSize> = axes().filter(|axis| axis.is_known).cloned().collect();
    let mut drawn = LEAST_DRAWN..=MOST_DRAWN;
    for axis in axes().filter(|axis| !axis.is_known) {
        if sizes.iter().all(|known| known.name != axis.name) {
            sizes.push(AxisSize { size: drawn.next().unwrap_or(MOST_DRAWN), ..axis.clone() });
        }
    }
    for axis in operands.iter_mut().flat_map(|operand| &mut operand.axes) {
        if let Some(known) = sizes.iter().find(|known| !axis.is_known && known.name == axis.name) {
            axis.clone_from(known);
        }
    }
}

/// `a` to `z`, then `x26`, `x27` and so on.
pub(super) fn default_name(number: usize) -> String {
    match u8::try_from(number) {
        Ok(number @ 0..26) => char::from(b'a' + number).to_string(),
        _ => format!("x{number}"),
    }
}

/// Where an axis is among all: `the last`, `the 2nd from the end`.
#[doc(hidden)]
pub fn place(axis: usize, rank: usize) -> String {
    match rank - axis {
        1 if rank == 1 => "the only one".to_owned(),
        1 => "the last".to_owned(),
        from_the_end => format!("the {} from the end", ordinal(from_the_end)),
    }
}

/// Why two axes with these names, `None` for a size, do not match.
#[doc(hidden)]
pub fn why(names: [Option<&str>; 2]) -> &'static str {
    match names {
        [None, None] => "which differ, and neither is 1",
        [Some(a), Some(b)] if a == b => {
            "and a named axis has one size and does not stretch, not even from 1"
        }
        [Some(_), Some(_)] => "and two names are two axes, whatever their sizes",
        _ => "and a named axis fits to itself and to an axis of size 1 without a name only",
    }
}

/// `2nd`, `13th`.
fn ordinal(number: usize) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// Applies the rule at one axis: all sizes other than 1 must be equal.
fn line_up(operands: &[ExplainedOperand], axis: usize, rank: usize) -> AlignedAxis {
    let met: Vec<_> = operands.iter().map(|operand| operand.aligned(axis, rank)).collect();
    let decides = |axis: &Option<&AxisSize>| axis.is_some_and(|axis| !axis.can_stretch());
    let first = met.iter().position(decides);
    let settled = first.and_then(|first| met[first]);

    let part = |axis: &Option<&AxisSize>| match (axis, settled) {
        (None, _) => AxisRole::Missing,
        (Some(_), None) => AxisRole::Matches,
        (Some(axis), Some(settled)) if *axis == settled => AxisRole::Matches,
        (Some(axis), Some(_)) if axis.can_stretch() => AxisRole::Stretches,
        (Some(_), Some(_)) => AxisRole::Differs,
    };
    let parts: Vec<_> = met.iter().map(part).collect();
    let outcome = match (first, parts.iter().position(|part| *part == AxisRole::Differs)) {
        (Some(left), Some(right)) => Err(MismatchedAxes { axis, left, right }),
        _ => Ok(settled.cloned().unwrap_or(AxisSize::new(1))),
    };
    AlignedAxis { parts, outcome }
}
