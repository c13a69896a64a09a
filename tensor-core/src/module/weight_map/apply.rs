//! Applies a weight map: loads models from files, and writes files from models.

use core::fmt;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::path::Path as FilePath;

use super::WeightMap;
use super::plan::{WeightPlan, WeightSource};
use super::rules::{Fate, Item, Renamed};
use super::weight::{Maker, Weight};
use crate::io::is_of_torch;
use crate::io::{Checkpoint, LoadError, Mismatch, ReadError, any_array};
use crate::module::load_error::LoadModelError;
use crate::module::read::{Request, RequestKind};
use crate::module::{Module, Path, TensorReader, tensors, tensors_mut};
use tensor_array::array::history::AnyArray;

/// # Reading
impl WeightMap {
    /// Makes a model from a file. Each tensor is read into its own memory, which holds nothing else of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or does not fit: whatever is missing, left over or different, all of it.
    ///
    /// ```
    /// use tensor_core::module::{Module, WeightMap};
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-map-open.safetensors");
    /// (tensor![1.0], tensor![2.0]).save(&path)?;
    /// let error = WeightMap::new().open::<(Tensor<shape![2], f64>,)>(&path).unwrap_err();
    /// assert!(error.to_string().ends_with(
    ///     " does not fit:
    ///   `0` is f64 [1], not f64 [2]
    ///   `1` f64 [1] is left over"
    /// ));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "from_pretrained")]
    pub fn open<M: Module>(&self, path: impl AsRef<FilePath>) -> Result<M, LoadModelError> {
        Ok(self.open_from(&Checkpoint::open(path)?)?)
    }

