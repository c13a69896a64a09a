//! The rules of windows: convolutions, pooling, resizing.
//!
//! All of them are linear in their differentiable operands, or select elements by an operand that is a
//! constant, so that the gradient of each is another one of them.

use smallvec::smallvec;

use super::rule::{self, At, Operands, rules};
use crate::array::dynamic::DynTensor;
use crate::array::history::Rule;
use crate::array::recording::Outcome;
use crate::array::storage::Storage;
use crate::array::trace::{self, Op};
use crate::element::Float;
use crate::sizes::Sizes;
use crate::sizes::windows::{Convolution, Pooling, Resizing};

/// A convolution: the operands are the input and the weights.
pub(crate) struct Convolve(pub(crate) Convolution);

/// The gradient of a convolution with respect to its weights: the operands are the input and the gradient of
/// the results.
pub(crate) struct ConvolveWeights(pub(crate) Convolution);

/// The maxima of windows.
pub(crate) struct MaxPool(pub(crate) Pooling);

/// Elements added at the positions of the maxima of windows: the operands are the input and the elements.
pub(crate) struct MaxUnpool(pub(crate) Pooling);

/// Elements picked at the positions of the maxima of windows: the operands are the input and the elements.
pub(crate) struct MaxPick(pub(crate) Pooling);

/// The means of windows.
pub(crate) struct AvgPool(pub(crate) Pooling);

/// Elements distributed evenly over windows, the transpose of average pooling.
pub(crate) struct AvgUnpool(pub(crate) Pooling);

/// Resizing of the last axes.
pub(crate) struct Resize(pub(crate) Resizing);

/// The transpose of resizing.
pub(crate) struct ResizeTransposed(pub(crate) Resizing);

rules! {
    Convolve: OPERANDS;
    ConvolveWeights: OPERANDS;
    MaxPool: OPERANDS;
    MaxUnpool: OPERANDS;
    MaxPick: OPERANDS;
    AvgPool: NOTHING;
    AvgUnpool: NOTHING;
    Resize: NOTHING;
    ResizeTransposed: NOTHING;
}

/// Generates the operations on windows of two operands.
macro_rules! of_two {
    ($($name:ident: $Op:ident($Plan:ty) as $op:expr, |$x:ident, $y:ident, $plan:ident| $sizes:expr, $function:ident;)*) => {
        impl<T: Float> DynTensor<T> {$(
            #[track_caller]
            fn $name(&self, $plan: &$Plan, $y: &Self) -> Self {
                let $x = self;
                let sizes: Sizes = $sizes;
                if $x.is_traced() || $y.is_traced() {
                    let (op, rule) = (($op)($plan), Some($Op($plan.clone()).into()));
                    let plan = $plan.clone();
                    return trace::step(op, rule, &sizes, &[$x, $y], move |x| {
                        trace::operand::<T>(x, 0).$name(&plan, trace::operand(x, 1))
                    });
                }
                let storage = T::$function($plan, $x.as_view(), $y.as_view());
                DynTensor::from_storage(sizes, storage).with(&[$x, $y], || $Op($plan.clone()))
            }
        )*}
    };
}

of_two! {
    convolved_weights: ConvolveWeights(Convolution) as |plan: &Convolution| Op::ConvolveWeights(plan.clone()), |x, gradient, plan| plan.weights(), convolved_weights;
    max_unpooled: MaxUnpool(Pooling) as |plan: &Pooling| Op::MaxUnpool(plan.clone()), |x, elements, plan| x.sizes().into(), max_unpooled;
    max_picked: MaxPick(Pooling) as |plan: &Pooling| Op::MaxPick(plan.clone()), |x, elements, plan| plan.result.clone(), max_picked;
}

impl<T: Float> DynTensor<T> {
    /// The result of an operation on windows of one operand.
    #[track_caller]
    fn windowed(
        &self,
        op: Op,
        rule: Rule,
        sizes: &[usize],
        run: impl Fn(&Self) -> Storage<T> + Send + Sync + 'static,
    ) -> Self {
        let of_result = Sizes::from_slice(sizes);
        if self.is_traced() {
            return trace::step(op, Some(rule), sizes, &[self], move |x| {
                DynTensor::from_storage(of_result.clone(), run(trace::operand::<T>(x, 0)))
            });
        }
        DynTensor::from_storage(of_result, run(self)).with(&[self], || rule)
    }

