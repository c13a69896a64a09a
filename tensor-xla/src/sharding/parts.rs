//! Checkpoints in parts: each device writes and reads its part of the state.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::json;
use tensor_core::io::Checkpoint;
use tensor_core::module::AnyTensor;
use tensor_core::{DynTensor, Module};

use crate::buffer::Buffer;
use crate::element_type::sealed::Bytes as _;
use crate::element_type::with_element;
use crate::error::Error;
use crate::program::Step;
use crate::tensor_type::{Region, TensorType};

/// The value of `format` in the metadata of a file.
const FORMAT: &str = "tensor-xla parts, format 1";

impl<S, B, R> Step<S, B, R>
where
    S: Module + Clone,
    B: Module,
    R: Module + Clone,
{
    /// Writes the state to a folder in parts: a file for each device, with its part of each tensor. Of a part that several
    /// devices have, the first one writes it. No more than the parts of one device are in the memory of the host at a time.
    ///
    /// The files are `part-0-of-8.safetensors` and so on, of which the metadata has the sizes of each tensor, and where its
    /// part begins. [`load_parts`](Step::load_parts) reads them; the files of an earlier
    /// checkpoint in the folder are removed first. If writing stops midway, the folder has no complete checkpoint, and
    /// `load_parts` refuses it: write to a new folder to keep the last one.
    ///
    /// # Errors
    ///
    /// [`Error::Saved`] if a file cannot be written; [`Error::Plugin`] if copying fails; [`Error::Argument`] if the state was
    /// lost in a call that failed.
    ///
    /// ```no_run
    /// use tensor_core::{Tensor, axis, shape, trace::trace};
    /// use tensor_xla::{Engine, Options, mesh, shard, sharding};
    ///
    /// axis!(Row = 8);
    /// mesh!(Grid: Data = 4);
    /// sharding!(Rules on Grid: Row => Data);
    ///
    /// let table = Tensor::<shape![Row, 3]>::zeros();
    /// let add = trace(&(table.clone(), Tensor::<shape![]>::ones()), |(table, x)| (table + x, x.clone()));
    /// let engine = Engine::find_with(&Options::new().cpu_devices(4))?;
    /// let mut step = engine.compile_sharded_step(shard(add, Rules)?, &table)?;
    /// step.call(&Tensor::scalar(2.0))?;
    /// step.save_parts("checkpoint-1")?;
    ///
    /// step.load_parts("checkpoint-1")?;
    /// assert_eq!(step.state()?, Tensor::full(2.0));
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn save_parts(&self, folder: impl AsRef<Path>) -> Result<(), Error> {
        self.check_state()?;
        let (folder, names) = (folder.as_ref(), self.state_names());
        let (engine, state) = self.engine_and_state();
        fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
        for earlier in part_files(folder).map_err(|error| failed(folder, error))? {
            fs::remove_file(&earlier).map_err(|error| failed(&earlier, error))?;
        }
        let devices = engine.device_ids(self.executable().signature().mesh())?.len();
        for device in 0..devices {
            let mut about = HashMap::from([
                ("format".to_owned(), FORMAT.to_owned()),
                ("files".to_owned(), devices.to_string()),
            ]);
            let mut tensors: Vec<(&str, Box<dyn AnyTensor>)> = Vec::new();
            for (name, buffer) in names.iter().zip(state) {
                let tensor_type = buffer.tensor_type();
                if !tensor_type.is_first_copy(device) {
                    continue;
                }
                let part = tensor_type.region(device);
                let about_part = json!((tensor_type.sizes(), (part.start, part.sizes)));
                about.insert(of_part(name), about_part.to_string());
                tensors.push((name, part_of(buffer, device)?));
            }
            let tensors: Vec<_> = tensors.iter().map(|(name, tensor)| (*name, &**tensor)).collect();
            let path = folder.join(format!("part-{device}-of-{devices}.safetensors"));
            Checkpoint::save_with(&path, &tensors, &about).map_err(|error| failed(&path, error))?;
        }
        Ok(())
    }

    /// Reads the state from the files that [`save_parts`](Step::save_parts), or `tools/run_bundle.py --parts`, has written to
    /// a folder: each device its part, also where another number of devices has written them, or other rules have split
    /// them.
    ///
    /// # Errors
    ///
    /// [`Error::Saved`] if a file cannot be read, or if the files are more or fewer than each states, overlap, have another
    /// element type, or do not have all elements of the state; [`Error::Plugin`] if copying fails. Then the state is unchanged.
    ///
    /// ```no_run
    /// use tensor_core::{tensor, trace::trace};
    /// use tensor_xla::Engine;
    ///
    /// let program = trace(&(tensor![0.0_f32], tensor![0.0_f32]), |(sum, x)| (sum + x, x.sum()));
    /// let mut sums = Engine::find()?.compile_step(program, &tensor![7.0])?;
    /// sums.save_parts("sums")?;
    /// sums.call(&tensor![1.0])?;
    /// sums.load_parts("sums")?;
    /// assert_eq!(sums.state()?, tensor![7.0]);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn load_parts(&mut self, folder: impl AsRef<Path>) -> Result<(), Error> {
        let stored = StoredParts::open(folder.as_ref())?;
        let (engine, _) = self.engine_and_state();
        let inputs = self.executable().signature().inputs().iter();
        let read = |(input, name): (&crate::Input, &String)| {
            let tensor_type = input.tensor_type();
            Buffer::from_parts(engine, tensor_type, |device| stored.read(name, tensor_type, device))
        };
        let state = inputs.zip(&self.state_names()).map(read).collect::<Result<_, _>>()?;
        self.give_state(state);
        Ok(())
    }

    /// The names of the tensors of the state, as in its checkpoints.
    fn state_names(&self) -> Vec<String> {
        let state = &self.program().outputs()[..self.program().state_len()];
        let name = |name: &str| name.strip_prefix("0.").unwrap_or("").to_owned();
        state.iter().map(|port| name(port.name())).collect()
    }
}

