//! The function that is written: values, statements, and which of them are moved or left out.

mod bodies;

pub use bodies::{Loop, State};

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use crate::element::Element;
use crate::known::Known;
use crate::names::{Names, axis_name, local_name};
use crate::structs::Used;
use crate::sym::{Sym, Variable, product};

/// A value of the graph: a tensor.
#[derive(Clone, Debug)]
pub struct Value<'a> {
    pub element: Element,
    pub dims: Vec<Sym>,
    /// Its elements, if they are known when the model is converted.
    pub known: Option<Rc<Known<'a>>>,
    /// The name of an initializer.
    pub weight: Option<&'a str>,
    /// The inputs of the model that it is computed from.
    pub sources: BTreeSet<&'a str>,
    pub place: Rc<OnceCell<Place>>,
}

/// Where a tensor is.
#[derive(Clone, Debug)]
pub enum Place {
    /// An owned variable.
    Local(String),
    /// A variable that is a reference.
    Borrowed(String),
    /// A field of the model, or an expression.
    Expression(String),
}

impl<'a> Value<'a> {
    /// A tensor with known elements.
    pub fn known(known: Known<'a>) -> Self {
        Self {
            element: known.element,
            dims: known.sizes.iter().map(|&size| Sym::from(size)).collect(),
            known: Some(Rc::new(known)),
            weight: None,
            sources: BTreeSet::new(),
            place: Rc::default(),
        }
    }

    fn placed(element: Element, dims: Vec<Sym>, place: Place) -> Self {
        let place = Rc::new(OnceCell::from(place));
        Self { element, dims, known: None, weight: None, sources: BTreeSet::new(), place }
    }

    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// Whether both are one variable.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self.place.get(), other.place.get()) {
            (
                Some(Place::Local(a) | Place::Borrowed(a)),
                Some(Place::Local(b) | Place::Borrowed(b)),
            ) => a == b,
            _ => false,
        }
    }

    /// All sizes, if they are static.
    pub fn sizes(&self) -> Option<Vec<usize>> {
        self.dims.iter().map(Sym::size).collect()
    }

    /// The number of elements.
    pub fn count(&self) -> Option<Sym> {
        product(&self.dims)
    }
}

