//! From the bytes of a model to Rust.

mod control;

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use tensor_files::escaped;

use crate::element::Element;
use crate::error::{Error, Refusal};
use crate::function::{Function, Value, Weight};
use crate::known::Known;
use crate::lower::{Call, check_elements, row};
use crate::names::IMPORTS;
use crate::proto::{self, Graph, Model, Node, damaged};
use crate::reason::{Reason, Reasoned};
use crate::structs::structs;
use crate::sym::{Sym, product};
use crate::weights::{Conversion, Stored};

/// The versions of operators that are written.
const OPSETS: std::ops::RangeInclusive<i64> = 7..=28;

/// The most elements of a tensor. Products of sizes cannot overflow below it.
const MOST_ELEMENTS: i64 = 1 << 48;

/// The largest size of an axis.
const LARGEST_SIZE: usize = 1 << 40;

/// What a conversion fixes.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The name of the model in the documentation of the Rust file.
    pub name: String,
    /// Inputs that are constants: their elements as text, so that each element type has its numbers exactly.
    pub constants: BTreeMap<String, Vec<String>>,
    /// Sizes of axes that the model leaves open, by their names.
    pub sizes: BTreeMap<String, usize>,
}

impl Options {
    /// Makes an input a constant with these elements: a shape, axes, or a number of elements. Truth values are `true` and
    /// `false`, or 1 and 0.
    #[must_use]
    pub fn constant<T: ToString>(
        mut self,
        name: &str,
        elements: impl IntoIterator<Item = T>,
    ) -> Self {
        let elements = elements.into_iter().map(|element| element.to_string());
        self.constants.insert(name.to_owned(), elements.collect());
        self
    }

    /// Fixes the size of an axis that the model leaves open. The name is that of the model, or `INPUT_axis0` of an axis
    /// without one.
    #[must_use]
    pub fn size(mut self, name: &str, size: usize) -> Self {
        self.sizes.insert(name.to_owned(), size);
        self
    }
}

/// Writes a model in Rust. `folder` is that of the file, for data in other files.
///
/// # Errors
///
/// The model is damaged, has nodes that cannot be written in Rust, or lacks what the options name.
pub fn convert(
    bytes: &[u8],
    folder: Option<&Path>,
    options: &Options,
) -> Result<Conversion, Error> {
    let model = proto::model(bytes).map_err(Error::Damaged)?;
    let mut writer = Writer::new(&model, folder, options);
    writer.write(&model)
}

