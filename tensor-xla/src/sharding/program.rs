//! Programs whose inputs and outputs are split by rules.

use core::fmt;

use tensor_core::trace::{Attributes, Port, Program};

use super::check::{
    IsAxisOfProgram, IsAxisOfState, NamedRule, NoSecondAxis, Outcome, ReducedSums, SameMesh,
    SplitProgram,
};
use super::{DeviceMesh, RuleList, Sharding};
use crate::element_type::ElementType;
use crate::error::Error;
use crate::mesh::Mesh;
use crate::signature::Signature;
use crate::tensor_type::{TensorType, axis_list, sizes_that_fit};

/// A program with a sharding: which device holds what of each input and output.
///
/// Displayed, it is a table; [`to_svg`](ShardedProgram::to_svg) draws a picture.
///
/// ```
/// use tensor_core::{Tensor, axis, shape, trace::trace};
/// use tensor_xla::{mesh, shard, sharding};
///
/// axis!(Batch, Pixel = 64, Hidden = 32);
/// mesh!(Grid: Data = 4, Model = 2);
/// sharding!(Rules on Grid: Batch => Data, Hidden => Model);
///
/// let weight = Tensor::<shape![Pixel, Hidden]>::zeros();
/// let images = Tensor::<shape![Batch, Pixel]>::zeros_shaped(shape![Batch(16), Pixel]);
/// let program = trace(&(weight, images), |(weight, images)| images.dot(weight).relu());
/// assert_eq!(
///     shard(program, Rules)?.to_string(),
///     "\
/// 8 devices: Data = 4, Model = 2
///
/// tensor   type                       on each device  copies  split
/// input 0  f32 [Pixel=64, Hidden=32]  [64, 16]        4       Hidden over Model
/// input 1  f32 [Batch=16, Pixel=64]   [4, 64]         2       Batch over Data
/// output   f32 [Batch=16, Hidden=32]  [4, 16]         1       Batch over Data, Hidden over Model
/// ",
/// );
/// # Ok::<(), tensor_xla::Error>(())
/// ```
pub struct ShardedProgram<I, O> {
    program: Program<I, O>,
    mesh: Mesh,
    inputs: Vec<TensorType>,
    outputs: Vec<TensorType>,
}

/// Splits the inputs and outputs of a program by rules: the axes of each tensor decide where its parts are.
///
/// The rules are what [`sharding!`](crate::sharding!) declares. Rules that split two axes of one tensor over one axis of
/// the mesh do not compile, and neither does a rule for an axis that no input or output has.
///
/// # Errors
///
/// [`Error::Sharding`] if a run-time axis has a size that the devices do not share evenly, or if the only tensors with
/// the axis of a rule are those of an empty `Vec` or `Option`.
///
/// ```
/// use tensor_core::{Tensor, axis, shape, trace::trace};
/// use tensor_xla::{mesh, shard, sharding};
///
/// axis!(Batch);
/// mesh!(Grid: Data = 4);
/// sharding!(Rules on Grid: Batch => Data);
///
/// let images = |count| Tensor::<shape![Batch, 64]>::zeros_shaped(shape![Batch(count), 64]);
/// assert!(shard(trace(&images(32), |x| x.sum()), Rules).is_ok());
///
/// let error = shard(trace(&images(30), |x| x.sum()), Rules).err().unwrap();
/// assert_eq!(
///     error.to_string(),
///     "the input: `Batch` has size 30, which the 4 devices of `Data` do not share evenly; 28 or 32 would fit",
/// );
/// # Ok::<(), tensor_xla::Error>(())
/// ```
///
/// Two axes of one tensor over one axis of the mesh do not compile:
///
/// ```compile_fail,E0277
/// use tensor_core::{Tensor, axis, shape, trace::trace};
/// use tensor_xla::{mesh, shard, sharding};
///
/// axis!(Head = 4, Hidden = 32);
/// mesh!(Grid: Model = 2);
/// sharding!(Rules on Grid: Head => Model, Hidden => Model);
///
/// let weight = Tensor::<shape![Head, Hidden]>::zeros();
/// // error: `Head` and `Hidden` are both split over `Model`, and are axes of one tensor
/// shard(trace(&weight, |weight| weight.sum()), Rules);
/// ```
#[tensor_core::diagnostics::bounds_without_source]
pub fn shard<I, O, R, Out>(program: Program<I, O>, rules: R) -> Result<ShardedProgram<I, O>, Error>
where
    R: Sharding,
    (I, O): SplitProgram<R, Outcome = Out>,
    Out: Outcome
        + NoSecondAxis<Out::Other, Out::Axis, Out::Over, Out::Shape>
        + IsAxisOfProgram<Out::Axis, Out::Over>
        + ReducedSums<Out::Shape, Out::Over>,
{
    let _ = rules;
    let split = Split::by::<R>()?;
    let ports = program.inputs().iter().chain(program.outputs());
    split.check_that_all_occur(ports, "input or output of the program")?;
    sharded(program, &split, &split)
}

