//! Programs: functions of tensors as data, to run, to print, and to compile elsewhere.
//!
//! [`trace`] calls an ordinary function with tensors that have shapes and no elements, and records the
//! operations: each becomes a step. The result is a [`Program`] with typed inputs and outputs.
//!
//! ```
//! use tensor_core::trace::trace;
//! use tensor_core::{Tensor, shape, tensor};
//!
//! let (weights, x) = (Tensor::<shape![3, 2]>::ones(), tensor![[1.0_f32, 2.0, 3.0]]);
//! let program = trace(&(weights.clone(), x), |(weights, x)| x.dot(weights).relu());
//! assert_eq!(
//!     program.to_string(),
//!     "inputs:
//!   %0: f32 [3, 2]   0
//!   %1: f32 [1, 3]   1
//! steps:
//!   %2 = matmul(%1, %0): f32 [1, 2]
//!   %3 = relu(%2): f32 [1, 2]
//! outputs:
//!   %3
//! "
//! );
//! let y = program.run(&(weights, tensor![[0.5, 0.5, -2.0]]))?;
//! assert_eq!(y, tensor![[0.0, 0.0]]);
//! # Ok::<(), tensor_core::trace::InputError>(())
//! ```
//!
//! A whole training step is one program: the gradients that the function computes are steps like all others.
//!
//! ```
//! use tensor_core::autograd::value_and_grad;
//! use tensor_core::trace::trace;
//! use tensor_core::tensor;
//!
//! let (weights, x) = (tensor![1.0, 2.0], tensor![3.0, 4.0]);
//! let step = trace(&(weights.clone(), x.clone()), |(weights, x)| {
//!     let (loss, gradient) = value_and_grad(weights, |weights| (weights * x).square().sum());
//!     (weights - gradient * 0.5, loss)
//! });
//! let (after, loss) = step.run(&(weights, x))?;
//! assert_eq!((after, loss.item()), (tensor![-8.0, -30.0], 73.0));
//! # Ok::<(), tensor_core::trace::InputError>(())
//! ```
//!
//! # What a function may do
//!
//! Everything that does not depend on elements: a loop over layers, a branch on a size. A function that reads an
//! element of an input, by `item`, by an index, by `==`, panics at this line: the element is known only when the
//! program runs. To branch on elements, use [`select`](crate::select()); to read a result, return it.
//!
//! Named axes of run-time size have the sizes of the inputs at tracing: the program accepts only inputs of
//! these sizes, and [`run`](Program::run) returns an error for others.
//!
//! Tensors that the closure captures are constants of the program: they keep the elements that they have when
//! it is traced. Everything that changes from call to call has to be an input. If they require gradients, so do the
//! outputs of [`run`](Program::run).
//!
//! Functions may be traced within functions that are traced: a tensor of the outer program that the inner function
//! captures is computed when the outer program runs, and the inner one can run only within the outer function. A
//! traced tensor that outlives its function, or that meets one of an unrelated program, is a panic.
//!
//! A function may compute on several threads. Random numbers, loops and branches belong on its own thread: another one does
//! not know that it computes for a program. Numbers that it draws would be the same in every run, and a [`scan()`] on it adds
//! the steps of every item.
//!
//! # What cannot be traced
//!
//! Each of these panics when it reads the first element:
//!
//! - Operations whose result sizes depend on elements: `unique`, `nonzero`, `flatnonzero`, `masked_select`, `compress`.
//! - Numbers of a generator with a seed, which would be the same in every run: draw from
//!   [`Generator::at`](crate::random::Generator::at), whose numbers depend on an input.
//! - Closures (`map`, `zip_with`): use [`fuse!`](crate::fuse!).

mod control;
mod parts;
mod scan;

use core::fmt;
use core::marker::PhantomData;

use std::sync::Arc;

use tensor_array::array::history::{AnyArray, ElementType};
use tensor_array::array::row_calls::track_type;
use tensor_array::array::trace::program::Graph;
use tensor_array::array::trace::stablehlo;
use tensor_kernels::layout;
use tensor_kernels::sizes::Sizes;

use crate::module::{AnyTensor, Module, Path};