fn failed(path: &Path, error: impl ToString) -> Error {
    Error::Saved { path: path.to_owned(), reason: error.to_string() }
}

/// The key of the metadata of a tensor's part, which is none of the keys of a file.
fn of_part(name: &str) -> String {
    format!("part of {name}")
}

/// The part of a device, as a tensor.
fn part_of(buffer: &Buffer, device: usize) -> Result<Box<dyn AnyTensor>, Error> {
    let (local, bytes) = (buffer.tensor_type().local(), buffer.part(device)?);
    with_element!(local.element_type(), T => {
        let size = local.element_type().size();
        let elements = T::read(bytes.len() / size, |to| {
            to.copy_from_slice(&bytes);
            Ok::<_, Error>(())
        })?;
        let part = DynTensor::from_vec(local.sizes(), elements);
        Box::new(part.expect("the elements of the part")) as Box<dyn AnyTensor>
    })
    .ok_or_else(|| Error::Argument(format!("{local} has no element type of Rust")))
}

/// Whether a file has the name of a part, such as `part-0-of-8.safetensors`: no other file is removed.
fn is_part(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = name.strip_prefix("part-").and_then(|name| name.strip_suffix(".safetensors"));
    let numbers = numbers.and_then(|numbers| numbers.split_once("-of-"));
    numbers.is_some_and(|(part, files)| is_number(part) && is_number(files))
}

/// The files of the checkpoint in a folder, sorted.
fn part_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| path.file_name().is_some_and(|name| is_part(&name.to_string_lossy())));
    paths.sort();
    Ok(paths)
}

/// The files of a checkpoint.
struct StoredParts<'a> {
    folder: &'a Path,
    files: Vec<(PathBuf, Checkpoint)>,
    /// For each tensor its sizes, and the parts with the index of their file.
    parts: BTreeMap<String, (Vec<usize>, Vec<(usize, Region)>)>,
}

impl<'a> StoredParts<'a> {
    fn open(folder: &'a Path) -> Result<Self, Error> {
        let mut stored = Self { folder, files: Vec::new(), parts: BTreeMap::new() };
        let paths = part_files(folder).map_err(|error| failed(folder, error))?;
        let count = paths.len().to_string();
        for path in paths {
            let file = Checkpoint::open(&path).map_err(|error| failed(&path, error))?;
            let about = file.metadata();
            let is = |name: &str, value: &str| about.get(name).is_some_and(|found| found == value);
            if !is("format", FORMAT) {
                return Err(failed(&path, format!("it is not of the format `{FORMAT}`")));
            }
            if !is("files", &count) {
                let reason =
                    format!("the folder has {count} part files, and this one is of another number");
                return Err(failed(&path, reason));
            }
            for name in file.names() {
                stored.add(&name, about.get(&of_part(&name))).map_err(|reason| {
                    failed(&path, format!("`{}`: {reason}", name.escape_debug()))
                })?;
            }
            stored.files.push((path, file));
        }
        Ok(stored)
    }

    /// Adds a part of the next file.
    fn add(&mut self, name: &str, about: Option<&String>) -> Result<(), &'static str> {
        let place = about.and_then(|place| serde_json::from_str(place).ok());
        let (sizes, (start, part)): (Vec<usize>, (Vec<usize>, Vec<usize>)) =
            place.ok_or("the metadata does not state which part of the tensor it is")?;
        let part = Region { start, sizes: part };
        if !part.is_within(&sizes) {
            return Err("the part is not within the tensor");
        }
        let (known, parts) =
            self.parts.entry(name.to_owned()).or_insert_with(|| (sizes.clone(), Vec::new()));
        if *known != sizes {
            return Err("its sizes are not those in another file");
        }
        if parts.iter().any(|(_, other)| part.shared(other).is_some()) {
            return Err("another file has the same elements");
        }
        parts.push((self.files.len(), part));
        Ok(())
    }

    /// The bytes of the part of a device, from all files that have elements of it.
    fn read(&self, name: &str, tensor_type: &TensorType, device: usize) -> Result<Vec<u8>, Error> {
        let refuse = |reason: String| Err(failed(self.folder, reason));
        let Some((sizes, parts)) = self.parts.get(name) else {
            return refuse(format!("no file has `{name}`"));
        };
        if sizes != tensor_type.sizes() {
            return refuse(format!("`{name}` has sizes {sizes:?}, and the state {tensor_type}"));
        }
        let wanted = tensor_type.region(device);
        let elements = wanted.sizes.iter().product::<usize>();
        let size = tensor_type.element_type().size();
        let (mut bytes, mut copied) = (vec![0; elements * size], 0);
        for (file, part) in parts {
            let Some(shared) = wanted.shared(part) else { continue };
            let (path, file) = &self.files[*file];
            let read = with_element!(tensor_type.element_type(), T => {
                file.dyn_tensor::<T>(name).map_err(|error| failed(path, error)).map(|stored| {
                    let fits = stored.sizes() == part.sizes;
                    if fits {
                        wanted.copy(&mut bytes, (part, T::bytes(&stored.to_vec())), &shared, size);
                    }
                    fits
                })
            });
            if !read.transpose()?.unwrap_or(false) {
                return Err(failed(path, format!("the part of `{name}` is not {:?}", part.sizes)));
            }
            copied += shared.sizes.iter().product::<usize>();
        }
        if copied < elements {
            return refuse(format!(
                "the files have {copied} of {elements} elements of a part of `{name}`"
            ));
        }
        Ok(bytes)
    }
}