/// Why a node has no results.
enum Stop {
    /// It is refused. Without words, a node of its graph is.
    Refused(Reason),
    Failed(Error),
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Self {
        Self::Refused(reason)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

struct Writer<'a, 'o> {
    f: Function<'a>,
    /// The values by their names; `None` for those of nodes that are refused.
    values: HashMap<&'a str, Option<Value<'a>>>,
    /// Their names in the order in which they were defined.
    defined: Vec<&'a str>,
    /// How many nodes and outputs use each value.
    uses: HashMap<&'a str, usize>,
    refusals: Vec<Refusal>,
    opsets: Vec<(&'a str, i64)>,
    folder: Option<&'o Path>,
    options: &'o Options,
}

impl<'a, 'o> Writer<'a, 'o> {
    fn new(model: &Model<'a>, folder: Option<&'o Path>, options: &'o Options) -> Self {
        Self {
            f: Function::default(),
            values: HashMap::new(),
            defined: Vec::new(),
            uses: HashMap::new(),
            refusals: Vec::new(),
            opsets: model.opsets.clone(),
            folder,
            options,
        }
    }

    fn opset(&self, domain: &str) -> i64 {
        let is = |other: &str| domain == other || domain.is_empty() && other == "ai.onnx";
        self.opsets.iter().find(|(other, _)| is(other)).map_or(1, |&(_, version)| version)
    }

    fn write(&mut self, model: &Model<'a>) -> Result<Conversion, Error> {
        let Some(graph) = &model.graph else {
            return Err(Error::Damaged(damaged("it has no graph")));
        };
        let opset = self.opset("");
        if !OPSETS.contains(&opset) && graph.nodes.iter().any(|node| node.domain.is_empty()) {
            let (first, last) = (OPSETS.start(), OPSETS.end());
            return Err(Error::Damaged(format!(
                "the model uses opset {opset}; opsets {first} to {last} are written: \
                 `onnx.version_converter` converts others"
            )));
        }
        if graph.sparse > 0 {
            return Err(Error::Damaged(
                "the model has sparse initializers, which are not written".to_owned(),
            ));
        }
        if graph.outputs.is_empty() {
            return Err(Error::Damaged(damaged("it has no outputs")));
        }
        self.use_names(graph);
        self.initializers(graph)?;
        self.check_options(graph)?;
        let parameters = self.inputs(graph)?;
        self.nodes(&graph.nodes)?;
        let results = self.outputs(graph)?;
        let Some(results) = results.filter(|_| self.refusals.is_empty()) else {
            return Err(Error::Refused(std::mem::take(&mut self.refusals)));
        };
        self.finish(graph, &parameters, &results).map_err(|reason| {
            let Reason { why, instead, constants } = reason;
            Error::Refused(vec![Refusal {
                operator: "output".to_owned(),
                opset: 0,
                node: output_names(graph).join(", "),
                reason: why,
                instead,
                constants,
            }])
        })
    }

    fn use_names(&mut self, graph: &Graph<'a>) {
        for node in &graph.nodes {
            self.count_uses(node.inputs.iter().copied());
            for graph in node.attributes.iter().filter_map(|attribute| attribute.graph.as_ref()) {
                self.use_names(graph);
            }
        }
        self.count_uses(graph.outputs.iter().map(|output| output.name));
    }

    fn count_uses(&mut self, names: impl Iterator<Item = &'a str>) {
        for name in names {
            *self.uses.entry(name).or_default() += 1;
        }
    }

    fn known(folder: Option<&Path>, tensor: &proto::Tensor<'a>) -> Result<Known<'a>, String> {
        Known::of(tensor, |tensor, bytes| crate::external::read(folder, tensor, bytes))
    }

    fn initializers(&mut self, graph: &Graph<'a>) -> Result<(), Error> {
        for tensor in &graph.initializers {
            let known = Self::known(self.folder, tensor);
            let known = known.map_err(|problem| {
                Error::Damaged(format!("initializer {:?} has {problem}", tensor.name))
            })?;
            let value = Value { weight: Some(tensor.name), ..Value::known(known) };
            self.define(tensor.name, Some(value))?;
        }
        Ok(())
    }

    /// Names a value, which no other value that is known has as its name: not one of a graph around this one either.
    fn define(&mut self, name: &'a str, value: Option<Value<'a>>) -> Result<(), Error> {
        match self.values.entry(name) {
            Entry::Vacant(entry) => drop(entry.insert(value)),
            Entry::Occupied(_) => {
                return Err(Error::Damaged(damaged(&format!("two values are named {name:?}"))));
            }
        }
        self.defined.push(name);
        Ok(())
    }

    /// The outputs of a graph; `None` if nodes that they depend on are refused.
    fn outputs(&self, graph: &Graph<'a>) -> Result<Option<Vec<Value<'a>>>, Error> {
        let value = |output: &proto::ValueInfo<'a>| match self.values.get(output.name) {
            Some(value) => Ok(value.clone()),
            None => {
                let problem = format!("output {:?} is not computed", output.name);
                Err(Error::Damaged(damaged(&problem)))
            }
        };
        graph.outputs.iter().map(value).collect()
    }

    /// Refuses options for what the model does not have.
    fn check_options(&self, graph: &Graph<'a>) -> Result<(), Error> {
        let inputs = graph.inputs.iter().filter(|input| !self.values.contains_key(input.name));
        let (mut names, mut sizes) = (BTreeSet::new(), BTreeSet::new());
        for input in inputs {
            names.insert(input.name.to_owned());
            let axes = input.axes.iter().flatten().enumerate();
            sizes.extend(axes.filter_map(|(axis, size)| size_name(input.name, axis, size)));
        }
        let list = |names: &BTreeSet<String>| {
            let names: Vec<String> =
                names.iter().map(|name| format!("`{}`", escaped(name))).collect();
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        };
        if let Some(name) = self.options.constants.keys().find(|name| !names.contains(*name)) {
            let (name, names) = (escaped(name), list(&names));
            return Err(Error::Options(format!(
                "the model has no input `{name}` that could be a constant; its inputs: {names}"
            )));
        }
        if let Some(name) = self.options.sizes.keys().find(|name| !sizes.contains(*name)) {
            let (name, sizes) = (escaped(name), list(&sizes));
            return Err(Error::Options(format!(
                "the model has no open size `{name}`; its open sizes: {sizes}"
            )));
        }
        let large = self.options.sizes.iter().find(|(_, size)| **size > LARGEST_SIZE);
        large.map_or(Ok(()), |(name, size)| {
            let name = escaped(name);
            Err(Error::Options(format!(
                "size {size} of `{name}`; a size is at most {LARGEST_SIZE}"
            )))
        })
    }

    /// The constant that the options make of an input with these sizes.
    fn constant(
        &self,
        name: &str,
        element: Element,
        dims: &[Sym],
        texts: &[String],
    ) -> Result<Known<'a>, Error> {
        let name = escaped(name);
        let sizes: Option<Vec<usize>> = dims.iter().map(Sym::size).collect();
        let sizes = match (sizes, dims) {
            (Some(sizes), _) => sizes,
            (None, [_]) => vec![texts.len()],
            (None, _) => {
                return Err(Error::Options(format!(
                    "the constant `{name}` has open sizes: `--size NAME=NUMBER` fixes them"
                )));
            }
        };
        let (count, given) = (sizes.iter().product::<usize>(), texts.len());
        if count != given {
            return Err(Error::Options(format!(
                "input `{name}` has sizes {sizes:?}: a constant needs {count} elements, and has {given}"
            )));
        }
        Known::parsed(element, sizes, texts).map_err(|text| {
            let (text, element) = (escaped(text), element.name());
            Error::Options(format!(
                "input `{name}` has elements of type {element}: `{text}` is no such number"
            ))
        })
    }

    /// The parameters of the function: their names and values.
    fn inputs(&mut self, graph: &Graph<'a>) -> Result<Vec<(String, Value<'a>)>, Error> {
        let mut parameters = Vec::new();
        for input in &graph.inputs {
            if self.values.contains_key(input.name) {
                continue;
            }
            let refuse = |reason: String, instead: &str| Refusal {
                operator: "input".to_owned(),
                opset: 0,
                node: input.name.to_owned(),
                reason,
                instead: format!("export the model with {instead}"),
                constants: Vec::new(),
            };
            let element = match input.element.map(Element::of) {
                Some(Ok(element)) => element,
                Some(Err(name)) => {
                    let reason = format!("elements of type {name}, which Rust lacks");
                    self.refusals.push(refuse(reason, "another element type"));
                    self.values.insert(input.name, None);
                    continue;
                }
                None => {
                    let reason = "a type other than a tensor".to_owned();
                    self.refusals.push(refuse(reason, "tensors as inputs"));
                    self.values.insert(input.name, None);
                    continue;
                }
            };
            let Some(axes) = &input.axes else {
                let reason = "an unknown number of axes".to_owned();
                self.refusals.push(refuse(reason, "an input of fixed rank"));
                self.values.insert(input.name, None);
                continue;
            };
            let mut dims = Vec::new();
            for (axis, size) in axes.iter().enumerate() {
                dims.push(match *size {
                    proto::Axis::Size(size) => match usize::try_from(size) {
                        Ok(size) if size <= LARGEST_SIZE => Sym::from(size),
                        _ => {
                            let problem = format!("input {:?} has size {size}", input.name);
                            return Err(Error::Damaged(damaged(&problem)));
                        }
                    },
                    proto::Axis::Named(_) | proto::Axis::Unknown => {
                        let name = size_name(input.name, axis, size).unwrap_or_default();
                        match (self.options.sizes.get(&name), size) {
                            (Some(&size), _) => Sym::from(size),
                            (None, proto::Axis::Named(name)) => self.f.axis(name),
                            (None, _) => self.f.new_axis(&name),
                        }
                    }
                });
            }
            // Sizes that stay open may be 1.
            let count = product(dims.iter().filter(|dim| dim.number().is_some()));
            if count.and_then(|count| count.number()).is_none_or(|count| count > MOST_ELEMENTS) {
                let problem = format!("input {:?} has sizes that fit into no memory", input.name);
                return Err(match self.options.sizes.is_empty() {
                    true => Error::Damaged(damaged(&problem)),
                    false => Error::Options(problem),
                });
            }
            if let Some(texts) = self.options.constants.get(input.name) {
                let known = self.constant(input.name, element, &dims, texts)?;
                self.values.insert(input.name, Some(Value::known(known)));
                continue;
            }
            let (local, mut value) = self.f.input(input.name, element, dims);
            value.sources = BTreeSet::from([input.name]);
            parameters.push((local, value.clone()));
            self.values.insert(input.name, Some(value));
        }
        Ok(parameters)
    }

    fn nodes(&mut self, nodes: &[Node<'a>]) -> Result<(), Error> {
        for node in nodes {
            self.node(node)?;
        }
        Ok(())
    }

    fn node(&mut self, node: &Node<'a>) -> Result<(), Error> {
        let mut inputs = Vec::new();
        let mut is_refused = false;
        for &name in &node.inputs {
            match self.values.get(name) {
                _ if name.is_empty() => inputs.push(None),
                Some(Some(value)) => inputs.push(Some(value.clone())),
                Some(None) => is_refused = true,
                None => {
                    let problem = format!(
                        "input {name:?} of a node {:?} is not computed before it",
                        node.operator
                    );
                    return Err(Error::Damaged(damaged(&problem)));
                }
            }
        }
        let is_written = row(node.operator).is_some() || control::is_control(node.operator);
        let results = match is_refused && is_written {
            true => None,
            false => match self.call(node, inputs) {
                Ok(results) => Some(results),
                Err(Stop::Refused(reason)) => {
                    self.refuse(node, reason);
                    None
                }
                Err(Stop::Failed(error)) => return Err(error),
            },
        };
        for (index, &name) in node.outputs.iter().enumerate() {
            if name.is_empty() {
                continue;
            }
            let value = results.as_ref().and_then(|results| results.get(index)).cloned();
            if value.is_none() && results.is_some() && self.uses.contains_key(name) {
                let reason = Reason::from(format!("output {index}, which is not written"));
                self.refuse(node, reason);
            }
            self.define(name, value)?;
        }
        Ok(())
    }

    fn refuse(&mut self, node: &Node<'a>, reason: Reason) {
        let Reason { why, instead, constants } = reason;
        if why.is_empty() {
            return;
        }
        let names = [node.name, node.outputs.first().copied().unwrap_or_default()];
        let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        let operator = match node.domain {
            "" => node.operator.to_owned(),
            domain => format!("{domain}.{}", node.operator),
        };
        let opset = self.opset(node.domain);
        let node = name.to_owned();
        self.refusals.push(Refusal { operator, opset, node, reason: why, instead, constants });
    }

    /// The results of a node.
    fn call(
        &mut self,
        node: &Node<'a>,
        inputs: Vec<Option<Value<'a>>>,
    ) -> Result<Vec<Value<'a>>, Stop> {
        let is_standard = ["", "ai.onnx", "ai.onnx.preview", "ai.onnx.ml"].contains(&node.domain);
        if inputs.iter().flatten().any(|value| value.rank() > 16) {
            return Err(Reason::from("a tensor with more than 16 axes").into());
        }
        let sources = inputs.iter().flatten().flat_map(|value| value.sources.iter().copied());
        self.f.sources = sources.collect();
        let results = match control::is_control(node.operator) && is_standard {
            true => self.control(node, inputs)?,
            false => self.row(node, inputs, is_standard)?,
        };
        let fits = |value: &Value<'a>| match value.count() {
            Some(count) => count.number().is_none_or(|count| count <= MOST_ELEMENTS),
            None => false,
        };
        let large = results.iter().find(|value| !fits(value));
        if let Some(sizes) = large.and_then(Value::sizes) {
            let why = format!("a tensor of sizes {sizes:?}, which fit into no memory");
            return Err(Reason::from(why).into());
        }
        let sources = &self.f.sources;
        let each = results.into_iter().map(|mut value| {
            value.sources.extend(sources.iter().copied());
            value
        });
        Ok(each.collect())
    }

    /// The results of a node without graphs.
    fn row(
        &mut self,
        node: &Node<'a>,
        inputs: Vec<Option<Value<'a>>>,
        is_standard: bool,
    ) -> Reasoned<Vec<Value<'a>>> {
        let Some(row) = row(node.operator).filter(|_| is_standard) else {
            return Err(Reason::new(
                "an operator that is not written",
                "export the model without it",
            ));
        };
        check_elements(node.operator, &inputs)?;
        let folder = self.folder;
        let tensor = |tensor: &proto::Tensor<'a>| Self::known(folder, tensor);
        let needed = node.outputs.iter().map(|name| self.uses.contains_key(name)).collect();
        let uses = node.inputs.iter().map(|name| self.uses.get(name).copied().unwrap_or_default());
        let uses = uses.collect();
        let opset = self.opset(if node.domain == "ai.onnx" { "" } else { node.domain });
        row(&mut Call { f: &mut self.f, node, opset, inputs, uses, needed, tensor: &tensor })
    }

    fn finish(
        &mut self,
        graph: &Graph<'a>,
        parameters: &[(String, Value<'a>)],
        results: &[Value<'a>],
    ) -> Result<Conversion, Reason> {
        let mut f = std::mem::take(&mut self.f);
        let is_fallible = f.is_fallible;
        let mut types = Vec::new();
        let mut texts = Vec::new();
        for value in results {
            types.push(f.tensor(value.element, &value.dims));
            texts.push(f.owned(value)?);
        }
        let (mut ty, mut text) = match &types[..] {
            [one] => (one.clone(), texts.remove(0)),
            _ => (format!("({})", types.join(", ")), format!("({})", texts.join(", "))),
        };
        if f.is_fallible {
            ty = format!("Result<{ty}, IndexError>");
            text = format!("Ok({text})");
        }
        let mut arguments = Vec::new();
        for (name, value) in parameters {
            arguments.push(format!("{name}: &{}", f.tensor(value.element, &value.dims)));
        }
        let (mut body, axes, mut weights) = f.finish(&text);
        shorten(&mut weights);
        let mut stored = Vec::new();
        let mut fields = Vec::new();
        for weight in &weights {
            fields.push((&weight.name[..], weight.ty()));
            stored.push(Stored {
                name: weight.name.clone(),
                element: weight.known.element,
                sizes: weight.known.sizes.clone(),
                bytes: weight.known.to_bytes().ok_or("weights that are sizes")?.into_owned(),
            });
        }
        let (declared, paths) = structs(&fields, axes.iter().cloned());
        for weight in &weights {
            let path = paths.get(&weight.name).ok_or("a name that no field has")?;
            body = body.replace(&weight.mark, path);
        }
        let mut source = String::new();
        for axis in axes.iter().filter(|axis| {
            let whole = format!("{declared}{body}{}{ty}", arguments.join(","));
            whole
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .any(|word| word == axis.as_str())
        }) {
            source += &format!("axis!(pub {axis});\n");
        }
        let outputs = output_names(graph);
        let computes = format!(
            "Computes {}.",
            outputs
                .iter()
                .map(|name| format!("`{}`", escaped(name)))
                .collect::<Vec<_>>()
                .join(", ")
        );
        if stored.is_empty() {
            source += &format!(
                "\n/// {computes}\npub fn forward({}) -> {ty} {{\n{body}\n}}\n",
                arguments.join(", ")
            );
        } else {
            source += &format!(
                "\n{declared}\nimpl Model {{\n/// {computes}\npub fn forward(&self, {}) -> {ty} {{\n{body}\n}}\n}}\n",
                arguments.join(", ")
            );
        }
        let name = match &self.options.name[..] {
            "" => "An ONNX model".to_owned(),
            name => format!("The model `{}`", escaped(name)),
        };
        let imports = imports(&source);
        let needs = match imports.contains("tensor_nn::") {
            true => " Attention is that of tensor-nn: `cargo add tensor-nn`.",
            false => "",
        };
        let about = format!("//! {name} in Rust, written by `cargo shapes onnx`.{needs}\n\n");
        let source = about + &imports + "\n" + &source;
        let inputs =
            parameters.iter().map(|(_, value)| value.sources.iter().copied().collect()).collect();
        Ok(Conversion { source, weights: stored, inputs, is_fallible })
    }
}

/// The names of the outputs.
fn output_names<'a>(graph: &Graph<'a>) -> Vec<&'a str> {
    graph.outputs.iter().map(|output| output.name).filter(|name| !name.is_empty()).collect()
}

/// The name of the size of an axis that the model leaves open.
fn size_name(input: &str, axis: usize, size: &proto::Axis<'_>) -> Option<String> {
    match *size {
        proto::Axis::Size(_) => None,
        proto::Axis::Named(name) => Some(name.to_owned()),
        proto::Axis::Unknown => Some(format!("{input}_axis{axis}")),
    }
}

/// Leaves out the parts that all names begin with.
fn shorten(weights: &mut [Weight<'_>]) {
    while let Some((first, _)) = weights.first().and_then(|weight| weight.name.split_once('.')) {
        let first = format!("{first}.");
        let is_shared = |weight: &Weight<'_>| {
            weight
                .name
                .strip_prefix(&first)
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
        };
        if !weights.iter().all(is_shared) {
            return;
        }
        for weight in weights.iter_mut() {
            weight.name.drain(..first.len());
        }
    }
}

/// The imports that the source needs.
fn imports(source: &str) -> String {
    // The documentation has names of the model.
    let code: Vec<&str> = source.lines().filter(|line| !line.starts_with("///")).collect();
    let code = code.join("\n");
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let has = |pattern: &str| {
        code.match_indices(pattern).any(|(at, _)| {
            let before = code[..at].chars().next_back();
            let after = code[at + pattern.len()..].chars().next();
            let is_within = before.is_some_and(|c| is_name(c) || c == '.');
            let goes_on = pattern.ends_with(is_name) && after.is_some_and(is_name);
            !(is_within || goes_on)
        })
    };
    let mut text = String::new();
    for module in [
        "half",
        "tensor_core::functional",
        "tensor_core::trace",
        "tensor_core::windows",
        "tensor_core",
        "tensor_nn::layers",
    ] {
        let names = IMPORTS.iter().filter(|(of, _, code)| *of == module && has(code));
        let names: Vec<&str> = names.map(|row| row.1).collect();
        if !names.is_empty() {
            text += &format!("use {module}::{{{}}};\n", names.join(", "));
        }
    }
    text
}
