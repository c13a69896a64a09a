//! The optimiser state of one parameter.

use tensor_core::module::{AnyTensor, Path, Role, StateTensor, Visitor, VisitorMut};
use tensor_core::{DynTensor, Element, Tensor};

use super::rule::{ParameterStep, Rule, TracedStep};
use super::traced::Symbol;

/// The optimiser state of one parameter.
#[derive(Clone)]
pub(super) struct Slot {
    /// The name of the parameter.
    pub name: String,
    /// The index of its group.
    pub group: Option<usize>,
    /// The number of steps of the parameter.
    count: Tensor<(), i64>,
    /// The tensors of the rule, with their names.
    state: Vec<(&'static str, Memory)>,
}

/// A state tensor with the sizes of the parameter.
#[derive(Clone)]
enum Memory {
    F32(StateTensor<f32>),
    F64(StateTensor<f64>),
}

impl Memory {
    fn zeros(of: &dyn AnyTensor) -> Self {
        if of.element_name() == "f64" {
            Self::F64(StateTensor::full(of, 0.0))
        } else {
            Self::F32(StateTensor::full(of, 0.0))
        }
    }

    fn any(&self) -> &dyn AnyTensor {
        match self {
            Self::F32(tensor) => tensor,
            Self::F64(tensor) => tensor,
        }
    }

    fn any_mut(&mut self) -> &mut dyn AnyTensor {
        match self {
            Self::F32(tensor) => tensor,
            Self::F64(tensor) => tensor,
        }
    }
}

impl Slot {
    pub fn new(
        name: String,
        group: Option<usize>,
        state: &[&'static str],
        parameter: &dyn AnyTensor,
    ) -> Self {
        let state = state.iter().map(|&name| (name, Memory::zeros(parameter))).collect();
        Self { name, group, count: Tensor::scalar(0), state }
    }

    /// Whether this is the state of the parameter at this path; does not allocate.
    pub(in crate::optim) fn is_of(&self, path: &Path<'_>) -> bool {
        path.is_displayed_as(&self.name)
    }

    /// The first state tensor that does not fit the parameter, with its name.
    pub(in crate::optim) fn fits(
        &self,
        parameter: &dyn AnyTensor,
    ) -> Option<(&'static str, &dyn AnyTensor)> {
        let is_double = parameter.element_name() == "f64";
        let sizes = parameter.sizes();
        let mut state = self.state.iter().map(|(name, memory)| (*name, memory));
        let (name, memory) = state.find(|(_, memory)| {
            matches!(memory, Memory::F64(_)) != is_double || memory.any().sizes() != sizes
        })?;
        Some((name, memory.any()))
    }

    /// Updates the parameter, whose state must fit it.
    pub(in crate::optim) fn update(
        &mut self,
        rule: &dyn Rule,
        rate: f64,
        decay: f64,
        parameter: &mut dyn AnyTensor,
        gradient: &dyn AnyTensor,
    ) {
        let count = self.count.item() + 1;
        self.count = Tensor::scalar(count);
        let step = ParameterStep { rate, decay, count: count.unsigned_abs() };
        let state = &mut self.state;
        if let Some(gradient) = gradient.get::<f64>() {
            let mut state = slices(state);
            let gradient = row_major(gradient);
            if let (Some(parameter), Some(gradient)) =
                (parameter.as_mut_slice(), gradient.as_slice())
            {
                rule.update_f64(&step, parameter, gradient, &mut state);
            }
        } else if let Some(parameter) = parameter.as_mut_slice() {
            let gradient =
                row_major(gradient.to_f32().expect("a gradient of the parameter's type"));
            let gradient = gradient.as_slice().expect("a tensor in row-major order");
            rule.update_f32(&step, parameter, gradient, &mut slices(state));
        } else {
            // 16 bits: computed in `f32`, and rounded once.
            let floats = "parameters are floats";
            let mut wide = parameter.to_f32().expect(floats);
            let gradient = gradient.to_f32().expect(floats).to_vec();
            rule.update_f32(&step, wide.as_mut_slice(), &gradient, &mut slices(state));
            parameter.assign_f32(wide).expect("the same shape");
        }
    }

    /// The number of steps of the parameter.
    #[track_caller]
    pub(in crate::optim) fn steps(&self) -> i64 {
        self.count.item()
    }

    /// Counts a step in a program that is being traced.
    pub(in crate::optim) fn count_traced(&mut self) -> DynTensor<i64> {
        self.count = &self.count + 1;
        self.count.clone().into()
    }

    /// [`update`](Self::update) in a program that is being traced, with the rates and counts of all parameters.
    pub(in crate::optim) fn update_traced(
        &mut self,
        rule: &dyn Rule,
        (rate, count): (Symbol<f64>, Symbol<f64>),
        decay: f64,
        parameter: &mut dyn AnyTensor,
        gradient: &dyn AnyTensor,
    ) {
        let state = self.state.iter_mut().map(|(_, memory)| memory.any_mut()).collect();
        rule.update_traced(TracedStep { rate, decay, count, parameter, gradient, state });
    }

    pub fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        let path = &child(path, &self.name);
        visitor(&path.field("step"), Role::Buffer, &self.count);
        for (name, memory) in &self.state {
            visitor(&path.field(name), Role::Buffer, memory.any());
        }
    }

    pub fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        let path = &child(path, &self.name);
        visitor(&path.field("step"), Role::Buffer, &mut self.count);
        for (name, memory) in &mut self.state {
            visitor(&path.field(name), Role::Buffer, memory.any_mut());
        }
    }
}

/// The path of a parameter; a model that is a single tensor has an empty name.
fn child<'a>(path: &'a Path<'a>, name: &'a str) -> Path<'a> {
    if name.is_empty() { *path } else { path.field(name) }
}

/// The tensor, copied if its elements are not in row-major order.
fn row_major<T: Element>(tensor: DynTensor<T>) -> DynTensor<T> {
    if tensor.as_slice().is_some() { tensor } else { tensor.contiguous() }
}

/// Mutable slices of the state tensors, which all have the same element type.
fn slices<'a, T: Element>(state: &'a mut [(&'static str, Memory)]) -> Vec<&'a mut [T]> {
    state.iter_mut().filter_map(|(_, memory)| memory.any_mut().as_mut_slice()).collect()
}
