//! The text of a function, operation by operation.

use core::fmt::{Display, Write};
use std::collections::HashMap;

use crate::array::trace::value::Value;

/// The text of a program without its operations, in the syntax of MLIR: operations of the module before the
/// function `main`, and attributes of arguments and results.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_core::trace::{Attributes, trace};
///
/// let program = trace(&tensor![1.0_f32, 2.0], |x| x.exp());
/// let rows = r#"sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>"#;
/// let attributes = Attributes {
///     module: vec![r#"sdy.mesh @mesh = <["data"=2]>"#.to_owned()],
///     inputs: vec![vec![rows.to_owned()]],
///     outputs: vec![vec![rows.to_owned()]],
/// };
/// let text = program.to_stablehlo_with(&attributes);
/// assert!(text.contains(r#"%arg0: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}"#));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// Operations before the function.
    pub module: Vec<String>,
    /// The attributes of each input; inputs beyond the end of the list have none.
    pub inputs: Vec<Vec<String>>,
    /// The attributes of each output; outputs beyond the end of the list have none.
    pub outputs: Vec<Vec<String>>,
}

/// A type with the attributes of the argument or result of this number.
pub(crate) fn with_attributes(ty: &str, attributes: &[Vec<String>], number: usize) -> String {
    match attributes.get(number).map_or(&[][..], Vec::as_slice) {
        [] => ty.to_owned(),
        attributes => format!("{ty} {{{}}}", attributes.join(", ")),
    }
}

/// A value of the text.
#[derive(Clone, Debug)]
pub(crate) struct Tensor {
    pub(crate) name: String,
    pub(crate) sizes: Vec<usize>,
    /// As Rust writes it.
    pub(crate) element: &'static str,
}

impl Tensor {
    pub(crate) fn new(name: String, sizes: &[usize], element: &'static str) -> Self {
        Self { name, sizes: sizes.to_vec(), element }
    }

    /// Its type, such as `tensor<2x3xf32>`.
    pub(crate) fn ty(&self) -> String {
        type_of(&self.sizes, self.element)
    }

    pub(crate) fn rank(&self) -> usize {
        self.sizes.len()
    }

    pub(crate) fn is_float(&self) -> bool {
        self.element.starts_with('f') || self.element == "bf16"
    }
}

/// The name of an element type in StableHLO.
fn element_type(name: &str) -> String {
    match name.strip_prefix('u') {
        Some(bits) => format!("ui{bits}"),
        None if name == "bool" => "i1".to_owned(),
        None => name.to_owned(),
    }
}

pub(crate) fn type_of(sizes: &[usize], element: &str) -> String {
    let sizes: String = sizes.iter().map(|size| format!("{size}x")).collect();
    format!("tensor<{sizes}{}>", element_type(element))
}

