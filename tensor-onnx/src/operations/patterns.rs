//! Steps of a model that one call computes: attention, GELU, a transpose, and the indices of loops.

use super::number;
use crate::element::Element;
use crate::function::{Function, Origin, Value};
use crate::reason::Reasoned;
use crate::sym::Sym;

impl<'a> Function<'a> {
    /// The tensor whose last two axes are swapped by a reshape of `x`, where those before them are one axis meanwhile.
    pub(super) fn swapped(&self, x: &Value<'a>, dims: &[Sym]) -> Option<Value<'a>> {
        let Origin::Permuted(merged, order) = self.origin(x)? else { return None };
        let Origin::Reshaped(of) = self.origin(merged)? else { return None };
        let lead = of.rank().checked_sub(2)?;
        let is_swapped = order[..] == [0, 2, 1]
            && merged.dims[1..] == of.dims[lead..]
            && dims.len() == of.rank()
            && dims[..lead] == of.dims[..lead]
            && dims[lead..].iter().eq(of.dims[lead..].iter().rev());
        is_swapped.then(|| of.clone())
    }

    /// The step of a loop that an index is, and how many steps it is ahead.
    pub fn step_of(&self, index: &Value<'a>) -> Option<(Value<'a>, i64)> {
        let (mut index, mut ahead) = (index.clone(), 0_i64);
        loop {
            index = match self.origin(&index)? {
                Origin::Step => return Some((index, ahead)),
                Origin::Reshaped(of) => of.clone(),
                Origin::Plus(of, by) => {
                    ahead = ahead.checked_add(*by)?;
                    of.clone()
                }
                _ => return None,
            }
        }
    }

    /// The queries, the keys and the mask of weights that are `softmax(q · kᵀ / √c + mask)`, as exporters write attention: the
    /// scale may be on the queries, the keys or their product, and NaN of the weights be replaced by 0. `None` for other
    /// weights, and for 16-bit floats, which are rounded between the steps.
    pub(super) fn attending(
        &mut self,
        weights: &Value<'a>,
        values: &Value<'a>,
    ) -> Reasoned<Option<(Value<'a>, Value<'a>, Option<Value<'a>>)>> {
        let weights = match self.origin(weights) {
            Some(Origin::WithoutNan(of)) => of,
            _ => weights,
        };
        let Some(Origin::Softmax(scores, axis)) = self.origin(weights) else { return Ok(None) };
        if axis + 1 != weights.rank() || weights.element.is_half() {
            return Ok(None);
        }
        let mut found = self.scores(scores).map(|scores| (scores, None));
        if let Some(Origin::Sum(x, y)) = self.origin(scores) {
            let with_mask = |x: &Value<'a>, mask: &Value<'a>| {
                let scores = self.scores(x).filter(|_| x.dims == scores.dims)?;
                Some((scores, Some(mask.clone())))
            };
            found = found.or_else(|| with_mask(x, y)).or_else(|| with_mask(y, x));
        }
        let Some(((q, k, mut order), mask)) = found else { return Ok(None) };
        let rank = q.rank();
        if values.rank() != rank || values.dims[..rank - 2] != q.dims[..rank - 2] {
            return Ok(None);
        }
        order.swap(rank - 2, rank - 1);
        Ok(Some((q, self.permute("keys", &k, &order)?, mask)))
    }

    /// The queries of scores that are `q · kᵀ / √c`, and the keys with the order of their axes.
    fn scores(&self, scores: &Value<'a>) -> Option<(Value<'a>, Value<'a>, Vec<usize>)> {
        let (product, on_product) = self.unscaled(scores);
        let Origin::Product(q, turned) = self.origin(&product)? else { return None };
        let ((q, on_q), (turned, on_k)) = (self.unscaled(q), self.unscaled(turned));
        let Origin::Permuted(k, order) = self.origin(&turned)? else { return None };
        let rank = q.rank();
        let channels = q.dims.last().and_then(Sym::size)?;
        let scale = on_product * on_q * on_k * (channels as f64).sqrt();
        let is_lead =
            turned.rank() == rank && rank >= 2 && turned.dims[..rank - 2] == q.dims[..rank - 2];
        let (k, order) = (k.clone(), order.clone());
        (is_lead && (scale - 1.0).abs() <= 1e-6).then_some((q, k, order))
    }

    /// The tensor of which `x · y` is the GELU: `x · (1 + erf(x / √2)) / 2`, with the factors in any order.
    pub(super) fn gelu_of(&self, x: &Value<'a>, y: &Value<'a>) -> Option<Value<'a>> {
        let ((x, y), scale) = match (number(x), number(y)) {
            (None, None) => ((x.clone(), y.clone()), 1.0),
            (of_x, of_y) => {
                let (product, scale) = self.unscaled(if of_y.is_some() { x } else { y });
                let Origin::Times(x, y) = self.origin(&product)? else { return None };
                ((x.clone(), y.clone()), scale * of_y.or(of_x)?)
            }
        };
        let ((x, by_x), (y, by_y)) = (self.unscaled(&x), self.unscaled(&y));
        let is = |number: f64, expected: f64| (number / expected - 1.0).abs() <= 1e-6;
        let is_half =
            is(scale * by_x * by_y, 0.5) && matches!(x.element, Element::F32 | Element::F64);
        [(&x, &y), (&y, &x)].into_iter().filter(|_| is_half).find_map(|(x, of_erf)| {
            let Origin::Sum(a, b) = self.origin(of_erf)? else { return None };
            let erf = match (number(a), number(b)) {
                (_, Some(1.0)) => a,
                (Some(1.0), _) => b,
                _ => return None,
            };
            let Origin::Erf(argument) = self.origin(erf)? else { return None };
            let (argument, by) = self.unscaled(argument);
            let is_it = argument.is_same(x) && is(by, std::f64::consts::FRAC_1_SQRT_2);
            is_it.then(|| x.clone())
        })
    }

    /// The tensor without factors, and their product.
    fn unscaled(&self, x: &Value<'a>) -> (Value<'a>, f64) {
        let (mut x, mut scale) = (x.clone(), 1.0);
        while let Some(Origin::Scaled(of, by)) = self.origin(&x)
            && of.dims == x.dims
        {
            (x, scale) = (of.clone(), scale * by);
        }
        (x, scale)
    }
}
