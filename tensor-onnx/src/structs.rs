//! A model as Rust structs, from the names of its tensors.

mod axes;
mod entry;
mod layers;

use std::collections::{BTreeSet, HashMap, HashSet};

use tensor_files::element::NAMES;

use crate::names::{is_needed, is_taken};
use axes::{Axes, axes};
pub use entry::Entry;
use layers::{Layers, layers};

/// A part of a model: a tensor, or named parts in order.
enum Part {
    /// The type of the tensor; `Err` with a description if Rust has no such element type.
    Tensor(Result<String, String>),
    Parts(Parts),
}

/// Named parts in order, and the index of each that is no tensor.
#[derive(Default)]
struct Parts {
    list: Vec<(String, Part)>,
    indices: HashMap<String, usize>,
}

/// The names of floats that are not trained: the running means of batch normalisations, and rotary frequencies.
const BUFFERS: [&str; 3] = ["running_mean", "running_var", "inv_freq"];

/// The most parts of a name. The rest of a longer one is a part with dots, which no field has.
const DEEPEST: usize = 64;

/// The most elements of a tuple that is a module.
const LONGEST_TUPLE: usize = 12;

/// The structs of a model, the innermost first: names with dots are nested fields, and numbers are an array if
/// all parts have the same type.
pub fn model(entries: &[Entry]) -> String {
    written(entries, &axes(entries), &Layers::default())
}

/// [`model`] with the layers of `tensor-nn` that the file has, as `cargo shapes model` writes it.
pub fn model_of_layers(entries: &[Entry]) -> String {
    let axes = axes(entries);
    written(entries, &axes, &layers(entries, &axes))
}

fn written(entries: &[Entry], axes: &Axes, layers: &Layers) -> String {
    let mut root = Parts::default();
    let mut written = BTreeSet::new();
    for entry in entries {
        let part = entry.name.rsplit_once('.').map_or("", |(part, _)| part);
        let (name, ty) = match layers.types.get(part) {
            Some(_) if !written.insert(part) => continue,
            Some(layer) => (part, Ok(layer.clone())),
            None => (&entry.name[..], typed(entry, axes)),
        };
        let path: Vec<&str> = name.splitn(DEEPEST, '.').collect();
        root.insert(&path, Part::Tensor(ty));
    }
    let mut structs = Structs::default();
    structs.names.names.extend(axes.values().map(|&name| name.to_owned()));
    structs.names.names.extend(layers.used.iter().map(|&name| name.to_owned()));
    structs.of_fields(ROOT, root.list, &Path::default());
    let structs_text = structs.written.join("\n");
    let imports = [
        ("axis", !axes.is_empty()),
        ("dim", structs_text.contains("dim!(")),
        ("shape", structs_text.contains("shape![")),
    ];
    let imports: String =
        imports.iter().filter(|(_, used)| *used).map(|(name, _)| format!(", {name}")).collect();
    let tensor = if structs_text.contains("Tensor<") { ", Tensor" } else { "" };
    let mut text = format!("use tensor_core::{{Module{tensor}{imports}}};\n");
    if !layers.used.is_empty() {
        let used: Vec<&str> = layers.used.iter().copied().collect();
        text += &format!("use tensor_nn::layers::{{{}}};\n", used.join(", "));
    }
    text.push('\n');
    if !axes.is_empty() {
        let mut named: Vec<_> = axes.iter().collect();
        named.sort_by_key(|(_, name)| **name);
        for (size, name) in named {
            text += &format!("axis!(pub {name} = {size});\n");
        }
        text.push('\n');
    }
    text + &structs_text
}

/// The structs of tensors of these names and types, without imports, and the path to each tensor: `self.fc.weight`.
pub(crate) fn structs(
    tensors: &[(&str, String)],
    used: impl IntoIterator<Item = String>,
) -> (String, HashMap<String, String>) {
    let mut root = Parts::default();
    for (name, ty) in tensors {
        let path: Vec<&str> = name.splitn(DEEPEST, '.').collect();
        root.insert(&path, Part::Tensor(Ok(ty.clone())));
    }
    let mut structs = Structs::default();
    structs.names.names.extend(used);
    structs.of_fields(ROOT, root.list, &Path { name: String::new(), rust: "self".to_owned() });
    (structs.written.join("\n"), structs.paths)
}

