//! The macros of `tensor-core`, which re-exports them: depend on that crate.
//!
//! Each macro is a pipeline of three stages, which are the modules of this crate; before them, `limits`
//! refuses input that is nested too deeply:
//!
//! 1. `parse`: from tokens to a syntax tree.
//! 2. `check`: from the syntax tree to its meaning, or to an error.
//! 3. `expand`: to Rust code, with absolute paths for all names.
//!
//! A mistake is reported once, at the tokens at fault. The fallback expansion of an invalid shape is an
//! axis whose size is the error itself, so that rustc reports nothing else about it; see
//! `expand::fallback`. Tokens of the user keep their spans, so that rustc shows mistakes in types and
//! expressions where they were written.

#![forbid(unsafe_code)]

mod parse;

mod check;

mod expand;

mod limits;

mod other_names;

mod pipeline;

mod root;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// A shape, as a type and as a value: `shape![2, 3]`.
///
/// The entries are the axes, first axis first:
///
/// | entry | axis |
/// | --- | --- |
/// | `768`, `50_257`, `0x1000` | of this size; `1` is `One`, the size that broadcasts |
/// | `28 * 28`, `(640 - 4) / 2 + 1` | of a size that the macro computes, with the integer division of Rust |
/// | `{VOCAB}`, `{2 * HEADS}` | of a size that the compiler computes from constants |
/// | `I`, `Batch`, `model::Hidden` | a type: a generic parameter, a named axis, an alias |
/// | `Batch(n)`, `self.batch` | a value, which makes the shape a value too |
/// | `Lead..`, as the first entry | all axes of the shape `Lead`: any leading axes |
///
/// A size is at most 999,999,999, made of at most 1,024 operations. Constants must be concrete: the compiler does not compute with
/// generic parameters, but `Dim` and named axes are types that generic code can take.
///
/// If every entry is both a type and a value, so is the shape. A generic parameter is only a type:
/// the value of a static shape `S` is `<S as StaticShape>::VALUE`.
///
/// # Examples
///
/// ```
/// use tensor_core::{Axis, Shape, axis, shape};
///
/// const VOCAB: usize = 50_257;
/// axis!(Batch);
///
/// type Image = shape![28, 28, 1];
/// type Logits<Lead> = shape![Lead.., {VOCAB}];
///
/// fn flattened<Lead: Shape>(lead: Lead) -> shape![Lead.., 28 * 28] {
///     shape![lead.., 784]
/// }
///
/// let image: Image = shape![28, 28, 1];
/// assert_eq!(image.sizes()[..], [28, 28, 1]);
/// assert_eq!(shape![Batch(32), {VOCAB}].sizes()[..], [32, 50_257]);
/// assert_eq!(shape![2, {2 * VOCAB}].sizes()[..], [2, 100_514]);
/// assert_eq!(flattened(shape![Batch(32)]).sizes()[..], [32, 784]);
/// assert_eq!(<Logits<Image> as Shape>::RANK, 4);
/// ```
#[proc_macro]
pub fn shape(input: TokenStream) -> TokenStream {
    root::resolved(pipeline::shape(input.into())).into()
}

/// One axis, as a type and as a value: `dim!(768)`.
///
/// The entry is written as in [`shape!`].
///
/// # Examples
///
/// ```
/// use tensor_core::{Axis, Dim, One, dim};
///
/// const HEADS: usize = 12;
///
/// let pixels: dim!(28 * 28) = dim!(784);
/// assert_eq!(pixels.size(), 784);
///
/// let long: Dim<50000, 257> = dim!(50_257);
/// let stretches: One = dim!(1);
/// assert_eq!(<dim!({ HEADS * 64 }) as Axis>::SIZE, Some(768));
/// # let _ = (long, stretches);
/// ```
#[proc_macro]
pub fn dim(input: TokenStream) -> TokenStream {
    root::resolved(pipeline::dim(input.into())).into()
}

