//! Functions that an engine compiles when they are called.

use core::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tensor_core::Module;
use tensor_core::precision::product_element;
use tensor_core::trace::{Port, has_traced, try_trace};

use crate::engine::Engine;
use crate::error::Error;
use crate::program::{Compiled, Step};

/// How many programs a function keeps, if [`Jit::keep`] or [`JitStep::keep`] says nothing else.
const KEPT: usize = 16;

/// A function that an engine compiles at its first call, and anew for inputs of other sizes. [`jit`] makes it.
pub struct Jit<I, O, E = Error> {
    engine: Option<Engine>,
    function: Function<I, O, E>,
    programs: Mutex<Recent<Arc<Compiled<I, O>>>>,
}

type Function<I, O, E> = Box<dyn Fn(&I) -> Result<O, E> + Send + Sync>;

/// A training whose step an engine compiles at its first call, and anew for batches of other sizes; the state is on the
/// device. [`jit_step`] makes it.
pub struct JitStep<S, B, R, E = Error> {
    engine: Option<Engine>,
    function: StepFunction<S, B, R, E>,
    /// The state, until a step is compiled.
    state: Option<S>,
    /// The first has the state.
    steps: Recent<Step<S, B, R>>,
}

type StepFunction<S, B, R, E> = Box<dyn Fn(&mut S, &B) -> Result<R, E> + Send + Sync>;

/// Compiles a function at its first call: it is called as before, with the same types.
///
/// A call with inputs of other sizes, of named axes or of a `Vec` of tensors, compiles it for these as well, and so does a call
/// within another [`autocast`](tensor_core::precision::autocast). The 16 programs that were used last are kept: see
/// [`Jit::keep`]. Without an engine, `None`, each call is one of the function, by the kernels of `tensor-core`.
///
/// The results have gradients, as those of [`Compiled::call`]. Within a function that is traced, the steps of this one become
/// steps of that program.
///
/// What the function captures is a constant of the program, with the elements that it has at the first call: what changes, and
/// large weights, are inputs, or the state of [`jit_step`], which stays on the device. Fields of the inputs that are no tensors,
/// such as a `bool`, have the values of the first call too: make one function for each value.
///
/// ```
/// use tensor_core::{Tensor, axis, shape};
/// use tensor_xla::{Engine, jit};
///
/// axis!(Batch);
/// type Rows = Tensor<shape![Batch, 2]>;
///
/// let engine = Engine::find().ok();
/// let softmax = jit(engine.as_ref(), |rows: &Rows| rows.softmax::<-1>());
/// for size in [1, 3, 1] {
///     let rows = Rows::ones_shaped(shape![Batch(size), 2]);
///     assert_eq!(softmax.call(&rows)?.to_vec(), vec![0.5; 2 * size]);
/// }
/// # Ok::<(), tensor_xla::Error>(())
/// ```
pub fn jit<'a, I, O>(
    engine: impl Into<Option<&'a Engine>>,
    function: impl Fn(&I) -> O + Send + Sync + 'static,
) -> Jit<I, O> {
    try_jit(engine, move |inputs: &I| Ok(function(inputs)))
}

/// [`jit`] of a function that may fail.
///
/// # Errors
///
/// Those of the function are those of [`Jit::call`].
///
/// ```
/// use tensor_core::{Tensor, shape, tensor};
/// use tensor_xla::{Engine, try_jit};
///
/// type Inputs = (Tensor<shape![2, 3]>, Tensor<shape![2], i64>);
///
/// let engine = Engine::find().ok();
/// let rows = try_jit(engine.as_ref(), |(table, rows): &Inputs| -> Result<_, Box<dyn std::error::Error>> {
///     Ok(table.embedding(rows)?)
/// });
/// let found = rows.call(&(Tensor::ones(), tensor![1, 0]))?;
/// assert_eq!(found, Tensor::ones());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn try_jit<'a, I, O, E>(
    engine: impl Into<Option<&'a Engine>>,
    function: impl Fn(&I) -> Result<O, E> + Send + Sync + 'static,
) -> Jit<I, O, E> {
    Jit {
        engine: engine.into().cloned(),
        function: Box::new(function),
        programs: Mutex::new(Recent::new()),
    }
}

