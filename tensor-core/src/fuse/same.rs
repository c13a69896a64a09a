//! Which operands of a pass are one variable, where only the compiler knows.
//!
//! `fuse!` in a macro may get two variables of one name, the macro's and its caller's. Both are bound
//! once more, to the number of the operand, the first operand last:
//!
//! ```text
//! let x = At::<1>;
//! let x = At::<0>;
//! ```
//!
//! Where they are one variable the first operand shadows the second, so that `x` is `At::<0>` wherever
//! it stands; where they are two, each `x` is its own number. The type of `x` then tells whether an
//! operand is read, or was read as an operand before it.

use core::ops::Deref;

/// The number of an operand.
#[doc(hidden)]
#[derive(Clone, Copy)]
#[cfg_attr(doc, doc(hidden))]
pub struct At<const K: usize>;

/// The operand `K`, whose variable is first read as the operand `FIRST`.
#[doc(hidden)]
pub struct Met<const FIRST: usize, const K: usize>(Before);

/// An operand that was read before.
#[doc(hidden)]
pub struct Before;

/// Asks where the variable of the operand `K` is first read.
#[doc(hidden)]
#[inline(always)]
pub fn met<const FIRST: usize, const K: usize>(_: At<FIRST>, _: At<K>) -> Met<FIRST, K> {
    Met(Before)
}

impl<const K: usize> Met<K, K> {
    /// The operand: it is read here.
    #[inline(always)]
    pub fn operand<X>(&self, operand: X) -> X {
        operand
    }
}

/// Where the numbers differ, a method call goes on to this.
impl<const FIRST: usize, const K: usize> Deref for Met<FIRST, K> {
    type Target = Before;

    #[inline(always)]
    fn deref(&self) -> &Before {
        &self.0
    }
}

impl Before {
    /// A constant in its place, which no operation takes.
    #[inline(always)]
    pub fn operand<X>(&self, _: X) -> bool {
        false
    }
}