/// Declares named axes: `axis!(Batch)`, with a run-time size, and `axis!(Hidden = 768)`, with a static
/// size.
///
/// `Batch` becomes a struct that holds its size: `Batch(32)`. `Hidden` becomes a struct without
/// fields. A named axis broadcasts with itself and with size 1, and with nothing else: not with
/// another name, and not with a number, even if it has the same size.
///
/// The size is arithmetic or a constant expression. Visibility and attributes are written as for
/// a struct.
///
/// # Examples
///
/// ```
/// use tensor_core::{Axis, Shape, axis, shape};
///
/// const HEADS: usize = 12;
///
/// axis! {
///     /// One sentence each.
///     pub Batch,
///     pub Hidden = 64 * HEADS,
/// }
///
/// assert_eq!(Batch(32).size(), 32);
/// assert_eq!(<Hidden as Axis>::SIZE, Some(768));
/// assert_eq!(shape![Batch(32), Hidden].sizes()[..], [32, 768]);
/// ```
///
/// ```compile_fail
/// use tensor_core::{Shape, axis, shape};
///
/// axis!(Batch, Seq);
/// let both = shape![Batch(32)].broadcast(shape![Seq(32)]);
/// ```
#[proc_macro]
pub fn axis(input: TokenStream) -> TokenStream {
    root::resolved(pipeline::axis(input.into())).into()
}

/// Expands [`shape!`] and [`dim!`] in a struct or an enum, so that `derive` can be used on it.
///
/// In a generic struct, `derive` refuses types that are macro calls: "`derive` cannot be used on items
/// with type macros". Put this attribute above it to replace the macro calls by their types.
///
/// It recognises the macros by name: `shape!`, `dim!`, `axes!` and `broadcast_shapes!`, also with the path
/// `tensor_core::`.
///
/// # Examples
///
/// ```
/// use tensor_core::{Axis, Tensor, shape, shapes};
///
/// #[shapes]
/// #[derive(Clone, Debug, PartialEq)]
/// struct Linear<I: Axis, O: Axis> {
///     weight: Tensor<shape![I, O]>,
///     bias: Tensor<shape![O]>,
/// }
///
/// let layer = Linear { weight: Tensor::<shape![784, 10]>::zeros(), bias: Tensor::zeros() };
/// assert_eq!(layer.clone(), layer);
/// ```
#[proc_macro_attribute]
pub fn shapes(argument: TokenStream, item: TokenStream) -> TokenStream {
    root::resolved(pipeline::shapes(argument.into(), item.into())).into()
}

/// Implements `Module` for a struct or an enum: its parameters have names, and can be counted, trained,
/// saved and loaded.
///
/// Every field must be a module: a tensor, or a type that contains tensors. Attributes change this:
///
/// | attribute | the field |
/// | --- | --- |
/// | `#[module(skip)]` | is left out, whatever its type |
/// | `#[module(buffer)]` | is saved but not trained, such as a running mean |
/// | `#[module(rename = "name")]` | has this name in files |
/// | `#[module(value = 1e-5)]` | has this value in a model that `open` makes from a file: a number, or a `skip` |
/// | `#[module(set(epsilon = 1e-12))]` | has these values in its fields, there; in those of each element of an array or a `Vec` |
///
/// Generic parameters that are fields themselves, as `M` in `Vec<M>`, must be modules; `#[module(bound(M: Default))]`
/// above the item adds bounds to its impls, for what a `value` needs. A struct may contain itself, as in
/// `Option<Box<Self>>`. Facts that are known
/// at compile time become constants: `StaticModule` of `tensor_core::module` is derived, too. In
/// a generic struct whose types are written with `shape!`, put `#[shapes]` above `derive`.
///
/// # Examples
///
/// ```
/// use tensor_core::{Axis, Module, Tensor, shape, shapes};
///
/// #[shapes]
/// #[derive(Clone, Debug, Module)]
/// struct Normalization<C: Axis> {
///     #[module(rename = "weight")]
///     scale: Tensor<shape![C]>,
///     #[module(buffer)]
///     running_mean: Tensor<shape![C]>,
///     #[module(skip)]
///     momentum: Option<f32>,
/// }
///
/// let layer = Normalization {
///     scale: Tensor::<shape![64]>::ones(),
///     running_mean: Tensor::zeros(),
///     momentum: Some(0.1),
/// };
/// assert_eq!(layer.names(), ["weight", "running_mean"]);
/// assert_eq!(layer.num_parameters(), 64);
/// ```
#[proc_macro_derive(Module, attributes(module))]
pub fn module(item: TokenStream) -> TokenStream {
    root::resolved(pipeline::module(item.into())).into()
}

