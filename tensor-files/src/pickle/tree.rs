//! The tensors of the dicts and lists that a pickle makes, by name.

use std::collections::HashSet;

use super::error::PickleError;
use super::machine::Machine;
use super::value::{Id, Tensor, Value};

/// A tensor whose elements are in an entry of the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTensor {
    /// The keys that lead to it, with dots between them: `fc.weight`, `optimizer.state.0.exp_avg`.
    pub name: String,
    /// The element type, as Rust names it, or as PyTorch does if Rust has none.
    pub element: &'static str,
    /// The entry of the archive with its elements: `data/KEY` next to the pickle.
    pub key: String,
    /// The number of elements of the storage before the first one.
    pub offset: u64,
    /// The sizes of the axes.
    pub sizes: Vec<u64>,
    /// The strides of the axes, in elements. Two elements of the tensor are one of the storage only along axes of stride 0,
    /// those of `expand`.
    pub strides: Vec<u64>,
    /// Whether the elements have the other sign than those of the storage, which are floats: `x.conj().imag`.
    pub negated: bool,
}

/// An object that is not read, as its class or the function that makes it is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The keys that lead to it, with dots between them; empty if the pickle is this object.
    pub name: String,
    /// The class or the function: `argparse.Namespace`.
    pub class: String,
}

/// What a pickle has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The tensors, in the order of the pickle.
    pub tensors: Vec<StoredTensor>,
    /// The objects beside them that are not read. A tensor in one of them is not read either.
    pub skipped: Vec<Skipped>,
}

/// How deep dicts and lists may be nested.
const DEEPEST: usize = 100;

/// How many bytes all that is returned may have, for each byte of the pickle: keys and tensors may be named again.
const RESULT_BYTES: usize = 16;

/// The most elements that all expanded tensors of a pickle have: a few bytes of a file may expand to any number.
const MOST_EXPANDED: u64 = 1 << 22;

/// The tensors of a pickle that `torch.save` wrote, in its order. Numbers, texts, sets, devices and other values of
/// Python's library and of PyTorch are left out; objects of other classes are listed.
///
/// Time and memory are bounded by the length of the pickle: it may make one value, of 32 bytes, for two of its bytes, and
/// at most 16,777,216 values.
///
/// # Errors
///
/// If the pickle is damaged, has no tensors but objects of unknown classes, or describes tensors whose
/// elements are outside of their storage, or overlap. Expanded tensors, which have a stride of 0, have at most 4,194,304
/// elements together.
///
/// ```
/// assert_eq!(tensor_files::pickle::read(b"\x80\x02}.")?.tensors, []);
/// # Ok::<(), tensor_files::pickle::PickleError>(())
/// ```
pub fn read(pickle: &[u8]) -> Result<Contents, PickleError> {
    let (machine, root, len) = Machine::run(pickle)?;
    contents(&machine, root, len)
}

/// The tensors below the result of a pickle of `len` bytes.
pub(crate) fn contents(
    machine: &Machine<'_>,
    root: Id,
    len: usize,
) -> Result<Contents, PickleError> {
    let mut tree = Tree {
        visits: len,
        result_bytes: len.saturating_mul(RESULT_BYTES),
        expanded: MOST_EXPANDED,
        machine,
        found: Contents::default(),
        names: HashSet::new(),
    };
    tree.walk(root)?;
    match &tree.found.skipped[..] {
        [skipped, ..] if tree.found.tensors.is_empty() => Err(without_tensors(skipped)),
        _ => Ok(tree.found),
    }
}

/// The error of a pickle that has no tensor but in objects that are not read.
fn without_tensors(Skipped { name, class }: &Skipped) -> PickleError {
    let what = match &name[..] {
        "" => "is".to_owned(),
        name => format!("has no tensors, and under `{name}`"),
    };
    PickleError::new(match class.strip_prefix("__torch__.") {
        Some(class) => format!(
            "the pickle {what} a program of TorchScript, `{class}`, which is not read: save its `state_dict()`"
        ),
        None => format!(
            "the pickle {what} an object of `{class}`, which is not read: save a state dict of tensors alone"
        ),
    })
}

struct Tree<'a> {
    machine: &'a Machine<'a>,
    /// The number of values that may still be visited. A value is visited again for each reference, so
    /// without a limit a pickle of a few bytes could take forever.
    visits: usize,
    result_bytes: usize,
    /// The number of elements that expanded tensors may still have.
    expanded: u64,
    found: Contents,
    names: HashSet<String>,
}