/// Where a part is: the first parts of its name, and the Rust expression.
#[derive(Clone, Default)]
struct Path {
    name: String,
    rust: String,
}

impl Path {
    /// The path of a part with this name, by an expression such as `.field` or `[0]`.
    fn to(&self, name: &str, rust: &str) -> Self {
        let dot = if self.name.is_empty() { "" } else { "." };
        Self { name: format!("{}{dot}{name}", self.name), rust: format!("{}{rust}", self.rust) }
    }
}

impl Parts {
    fn insert(&mut self, path: &[&str], tensor: Part) {
        let [name, rest @ ..] = path else { return };
        if rest.is_empty() {
            self.list.push(((*name).to_owned(), tensor));
            return;
        }
        let index = *self.indices.entry((*name).to_owned()).or_insert(self.list.len());
        if index == self.list.len() {
            self.list.push(((*name).to_owned(), Part::Parts(Self::default())));
        }
        if let Part::Parts(inner) = &mut self.list[index].1 {
            inner.insert(rest, tensor);
        }
    }
}

/// Whether a tensor is a field: its element type is one of Rust, and each part of its name can be that of a field.
pub fn has_field(entry: &Entry) -> bool {
    let mut parts = entry.name.splitn(DEEPEST, '.');
    NAMES.contains(&&entry.element[..]) && parts.all(|part| !part.is_empty() && !part.contains('.'))
}

/// `Tensor<shape![10, 784]>`
pub fn type_of(entry: &Entry) -> String {
    typed(entry, &Axes::new()).unwrap_or_else(|description| description)
}

fn typed(entry: &Entry, axes: &Axes) -> Result<String, String> {
    let name = |size: &u64| axes.get(size).map_or(size.to_string(), |&name| name.to_owned());
    let sizes: Vec<String> = entry.sizes.iter().map(name).collect();
    let sizes = sizes.join(", ");
    match &entry.element[..] {
        "f32" => Ok(format!("Tensor<shape![{sizes}]>")),
        element @ ("f16" | "bf16") => Ok(format!("Tensor<shape![{sizes}], half::{element}>")),
        element if NAMES.contains(&element) => Ok(format!("Tensor<shape![{sizes}], {element}>")),
        element => Err(format!("{element} [{sizes}]")),
    }
}

#[derive(Default)]
struct Structs {
    written: Vec<String>,
    /// The names of structs, by their fields.
    known: HashMap<String, String>,
    names: Used,
    /// The expression of each tensor, by its name.
    paths: HashMap<String, String>,
}

/// Names that are used.
#[derive(Default)]
pub(crate) struct Used {
    names: HashSet<String>,
    /// The number that a name gets next, for those that were used more than once.
    next: HashMap<String, usize>,
}

impl Used {
    /// The name, or the first of it with a number from 2 on that is not used.
    pub(crate) fn unique(&mut self, name: &str, separator: &str) -> String {
        if self.names.insert(name.to_owned()) {
            return name.to_owned();
        }
        let next = self.next.entry(name.to_owned()).or_insert(2);
        loop {
            let unique = format!("{name}{separator}{next}");
            *next += 1;
            if self.names.insert(unique.clone()) {
                return unique;
            }
        }
    }
}