/// A list of axis indices, as a type: `x.permute::<axes![0, 2, 1]>()`.
///
/// Axes are counted from 0, or from the end by negative numbers: `-1` is the last axis. In `permute`, a
/// leading `...` means all axes that are not listed, which keep their positions.
///
/// # Examples
///
/// ```
/// use tensor_core::{axes, shape, tensor};
///
/// let x = tensor![[1, 2, 3], [4, 5, 6]];
/// assert_eq!(x.permute::<axes![1, 0]>(), tensor![[1, 4], [2, 5], [3, 6]]);
/// assert_eq!(x.permute::<axes![-1, 0]>(), x.permute::<axes![1, 0]>());
/// assert_eq!(x.permute::<axes![..., -1, -2]>(), x.transpose());
/// ```
#[proc_macro]
pub fn axes(input: TokenStream) -> TokenStream {
    root::resolved(pipeline::axes(input.into())).into()
}

/// A slice: which part of each axis to keep, `x.slice(slice![.., 1..-1])`.
///
/// The parts belong to the axes in order, first axis first; axes without a part are kept as they are.
///
/// | part | keeps |
/// | --- | --- |
/// | `..` | the axis as it is |
/// | `2..10`, `1..`, `..-1`, `-3..`, `2..=9` | these indices; negative bounds count from the end |
/// | `2..10; 2`, `..; 3` | every second, every third of them |
/// | `2..10; -1`, `..; -1` | the same indices from the last to the first |
/// | `0`, `-1` | this index: the axis is removed |
/// | `..{N}`, `{N}..` | bounds that the compiler computes from constants |
/// | `i`, `(n - 1)` | a run-time index, a `usize`: the axis is removed |
/// | `Rows(i..j)`, `Rows(..n; 2)`, `Rows(..)` | a run-time range, as the named axis `Rows` |
/// | `...` | all axes without a part: `slice![..., 1..]` slices the last axis |
///
/// Bounds and indices are compared with static sizes at compile time, and a part that is out of range
/// does not compile; unlike in Python, it is not clamped to the size. If every part is known at compile
/// time, the slice is also a type: `S: Sliceable<slice![..., 1..]>`.
///
/// # Examples
///
/// ```
/// use tensor_core::{Tensor, axis, shape, slice, tensor};
///
/// axis!(Batch);
///
/// let x = tensor![[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]];
/// assert_eq!(x.slice(slice![.., 1..-1]), tensor![[1, 2], [5, 6], [9, 10]]);
/// assert_eq!(x.slice(slice![0]), tensor![0, 1, 2, 3]);
/// assert_eq!(x.slice(slice![..., -1]), tensor![3, 7, 11]);
/// assert_eq!(x.slice(slice![..; 2, ..; -1]), tensor![[3, 2, 1, 0], [11, 10, 9, 8]]);
///
/// let (start, end) = (1, 3);
/// let rows: Tensor<shape![Batch, 4], i32> = x.slice(slice![Batch(start..end)]);
/// assert_eq!(rows.shape(), shape![Batch(2), 4]);
/// ```
#[proc_macro]
pub fn slice(input: TokenStream) -> TokenStream {
    root::resolved(pipeline::slice(input.into())).into()
}

/// The broadcast of any number of shapes, as a type: `broadcast_shapes![A, B, [5, 1, 1]]`.
///
/// A shape is a type, or a list of sizes in brackets as in [`shape!`]. The broadcast of no
/// shapes is `[]`. Broadcasting is associative, so the shapes are combined as a balanced tree: for a
/// hundred shapes, the type is seven levels deep.
///
/// # Examples
///
/// ```
/// use tensor_core::{broadcast_shapes, shape};
///
/// type Grid<Row> = broadcast_shapes![Row, [4, 1], [5, 1, 1]];
///
/// let grid: Grid<shape![3]> = shape![5, 4, 3];
/// # let _ = grid;
/// ```
#[proc_macro]
pub fn broadcast_shapes(input: TokenStream) -> TokenStream {
    root::resolved(pipeline::broadcast_shapes(input.into())).into()
}