/// The call that computed a variable, where others look for it.
#[derive(Clone, Debug)]
pub enum Origin<'a> {
    /// The axes of a tensor in another order.
    Permuted(Value<'a>, Vec<usize>),
    /// A tensor times a number.
    Scaled(Value<'a>, f64),
    /// A product of matrices.
    Product(Value<'a>, Value<'a>),
    /// The softmax along an axis.
    Softmax(Value<'a>, usize),
    /// The elements with other sizes.
    Reshaped(Value<'a>),
    /// The sum of two tensors.
    Sum(Value<'a>, Value<'a>),
    /// The product of two tensors, element by element.
    Times(Value<'a>, Value<'a>),
    /// The error function.
    Erf(Value<'a>),
    /// Whether elements are NaN.
    IsNan(Value<'a>),
    /// A tensor with 0 for NaN.
    WithoutNan(Value<'a>),
    /// An integer plus a number.
    Plus(Value<'a>, i64),
    /// The number of the steps of a loop before this one.
    Step,
    /// A convolution whose weights and bias are constants.
    Convolution(Rc<Convolution<'a>>),
}

/// A convolution that is written.
#[derive(Clone, Debug)]
pub struct Convolution<'a> {
    /// The call before and after the weights.
    pub call: [String; 2],
    pub weights: Value<'a>,
    pub bias: Option<Value<'a>>,
    pub groups: usize,
    pub is_transposed: bool,
    /// The sizes of the results.
    pub dims: Vec<Sym>,
    /// How many bodies it is written in.
    pub depth: usize,
}

/// An axis whose size is known at run time.
#[derive(Clone, Debug)]
struct NamedAxis {
    name: String,
    /// An expression of its size: of the first tensor that has it.
    size: Option<String>,
}

/// A statement that declares variables.
#[derive(Debug)]
struct Statement {
    names: Vec<String>,
    /// The variable, or tuples of variables, each as [`DECLARED`] marks it.
    pattern: String,
    /// The type, where it is written.
    ty: Option<String>,
    /// The expression, in which [`MOVED`] and [`USED`] mark owned variables.
    value: String,
}

impl Statement {
    fn new(name: String, ty: Option<String>, value: String) -> Self {
        Self { pattern: declared(&name), names: vec![name], ty, value }
    }

    /// The text. Variables of a tuple that are not used begin with `_`.
    fn text(&self, is_used: impl Fn(&str) -> bool) -> String {
        let mut parts = self.pattern.split(DECLARED);
        let mut pattern = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, behind) = part.split_once(END).expect("each variable ends");
            pattern.extend([if is_used(name) { "" } else { "_" }, name, behind]);
        }
        let ty = self.ty.as_ref().map_or(String::new(), |ty| format!(": {ty}"));
        format!("let {pattern}{ty} = {};", self.value)
    }
}

/// The mark of a variable that a pattern declares.
fn declared(name: &str) -> String {
    format!("{DECLARED}{name}{END}")
}

/// A tuple of parts, of which one is itself; more than `most` are in tuples of their own.
pub fn tuple(mut parts: Vec<String>, most: usize) -> String {
    while parts.len() > most {
        parts = parts.chunks(most).map(|parts| tuple(parts.to_vec(), most)).collect();
    }
    match &parts[..] {
        [one] => one.clone(),
        _ => format!("({})", parts.join(", ")),
    }
}

/// Before the name of an owned variable that an operator takes, by reference or by value.
const MOVED: char = '\u{1}';
/// Before the name of a variable that is used by reference.
const USED: char = '\u{2}';
/// After the name of a variable.
const END: char = '\u{3}';
/// Before the name of a variable in the pattern that declares it.
const DECLARED: char = '\u{7}';

/// A weight of the model: its field and elements.
#[derive(Debug)]
pub struct Weight<'a> {
    pub name: String,
    /// What stands for it in the text.
    pub mark: String,
    pub known: Rc<Known<'a>>,
}

impl Weight<'_> {
    /// The type of its field.
    pub fn ty(&self) -> String {
        let sizes: Vec<String> = self.known.sizes.iter().map(usize::to_string).collect();
        tensor_type(self.known.element, &format!("shape![{}]", sizes.join(", ")))
    }
}

/// The function that is written.
#[derive(Debug, Default)]
pub struct Function<'a> {
    statements: Vec<Statement>,
    origins: HashMap<String, Origin<'a>>,
    names: Names,
    axes: Vec<NamedAxis>,
    /// The axes that the model names, by their names there.
    by_name: HashMap<String, Sym>,
    by_size: HashMap<Sym, Variable>,
    by_window: HashMap<String, Sym>,
    /// The sizes of axes that statements have given a name.
    size_names: HashMap<Variable, String>,
    weights: Vec<Weight<'a>>,
    pub is_fallible: bool,
    /// The axes whose sizes were found, and those that were given a name, in this order.
    found: Vec<Variable>,
    named: Vec<Variable>,
    /// How many bodies are written at the moment, each within the one before.
    depth: usize,
    /// The inputs of the model that the node at hand depends on.
    pub sources: BTreeSet<&'a str>,
}

impl<'a> Function<'a> {
    /// An input of the function, `&Tensor<…>`.
    pub fn input(&mut self, name: &str, element: Element, dims: Vec<Sym>) -> (String, Value<'a>) {
        let local = self.names.unique(&local_name(name, "x"));
        for (axis, dim) in dims.iter().enumerate() {
            self.found_axis(dim, &local, axis);
        }
        let value = Value::placed(element, dims, Place::Borrowed(local.clone()));
        (local, value)
    }

    /// The axis of this name in the model.
    pub fn axis(&mut self, name: &str) -> Sym {
        if let Some(axis) = self.by_name.get(name) {
            return axis.clone();
        }
        let axis = self.new_axis(name);
        self.by_name.insert(name.to_owned(), axis.clone());
        axis
    }

    /// An axis that no other has, whose name begins with this one.
    pub fn new_axis(&mut self, name: &str) -> Sym {
        let name = axis_name(name);
        let mut numbered = name.clone();
        let mut number = 2;
        while self.axes.iter().any(|axis| axis.name == numbered) {
            numbered = format!("{name}{number}");
            number += 1;
        }
        self.axes.push(NamedAxis { name: numbered, size: None });
        Sym::variable(self.axes.len() - 1)
    }

    /// The axis of the positions of a window, one for each description.
    pub fn slid_axis(&mut self, description: String, name: &str) -> Sym {
        if let Some(axis) = self.by_window.get(&description) {
            return axis.clone();
        }
        let axis = self.new_axis(name);
        self.by_window.insert(description, axis.clone());
        axis
    }

    fn found_axis(&mut self, dim: &Sym, local: &str, axis: usize) {
        if dim.number().is_none() {
            let variable = self.variable(dim);
            let size = &mut self.axes[variable].size;
            if size.is_none() {
                *size = Some(format!("{local}.sizes()[{axis}]"));
                self.found.push(variable);
            }
        }
    }

    /// The named axis of a size that is not static: the one that it is, or one that is declared for it.
    fn variable(&mut self, dim: &Sym) -> Variable {
        if let Some(variable) = dim.axis() {
            return variable;
        }
        if let Some(&variable) = self.by_size.get(dim) {
            return variable;
        }
        let words = dim.terms().map(|(product, coefficient)| {
            let mut words: Vec<String> =
                product.iter().map(|&variable| self.axes[variable].name.clone()).collect();
            if coefficient != 1 || words.is_empty() {
                let sign = if coefficient < 0 { "Minus" } else { "" };
                words.insert(0, format!("{sign}{}", coefficient.unsigned_abs()));
            }
            words.join("Times")
        });
        let name = words.collect::<Vec<_>>().join("Plus");
        let Some(variable) = self.new_axis(&name).axis() else {
            unreachable!("a new axis is a variable")
        };
        self.by_size.insert(dim.clone(), variable);
        variable
    }

    /// The size of an axis as a type: `2`, `Batch`.
    pub fn dim(&mut self, dim: &Sym) -> String {
        match dim.number() {
            Some(number) => number.to_string(),
            None => {
                let variable = self.variable(dim);
                self.axes[variable].name.clone()
            }
        }
    }

    /// A shape as a type: `shape![Batch, 2]`.
    pub fn shape(&mut self, dims: &[Sym]) -> String {
        let dims: Vec<String> = dims.iter().map(|dim| self.dim(dim)).collect();
        format!("shape![{}]", dims.join(", "))
    }

    /// `dim!(2)` or `Batch`.
    pub fn axis_type(&mut self, dim: &Sym) -> String {
        match dim.number() {
            Some(number) => format!("dim!({number})"),
            None => self.dim(dim),
        }
    }

    /// The type of a tensor.
    pub fn tensor(&mut self, element: Element, dims: &[Sym]) -> String {
        tensor_type(element, &self.shape(dims))
    }

    /// The size of an axis at run time, as an expression.
    pub fn size(&mut self, dim: &Sym) -> Result<String, String> {
        if let Some(number) = dim.number() {
            return Ok(number.to_string());
        }
        if let Some(variable) = dim.axis().or_else(|| self.by_size.get(dim).copied())
            && let Some(size) = self.size_of(variable)
        {
            return Ok(size);
        }
        let mut terms = Vec::new();
        for (product, coefficient) in dim.terms() {
            let mut factors = Vec::new();
            if coefficient != 1 || product.is_empty() {
                factors.push(coefficient.to_string());
            }
            for &variable in product {
                let size = self.size_of(variable);
                factors.push(size.ok_or("a size that no tensor has at run time")?);
            }
            terms.push(factors.join(" * "));
        }
        // Positive terms first: sizes are unsigned.
        terms.sort_by_key(|term| term.starts_with('-'));
        Ok(terms.join(" + ").replace("+ -", "- "))
    }

    /// The variable with the size of a named axis.
    fn size_of(&mut self, variable: Variable) -> Option<String> {
        if let Some(name) = self.size_names.get(&variable) {
            return Some(format!("{USED}{name}{END}"));
        }
        let axis = &self.axes[variable];
        let text = axis.size.clone()?;
        let name = self.names.unique(&local_name(&axis.name, "size"));
        self.statements.push(Statement::new(name.clone(), None, text));
        self.size_names.insert(variable, name.clone());
        self.named.push(variable);
        Some(format!("{USED}{name}{END}"))
    }

    /// A shape as a value: `shape![Batch(batch), 2]`.
    pub fn shape_value(&mut self, dims: &[Sym]) -> Result<String, String> {
        let mut parts = Vec::new();
        for dim in dims {
            parts.push(match dim.number() {
                Some(number) => number.to_string(),
                None => format!("{}({})", self.dim(dim), self.size(dim)?),
            });
        }
        Ok(format!("shape![{}]", parts.join(", ")))
    }

    /// Declares a variable with the result of an expression.
    pub fn emit(&mut self, hint: &str, element: Element, dims: Vec<Sym>, text: &str) -> Value<'a> {
        self.emit_all(&[(hint, element, dims)], text).remove(0)
    }

    /// Declares a variable whose shape is that of an operand, so that its type is not written.
    pub fn emit_like(
        &mut self,
        hint: &str,
        element: Element,
        dims: Vec<Sym>,
        text: &str,
    ) -> Value<'a> {
        let value = self.emit(hint, element, dims, text);
        if let Some(statement) = self.statements.last_mut() {
            statement.ty = None;
        }
        value
    }

    /// The value, of which is noted how it was computed.
    pub fn noted(&mut self, value: Value<'a>, origin: Origin<'a>) -> Value<'a> {
        if let Some(Place::Local(name) | Place::Borrowed(name)) = value.place.get() {
            self.origins.insert(name.clone(), origin);
        }
        value
    }

    /// How many bodies the next statement is within.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// How a value was computed.
    pub fn origin(&self, value: &Value<'a>) -> Option<&Origin<'a>> {
        match value.place.get() {
            Some(Place::Local(name) | Place::Borrowed(name)) => self.origins.get(name),
            _ => None,
        }
    }

    /// Declares the variables of a tuple.
    pub fn emit_all(
        &mut self,
        results: &[(&str, Element, Vec<Sym>)],
        text: &str,
    ) -> Vec<Value<'a>> {
        self.emit_tuples(&[(results, usize::MAX)], text)
    }

    /// Declares the variables of a tuple of tuples, each with the most elements that a tuple has there.
    pub fn emit_tuples(
        &mut self,
        parts: &[(&[(&str, Element, Vec<Sym>)], usize)],
        text: &str,
    ) -> Vec<Value<'a>> {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        let (mut patterns, mut types) = (Vec::new(), Vec::new());
        for &(results, most) in parts {
            let (mut pattern, mut ty) = (Vec::new(), Vec::new());
            for (hint, element, dims) in results {
                let name = self.names.unique(&local_name(hint, "x"));
                pattern.push(declared(&name));
                ty.push(self.tensor(*element, dims));
                let mut value = Value::placed(*element, dims.clone(), Place::Local(name.clone()));
                value.sources = self.sources.clone();
                values.push(value);
                names.push(name);
            }
            patterns.push(tuple(pattern, most));
            types.push(tuple(ty, most));
        }
        let [pattern, ty] = [patterns, types].map(|parts| tuple(parts, usize::MAX));
        let value = text.to_owned();
        self.statements.push(Statement { names: names.clone(), pattern, ty: Some(ty), value });
        for (name, value) in names.iter().zip(&values) {
            for (axis, dim) in value.dims.iter().enumerate() {
                self.found_axis(dim, &format!("{USED}{name}{END}"), axis);
            }
        }
        values
    }

    /// What follows a call that returns an error where an index is beyond an axis. The closure that a body is has no
    /// error to return.
    pub fn or_error(&mut self) -> &'static str {
        match self.depth {
            0 => {
                self.is_fallible = true;
                "?"
            }
            _ => ".unwrap_or_else(|error| panic!(\"{error}\"))",
        }
    }

    /// An expression of a type, `Tensor::<shape![2], f32>::` without its function.
    pub fn constructor(&mut self, element: Element, dims: &[Sym]) -> String {
        let shape = self.shape(dims);
        match element {
            Element::F32 => format!("Tensor::<{shape}>::"),
            _ => format!("Tensor::<{shape}, {}>::", element.name()),
        }
    }

    /// A tensor with all elements equal.
    pub fn full(
        &mut self,
        element: Element,
        dims: &[Sym],
        literal: &str,
    ) -> Result<String, String> {
        let constructor = self.constructor(element, dims);
        Ok(match dims.iter().all(|dim| dim.size().is_some()) {
            true => format!("{constructor}full({literal})"),
            false => format!("{constructor}full_shaped({}, {literal})", self.shape_value(dims)?),
        })
    }

    fn place(&mut self, value: &Value<'a>) -> Result<Place, String> {
        if let Some(place) = value.place.get() {
            return Ok(place.clone());
        }
        let known = value.known.clone().ok_or("a value that is not computed")?;
        let place = self.placed(value, &known)?;
        match place {
            // Other bodies do not have the variables of this one.
            Place::Local(_) if self.depth > 0 => Ok(place),
            place => Ok(value.place.get_or_init(|| place).clone()),
        }
    }

    fn placed(&mut self, value: &Value<'a>, known: &Rc<Known<'a>>) -> Result<Place, String> {
        let element = known.element;
        let count = known.count();
        if count == 0 || value.weight.is_none() || known.sizes.is_empty() {
            let uniform = if count == 0 { None } else { known.uniform() };
            if count == 0 {
                let constructor = self.constructor(element, &value.dims);
                return Ok(Place::Expression(format!("{constructor}zeros()")));
            }
            if let Some(literals) = uniform.and_then(|known| known.literals()) {
                let text = match known.sizes.is_empty() {
                    true => format!("Tensor::scalar({})", suffixed(element, &literals[0])),
                    false => self.full(element, &value.dims, &literals[0])?,
                };
                return Ok(Place::Expression(text));
            }
            let few = if element.is_float() { 8 } else { 64 };
            if count <= few && !element.is_half() {
                let Some(literals) = known.literals() else {
                    return self.sizes_at_run_time(value, known);
                };
                return Ok(Place::Expression(format!(
                    "tensor!{}",
                    nested(&known.sizes, &literals, element)
                )));
            }
        }
        if known.to_bytes().is_none() {
            return self.sizes_at_run_time(value, known);
        }
        let name =
            value.weight.map_or_else(|| format!("constant_{}", self.weights.len()), str::to_owned);
        let name = crate::names::weight_name(&name);
        // The name may have any characters.
        let mark = format!("\u{4}{}\u{5}", self.weights.len());
        self.weights.push(Weight { name, mark: mark.clone(), known: Rc::clone(known) });
        Ok(Place::Expression(mark))
    }

    /// A tensor of sizes that are known at run time.
    fn sizes_at_run_time(&mut self, value: &Value<'a>, known: &Known<'a>) -> Result<Place, String> {
        let ints = known.as_ints().ok_or("a tensor with sizes of axes")?;
        let mut parts = Vec::new();
        for int in &ints {
            parts.push(match int.number() {
                Some(number) => known.element.integer(number),
                None => format!("({}) as {}", self.size(int)?, known.element.name()),
            });
        }
        let elements = nested(&known.sizes, &parts, Element::I64);
        let text = match known.sizes.is_empty() {
            true => format!("Tensor::scalar({elements})"),
            false => format!("tensor!{elements}"),
        };
        let value = self.emit("sizes", value.element, value.dims.clone(), &text);
        Ok(value.place.get().expect("it was emitted").clone())
    }

    /// The tensor before a method: `x`, `self.weight`.
    pub fn receiver(&mut self, value: &Value<'a>) -> Result<String, String> {
        Ok(match self.place(value)? {
            Place::Local(name) => format!("{USED}{name}{END}"),
            Place::Borrowed(name) | Place::Expression(name) => name,
        })
    }

    /// The tensor as an argument of a function: `&x`.
    pub fn argument(&mut self, value: &Value<'a>) -> Result<String, String> {
        Ok(match self.place(value)? {
            Place::Local(name) => format!("&{USED}{name}{END}"),
            Place::Borrowed(name) => name,
            Place::Expression(text) => format!("&{text}"),
        })
    }

    /// An operand of an operator, which may take a variable by value if it is the last that uses it: `&x`, `x`.
    pub fn operand(&mut self, value: &Value<'a>) -> Result<String, String> {
        Ok(match self.place(value)? {
            Place::Local(name) => format!("{MOVED}{name}{END}"),
            Place::Borrowed(name) => name,
            Place::Expression(text) if text.starts_with('\u{4}') => format!("&{text}"),
            Place::Expression(text) => text,
        })
    }

    /// The value as an owned tensor.
    pub fn owned(&mut self, value: &Value<'a>) -> Result<String, String> {
        Ok(match self.place(value)? {
            Place::Local(name) => format!("{OWNED}{MOVED}{name}{END}"),
            Place::Borrowed(name) => format!("{name}.clone()"),
            Place::Expression(text) if text.starts_with('\u{4}') => format!("{text}.clone()"),
            Place::Expression(text) => text,
        })
    }

    /// The value that is a literal beside a tensor of this rank: it has one element.
    pub fn literal(&self, value: &Value<'a>, rank: usize) -> Option<String> {
        let known = value.known.as_ref()?;
        if known.count() != 1 || known.sizes.len() > rank {
            return None;
        }
        Some(known.literals()?.remove(0))
    }

    /// Ends the function with this expression: the text of its body, the axes that are declared, and the weights that it uses,
    /// each with a name of its own.
    pub fn finish(self, result: &str) -> (String, Vec<String>, Vec<Weight<'a>>) {
        let body = lines(self.statements, result);
        let mut weights = self.weights;
        weights.retain(|weight| body.contains(&weight.mark));
        let mut names = Used::default();
        for weight in &mut weights {
            weight.name = names.unique(&weight.name, "_");
        }
        (body, self.axes.into_iter().map(|axis| axis.name).collect(), weights)
    }
}