/// [`shard`] of a training step, with rules of their own for the state of its optimiser: a device can keep a part of the
/// means of a weight that it has whole (ZeRO, stage 1).
///
/// `state_rules` are for the tensors of the state that are a [`StateTensor`](tensor_core::module::StateTensor), which an
/// optimiser has for each parameter, with its axes; `rules` for all others. Each device updates its part of the weights,
/// and the compiler gathers the parts where `rules` need them.
///
/// Rajbhandari, Rasley, Ruwase, He: ZeRO: Memory optimizations toward training trillion parameter models, 2020,
/// arXiv:1910.02054.
///
/// # Errors
///
/// Those of [`shard`], and [`Error::Sharding`] if the state has no tensor with the axis of one of its rules: that of
/// `Optimizer` of `tensor-nn` is there from the first step on, or by its method `with_state_of`.
///
/// ```
/// use tensor_core::autograd::value_and_grad;
/// use tensor_core::module::{
///     AnyTensor, Module, Path, Role, StateTensor, Visitor, VisitorMut, WalkShapes,
/// };
/// use tensor_core::{DynTensor, IntoTensor, Tensor, axis, shape, trace::trace};
/// use tensor_xla::{mesh, shard_with_state, sharding};
///
/// axis!(Batch = 16, Pixel = 64);
/// mesh!(Row: Data = 8);
/// sharding!(Rules on Row: Batch => Data);
/// sharding!(StateRules on Row: Pixel => Data);
///
/// /// The running mean of a gradient.
/// #[derive(Clone)]
/// struct Momentum(StateTensor<f32>);
///
/// impl Module for Momentum {
///     fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
///         visitor(path, Role::Buffer, &self.0);
///     }
///
///     fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
///         visitor(path, Role::Buffer, &mut self.0);
///     }
/// }
///
/// /// Its tensor has the shape of a weight, which a walk visits with the model.
/// impl<V, In> WalkShapes<V, In> for Momentum {
///     type Out = In;
/// }
///
/// type Weights = Tensor<shape![Pixel]>;
///
/// let weights = Weights::full(0.5);
/// let state = (weights.clone(), Momentum(StateTensor::full(&weights, 0.0)));
/// let rows = Tensor::<shape![Batch, Pixel]>::ones();
/// let step = trace(&(state, rows), |((weights, momentum), rows)| {
///     let (loss, gradient) = value_and_grad(weights, |weights| rows.dot(weights).square().mean());
///     let mut momentum = momentum.clone();
///     let state: &mut dyn AnyTensor = &mut momentum.0;
///     let mean: Weights = state.get::<f32>().unwrap().into_tensor().unwrap();
///     let mean = mean * 0.9 + gradient;
///     state.assign(DynTensor::from(mean.clone())).unwrap();
///     ((weights - mean * 0.1, momentum), loss)
/// });
/// let signature = shard_with_state(step, Rules, StateRules)?.signature();
/// let on_each_device = |input: usize| signature.inputs()[input].tensor_type().local_sizes();
/// assert_eq!((on_each_device(0), on_each_device(1)), (vec![64], vec![8]));
/// # Ok::<(), tensor_xla::Error>(())
/// ```
#[doc(alias = "ZeRO")]
#[tensor_core::diagnostics::bounds_without_source]
pub fn shard_with_state<S, B, O, R, Q, Out, State>(
    program: Program<(S, B), (S, O)>,
    rules: R,
    state_rules: Q,
) -> Result<ShardedProgram<(S, B), (S, O)>, Error>
where
    R: Sharding,
    Q: Sharding + SameMesh<Q::Mesh, R, R::Mesh>,
    ((S, B), (S, O)): SplitProgram<R, Outcome = Out>,
    Out: Outcome
        + NoSecondAxis<Out::Other, Out::Axis, Out::Over, Out::Shape>
        + IsAxisOfProgram<Out::Axis, Out::Over>
        + ReducedSums<Out::Shape, Out::Over>,
    S: SplitProgram<Q, Outcome = State>,
    State: Outcome
        + NoSecondAxis<State::Other, State::Axis, State::Over, State::Shape>
        + IsAxisOfState<State::Axis, State::Over>,
{
    let _ = (rules, state_rules);
    let (split, split_state) = (Split::by::<R>()?, Split::by::<Q>()?);
    let ports = || program.inputs().iter().chain(program.outputs());
    split.check_that_all_occur(
        ports().filter(|port| !port.is_state()),
        "input or output of the program besides the state of the optimiser",
    )?;
    split_state
        .check_that_all_occur(ports().filter(|port| port.is_state()), "state of an optimiser")?;
    sharded(program, &split, &split_state)
}

