//! The methods of [`Tensor`] that reduce along several axes at once. The table has their names:
//! [`reductions`](tensor_kernels::ops::reductions).

use crate::shape::axis_list::{AxisNode, HasAxes, KeepDimsAxes, WithoutAxes};
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
#[cfg(not(doc))]
use crate::tensor::operations::reduce::reduce_axes;
use tensor_array_macros::usage;
use tensor_kernels::element::number::BoolElement;
use tensor_kernels::element::{Element, Float, Number};
use tensor_kernels::ops::reductions::for_each_reduction;
use tensor_kernels::rows::Reduction;

/// The indices of axes, which are static.
#[track_caller]
fn indices(axes: Option<&'static AxisNode>) -> Sizes {
    AxisNode::indices(axes).collect()
}

/// # Panics
///
/// If one of the axes has size 0.
#[track_caller]
fn assert_axes_not_empty(method: &str, sizes: &[usize], axes: Option<&'static AxisNode>) {
    if let Some(axis) = AxisNode::indices(axes).find(|&axis| sizes[axis] == 0) {
        panic!("`{method}` along axis {axis}, which has size 0: no element to choose");
    }
}

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The reduction along axes that are removed.
    #[inline]
    #[track_caller]
    fn reduced_without<P, O: Element>(
        &self,
        reduction: &'static Reduction<T, O>,
        correction: usize,
    ) -> Tensor<WithoutAxes<S, P>, O>
    where
        S: HasAxes<P>,
    {
        self.reduced_to::<P, _, O>(<S as HasAxes<P>>::remove_axes(self.axes), reduction, correction)
    }

    /// The reduction along axes that are kept with size 1.
    #[inline]
    #[track_caller]
    fn reduced_keepdims<P, O: Element>(
        &self,
        reduction: &'static Reduction<T, O>,
        correction: usize,
    ) -> Tensor<KeepDimsAxes<S, P>, O>
    where
        S: HasAxes<P>,
    {
        self.reduced_to::<P, _, O>(<S as HasAxes<P>>::keep_axes(self.axes), reduction, correction)
    }

    /// The reduction along axes, with this shape.
    #[inline]
    #[track_caller]
    fn reduced_to<P, R: Shape, O: Element>(
        &self,
        shape: R,
        reduction: &'static Reduction<T, O>,
        correction: usize,
    ) -> Tensor<R, O>
    where
        S: HasAxes<P>,
    {
        let (x, sizes) = (self.as_view().array, [self.sizes(), indices(S::AXES), shape.sizes()]);
        let (storage, layout) =
            reduce_axes(reduction, x, sizes.each_ref().map(|sizes| &sizes[..]), correction);
        Tensor { axes: shape, storage, layout }
    }
}

/// Generates a method, documented by the one along a single axis, with an example.
macro_rules! method {
    (
        @$here:ident $Bound:ident $example:tt $result:expr;
        $name:ident($($param:ident: $Param:ty = $argument:literal)?) -> $Output:ident $Result:ident,
        of $of:ident $shapes:literal $(, panics $panics:literal)?;
        |$self:ident| $body:expr
    ) => {
        #[doc = concat!(
            "[`", stringify!($of), "`](Tensor::", stringify!($of),
            ") along all axes of a list at once, ", $shapes, "."
        )]
        ///
        /// `axes![0, -1]` is the list of the first and the last axis. A list names each axis once.
        $(
            #[doc = concat!("\n# Panics\n\n", $panics)]
            #[track_caller]
        )?
        ///
        /// ```
        /// use tensor_core::{axes, shape, tensor};
        ///
        #[doc = concat!("let x = tensor!", stringify!($example), ".reshape::<shape![1, 2, 2]>();")]
        #[doc = concat!(
            "assert_eq!(x.", stringify!($name), "::<axes![0, -1]>(", $(stringify!($argument),)?
            ").to_vec(), ", stringify!($result), ");"
        )]
        /// ```
        #[tensor_array_macros::bounds_without_source]
        #[usage(x.$name::<axes![0, -1]>(); $here elsewhere)]
        pub fn $name<AXES>(&$self $(, $param: $Param)?) -> Tensor<$Output<S, AXES>, $Result>
        where
            S: HasAxes<AXES>,
            T: $Bound,
        {
            $body
        }
    };
}

