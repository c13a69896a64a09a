//! What the generated function does: loops over buffers, in their order.

use tensor_onnx::stablehlo::{Element, Region, Type, WindowAttributes};

use crate::expression::{Kind, Node, View};

/// The elements of a tensor in row-major order.
#[derive(Clone, Debug)]
pub struct Buffer {
    pub element: Element,
    pub len: usize,
    pub place: Place,
}

/// Where the elements of a buffer are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Input(usize),
    Output(usize),
    /// In the file, with these bytes.
    Constant(std::rc::Rc<Vec<u8>>),
    Workspace,
}

/// One statement of the generated function.
#[derive(Debug)]
pub enum Step {
    Loop(Box<Loop>),
    /// Steps that compute a condition, a buffer of one truth value, and steps that are repeated while it holds.
    While {
        before: Vec<Step>,
        condition: usize,
        body: Vec<Step>,
    },
    /// A condition, a buffer of one truth value, and the steps if it holds and if it does not.
    If {
        condition: usize,
        then: Vec<Step>,
        otherwise: Vec<Step>,
    },
}

/// A loop that writes elements of a buffer.
#[derive(Debug)]
pub struct Loop {
    /// The operations that it computes, for comments.
    pub name: String,
    pub out: usize,
    pub kind: LoopKind,
}

#[derive(Debug)]
pub enum LoopKind {
    /// `out[view] = node`, for each index of these sizes.
    Map { sizes: Vec<usize>, node: Node, view: View },
    /// The elements along axes combined; the result has the other axes.
    Reduce { sizes: Vec<usize>, axes: Vec<usize>, node: Node, by: Region, start: String },
    /// `[..batch, m, k] · [..batch, k, n]`, whose last axes are contiguous.
    Product { batch: Vec<usize>, m: usize, k: usize, n: usize, a: (usize, View), b: (usize, View) },
    /// A convolution of images of two axes, `[images, channels, ..]`, by weights `[.., channels, outputs]` of each group.
    Convolution { x: usize, weights: usize, plan: Convolution },
    /// The elements of each window combined.
    Windows(Windows),
    /// The elements up to each one along an axis combined.
    Scan {
        ty: Type,
        axis: usize,
        node: Node,
        by: Region,
        start: String,
        reverse: bool,
        exclusive: bool,
    },
    /// `out[index] = by(out[index], update)` for each update whose index is in range.
    Scatter { sizes: Vec<usize>, updates: Node, view: View, indices: Vec<Target>, by: Region },
    /// The indices of elements along the last axis in their order; `by` compares elements and indices.
    Order { sizes: Vec<usize>, x: (usize, View), by: Region },
    /// Elements added at the positions that `by` chooses from windows.
    SelectAndScatter { windows: Windows, updates: usize, by: Region },
}

/// An index along one axis of what is written.
#[derive(Clone, Debug)]
pub struct Target {
    pub node: Node,
    pub stride: i64,
    /// The number of indices in range.
    pub count: usize,
}

/// Windows along all axes of tensors with these elements.
#[derive(Debug)]
pub struct Windows {
    pub x: Vec<(usize, View)>,
    pub sizes: Vec<usize>,
    pub attributes: WindowAttributes,
    pub by: Region,
    pub starts: Vec<String>,
    /// Which of the results is written.
    pub result: usize,
}

/// The sizes of a convolution.
#[derive(Clone, Debug)]
pub struct Convolution {
    pub images: usize,
    pub groups: usize,
    pub channels: usize,
    pub outputs: usize,
    pub size: [usize; 2],
    pub window: [usize; 2],
    pub stride: [usize; 2],
    pub dilation: [usize; 2],
    pub before: [i64; 2],
    pub positions: [usize; 2],
}

impl Loop {
    /// The buffers that are read, and whether the loop may read elements that it has written.
    pub fn reads(&self) -> Vec<usize> {
        let mut reads = match &self.kind {
            LoopKind::Map { node, .. }
            | LoopKind::Reduce { node, .. }
            | LoopKind::Scan { node, .. } => node.buffers(),
            LoopKind::Product { a, b, .. } => vec![a.0, b.0],
            LoopKind::Convolution { x, weights, .. } => vec![*x, *weights],
            LoopKind::Windows(windows) => windows.x.iter().map(|x| x.0).collect(),
            LoopKind::Scatter { updates, indices, .. } => {
                let nodes = indices.iter().map(|index| &index.node).chain([updates]);
                nodes.flat_map(|node| node.buffers()).chain([self.out]).collect()
            }
            LoopKind::Order { x, .. } => vec![x.0],
            LoopKind::SelectAndScatter { windows, updates, .. } => {
                vec![windows.x[0].0, *updates, self.out]
            }
        };
        reads.sort_unstable();
        reads.dedup();
        reads
    }
}

impl Loop {
    /// Whether each element is computed from the element of a buffer at the same position, so that it may replace it.
    pub fn is_in_place(&self, buffer: usize) -> bool {
        let LoopKind::Map { sizes, node, view } = &self.kind else { return false };
        let mut is_same = view.is_row_major(sizes);
        node.visit(&mut |node| match &node.kind {
            Kind::Load { buffer: other, view } if *other == buffer => {
                is_same &= view.is_row_major(sizes);
            }
            Kind::Indexed { buffer: other, .. } if *other == buffer => is_same = false,
            _ => {}
        });
        is_same
    }
}
