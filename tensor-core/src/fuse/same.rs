//! Detects operands of a pass that are the same variable, if only name resolution can decide it.
//!
//! `fuse!` in a macro may get two variables with the same name, the macro's and its caller's. Both names
//! are bound again, to the number of the operand, the first operand last:
//!
//! ```text
//! let x = At::<1>;
//! let x = At::<0>;
//! ```
//!
//! If they are one variable, the first operand shadows the second, so that `x` is `At::<0>` at each
//! occurrence; if they are two, each `x` is its own number. The type of `x` then determines whether an
//! operand is read, or was read already as an earlier operand.

use core::ops::Deref;

/// The number of an operand.
#[doc(hidden)]
#[derive(Clone, Copy)]
#[cfg_attr(doc, doc(hidden))]
pub struct At<const K: usize>;

/// The operand `K`, whose variable is first read as operand `FIRST`.
#[doc(hidden)]
pub struct FirstRead<const FIRST: usize, const K: usize>(Before);

/// An operand that was read before.
#[doc(hidden)]
pub struct Before;

/// Returns where the variable of operand `K` is first read, as a type.
#[doc(hidden)]
#[inline(always)]
pub fn first_read<const FIRST: usize, const K: usize>(
    _: At<FIRST>,
    _: At<K>,
) -> FirstRead<FIRST, K> {
    FirstRead(Before)
}

impl<const K: usize> FirstRead<K, K> {
    /// The operand itself: it is first read here.
    #[inline(always)]
    pub fn operand<X>(&self, operand: X) -> X {
        operand
    }
}

/// If the numbers differ, method resolution continues with this.
impl<const FIRST: usize, const K: usize> Deref for FirstRead<FIRST, K> {
    type Target = Before;

    #[inline(always)]
    fn deref(&self) -> &Before {
        &self.0
    }
}

impl Before {
    /// A placeholder constant, which no operation takes.
    #[inline(always)]
    pub fn operand<X>(&self, _: X) -> bool {
        false
    }
}