pub use control::{cond, switch, while_loop};
#[doc(hidden)]
pub use parts::Parts;
pub use scan::{Items, Results, scan, scan_along, scan_reverse, scan_reverse_along};
pub use tensor_array::array::trace::program::{Constant, Cost};
pub use tensor_array::array::trace::stablehlo::Attributes;

/// A function as data: the steps that compute outputs of type `O` from inputs of type `I`.
///
/// `I` and `O` are what [`Module`] walks over: a tensor, a model, a tuple of these.
pub struct Program<I, O> {
    graph: Arc<Graph>,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    /// The outputs of the function, whose tensors are replaced by results.
    template: O,
    inputs_of: PhantomData<fn(&I)>,
}

/// An input or an output of a [`Program`].
///
/// ```
/// use tensor_core::trace::trace;
/// use tensor_core::tensor;
///
/// let program = trace(&tensor![1.0_f32, 2.0], |x| x.exp());
/// let input = &program.inputs()[0];
/// assert_eq!((input.element(), input.sizes()), ("f32", &[2][..]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Port {
    name: String,
    element: &'static ElementType,
    sizes: Sizes,
    axes: Vec<String>,
    is_state: bool,
}

impl Port {
    /// The name in the model or tuple, such as `0.layers.1.weight`; empty for a tensor alone.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// let program = trace(&(tensor![1.0], vec![tensor![2.0]]), |(a, b)| a + &b[0]);
    /// assert_eq!(program.inputs()[1].name(), "1.0");
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The element type, as Rust writes it.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// let program = trace(&tensor![1.0], |x| x.greater(0.0));
    /// assert_eq!(program.outputs()[0].element(), "bool");
    /// ```
    pub fn element(&self) -> &'static str {
        self.element.name
    }

    /// The sizes of all axes.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// let program = trace(&tensor![[1.0, 2.0]], |x| x.sum_axis::<0>());
    /// assert_eq!(program.outputs()[0].sizes(), [2]);
    /// ```
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The axes as messages show them: `128`, `Batch=32`.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::{Tensor, axis, shape};
    ///
    /// axis!(Hidden = 64);
    /// let program = trace(&Tensor::<shape![3, Hidden]>::zeros(), |x| x.sum_axis::<0>());
    /// assert_eq!(program.inputs()[0].axis_names(), ["3", "Hidden=64"]);
    /// ```
    pub fn axis_names(&self) -> &[String] {
        &self.axes
    }

    /// Whether it is a [`StateTensor`](crate::module::StateTensor), which an optimiser has for a parameter.
    ///
    /// ```
    /// use tensor_core::module::{Module, Path, Role, StateTensor, Visitor, VisitorMut};
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// #[derive(Clone)]
    /// struct Mean(StateTensor<f64>);
    ///
    /// impl Module for Mean {
    ///     fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
    ///         visitor(path, Role::Buffer, &self.0);
    ///     }
    ///
    ///     fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
    ///         visitor(path, Role::Buffer, &mut self.0);
    ///     }
    /// }
    ///
    /// let weight = tensor![1.0, 2.0];
    /// let mean = Mean(StateTensor::full(&weight, 0.0));
    /// let program = trace(&(weight, mean), |(weight, mean)| (weight * 2.0, mean.clone()));
    /// assert!(!program.inputs()[0].is_state() && program.inputs()[1].is_state());
    /// ```
    pub fn is_state(&self) -> bool {
        self.is_state
    }
}

/// The element type and the axes, such as `f32 [Batch=32, 10]`.
impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.element.name, self.axes.join(", "))
    }
}

/// Why the inputs do not fit a [`Program`]: all of them that do not.
///
/// ```
/// use tensor_core::trace::trace;
/// use tensor_core::{Tensor, axis, shape};
///
/// axis!(Batch);
/// let batch = |size| Tensor::<shape![Batch, 2]>::zeros_shaped(shape![Batch(size), 2]);
/// let program = trace(&batch(64), |x| x.mean_axis::<-1>());
/// assert_eq!(
///     program.run(&batch(32)).unwrap_err().to_string(),
///     "the inputs do not fit the program:\n  the input is f32 [Batch=32, 2], and was f32 [Batch=64, 2] when the \
///      program was traced: trace it again for other sizes"
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct InputError(Vec<String>);

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the inputs do not fit the program:")?;
        self.0.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}

