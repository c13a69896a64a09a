//! Candidates for the correction of an error: small edits of the expression that is refused, and of the bindings that
//! it uses. Whether one is right is for rustc to tell.

use std::collections::HashSet;
use std::ops::Range;

use proc_macro2::TokenStream;
use serde_json::Value;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprMethodCall, Local, Macro, Pat, ReturnType, Stmt, Token};

use crate::diagnostic::{code, entry, list, primary, quoted, text as field, texts};
use crate::render::is_suggestion;
use crate::words::{BoundToWrite, bounds_to_write, is_right, restricts};

use super::function::{Edit, Item, edited, range, within};

/// A candidate.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The edits, which do not overlap.
    pub edits: Vec<Edit>,
    /// What it does: "adds an axis of size 1 to `p`".
    pub words: String,
    /// The expression whose type is the result, in the text without the edits; none if the error is about no
    /// expression, but about a declaration.
    pub result: Option<Range<usize>>,
    /// The lower, the likelier.
    pub rank: u32,
    /// What has to be a tensor, in the text without the edits: other types have methods of the same names.
    pub tensor: Option<Range<usize>>,
    /// The number of an axis of it that the edits state.
    pub axis: Option<Axis>,
}

impl Candidate {
    /// The type that it adds a bound for.
    pub fn bounded(&self) -> Option<&str> {
        self.words.strip_prefix("adds the bound `")?.split(": ").next()
    }
}

/// A number of an axis: negative numbers count from the end.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The number.
    pub number: i64,
    /// Whether it is an axis that the tensor does not have yet.
    pub is_new: bool,
}

/// At most this number of candidates is tried at once.
const MOST: usize = 240;

/// Reductions along an axis, each of which has a form that keeps the axis.
const REDUCTIONS: [&str; 14] = [
    "all",
    "any",
    "argmax",
    "argmin",
    "logsumexp",
    "max",
    "mean",
    "median",
    "min",
    "norm",
    "prod",
    "std",
    "sum",
    "var",
];

/// Methods that change the shape, the names or the elements alone.
const REMOVABLE: [&str; 13] = [
    "cast",
    "clone",
    "expand",
    "flatten",
    "item",
    "move_axis",
    "permute",
    "rename_axis",
    "squeeze",
    "swap_axes",
    "to_tensor",
    "transpose",
    "unsqueeze",
];

/// Methods of tensors whose first parameter is an axis, beside those with `_axis` in their names.
const ALONG_AXIS: [&str; 59] = [
    "argsort",
    "argsort_descending",
    "batch_norm",
    "batch_norm_training",
    "chunk",
    "compress",
    "concat",
    "concat_array",
    "concat_tuple",
    "cummax",
    "cummin",
    "cumprod",
    "cumsum",
    "diagonal",
    "diff",
    "diff_as",
    "flatten_axes",
    "flatten_axes_as",
    "get_index",
    "group_norm",
    "index",
    "index_add",
    "index_copy",
    "instance_norm",
    "kthvalue",
    "layer_norm",
    "log_softmax",
    "logcumsumexp",
    "pad_as",
    "repeat",
    "repeat_as",
    "repeat_each",
    "rms_norm",
    "roll",
    "scatter",
    "scatter_add",
    "scatter_max",
    "scatter_min",
    "scatter_mul",
    "softmax",
    "sort",
    "sort_descending",
    "split",
    "squeeze",
    "stack",
    "standardize",
    "swap_axes",
    "take",
    "tile_as",
    "topk",
    "topk_shaped",
    "topk_smallest",
    "topk_smallest_shaped",
    "unflatten",
    "unflatten_as",
    "unflatten_shaped",
    "unsqueeze",
    "windows",
    "windows_as",
];

/// The element types that a message may name.
const ELEMENTS: [&str; 14] = [
    "f32", "f64", "i64", "i32", "u8", "usize", "bool", "i8", "i16", "u16", "u32", "u64", "f16",
    "bf16",
];