/// A tensor from its elements: `tensor![[1, 2, 3], [4, 5, 6]]`, or one value for all elements:
/// `tensor![0.5; 2, 3]`.
///
/// The brackets of the macro are the first axis, nested brackets are rows, and all rows of one
/// depth have the same length, at most 100 levels deep. Anything else is an element, which may be any
/// expression; put an array that is an element in parentheses.
///
/// After `;` comes the shape, a value as in [`shape!`]; without axes the tensor is a scalar. The element
/// is evaluated once.
///
/// # Examples
///
/// ```
/// use tensor_core::{Tensor, axis, shape, tensor};
///
/// let matrix: Tensor<shape![2, 3], i32> = tensor![[1, 2, 3], [4, 5, 6]];
/// let angle = 0.5_f64;
/// let rotation = tensor![[angle.cos(), -angle.sin()], [angle.sin(), angle.cos()]];
/// let empty: Tensor<shape![0]> = tensor![];
/// let no_columns: Tensor<shape![2, 0]> = tensor![[], []];
///
/// axis!(Batch);
/// let scalar: Tensor<shape![]> = tensor![0.5;];
/// let mask = tensor![true; Batch(32), 28, 28];
/// # let _ = (matrix, rotation, empty, no_columns, scalar, mask);
/// ```
#[proc_macro]
pub fn tensor(input: TokenStream) -> TokenStream {
    root::resolved(pipeline::tensor(input.into())).into()
}

/// Shows the shape of a tensor at compile time: `show_shape!(x)`.
///
/// The shape is part of an error message, because only compile errors can name types:
///
/// ```text
/// error[E0277]: this tensor has shape `(((), Dim<32>), Dim<784>)` and elements of type `f32`
/// ```
///
/// The macro evaluates to the expression, so that it can wrap any part of a program, and everything else
/// is checked as before. `show_shape!(type S)` shows a shape type, or the shape of a tensor type. In
/// generic code the error names the parameters: `(Lead, Dim<10>)`.
///
/// # Examples
///
/// ```compile_fail,E0277
/// use tensor_core::{Tensor, shape, show_shape};
///
/// let images = Tensor::<shape![32, 784]>::zeros();
/// let means = show_shape!(images.relu()).mean_axis::<0>();
/// ```
#[proc_macro]
pub fn show_shape(input: TokenStream) -> TokenStream {
    root::resolved(pipeline::show_shape(input.into())).into()
}

/// Strict code: in each operation one operand may stretch, not both. For a function, an `impl`, a trait,
/// or an inline module.
///
/// `[4] - [4, 1]` is `[4, 4]`, an outer difference, often due to a forgotten `squeeze`. Strict code refuses
/// to compile it.
///
/// | attribute | in one operation | |
/// | --- | --- | --- |
/// | `#[strict]` | one operand may stretch | the result has the shape of an operand |
/// | `#[strict(rank)]` | axes of size `One` may stretch | the operands have the same rank |
/// | `#[strict(same)]` | no operand may stretch | the operands have the same shape |
/// | `#[strict(off)]` | all operands may stretch | for a part of strict code |
///
/// Scalars and tensors of rank 0 are allowed with every shape. The operators, the methods that compare and
/// combine two tensors, `select` and `zip_with` are checked, as far as the types are known. Macros
/// are not expanded, except [`fuse!`] and those of the standard library such as `assert_eq!`, `println!`
/// and `vec!`. Constants, constant functions and `dbg!` are skipped. An expression has at most 1,024
/// operations in a row, and 128 nested brackets.
///
/// [`strictly!`] and [`relaxed!`] are for one expression. The checks generate no code.
///
/// # Examples
///
/// ```
/// use tensor_core::{Tensor, shape, strict, tensor};
///
/// /// The mean of the squared differences.
/// #[strict(same)]
/// fn loss(prediction: &Tensor<shape![3]>, target: &Tensor<shape![3]>) -> f32 {
///     let error = prediction - target;
///     (&error * &error).mean().item()
/// }
///
/// assert_eq!(loss(&tensor![1.0, 2.0, 3.0], &tensor![1.0, 2.0, 6.0]), 3.0);
/// ```
///
/// ```compile_fail,E0277
/// use tensor_core::{Tensor, shape, strict};
///
/// #[strict]
/// fn error(prediction: &Tensor<shape![3, 1]>, target: &Tensor<shape![3]>) -> f32 {
///     (prediction - target).abs().mean().item()
/// }
/// ```
#[proc_macro_attribute]
pub fn strict(argument: TokenStream, item: TokenStream) -> TokenStream {
    root::resolved(pipeline::strict(argument.into(), item.into())).into()
}

