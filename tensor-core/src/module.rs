//! Models: structs of tensors, whose parameters are visited with their names.
//!
//! A [`Module`] is a tensor or a container of modules: a struct with `#[derive(Module)]`, a tuple, an
//! array, a `Vec`, an `Option`, a `Box`. Gradients, optimisers and files, which need only the
//! parameters of a model, use this trait.
//!
//! ```
//! use tensor_core::module::{Frozen, Module};
//! use tensor_core::{Axis, Tensor, shape, shapes};
//!
//! #[shapes]
//! #[derive(Clone, Debug, Module)]
//! struct Linear<I: Axis, O: Axis> {
//!     weight: Tensor<shape![I, O]>,
//!     bias: Tensor<shape![O]>,
//! }
//!
//! #[shapes]
//! #[derive(Clone, Debug, Module)]
//! struct Model<Hidden: Axis> {
//!     words: Frozen<Tensor<shape![1000, Hidden]>>,
//!     layers: Vec<Linear<Hidden, Hidden>>,
//!     #[module(buffer)]
//!     mean: Tensor<shape![Hidden]>,
//! }
//!
//! let linear = Linear { weight: Tensor::<shape![64, 64]>::zeros(), bias: Tensor::zeros() };
//! let model = Model {
//!     words: Frozen(Tensor::zeros()),
//!     layers: vec![linear.clone(), linear],
//!     mean: Tensor::zeros(),
//! };
//! assert_eq!(
//!     model.names(),
//!     ["words", "layers.0.weight", "layers.0.bias", "layers.1.weight", "layers.1.bias", "mean"]
//! );
//! assert_eq!(model.num_parameters(), 64_000 + 2 * (64 * 64 + 64));
//! ```
//!
//! | a field | is walked as |
//! | --- | --- |
//! | a tensor of floats | a parameter: it has a gradient and is trained |
//! | any other tensor; `#[module(buffer)]` | a buffer: it is saved, and not trained |
//! | [`Frozen`] | saved and counted, and not trained |
//! | a struct, a tuple, `Vec` … | its own fields |
//! | a `bool`, a `String`, `PhantomData`, a random generator | nothing: there is no tensor in it |
//! | a number with `#[module(value = 1e-5)]` | nothing: it is not saved, and a model made from a file has this value |
//! | a number | nowhere: it does not compile, as training would go on without it; `Tensor<shape![], i64>` is saved |
//! | `#[module(skip)]` | nothing: it is skipped, and can have any type |
//!
//! [`Module::open`] makes a model from a file. There, a field that is not a tensor has `#[module(value = 1e-5)]`,
//! and `#[module(set(epsilon = 1e-12))]` sets a field of a module that was read, or of each one in an array or a
//! `Vec`. With the feature `weights`, [`weights!`](crate::weights!) compares the file with the model at compile time.

use core::any::Any;
#[cfg(feature = "safetensors")]
use std::io;
#[cfg(feature = "safetensors")]
use std::path::Path as FilePath;

#[cfg(feature = "safetensors")]
use crate::io::{Checkpoint, LoadError};

mod containers;
mod facts;
mod frozen;
mod leaves;
#[cfg(feature = "safetensors")]
mod load_error;
mod path;
mod read;
#[cfg(feature = "safetensors")]
mod state;
mod summary;
#[cfg(feature = "safetensors")]
mod table;
mod tree;
mod walk_shapes;
#[cfg(feature = "safetensors")]
mod weight_map;
#[cfg(feature = "weights")]
mod weights;

