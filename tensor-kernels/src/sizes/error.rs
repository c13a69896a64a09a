//! Errors of run-time sizes.

use core::fmt;

/// Implements `Debug` for an error by its `Display`, because `unwrap`, `expect` and
/// `fn main() -> Result<(), Box<dyn Error>>` print `Debug`.
///
/// ```
/// struct OddWidth(usize);
///
/// impl std::fmt::Display for OddWidth {
///     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
///         write!(f, "the width {} is odd", self.0)
///     }
/// }
///
/// tensor_core::diagnostics::debug_as_display!(OddWidth);
///
/// assert_eq!(format!("{:?}", OddWidth(3)), "the width 3 is odd");
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __debug_as_display {
    ($Error:ty $(, [$($Generics:tt)*])?) => {
        impl$(<$($Generics)*>)? ::core::fmt::Debug for $Error {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }
    };
}

/// Generates the enum and its messages: a format string for each variant, which may name its fields, with arguments.
macro_rules! shape_errors {
    ($(#[$of_enum:meta])* $Error:ident $(
        $(#[$of_variant:meta])*
        $Variant:ident
        $({ $($(#[$of_field:meta])* $field:ident: $Field:ty,)* })?
        $(($inner:ident: $Inner:ty))?
        = $message:literal $(, $argument:expr)*;
    )*) => {
        $(#[$of_enum])*
        #[derive(Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $Error {$(
            $(#[$of_variant])*
            $Variant $({ $($(#[$of_field])* $field: $Field,)* })? $(($Inner))?,
        )*}

        impl fmt::Display for $Error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {$(
                    Self::$Variant $({ $($field),* })? $(($inner))? => write!(f, $message $(, $argument)*),
                )*}
            }
        }
    };
}

shape_errors! {
    /// A shape mismatch at run time: of a named axis, of data from a file, or of a
    /// `DynTensor`.
    ShapeError

    /// Two sizes of one axis do not broadcast.
    Sizes {
        /// The size on the left.
        left: usize,
        /// The size on the right.
        right: usize,
        /// The axis of the result, counted from 0 at the front.
        axis: usize,
        /// The name of the axis, if it has one.
        name: Option<&'static str>,
    } =
        "The size of tensor a ({left}) must match the size of tensor b ({right}) at non-singleton dimension {axis}{}",
        name.map_or_else(String::new, |name| format!(
            " (`{name}`): a named axis does not stretch, not even from 1; use an axis of size `One` for that"
        ));
    /// The rank differs from that of the type.
    Rank {
        /// The rank of the type.
        expected: usize,
        /// The rank found.
        found: usize,
    } = "the type has {expected} axes, the data {found}";
    /// The size of an axis differs from that of the type.
    StaticSize {
        /// The size of the type.
        expected: usize,
        /// The size found.
        found: usize,
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// The name of the axis, if it has one.
        name: Option<&'static str>,
    } =
        "axis {axis} {}has size {expected} in the type, {found} in the data",
        name.map_or_else(String::new, |name| format!("(`{name}`) "));
    /// A named axis that occurs twice in a shape has two different sizes.
    TwoSizes {
        /// The name of the axis.
        name: &'static str,
        /// The size of its first occurrence, and the other one.
        sizes: [usize; 2],
        /// The axis with the other size, counted from 0 at the front.
        axis: usize,
    } =
        "`{name}` has size {} and, at dimension {axis}, size {}: a name has one size within a shape; declare another axis for the other size, such as `axis!({name}2)`",
        sizes[0],
        sizes[1];
    /// The number of elements differs from that of the shape.
    Length {
        /// The number of elements of the shape.
        expected: usize,
        /// The number of elements found.
        found: usize,
        /// The sizes of the shape.
        sizes: Vec<usize>,
    } = "shape {sizes:?} has {expected} elements, but {found} were given";
    /// The result of an in-place operation would have another shape than its target.
    Grows {
        /// The sizes of the target.
        target: Vec<usize>,
        /// The sizes of the broadcast.
        result: Vec<usize>,
    } =
        "output with shape {target:?} doesn't match the broadcast shape {result:?}: an in-place result cannot grow";
    /// A tensor does not broadcast to some sizes, which are fewer or smaller.
    NotBroadcastTo {
        /// The sizes of the tensor, and those to broadcast it to.
        sizes: Box<[Vec<usize>; 2]>,
    } =
        "a tensor of shape {:?} does not broadcast to {:?}: broadcasting adds axes in front and stretches axes of size 1, and removes none",
        sizes[0], sizes[1];
    /// The axes that a product contracts have different sizes.
    Contracted {
        /// The size of the last axis of the left side.
        left: usize,
        /// The size of the axis of the right side.
        right: usize,
        /// The axis of the right side, in words.
        position: &'static str,
    } =
        "cannot multiply: the last axis of the left side has size {left}, {position} of the right side has size {right}";
    /// The axes of a pair that is summed over have different sizes.
    ContractedAxes {
        /// The axis of the left side, and that of the right side, counted from 0 at the front.
        axes: [usize; 2],
        /// Their sizes.
        sizes: [usize; 2],
    } =
        "cannot multiply: axis {} of the left side has size {}, axis {} of the right side has size {}",
        axes[0], sizes[0], axes[1], sizes[1];
    /// A product sums over pairs of axes, and one side has more of them.
    AxisPairs {
        /// The number of axes of the left side.
        left: usize,
        /// The number of axes of the right side.
        right: usize,
    } =
        "a product sums over pairs of axes: {left} of the left side are named, and {right} of the right side";
    /// An operand of a product has a rank that the product does not support.
    ProductRank {
        /// The supported ranks, in words.
        expected: &'static str,
        /// The rank of the left side.
        left: usize,
        /// The rank of the right side.
        right: usize,
    } = "{expected}, not operands of rank {left} and {right}";
    /// A tensor has more than `isize::MAX` bytes.
    TooLarge {
        /// The sizes of the tensor.
        sizes: Vec<usize>,
    } = "a tensor of shape {sizes:?} does not fit into memory: it has more than isize::MAX bytes";
    /// A tensor has no axis with this number.
    AxisOutOfRange {
        /// The number of the axis; a negative one counts from the end.
        axis: isize,
        /// The number of axes of the tensor.
        rank: usize,
    } = "axis {axis} is out of range for a tensor of rank {rank}";
    /// A list of axes names one twice.
    AxisTwice {
        /// The axis, counted from 0 at the front.
        axis: usize,
    } = "axis {axis} is in the list of axes twice";
    /// A list of axes omits some, where a permutation is required.
    Permutation {
        /// The number of axes in the list.
        named: usize,
        /// The number of axes of the tensor.
        rank: usize,
    } = "a permutation names each of the {rank} axes once, and this list has {named}";
    /// An axis to remove has a size other than 1.
    NotSqueezable {
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// Its size.
        size: usize,
    } = "only an axis of size 1 can be squeezed, and axis {axis} has size {size}";
    /// Axes to merge are not in order.
    AxesOrder {
        /// The first axis, counted from 0 at the front.
        start: usize,
        /// The last axis.
        end: usize,
    } = "axes are flattened from the first to the last, and axis {start} is after axis {end}";
    /// A tensor does not have exactly one element.
    NotOneElement {
        /// The sizes of the tensor.
        sizes: Vec<usize>,
    } =
        "a tensor of shape {sizes:?} is not a single element: take one by its index, or reduce all of them";
    /// Tensors to be joined differ along an axis other than the joined one.
    Joined {
        /// The number of the tensor, counted from 0.
        operand: usize,
        /// Its sizes, and those of the first one.
        sizes: Box<[Vec<usize>; 2]>,
        /// The axis along which `concat` joins them, counted from 0 at the front; `None` of `stack`, which
        /// joins them along a new one.
        axis: Option<usize>,
    } =
        "`{}`: tensor {operand} has shape {:?}, tensor 0 {:?}: all axes {}must be equal",
        if axis.is_some() { "concat" } else { "stack" },
        sizes[0],
        sizes[1],
        axis.map_or_else(String::new, |axis| format!("but axis {axis} "));
    /// A join of no tensors.
    NoTensors {
        /// The operation.
        operation: &'static str,
    } = "`{operation}` of no tensors: the sizes of the result come from the first one";
    /// A tensor has fewer axes than an operation requires.
    TooFewAxes {
        /// The operation.
        operation: &'static str,
        /// The number of axes that it requires.
        least: usize,
        /// The number of axes of the tensor.
        rank: usize,
    } = "`{operation}` takes a tensor of rank {least} or more, not of rank {rank}";
    /// A list with one entry for each axis, or for each index of an axis, has another length.
    Entries {
        /// The kind of the entries.
        entries: &'static str,
        /// The number of axes or indices.
        expected: usize,
        /// The number of entries.
        found: usize,
    } = "{found} {entries} were given where {expected} are needed";
    /// The padding needs elements of an axis that has none.
    PadsEmpty {
        /// The axis, counted from 0 at the front.
        axis: usize,
    } = "axis {axis} has size 0: no element to pad with; `Padding::Constant` needs none";
    /// A negative amount of padding crops more than the size of an axis.
    CropsTooMuch {
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// Its size.
        size: usize,
        /// The amounts before and after it.
        amounts: [isize; 2],
    } =
        "padding of {} and {} leaves less than nothing of axis {axis}, which has size {size}",
        amounts[0], amounts[1];
    /// No value of the inferred size, or more than one, gives the shape the number of elements.
    NotDivisible {
        /// The number of elements.
        elements: usize,
        /// The shape, with `_` for the inferred size.
        shape: String,
    } = "{elements} elements do not fill shape {shape}, whatever the omitted size is";
    /// A size is negative, and not the -1 of an inferred size.
    NegativeSize {
        /// The size.
        size: isize,
        /// The axis, counted from 0 at the front.
        axis: usize,
    } = "axis {axis} has size {size}: a size is 0 or more, or -1 where it follows from the others";
    /// The number of inferred sizes of a shape is not exactly one.
    LeftOut {
        /// The number of inferred sizes.
        found: usize,
        /// The shape, with `_` for the inferred sizes.
        shape: String,
    } = "one size of a shape follows from the number of elements, and {shape} leaves out {found}";
    /// An axis is renamed to a name that has another size.
    Renamed {
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// Its size.
        size: usize,
        /// The size of the new name.
        expected: usize,
    } = "axis {axis} has size {size}, and its new name has size {expected}";
    /// A tensor is summed to sizes that do not broadcast to its own.
    SumTo {
        /// The sizes of the tensor, and those that it is summed to.
        sizes: Box<[Vec<usize>; 2]>,
    } =
        "a tensor of shape {:?} has no sum of shape {:?}: only what broadcasts to {:?} is summed back",
        sizes[0], sizes[1], sizes[0];
    /// Several axes do not have the sizes of the type: one error for each.
    SeveralAxes(errors: Vec<ShapeError>) =
        "{}",
        errors.iter().map(Self::to_string).collect::<Vec<_>>().join("; ");
    /// An axis has no such index.
    IndexOutOfRange {
        /// The index; a negative one counts from the end.
        index: isize,
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// Its size.
        size: usize,
    } = "index {index} is out of range for axis {axis} of size {size}";
    /// A slice reaches beyond an axis, or ends before it starts.
    SliceOutOfRange {
        /// The first index; a negative one counts from the end.
        start: isize,
        /// The index after the last; `None` for the size of the axis.
        end: Option<isize>,
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// Its size.
        size: usize,
    } =
        "slice {start}..{} is out of range for axis {axis} of size {size}",
        end.map_or_else(String::new, |end| end.to_string());
    /// The step of a slice, or the size or number of parts, is 0.
    StepOfZero {
        /// The axis, counted from 0 at the front.
        axis: usize,
    } =
        "a step or a part of 0 along axis {axis}: a step is at least 1 or at most -1, a part at least 1";
    /// A slice has more parts than the tensor has axes.
    TooManyParts {
        /// The number of parts.
        parts: usize,
        /// The number of axes of the tensor.
        rank: usize,
    } = "a slice of {parts} parts for a tensor of rank {rank}: each part is for one axis";
    /// The sizes of the parts of a split do not add up to the size of the axis.
    Split {
        /// The sizes of the parts.
        parts: Vec<usize>,
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// Its size.
        size: usize,
    } =
        "parts of sizes {parts:?} are {} in all, and axis {axis} has size {size}",
        parts.iter().fold(0, |sum: usize, &part| sum.saturating_add(part));
    /// A window is longer than the axis that it moves along.
    Window {
        /// The size of the window.
        window: usize,
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// Its size.
        size: usize,
    } = "a window of {window} is longer than axis {axis}, which has size {size}";
    /// Two tensors differ along an axis other than the indexed one.
    IndexShape {
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// The sizes of the tensor, and those of the indices.
        sizes: Box<[Vec<usize>; 2]>,
    } =
        "along axis {axis}, indices choose where all other axes are equal: the tensor has shape {:?}, the indices {:?}",
        sizes[0], sizes[1];
    /// A tensor has another number of axes than the operation requires.
    AxisCount {
        /// The required number.
        expected: usize,
        /// The sizes of the tensor.
        sizes: Vec<usize>,
    } = "this takes a tensor of rank {expected}, and shape {sizes:?} has another";
    /// An operand does not have the shape that follows from the other ones.
    OperandShape {
        /// The name of the operand.
        operand: &'static str,
        /// The required sizes, and those of the operand.
        sizes: Box<[Vec<usize>; 2]>,
    } =
        "the {operand} need shape {:?}, and have {:?}",
        sizes[0], sizes[1];
    /// An axis has fewer elements than an operation selects.
    TooFewElements {
        /// The number of selected elements.
        chosen: usize,
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// Its size.
        size: usize,
    } = "{chosen} elements cannot be chosen along axis {axis}, which has size {size}";
    /// The range of a histogram is reversed or not finite.
    HistogramRange {
        /// The range.
        range: String,
    } = "a histogram needs a range of finite numbers, the smaller one first, not {range}";
    /// A quantile is not from 0 to 1.
    Quantile {
        /// The quantile.
        q: String,
    } = "a quantile is from 0 to 1, and this is {q}";
    /// The input or the weights of a convolution have too few axes.
    ConvolutionRank {
        /// The rank of the input.
        input: usize,
        /// The rank of the weights.
        weights: usize,
    } =
        "a convolution takes an input `[.., c, h, w]` and weights `[o, c, kh, kw]`, with the axes of the window after the channels, not tensors of rank {input} and {weights}";
    /// The input of a pooling has too few axes.
    PoolRank {
        /// The rank of the input.
        input: usize,
        /// The number of axes of the window.
        axes: usize,
    } = "a window of {axes} axes does not go over a tensor of rank {input}";
    /// The number of channels of the input differs from that of the weights.
    Channels {
        /// The channels of the input.
        input: usize,
        /// The channels of the weights, in each group.
        weights: usize,
        /// The number of groups.
        groups: usize,
    } =
        "the input has {input} channels, and the weights take {weights}{}",
        if *groups == 1 { String::new() } else { format!(" in each of {groups} groups") };
    /// The number of channels is not a multiple of the number of groups.
    Groups {
        /// The channels.
        channels: usize,
        /// The number of groups.
        groups: usize,
    } = "{channels} channels cannot be divided into {groups} groups of the same size";
    /// A window is larger than its padded input.
    WindowTooLarge {
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// Its size.
        size: usize,
        /// Its padding, before and after it together.
        padding: usize,
        /// The size of the window.
        window: usize,
        /// The distance between elements of the window.
        dilation: usize,
    } =
        "a window of size {window} is larger than its padded input: axis {axis} has size {size} and {padding} elements of padding{}",
        if *dilation == 1 {
            String::new()
        } else {
            format!(", and the elements of the window are {dilation} apart")
        };
    /// The padding of a pooling is more than half of the extent of its window.
    PoolPadding {
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// The larger padding, before or after the axis.
        padding: usize,
        /// The extent of the window, including the gaps of dilation.
        covered: usize,
    } =
        "the padding of a pooling is at most half of the window: axis {axis} has {padding} elements of padding, the window covers {covered}, and half of that is {}; for more, as TensorFlow and ONNX allow it, `pad` the tensor first",
        covered / 2;
    /// The result of a transposed convolution has more than `isize::MAX` elements along an axis.
    WindowResultTooLarge {
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// Its size.
        size: usize,
        /// The stride.
        stride: usize,
        /// The size of the window.
        window: usize,
    } =
        "the result of this transposed convolution has more than isize::MAX elements along axis {axis}, which has size {size}, with stride {stride} and a window of size {window}";
    /// The padding of a transposed convolution removes all of its results.
    WindowNothingLeft {
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// Its size.
        size: usize,
        /// Its padding, before and after it together.
        padding: usize,
        /// The size of the window.
        window: usize,
    } =
        "the padding of this transposed convolution, {padding} elements, removes all of its results along axis {axis}, of size {size}, for a window of size {window}";
    /// An option of a window is 0.
    WindowOptionZero {
        /// The option.
        option: &'static str,
    } = "{option} is 1 or more, not 0";
    /// The list of a window option has neither one entry nor one for each axis.
    WindowOptionCount {
        /// The option.
        option: &'static str,
        /// The number of entries.
        found: usize,
        /// The number of axes of the window.
        axes: usize,
    } =
        "{option} takes one number for all axes of the window or one for each of the {axes}, not {found}";
    /// Padding that keeps the size, with a stride.
    WindowSame {
        /// The stride.
        stride: usize,
    } =
        "padding that keeps the size of an axis goes with stride 1, not {stride}: give the padding in numbers";
    /// Output padding without a transposed convolution, or together with padding that keeps the size.
    WindowOutputPadding = "only a transposed convolution has output padding, and only with padding in numbers";
    /// A view for a library that supports positive strides alone would have an axis that is reversed or
    /// broadcast.
    StrideNotPositive {
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// Its stride, in elements.
        stride: isize,
    } =
        "axis {axis} {}, and this view takes positive strides alone: `contiguous` copies the tensor",
        if *stride == 0 { "is stretched" } else { "runs backwards" };
    /// An operation that selects an element, such as `max`, of an empty tensor or axis.
    Empty {
        /// The operation.
        operation: &'static str,
        /// The axis of size 0, counted from the first; `None` for all axes.
        axis: Option<usize>,
    } =
        "`{operation}` {}",
        axis.map_or_else(
            || "of a tensor without elements: some axis has size 0".to_owned(),
            |axis| format!("along axis {axis}, which has size 0: it takes at least one element"),
        );
}

impl ShapeError {
    /// Combines two errors of different axes.
    #[doc(hidden)]
    pub fn and(self, other: Self) -> Self {
        match self {
            Self::SeveralAxes(mut errors) => {
                errors.push(other);
                Self::SeveralAxes(errors)
            }
            error => Self::SeveralAxes(vec![error, other]),
        }
    }
}

__debug_as_display!(ShapeError);

impl std::error::Error for ShapeError {}