/// A dict or a list that is being visited.
struct Level {
    id: Id,
    /// The number of the next item.
    next: usize,
    /// The length of the name above its items.
    name: usize,
}

impl Tree<'_> {
    /// Visits all values below the root.
    fn walk(&mut self, root: Id) -> Result<(), PickleError> {
        let mut name = String::new();
        let mut levels: Vec<Level> = Vec::new();
        self.enter(root, &name, &mut levels)?;
        while let Some(level) = levels.last_mut() {
            name.truncate(level.name);
            let (id, number) = (level.id, level.next);
            level.next += 1;
            let (key, item) = match self.machine.value(id) {
                Value::Dict(items) if number < items.len() / 2 => {
                    (self.key(items[2 * number]), items[2 * number + 1])
                }
                Value::List(items) if number < items.len() => {
                    (Some(number.to_string()), items[number])
                }
                Value::Tuple(items) if number < items.len as usize => {
                    (Some(number.to_string()), self.machine.tuple_of(*items)[number])
                }
                _ => {
                    levels.pop();
                    continue;
                }
            };
            let Some(key) = key else { continue };
            if !name.is_empty() {
                name.push('.');
            }
            name += &key;
            self.enter(item, &name, &mut levels)?;
        }
        Ok(())
    }

    /// The key of a dict as a part of a name; `None` for one that is neither text nor an integer.
    fn key(&self, id: Id) -> Option<String> {
        match *self.machine.value(id) {
            Value::Text(span) => Some(self.machine.text(span).to_owned()),
            Value::Integer(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// Notes a tensor, or begins with a dict or a list.
    fn enter(&mut self, id: Id, name: &str, levels: &mut Vec<Level>) -> Result<(), PickleError> {
        self.visits = self.visits.checked_sub(1).ok_or_else(spent)?;
        self.spend(name.len())?;
        match *self.machine.value(id) {
            Value::Tensor(call) => {
                let tensor = self.machine.tensor(call)?;
                let tensor = self.stored(tensor, name);
                let (sizes, strides) = (&tensor.sizes[..], &tensor.strides[..]);
                self.spend(tensor.key.len() + size_of_val(sizes) + size_of_val(strides))?;
                self.expand(&tensor)?;
                if !self.names.insert(name.to_owned()) {
                    return Err(PickleError::new(format!("two tensors have the name `{name}`")));
                }
                self.found.tensors.push(tensor);
            }
            Value::Object(class) => {
                let class = self.machine.name_of(class);
                self.spend(class.len())?;
                self.found.skipped.push(Skipped { name: name.to_owned(), class });
            }
            Value::Dict(_) | Value::List(_) | Value::Tuple(_) => {
                if levels.len() == DEEPEST {
                    let message = format!(
                        "dicts and lists are nested {DEEPEST} deep, and no deeper ones are read"
                    );
                    return Err(PickleError::new(message));
                }
                levels.push(Level { id, next: 0, name: name.len() });
            }
            _ => {}
        }
        Ok(())
    }

    fn spend(&mut self, bytes: usize) -> Result<(), PickleError> {
        self.result_bytes = self.result_bytes.checked_sub(bytes).ok_or_else(spent)?;
        Ok(())
    }

    /// Counts the elements of a tensor with an axis of stride 0.
    fn expand(&mut self, tensor: &StoredTensor) -> Result<(), PickleError> {
        let mut axes = tensor.sizes.iter().zip(&tensor.strides);
        if tensor.sizes.contains(&0) || axes.all(|(&size, &stride)| size == 1 || stride > 0) {
            return Ok(());
        }
        let count = tensor.sizes.iter().try_fold(1_u64, |count, &size| count.checked_mul(size));
        let left = count.and_then(|count| self.expanded.checked_sub(count));
        self.expanded = left.ok_or_else(|| {
            PickleError::new(format!(
                "`{}` is expanded to the sizes {:?}, and expanded tensors of at most {MOST_EXPANDED} elements together \
                 are read: save it as `contiguous()`",
                tensor.name, tensor.sizes
            ))
        })?;
        Ok(())
    }

    /// The tensor as it is returned.
    fn stored(&self, tensor: Tensor, name: &str) -> StoredTensor {
        let Tensor { element, key, offset, sizes, strides, negated } = tensor;
        let (name, key) = (name.to_owned(), self.machine.text(key).to_owned());
        StoredTensor { name, element, key, offset, sizes, strides, negated }
    }
}

/// The error where values are named again so often that time and memory are not bounded by the pickle.
fn spent() -> PickleError {
    PickleError::new("the pickle names the same values again and again")
}