    /// [`open`](Self::open) for a checkpoint.
    ///
    /// # Errors
    ///
    /// Whatever is missing, left over or different, all of it.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::module::{Module, WeightMap};
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-open-from.safetensors");
    /// (tensor![1.0], tensor![2.0]).save(&path)?;
    /// let checkpoint = Checkpoint::open(&path)?;
    /// let model: [Tensor<shape![1], f64>; 2] = WeightMap::new().open_from(&checkpoint)?;
    /// assert_eq!(model[1], tensor![2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_from<M: Module>(&self, checkpoint: &Checkpoint) -> Result<M, LoadError> {
        let mut model = None;
        self.make(checkpoint, &mut |tensors| {
            model = M::from_tensors(&Path::ROOT, tensors);
            model.as_ref().map(|model| crate::module::names(model))
        })?;
        Ok(model.expect("a model that was made"))
    }

    /// Fills the tensors of a model. All are read before the first is replaced, so that memory holds the old and
    /// the new ones; [`open`](Self::open) holds them once.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open). Then the model is as it was.
    ///
    /// ```
    /// use tensor_core::module::{Module, WeightMap};
    /// use tensor_core::tensor;
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-map-load.safetensors");
    /// (tensor![1.0], tensor![2.0]).save(&path)?;
    /// let mut model = (tensor![0.0],);
    /// WeightMap::new().ignore("1").load(&mut model, &path)?;
    /// assert_eq!(model.0, tensor![1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "load_state_dict")]
    pub fn load(
        &self,
        model: &mut dyn Module,
        path: impl AsRef<FilePath>,
    ) -> Result<(), LoadModelError> {
        Ok(self.load_from(model, &Checkpoint::open(path)?)?)
    }

    /// [`load`](Self::load) for a checkpoint.
    ///
    /// # Errors
    ///
    /// Whatever is missing, left over or different, all of it. Then the model is as it was.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::module::{Module, WeightMap};
    /// use tensor_core::tensor;
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-map-load-from.safetensors");
    /// (tensor![1.0], tensor![2.0]).save(&path)?;
    /// let mut model = (tensor![0.0],);
    /// WeightMap::new().ignore("1").load_from(&mut model, &Checkpoint::open(&path)?)?;
    /// assert_eq!(model.0, tensor![1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load_from(
        &self,
        model: &mut dyn Module,
        checkpoint: &Checkpoint,
    ) -> Result<(), LoadError> {
        let plan = self.plan_for(model, checkpoint).checked(checkpoint)?;
        let mut values = Values::new(&plan, checkpoint);
        let made: Vec<Option<AnyArray>> =
            plan.rows.iter().map(|row| values.value(&row.name)).collect();
        values.finish()?;
        for ((_, _, tensor), value) in tensors_mut(model).into_iter().zip(made) {
            if let Some(Err(error)) = value.map(|value| tensor.assign_array(&value)) {
                unreachable!("the plan has compared types and sizes: {error}");
            }
        }
        Ok(())
    }

    /// What [`open`](Self::open) would do with a file, whose elements are not read.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::module::{Module, WeightMap};
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// #[derive(Module)]
    /// struct Head {
    ///     weight: Tensor<shape![2, 1], f64>,
    ///     bias: Tensor<shape![2], f64>,
    /// }
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-plan.safetensors");
    /// let weight = tensor![[1.0, 2.0]];
    /// Checkpoint::save(&path, &[("dense.weight", &weight), ("dense.biases", &tensor![1.0, 2.0])])?;
    /// let plan = WeightMap::new().prefix("dense.").transpose("weight").plan::<Head>(&path)?;
    /// assert_eq!(plan.to_string(), "\
    /// model   type  shape   file
    /// weight  f64   [2, 1]  dense.weight transposed
    /// bias    f64   [2]     MISSING; nearest: biases
    /// LEFT OVER: dense.biases f64 [2]; nearest: bias
    /// 1 of 2 tensors filled, problems: 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "dry_run")]
    pub fn plan<M: Module>(&self, path: impl AsRef<FilePath>) -> Result<WeightPlan, ReadError> {
        Ok(self.plan_from::<M>(&Checkpoint::open(path)?))
    }

    /// [`plan`](Self::plan) for a checkpoint.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::module::WeightMap;
    /// use tensor_core::{Tensor, shape};
    ///
    /// let file = Checkpoint::from_bytes(b"\x02\0\0\0\0\0\0\0{}".to_vec())?;
    /// assert!(!WeightMap::new().plan_from::<Tensor<shape![2]>>(&file).fits());
    /// # Ok::<(), tensor_core::io::ReadError>(())
    /// ```
    pub fn plan_from<M: Module>(&self, checkpoint: &Checkpoint) -> WeightPlan {
        self.planned(checkpoint, &mut |tensors| {
            let _ = M::from_tensors(&Path::ROOT, tensors);
        })
        .0
    }

    /// What [`load_from`](Self::load_from) would do with a model.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::module::WeightMap;
    /// use tensor_core::tensor;
    ///
    /// let file = Checkpoint::from_bytes(b"\x02\0\0\0\0\0\0\0{}".to_vec())?;
    /// let head = (tensor![0.5],);
    /// assert!(WeightMap::new().keep("0").plan_for(&head, &file).fits());
    /// # Ok::<(), tensor_core::io::ReadError>(())
    /// ```
    pub fn plan_for(&self, model: &dyn Module, checkpoint: &Checkpoint) -> WeightPlan {
        let requests: Vec<Request<'_>> = tensors(model)
            .into_iter()
            .map(|(name, _, tensor)| Request { name, kind: RequestKind::Tensor(tensor) })
            .collect();
        WeightPlan::new(checkpoint, self.items(checkpoint), &requests, &self.keep)
    }

    /// The tensors of a file under the names of the model.
    fn items(&self, checkpoint: &Checkpoint) -> Renamed {
        let records = checkpoint.records().iter();
        let mut items: Vec<Item> =
            records.map(|(name, record)| Item::new(name, &record.element, &record.sizes)).collect();
        let (mut refused, mut unmatched) = (Vec::new(), Vec::new());
        for rule in &self.rules {
            if !rule.matches(&items) {
                unmatched.push(format!("{rule:?}"));
            }
            rule.read(&mut items, &mut refused);
        }
        Renamed { items, refused, unmatched }
    }

    /// The plan for a type of models, and the names that the file has for it.
    fn planned(
        &self,
        checkpoint: &Checkpoint,
        request: &mut dyn FnMut(&mut TensorReader<'_>),
    ) -> (WeightPlan, BTreeSet<String>) {
        let renamed = self.items(checkpoint);
        let used = renamed.items.iter().filter(|item| item.is_used());
        let names = used.map(|item| item.name.clone()).collect();
        let mut requests = Vec::new();
        request(&mut TensorReader::requests(&names, &mut requests));
        (WeightPlan::new(checkpoint, renamed, &requests, &self.keep), names)
    }

    /// Makes a model, in two passes: `make` returns the names of its tensors once it is made.
    fn make(
        &self,
        checkpoint: &Checkpoint,
        make: &mut dyn FnMut(&mut TensorReader<'_>) -> Option<Vec<String>>,
    ) -> Result<(), LoadError> {
        let (plan, names) = self.planned(checkpoint, &mut |tensors| {
            let _ = make(tensors);
        });
        let plan = plan.checked(checkpoint)?;
        let mut values = Values::new(&plan, checkpoint);
        let mut value = |name: &str| values.value(name);
        let made = make(&mut TensorReader::values(&names, &mut value));
        values.finish()?;
        let requested: BTreeSet<&str> = plan.rows.iter().map(|row| &row.name[..]).collect();
        let not_read: Vec<(String, Mismatch)> = match made {
            None => vec![(String::new(), Mismatch::NotRead)],
            Some(names) => names
                .into_iter()
                .filter(|name| !requested.contains(&name[..]))
                .map(|name| (name, Mismatch::NotRead))
                .collect(),
        };
        if not_read.is_empty() { Ok(()) } else { Err(LoadError::new(checkpoint, not_read)) }
    }
}

impl Item {
    fn new(name: &str, element: &str, sizes: &[usize]) -> Self {
        Self {
            name: name.to_owned(),
            weight: Weight::Stored(name.to_owned()),
            element: element.to_owned(),
            sizes: sizes.to_vec(),
            converts: false,
            fate: Fate::Used,
        }
    }
}

/// The sources of a tensor of the model, and the element type that it is converted to.
type SourceOf<'a> = (&'a Weight, Option<&'static str>);

/// Reads the tensors of a plan that fits.
struct Values<'a> {
    sources: HashMap<&'a str, SourceOf<'a>>,
    /// The tensors of the model that have the same source: those that are tied.
    tied: HashMap<SourceOf<'a>, Option<AnyArray>>,
    checkpoint: &'a Checkpoint,
    maker: Maker<'a>,
    failed: Vec<(String, Mismatch)>,
}