/// The type of a tensor with this shape.
fn tensor_type(element: Element, shape: &str) -> String {
    match element {
        Element::F32 => format!("Tensor<{shape}>"),
        _ => format!("Tensor<{shape}, {}>", element.name()),
    }
}

/// Statements and the expression after them. Those whose variables no later one uses are left out; the last use of a variable
/// may move it.
fn lines(mut statements: Vec<Statement>, result: &str) -> String {
    let own: HashSet<String> =
        statements.iter().flat_map(|statement| statement.names.iter().cloned()).collect();
    let mut later: BTreeMap<String, usize> = BTreeMap::new();
    let mut result = result.to_owned();
    // The last statement is the result itself if it declares it alone.
    if let Some(last) = statements.last()
        && let [name] = &last.names[..]
        && result == format!("{OWNED}{MOVED}{name}{END}")
    {
        result = last.value.clone();
        statements.pop();
    }
    let mut lines = vec![resolved(&result, &own, &mut later)];
    for statement in statements.into_iter().rev() {
        if statement.names.iter().all(|name| !later.contains_key(name)) {
            continue;
        }
        let text = statement.text(|name| later.contains_key(name));
        lines.push(resolved(&text, &own, &mut later));
    }
    lines.reverse();
    lines.join("\n")
}

/// The text with the variables `own` as Rust writes them, given those that later statements use. Those of the function around
/// a body stay marked, and are not moved, because a body may run several times.
fn resolved(text: &str, own: &HashSet<String>, later: &mut BTreeMap<String, usize>) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find([MOVED, USED]) {
        let mark = rest[at..].chars().next();
        let end = rest.find(END).expect("each variable ends");
        let name = &rest[at + 1..end];
        parts.push((&rest[..at], mark, name));
        *counts.entry(name.to_owned()).or_default() += 1;
        rest = &rest[end + END.len_utf8()..];
    }
    let mut resolved = String::new();
    for (before, mark, name) in parts {
        let is_own = own.contains(name);
        let is_last = is_own && !later.contains_key(name) && counts[name] == 1;
        let is_copied = mark == Some(MOVED) && !is_last;
        resolved += before;
        resolved += if is_copied && !before.ends_with(OWNED) { "&" } else { "" };
        match is_own {
            true => resolved += name,
            false => resolved.extend([&USED.to_string(), name, &END.to_string()]),
        }
        resolved += if is_copied && before.ends_with(OWNED) { ".clone()" } else { "" };
    }
    for (name, count) in counts {
        *later.entry(name).or_default() += count;
    }
    (resolved + rest).replace(OWNED, "")
}

/// Before a variable that has to be owned.
pub const OWNED: char = '\u{6}';

/// A literal whose type does not depend on what surrounds it.
pub fn suffixed(element: Element, literal: &str) -> String {
    let is_path = literal.contains("::") || element == Element::Bool;
    match is_path {
        true => literal.to_owned(),
        false => format!("{literal}_{}", element.name()),
    }
}

/// The literals in brackets, by axes.
fn nested(sizes: &[usize], literals: &[String], element: Element) -> String {
    match sizes.split_first() {
        None => literals[0].clone(),
        Some((&size, [])) => {
            let mut literals = literals[..size].to_vec();
            literals[0] = match literals[0].ends_with(')') {
                true => literals[0].clone(),
                false => suffixed(element, &literals[0]),
            };
            format!("[{}]", literals.join(", "))
        }
        Some((&size, inner)) => {
            let step = literals.len() / size;
            let parts: Vec<String> =
                literals.chunks(step).map(|part| nested(inner, part, element)).collect();
            format!("[{}]", parts.join(", "))
        }
    }
}