pub use crate::tensor::{AnyTensor, AssignError, StateTensor};
pub use facts::StaticModule;
#[doc(hidden)]
pub use facts::{Facts, FactsOf, FactsOrUnknown};
pub use frozen::Frozen;
#[doc(hidden)]
pub use frozen::{buffers, buffers_mut};
#[cfg(feature = "safetensors")]
pub use load_error::LoadModelError;
pub use path::Path;
pub use read::TensorReader;
#[doc(hidden)]
pub use read::no_value;
pub use summary::{Summary, SummaryRow};
#[doc(inline)]
pub use tensor_macros::Module;
#[doc(hidden)]
pub use tree::ModuleTree;
pub use walk_shapes::{VisitShape, WalkShapes};
#[cfg(feature = "safetensors")]
pub use weight_map::{FusedPart, WeightMap, WeightPlan};
#[cfg(feature = "weights")]
pub use weights::CheckedWeights;
#[cfg(feature = "weights")]
#[doc(hidden)]
pub use weights::{StoredTensor, checked_weights};

/// The purpose of a tensor in a model.
///
/// ```
/// use tensor_core::module::{Module, Role};
/// use tensor_core::tensor;
///
/// let model = (tensor![0.5, 0.5], tensor![7]);
/// let roles: Vec<Role> = model.tensors().into_iter().map(|(_, role, _)| role).collect();
/// assert_eq!(roles, [Role::Parameter, Role::Buffer]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A trained tensor: it has a gradient, and optimisers update it.
    Parameter,
    /// A parameter that is not trained: [`Frozen`].
    Frozen,
    /// A tensor that is saved with the model but is not a parameter, such as a running mean.
    Buffer,
}

impl Role {
    /// The role of a tensor within [`Frozen`].
    ///
    /// ```
    /// use tensor_core::module::Role;
    ///
    /// assert_eq!(Role::Parameter.frozen(), Role::Frozen);
    /// assert_eq!(Role::Buffer.frozen(), Role::Buffer);
    /// ```
    #[must_use]
    pub const fn frozen(self) -> Self {
        match self {
            Self::Parameter => Self::Frozen,
            Self::Frozen | Self::Buffer => self,
        }
    }
}

/// The callback of a walk, called with each tensor, its name and its role.
///
/// ```
/// use tensor_core::module::{Module, Path, Role, Visitor};
/// use tensor_core::{Tensor, shape};
///
/// /// Two tables of which the second is not trained.
/// struct Tables(Tensor<shape![10, 4]>, Tensor<shape![10, 4]>);
///
/// impl Module for Tables {
///     fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
///         self.0.visit(&path.index(0), visitor);
///         visitor(&path.index(1), Role::Frozen, &self.1);
///     }
///     # fn visit_mut<'a>(&'a mut self, _: &Path<'_>, _: &mut tensor_core::module::VisitorMut<'a, '_>) {}
/// }
///
/// let tables = Tables(Tensor::zeros(), Tensor::zeros());
/// assert_eq!(tables.names(), ["0", "1"]);
/// assert_eq!(tables.tensors()[1].1, Role::Frozen);
/// ```
pub type Visitor<'a, 'v> = dyn FnMut(&Path<'_>, Role, &'a dyn AnyTensor) + 'v;

/// The callback of a walk that changes a model, called with each tensor, its name and its role.
///
/// ```
/// use tensor_core::module::{Module, Path};
/// use tensor_core::tensor;
///
/// let mut model = (tensor![1.0, 2.0], vec![tensor![3.0]]);
/// model.visit_mut(&Path::ROOT, &mut |_, _, tensor| {
///     tensor.as_mut_slice::<f64>().unwrap().fill(0.0);
/// });
/// assert_eq!(model, (tensor![0.0, 0.0], vec![tensor![0.0]]));
/// ```
pub type VisitorMut<'a, 'v> = dyn FnMut(&Path<'_>, Role, &'a mut dyn AnyTensor) + 'v;