impl<'a> Values<'a> {
    fn new(plan: &'a WeightPlan, checkpoint: &'a Checkpoint) -> Self {
        let sources: HashMap<_, _> = plan
            .rows
            .iter()
            .filter_map(|row| match &row.source {
                WeightSource::File(weight, to) => Some((&row.name[..], (weight, *to))),
                WeightSource::Kept | WeightSource::Wrong(_) => None,
            })
            .collect();
        let (mut once, mut tied) = (HashSet::new(), HashMap::new());
        for source in sources.values().filter(|source| !once.insert(**source)) {
            tied.insert(*source, None);
        }
        let copies = plan.copies.iter().flat_map(|(one, other)| [one, other]);
        let maker = Maker::new(once.iter().map(|(weight, _)| *weight).chain(copies), checkpoint);
        let mut values = Self { sources, tied, checkpoint, maker, failed: Vec::new() };
        for (one, other) in &plan.copies {
            match (values.maker.make(one), values.maker.make(other)) {
                (Ok(a), Ok(b)) if any_array::is_same(&a, &b) => {}
                (Err(error), _) | (_, Err(error)) => {
                    values.failed.push((one.to_string(), Mismatch::of(&error)));
                }
                _ => {
                    let problem = format!("differs from `{other}`, to which it is tied");
                    values.failed.push((one.to_string(), Mismatch::MapRule { problem }));
                }
            }
        }
        values
    }

