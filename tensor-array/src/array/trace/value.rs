//! The values of programs: their types, and what they cost.

use tensor_kernels::layout::num_elements;
use tensor_kernels::sizes::Sizes;

use crate::array::history::{AnyArray, ElementType};

/// The sizes and the element type of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Value {
    pub(crate) sizes: Sizes,
    pub(crate) element: &'static ElementType,
}

impl Value {
    /// That of an array.
    pub(super) fn of(array: &AnyArray) -> Self {
        Self { sizes: array.sizes().into(), element: array.element() }
    }

    /// The array, which must have these sizes and this element type.
    #[track_caller]
    pub(super) fn checked(&self, array: AnyArray) -> AnyArray {
        let (sizes, element) = (array.sizes(), array.element());
        assert_eq!((sizes, element), (&self.sizes[..], self.element), "a value of the program");
        array
    }

    /// A list of this number of values.
    pub(super) fn times(&self, len: usize) -> Self {
        Self { sizes: [&[len], &self.sizes[..]].concat().into(), ..self.clone() }
    }

    /// An array of zeros.
    pub(super) fn zeros(&self) -> AnyArray {
        (self.element.of_bytes)(&vec![0; self.bytes() as usize], &self.sizes)
    }

    pub(super) fn bytes(&self) -> u64 {
        (num_elements(&self.sizes) * self.element.bytes) as u64
    }
}

/// A large constant of a program, of those that `Program::large_constants` lists.
///
/// ```
/// use tensor_core::trace::trace;
/// use tensor_core::{Tensor, shape};
///
/// let program = trace(&Tensor::<shape![1024]>::ones(), |x| x.dot(&Tensor::<shape![1024, 1024]>::eye()));
/// let constant = &program.large_constants()[0];
/// assert_eq!((constant.element, &constant.sizes[..]), ("f32", &[1024, 1024][..]));
/// assert_eq!(constant.bytes, 4 << 20);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Constant {
    /// The sizes of the elements that are stored: 1 along an axis that repeats them.
    pub sizes: Vec<usize>,
    /// The element type, as Rust writes it.
    pub element: &'static str,
    /// The bytes of the elements.
    pub bytes: u64,
    /// The name of the step that reads it, as the text of the program has it, or `output`.
    pub read_by: &'static str,
}

/// What running a program costs, by its shapes.
///
/// The body of a `scan` counts once for each item, that of a `while_loop` once, and a branch as the dearest of its functions. A
/// number beyond `u64::MAX` is `u64::MAX`.
///
/// ```
/// use tensor_core::trace::trace;
/// use tensor_core::{Tensor, shape};
///
/// let inputs = (Tensor::<shape![64, 256]>::zeros(), Tensor::<shape![256, 10]>::zeros());
/// let cost = trace(&inputs, |(x, weight)| x.matmul(weight).relu()).cost();
/// // 64 · 10 sums of 256 products, and a maximum for each of them.
/// assert_eq!(cost.operations, 2 * 64 * 256 * 10 + 64 * 10);
/// // Both inputs are read, the product is written and read, and the result is written.
/// assert_eq!(cost.bytes, 4 * (64 * 256 + 256 * 10 + 3 * 64 * 10));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cost {
    /// Arithmetic operations: a multiplication and an addition for each term of products and convolutions; otherwise one
    /// for each element that an element-wise operation writes, or a reduction reads. Moving elements counts none.
    pub operations: u64,
    /// The bytes of elements that the steps read and write, if each reads all its operands from memory.
    pub bytes: u64,
    /// The most bytes of elements that exist at one time, inputs included: a value is freed after the last step that
    /// reads it.
    pub peak_bytes: u64,
    /// The bytes of elements of constants: tensors that the function has made or captured, and that are not computed from its
    /// inputs. `Program::large_constants` lists large ones.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::{Tensor, shape};
    ///
    /// let (x, table) = (Tensor::<shape![1024]>::ones(), Tensor::<shape![1024, 1024]>::ones());
    /// let captured = trace(&x, |x| x.dot(&table)).cost();
    /// assert_eq!(captured.constant_bytes, 4 << 20);
    /// assert_eq!(trace(&(x, table), |(x, table)| x.dot(table)).cost().constant_bytes, 0);
    /// ```
    pub constant_bytes: u64,
    /// The loops whose number of turns is known only when the program runs, `while_loop`s: one turn of each is counted.
    pub while_loops: u64,
}

impl Cost {
    /// That of this number of turns of a loop.
    pub(super) fn times(self, turns: u64) -> Self {
        let times = |of: u64| of.saturating_mul(turns);
        Self { operations: times(self.operations), bytes: times(self.bytes), ..self }
    }

    /// That of two parts, of which one runs after the other.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            operations: self.operations.saturating_add(other.operations),
            bytes: self.bytes.saturating_add(other.bytes),
            peak_bytes: self.peak_bytes.max(other.peak_bytes),
            constant_bytes: self.constant_bytes + other.constant_bytes,
            while_loops: self.while_loops + other.while_loops,
        }
    }

    /// The most that one of two parts costs, of which one runs.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            operations: self.operations.max(other.operations),
            bytes: self.bytes.max(other.bytes),
            while_loops: self.while_loops.max(other.while_loops),
            ..self.and(other)
        }
    }
}