/// Generates the methods of one row, for elements that satisfy a bound.
macro_rules! methods {
    (@$here:ident $Bound:ident $ROW:ident $Result:ident $kind:ident $methods:tt) => {};
    (@$here:ident $Bound:ident $ROW:ident $Result:ident choose {
        example: $example:tt => $all:expr, $along:expr;
        $(#[$doc:meta])* $w:ident.$name:ident(),
        $(#[$axis_doc:meta])* $x:ident.$name_axis:ident::<$axis:literal>(),
        $(#[$keepdims_doc:meta])* $y:ident.$name_axis_keepdims:ident::<$axis_kept:literal>()
    } $name_axes:ident, $name_axes_keepdims:ident) => {
        method! {
            @$here $Bound $example $along;
            $name_axes() -> WithoutAxes $Result,
            of $name_axis "`[..a, m, ..b, n, ..c] → [..a, ..b, ..c]`",
            panics "If one of the axes has size 0.";
            |self| {
                assert_axes_not_empty(stringify!($name_axes), &self.axes.sizes(), S::AXES);
                self.reduced_without::<AXES, $Result>(T::$ROW, 0)
            }
        }

        method! {
            @$here $Bound $example $along;
            $name_axes_keepdims() -> KeepDimsAxes $Result,
            of $name_axis_keepdims "`[..a, m, ..b, n, ..c] → [..a, 1, ..b, 1, ..c]`",
            panics "If one of the axes has size 0.";
            |self| {
                assert_axes_not_empty(stringify!($name_axes_keepdims), &self.axes.sizes(), S::AXES);
                self.reduced_keepdims::<AXES, $Result>(T::$ROW, 0)
            }
        }
    };
    (@$here:ident $Bound:ident $ROW:ident $Result:ident reduce {
        example: $example:tt => $all:expr, $along:expr;
        $(#[$doc:meta])* $w:ident.$name:ident(),
        $(#[$axis_doc:meta])* $x:ident.$name_axis:ident::<$axis:literal>(),
        $(#[$keepdims_doc:meta])* $y:ident.$name_axis_keepdims:ident::<$axis_kept:literal>()
    } $name_axes:ident, $name_axes_keepdims:ident) => {
        method! {
            @$here $Bound $example $along;
            $name_axes() -> WithoutAxes $Result,
            of $name_axis "`[..a, m, ..b, n, ..c] → [..a, ..b, ..c]`";
            |self| self.reduced_without::<AXES, $Result>(T::$ROW, 0)
        }

        method! {
            @$here $Bound $example $along;
            $name_axes_keepdims() -> KeepDimsAxes $Result,
            of $name_axis_keepdims "`[..a, m, ..b, n, ..c] → [..a, 1, ..b, 1, ..c]`";
            |self| self.reduced_keepdims::<AXES, $Result>(T::$ROW, 0)
        }
    };
    (@$here:ident $Bound:ident $ROW:ident $Result:ident spread {
        example: $example:tt => $all:expr, $along:expr;
        $(#[$doc:meta])* $w:ident.$name:ident(),
        $(#[$corrected_doc:meta])* $v:ident.$name_corrected:ident($one:literal),
        $(#[$axis_doc:meta])* $x:ident.$name_axis:ident::<$axis:literal>(),
        $(#[$axis_corrected_doc:meta])* $z:ident.$name_axis_corrected:ident::<$axis_corrected:literal>($two:literal),
        $(#[$keepdims_doc:meta])* $y:ident.$name_axis_keepdims:ident::<$axis_kept:literal>(),
        $(#[$keepdims_corrected_doc:meta])* $u:ident.$name_axis_keepdims_corrected:ident::<$axis_kept_corrected:literal>($three:literal)
    } $name_axes:ident, $name_axes_keepdims:ident, $name_axes_corrected:ident, $name_axes_keepdims_corrected:ident) => {
        methods! {
            @$here $Bound $ROW $Result reduce {
                example: $example => $all, $along;
                $w.$name(), $x.$name_axis::<$axis>(), $y.$name_axis_keepdims::<$axis_kept>()
            } $name_axes, $name_axes_keepdims
        }

        method! {
            @$here $Bound $example $along;
            $name_axes_corrected(correction: usize = 0) -> WithoutAxes $Result,
            of $name_axis_corrected "`[..a, m, ..b, n, ..c] → [..a, ..b, ..c]`";
            |self| self.reduced_without::<AXES, $Result>(T::$ROW, correction)
        }

        method! {
            @$here $Bound $example $along;
            $name_axes_keepdims_corrected(correction: usize = 0) -> KeepDimsAxes $Result,
            of $name_axis_keepdims_corrected "`[..a, m, ..b, n, ..c] → [..a, 1, ..b, 1, ..c]`";
            |self| self.reduced_keepdims::<AXES, $Result>(T::$ROW, correction)
        }
    };
}

/// Generates the methods of all rows.
macro_rules! tensor_methods {
    (@$here:ident $(
        $(#[$doc:meta])*
        $Bound:ident $Trait:ident $types:tt {$(
            $Op:ident $ROW:ident: $Row:ident -> $Result:ident {
                kernel: $Kernel:ty = $kernel:expr,
                name: $name:literal, numpy: $numpy:literal, pytorch: $pytorch:literal,
                stablehlo: $stablehlo:tt, cost: $cost:literal,
                $(axes: [$($axes:ident),*],)?
            } $kind:ident $methods:tt
        )*}
    )*) => {$(
        $(#[$doc])*
        impl<S: Shape, T: Element> Tensor<S, T> {
            $(methods! { @$here $Bound $ROW $Result $kind $methods $($($axes),*)? })*
        }
    )*};
}

for_each_reduction!(tensor_methods @here);
