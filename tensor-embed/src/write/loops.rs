//! The functions of loops.

use std::collections::BTreeSet;
use std::fmt::Write;

use tensor_onnx::stablehlo::{Element, Region, WindowAttributes};

use super::element::{Scope, position};
use super::has_word;
use super::kernel::Kernel;
use crate::expression::{Kind, Node, View};
use crate::scalar;
use crate::steps::{Convolution, Loop, LoopKind, Target, Windows};

/// The number of parts in which a sum along the last axis is computed.
const PARTS: usize = 8;

impl Kernel<'_> {
    /// The statements of a loop.
    pub fn body(&mut self, of: &Loop) -> String {
        let mut body = match &of.kind {
            LoopKind::Map { sizes, node, view } => self.map(of.out, sizes, node, view),
            LoopKind::Reduce { sizes, axes, node, by, start } => {
                self.reduce(of.out, sizes, axes, node, by, start)
            }
            LoopKind::Product { batch, m, k, n, a, b } => {
                self.product(of.out, batch, [*m, *k, *n], a, b)
            }
            LoopKind::Convolution { x, weights, plan } => {
                self.convolution(of.out, *x, *weights, plan)
            }
            LoopKind::Windows(windows) => self.windows(of.out, windows),
            LoopKind::Scan { ty, axis, node, by, start, reverse, exclusive } => {
                self.scan(of.out, &ty.sizes, *axis, node, (by, start), [*reverse, *exclusive])
            }
            LoopKind::Scatter { sizes, updates, view, indices, by } => {
                self.scatter(of.out, sizes, updates, view, indices, by)
            }
            LoopKind::Order { sizes, x, by } => self.order(of.out, sizes, x, by),
            LoopKind::SelectAndScatter { windows, updates, by } => {
                self.select_and_scatter(of.out, windows, *updates, by)
            }
        };
        // An index that is not used has no name.
        let names: BTreeSet<String> = body
            .match_indices("for ")
            .map(|(at, _)| body[at + 4..].chars().take_while(|c| c.is_alphanumeric()).collect())
            .collect();
        for name in names.iter().filter(|name| !name.is_empty()) {
            let head = format!("for {name} in ");
            if !has_word(&body.replace(&head, ""), name) {
                body = body.replace(&head, "for _ in ");
            }
        }
        body
    }

    fn map(&mut self, out: usize, sizes: &[usize], node: &Node, view: &View) -> String {
        let order: Vec<usize> = (0..sizes.len()).collect();
        let axes = collapsed(&order, sizes, &[node], &[view]);
        let ends: Vec<usize> = axes.iter().map(|(_, size)| *size).collect();
        let order: Vec<usize> = axes.iter().map(|(axis, _)| *axis).collect();
        let (node, view) = (node.permuted(&order), view.permuted(&order));
        let mut scope = Scope::new(&ends);
        let target = scope.output(self, out, &view);
        let value = scope.value(self, &node);
        let lines = format!("{}{target} = {value};\n", scope.lines);
        scope.around(&lines)
    }

    /// The statements that combine an accumulator with an element.
    fn combined(&self, by: &Region, element: Element, sum: &str, value: &str) -> String {
        let operands = [sum, value].map(|name| (name.to_owned(), element));
        let (lines, results) = scalar::region(by, &operands);
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        format!("{lines}{sum} = {};\n", results[0])
    }

    fn reduce(
        &mut self,
        out: usize,
        sizes: &[usize],
        axes: &[usize],
        node: &Node,
        by: &Region,
        start: &str,
    ) -> String {
        let element = self.element(out);
        let kept: Vec<usize> = (0..sizes.len()).filter(|axis| !axes.contains(axis)).collect();
        let kept = collapsed(&kept, sizes, &[node], &[]);
        let mut summed = collapsed(axes, sizes, &[node], &[]);
        if summed.is_empty() {
            // Axes of one element.
            summed.extend(axes.first().map(|&axis| (axis, 1)));
        }
        let is_last_kept = match (kept.last(), summed.last()) {
            (Some(kept), Some(summed)) => kept.0 > summed.0,
            (kept, _) => kept.is_some(),
        };
        let order: Vec<(usize, usize)> = match is_last_kept {
            true => {
                let (last, outer) = kept.split_last().expect("an axis");
                [outer, &summed, &[*last]].concat()
            }
            false => [&kept[..], &summed].concat(),
        };
        let ends: Vec<usize> = order.iter().map(|(_, size)| *size).collect();
        let node = node.permuted(&order.iter().map(|(axis, _)| *axis).collect::<Vec<_>>());
        let of_out = View::row_major(&kept.iter().map(|(_, size)| *size).collect::<Vec<_>>());
        let mut scope = Scope::new(&ends);
        let target = self.parameter(out, true);
        let value = scope.value(self, &node);
        let outer = if is_last_kept { kept.len() - 1 } else { kept.len() };
        let mut text = String::new();
        for (name, size) in scope.names[..outer].iter().zip(&ends) {
            let _ = writeln!(text, "for {name} in 0..{size} {{");
        }
        let at = View { offset: 0, strides: of_out.strides[..outer].to_vec() };
        let at = position(&at, &scope.names[..outer]);
        let last = scope.names.len() - 1;
        let (name, size) = (scope.names[last].clone(), ends[last]);
        let inner = &scope.names[outer..last];
        let mut loops = String::new();
        for (name, size) in inner.iter().zip(&ends[outer..last]) {
            let _ = writeln!(loops, "for {name} in 0..{size} {{");
        }
        let closing = "}\n".repeat(inner.len());
        if is_last_kept {
            // All sums of a row at once.
            let line = self.combined(by, element, &format!("sums[{name}]"), &value);
            let _ = writeln!(
                text,
                "let sums = &mut {}[..{size}];\nsums.fill({start});\n{loops}{}for {name} in 0..{size} \
                 {{\n{}{line}}}\n{closing}",
                from(&target, &at),
                scope.before,
                scope.lines
            );
        } else if size < 2 * PARTS {
            // Of several axes the sum of each row, and of these sums.
            let (row, total) = match inner.is_empty() {
                true => (String::new(), String::new()),
                false => {
                    (format!("let mut row = {start};\n"), self.combined(by, element, "sum", "row"))
                }
            };
            let of_row = if inner.is_empty() { "sum" } else { "row" };
            let line = self.combined(by, element, of_row, &value);
            let _ = writeln!(
                text,
                "let mut sum = {start};\n{loops}{row}{}for {name} in 0..{size} {{\n{}{line}}}\n{total}{closing}{target}[{at}] = \
                 sum;",
                scope.before, scope.lines
            );
        } else {
            let line = self.combined(by, element, "sums[part]", &value);
            let ahead = size / PARTS * PARTS;
            let rest = match size - ahead {
                0 => String::new(),
                _ => format!(
                    "for {name} in {ahead}..{size} {{\nlet part = {name} - {ahead};\n{}{line}}}\n",
                    scope.lines
                ),
            };
            let pairs = self.combined(by, element, "sums[part]", "sums[part + half]");
            let _ = writeln!(
                text,
                "let mut sums = [{start}; {PARTS}];\n{loops}{}for block in 0..{} {{\nfor part in 0..{PARTS} {{\nlet {name} = \
                 block * {PARTS} + part;\n{}{line}}}\n}}\n{rest}{closing}for half in [4, 2, 1] {{\nfor part in 0..half \
                 {{\n{pairs}}}\n}}\n{target}[{at}] = sums[0];",
                scope.before,
                ahead / PARTS,
                scope.lines,
            );
        }
        text + &"}\n".repeat(outer)
    }

    fn product(
        &mut self,
        out: usize,
        batch: &[usize],
        [m, k, n]: [usize; 3],
        a: &(usize, View),
        b: &(usize, View),
    ) -> String {
        let scope = Scope::new(&[batch, &[1]].concat());
        let names = &scope.names[..batch.len()];
        let [left, right] = [a, b].map(|(buffer, view)| {
            let outer = View { offset: view.offset, strides: view.strides[..batch.len()].to_vec() };
            let row = view.strides[batch.len()];
            let array = from(&self.parameter(*buffer, false), &position(&outer, names));
            format!("(&{array}, {row})")
        });
        let at = View::row_major(&[batch, &[m, n]].concat());
        let at = View { offset: 0, strides: at.strides[..batch.len()].to_vec() };
        let target = self.parameter(out, true);
        let mut text = String::new();
        for (name, size) in names.iter().zip(batch) {
            let _ = writeln!(text, "for {name} in 0..{size} {{");
        }
        let _ = writeln!(
            text,
            "product({left}, {right}, &mut {}, [{m}, {k}, {n}]);",
            from(&target, &position(&at, names))
        );
        text + &"}\n".repeat(batch.len())
    }

    fn convolution(&mut self, out: usize, x: usize, weights: usize, of: &Convolution) -> String {
        let [x, weights] = [x, weights].map(|buffer| self.parameter(buffer, false));
        let target = self.parameter(out, true);
        let Convolution { images, groups, channels, outputs, .. } = of;
        format!(
            "let of = Sizes {{\nimages: {images},\ngroups: {groups},\nchannels: {channels},\noutputs: {outputs},\n\
             size: {:?},\nwindow: {:?},\nstride: {:?},\ndilation: {:?},\nbefore: {:?},\npositions: {:?},\n}};\n\
             convolve({x}, {weights}, {target}, &of);\n",
            of.size, of.window, of.stride, of.dilation, of.before, of.positions
        )
    }

    /// Loops over the elements of each window, and statements for an element at the position `at` of the operand.
    fn of_windows(&self, of: &Windows, statements: &str) -> String {
        let mut text = String::new();
        let mut depth = 0;
        let WindowAttributes { positions, window, stride, dilation, .. } = &of.attributes;
        let (sizes, low) = (&of.sizes, of.attributes.low());
        for axis in 0..sizes.len() {
            let step = match stride[axis] {
                1 => format!("p{axis}"),
                step => format!("p{axis} * {step}"),
            };
            let last = (positions[axis] as i64 - 1) * stride[axis] as i64
                + (window[axis] as i64 - 1) * dilation[axis] as i64
                - low[axis];
            let at = if window[axis] == 1 {
                step
            } else {
                let _ = writeln!(text, "for w{axis} in 0..{} {{", window[axis]);
                depth += 1;
                match dilation[axis] {
                    1 => format!("{step} + w{axis}"),
                    step_of_window => format!("{step} + w{axis} * {step_of_window}"),
                }
            };
            if low[axis] <= 0 && last < sizes[axis] as i64 {
                let start =
                    if low[axis] == 0 { String::new() } else { format!(" + {}", -low[axis]) };
                let _ = writeln!(text, "let x{axis} = {at}{start};");
            } else {
                // A position before the first element wraps around to a large one.
                let (function, amount) =
                    if low[axis] < 0 { ("add", -low[axis]) } else { ("sub", low[axis]) };
                let _ = writeln!(
                    text,
                    "let x{axis} = usize::wrapping_{function}({at}, {amount});\nif x{axis} < {} {{",
                    sizes[axis]
                );
                depth += 1;
            }
        }
        format!("{text}{statements}{}", "}\n".repeat(depth))
    }

    fn windows(&mut self, out: usize, of: &Windows) -> String {
        let names: Vec<String> =
            (0..of.attributes.positions.len()).map(|axis| format!("x{axis}")).collect();
        let elements: Vec<Element> = of.x.iter().map(|x| self.element(x.0)).collect();
        let mut loads = String::new();
        let count = of.x.len();
        for (number, (buffer, view)) in of.x.iter().enumerate() {
            let array = self.parameter(*buffer, false);
            let _ = writeln!(loads, "let e{number} = {array}[{}];", position(view, &names));
        }
        let mut operands = Vec::new();
        for letter in ["s", "e"] {
            operands
                .extend((0..count).map(|number| (format!("{letter}{number}"), elements[number])));
        }
        let (lines, results) = scalar::region(&of.by, &operands);
        for line in lines {
            let _ = writeln!(loads, "{line}");
        }
        for (number, result) in results.iter().enumerate() {
            let _ = writeln!(loads, "s{number} = {result};");
        }
        let mut text = String::new();
        for (axis, size) in of.attributes.positions.iter().enumerate() {
            let _ = writeln!(text, "for p{axis} in 0..{size} {{");
        }
        for (number, start) in of.starts.iter().enumerate() {
            let _ = writeln!(text, "let mut s{number} = {start};");
        }
        let positions: Vec<String> =
            (0..of.attributes.positions.len()).map(|axis| format!("p{axis}")).collect();
        let target = self.parameter(out, true);
        let at = position(&View::row_major(&of.attributes.positions), &positions);
        let _ = writeln!(text, "{}{target}[{at}] = s{};", self.of_windows(of, &loads), of.result);
        text + &"}\n".repeat(of.attributes.positions.len())
    }

    fn select_and_scatter(
        &mut self,
        out: usize,
        of: &Windows,
        updates: usize,
        by: &Region,
    ) -> String {
        let [names, positions] = ["x", "p"].map(|letter| {
            (0..of.sizes.len()).map(|axis| format!("{letter}{axis}")).collect::<Vec<_>>()
        });
        let (array, view) = (self.parameter(of.x[0].0, false), &of.x[0].1);
        let element = self.element(out);
        let operands = ["best", "other"].map(|name| (name.to_owned(), element));
        let (lines, results) = scalar::region(by, &operands);
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let statements = format!(
            "let other = {array}[{}];\nlet stays = at < {} && {{\n{lines}{}\n}};\nif !stays {{\nbest = other;\nat = {};\n}}\n",
            position(view, &names),
            self.len(out),
            results[0],
            position(&View::row_major(&of.sizes), &names)
        );
        let (target, updates) = (self.parameter(out, true), self.parameter(updates, false));
        let mut text = String::new();
        for (axis, size) in of.attributes.positions.iter().enumerate() {
            let _ = writeln!(text, "for p{axis} in 0..{size} {{");
        }
        let zero = scalar::typed(element, &scalar::literal(element, &[0; 8][..element.bytes()]));
        // An assignment that nothing reads is a warning.
        let read =
            if of.attributes.window.iter().all(|&size| size == 1) { "let _ = best;\n" } else { "" };
        let _ = writeln!(
            text,
            "let mut best = {zero};\nlet mut at = usize::MAX;\n{}{read}if let Some(sum) = {target}.get_mut(at) {{\n*sum += \
             {updates}[{}];\n}}",
            self.of_windows(of, &statements),
            position(&View::row_major(&of.attributes.positions), &positions)
        );
        text + &"}\n".repeat(of.attributes.positions.len())
    }

    fn scan(
        &mut self,
        out: usize,
        sizes: &[usize],
        axis: usize,
        node: &Node,
        (by, start): (&Region, &str),
        [reverse, exclusive]: [bool; 2],
    ) -> String {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.remove(axis);
        order.push(axis);
        let ends: Vec<usize> = order.iter().map(|&axis| sizes[axis]).collect();
        let mut scope = Scope::new(&ends);
        let view = View::row_major(sizes).permuted(&order);
        let target = scope.output(self, out, &view);
        let value = scope.value(self, &node.permuted(&order));
        let line = self.combined(by, self.element(out), "sum", &value);
        let write = format!("{target} = sum;\n");
        let lines = match exclusive {
            true => format!("{}{write}{line}", scope.lines),
            false => format!("{}{line}{write}", scope.lines),
        };
        let _ = writeln!(scope.before, "let mut sum = {start};");
        let text = scope.around(&lines);
        let size = sizes[axis];
        match reverse {
            true => text.replace(
                &format!("for i in 0..{size} {{"),
                &format!("for i in (0..{size}).rev() {{"),
            ),
            false => text,
        }
    }

    fn scatter(
        &mut self,
        out: usize,
        sizes: &[usize],
        updates: &Node,
        view: &View,
        indices: &[Target],
        by: &Region,
    ) -> String {
        let mut scope = Scope::new(sizes);
        let (mut at, mut conditions) = (position(view, &scope.names.clone()), Vec::new());
        for index in indices {
            let value = scope.value(self, &index.node);
            let value = match index.node.element {
                Element::I64 => value,
                _ => format!("({value} as i64)"),
            };
            conditions.push(format!("(0..{}).contains(&{value})", index.count));
            let _ = write!(at, " + {value} as usize * {}", index.stride);
        }
        let value = scope.value(self, updates);
        let target = self.parameter(out, true);
        let line = self.combined(by, self.element(out), &format!("{target}[at]"), &value);
        let line = format!("let at = {at};\n{line}");
        let lines = match conditions.is_empty() {
            true => format!("{}{line}", scope.lines),
            false => format!("{}if {} {{\n{line}}}\n", scope.lines, conditions.join(" && ")),
        };
        scope.around(&lines)
    }

    fn order(
        &mut self,
        out: usize,
        sizes: &[usize],
        (buffer, view): &(usize, View),
        by: &Region,
    ) -> String {
        let (lanes, size) = (&sizes[..sizes.len() - 1], sizes[sizes.len() - 1]);
        let scope = Scope::new(sizes);
        let names = &scope.names[..lanes.len()];
        let (array, target) = (self.parameter(*buffer, false), self.parameter(out, true));
        let element = self.element(*buffer);
        let operands = ["a", "b"].map(|name| (name.to_owned(), element));
        let numbers = ["i", "j"].map(|name| (name.to_owned(), Element::I64));
        let (lines, results) = scalar::region(by, &[operands, numbers].concat());
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let at = |name: &str| {
            let mut at = view.clone();
            let last = at.strides.pop().expect("an axis");
            format!("{array}[{} + {name} as usize * {last}]", position(&at, names))
        };
        let rows =
            View { offset: 0, strides: View::row_major(sizes).strides[..lanes.len()].to_vec() };
        let ty = element.name();
        let mut text = format!(
            "#[allow(unused_variables, clippy::eq_op)]\nlet before = |a: {ty}, b: {ty}, i: i64, j: i64| {{\n{lines}{}\n}};\n",
            results[0]
        );
        for (name, size) in names.iter().zip(lanes) {
            let _ = writeln!(text, "for {name} in 0..{size} {{");
        }
        let _ = writeln!(
            text,
            "let row = &mut {target}[{}..][..{size}];\nfor i in 0..{size} {{\nrow[i] = i as i64;\n}}\n\
             row.sort_unstable_by(|&i, &j| {{\nlet (a, b) = ({}, {});\nif before(a, b, i, j) {{\n\
             core::cmp::Ordering::Less\n}} else if before(b, a, j, i) {{\ncore::cmp::Ordering::Greater\n}} else {{\n\
             i.cmp(&j)\n}}\n}});",
            position(&rows, names),
            at("i"),
            at("j"),
        );
        text + &"}\n".repeat(lanes.len())
    }
}

/// The elements of an array from a position on.
fn from(array: &str, at: &str) -> String {
    if at == "0" { format!("{array}[..]") } else { format!("{array}[{at}..]") }
}

/// The axes of some of the axes of a loop: those along which all operands move in the same way are one. Each is its last
/// axis, and its size.
fn collapsed(
    axes: &[usize],
    sizes: &[usize],
    nodes: &[&Node],
    views: &[&View],
) -> Vec<(usize, usize)> {
    let mut all: Vec<View> = views.iter().map(|&view| view.clone()).collect();
    for node in nodes {
        node.visit(&mut |node| {
            if let Kind::Load { view, .. } | Kind::Iota { view } | Kind::Indexed { view, .. } =
                &node.kind
            {
                all.push(view.clone());
            }
        });
    }
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for &axis in axes {
        let size = sizes[axis];
        if size == 1 {
            continue;
        }
        match groups.last_mut() {
            Some((before, count))
                if all
                    .iter()
                    .all(|view| view.strides[*before] == view.strides[axis] * size as i64) =>
            {
                (*before, *count) = (axis, *count * size);
            }
            _ => groups.push((axis, size)),
        }
    }
    groups
}