/// The program with its tensors split, those of the state of an optimiser in another way.
fn sharded<I, O>(
    program: Program<I, O>,
    split: &Split,
    split_state: &Split,
) -> Result<ShardedProgram<I, O>, Error> {
    let types = |ports: &[Port], kind| {
        let of_port = |port: &Port| {
            let place = match port.name() {
                "" => format!("the {kind}"),
                name => format!("{kind} `{name}`"),
            };
            let split = if port.is_state() { split_state } else { split };
            let tensor_type = split.tensor_type(port.element(), port.axis_names(), port.sizes());
            tensor_type.map_err(|error| Error::Sharding(format!("{place}: {error}")))
        };
        ports.iter().map(of_port).collect::<Result<Vec<_>, _>>()
    };
    let (inputs, outputs) =
        (types(program.inputs(), "input")?, types(program.outputs(), "output")?);
    Ok(ShardedProgram { program, mesh: split.mesh.clone(), inputs, outputs })
}

/// Rules by the names of axes, of tensors and of a mesh.
pub(super) struct Split {
    mesh: Mesh,
    rules: Vec<NamedRule>,
}

/// The name of an axis as messages show it: `Batch` of `Batch=32`.
fn axis_name(shown: &str) -> Option<&str> {
    shown.split_once('=').map(|(name, _)| name)
}

impl Split {
    pub(super) fn by<R: Sharding>() -> Result<Self, Error> {
        let mut rules = Vec::new();
        R::Rules::write(&mut rules);
        Ok(Self { mesh: R::Mesh::mesh()?, rules })
    }

    fn mesh_axes(&self, shown: &str) -> &[&'static str] {
        let rule = self.rules.iter().find(|(axis, _)| Some(*axis) == axis_name(shown));
        rule.map_or(&[], |(_, over)| over)
    }

