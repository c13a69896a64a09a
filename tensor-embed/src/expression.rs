//! Tensors as expressions over buffers: an operation on each element, and one that moves elements, compute nothing until
//! a loop reads their result.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use tensor_onnx::stablehlo::Element;

/// The position of the element at indices `i`: `offset + Σ strides[axis] · i[axis]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub offset: i64,
    pub strides: Vec<i64>,
}

/// A shared part of an expression.
pub type Node = Rc<Expression>;

/// The element of a tensor at the indices of a loop.
#[derive(Debug)]
pub struct Expression {
    pub element: Element,
    pub kind: Kind,
    /// The number of operations, those of shared parts each time.
    pub operations: usize,
}

#[derive(Debug)]
pub enum Kind {
    /// An element of a buffer.
    Load { buffer: usize, view: View },
    /// The position itself, as a number.
    Iota { view: View },
    /// A literal.
    Number(String),
    /// An element of a buffer at a position that depends on elements.
    Indexed { buffer: usize, view: View, indices: Vec<Index> },
    /// An operation on scalars, with its name: a template of Rust in which `$0` is the first operand.
    Call { name: String, template: String, operands: Vec<Node> },
}

/// An index along one axis of a buffer; one that is out of range is that of the nearest element.
#[derive(Clone, Debug)]
pub struct Index {
    pub node: Node,
    pub stride: i64,
    pub last: usize,
}

impl View {
    /// The elements of a tensor in row-major order.
    pub fn row_major(sizes: &[usize]) -> Self {
        let mut strides = vec![0; sizes.len()];
        let mut step = 1;
        for (stride, &size) in strides.iter_mut().zip(sizes).rev() {
            *stride = step;
            step *= size as i64;
        }
        Self { offset: 0, strides }
    }

    /// Whether the elements of a tensor of these sizes are those of its buffer, in row-major order.
    pub fn is_row_major(&self, sizes: &[usize]) -> bool {
        let expected = Self::row_major(sizes);
        let strides = self.strides.iter().zip(&expected.strides).zip(sizes);
        self.offset == 0 && strides.into_iter().all(|((a, b), &size)| a == b || size == 1)
    }

    /// The axes in another order.
    pub fn permuted(&self, order: &[usize]) -> Self {
        let strides = order.iter().map(|&axis| self.strides[axis]).collect();
        Self { offset: self.offset, strides }
    }

    /// The view of other sizes with the same elements in row-major order; `None` if no strides give it.
    fn reshaped(&self, from: &[usize], to: &[usize]) -> Option<Self> {
        let axes = from.iter().zip(&self.strides).filter(|(size, _)| **size != 1);
        let (from, old): (Vec<usize>, Vec<i64>) =
            axes.map(|(&size, &stride)| (size, stride)).unzip();
        let mut strides = vec![0; to.len()];
        let (mut i, mut j) = (0, 0);
        while i < from.len() {
            // The shortest groups of axes with the same number of elements.
            let (first, start) = (i, j);
            let (mut of_old, mut of_new) = (from[i], 1);
            i += 1;
            loop {
                while of_new < of_old || j < to.len() && to[j] == 1 {
                    of_new *= *to.get(j)?;
                    j += 1;
                }
                if of_new == of_old {
                    break;
                }
                of_old *= *from.get(i)?;
                i += 1;
            }
            let is_uniform =
                (first + 1..i).all(|axis| old[axis - 1] == old[axis] * from[axis] as i64);
            if !is_uniform {
                return None;
            }
            let mut step = old[i - 1];
            for axis in (start..j).rev() {
                strides[axis] = step;
                step *= to[axis] as i64;
            }
        }
        Some(Self { offset: self.offset, strides })
    }
}

impl Expression {
    pub fn load(element: Element, buffer: usize, view: View) -> Node {
        Rc::new(Self { element, kind: Kind::Load { buffer, view }, operations: 0 })
    }

    pub fn number(element: Element, literal: String) -> Node {
        Rc::new(Self { element, kind: Kind::Number(literal), operations: 0 })
    }

    pub fn iota(element: Element, view: View) -> Node {
        Rc::new(Self { element, kind: Kind::Iota { view }, operations: 0 })
    }

    pub fn call(element: Element, name: &str, template: String, operands: Vec<Node>) -> Node {
        let operations = operands.iter().fold(1, |sum: usize, x| sum.saturating_add(x.operations));
        let kind = Kind::Call { name: name.to_owned(), template, operands };
        Rc::new(Self { element, kind, operations })
    }

    pub fn indexed(element: Element, buffer: usize, view: View, indices: Vec<Index>) -> Node {
        let operations =
            indices.iter().fold(1, |sum: usize, index| sum.saturating_add(index.node.operations));
        Rc::new(Self { element, kind: Kind::Indexed { buffer, view, indices }, operations })
    }

