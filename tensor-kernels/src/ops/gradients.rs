//! Operations that only rules of gradients use, `[..l], [..r] → [..(l ⊕ r)]`: rows as those of the table, without
//! public methods.
//!
//! A gradient of 0 is 0 whatever it is multiplied by: the slope may be infinite or NaN where `select` took the
//! other operand, as that of `sqrt` at 0.

use super::BinaryKernel;
use super::binary::define_binary;
use super::row::impl_rows;

/// The operations of gradients.
#[doc(hidden)]
#[macro_export]
macro_rules! gradient_binary {
    ($then:ident! $with:tt) => {
        $then! { $with
            topic "Gradients" {
                /// The product, 0 where one factor is 0, whatever the other is.
                method gradient_product: GradientProduct -> T {
                    cheap own "" "" { select(or(eq(x, 0), eq(y, 0)), 0, multiply(x, y)) }
                    |_isa, x, y| select((x == T::ZERO) | (y == T::ZERO), T::ZERO, x.mul(y))
                }
                /// The quotient, 0 where the dividend is 0, whatever the divisor is.
                method gradient_quotient: GradientQuotient -> T {
                    cheap own "" "" { select(eq(x, 0), 0, divide(x, y)) }
                    |_isa, x, y| select(x == T::ZERO, T::ZERO, x.div(y))
                }
                /// The elements where those of the second operand are positive or NaN, 0 elsewhere.
                method keep_where_positive: KeepWherePositive -> T {
                    cheap own "" "" { select(le(y, 0), 0, x) }
                    |_isa, x, y| select(y <= T::ZERO, T::ZERO, x)
                }
                /// The elements times the sign of the second operand, 0 where that is 0 or NaN.
                method with_sign: WithSign -> T {
                    cheap own "" "" { select(gt(y, 0), x, select(lt(y, 0), subtract(0, x), 0)) }
                    |_isa, x, y| {
                        let negative = select(y < T::ZERO, T::ZERO.sub(x), T::ZERO);
                        select(y > T::ZERO, x, negative)
                    }
                }
            }
        }
    };
}

pub use gradient_binary;

gradient_binary!(define_binary! [
    /// The kernels of gradients.
    GradientBinary
]);