    #[track_caller]
    pub(crate) fn avg_pooled(&self, plan: &Pooling) -> Self {
        let (op, rule) = (Op::AvgPool(plan.clone()), AvgPool(plan.clone()).into());
        let of_run = plan.clone();
        self.windowed(op, rule, &plan.result, move |x| T::avg_pooled(&of_run, x.as_view()))
    }

    #[track_caller]
    fn avg_unpooled(&self, plan: &Pooling, sizes: &[usize]) -> Self {
        let (op, rule) = (Op::AvgUnpool(plan.clone()), AvgUnpool(plan.clone()).into());
        let (of_run, of_result) = (plan.clone(), Sizes::from_slice(sizes));
        let run = move |x: &Self| T::avg_unpooled(&of_run, &of_result, x.as_view());
        self.windowed(op, rule, sizes, run)
    }

    #[track_caller]
    pub(crate) fn resized_by(&self, plan: &Resizing) -> Self {
        let (op, rule) = (Op::Resize(plan.clone()), Resize(plan.clone()).into());
        let of_run = plan.clone();
        self.windowed(op, rule, &plan.result, move |x| T::resized(&of_run, x.as_view()))
    }

    #[track_caller]
    fn resized_transposed(&self, plan: &Resizing, sizes: &[usize]) -> Self {
        let (op, rule) =
            (Op::ResizeTransposed(plan.clone()), ResizeTransposed(plan.clone()).into());
        let (of_run, of_result) = (plan.clone(), Sizes::from_slice(sizes));
        let run = move |x: &Self| T::resized_transposed(&of_run, &of_result, x.as_view());
        self.windowed(op, rule, sizes, run)
    }
}

/// A convolution is linear in its input, with its transpose as gradient, and in its weights. A transposed
/// convolution has the weight gradient of the convolution from its results to its input.
impl rule::GradientRule for Convolve {
    #[track_caller]
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let (x, weights) = (at.operand::<T>(0), at.operand::<T>(1));
        let back = || self.0.adjoint(x.sizes());
        smallvec![
            at.want(0, || gradient.convolved_by(back(), &weights)),
            at.want(1, || match self.0.is_transposed {
                true => gradient.convolved_weights(&back(), &x),
                false => x.convolved_weights(&self.0, gradient),
            }),
        ]
    }
}

impl rule::GradientRule for ConvolveWeights {
    #[track_caller]
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let (x, results) = (at.operand::<T>(0), at.operand::<T>(1));
        smallvec![
            at.want(0, || results.convolved_by(self.0.adjoint(x.sizes()), gradient)),
            at.want(1, || x.convolved_by(self.0.clone(), gradient)),
        ]
    }
}

impl rule::GradientRule for MaxPool {
    #[track_caller]
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        smallvec![Some(at.operand::<T>(0).max_unpooled(&self.0, gradient))]
    }
}

impl rule::GradientRule for MaxUnpool {
    #[track_caller]
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        smallvec![None, at.want(1, || at.operand::<T>(0).max_picked(&self.0, gradient))]
    }
}

impl rule::GradientRule for MaxPick {
    #[track_caller]
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        smallvec![None, at.want(1, || at.operand::<T>(0).max_unpooled(&self.0, gradient))]
    }
}

impl rule::GradientRule for AvgPool {
    #[track_caller]
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        smallvec![Some(gradient.avg_unpooled(&self.0, at.sizes(0)))]
    }
}

impl rule::GradientRule for AvgUnpool {
    #[track_caller]
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        smallvec![Some(gradient.avg_pooled(&self.0))]
    }
}

impl rule::GradientRule for Resize {
    #[track_caller]
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        smallvec![Some(gradient.resized_transposed(&self.0, at.sizes(0)))]
    }
}

impl rule::GradientRule for ResizeTransposed {
    #[track_caller]
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        smallvec![Some(gradient.resized_by(&self.0))]
    }
}