impl<I: Module + Clone, O: Module + Clone, E: From<Error>> Jit<I, O, E> {
    /// Calls the function: compiles it first, if it was not for inputs of these sizes.
    ///
    /// # Errors
    ///
    /// Those of the function and of [`Engine::compile_program`], [`Compiled::call`].
    ///
    /// # Panics
    ///
    /// As [`trace`](tensor_core::trace::trace), if there is an engine.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let cube = tensor_xla::jit(None, |x: &Tensor<shape![2]>| x.powi(3));
    /// assert_eq!(cube.call(&tensor![1.0, 2.0])?, tensor![1.0, 8.0]);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    #[track_caller]
    pub fn call(&self, inputs: &I) -> Result<O, E> {
        let Some(engine) = self.engine.as_ref().filter(|_| !has_traced(inputs)) else {
            return (self.function)(inputs);
        };
        let found = {
            let mut programs = self.programs();
            let position = programs.position(|program| program.program().accepts(inputs));
            position.map(|position| programs.use_again(position).clone())
        };
        let program = match found {
            Some(program) => program,
            None => {
                // Not behind the lock: the function may call this one with other inputs.
                let program = try_trace(inputs, &*self.function)?;
                let program = Arc::new(engine.compile_program(program)?);
                self.programs().insert(program.clone());
                program
            }
        };
        Ok(program.call(inputs)?)
    }
}

impl<I, O, E> Jit<I, O, E> {
    /// How many programs are kept, those that were used last.
    ///
    /// # Panics
    ///
    /// If it is 0.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape};
    ///
    /// let total = tensor_xla::jit(None, |x: &Tensor<shape![2]>| x.sum()).keep(64);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn keep(mut self, count: usize) -> Self {
        self.programs.get_mut().unwrap_or_else(PoisonError::into_inner).keep(count);
        self
    }

    /// The inputs of the programs that are kept, and the number of those that were dropped: a function that is compiled
    /// again and again should [`keep`](Self::keep) more, or be called with fewer sizes.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, tensor};
    /// use tensor_xla::{Engine, jit};
    ///
    /// let engine = Engine::find().ok();
    /// let sum = jit(engine.as_ref(), |x: &Tensor<shape![2]>| x.sum());
    /// sum.call(&tensor![1.0, 2.0])?;
    /// assert_eq!(sum.programs_kept(), (vec!["f32 [2]".to_owned(); engine.iter().count()], 0));
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn programs_kept(&self) -> (Vec<String>, usize) {
        self.programs().shown(|program| program.program().inputs())
    }

    fn programs(&self) -> MutexGuard<'_, Recent<Arc<Compiled<I, O>>>> {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Compiles the step of a training at its first call. The step changes the state in place, and returns a result: it is
/// called, or traced, as it is.
///
/// The state stays on the device: a call copies the batch there and the result back. A batch of other sizes compiles the step
/// for these as well, and goes on with the same state. Without an engine, `None`, each call is one of the function, by
/// the kernels of `tensor-core`.
///
/// ```
/// use tensor_core::autograd::value_and_grad;
/// use tensor_core::{Tensor, shape, tensor};
/// use tensor_xla::{Engine, jit_step};
///
/// let engine = Engine::find().ok();
/// let mut step = jit_step(engine.as_ref(), tensor![1.0, 2.0], |weights, x: &Tensor<shape![2]>| {
///     let (loss, gradient) = value_and_grad(weights, |weights| (weights * x).square().sum());
///     *weights -= gradient * 0.5;
///     loss
/// });
/// assert_eq!(step.call(&tensor![3.0, 4.0])?.item(), 73.0);
/// assert_eq!(step.state()?, tensor![-8.0, -30.0]);
/// # Ok::<(), tensor_xla::Error>(())
/// ```
pub fn jit_step<'a, S, B, R>(
    engine: impl Into<Option<&'a Engine>>,
    state: S,
    step: impl Fn(&mut S, &B) -> R + Send + Sync + 'static,
) -> JitStep<S, B, R> {
    try_jit_step(engine, state, move |state: &mut S, batch: &B| Ok(step(state, batch)))
}