/// A layer that behaves differently in training, as dropout and batch normalisation do.
///
/// ```
/// use std::any::Any;
/// use tensor_core::module::{ModeVisitor, Module, Path, TrainingMode, Visitor, VisitorMut};
///
/// /// Noise, in training.
/// struct Noise {
///     training: bool,
/// }
///
/// impl TrainingMode for Noise {
///     fn set_mode(&mut self, training: bool) {
///         self.training = training;
///     }
/// }
///
/// impl Module for Noise {
///     fn visit<'a>(&'a self, _: &Path<'_>, _: &mut Visitor<'a, '_>) {}
///     fn visit_mut<'a>(&'a mut self, _: &Path<'_>, _: &mut VisitorMut<'a, '_>) {}
///
///     fn visit_modes(&mut self, visitor: &mut ModeVisitor<'_>) {
///         visitor(self);
///     }
/// }
///
/// let mut layers = [Noise { training: true }, Noise { training: true }];
/// layers.set_training(false);
/// assert!(!layers[1].training);
/// ```
pub trait TrainingMode {
    /// Sets whether the layer is in training mode, as [`Module::set_training`] does.
    fn set_mode(&mut self, training: bool);

    /// Takes the values that a training pass kept for this layer, such as the statistics of batches. The
    /// type of the pass belongs to the crate of the layers: a layer downcasts to it. Nothing by default.
    fn update_from(&mut self, pass: &mut dyn Any) {
        let _ = pass;
    }
}

/// The callback of [`Module::visit_modes`], called with each layer.
///
/// ```
/// use tensor_core::module::{ModeVisitor, Module};
///
/// fn count(model: &mut dyn Module) -> usize {
///     let mut count = 0;
///     let visitor: &mut ModeVisitor<'_> = &mut |_| count += 1;
///     model.visit_modes(visitor);
///     count
/// }
///
/// assert_eq!(count(&mut tensor_core::tensor![1.0]), 0);
/// ```
pub type ModeVisitor<'v> = dyn FnMut(&mut dyn TrainingMode) + 'v;