    /// Checks that the axis of each rule is one of the ports, which are called `kind`.
    fn check_that_all_occur<'p>(
        &self,
        ports: impl Iterator<Item = &'p Port>,
        kind: &str,
    ) -> Result<(), Error> {
        let mut names: Vec<&str> = Vec::new();
        for name in ports.flat_map(Port::axis_names).filter_map(|shown| axis_name(shown)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let Some((axis, over)) = self.rules.iter().find(|(axis, _)| !names.contains(axis)) else {
            return Ok(());
        };
        let names = match &names[..] {
            [] => "none of their axes has a name".to_owned(),
            names => format!("they have {}", names.join(", ")),
        };
        let over = axis_list(over);
        Err(Error::Sharding(format!(
            "the rule `{axis} => {over}` is for an axis that no {kind} has; {names}"
        )))
    }

    /// The type of a tensor, by the name of its element type, and its axes as messages show them.
    pub(super) fn tensor_type(
        &self,
        element: &str,
        shown: &[String],
        sizes: &[usize],
    ) -> Result<TensorType, Error> {
        let mut axes = Vec::new();
        for (shown, &size) in shown.iter().zip(sizes) {
            let over = self.mesh_axes(shown);
            let along = self.mesh.axes().iter().filter(|(name, _)| over.contains(&&name[..]));
            let devices = along.map(|(_, devices)| devices).product();
            if size % devices != 0 {
                return Err(Error::Sharding(format!(
                    "`{}` has size {size}, which the {devices} devices of `{}` do not share evenly; {} would fit",
                    axis_name(shown).unwrap_or_default(),
                    axis_list(over),
                    sizes_that_fit(size, devices)
                )));
            }
            axes.push(over);
        }
        TensorType::new(ElementType::of_name(element)?, sizes).sharded(&self.mesh, &axes)
    }
}

impl<I, O> ShardedProgram<I, O> {
    /// The mesh.
    ///
    /// ```
    /// # use tensor_core::{Tensor, axis, shape, trace::trace};
    /// # use tensor_xla::{mesh, shard, sharding};
    /// # axis!(Batch = 8);
    /// mesh!(Grid: Data = 4);
    /// sharding!(Rules on Grid: Batch => Data);
    ///
    /// let program = shard(trace(&Tensor::<shape![Batch]>::zeros(), |x| x.exp()), Rules)?;
    /// assert_eq!(program.mesh().devices(), 4);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The program without its sharding.
    ///
    /// ```
    /// # use tensor_core::{Tensor, axis, shape, trace::trace};
    /// # use tensor_xla::{mesh, shard, sharding};
    /// # axis!(Batch = 8);
    /// # mesh!(Grid: Data = 4);
    /// # sharding!(Rules on Grid: Batch => Data);
    /// let program = shard(trace(&Tensor::<shape![Batch]>::zeros(), |x| x.exp()), Rules)?;
    /// assert_eq!(program.program().num_steps(), 1);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn program(&self) -> &Program<I, O> {
        &self.program
    }

    pub(crate) fn into_program(self) -> Program<I, O> {
        self.program
    }

    /// The types of the inputs and of the outputs.
    #[cfg(feature = "safetensors")]
    pub(super) fn types(&self) -> (&[TensorType], &[TensorType]) {
        (&self.inputs, &self.outputs)
    }

    /// The attributes of the text: the mesh, and the sharding of each input and output.
    pub(crate) fn attributes(&self) -> Attributes {
        let sharding = |tensor_type: &TensorType| tensor_type.shardy().into_iter().collect();
        Attributes {
            module: vec![self.mesh.shardy()],
            inputs: self.inputs.iter().map(sharding).collect(),
            outputs: self.outputs.iter().map(sharding).collect(),
        }
    }

    /// The program as StableHLO text with its mesh, and with the sharding of each argument and result.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, shape, trace::trace};
    /// use tensor_xla::{mesh, shard, sharding};
    ///
    /// axis!(Batch = 8);
    /// mesh!(Grid: Data = 4);
    /// sharding!(Rules on Grid: Batch => Data);
    ///
    /// let program = shard(trace(&Tensor::<shape![Batch, 2]>::zeros(), |x| x.exp()), Rules)?;
    /// let text = program.to_stablehlo();
    /// assert!(text.contains(r#"sdy.mesh @mesh = <["Data"=4]>"#));
    /// assert!(text.contains(r#"%arg0: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"Data"}, {}]>}"#));
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn to_stablehlo(&self) -> String {
        self.program.to_stablehlo_with(&self.attributes())
    }

    /// The inputs and outputs, with names and types.
    ///
    /// ```
    /// # use tensor_core::{Tensor, axis, shape, trace::trace};
    /// # use tensor_xla::{mesh, shard, sharding};
    /// axis!(Batch = 8);
    /// mesh!(Grid: Data = 4);
    /// sharding!(Rules on Grid: Batch => Data);
    ///
    /// let program = shard(trace(&(Tensor::<shape![Batch, 3]>::zeros(),), |(x,)| (x.exp(),)), Rules)?;
    /// let split = "f32 [8 over Data = 4, 3]";
    /// assert_eq!(program.signature().to_string(), format!("(0: {split}) -> (0: {split})"));
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn signature(&self) -> Signature {
        let mut signature = Signature::new();
        for (port, tensor_type) in self.program.inputs().iter().zip(&self.inputs) {
            signature = signature.input(port.name(), tensor_type.clone());
        }
        for (port, tensor_type) in self.program.outputs().iter().zip(&self.outputs) {
            signature = signature.output(port.name(), tensor_type.clone());
        }
        signature
    }
}