/// [`jit_step`] of a step that may fail.
///
/// # Errors
///
/// Those of the step are those of [`JitStep::call`].
///
/// ```
/// use tensor_core::{Tensor, shape, tensor};
/// use tensor_xla::{Engine, try_jit_step};
///
/// type Table = Tensor<shape![4, 2]>;
///
/// let engine = Engine::find().ok();
/// let add = |table: &mut Table, rows: &Tensor<shape![3], i64>| -> Result<_, Box<dyn std::error::Error>> {
///     *table = table.index_add::<0, _>(rows, &Tensor::<shape![3, 2]>::ones())?;
///     Ok(table.sum())
/// };
/// let mut step = try_jit_step(engine.as_ref(), Table::zeros(), add);
/// assert_eq!(step.call(&tensor![0, 3, 0])?.item(), 6.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn try_jit_step<'a, S, B, R, E>(
    engine: impl Into<Option<&'a Engine>>,
    state: S,
    step: impl Fn(&mut S, &B) -> Result<R, E> + Send + Sync + 'static,
) -> JitStep<S, B, R, E> {
    JitStep {
        engine: engine.into().cloned(),
        function: Box::new(step),
        state: Some(state),
        steps: Recent::new(),
    }
}

impl<S, B, R, E> JitStep<S, B, R, E>
where
    S: Module + Clone,
    B: Module + Clone,
    R: Module + Clone,
    E: From<Error>,
{
    /// Takes a step: compiles it first, if it was not for batches of these sizes.
    ///
    /// # Errors
    ///
    /// Those of the step; then the state is as it was if there is an engine. Those of [`Engine::compile_step`]
    /// and [`Step::call`].
    ///
    /// # Panics
    ///
    /// As [`trace`](tensor_core::trace::trace) and [`Engine::compile_step`], if there is an engine; then also if the batch is
    /// traced.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, tensor};
    /// use tensor_xla::jit_step;
    ///
    /// let mut total = jit_step(None, tensor![0.0], |total, x: &Tensor<shape![2]>| *total += x.sum());
    /// total.call(&tensor![1.0, 2.0])?;
    /// assert_eq!(total.state()?, tensor![3.0]);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    #[track_caller]
    pub fn call(&mut self, batch: &B) -> Result<R, E> {
        let Some(engine) = &self.engine else {
            let state = self.state.as_mut().expect("it is on no device");
            return (self.function)(state, batch);
        };
        assert!(
            !has_traced(batch),
            "the state of this step is on a device, and no part of the program that is traced: call the step outside of the \
             function, or give `jit_step` no engine"
        );
        match self.steps.position(|step| step.program().accepts_batch(batch)) {
            Some(0) => {}
            Some(position) => {
                let state = self.steps.kept[0].0.take_state();
                self.steps.use_again(position).give_state(state);
            }
            None => {
                let state = self.state()?;
                let program = try_trace(&(state.clone(), batch.clone()), |(state, batch)| {
                    let mut next = state.clone();
                    let result = (self.function)(&mut next, batch)?;
                    Ok::<_, E>((next, result))
                })?;
                let step = engine.compile_step(program, &state)?;
                self.state = None;
                self.steps.kept.first_mut().map(|(step, _)| step.take_state());
                self.steps.insert(step);
            }
        }
        Ok(self.steps.kept[0].0.call(batch)?)
    }

    /// Copies the state to the host.
    ///
    /// # Errors
    ///
    /// Those of [`Step::state`].
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, tensor};
    /// use tensor_xla::jit_step;
    ///
    /// let step = jit_step(None, tensor![7.0], |total, x: &Tensor<shape![2]>| *total += x.sum());
    /// assert_eq!(step.state()?, tensor![7.0]);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn state(&self) -> Result<S, Error> {
        match (&self.state, self.steps.kept.first()) {
            (None, Some((step, _))) => step.state(),
            (state, _) => Ok(state.clone().expect("it is on no device")),
        }
    }

    /// Replaces the state, for example by that of a checkpoint.
    ///
    /// # Errors
    ///
    /// Those of [`Step::set_state`].
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, tensor};
    /// use tensor_xla::jit_step;
    ///
    /// let mut step = jit_step(None, tensor![7.0], |total, x: &Tensor<shape![2]>| *total += x.sum());
    /// step.set_state(tensor![1.0])?;
    /// step.call(&tensor![1.0, 2.0])?;
    /// assert_eq!(step.state()?, tensor![4.0]);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn set_state(&mut self, state: S) -> Result<(), Error> {
        match self.steps.kept.first_mut() {
            Some((step, _)) => step.set_state(&state),
            None => {
                self.state = Some(state);
                Ok(())
            }
        }
    }
}