/// A tensor, or a container of modules; [`derive(Module)`](macro@crate::Module) visits the fields of a
/// struct.
///
/// Only three methods depend on the type. What they call is compiled once, in `tensor-core`: the walk
/// calls one function pointer for each tensor.
///
/// ```
/// use tensor_core::module::Module;
/// use tensor_core::{Tensor, shape};
///
/// #[derive(Clone, Debug, Module)]
/// struct Linear {
///     weight: Tensor<shape![784, 10]>,
///     bias: Tensor<shape![10]>,
/// }
///
/// let model = Linear { weight: Tensor::zeros(), bias: Tensor::zeros() };
/// assert_eq!(model.names(), ["weight", "bias"]);
/// assert_eq!(model.num_parameters(), 7850);
/// assert_eq!(model.num_bytes(), 31_400);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a module: a walk over the parameters of a model finds none in it",
    label = "expected a tensor, or what holds tensors",
    note = "write `#[derive(Module)]` above its declaration, or `#[module(skip)]` above a field \
        that has no parameters; in generic code, add the bound `{Self}: Module` [T901]"
)]
pub trait Module {
    /// Calls the visitor with each tensor, in the order of the fields.
    ///
    /// `path` is the position of this module in the model: [`Path::ROOT`], or a field of another module.
    ///
    /// ```
    /// use tensor_core::module::{Module, Path};
    /// use tensor_core::tensor;
    ///
    /// let mut names = Vec::new();
    /// let model = vec![tensor![1.0], tensor![2.0]];
    /// model.visit(&Path::ROOT.field("layers"), &mut |path, _, _| names.push(path.to_string()));
    /// assert_eq!(names, ["layers.0", "layers.1"]);
    /// ```
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>);

    /// [`visit`](Self::visit) with mutable tensors.
    ///
    /// ```
    /// use tensor_core::module::{Module, Path};
    /// use tensor_core::{DynTensor, tensor};
    ///
    /// let mut model = [tensor![1.0, 2.0], tensor![3.0, 4.0]];
    /// model.visit_mut(&Path::ROOT, &mut |_, _, tensor| {
    ///     tensor.assign(DynTensor::full(&[2], 9.0)).expect("the same shape");
    /// });
    /// assert_eq!(model, [tensor![9.0, 9.0], tensor![9.0, 9.0]]);
    /// ```
    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>);

    /// Calls the visitor with each layer that has a [`TrainingMode`]; none by default.
    ///
    /// ```
    /// use tensor_core::module::Module;
    /// use tensor_core::tensor;
    ///
    /// let mut model = (tensor![1.0], tensor![2.0]);
    /// model.visit_modes(&mut |_| unreachable!("tensors have no mode"));
    /// ```
    fn visit_modes(&mut self, visitor: &mut ModeVisitor<'_>) {
        let _ = visitor;
    }

    /// Makes the module from the tensors of a file: what [`open`](Self::open) calls. `path` is the position of the
    /// module in the model. `None` if a tensor is not given, as in the first of two passes:
    /// [`TensorReader`] has both.
    ///
    /// `#[derive(Module)]` implements it for a struct. A field that is not a tensor takes its value from
    /// `#[module(value = …)]`. By default, for enums and hand-written modules, a file does not have the module.
    ///
    /// ```
    /// use tensor_core::module::{Module, Path, TensorReader, Visitor, VisitorMut};
    /// use tensor_core::{Tensor, shape};
    ///
    /// /// A scale with a limit.
    /// struct Scale {
    ///     weight: Tensor<shape![2]>,
    ///     limit: f32,
    /// }
    ///
    /// impl Module for Scale {
    ///     fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
    ///         self.weight.visit(&path.field("weight"), visitor);
    ///     }
    ///
    ///     fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
    ///         self.weight.visit_mut(&path.field("weight"), visitor);
    ///     }
    ///
    ///     fn from_tensors(path: &Path<'_>, tensors: &mut TensorReader<'_>) -> Option<Self> {
    ///         // All tensors are requested before one that is `None` ends the function.
    ///         let weight = Module::from_tensors(&path.field("weight"), tensors);
    ///         Some(Self { weight: weight?, limit: 6.0 })
    ///     }
    /// }
    /// ```
    fn from_tensors(path: &Path<'_>, tensors: &mut TensorReader<'_>) -> Option<Self>
    where
        Self: Sized,
    {
        no_value(path, tensors)
    }

    /// Switches between training and evaluation for dropout and batch normalisation: PyTorch's `train()`
    /// and `eval()`. Does nothing for layers without a [`TrainingMode`].
    ///
    /// ```
    /// use tensor_core::module::Module;
    /// use tensor_core::tensor;
    ///
    /// let mut model = (tensor![1.0], tensor![2.0]);
    /// model.set_training(false);
    /// ```
    #[doc(alias = "train")]
    #[doc(alias = "eval")]
    fn set_training(&mut self, training: bool)
    where
        Self: Sized,
    {
        self.visit_modes(&mut |layer| layer.set_mode(training));
    }

    /// All tensors, with their names and roles.
    ///
    /// ```
    /// use tensor_core::module::{Module, Role};
    /// use tensor_core::tensor;
    ///
    /// let model = (tensor![1.0, 2.0], tensor![3.0]);
    /// for (name, role, tensor) in model.tensors() {
    ///     println!("{name}: {role:?} {:?}", tensor.sizes());
    /// }
    /// ```
    #[doc(alias = "state_dict")]
    #[doc(alias = "named_parameters")]
    fn tensors(&self) -> Vec<(String, Role, &dyn AnyTensor)>
    where
        Self: Sized,
    {
        tensors(self)
    }

    /// [`tensors`](Self::tensors) with mutable tensors.
    ///
    /// ```
    /// use tensor_core::module::Module;
    /// use tensor_core::tensor;
    ///
    /// let mut model = (tensor![1.0, 2.0], tensor![3.0]);
    /// for (_, _, tensor) in model.tensors_mut() {
    ///     tensor.as_mut_slice::<f64>().unwrap()[0] = 0.0;
    /// }
    /// assert_eq!(model, (tensor![0.0, 2.0], tensor![0.0]));
    /// ```
    fn tensors_mut(&mut self) -> Vec<(String, Role, &mut dyn AnyTensor)>
    where
        Self: Sized,
    {
        tensors_mut(self)
    }

    /// The names of all tensors, as in PyTorch's `state_dict`: `layers.0.weight`.
    ///
    /// ```
    /// use tensor_core::module::Module;
    /// use tensor_core::tensor;
    ///
    /// assert_eq!([(tensor![1.0], tensor![2.0])].names(), ["0.0", "0.1"]);
    /// ```
    fn names(&self) -> Vec<String>
    where
        Self: Sized,
    {
        names(self)
    }

    /// The number of elements of all parameters, including frozen ones, without buffers.
    /// [`StaticModule::NUM_PARAMETERS`] is the same as a constant.
    ///
    /// ```
    /// use tensor_core::module::Module;
    /// use tensor_core::tensor;
    ///
    /// let model = (tensor![[1.0, 2.0], [3.0, 4.0]], tensor![5.0], tensor![6]);
    /// assert_eq!(model.num_parameters(), 5);
    /// ```
    fn num_parameters(&self) -> usize
    where
        Self: Sized,
    {
        num_parameters(self)
    }

    /// The size of all tensors in bytes, including buffers. [`StaticModule::NUM_BYTES`] is the same as a
    /// constant.
    ///
    /// ```
    /// use tensor_core::module::Module;
    /// use tensor_core::tensor;
    ///
    /// assert_eq!((tensor![1.0, 2.0], tensor![5_u8]).num_bytes(), 17);
    /// ```
    fn num_bytes(&self) -> usize
    where
        Self: Sized,
    {
        num_bytes(self)
    }

    /// A table of all tensors: name, shape, parameters, share.
    ///
    /// ```
    /// use tensor_core::module::Module;
    /// use tensor_core::{Tensor, shape};
    ///
    /// #[derive(Module)]
    /// struct Linear {
    ///     weight: Tensor<shape![784, 10]>,
    ///     bias: Tensor<shape![10]>,
    /// }
    ///
    /// let model = Linear { weight: Tensor::zeros(), bias: Tensor::zeros() };
    /// println!("{}", model.summary());
    /// assert_eq!(model.summary().to_string(), "\
    /// name    shape      type  parameters   share
    /// weight  [784, 10]  f32        7,840  99.9 %
    /// bias    [10]       f32           10   0.1 %
    /// 7,850 parameters, 31.4 kB");
    /// ```
    fn summary(&self) -> Summary
    where
        Self: Sized,
    {
        Summary::of(self)
    }

    /// Writes all tensors into a `.safetensors` file, by their [names](Self::names). An existing file is
    /// replaced once the new one is complete.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or if two tensors have one name.
    ///
    /// ```
    /// use tensor_core::module::Module;
    /// use tensor_core::tensor;
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-module-save.safetensors");
    /// let model = (tensor![1.0, 2.0], tensor![3.0]);
    /// model.save(&path)?;
    /// let mut other = (tensor![0.0, 0.0], tensor![0.0]);
    /// other.load(&path)?;
    /// assert_eq!(other, model);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "safetensors")]
    fn save(&self, path: impl AsRef<FilePath>) -> io::Result<()>
    where
        Self: Sized,
    {
        state::save(self, path.as_ref())
    }

    /// Makes a model from a file that has its tensors, by their [names](Self::names): what [`save`](Self::save) and
    /// PyTorch write. A [`WeightMap`] reads files with other names or layouts.
    ///
    /// Each tensor is read into its own memory, which holds nothing else of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or does not fit: whatever is missing, left over or different, all of it.
    ///
    /// ```
    /// use tensor_core::module::Module;
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// #[derive(Debug, Module, PartialEq)]
    /// struct Norm {
    ///     weight: Tensor<shape![2]>,
    ///     bias: Tensor<shape![2]>,
    ///     #[module(value = 1e-5)]
    ///     epsilon: f64,
    /// }
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-module-open.safetensors");
    /// let norm = Norm { weight: tensor![1.0, 2.0], bias: tensor![0.0, 1.0], epsilon: 1e-5 };
    /// norm.save(&path)?;
    /// assert_eq!(Norm::open(&path)?, norm);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "safetensors")]
    #[doc(alias = "from_pretrained")]
    #[doc(alias = "strict")]
    fn open(path: impl AsRef<FilePath>) -> Result<Self, LoadModelError>
    where
        Self: Sized,
    {
        WeightMap::new().open(path)
    }

    /// Fills all tensors from a file, if every tensor is in it and has the same shape and element type, and nothing
    /// is left over. All are read before the first is replaced: [`open`](Self::open) takes half of the memory.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or does not fit: whatever is missing, left over or different, all of
    /// it. Then the model is as it was.
    ///
    /// ```
    /// use tensor_core::module::Module;
    /// use tensor_core::tensor;
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-module-load.safetensors");
    /// (tensor![1.0, 2.0], tensor![3.0]).save(&path)?;
    /// let mut model = (tensor![0.0], tensor![0.0_f32], tensor![0.0]);
    /// let error = model.load(&path).unwrap_err();
    /// assert!(error.to_string().ends_with(
    ///     " does not fit:
    ///   `0` is f64 [2], not f64 [1]
    ///   `1` is f64 [1], not f32 [1]
    ///   `2` is missing"
    /// ));
    /// assert_eq!(model.0, tensor![0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "safetensors")]
    #[doc(alias = "load_state_dict")]
    #[doc(alias = "strict")]
    fn load(&mut self, path: impl AsRef<FilePath>) -> Result<(), LoadModelError>
    where
        Self: Sized,
    {
        state::load(self, path.as_ref())
    }

    /// [`load`](Self::load) from an open file.
    ///
    /// # Errors
    ///
    /// Whatever is missing, left over or different, all of it. Then the model is as it was.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::module::Module;
    /// use tensor_core::tensor;
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-module-read.safetensors");
    /// (tensor![1.0, 2.0], tensor![3.0]).save(&path)?;
    /// let mut model = (tensor![0.0, 0.0], tensor![0.0]);
    /// model.load_from(&Checkpoint::open(&path)?)?;
    /// assert_eq!(model.1, tensor![3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "safetensors")]
    fn load_from(&mut self, checkpoint: &Checkpoint) -> Result<(), LoadError>
    where
        Self: Sized,
    {
        state::load_from(self, checkpoint)
    }
}