/// A row of the table, and a panel of the picture.
pub(super) struct Row<'a> {
    pub name: String,
    pub port: &'a Port,
    pub tensor_type: &'a TensorType,
}

impl Row<'_> {
    /// The element type and the axes, with their names.
    pub(super) fn shown(&self) -> String {
        format!("{} [{}]", self.port.element(), self.port.axis_names().join(", "))
    }

    /// For each axis that is split, its name and the axes of the mesh.
    pub(super) fn split(&self) -> Vec<String> {
        let axes = self.port.axis_names().iter().enumerate();
        axes.filter_map(|(index, shown)| match axis_list(&self.tensor_type.split(index)) {
            over if over.is_empty() => None,
            over => Some(format!("{} over {over}", axis_name(shown)?)),
        })
        .collect()
    }

    /// The number of devices that have the same part.
    fn copies(&self, mesh: &Mesh) -> usize {
        let axes = 0..self.tensor_type.sizes().len();
        mesh.devices() / axes.map(|axis| self.tensor_type.parts(axis)).product::<usize>()
    }
}

impl<I, O> ShardedProgram<I, O> {
    pub(super) fn rows(&self) -> Vec<Row<'_>> {
        let row = |kind: &str, port, tensor_type| {
            let name = format!("{kind} {}", Port::name(port)).trim_end().to_owned();
            Row { name, port, tensor_type }
        };
        let inputs = self.program.inputs().iter().zip(&self.inputs);
        let outputs = self.program.outputs().iter().zip(&self.outputs);
        let inputs = inputs.map(|(port, tensor_type)| row("input", port, tensor_type));
        inputs.chain(outputs.map(|(port, tensor_type)| row("output", port, tensor_type))).collect()
    }
}

/// A table with a row for each input and output.
impl<I, O> fmt::Display for ShardedProgram<I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} devices: {}\n", self.mesh.devices(), self.mesh)?;
        let head = ["tensor", "type", "on each device", "copies", "split"].map(str::to_owned);
        let row = |row: Row<'_>| {
            let local = format!("{:?}", row.tensor_type.local_sizes());
            let copies = row.copies(&self.mesh).to_string();
            [row.name.clone(), row.shown(), local, copies, row.split().join(", ")]
        };
        let rows: Vec<[String; 5]> =
            [head].into_iter().chain(self.rows().into_iter().map(row)).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..5).map(|column| width(column).unwrap_or(0)).collect();
        for row in &rows {
            let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}  "));
            writeln!(f, "{}", cells.collect::<String>().trim_end())?;
        }
        Ok(())
    }
}

impl<I, O> fmt::Debug for ShardedProgram<I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ShardedProgram{}", self.signature())
    }
}