/// The type in which elements of a type are computed: 16-bit floats as `f32`, as in this crate.
pub(crate) fn computed(element: &'static str) -> &'static str {
    if matches!(element, "f16" | "bf16") { "f32" } else { element }
}

/// Numbers or names with commas between them.
fn joined(items: impl IntoIterator<Item = impl Display>) -> String {
    let mut text = String::new();
    for item in items {
        push_item(&mut text, &item);
    }
    text
}

fn push_item(text: &mut String, item: &dyn Display) {
    let comma = if text.is_empty() { "" } else { ", " };
    write!(text, "{comma}{item}").expect("a text");
}

/// The numbers of axes as a list within an attribute.
pub(crate) fn list(axes: impl IntoIterator<Item = usize>) -> String {
    format!("[{}]", joined(axes))
}

/// A list of integers as an attribute.
pub(crate) fn array(numbers: &[impl ToString]) -> String {
    if numbers.is_empty() {
        return "array<i64>".to_owned();
    }
    format!("array<i64: {}>", joined(numbers.iter().map(ToString::to_string)))
}

/// Pairs of numbers as an attribute.
pub(crate) fn pairs(pairs: &[[isize; 2]]) -> String {
    let list: Vec<String> = pairs.iter().map(|[a, b]| format!("[{a}, {b}]")).collect();
    format!("dense<[{}]> : tensor<{}x2xi64>", list.join(", "), pairs.len())
}

/// The results of an operation of this name, of the types of these values.
fn results_of(name: &str, values: &[Tensor]) -> Vec<Tensor> {
    let result = |(number, value): (usize, &Tensor)| {
        Tensor::new(format!("{name}#{number}"), &value.sizes, value.element)
    };
    values.iter().enumerate().map(result).collect()
}

/// The body of the function that is written.
pub(crate) struct Builder {
    text: String,
    next: usize,
    /// The large constants that are inputs of the text instead, with their elements; `None` if all constants are text.
    pub(super) large: Option<Vec<(Tensor, Vec<u8>)>>,
    /// The operations of the module before the function.
    pub(super) module: Vec<String>,
    /// The axes of the mesh for each of whose devices a computation is written.
    manual: Vec<String>,
    /// The results of operations, by their text: what is computed twice is written once.
    known: HashMap<String, Tensor>,
}

/// The operation at the end of a function of a loop or a branch.
const RETURN: &str = "stablehlo.return";

/// The bytes up to which the text of an operation is compared with others.
const SHORT: usize = 1 << 12;

/// The bytes from which a constant is an input instead, where it may be.
const LARGE: usize = 1 << 16;

impl Builder {
    pub(crate) fn new() -> Self {
        Self {
            text: String::new(),
            next: 0,
            large: None,
            module: Vec::new(),
            manual: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// The module with the function `main`.
    pub(crate) fn finish(
        mut self,
        arguments: &[String],
        outputs: &[Tensor],
        attributes: &Attributes,
    ) -> String {
        let names: Vec<&str> = outputs.iter().map(|output| &output.name[..]).collect();
        let types: Vec<String> = outputs.iter().map(Tensor::ty).collect();
        let result =
            |(number, ty): (usize, &String)| with_attributes(ty, &attributes.outputs, number);
        let results: Vec<String> = types.iter().enumerate().map(result).collect();
        let (names, types) = (names.join(", "), types.join(", "));
        let returned =
            if outputs.is_empty() { String::new() } else { format!(" {names} : {types}") };
        let _ = writeln!(self.text, "    return{returned}");
        let module: String =
            attributes.module.iter().map(|operation| format!("  {operation}\n")).collect();
        format!(
            "module {{\n{module}  func.func public @main({}) -> ({}) {{\n{}  }}\n}}\n",
            arguments.join(", "),
            results.join(", "),
            self.text
        )
    }

    /// Adds a line.
    pub(crate) fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }

    /// A name for a new value.
    pub(crate) fn name(&mut self) -> String {
        self.next += 1;
        format!("%{}", self.next - 1)
    }

    /// An operation with attributes, such as `{dimensions = array<i64: 1>}`, and regions.
    pub(crate) fn operation(
        &mut self,
        operation: &str,
        operands: &[&Tensor],
        rest: &str,
        result: (&[usize], &'static str),
    ) -> Tensor {
        let text = format!(
            "\"stablehlo.{operation}\"({}){rest} : ({}) -> {}",
            joined(operands.iter().map(|operand| &operand.name)),
            joined(operands.iter().map(|operand| operand.ty())),
            type_of(result.0, result.1)
        );
        self.result_of(text, result)
    }

    /// The tensor with its axes split over those of a mesh; as it is in a program that is not split over devices.
    ///
    /// # Panics
    ///
    /// If the program is split over another mesh.
    #[track_caller]
    pub(crate) fn sharded(&mut self, x: &Tensor, mesh: &str, axes: &[Vec<String>]) -> Tensor {
        if !self.is_over(mesh) {
            return x.clone();
        }
        // Along the axes of the mesh that this is written for, a device has one part.
        let names = |over: &Vec<String>| {
            let over = over.iter().filter(|axis| !self.manual.contains(axis));
            format!("{{{}}}", joined(over.map(|axis| format!("\"{axis}\""))))
        };
        let axes = joined(axes.iter().map(names));
        let text = format!("sdy.sharding_constraint {} <@mesh, [{axes}]> : {}", x.name, x.ty());
        self.result_of(text, (&x.sizes, x.element))
    }

    /// Whether the program is split over the devices of this mesh, rather than not at all.
    ///
    /// # Panics
    ///
    /// If it is split over another mesh.
    #[track_caller]
    fn is_over(&self, mesh: &str) -> bool {
        assert!(
            self.module.is_empty() || self.module.iter().any(|operation| operation == mesh),
            "a tensor is split over a mesh that is not that of the program: `{mesh}`, and the program has `{}`",
            self.module.join("`, `")
        );
        !self.module.is_empty()
    }

    /// Whether the items of a loop are split over the devices along this axis: those of the program are, and this is not the
    /// computation of one of them.
    ///
    /// # Panics
    ///
    /// If the program is split over another mesh.
    #[track_caller]
    pub(crate) fn splits(&self, mesh: &str, axis: &str) -> bool {
        self.is_over(mesh) && !self.manual.iter().any(|manual| manual == axis)
    }

    /// The lists of the results of a function of an item of each list, the first operands, and of the other operands. Each
    /// device along an axis of the mesh has one item, and computes its results.
    pub(crate) fn on_each_device(
        &mut self,
        axis: &str,
        operands: &[Tensor],
        lists: usize,
        results: &[Value],
        function: impl FnOnce(&mut Self, Vec<Tensor>, &[Tensor]) -> Vec<Tensor>,
    ) -> Vec<Tensor> {
        // The other axes of the mesh split each axis as the compiler chooses.
        let sharding = |rank: usize, is_list: bool| {
            let of_axis = |number| match number == 0 && is_list {
                true => format!("{{\"{axis}\", ?}}"),
                false => "{?}".to_owned(),
            };
            format!("<@mesh, [{}]>", joined((0..rank).map(of_axis)))
        };
        let numbered = operands.iter().enumerate();
        let of_operands =
            joined(numbered.clone().map(|(number, of)| sharding(of.rank(), number < lists)));
        let of_results = joined(results.iter().map(|of| sharding(of.sizes.len(), true)));
        let on_device = |(number, of): (usize, &Tensor)| match number < lists {
            true => Tensor::new(String::new(), &[&[1], &of.sizes[1..]].concat(), of.element),
            false => of.clone(),
        };
        let local: Vec<Tensor> = numbered.map(on_device).collect();
        self.manual.push(axis.to_owned());
        let region = self.region("sdy.return", &local, |builder, values| {
            let (lists, others) = values.split_at(lists);
            let items = lists.iter().map(|list| builder.reshape(list, &list.sizes[1..])).collect();
            let results = function(builder, items, others);
            let in_list = |of: &Tensor| builder.reshape(of, &[&[1], &of.sizes[..]].concat());
            results.iter().map(in_list).collect()
        });
        self.manual.pop();
        let name = self.name();
        self.line(&format!(
            "{name}:{} = \"sdy.manual_computation\"({}) ({region}) {{in_shardings = \
             #sdy.sharding_per_value<[{of_operands}]>, out_shardings = #sdy.sharding_per_value<[{of_results}]>, \
             manual_axes = #sdy<manual_axes{{\"{axis}\"}}>}} : ({}) -> ({})",
            results.len(),
            joined(operands.iter().map(|of| &of.name)),
            joined(operands.iter().map(Tensor::ty)),
            joined(results.iter().map(|of| type_of(&of.sizes, of.element.name)))
        ));
        let result = |(number, of): (usize, &Value)| {
            Tensor::new(format!("{name}#{number}"), &of.sizes, of.element.name)
        };
        results.iter().enumerate().map(result).collect()
    }

    /// The result of an operation with this text.
    fn result_of(&mut self, text: String, result: (&[usize], &'static str)) -> Tensor {
        if let Some(known) = self.known.get(&text) {
            return known.clone();
        }
        let result = Tensor::new(self.name(), result.0, result.1);
        let _ = writeln!(self.text, "    {} = {text}", result.name);
        if text.len() <= SHORT {
            self.known.insert(text, result.clone());
        }
        result
    }

    /// An element-wise operation with a result of its operand's type.
    pub(crate) fn unary(&mut self, operation: &str, x: &Tensor) -> Tensor {
        self.operation(operation, &[x], "", (&x.sizes, x.element))
    }

    /// An element-wise operation on operands of one type.
    pub(crate) fn binary(&mut self, operation: &str, a: &Tensor, b: &Tensor) -> Tensor {
        self.operation(operation, &[a, b], "", (&a.sizes, a.element))
    }

    pub(crate) fn compare(&mut self, a: &Tensor, b: &Tensor, direction: &str) -> Tensor {
        let attribute =
            format!(" {{comparison_direction = #stablehlo<comparison_direction {direction}>}}");
        self.operation("compare", &[a, b], &attribute, (&a.sizes, "bool"))
    }

    pub(crate) fn select(&mut self, mask: &Tensor, a: &Tensor, b: &Tensor) -> Tensor {
        self.operation("select", &[mask, a, b], "", (&a.sizes, a.element))
    }

    pub(crate) fn convert(&mut self, x: &Tensor, element: &'static str) -> Tensor {
        if x.element == element {
            return x.clone();
        }
        if element == "bool" {
            let zero = self.number(0.0, &[], x.element);
            let zero = self.broadcast(&zero, &x.sizes);
            return self.compare(x, &zero, "NE");
        }
        self.operation("convert", &[x], "", (&x.sizes, element))
    }

    /// A constant tensor with the given text of its elements.
    fn constant(&mut self, elements: &str, sizes: &[usize], element: &'static str) -> Tensor {
        let ty = type_of(sizes, element);
        let elements = if sizes.contains(&0) { "" } else { elements };
        let attribute = format!(" {{value = dense<{elements}> : {ty}}}");
        self.operation("constant", &[], &attribute, (sizes, element))
    }

    /// A tensor whose elements are all this number.
    pub(crate) fn number(&mut self, number: f64, sizes: &[usize], element: &'static str) -> Tensor {
        let text = match element {
            "bool" => (number != 0.0).to_string(),
            "f64" => format!("0x{:016X}", number.to_bits()),
            "f32" => format!("0x{:08X}", (number as f32).to_bits()),
            "f16" | "bf16" => match number {
                _ if number.is_nan() => "0x7FFF".to_owned(),
                _ if number.is_infinite() => {
                    let infinity = if element == "f16" { 0x7C00 } else { 0x7F80 };
                    format!("0x{:04X}", infinity | if number < 0.0 { 0x8000 } else { 0 })
                }
                // A float has a point in MLIR.
                _ => match format!("{number:e}").split_once('e') {
                    Some((digits, power)) if !digits.contains('.') => format!("{digits}.0e{power}"),
                    _ => format!("{number:e}"),
                },
            },
            _ if element.starts_with('u') => (number as u64).to_string(),
            _ => (number as i64).to_string(),
        };
        self.constant(&text, sizes, element)
    }

    /// The numbers 0, 1 … along an axis.
    pub(crate) fn iota(&mut self, sizes: &[usize], axis: usize) -> Tensor {
        let attribute = format!(" {{iota_dimension = {axis} : i64}}");
        self.operation("iota", &[], &attribute, (sizes, "i64"))
    }

    /// A constant of these integers, of type `i64`.
    pub(crate) fn integers(
        &mut self,
        sizes: &[usize],
        elements: impl Iterator<Item = i64>,
    ) -> Tensor {
        let bytes: Vec<u8> = elements.flat_map(i64::to_le_bytes).collect();
        self.dense(&bytes, 8, sizes, "i64")
    }

    /// A constant of these floats, rounded to `f32` or as `f64`.
    pub(crate) fn floats(
        &mut self,
        sizes: &[usize],
        elements: impl Iterator<Item = f64>,
        element: &'static str,
    ) -> Tensor {
        if element == "f64" {
            let bytes: Vec<u8> = elements.flat_map(f64::to_le_bytes).collect();
            return self.dense(&bytes, 8, sizes, element);
        }
        let bytes: Vec<u8> = elements.flat_map(|x| (x as f32).to_le_bytes()).collect();
        self.dense(&bytes, 4, sizes, element)
    }

    /// A constant of the bytes of its elements.
    pub(crate) fn dense(
        &mut self,
        bytes: &[u8],
        of_element: usize,
        sizes: &[usize],
        element: &'static str,
    ) -> Tensor {
        let mut elements = bytes.chunks_exact(of_element);
        let Some(first) = elements.next() else {
            return self.constant("", sizes, element);
        };
        let hex = |bytes: &mut dyn Iterator<Item = &u8>| {
            bytes.fold(String::from("0x"), |mut text, byte| {
                let _ = write!(text, "{byte:02X}");
                text
            })
        };
        let is_integer = !element.starts_with('f') && element != "bf16";
        let text = match (elements.all(|other| other == first), element) {
            (true, "bool") => (first[0] != 0).to_string(),
            (true, _) if is_integer => signed_or_not(first, element).to_string(),
            (true, _) => hex(&mut first.iter().rev()),
            (false, "bool") => return self.mask(bytes, sizes),
            (false, _) if self.large.is_some() && bytes.len() >= LARGE => {
                return self.large_constant(bytes, sizes, element);
            }
            (false, _) => format!("\"{}\"", hex(&mut bytes.iter())),
        };
        self.constant(&text, sizes, element)
    }

    /// A constant as an input, one for each that differs.
    fn large_constant(&mut self, bytes: &[u8], sizes: &[usize], element: &'static str) -> Tensor {
        let constants = self.large.get_or_insert_default();
        let is_it = |(constant, of_constant): &&(Tensor, Vec<u8>)| {
            (&constant.sizes[..], constant.element, &of_constant[..]) == (sizes, element, bytes)
        };
        if let Some((constant, _)) = constants.iter().find(is_it) {
            return constant.clone();
        }
        let constant = Tensor::new(format!("%constant{}", constants.len()), sizes, element);
        constants.push((constant.clone(), bytes.to_vec()));
        constant
    }

    /// A constant of booleans, as a comparison of bytes.
    fn mask(&mut self, bytes: &[u8], sizes: &[usize]) -> Tensor {
        let numbers = self.dense(bytes, 1, sizes, "u8");
        self.convert(&numbers, "bool")
    }

    pub(crate) fn reshape(&mut self, x: &Tensor, sizes: &[usize]) -> Tensor {
        if x.sizes == sizes {
            return x.clone();
        }
        self.operation("reshape", &[x], "", (sizes, x.element))
    }

    pub(crate) fn transpose(&mut self, x: &Tensor, order: &[usize]) -> Tensor {
        if order.iter().enumerate().all(|(position, &axis)| position == axis) {
            return x.clone();
        }
        let sizes: Vec<usize> = order.iter().map(|&axis| x.sizes[axis]).collect();
        let attribute = format!(" {{permutation = {}}}", array(order));
        self.operation("transpose", &[x], &attribute, (&sizes, x.element))
    }

    /// The tensor broadcast to these sizes, aligned at the last axis.
    pub(crate) fn broadcast(&mut self, x: &Tensor, sizes: &[usize]) -> Tensor {
        if x.sizes == sizes {
            return x.clone();
        }
        let axes: Vec<usize> = (sizes.len() - x.rank()..sizes.len()).collect();
        self.broadcast_in(x, &axes, sizes)
    }

    /// The tensor broadcast to these sizes; each of its axes becomes the axis with this number.
    pub(crate) fn broadcast_in(&mut self, x: &Tensor, axes: &[usize], sizes: &[usize]) -> Tensor {
        let attribute = format!(" {{broadcast_dimensions = {}}}", array(axes));
        self.operation("broadcast_in_dim", &[x], &attribute, (sizes, x.element))
    }

    pub(crate) fn concat(&mut self, parts: &[Tensor], axis: usize, sizes: &[usize]) -> Tensor {
        let attribute = format!(" {{dimension = {axis} : i64}}");
        let parts: Vec<&Tensor> = parts.iter().collect();
        self.operation("concatenate", &parts, &attribute, (sizes, parts[0].element))
    }

    /// A part of each axis: from `starts` to before `ends`.
    pub(crate) fn slice(&mut self, x: &Tensor, starts: &[usize], ends: &[usize]) -> Tensor {
        let is_whole = starts.iter().all(|&start| start == 0) && ends == x.sizes;
        if is_whole {
            return x.clone();
        }
        let sizes: Vec<usize> = starts.iter().zip(ends).map(|(start, end)| end - start).collect();
        let ones = vec![1; x.rank()];
        let attribute = format!(
            " {{start_indices = {}, limit_indices = {}, strides = {}}}",
            array(starts),
            array(ends),
            array(&ones)
        );
        self.operation("slice", &[x], &attribute, (&sizes, x.element))
    }

    pub(crate) fn pad(
        &mut self,
        x: &Tensor,
        fill: &Tensor,
        amounts: &[[isize; 2]],
        sizes: &[usize],
    ) -> Tensor {
        self.spread(x, fill, amounts, &vec![0; amounts.len()], sizes)
    }

    /// [`pad`](Self::pad) with this number of elements between two of each axis.
    pub(crate) fn spread(
        &mut self,
        x: &Tensor,
        fill: &Tensor,
        amounts: &[[isize; 2]],
        between: &[usize],
        sizes: &[usize],
    ) -> Tensor {
        let before: Vec<isize> = amounts.iter().map(|pair| pair[0]).collect();
        let after: Vec<isize> = amounts.iter().map(|pair| pair[1]).collect();
        let attribute = format!(
            " {{edge_padding_low = {}, edge_padding_high = {}, interior_padding = {}}}",
            array(&before),
            array(&after),
            array(between)
        );
        self.operation("pad", &[x, fill], &attribute, (sizes, x.element))
    }

    /// The elements moved along an axis, towards its end where `by` is positive; what has no element there is `fill`.
    pub(crate) fn shifted(&mut self, x: &Tensor, axis: usize, by: isize, fill: f64) -> Tensor {
        let mut amounts = vec![[0, 0]; x.rank()];
        amounts[axis] = [by, -by];
        let fill = self.number(fill, &[], x.element);
        self.pad(x, &fill, &amounts, &x.sizes)
    }

    /// The tensor with these axes in reverse order.
    pub(crate) fn reverse(&mut self, x: &Tensor, axes: &[usize]) -> Tensor {
        if axes.is_empty() {
            return x.clone();
        }
        let attribute = format!(" {{dimensions = {}}}", array(axes));
        self.operation("reverse", &[x], &attribute, (&x.sizes, x.element))
    }

    /// The results of windows that move by one element, combined by an operation.
    pub(crate) fn reduce_moving_window(
        &mut self,
        x: &Tensor,
        start: f64,
        by: &str,
        (window, dilation, padding): (&[usize], &[usize], &[[isize; 2]]),
        sizes: &[usize],
    ) -> Tensor {
        let start = self.number(start, &[], x.element);
        let ones = array(&vec![1; x.rank()]);
        let rest = format!(
            " ({}) {{window_dimensions = {}, window_strides = {ones}, base_dilations = {ones}, \
             window_dilations = {}, padding = {}}}",
            region_of(by, x.element),
            array(window),
            array(dilation),
            pairs(padding)
        );
        self.operation("reduce_window", &[x, &start], &rest, (sizes, x.element))
    }

    /// The first value, not before the second is known; operations that read it are not merged with others.
    pub(crate) fn barrier(&mut self, x: &Tensor, other: &Tensor) -> Tensor {
        let name = self.name();
        let types = format!("{}, {}", x.ty(), other.ty());
        self.line(&format!(
            "{name}:2 = \"stablehlo.optimization_barrier\"({}, {}) : ({types}) -> ({types})",
            x.name, other.name
        ));
        Tensor::new(format!("{name}#0"), &x.sizes, x.element)
    }

    /// A loop over these values, while a condition of them holds.
    pub(crate) fn while_loop(
        &mut self,
        values: &[Tensor],
        condition: impl FnOnce(&mut Self, &[Tensor]) -> Vec<Tensor>,
        step: impl FnOnce(&mut Self, &[Tensor]) -> Vec<Tensor>,
    ) -> Vec<Tensor> {
        let (condition, step) =
            (self.region(RETURN, values, condition), self.region(RETURN, values, step));
        self.while_regions(values, &condition, &step)
    }

    fn while_regions(&mut self, values: &[Tensor], condition: &str, step: &str) -> Vec<Tensor> {
        let name = self.name();
        let types = joined(values.iter().map(Tensor::ty));
        self.line(&format!(
            "{name}:{} = \"stablehlo.while\"({}) ({condition}, {step}) : ({types}) -> ({types})",
            values.len(),
            joined(values.iter().map(|value| &value.name))
        ));
        results_of(&name, values)
    }

    /// The results of one of several functions, as the operand of an `if` or a `case` selects.
    pub(crate) fn branch<F: FnOnce(&mut Self, &[Tensor]) -> Vec<Tensor>>(
        &mut self,
        operation: &str,
        index: &Tensor,
        functions: impl Iterator<Item = F>,
    ) -> Vec<Tensor> {
        let mut results = Vec::new();
        let regions: Vec<String> = functions
            .map(|function| {
                self.region(RETURN, &[], |builder, values| {
                    results = function(builder, values);
                    results.clone()
                })
            })
            .collect();
        self.branch_regions(operation, index, &regions, &results)
    }

    fn branch_regions(
        &mut self,
        operation: &str,
        index: &Tensor,
        regions: &[String],
        results: &[Tensor],
    ) -> Vec<Tensor> {
        let name = self.name();
        self.line(&format!(
            "{name}:{} = \"stablehlo.{operation}\"({}) ({}) : ({}) -> ({})",
            results.len(),
            index.name,
            joined(regions),
            index.ty(),
            joined(results.iter().map(Tensor::ty))
        ));
        results_of(&name, results)
    }

    /// A region with arguments of the types of these values, which this operation ends. Its constants are text, and operations
    /// that it shares with the text outside of it are written again.
    fn region(
        &mut self,
        end: &str,
        values: &[Tensor],
        function: impl FnOnce(&mut Self, &[Tensor]) -> Vec<Tensor>,
    ) -> String {
        let (outer, arguments) = self.begin_region(values);
        let results = function(self, &arguments);
        self.end_region(outer, end, &arguments, &results)
    }

    /// The builder outside of a region, and the arguments of the region.
    fn begin_region(&mut self, values: &[Tensor]) -> (Self, Vec<Tensor>) {
        let (module, manual) = (self.module.clone(), self.manual.clone());
        let inner = Self { next: self.next, module, manual, ..Self::new() };
        let outer = core::mem::replace(self, inner);
        let arguments = values
            .iter()
            .map(|value| Tensor::new(self.name(), &value.sizes, value.element))
            .collect();
        (outer, arguments)
    }

    fn end_region(
        &mut self,
        outer: Self,
        end: &str,
        arguments: &[Tensor],
        results: &[Tensor],
    ) -> String {
        let Self { text, next, .. } = core::mem::replace(self, outer);
        self.next = next;
        let shown = arguments.iter().map(|value| format!("{}: {}", value.name, value.ty()));
        let header = if arguments.is_empty() { "" } else { "^bb0" };
        format!(
            "{{ {header}{}\n{text}    \"{end}\"({}) : ({}) -> () }}",
            if arguments.is_empty() { String::new() } else { format!("({}):", joined(shown)) },
            joined(results.iter().map(|result| &result.name)),
            joined(results.iter().map(Tensor::ty))
        )
    }

    /// The elements at an index of the first axis.
    pub(crate) fn item(&mut self, list: &Tensor, index: &Tensor) -> Tensor {
        let mut sizes = list.sizes.clone();
        sizes[0] = 1;
        let zero = self.number(0.0, &[], "i64");
        let mut operands = vec![list, index];
        operands.resize(1 + list.rank(), &zero);
        let attribute = format!(" {{slice_sizes = {}}}", array(&sizes));
        let item = self.operation("dynamic_slice", &operands, &attribute, (&sizes, list.element));
        self.reshape(&item, &list.sizes[1..])
    }

    /// The list with other elements at an index of the first axis.
    pub(crate) fn with_item(&mut self, list: &Tensor, item: &Tensor, index: &Tensor) -> Tensor {
        let mut sizes = list.sizes.clone();
        sizes[0] = 1;
        let item = self.reshape(item, &sizes);
        let zero = self.number(0.0, &[], "i64");
        let mut operands = vec![list, &item, index];
        operands.resize(2 + list.rank(), &zero);
        self.operation("dynamic_update_slice", &operands, "", (&list.sizes, list.element))
    }

    /// A reduction along axes, which are removed; the region combines two scalars by an operation.
    pub(crate) fn reduce(&mut self, x: &Tensor, axes: &[usize], by: &str, start: f64) -> Tensor {
        let kept = (0..x.rank()).filter(|axis| !axes.contains(axis));
        let sizes: Vec<usize> = kept.map(|axis| x.sizes[axis]).collect();
        let start = self.number(start, &[], x.element);
        let region = region_of(by, x.element);
        let rest = format!(" ({region}) {{dimensions = {}}}", array(axes));
        self.operation("reduce", &[x, &start], &rest, (&sizes, x.element))
    }

    /// An integer power by multiplications.
    pub(crate) fn integer_power(&mut self, x: &Tensor, power: i32) -> Tensor {
        let mut result = self.number(1.0, &x.sizes, x.element);
        let (mut left, mut square) = (power.unsigned_abs(), x.clone());
        let mut is_one = true;
        while left > 0 {
            if left & 1 == 1 {
                result =
                    if is_one { square.clone() } else { self.binary("multiply", &result, &square) };
                is_one = false;
            }
            left >>= 1;
            if left > 0 {
                square = self.binary("multiply", &square, &square);
            }
        }
        if power < 0 {
            let one = self.number(1.0, &x.sizes, x.element);
            result = self.binary("divide", &one, &result);
        }
        result
    }
}

/// The region of a reduction that combines two scalars by an operation.
pub(crate) fn region_of(by: &str, element: &str) -> String {
    let ty = type_of(&[], element);
    format!(
        "{{ ^bb0(%a: {ty}, %b: {ty}): %c = \"stablehlo.{by}\"(%a, %b) : ({ty}, {ty}) -> {ty} \
         \"stablehlo.return\"(%c) : ({ty}) -> () }}"
    )
}

/// The integer of some bytes in the order of this machine's least significant byte first.
fn signed_or_not(bytes: &[u8], element: &str) -> i128 {
    let mut all = [0; 16];
    all[..bytes.len()].copy_from_slice(bytes);
    let number = i128::from_le_bytes(all);
    let bits = 8 * bytes.len();
    let is_negative = element.starts_with('i') && number >> (bits - 1) & 1 == 1;
    if is_negative { number - (1 << bits) } else { number }
}