/// A strict expression: `strictly!(prediction - target)`. In each operation one operand may stretch,
/// not both.
///
/// `strictly!(rank: prediction - target)` lets axes of size `One` stretch and requires equal ranks,
/// `strictly!(same: prediction - target)` lets no operand stretch. See [`macro@strict`].
///
/// # Examples
///
/// ```
/// use tensor_core::{strictly, tensor};
///
/// let (prediction, target) = (tensor![1.0, 2.0], tensor![1.0, 4.0]);
/// let error = strictly!(same: prediction - target);
/// assert_eq!(error, tensor![0.0, -2.0]);
/// ```
#[proc_macro]
pub fn strictly(input: TokenStream) -> TokenStream {
    root::resolved(pipeline::strictly(input.into())).into()
}

/// An expression in strict code whose operands may stretch: `relaxed!(column - row)`.
///
/// See [`macro@strict`]. Outside of strict code it changes nothing.
///
/// # Examples
///
/// ```
/// use tensor_core::{Tensor, relaxed, shape, strict, tensor};
///
/// /// The distance of each position from each other one.
/// #[strict]
/// fn distances(positions: &Tensor<shape![3]>) -> Tensor<shape![3, 3]> {
///     let column = positions.unsqueeze::<1>();
///     relaxed!(column - positions).abs()
/// }
///
/// assert_eq!(distances(&tensor![0.0, 1.0, 5.0]).sum_axis::<1>(), tensor![6.0, 5.0, 9.0]);
/// ```
#[proc_macro]
pub fn relaxed(input: TokenStream) -> TokenStream {
    root::resolved(pipeline::relaxed(input.into())).into()
}

/// Element-wise arithmetic in one pass, without temporary tensors: `fuse!((x * w + b).gelu())`.
///
/// The value and its type are those of the expression, and so are the compiler's messages about
/// shapes and elements. But each element of the result is computed in one step, from one element of
/// each operand.
///
/// | in the expression | |
/// | --- | --- |
/// | `+ - * / %`, `& \| ^ << >>`, unary `-` and `!`, parentheses | are fused |
/// | element-wise methods such as `exp`, `gelu`, `pow`, `maximum`, `clamp`, `greater`, `cast`; `select` | are fused |
/// | variables and fields: `x`, `&x`, `self.bias` | are only borrowed, and read once if they occur twice |
/// | number literals, of any element type | are constants of the loop |
/// | everything else: `x.mean_axis::<0>()`, `f(x)` | is computed once, before the loop |
///
/// In [strict](macro@strict) code the operations within are strict, too; `fuse!(strict: x - y)`,
/// `fuse!(rank: x - y)` and `fuse!(same: x - y)` are strict everywhere.
///
/// At most eight tensors are read in one pass, and an expression has at most 1,024 operations in a row,
/// and 128 nested brackets. Operations on an operand with few elements are
/// computed for each element of the result: compute `variance.exp()` before, if it is a column.
/// Operations between numbers follow Rust, where `i32` may overflow.
///
/// # Panics
///
/// If two operands give the same named axis different sizes.
///
/// # Examples
///
/// ```
/// use tensor_core::{Axis, Shape, Tensor, fuse, shape, tensor};
///
/// struct Layer<I: Axis, O: Axis> {
///     weight: Tensor<shape![I, O]>,
///     bias: Tensor<shape![O]>,
/// }
///
/// impl<I: Axis, O: Axis> Layer<I, O> {
///     fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., I]>) -> Tensor<shape![Lead.., O]> {
///         fuse!((x.dot(&self.weight) + self.bias).gelu())
///     }
/// }
///
/// let layer = Layer { weight: Tensor::<shape![2, 3]>::ones(), bias: tensor![0.0, 1.0, -9.0] };
/// assert_eq!(layer.forward(&tensor![0.0, 0.0])[[0]], 0.0);
///
/// let x = tensor![[1.0, 2.0], [3.0, 6.0]];
/// let standard = fuse!((x - x.mean_axis::<0>()) / x.std_axis::<0>());
/// assert_eq!(standard, tensor![[-1.0, -1.0], [1.0, 1.0]]);
/// ```
///
/// ```compile_fail,E0277
/// use tensor_core::{Tensor, fuse, shape};
///
/// let (x, w) = (Tensor::<shape![4, 3]>::ones(), Tensor::<shape![4]>::ones());
/// let b = Tensor::<shape![3]>::ones();
/// // error: cannot broadcast an axis of size `Dim<3>` with one of size `Dim<4>`
/// let y = fuse!((x * w + b).gelu());
/// ```
#[proc_macro]
pub fn fuse(input: TokenStream) -> TokenStream {
    root::resolved(pipeline::fuse(input.into())).into()
}