tensor_kernels::__debug_as_display!(InputError);

impl std::error::Error for InputError {}

/// Traces a function: calls it with tensors of these inputs' shapes and without elements, and returns the
/// recorded program.
///
/// The function is called once, so that whatever is no tensor is what it was in this call: fields of the inputs such as a `bool`
/// or a number, and what the function keeps in a `Cell`. So it is in the body of a loop or branch.
///
/// # Panics
///
/// If the function reads an element of a traced tensor, or calls an operation that cannot be traced yet.
///
/// ```
/// use tensor_core::trace::trace;
/// use tensor_core::tensor;
///
/// let program = trace(&tensor![1.0, 2.0], |x| (x * 2.0).sum());
/// assert_eq!(program.run(&tensor![3.0, 4.0])?.item(), 14.0);
/// # Ok::<(), tensor_core::trace::InputError>(())
/// ```
#[doc(alias = "jit")]
#[doc(alias = "compile")]
#[track_caller]
pub fn trace<I, O>(inputs: &I, function: impl FnOnce(&I) -> O) -> Program<I, O>
where
    I: Module + Clone,
    O: Module + Clone,
{
    match try_trace(inputs, |inputs| Ok::<_, core::convert::Infallible>(function(inputs))) {
        Ok(program) => program,
    }
}

/// [`trace`] of a function that may fail.
///
/// # Errors
///
/// That of the function.
///
/// # Panics
///
/// As [`trace`].
///
/// ```
/// use tensor_core::trace::try_trace;
/// use tensor_core::{IndexError, tensor};
///
/// let table = tensor![[0.0, 1.0], [2.0, 3.0]];
/// let program = try_trace(&(table.clone(), tensor![0_i64]), |(table, words)| table.embedding(words))?;
/// assert_eq!(program.run(&(table, tensor![1]))?, tensor![[2.0, 3.0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[track_caller]
pub fn try_trace<I, O, E>(
    inputs: &I,
    function: impl FnOnce(&I) -> Result<O, E>,
) -> Result<Program<I, O>, E>
where
    I: Module + Clone,
    O: Module + Clone,
{
    let (module, inputs) = (inputs, ports(inputs, &Path::ROOT));
    let types: Vec<_> = inputs.iter().map(|port| (port.sizes.clone(), port.element)).collect();
    types.iter().for_each(|(_, element)| track_type(element));
    let arrays = Graph::inputs(&types, false);
    let traced = with_arrays(module, &arrays.1);
    let (graph, template) = Graph::trace(arrays, || {
        let template = function(&traced)?;
        let mut results = Vec::new();
        template.visit(&Path::ROOT, &mut |_, _, tensor| results.push(tensor.to_array()));
        Ok((results, template))
    })?;
    let outputs = ports(&template, &Path::ROOT);
    Ok(Program { graph, inputs, outputs, template, inputs_of: PhantomData })
}

/// Whether a tensor is part of a program that is being traced: it has a shape and no elements.
///
/// For functions that look at elements to save time, where a program has to compute the general case.
///
/// ```
/// use tensor_core::trace::{is_traced, trace};
/// use tensor_core::tensor;
///
/// let x = tensor![1.0, 2.0];
/// trace(&x, |y| assert!(is_traced(y) && !is_traced(&x)));
/// ```
pub fn is_traced(tensor: &dyn AnyTensor) -> bool {
    tensor.node().is_some_and(|node| node.is_traced())
}

/// Whether a tensor of a module is part of a program that is being traced.
///
/// ```
/// use tensor_core::trace::{has_traced, trace};
/// use tensor_core::tensor;
///
/// let x = tensor![1.0, 2.0];
/// trace(&x, |y| assert!(has_traced(&(x.clone(), y.clone())) && !has_traced(&x)));
/// ```
pub fn has_traced(module: &dyn Module) -> bool {
    let mut found = false;
    module.visit(&Path::ROOT, &mut |_, _, tensor| found |= is_traced(tensor));
    found
}