    pub fn is_leaf(&self) -> bool {
        self.operations == 0
    }

    /// The expressions that this one is computed of.
    pub fn parts(&self) -> Vec<&Node> {
        match &self.kind {
            Kind::Indexed { indices, .. } => indices.iter().map(|index| &index.node).collect(),
            Kind::Call { operands, .. } => operands.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Calls a function for each expression that this one is computed of, and itself, once.
    pub fn visit<'a>(self: &'a Node, visit: &mut impl FnMut(&'a Self)) {
        fn visit_new<'a>(
            node: &'a Node,
            seen: &mut HashSet<*const Expression>,
            visit: &mut impl FnMut(&'a Expression),
        ) {
            if seen.insert(Rc::as_ptr(node)) {
                node.parts().into_iter().for_each(|part| visit_new(part, seen, visit));
                visit(node);
            }
        }
        visit_new(self, &mut HashSet::new(), visit);
    }

    /// The buffers that are read.
    pub fn buffers(self: &Node) -> Vec<usize> {
        let mut buffers = Vec::new();
        self.visit(&mut |node| {
            if let Kind::Load { buffer, .. } | Kind::Indexed { buffer, .. } = node.kind
                && !buffers.contains(&buffer)
            {
                buffers.push(buffer);
            }
        });
        buffers
    }

    /// The names of its operations, with `_` between them: some of them if there are many.
    pub fn name(self: &Node) -> String {
        let mut names: Vec<&str> = Vec::new();
        self.visit(&mut |node| {
            if let Kind::Call { name, .. } = &node.kind
                && !names.contains(&&name[..])
            {
                names.push(name);
            }
        });
        names[names.len().saturating_sub(3)..].join("_")
    }

    /// Whether only positions and numbers are read.
    pub fn is_of_positions(self: &Node) -> bool {
        self.buffers().is_empty()
    }

    /// The expression with another view in place of each; `None` if one of them has none.
    pub fn with_views(self: &Node, change: &dyn Fn(&View) -> Option<View>) -> Option<Node> {
        self.changed(change, &mut HashMap::new())
    }

    fn changed(
        self: &Node,
        change: &dyn Fn(&View) -> Option<View>,
        known: &mut HashMap<*const Self, Node>,
    ) -> Option<Node> {
        if let Some(node) = known.get(&Rc::as_ptr(self)) {
            return Some(node.clone());
        }
        let kind = match &self.kind {
            Kind::Load { buffer, view } => Kind::Load { buffer: *buffer, view: change(view)? },
            Kind::Iota { view } => Kind::Iota { view: change(view)? },
            Kind::Number(literal) => Kind::Number(literal.clone()),
            Kind::Indexed { buffer, view, indices } => {
                let changed = indices.iter().map(|index| {
                    Some(Index { node: index.node.changed(change, known)?, ..index.clone() })
                });
                let indices = changed.collect::<Option<Vec<_>>>()?;
                Kind::Indexed { buffer: *buffer, view: change(view)?, indices }
            }
            Kind::Call { name, template, operands } => {
                let changed = operands.iter().map(|operand| operand.changed(change, known));
                let operands = changed.collect::<Option<Vec<_>>>()?;
                Kind::Call { name: name.clone(), template: template.clone(), operands }
            }
        };
        let node = Rc::new(Self { element: self.element, kind, operations: self.operations });
        known.insert(Rc::as_ptr(self), node.clone());
        Some(node)
    }

    /// The tensor with other sizes; `None` if its elements have to be stored first.
    pub fn reshaped(self: &Node, from: &[usize], to: &[usize]) -> Option<Node> {
        self.with_views(&|view| view.reshaped(from, to))
    }

    fn moved(self: &Node, change: impl Fn(&View) -> View) -> Node {
        self.with_views(&|view| Some(change(view))).expect("the view exists")
    }

    /// The axes in another order.
    pub fn permuted(self: &Node, order: &[usize]) -> Node {
        self.moved(|view| view.permuted(order))
    }

    /// For each axis of the result the axis of this tensor along which it moves, if any.
    pub fn spread(self: &Node, axes: &[Option<usize>]) -> Node {
        self.moved(|view| {
            let strides = axes.iter().map(|axis| axis.map_or(0, |axis| view.strides[axis]));
            View { offset: view.offset, strides: strides.collect() }
        })
    }

    /// The elements from these indices on, with these steps between them.
    pub fn sliced(self: &Node, starts: &[i64], steps: &[i64]) -> Node {
        self.moved(|view| {
            let offsets = view.strides.iter().zip(starts).map(|(stride, start)| stride * start);
            let strides = view.strides.iter().zip(steps).map(|(stride, step)| stride * step);
            View { offset: view.offset + offsets.sum::<i64>(), strides: strides.collect() }
        })
    }
}