/// The code that the models of a program share, compiled once.
fn tensors(module: &dyn Module) -> Vec<(String, Role, &dyn AnyTensor)> {
    let mut tensors = Vec::new();
    module.visit(&Path::ROOT, &mut |path, role, tensor| {
        tensors.push((path.to_string(), role, tensor));
    });
    tensors
}

fn tensors_mut(module: &mut dyn Module) -> Vec<(String, Role, &mut dyn AnyTensor)> {
    let mut tensors: Vec<(String, Role, &mut dyn AnyTensor)> = Vec::new();
    module.visit_mut(&Path::ROOT, &mut |path, role, tensor| {
        tensors.push((path.to_string(), role, tensor));
    });
    tensors
}

fn names(module: &dyn Module) -> Vec<String> {
    let mut names = Vec::new();
    module.visit(&Path::ROOT, &mut |path, _, _| names.push(path.to_string()));
    names
}

fn num_parameters(module: &dyn Module) -> usize {
    let mut count = 0;
    module.visit(&Path::ROOT, &mut |_, role, tensor| {
        if role != Role::Buffer {
            count += tensor.num_elements();
        }
    });
    count
}

fn num_bytes(module: &dyn Module) -> usize {
    let mut bytes = 0;
    module.visit(&Path::ROOT, &mut |_, _, tensor| bytes += tensor.num_bytes());
    bytes
}