/// The tensors of a module at a path.
fn ports(module: &dyn Module, path: &Path<'_>) -> Vec<Port> {
    let mut ports = Vec::new();
    module.visit(path, &mut |path, _, tensor| {
        ports.push(Port {
            name: path.to_string(),
            element: tensor.to_array().element(),
            sizes: tensor.sizes(),
            axes: tensor.axis_names(),
            is_state: tensor.is_state(),
        });
    });
    ports
}

/// The tensors of a module.
fn arrays_of(module: &dyn Module) -> Vec<AnyArray> {
    let mut arrays = Vec::new();
    module.visit(&Path::ROOT, &mut |_, _, tensor| arrays.push(tensor.to_array()));
    arrays
}

/// What a loop requires of its state.
const SAME_STATE: &str = "the state of a loop has the same tensors before and after its body";

/// # Errors
///
/// If two modules have tensors of other names, such as those of different variants of an enum.
fn same_tensors(one: &dyn Module, other: &dyn Module, rule: &str) -> Result<(), String> {
    let [one, other] = [one, other].map(|module| {
        let mut names = Vec::new();
        module.visit(&Path::ROOT, &mut |path, _, _| names.push(path.to_string()));
        names
    });
    if one == other { Ok(()) } else { Err(format!("{rule}: here are {one:?} and {other:?}")) }
}

/// A module with other arrays for its tensors, one for each.
///
/// # Panics
///
/// As [`replace`].
#[track_caller]
fn with_arrays<M: Module + Clone>(module: &M, arrays: &[AnyArray]) -> M {
    let mut module = module.clone();
    replace(&mut module, arrays);
    module
}

/// Replaces the tensors of a module by arrays, of which there is one for each.
///
/// # Panics
///
/// If `visit_mut` of the module does not show the tensors that its `visit` showed.
#[track_caller]
fn replace(module: &mut dyn Module, arrays: &[AnyArray]) {
    let (mut number, mut fits) = (0, true);
    module.visit_mut(&Path::ROOT, &mut |_, _, tensor| {
        let array = arrays.get(number).filter(|array| {
            let old = tensor.to_array();
            (old.element(), old.sizes()) == (array.element(), array.sizes())
        });
        match array {
            Some(array) => tensor.set_array(array),
            None => fits = false,
        }
        number += 1;
    });
    let count = arrays.len();
    assert!(
        fits && number == count,
        "`visit_mut` of the module showed {number} tensors, and `visit` {count}: both must show the same tensors in the \
         same order"
    );
}

impl<I: Module, O: Module + Clone> Program<I, O> {
    /// Runs the program with the kernels of this crate: the outputs have the same bits as those of the function, but for
    /// gradients of `prod` and of [`scan()`], which agree up to rounding.
    ///
    /// A program is a function like any other: its outputs have gradients with respect to inputs that require them, and
    /// within a function that is traced, its steps become steps of that program. The gradients of several outputs are
    /// computed one after the other and added, so that they agree with those of the function up to rounding.
    ///
    /// # Errors
    ///
    /// If a tensor of the inputs has other sizes or another element type than when the program was traced, if there are
    /// more or fewer of them, or if an index, a class or a number to count, which is an element of an input, is out of
    /// range, or if an integer is divided by 0.
    ///
    /// # Panics
    ///
    /// If the function captured a tensor of an outer program whose function has returned.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// let program = trace(&tensor![1.0, 2.0], |x| x.softmax::<-1>());
    /// assert_eq!(program.run(&tensor![5.0, 5.0])?, tensor![0.5, 0.5]);
    /// # Ok::<(), tensor_core::trace::InputError>(())
    /// ```
    ///
    /// ```
    /// use tensor_core::autograd::grad;
    /// use tensor_core::tensor;
    /// use tensor_core::trace::trace;
    ///
    /// let cube = trace(&tensor![1.0, 2.0], |x| x.powi(3));
    /// let slope = grad(&tensor![1.0, 2.0], |x| cube.run(x).expect("the same sizes").sum());
    /// assert_eq!(slope, tensor![3.0, 12.0]);
    /// ```
    #[track_caller]
    pub fn run(&self, inputs: &I) -> Result<O, InputError> {
        let arrays = matching(&self.inputs, inputs, &Path::ROOT)?;
        let results = self.graph.run(arrays).map_err(|problem| InputError(vec![problem]))?;
        Ok(with_arrays(&self.template, &results))
    }
}