/// The candidates for an error in an item of a file, the likeliest first.
pub fn candidates(text: &str, item: &Item<'_>, diagnostic: &Value) -> Vec<Candidate> {
    let Some(span) = primary(diagnostic).and_then(place).and_then(bytes) else { return Vec::new() };
    let body = item.function.as_ref().map(|function| function.body);
    // The arguments of macros, as far as they are expressions.
    let in_macros = body.map(in_macros).unwrap_or_default();
    let mut walk = Walk::default();
    body.into_iter().for_each(|body| walk.visit_block(body));
    in_macros.iter().for_each(|expression| walk.visit_expr(expression));
    let mut maker = Maker::new(text, item, diagnostic, &walk, span);
    maker.of_moves();
    maker.of_parameters();
    maker.of_bounds();
    maker.of_rustc();
    if code(diagnostic) != "E0382" {
        maker.of_expressions();
    }
    let mut candidates = maker.made;
    candidates.sort_by_key(|candidate| candidate.rank);
    let mut seen = HashSet::new();
    candidates.retain(|candidate| {
        let is_inside = candidate.edits.iter().all(|edit| within(&edit.range, &item.range));
        is_inside && seen.insert(edited(text, &item.range, &candidate.edits))
    });
    candidates.truncate(MOST);
    candidates
}

/// Macros of the standard library whose call is the place of errors about their arguments.
const ASSERTIONS: [&str; 6] = [
    "assert!",
    "assert_eq!",
    "assert_ne!",
    "debug_assert!",
    "debug_assert_eq!",
    "debug_assert_ne!",
];

/// The place in the program that an error is about: of an assertion, its call. `None` in other macros, whose code is
/// not that of the program.
pub fn place(span: &Value) -> Option<&Value> {
    let expansion = &span["expansion"];
    if !expansion.is_object() {
        return Some(span);
    }
    let is_assertion = ASSERTIONS.contains(&field(expansion, "macro_decl_name"));
    is_assertion.then(|| place(&expansion["span"])).flatten()
}

/// The bytes of a span.
pub fn bytes(span: &Value) -> Option<Range<usize>> {
    let byte = |name: &str| span[name].as_u64()?.try_into().ok();
    Some(byte("byte_start")?..byte("byte_end")?)
}

/// The edits of a suggestion.
pub fn edits(suggestion: &Value) -> Option<Vec<Edit>> {
    let spans = list(suggestion, "spans").iter().map(|span| {
        let text = span["suggested_replacement"].as_str()?.to_owned();
        Some(Edit { range: bytes(span)?, text })
    });
    spans.collect()
}

/// The expressions in calls of macros, and in those in them.
fn in_macros(body: &Block) -> Vec<Expr> {
    let mut calls = Calls::default();
    calls.visit_block(body);
    let mut expressions: Vec<Expr> = Vec::new();
    while let Some(tokens) = calls.0.pop() {
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens);
        for argument in arguments.into_iter().flatten() {
            calls.visit_expr(&argument);
            expressions.push(argument);
        }
    }
    expressions
}

/// The arguments of macros.
#[derive(Default)]
struct Calls(Vec<TokenStream>);

impl<'a> Visit<'a> for Calls {
    fn visit_macro(&mut self, call: &'a Macro) {
        self.0.push(call.tokens.clone());
    }
}

/// The expressions, statements and bindings of a function.
#[derive(Default)]
struct Walk<'a> {
    expressions: Vec<(&'a Expr, Range<usize>)>,
    statements: Vec<Range<usize>>,
    /// The name of a binding, its statement, and its value.
    bindings: Vec<(String, Range<usize>, &'a Expr)>,
}

impl<'a> Visit<'a> for Walk<'a> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        self.expressions.push((expression, range(expression)));
        visit::visit_expr(self, expression);
    }

    fn visit_stmt(&mut self, statement: &'a Stmt) {
        self.statements.push(range(statement));
        visit::visit_stmt(self, statement);
    }

    fn visit_local(&mut self, local: &'a Local) {
        let pattern = match &local.pat {
            Pat::Type(typed) => &*typed.pat,
            pattern => pattern,
        };
        if let (Pat::Ident(name), Some(value)) = (pattern, &local.init) {
            self.bindings.push((name.ident.to_string(), range(local), &value.expr));
        }
        visit::visit_local(self, local);
    }
}