impl Structs {
    /// The type of the part with this name; `Err` if it has none.
    fn of(&mut self, name: &str, part: Part, at: &Path) -> Result<String, String> {
        let mut parts = match part {
            Part::Tensor(ty) => {
                self.paths.insert(at.name.clone(), at.rust.clone());
                return ty;
            }
            Part::Parts(parts) => parts.list,
        };
        // Files that sort names have `10` before `2`.
        let number = |name: &str| name.parse::<usize>().ok().filter(|n| n.to_string() == name);
        if parts.iter().all(|(name, _)| number(name).is_some()) {
            parts.sort_by_key(|(name, _)| number(name));
        }
        if parts.iter().enumerate().any(|(index, (name, _))| number(name) != Some(index)) {
            return Ok(self.of_fields(&in_camel_case(name), parts, at));
        }
        let mut types: Vec<Result<String, String>> = Vec::new();
        for (index, (number, part)) in parts.into_iter().enumerate() {
            types.push(self.of(name, part, &at.to(&number, &format!("[{index}]"))));
        }
        let same = types.windows(2).all(|pair| pair[0] == pair[1]);
        match (types.iter().cloned().collect::<Result<Vec<String>, String>>(), types.len()) {
            (Ok(types), len) if same => Ok(format!("[{}; {len}]", types[0])),
            (Ok(types), ..=LONGEST_TUPLE) => {
                self.move_paths(at, |index| format!(".{index}"));
                Ok(format!("({},)", types.join(", ")))
            }
            _ => {
                let numbered = types.into_iter().enumerate();
                let fields = numbered.map(|(index, ty)| (index.to_string(), Part::Tensor(ty)));
                self.move_paths(at, |index| format!("._{index}"));
                Ok(self.of_fields(&in_camel_case(name), fields.collect(), at))
            }
        }
    }

    /// Changes the paths of what is below a list from `[0]` to a field of a tuple or a struct.
    fn move_paths(&mut self, at: &Path, field: impl Fn(&str) -> String) {
        let before = format!("{}[", at.rust);
        for path in self.paths.values_mut() {
            let Some(rest) = path.strip_prefix(&before) else { continue };
            let Some((index, rest)) = rest.split_once(']') else { continue };
            *path = format!("{}{}{rest}", at.rust, field(index));
        }
    }

    /// The struct with these fields; equal structs are written only once.
    fn of_fields(&mut self, name: &str, parts: Vec<(String, Part)>, at: &Path) -> String {
        let mut fields = String::new();
        let mut used = Used::default();
        for (name, part) in parts {
            let (field, is_same) = field(&name, &mut used);
            let ty = self.of(&name, part, &at.to(&name, &format!(".{field}")));
            match ty {
                Err(description) => {
                    fields +=
                        &format!("    // {name:?}: {description:?}, which is no element type\n");
                }
                Ok(_) if name.is_empty() || name.contains('.') => {
                    fields += &format!("    // {name:?}, which is no name of a field\n");
                }
                Ok(ty) => {
                    if BUFFERS.contains(&&name[..]) {
                        fields += "    #[module(buffer)]\n";
                    }
                    if !is_same {
                        fields += &format!("    #[module(rename = {name:?})]\n");
                    }
                    fields += &format!("    pub {field}: {ty},\n");
                }
            }
        }
        if let Some(known) = self.known.get(&fields).filter(|_| name != ROOT) {
            return known.clone();
        }
        let unique = self.names.unique(name, "");
        self.written
            .push(format!("#[derive(Clone, Debug, Module)]\npub struct {unique} {{\n{fields}}}\n"));
        self.known.insert(fields, unique.clone());
        unique
    }
}

/// The struct of the whole model.
const ROOT: &str = "Model";

/// The name of a field, and whether it equals the name in the file.
fn field(name: &str, used: &mut Used) -> (String, bool) {
    let mut field = String::new();
    for c in name.chars() {
        // `LayerNorm` is `layer_norm`.
        if c.is_ascii_uppercase() && field.ends_with(|last: char| last.is_ascii_lowercase()) {
            field.push('_');
        }
        // Rust warns about two underscores in a row.
        match c.is_ascii_alphanumeric() {
            true => field.push(c),
            false if field.ends_with('_') => {}
            false => field.push('_'),
        }
    }
    if field.starts_with(|c: char| c.is_ascii_digit()) || field.is_empty() {
        field.insert(0, '_');
    }
    field = field.to_lowercase();
    if is_taken(&field) {
        field.push('_');
    }
    let separator = if field.ends_with('_') { "" } else { "_" };
    let field = used.unique(&field, separator);
    let is_same = field == name;
    (field, is_same)
}

fn in_camel_case(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let camel: String = words
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or(String::new(), |first| {
                first.to_ascii_uppercase().to_string() + letters.as_str()
            })
        })
        .collect();
    match camel.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true if is_needed(&camel) => camel + "Part",
        true => camel,
        false => format!("Part{camel}"),
    }
}