/// The tensors of a module at a path, which must be those that a program was traced with.
fn matching(
    traced: &[Port],
    module: &dyn Module,
    path: &Path<'_>,
) -> Result<Vec<AnyArray>, InputError> {
    let (mut fits, mut arrays) = (true, Vec::with_capacity(traced.len()));
    module.visit(path, &mut |path, _, tensor| {
        let array = tensor.to_array();
        fits &= traced.get(arrays.len()).is_some_and(|port| {
            let is_same = (array.element(), array.sizes()) == (port.element, &port.sizes[..]);
            is_same && path.is_displayed_as(&port.name)
        });
        arrays.push(array);
    });
    if fits && arrays.len() == traced.len() {
        return Ok(arrays);
    }
    let given = ports(module, path);
    let mut problems = Vec::new();
    for (port, given) in traced.iter().zip(&given) {
        if port.name != given.name {
            let (is, was) = (&given.name, &port.name);
            problems.push(format!("there is `{is}` where `{was}` was when the program was traced"));
        } else if (port.element, &port.sizes) != (given.element, &given.sizes) {
            let name = match &given.name[..] {
                "" => "the input".to_owned(),
                name => format!("`{name}`"),
            };
            let (is, was) = (given, port);
            let advice = match given.sizes == port.sizes {
                true => "",
                false => ": trace it again for other sizes",
            };
            problems
                .push(format!("{name} is {is}, and was {was} when the program was traced{advice}"));
        }
    }
    if given.len() != traced.len() {
        let (is, was) = (given.len(), traced.len());
        problems.push(format!(
            "the number of tensors is {is}, and was {was} when the program was traced"
        ));
    }
    Err(InputError(problems))
}

/// For engines that run programs elsewhere.
impl<I: Module, O: Module + Clone> Program<I, O> {
    /// Whether the inputs have the names, element types and sizes that the program was traced for.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// let program = trace(&vec![tensor![0_u8]], |x| x[0].sum());
    /// assert!(program.accepts(&vec![tensor![7]]) && !program.accepts(&Vec::new()));
    /// ```
    pub fn accepts(&self, inputs: &I) -> bool {
        matching(&self.inputs, inputs, &Path::ROOT).is_ok()
    }