impl<S, B, R, E> JitStep<S, B, R, E> {
    /// As [`Jit::keep`].
    ///
    /// # Panics
    ///
    /// If it is 0.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, tensor};
    /// use tensor_xla::jit_step;
    ///
    /// let step = jit_step(None, tensor![0.0], |total, x: &Tensor<shape![2]>| *total += x.sum()).keep(4);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn keep(mut self, count: usize) -> Self {
        self.steps.keep(count);
        self
    }

    /// As [`Jit::programs_kept`], with the state among the inputs.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, tensor};
    /// use tensor_xla::{Engine, jit_step};
    ///
    /// let engine = Engine::find().ok();
    /// let mut step = jit_step(engine.as_ref(), tensor![0.0], |total, x: &Tensor<shape![2]>| *total += x.sum());
    /// step.call(&tensor![1.0, 2.0])?;
    /// assert_eq!(step.programs_kept(), (vec!["f32 [1], f32 [2]".to_owned(); engine.iter().count()], 0));
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn programs_kept(&self) -> (Vec<String>, usize) {
        self.steps.shown(|step| step.program().inputs())
    }
}

/// The programs that were used last, the last one first.
struct Recent<P> {
    /// With the type of its products.
    kept: Vec<(P, &'static str)>,
    most: usize,
    dropped: usize,
}

impl<P> Recent<P> {
    fn new() -> Self {
        Self { kept: Vec::new(), most: KEPT, dropped: 0 }
    }

    #[track_caller]
    fn keep(&mut self, most: usize) {
        assert!(most > 0, "a function that keeps no program would be compiled in each call");
        self.most = most;
        self.drop_over(most);
    }

    fn drop_over(&mut self, most: usize) {
        self.dropped += self.kept.len().saturating_sub(most);
        self.kept.truncate(most);
    }

    fn position(&self, accepts: impl Fn(&P) -> bool) -> Option<usize> {
        let products = product_element();
        self.kept.iter().position(|(program, of)| *of == products && accepts(program))
    }

    fn use_again(&mut self, position: usize) -> &mut P {
        self.kept[..=position].rotate_right(1);
        &mut self.kept[0].0
    }

    fn insert(&mut self, program: P) {
        self.drop_over(self.most - 1);
        self.kept.insert(0, (program, product_element()));
    }

    /// The inputs of each, and the number of those that were dropped.
    fn shown(&self, inputs: impl Fn(&P) -> &[Port]) -> (Vec<String>, usize) {
        let shown = |(program, _): &(P, _)| {
            let inputs: Vec<String> = inputs(program).iter().map(Port::to_string).collect();
            inputs.join(", ")
        };
        (self.kept.iter().map(shown).collect(), self.dropped)
    }
}

impl<I, O, E> fmt::Debug for Jit<I, O, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(f, "Jit", self.engine.as_ref(), self.programs_kept())
    }
}

impl<S, B, R, E> fmt::Debug for JitStep<S, B, R, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(f, "JitStep", self.engine.as_ref(), self.programs_kept())
    }
}

fn debug(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    engine: Option<&Engine>,
    (kept, dropped): (Vec<String>, usize),
) -> fmt::Result {
    f.debug_struct(name)
        .field("engine", &engine)
        .field("programs", &kept)
        .field("dropped", &dropped)
        .finish()
}