/// The sum of products over named axes: `einsum!(b i d, b j d -> b i j; &queries, &keys)`.
///
/// Before the semicolon are the names of the axes of each operand and, after `->`, those of the
/// result; names are separated by spaces. Axes with the same name are the same axis, which the compiler
/// checks name by name; an axis of size `One` stretches to that of another operand. Axes that the result does
/// not have are summed over; an axis that one operand has twice becomes its diagonal. `..` before the names means any
/// leading axes, which broadcast.
///
/// Operands are multiplied from left to right, by the kernels of `matmul` where an axis is summed over.
/// They are only borrowed. `DynTensor::einsum` reads the equation of NumPy from a string.
///
/// # Panics
///
/// If axes of one name, or leading axes, have run-time sizes that differ; if the result does not fit into
/// memory.
///
/// # Examples
///
/// ```
/// use tensor_core::{Tensor, einsum, shape, tensor};
///
/// let queries = Tensor::<shape![2, 12, 10, 64]>::ones();
/// let keys = Tensor::<shape![2, 12, 20, 64]>::ones();
/// let scores: Tensor<shape![2, 12, 10, 20]> =
///     einsum!(batch head row d, batch head column d -> batch head row column; queries, keys);
/// assert_eq!(scores[[0, 0, 0, 0]], 64.0);
///
/// let x = tensor![[1, 2], [3, 4]];
/// assert_eq!(einsum!(i j -> j i; x), x.transpose());
/// assert_eq!(einsum!(i i -> ; x).item(), 5);
/// assert_eq!(einsum!(.. i, i -> ..; x, tensor![1, 10]), tensor![21, 43]);
/// assert_eq!(einsum!(i j, i j -> i j; x, tensor![[1, 10]]), tensor![[1, 20], [3, 40]]);
/// ```
///
/// ```compile_fail,E0277
/// use tensor_core::{Tensor, einsum, shape};
///
/// let queries = Tensor::<shape![10, 64]>::ones();
/// let keys = Tensor::<shape![20, 32]>::ones();
/// // error: an axis of this name is `Dim<64>` before, and `Dim<32>` here
/// let scores = einsum!(row d, column d -> row column; queries, keys);
/// ```
#[proc_macro]
pub fn einsum(input: TokenStream) -> TokenStream {
    root::resolved(pipeline::einsum(input.into())).into()
}