    /// Runs the program elsewhere: `run` computes the bytes of the outputs from those of the inputs, each in row-major order,
    /// the least significant byte first.
    ///
    /// Like those of [`run`](Program::run), the outputs have gradients, which the kernels of this crate compute. If an input
    /// or a captured tensor is traced, the steps become steps of that program, and `run` is not called.
    ///
    /// # Errors
    ///
    /// That of `run`, or as [`run`](Program::run).
    ///
    /// # Panics
    ///
    /// If `run` returns more or fewer bytes than the outputs have.
    ///
    /// ```
    /// use tensor_core::trace::{InputError, trace};
    /// use tensor_core::tensor;
    ///
    /// let program = trace(&tensor![0_u8, 0], |x| x + 1);
    /// let y = program.run_by(&tensor![7, 8], |bytes| {
    ///     assert_eq!(bytes, [[7, 8]]);
    ///     Ok::<_, InputError>(vec![vec![8, 9]])
    /// });
    /// assert_eq!(y?, tensor![8, 9]);
    /// # Ok::<(), InputError>(())
    /// ```
    #[track_caller]
    pub fn run_by<E: From<InputError>>(
        &self,
        inputs: &I,
        run: impl FnOnce(Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<O, E> {
        let arrays = matching(&self.inputs, inputs, &Path::ROOT)?;
        if self.graph.reads_traced(&arrays) {
            return Ok(self.run(inputs)?);
        }
        let results = self::arrays(&self.outputs, &run(bytes_of(&arrays))?);
        Ok(with_arrays(&self.template, &self.graph.with_gradients(arrays, results)))
    }
}

/// A step that replaces a state, for engines that keep the state where they run it.
impl<S, B, R> Program<(S, B), (S, R)>
where
    S: Module + Clone,
    B: Module,
    R: Module + Clone,
{
    /// The number of tensors of the state.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// let program = trace(&(tensor![1.0], tensor![2.0]), |(sum, x)| (sum + x, x.sum()));
    /// assert_eq!(program.state_len(), 1);
    /// ```
    pub fn state_len(&self) -> usize {
        tensor_count(&self.template.0)
    }

    /// The bytes of the elements of the first input, the state.
    ///
    /// # Errors
    ///
    /// As [`run`](Program::run).
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// let program = trace(&(tensor![1_u8], tensor![2_u8]), |(sum, x)| (sum + x, x.sum()));
    /// assert_eq!(program.state_bytes(&tensor![7])?, [[7]]);
    /// # Ok::<(), tensor_core::trace::InputError>(())
    /// ```
    pub fn state_bytes(&self, state: &S) -> Result<Vec<Vec<u8>>, InputError> {
        Ok(bytes_of(&matching(&self.inputs[..self.state_len()], state, &Path::ROOT.index(0))?))
    }

    /// Whether the second input has the names, element types and sizes that the program was traced for.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// let program = trace(&(tensor![1.0], vec![tensor![2.0]]), |(sum, x)| (sum + &x[0], x[0].sum()));
    /// assert!(program.accepts_batch(&vec![tensor![7.0]]) && !program.accepts_batch(&Vec::new()));
    /// ```
    pub fn accepts_batch(&self, batch: &B) -> bool {
        matching(&self.inputs[self.state_len()..], batch, &Path::ROOT.index(1)).is_ok()
    }

    /// The bytes of the elements of the second input.
    ///
    /// # Errors
    ///
    /// As [`run`](Program::run).
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// let program = trace(&(tensor![1_u8], tensor![2_u8]), |(sum, x)| (sum + x, x.sum()));
    /// assert_eq!(program.batch_bytes(&tensor![7])?, [[7]]);
    /// # Ok::<(), tensor_core::trace::InputError>(())
    /// ```
    pub fn batch_bytes(&self, batch: &B) -> Result<Vec<Vec<u8>>, InputError> {
        Ok(bytes_of(&matching(&self.inputs[self.state_len()..], batch, &Path::ROOT.index(1))?))
    }

    /// The state of these bytes, which are those of the elements of each of its tensors.
    ///
    /// # Panics
    ///
    /// If there are more or fewer bytes than the state has.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// let program = trace(&(tensor![1_u8], tensor![2_u8]), |(sum, x)| (sum + x, x.sum()));
    /// assert_eq!(program.state_of_bytes(&[vec![3]]), tensor![3]);
    /// ```
    #[track_caller]
    pub fn state_of_bytes(&self, bytes: &[Vec<u8>]) -> S {
        with_arrays(&self.template.0, &arrays(&self.outputs[..self.state_len()], bytes))
    }

    /// The second output of these bytes.
    ///
    /// # Panics
    ///
    /// If there are more or fewer bytes than it has.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// let program = trace(&(tensor![1_u8], tensor![2_u8]), |(sum, x)| (sum + x, x.sum()));
    /// assert_eq!(program.result_of_bytes(&[vec![3]]).item(), 3);
    /// ```
    #[track_caller]
    pub fn result_of_bytes(&self, bytes: &[Vec<u8>]) -> R {
        with_arrays(&self.template.1, &arrays(&self.outputs[self.state_len()..], bytes))
    }
}

/// The number of tensors of a module.
fn tensor_count(module: &dyn Module) -> usize {
    let mut count = 0;
    module.visit(&Path::ROOT, &mut |_, _, _| count += 1);
    count
}

/// The arrays of ports with these bytes.
#[track_caller]
fn arrays(ports: &[Port], bytes: &[Vec<u8>]) -> Vec<AnyArray> {
    assert_eq!(bytes.len(), ports.len(), "the number of tensors");
    let array = |(port, bytes): (&Port, &Vec<u8>)| (port.element.of_bytes)(bytes, &port.sizes);
    ports.iter().zip(bytes).map(array).collect()
}

/// The bytes of the elements of each tensor of a module, in row-major order, the least significant byte first.
///
/// # Panics
///
/// If a tensor is traced.
///
/// ```
/// use tensor_core::trace::element_bytes;
/// use tensor_core::tensor;
///
/// assert_eq!(element_bytes(&(tensor![1_u8], tensor![true])), [[1], [1]]);
/// ```
#[track_caller]
pub fn element_bytes(module: &dyn Module) -> Vec<Vec<u8>> {
    let mut arrays = Vec::new();
    module.visit(&Path::ROOT, &mut |_, _, tensor| arrays.push(tensor.to_array()));
    for array in &arrays {
        layout::refuse_traced(array.layout());
    }
    bytes_of(&arrays)
}

fn bytes_of(arrays: &[AnyArray]) -> Vec<Vec<u8>> {
    arrays.iter().map(AnyArray::to_le_bytes).collect()
}

impl<I, O> Program<I, O> {
    /// The inputs, in the order in which [`Module`] visits them.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// let program = trace(&(tensor![1.0], tensor![2]), |(x, _)| x.exp());
    /// assert_eq!(program.inputs().len(), 2);
    /// ```
    pub fn inputs(&self) -> &[Port] {
        &self.inputs
    }

    /// The outputs, in the order in which [`Module`] visits them.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// let program = trace(&tensor![1.0], |x| (x.exp(), x.sum()));
    /// assert_eq!(program.outputs()[1].name(), "1");
    /// ```
    pub fn outputs(&self) -> &[Port] {
        &self.outputs
    }

    /// The number of steps.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(trace(&tensor![1.0], |x| x.exp() + 1.0).num_steps(), 2);
    /// ```
    pub fn num_steps(&self) -> usize {
        self.graph.num_steps()
    }

    /// What running the program costs: arithmetic operations, bytes that are moved, and the most memory at one time.
    /// [`Module::num_parameters`] counts the parameters of a model among the inputs.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::{Tensor, shape};
    ///
    /// let program = trace(&Tensor::<shape![1000]>::zeros(), |x| (x.exp() + 1.0).ln().sum());
    /// let cost = program.cost();
    /// assert_eq!((cost.operations, cost.bytes), (4 * 1000, 4 * 7 * 1000 + 8));
    /// // Two tensors of 1,000 elements at a time.
    /// assert_eq!(cost.peak_bytes, 2 * 4000);
    /// ```
    #[doc(alias = "flops")]
    pub fn cost(&self) -> Cost {
        self.graph.cost()
    }

    /// The constants of more than 1 MiB, which are part of the text of the program: tensors that the function captures, or
    /// makes by `eye`, `arange` and the like. `tensor-xla` copies them to its device once; another compiler takes long for
    /// them, unless they are inputs: see [`to_stablehlo_and_constants`](Program::to_stablehlo_and_constants).
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::{Tensor, shape};
    ///
    /// let x = Tensor::<shape![500_000], i64>::zeros();
    /// let program = trace(&x, |x| x + Tensor::<shape![500_000], i64>::arange());
    /// let large = program.large_constants();
    /// assert_eq!((large[0].read_by, large[0].element, large[0].bytes), ("add", "i64", 4_000_000));
    /// ```
    pub fn large_constants(&self) -> Vec<Constant> {
        self.graph.large_constants()
    }

    #[cfg(feature = "explain")]
    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The program as text of StableHLO, for XLA and other compilers: a module with a function `main`, whose
    /// arguments and results are the inputs and outputs in their order.
    ///
    /// Results have the rounding of the compiler: they agree with those of [`run`](Program::run) up to the error of
    /// the element type. An index out of range is an error here, and is moved into the range by XLA.
    ///
    /// Specification: <https://openxla.org/stablehlo/spec>
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// let program = trace(&tensor![1.0_f32, 2.0], |x| x.exp());
    /// let text = program.to_stablehlo();
    /// assert!(text.contains(r#""stablehlo.exponential"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>"#));
    /// ```
    pub fn to_stablehlo(&self) -> String {
        self.to_stablehlo_with(&Attributes::default())
    }

    /// [`to_stablehlo`](Program::to_stablehlo) with attributes of the inputs and outputs, such as those that split
    /// them over several devices.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_core::trace::{Attributes, trace};
    ///
    /// let program = trace(&tensor![1.0_f32], |x| x.exp());
    /// let attributes =
    ///     Attributes { inputs: vec![vec!["jax.arg_info = \"x\"".to_owned()]], ..Attributes::default() };
    /// let text = program.to_stablehlo_with(&attributes);
    /// assert!(text.contains("%arg0: tensor<1xf32> {jax.arg_info = \"x\"}"));
    /// ```
    pub fn to_stablehlo_with(&self, attributes: &Attributes) -> String {
        stablehlo::lower(&self.graph, attributes)
    }

    /// [`to_stablehlo_with`](Program::to_stablehlo_with) for engines that keep constants on their device: those of more
    /// than 64 KiB are inputs after those of the program, and the bytes of their elements are returned as well.
    ///
    /// ```
    /// use tensor_core::trace::{Attributes, trace};
    /// use tensor_core::{Tensor, shape};
    ///
    /// let table = Tensor::<shape![40_000]>::arange();
    /// let program = trace(&Tensor::<shape![40_000]>::zeros(), |x| x + &table);
    /// let (text, constants) = program.to_stablehlo_and_constants(&Attributes::default());
    /// assert!(text.contains("@main(%arg0: tensor<40000xf32>, %constant0: tensor<40000xf32>)"));
    /// assert_eq!(constants[0].len(), 4 * 40_000);
    /// ```
    pub fn to_stablehlo_and_constants(&self, attributes: &Attributes) -> (String, Vec<Vec<u8>>) {
        stablehlo::lower_without_large_constants(&self.graph, attributes)
    }

    /// [`to_stablehlo`](Program::to_stablehlo) of a step that replaces its state: each of the first `count` inputs
    /// gives its memory to the output of the same number.
    ///
    /// # Panics
    ///
    /// If there are fewer inputs or outputs, or if the type of one of these inputs is not that of its output.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::tensor;
    ///
    /// let program = trace(&(tensor![1.0_f32], tensor![2.0_f32]), |(sum, x)| (sum + x, x.sum()));
    /// assert!(program.to_stablehlo_donating(1).contains("%arg0: tensor<1xf32> {tf.aliasing_output = 0 : i32}"));
    /// ```
    #[track_caller]
    pub fn to_stablehlo_donating(&self, count: usize) -> String {
        self.to_stablehlo_with(&self.donating(count, Attributes::default()))
    }

    /// The attributes with which a step replaces its state: see [`to_stablehlo_donating`](Program::to_stablehlo_donating).
    ///
    /// # Panics
    ///
    /// As [`to_stablehlo_donating`](Program::to_stablehlo_donating).
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_core::trace::{Attributes, trace};
    ///
    /// let program = trace(&tensor![1.0_f32], |x| x.exp());
    /// let whole = "sdy.sharding = #sdy.sharding<@mesh, [{}]>".to_owned();
    /// let attributes = Attributes { inputs: vec![vec![whole]], ..Attributes::default() };
    /// let text = program.to_stablehlo_with(&program.donating(1, attributes));
    /// assert!(text.contains("{sdy.sharding = #sdy.sharding<@mesh, [{}]>, tf.aliasing_output = 0 : i32}"));
    /// ```
    #[track_caller]
    pub fn donating(&self, count: usize, mut attributes: Attributes) -> Attributes {
        assert!(count <= self.inputs.len().min(self.outputs.len()), "{count} inputs are donated");
        for (input, output) in self.inputs[..count].iter().zip(&self.outputs) {
            let fits = (input.element, &input.sizes) == (output.element, &output.sizes);
            let (name, is, becomes) = (&input.name, input, output);
            assert!(fits, "the input `{name}` is {is}, and the output in its place {becomes}");
        }
        if attributes.inputs.len() < count {
            attributes.inputs.resize(count, Vec::new());
        }
        for (number, input) in attributes.inputs[..count].iter_mut().enumerate() {
            input.push(format!("tf.aliasing_output = {number} : i32"));
        }
        attributes
    }
}

impl<I, O> fmt::Debug for Program<I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program")
            .field("inputs", &self.inputs)
            .field("steps", &self.num_steps())
            .field("outputs", &self.outputs)
            .finish()
    }
}

/// A list of the inputs, the steps and the outputs, in which `%` and a number name a value.
impl<I, O> fmt::Display for Program<I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let input = |port: &Port| format!("{}   {}", port, port.name);
        let inputs: Vec<String> = self.inputs.iter().map(input).collect();
        f.write_str(&self.graph.listing(&inputs))
    }
}
