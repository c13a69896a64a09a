//! What recurrent layers share.

use tensor_core::{Axis, Float, Shape, Tensor, axis, shape};

axis!(
    /// The rows of all gates: their number, times the size of the state.
    pub(super) Rows
);

/// What every gate has of an input, `[..lead, i] · [g, h, i] → [..lead, g, h]`, in one product.
#[track_caller]
pub(super) fn of_each_gate<Lead: Shape, I: Axis, G: Axis, H: Axis, T: Float>(
    x: &Tensor<shape![Lead.., I], T>,
    weight: &Tensor<shape![G, H, I], T>,
) -> Tensor<shape![Lead.., G, H], T> {
    let (lead, _) = x.shape();
    let ((((), gates), state), inputs) = weight.shape();
    let rows = Rows(gates.size() * state.size());
    let weight: Tensor<shape![Rows, I], T> = weight.reshape_shaped((((), rows), inputs));
    x.dot(&weight.transpose()).reshape_shaped(((lead, gates), state))
}

/// The outputs of all steps one after the other, `[..lead, h] → [..lead, time, h]`; no step leaves no element.
#[track_caller]
pub(super) fn steps<Lead: Shape, Time: Axis, H: Axis, T: Float>(
    outputs: &[Tensor<shape![Lead.., H], T>],
    lead: Lead,
    time: Time,
    state: &Tensor<shape![Lead.., H], T>,
) -> Tensor<shape![Lead.., Time, H], T> {
    if outputs.is_empty() {
        let (_, size) = state.shape();
        return Tensor::zeros_shaped(((lead, time), size));
    }
    Tensor::stack_all::<-2, Time>(outputs)
}
