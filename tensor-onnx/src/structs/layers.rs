//! Layers of `tensor-nn` in a file: tensors that have the names and the shapes of a layer, and of that one alone.

use std::collections::{BTreeMap, BTreeSet};

use super::Entry;
use super::axes::{Axes, POSITIONS, WORDS};

/// The layers of a file, by the names of their parts, and the types of `tensor-nn` that they need.
#[derive(Default)]
pub(super) struct Layers {
    pub(super) types: BTreeMap<String, String>,
    pub(super) used: BTreeSet<&'static str>,
}

/// The tensors of a part, by the last parts of their names.
type Tensors<'a> = BTreeMap<&'a str, &'a Entry>;

/// Finds the layers.
pub(super) fn layers(entries: &[Entry], axes: &Axes) -> Layers {
    let mut parts: BTreeMap<&str, Tensors<'_>> = BTreeMap::new();
    for entry in entries {
        if let Some((part, tensor)) = entry.name.rsplit_once('.') {
            parts.entry(part).or_default().insert(tensor, entry);
        }
    }
    let file = File {
        has_images: entries.iter().any(|entry| entry.sizes.len() == 4),
        is_in_out: parts.values().any(is_in_out),
        axes,
    };
    let mut layers = Layers::default();
    for (part, tensors) in &parts {
        // A part with parts of its own is no layer.
        let below = format!("{part}.");
        let inner = parts.range(&below[..]..).next();
        if inner.is_some_and(|(name, _)| name.starts_with(&below)) {
            continue;
        }
        if let Some((layer, arguments)) = file.layer(part, tensors) {
            layers.types.insert((*part).to_owned(), format!("{layer}<{arguments}>"));
            layers.used.insert(layer);
        }
    }
    layers
}

/// Whether it is a linear layer whose weight is `[in, out]`, as those of GPT-2: then square weights of the file may be so,
/// too.
fn is_in_out(tensors: &Tensors<'_>) -> bool {
    let sizes = |name: &str| tensors.get(name).map(|entry| &entry.sizes[..]);
    matches!((sizes("weight"), sizes("bias")), (Some([o, i]), Some([n])) if n == i && n != o)
}

struct File<'a> {
    has_images: bool,
    is_in_out: bool,
    axes: &'a Axes,
}

impl File<'_> {
    /// The layer and the arguments of its type.
    fn layer(&self, part: &str, tensors: &Tensors<'_>) -> Option<(&'static str, String)> {
        let weight = tensors.get("weight")?;
        let element = match &weight.element[..] {
            "f32" => "",
            "f64" => ", f64",
            "f16" => ", half::f16",
            "bf16" => ", half::bf16",
            _ => return None,
        };
        let is_count = |name: &str, entry: &Entry| {
            name == "num_batches_tracked" && entry.element == "i64" && entry.sizes.is_empty()
        };
        let same = |(name, entry): (&&str, &&Entry)| {
            entry.element == weight.element || is_count(name, entry)
        };
        let axis = |size: &u64| {
            self.axes.get(size).map_or_else(|| format!("dim!({size})"), |&name| name.to_owned())
        };
        let sizes = |name: &str| tensors.get(name).map(|entry| &entry.sizes[..]);
        let names: Vec<&str> = tensors.keys().copied().collect();
        let last = part.rsplit('.').next().unwrap_or(part);
        if !tensors.iter().all(same) {
            return None;
        }
        Some(match (&names[..], &weight.sizes[..]) {
            (["weight"], [rows, columns]) if WORDS.contains(&last) || POSITIONS.contains(&last) => {
                ("Embedding", format!("{}, {}{element}", axis(rows), axis(columns)))
            }
            (["bias", "weight"], [o, i]) if sizes("bias") == Some(&[*o]) && !self.is_in_out => {
                ("Linear", format!("{}, {}{element}", axis(i), axis(o)))
            }
            (["bias", "weight"], [n]) if sizes("bias") == Some(&[*n]) && is_layer_norm(last) => {
                ("LayerNorm", format!("{}{element}", axis(n)))
            }
            (["bias", "num_batches_tracked", "running_mean", "running_var", "weight"], [c])
                if ["bias", "running_mean", "running_var"]
                    .iter()
                    .all(|name| sizes(name) == Some(&[*c]))
                    && sizes("num_batches_tracked") == Some(&[]) =>
            {
                let layer = if self.has_images { "BatchNorm2d" } else { "BatchNorm1d" };
                (layer, format!("{}{element}", axis(c)))
            }
            _ => return None,
        })
    }
}

/// Whether a part is called a layer normalisation: a weight and a bias alone may be those of other normalisations.
fn is_layer_norm(name: &str) -> bool {
    let name = name.to_lowercase().replace('_', "");
    name.contains("layernorm")
        || name.trim_end_matches(|c: char| c.is_ascii_digit()) == "ln"
        || name == "lnf"
}