    /// The tensor of the model with this name; `None` if it is kept, or cannot be read.
    fn value(&mut self, name: &str) -> Option<AnyArray> {
        let source = *self.sources.get(name)?;
        if let Some(Some(value)) = self.tied.get(&source) {
            return Some(value.clone());
        }
        let (weight, to) = source;
        let value = match (self.maker.make(weight), to) {
            (Err(error), _) => Err(Mismatch::of(&error)),
            (Ok(value), None) => Ok(value),
            (Ok(value), Some(to)) => any_array::converted(&value, to)
                .map_err(|number| Mismatch::MapRule { problem: format!("{number} is no {to}") }),
        };
        let value = value.map_err(|mismatch| self.failed.push((name.to_owned(), mismatch))).ok();
        if let Some(tied) = self.tied.get_mut(&source) {
            tied.clone_from(&value);
        }
        value
    }

    fn finish(self) -> Result<(), LoadError> {
        match self.failed.is_empty() {
            true => Ok(()),
            false => Err(LoadError::new(self.checkpoint, self.failed)),
        }
    }
}

/// # Writing
impl WeightMap {
    /// Writes a model under the names and in the layouts of the file that the map is for: what PyTorch and Hugging
    /// Face read. Rules are undone from the last to the first; tensors that were ignored are not written. With the
    /// feature `pt`, a path that ends in `.pt`, `.pth` or `.bin` is written for `torch.load`.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, if two tensors get one name, if two that are [tied](Self::tie) differ, or if a
    /// rule has no way back.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::module::WeightMap;
    /// use tensor_core::{shape, tensor};
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-map-save.safetensors");
    /// let map = WeightMap::new().rename("dense.weight", "0").transpose("0");
    /// map.save(&(tensor![[1.0, 2.0]],), &path)?;
    /// let weight = Checkpoint::open(&path)?.tensor::<shape![2, 1], f64>("dense.weight")?;
    /// assert_eq!(weight, tensor![[1.0], [2.0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, model: &dyn Module, path: impl AsRef<FilePath>) -> io::Result<()> {
        let tensors: HashMap<String, AnyArray> =
            tensors(model).into_iter().map(|(name, _, tensor)| (name, tensor.to_array())).collect();
        let mut items: Vec<Item> = crate::module::tensors(model)
            .into_iter()
            .map(|(name, _, tensor)| Item::new(&name, tensor.element_name(), &tensor.sizes()))
            .collect();
        let mut refused = Vec::new();
        self.rules.iter().rev().for_each(|rule| rule.write(&mut items, &mut refused));
        if let Some((name, reason)) = refused.first() {
            let message = format!("`{name}` is not written: {reason}");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let mut maker = Maker::new(items.iter().map(|item| &item.weight), &tensors);
        for item in &items {
            let Fate::Copy(one, other) = &item.fate else { continue };
            let [a, b] = [one, other].map(|weight| maker.make(weight).map_err(io::Error::other));
            if one != other && !any_array::is_same(&a?, &b?) {
                let message = format!(
                    "`{one}` differs from `{other}`, to which it is tied: train a model that has one of them, or write \
                     both without `tie`"
                );
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
        }
        let made: Result<Vec<(String, AnyArray)>, ReadError> =
            items.iter().map(|item| Ok((item.name.clone(), maker.make(&item.weight)?))).collect();
        let made = made.map_err(io::Error::other)?;
        // Without this entry, `transformers` refuses a file.
        let about = match is_of_torch(path.as_ref()) {
            true => HashMap::new(),
            false => HashMap::from([("format".to_owned(), "pt".to_owned())]),
        };
        Checkpoint::save_arrays(path.as_ref(), &made, &about)
    }
}

impl fmt::Debug for WeightMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WeightMap").field("rules", &self.rules).field("keep", &self.keep).finish()
    }
}