struct Maker<'a> {
    text: &'a str,
    item: &'a Item<'a>,
    diagnostic: &'a Value,
    walk: &'a Walk<'a>,
    span: Range<usize>,
    /// The refused expression, and its range.
    refused: Option<(&'a Expr, Range<usize>)>,
    /// The entry of the error index, or rustc's code.
    entry: String,
    made: Vec<Candidate>,
}

impl<'a> Maker<'a> {
    fn new(
        text: &'a str,
        item: &'a Item<'a>,
        diagnostic: &'a Value,
        walk: &'a Walk<'a>,
        span: Range<usize>,
    ) -> Self {
        let around = walk.expressions.iter().filter(|(_, range)| within(&span, range));
        let refused = around.min_by_key(|(_, range)| range.len()).cloned();
        let entry = texts(diagnostic).into_iter().find_map(entry);
        let entry = entry.unwrap_or_else(|| code(diagnostic)).to_owned();
        Self { text, item, diagnostic, walk, span, refused, entry, made: Vec::new() }
    }

    fn add(&mut self, edits: Vec<Edit>, words: String, rank: u32) {
        self.add_to(None, edits, words, rank, None);
    }

    /// Adds edits that are for a tensor alone.
    fn add_to(
        &mut self,
        tensor: Option<&Range<usize>>,
        edits: Vec<Edit>,
        words: String,
        rank: u32,
        axis: Option<Axis>,
    ) {
        let result = match &self.refused {
            // The target of an assignment has no value.
            Some((Expr::Binary(binary), _)) if is_assignment(&binary.op) => {
                Some(range(&binary.right))
            }
            Some((_, range)) => Some(range.clone()),
            None => None,
        };
        self.made.push(Candidate { edits, words, result, rank, tensor: tensor.cloned(), axis });
    }