/// Splits, moves and merges the axes of a tensor by their names, in the notation of einops:
/// `rearrange!(b s (h d) -> b h s d; &x, h = 12)`.
///
/// Before `->` are the names of the axes of the operand, after it those of the result, and after
/// the semicolon the operand.
///
/// | written | meaning |
/// | --- | --- |
/// | `b`, `head` | one axis |
/// | `(h d)` on the left | one axis that is split: the sizes of all parts, or of all but one, follow the operand, as `h = 12` |
/// | `(h d)` on the right | one axis that is merged from several: the compiler multiplies their sizes |
/// | `1` | an axis of size 1: inserted on the right, removed on the left |
/// | a leading `..`, on both sides | any leading axes |
/// | `(..)`, `(.. c)` on the right | all leading axes merged into one; if there are none, it has size 1 |
///
/// If sizes are known only at run time, the axis needs a name, declared by
/// [`axis!`](macro@axis): `(batch seq as Tokens)` merges, and `batch = Batch(8), seq = Seq(_)` splits, where
/// `Seq` has the remaining size.
///
/// The elements are copied if [`reshape`](../tensor_core/struct.Tensor.html#method.reshape) has to copy; the operand is only borrowed.
/// `DynTensor::rearrange` reads the pattern of einops from a string.
///
/// # Panics
///
/// If run-time sizes do not multiply to that of their axis, or if one name has two sizes in the result.
///
/// # Examples
///
/// ```
/// use tensor_core::{Tensor, axis, rearrange, shape, tensor};
///
/// let x = Tensor::<shape![8, 100, 768]>::ones();
/// let heads: Tensor<shape![8, 12, 100, 64]> = rearrange!(b s (h d) -> b h s d; x, h = 12);
/// let again: Tensor<shape![8, 100, 768]> = rearrange!(b h s d -> b s (h d); heads);
/// assert_eq!(again, x);
///
/// let rows: Tensor<shape![800, 768]> = rearrange!(.. d -> (..) d; x);
/// assert_eq!(rows, x.reshape::<shape![800, 768]>());
///
/// let image = tensor![[1, 2, 3, 4], [5, 6, 7, 8]];
/// let patches = rearrange!(row (column pixel) -> column 1 row pixel; image, pixel = 2);
/// assert_eq!(patches, tensor![[[[1, 2], [5, 6]]], [[[3, 4], [7, 8]]]]);
///
/// axis!(Batch);
/// axis!(Seq);
/// axis!(Tokens);
/// let x = Tensor::<shape![Batch, Seq, 6]>::zeros_shaped(shape![Batch(2), Seq(5), 6]);
/// let tokens = rearrange!(b s d -> (b s as Tokens) d; x);
/// assert_eq!(tokens.shape(), shape![Tokens(10), 6]);
/// let again = rearrange!((b s) d -> b s d; tokens, b = Batch(2), s = Seq(_));
/// assert_eq!(again, x);
/// ```
///
/// ```compile_fail,E0277
/// use tensor_core::{Tensor, rearrange, shape};
///
/// let x = Tensor::<shape![8, 100, 770]>::ones();
/// // error: `rearrange!` keeps every element: `Dim<770>` is not a multiple of `Dim<12>`
/// let heads = rearrange!(b s (h d) -> b h s d; x, h = 12);
/// ```
#[proc_macro]
pub fn rearrange(input: TokenStream) -> TokenStream {
    root::resolved(pipeline::rearrange(input.into())).into()
}

/// Compares a file of weights with a model at compile time: `weights!(Encoder, "encoder.safetensors")`.
///
/// The macro reads the header of the file, and a constant compares its names, element types and sizes with those of the
/// model. All that `Module::open` would refuse is one compile error, also under `cargo check`. The value,
/// `CheckedWeights<Encoder>`, opens the file when the program runs, and refuses one with other names, element types or
/// sizes. Axes of run-time size have any size at compile time.
///
/// A relative path is one from the folder of the source file, as for `include_bytes!`, or else from that of the
/// package's `Cargo.toml`. It may be a folder, or the index of shards. The format is one that `Module::open` reads with
/// the features of `tensor-core`: an ONNX model is not, but `tensor-onnx` writes a `.safetensors` file.
///
/// A change of the file compiles the program anew. rustc reads tracked files into memory, so those of more than 64 MiB
/// are not tracked: a build script with `println!("cargo::rerun-if-changed=encoder.safetensors")` does it.
///
/// Not compared are the parts of a model that implement `Module` by hand, such as a recurrent layer, and fields with
/// `#[module(value = …)]`; those are compared when the file is opened. The model has no generic parameters of the
/// function around the macro.
///
/// # Examples
///
/// ```
/// use tensor_core::{Module, Tensor, shape, weights};
///
/// #[derive(Module)]
/// struct Norm {
///     weight: Tensor<shape![3]>,
///     bias: Tensor<shape![3]>,
/// }
///
/// let norm = weights!(Norm, "guide/norm.safetensors").open("guide/norm.safetensors")?;
/// assert_eq!(norm.bias, Tensor::<shape![3]>::zeros());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```compile_fail,E0080
/// use tensor_core::{Module, Tensor, shape, weights};
///
/// #[derive(Module)]
/// struct Norm {
///     weight: Tensor<shape![4]>,
/// }
///
/// // error: guide/norm.safetensors does not fit:
/// //   `weight` is f32 [3], not f32 [4]
/// //   `bias` f32 [3] is left over
/// let norm = weights!(Norm, "guide/norm.safetensors");
/// ```
#[cfg(feature = "weights")]
#[proc_macro]
pub fn weights(input: TokenStream) -> TokenStream {
    root::resolved(pipeline::weights(input.into())).into()
}

/// Methods with the names of other libraries, for `tensor-core`; see `other_names`.
#[doc(hidden)]
#[proc_macro]
pub fn other_names(input: TokenStream) -> TokenStream {
    let methods = syn::parse(input).and_then(other_names::methods);
    methods.unwrap_or_else(|err| err.to_compile_error()).into()
}
