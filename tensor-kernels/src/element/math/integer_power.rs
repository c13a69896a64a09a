//! `x^n` for an integer `n`.

use super::double_double::pow;
use crate::element::Isa;

/// Functions of `f32`.
pub(super) mod single_precision {
    use super::{Isa, pow};

    /// By repeated squaring in `f64`: what overflows or underflows there does so in `f32` too.
    pub(in crate::element) fn powi(x: f32, power: i32) -> f32 {
        /// Up to this power the rounding errors of all products are small compared with those of `f32`.
        const MOST: u32 = 1 << 20;
        let (mut square, mut rest) = (f64::from(x), power.unsigned_abs());
        if rest > MOST {
            return pow(Isa::BASELINE, square, f64::from(power)) as f32;
        }
        let mut product = 1.0;
        loop {
            if rest & 1 == 1 {
                product *= square;
            }
            rest >>= 1;
            if rest == 0 {
                break;
            }
            square *= square;
        }
        (if power < 0 { 1.0 / product } else { product }) as f32
    }
}

/// Functions of `f64`.
pub(super) mod double_precision {
    use super::{Isa, pow};

    /// A few products are within 2 ulp; more products keep their rounding errors, and large powers use
    /// [`pow`], where `n` is exact.
    pub(in crate::element) fn powi(x: f64, power: i32) -> f64 {
        match power {
            // Not `1 / x²`, because `x²` may overflow where the result does not underflow.
            -2 => (1.0 / x) * (1.0 / x),
            -1 => 1.0 / x,
            0 => 1.0,
            1 => x,
            2 => x * x,
            3 => x * x * x,
            4 => (x * x) * (x * x),
            -32..=32 => by_squaring(x, power),
            _ => pow(Isa::BASELINE, x, f64::from(power)),
        }
    }

    /// Repeated squaring in twice the digits (Kornerup, Lefèvre, Louvet and Muller, 2009), where neither
    /// a product nor its rounding error leaves the range of normal numbers.
    fn by_squaring(x: f64, power: i32) -> f64 {
        let multiply = |(x, x_tail): (f64, f64), (y, y_tail): (f64, f64)| {
            let (product, lost) = Isa::BASELINE.product(x, y);
            (product, lost + (x * y_tail + x_tail * y))
        };
        let (mut square, mut rest) = ((x, 0.0), power.unsigned_abs());
        let mut product = (1.0, 0.0);
        loop {
            if rest & 1 == 1 {
                product = multiply(product, square);
            }
            rest >>= 1;
            if rest == 0 {
                break;
            }
            square = multiply(square, square);
        }
        // The last product is the largest or the smallest of all.
        let result = product.0 + product.1;
        if !(1e-280..1e280).contains(&result.abs()) {
            return pow(Isa::BASELINE, x, f64::from(power));
        }
        if power < 0 { 1.0 / result } else { result }
    }
}