    fn written(&self, part: &Range<usize>) -> &'a str {
        &self.text[part.clone()]
    }

    /// A part as messages quote it: at most so long that a line has it.
    fn named(&self, part: &Range<usize>) -> String {
        let written = self.written(part).trim_start_matches('&');
        match written.len() <= 24 && !written.contains(['\n', '`']) {
            true => format!("`{written}`"),
            false => "this".to_owned(),
        }
    }

    /// `&` where a value is moved that is used later.
    fn of_moves(&mut self) {
        if code(self.diagnostic) != "E0382" {
            return;
        }
        let moved = quoted(field(self.diagnostic, "message")).first().copied().unwrap_or_default();
        for span in list(self.diagnostic, "spans") {
            let Some(at) = bytes(span) else { continue };
            // An operator that moves its left operand, or the operand itself.
            let label = field(span, "label");
            let moves = ["value moved here", "use occurs due to use in closure"];
            let is_move = moves.iter().any(|words| label.starts_with(words))
                || label.contains(" moved due to ");
            let after = self.text[at.clone()].strip_prefix(moved);
            let is_name = after.is_some_and(|after| !after.starts_with(crate::types::is_name));
            let around = self.walk.expressions.iter().filter(|(of, range)| {
                let is_call = matches!(of, Expr::Binary(_) | Expr::Call(_) | Expr::MethodCall(_));
                is_call && within(&at, range)
            });
            if let Some((_, result)) = around.min_by_key(|(_, range)| range.len())
                && is_move
                && is_name
            {
                let (edits, words) =
                    (vec![Edit::insert(at.start, "&")], format!("borrows `{moved}`"));
                let result = Some(result.clone());
                self.made.push(Candidate {
                    edits,
                    words,
                    result,
                    rank: 1,
                    tensor: None,
                    axis: None,
                });
            }
        }
    }

    /// What rustc itself proposes.
    fn of_rustc(&mut self) {
        // A name that is not in scope would hide all other errors.
        let is_usable =
            |child: &&Value| is_suggestion(child) && (!restricts(child) || is_right(child));
        for child in list(self.diagnostic, "children").iter().filter(is_usable) {
            let edits = edits(child);
            let words = match edits.as_deref() {
                Some([edit]) if edit.text == "&" => "borrows the tensor".to_owned(),
                _ => rustc(field(child, "message")),
            };
            let mut starts: Vec<_> = edits.iter().flatten().map(|edit| edit.range.start).collect();
            starts.dedup();
            if let Some(edits) = edits.filter(|edits| starts.len() == edits.len()) {
                self.add(edits, words, 8);
            }
        }
    }

    /// The bound of a type parameter that a message names: "add the bound `D: Axis`".
    fn of_parameters(&mut self) {
        for (ty, bound) in named_bounds(self.diagnostic) {
            // A weaker bound is named where a stronger one may be needed.
            let bounds: &[&str] = match bound {
                "Axis" => &["Axis", "StaticAxis"],
                "Shape" => &["Shape", "StaticShape"],
                "Element" => &["Element", "element::Number", "element::Float"],
                bound if bound.chars().all(crate::types::is_name) => &[bound],
                _ => continue,
            };
            for (order, bound) in bounds.iter().enumerate() {
                self.of_parameter(ty, bound, 3 + order as u32);
            }
        }
    }

    fn of_parameter(&mut self, ty: &str, bound: &str, rank: u32) {
        for parameter in self.item.parameters.iter().filter(|parameter| parameter.ident == ty) {
            let (at, start) = match parameter.bounds.is_empty() {
                true => (range(&parameter.ident).end, ": "),
                false => (range(&parameter.bounds).end, " + "),
            };
            let path = format!("tensor_core::{bound}");
            if !self.names_crate(&path) {
                continue;
            }
            let bound = self.imported(&path);
            let words = format!("adds the bound `{ty}: {bound}`");
            self.add(vec![Edit::insert(at, format!("{start}{bound}"))], words, rank);
        }
    }

    /// Whether the file names the crate of a path: a program can reach the library through another crate alone.
    fn names_crate(&self, path: &str) -> bool {
        path.split("::").next().is_some_and(|name| self.text.contains(name))
    }

    /// A path, or its name if the file imports it.
    fn imported<'p>(&self, path: &'p str) -> &'p str {
        let name = path.rsplit("::").next().unwrap_or(path);
        let parts = self.text.split(';').filter_map(|part| Some(&part[part.rfind("use ")?..]));
        let mut words = parts.flat_map(|import| import.split(|c| !crate::types::is_name(c)));
        let is_imported = words.any(|word| word == name);
        if is_imported { name } else { path }
    }

    /// The missing bound of generic code, at the function and at its `impl`.
    fn of_bounds(&mut self) {
        let Some(function) = &self.item.function else { return };
        let own =
            (&function.signature.generics, function.body.brace_token.span.open().byte_range());
        let of = function.of.map(|of| (&of.generics, of.brace_token.span.open().byte_range()));
        // What implements a trait has the bounds that the trait has.
        let own = [own].into_iter().filter(|_| function.of.is_none_or(|of| of.trait_.is_none()));
        for (order, (generics, open)) in own.chain(of).enumerate() {
            let (at, start) = match &generics.where_clause {
                // `syn` gives an empty clause no place.
                Some(clause) if clause.predicates.is_empty() => {
                    (range(&clause.where_token).end, " ")
                }
                Some(clause) if clause.predicates.trailing_punct() => (range(clause).end, " "),
                Some(clause) => (range(clause).end, ", "),
                None => (self.text[..open.start].trim_end().len(), " where "),
            };
            let bounds = bounds_to_write(self.diagnostic).into_iter();
            let bounds = bounds.flat_map(|bound| {
                let is_size = bound.result == "Count" || bound.bound.contains("Sizes<");
                let outputs = self.outputs(bound.result, is_size).into_iter().enumerate();
                outputs.map(move |(number, output)| (bound.clone(), number, output))
            });
            for (BoundToWrite { ty, bound, is_named, .. }, number, output) in
                bounds.collect::<Vec<_>>()
            {
                let bound = match (&output, bound.strip_suffix('>')) {
                    (None, _) => bound.clone(),
                    (Some(output), Some(front)) => format!("{front}, {output}>"),
                    (Some(output), None) => format!("{bound}<{output}>"),
                };
                let path = bound.split('<').next().unwrap_or(&bound);
                if !self.names_crate(path) {
                    continue;
                }
                let bound = bound.replacen(path, self.imported(path), 1);
                let imports_shape = self.imported("tensor_core::shape") == "shape";
                let written = crate::text::code(&format!("{ty}: {bound}"), imports_shape);
                let shape = self.imported("tensor_core::shape");
                let written = written.replace("tensor_core::shape!", &format!("{shape}!"));
                let axes = self.imported("tensor_core::axes");
                let written = written.replace("axes![", &format!("{axes}!["));
                let words = format!("adds the bound `{written}`");
                // Where no message names a bound, other shapes are as likely to be meant.
                let base = if is_named { 4 } else { 16 };
                let rank = base + order as u32 + 4 * number as u32;
                self.add(vec![Edit::insert(at, format!("{start}{written}"))], words, rank);
            }
        }
    }

    /// What a bound may state as its result: nothing, an axis for a size, or a shape, at first that of the tensor that
    /// the function returns.
    fn outputs(&self, result: &str, is_size: bool) -> Vec<Option<String>> {
        let Some(function) = self.item.function.as_ref().filter(|_| !result.is_empty()) else {
            return vec![None];
        };
        let returned = match &function.signature.output {
            ReturnType::Type(_, ty) => &self.text[range(&**ty)],
            ReturnType::Default => "",
        };
        let shape = returned.split_once("Tensor<").and_then(|(_, rest)| {
            let mut depth = 0;
            let end = rest.find(|c: char| {
                depth += i32::from("<([".contains(c)) - i32::from(">)]".contains(c));
                depth < 0 || (depth == 0 && c == ',')
            })?;
            Some(rest[..end].to_owned())
        });
        let kind = if is_size { "Axis" } else { "Shape" };
        let parameters = self.item.parameters.iter().rev().filter(|parameter| {
            parameter.bounds.iter().any(|bound| self.text[range(bound)].contains(kind))
        });
        let parameters = parameters.map(|parameter| parameter.ident.to_string());
        let shape = shape.filter(|_| !is_size);
        let types = shape.into_iter().chain(parameters).map(|ty| format!("{result} = {ty}"));
        [None].into_iter().chain(types.map(Some)).collect()
    }

    /// Edits of the refused expression, of its statement and of the bindings in it.
    fn of_expressions(&mut self) {
        self.arguments();
        let Some((refused, refused_range)) = self.refused.clone() else { return };
        let is_exact = refused_range == self.span;
        let statement = self.walk.statements.iter().filter(|at| within(&refused_range, at));
        let statement = statement.min_by_key(|at| at.len()).cloned().unwrap_or(self.span.clone());
        if is_exact {
            self.operand(refused, 0);
        }
        self.operands(refused, 0);
        let mut around: Vec<_> = Vec::new();
        for (expression, at) in &self.walk.expressions {
            if within(at, &refused_range) {
                let distance = u32::from(*at != refused_range);
                self.call(expression, distance);
                if distance > 0 {
                    self.operands(expression, 2);
                }
            } else if within(at, &statement) {
                around.push((*expression, at.clone()));
            }
        }
        for (expression, at) in around {
            let distance = if within(&refused_range, &at) { 1 } else { 3 };
            self.call(expression, distance);
            self.operands(expression, distance + 1);
        }
        let mut seen = HashSet::new();
        self.bindings(&statement, &refused_range, 2, &mut seen);
    }

    /// Edits of the arguments of an assertion, whose call is the place of the error.
    fn arguments(&mut self) {
        if !self.text[self.span.clone()]
            .split('(')
            .next()
            .is_some_and(|name| ASSERTIONS.contains(&name.trim()))
        {
            return;
        }
        let inner = self
            .walk
            .expressions
            .iter()
            .filter(|(_, at)| within(at, &self.span) && *at != self.span);
        let inner: Vec<_> = inner.cloned().collect();
        for (expression, at) in &inner {
            let is_argument = !inner.iter().any(|(_, outer)| outer != at && within(at, outer));
            if is_argument {
                self.refused = Some((*expression, at.clone()));
                self.operand(expression, 0);
            }
            self.call(expression, 1);
        }
        self.refused = None;
    }

    /// Edits of the bindings that a part uses.
    fn bindings(
        &mut self,
        before: &Range<usize>,
        part: &Range<usize>,
        distance: u32,
        seen: &mut HashSet<usize>,
    ) {
        let names = self.walk.expressions.iter().filter_map(|(expression, at)| match expression {
            Expr::Path(path) if within(at, part) => path.path.get_ident().map(ToString::to_string),
            _ => None,
        });
        let names: Vec<String> = names.collect();
        for name in names {
            let bindings = self.walk.bindings.iter().rev();
            let binding = bindings.filter(|(_, at, _)| at.end <= before.start);
            let Some((_, at, value)) = binding.into_iter().find(|(bound, ..)| *bound == name)
            else {
                continue;
            };
            if !seen.insert(at.start) {
                continue;
            }
            let of_value = range(*value);
            self.operand(value, distance + 1);
            for (expression, inner) in &self.walk.expressions {
                if within(inner, &of_value) {
                    self.call(expression, distance);
                    self.operands(expression, distance + 1);
                }
            }
            if distance < 4 {
                self.bindings(at, &of_value, distance + 1, seen);
            }
        }
    }

    /// Edits of the operands of an operator or a call.
    fn operands(&mut self, of: &'a Expr, distance: u32) {
        match of {
            Expr::Binary(binary) => {
                // `a += b` keeps the shape of `a`.
                if !is_assignment(&binary.op) {
                    self.operand(&binary.left, distance);
                }
                self.operand(&binary.right, distance);
            }
            Expr::MethodCall(call) => {
                self.operand(&call.receiver, distance);
                call.args.iter().for_each(|argument| self.operand(argument, distance));
            }
            Expr::Call(call) => {
                call.args.iter().for_each(|argument| self.operand(argument, distance));
            }
            _ => {}
        }
    }

    /// Methods that are called on an operand, and its `&`.
    fn operand(&mut self, operand: &Expr, distance: u32) {
        let inner = match operand {
            Expr::Reference(reference) => &*reference.expr,
            other => other,
        };
        let at = range(inner);
        let (open, close) = match inner {
            Expr::Path(_)
            | Expr::MethodCall(_)
            | Expr::Call(_)
            | Expr::Paren(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Macro(_)
            | Expr::Lit(_)
            | Expr::Try(_) => ("", ""),
            Expr::Binary(_) | Expr::Unary(_) => ("(", ")"),
            _ => return,
        };
        // A literal number or a function is no tensor.
        if matches!(inner, Expr::Lit(_)) || is_function(inner) {
            return;
        }
        let name = self.named(&at);
        let after = |call: &str| {
            let mut edits = vec![Edit::insert(at.end, format!("{close}{call}"))];
            if !open.is_empty() {
                edits.insert(0, Edit::insert(at.start, open));
            }
            edits
        };
        let far = 10 * distance;
        if matches!(operand, Expr::Reference(_)) {
            let edit = Edit { range: range(operand).start..at.start, text: String::new() };
            self.add(vec![edit], format!("moves {name}"), 40 + far);
        } else {
            let is_argument = distance == 0 && self.span == range(operand);
            let rank = match () {
                () if self.entry == "E0308" => 2,
                () if is_argument => 9,
                () => 26,
            };
            let mut edits = after("");
            edits[0] = Edit::insert(at.start, format!("&{open}"));
            edits.retain(|edit| !edit.text.is_empty());
            self.add(edits, format!("borrows {name}"), rank + far);
        }
        let tensor = Some(&at);
        let axis = |number, is_new| Some(Axis { number, is_new });
        for (order, number) in [-1, 1, 0, -2, 2].into_iter().enumerate() {
            let rank = self.prior("unsqueeze") + order as u32 + far;
            let words = format!("adds an axis of size 1 to {name}, as axis {number}");
            let edits = after(&format!(".unsqueeze::<{number}>()"));
            self.add_to(tensor, edits, words, rank, axis(number, true));
        }
        let rank = self.prior("transpose") + far;
        let words = format!("swaps the last two axes of {name}");
        self.add_to(tensor, after(".transpose()"), words, rank, None);
        for element in self.elements() {
            let rank = self.prior("cast") + far;
            let words = format!("converts the elements of {name} to `{element}`");
            self.add_to(tensor, after(&format!(".cast::<{element}>()")), words, rank, None);
        }
        for (order, number) in [-1, 0, 1].into_iter().enumerate() {
            let order = order as u32;
            let rank = self.prior("squeeze") + order + far;
            let words = format!("removes axis {number} of {name}, of size 1");
            let edits = after(&format!(".squeeze::<{number}>()"));
            self.add_to(tensor, edits, words, rank, axis(number, false));
            if distance == 0 && self.is_about(&["T104", "E0308"]) {
                for (method, words, rank) in [("sum", "sums", 22), ("mean", "averages", 23)] {
                    let edits = after(&format!(".{method}_axis::<{number}>()"));
                    let words = format!("{words} {name} along axis {number}");
                    self.add_to(tensor, edits, words, rank + order + far, axis(number, false));
                }
            }
        }
        let (words, rank) = (format!("takes the only element of {name}"), self.prior("item") + far);
        self.add_to(tensor, after(".item()"), words, rank, None);
        if distance > 1 {
            return;
        }
        for name_of_axis in self.axes() {
            for (number, axis) in ["0", "-1", "1"].into_iter().enumerate() {
                let rank = self.prior("rename_axis") + number as u32 + far;
                let words = format!("names axis {axis} of {name} `{name_of_axis}`");
                let edits = after(&format!(".rename_axis::<{axis}, {name_of_axis}>()"));
                self.add_to(tensor, edits, words, rank, None);
            }
        }
        let rank = self.prior("flatten") + far;
        let words = format!("makes one axis of all axes of {name}");
        self.add_to(tensor, after(".flatten()"), words, rank, None);
    }

    /// Whether the error has one of these codes.
    fn is_about(&self, codes: &[&str]) -> bool {
        codes.iter().any(|start| self.entry.starts_with(start))
    }

    /// How likely a method is what is missing, for this kind of message.
    fn prior(&self, method: &str) -> u32 {
        let is_about = |entries: &[&str]| self.is_about(entries);
        let is_likely = match method {
            "unsqueeze" => is_about(&["T101", "T102", "T103", "T105", "T402", "T207"]),
            "transpose" => is_about(&["T3", "T101", "T102", "E0308"]),
            "cast" => is_about(&["T5", "E0308"]),
            "squeeze" => is_about(&["T207", "E0308", "T101", "T102"]),
            "item" => is_about(&["E0308", "T208", "T210"]),
            "rename_axis" => is_about(&["T102"]),
            _ => false,
        };
        let prior = match method {
            "cast" => 8,
            "item" if self.wants_number() => 1,
            "unsqueeze" | "transpose" => 12,
            "rename_axis" => 14,
            "squeeze" | "item" => 16,
            _ => 22,
        };
        if is_likely { prior } else { prior + 14 }
    }

    /// Whether a number is expected in place of a tensor of rank 0.
    fn wants_number(&self) -> bool {
        let label = primary(self.diagnostic).map_or("", |span| field(span, "label"));
        let expected = label.strip_prefix("expected `").and_then(|rest| rest.split('`').next());
        expected.is_some_and(|ty| ELEMENTS.contains(&ty)) && label.contains("found `Tensor<()")
    }

    /// The element types that the message names.
    fn elements(&self) -> Vec<&'static str> {
        let all = texts(self.diagnostic).join(" ");
        let mut words = all.split(|c: char| !c.is_alphanumeric() && c != '_');
        let named: HashSet<&str> = words.by_ref().collect();
        ELEMENTS.into_iter().filter(|element| named.contains(element)).collect()
    }

    /// The names of axes that the message names.
    fn axes(&self) -> Vec<String> {
        let message = field(self.diagnostic, "message");
        let names = quoted(message).into_iter().filter(|name| {
            name.starts_with(|c: char| c.is_uppercase())
                && name.chars().all(crate::types::is_name)
                && *name != "One"
        });
        names.map(str::to_owned).collect()
    }

    /// Edits of a call of a method: another axis, the other form of a reduction, or none.
    fn call(&mut self, expression: &'a Expr, distance: u32) {
        let Expr::MethodCall(call) = expression else { return };
        let (name, far) = (call.method.to_string(), 10 * distance);
        let (method, receiver) = (range(&call.method), range(&*call.receiver));
        if let Some((at, axis)) = self.axis(call) {
            let is_new = name == "unsqueeze";
            for (order, number) in [-1, 0, 1, -2, 2, -3, 3, 4].into_iter().enumerate() {
                if number != axis {
                    let rank = if self.entry.starts_with("T20") { 5 } else { 16 };
                    let words = format!("takes axis {number} in place of {axis}");
                    let edit = Edit { range: at.clone(), text: number.to_string() };
                    let axis = Some(Axis { number, is_new });
                    let rank = rank + order as u32 + far;
                    self.add_to(Some(&receiver), vec![edit], words, rank, axis);
                }
            }
        }
        let without = name.strip_suffix("_keepdims");
        let reduction = without.unwrap_or(&name);
        let along = reduction.strip_suffix("_axis").or(reduction.strip_suffix("_axes"));
        if along.is_some_and(|base| REDUCTIONS.contains(&base)) {
            let (new, words) = match without {
                Some(without) => (without.to_owned(), "removes the axis that is reduced"),
                None => (format!("{name}_keepdims"), "keeps the axis that is reduced, with size 1"),
            };
            let edit = Edit { range: method.clone(), text: new };
            let rank = if self.is_about(&["T1"]) { 7 + 4 * distance } else { 16 + far };
            self.add_to(Some(&receiver), vec![edit], words.to_owned(), rank, None);
        } else if REDUCTIONS.contains(&name.as_str()) && call.args.is_empty() {
            for (number, axis) in ["-1", "0", "1"].into_iter().enumerate() {
                let text = format!("{name}_axis::<{axis}>");
                let words = format!("reduces axis {axis} alone");
                let (edit, rank) = (Edit { range: method.clone(), text }, 30 + number as u32 + far);
                self.add_to(Some(&receiver), vec![edit], words, rank, None);
            }
        }
        if REMOVABLE.contains(&name.as_str()) {
            let at = receiver.end..range(expression).end;
            let words = format!("without `{}`", self.written(&at));
            self.add(vec![Edit { range: at, text: String::new() }], words, 30 + far);
        }
        let other = match name.as_str() {
            "matmul" => "dot",
            "dot" => "matmul",
            _ => return,
        };
        let edit = Edit { range: method, text: other.to_owned() };
        self.add_to(
            Some(&receiver),
            vec![edit],
            format!("is the product `{other}`"),
            32 + far,
            None,
        );
    }

    /// The axis in `x.sum_axis::<-1>()`, and its range.
    fn axis(&self, call: &ExprMethodCall) -> Option<(Range<usize>, i64)> {
        let name = call.method.to_string();
        if !name.contains("_axis") && !ALONG_AXIS.contains(&&name[..]) {
            return None;
        }
        let first = call.turbofish.as_ref()?.args.first()?;
        let at = range(first);
        Some((at.clone(), self.written(&at).parse().ok()?))
    }
}

/// The bounds that a message names: "add the bound `D: Axis`", "`T` is not a type of tensor elements".
fn named_bounds(diagnostic: &Value) -> Vec<(&str, &str)> {
    let parts =
        texts(diagnostic).into_iter().flat_map(|text| text.split("add the bound `").skip(1));
    let named = parts.filter_map(|rest| rest.split('`').next()?.split_once(": "));
    let of_elements =
        field(diagnostic, "message").strip_suffix("` is not a type of tensor elements");
    let of_elements = of_elements.and_then(|ty| ty.strip_prefix('`')).map(|ty| (ty, "Element"));
    named.chain(of_elements).collect()
}

/// The words of a proposal of rustc as those of a correction.
fn rustc(message: &str) -> String {
    match quoted(message)[..] {
        [parameter, bound] if message.contains("restricting type parameter") => {
            format!("adds the bound `{parameter}: {bound}`")
        }
        _ => format!("as rustc proposes, {message}"),
    }
}

fn is_function(expression: &Expr) -> bool {
    matches!(expression, Expr::Path(path) if path.path.segments.len() > 1)
}

fn is_assignment(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}
