//! The methods of [`DynTensor`] that reduce all elements or along axes, and those along an
//! axis that keep the sizes. They are defined by the table [`reductions`](tensor_kernels::ops::reductions).

use tensor_kernels::element::number::BoolElement;
use tensor_kernels::element::{Element, Float, Number};
use tensor_kernels::layout::num_elements;
use tensor_kernels::ops::AxisParams;
use tensor_kernels::ops::reductions::for_each_reduction;
use tensor_kernels::rows::{AxesCall, AxisMap, Reduction};
use tensor_kernels::sizes::Sizes;
use tensor_kernels::sizes::error::ShapeError;
use tensor_kernels::storage::Storage;

use super::DynTensor;
use super::elementwise::fits_into_memory;

/// The index of an axis of `rank` axes, counted from the first.
///
/// # Errors
///
/// If there is no such axis.
pub(crate) fn axis_index(axis: isize, rank: usize) -> Result<usize, ShapeError> {
    let from_first = if axis < 0 { axis + rank as isize } else { axis };
    match usize::try_from(from_first) {
        Ok(index) if index < rank => Ok(index),
        _ => Err(ShapeError::AxisOutOfRange { axis, rank }),
    }
}

impl<T: Element> DynTensor<T> {
    /// The index of an axis, counted from the first.
    ///
    /// # Errors
    ///
    /// If there is no such axis.
    pub(crate) fn axis_index(&self, axis: isize) -> Result<usize, ShapeError> {
        axis_index(axis, self.rank())
    }

    /// The indices of axes, counted from the first.
    ///
    /// # Errors
    ///
    /// If there is no such axis, or an axis is named twice.
    pub(super) fn axis_indices(&self, axes: &[isize]) -> Result<Sizes, ShapeError> {
        let mut indices = Sizes::new();
        for &axis in axes {
            let index = self.axis_index(axis)?;
            if indices.contains(&index) {
                return Err(ShapeError::AxisTwice { axis: index });
            }
            indices.push(index);
        }
        Ok(indices)
    }

    /// # Errors
    ///
    /// If there is no element to choose from.
    fn check_not_empty(&self, operation: &'static str) -> Result<(), ShapeError> {
        if self.is_empty() { Err(ShapeError::Empty { operation, axis: None }) } else { Ok(()) }
    }

    /// # Errors
    ///
    /// If there is no such axis, or it has size 0.
    fn check_axis_not_empty(&self, operation: &'static str, axis: isize) -> Result<(), ShapeError> {
        let axis = self.axis_index(axis)?;
        if self.sizes[axis] == 0 {
            return Err(ShapeError::Empty { operation, axis: Some(axis) });
        }
        Ok(())
    }

    /// Reduces all elements.
    #[track_caller]
    fn reduced<O: Element>(
        &self,
        reduction: &'static Reduction<T, O>,
        correction: usize,
    ) -> DynTensor<O> {
        let (result, layout) = reduction.call_all(self.array(), &self.sizes, correction);
        DynTensor { sizes: Sizes::new(), storage: Storage::from_slice(&[result]), layout }
    }

    /// Reduces along an axis.
    #[track_caller]
    fn reduced_axis<O: Element>(
        &self,
        reduction: &'static Reduction<T, O>,
        axis: isize,
        correction: usize,
        keepdims: bool,
    ) -> Result<DynTensor<O>, ShapeError> {
        let axis = self.axis_index(axis)?;
        let mut sizes = self.sizes.clone();
        sizes[axis] = 1;
        // The result may have more elements than the operand if the axis is empty.
        fits_into_memory::<O>(&sizes)?;
        let results = num_elements(&sizes);
        if !keepdims {
            sizes.remove(axis);
        }
        Ok(self.reduced_to(reduction, &[axis], sizes, results, correction))
    }

    /// Reduces along several axes.
    #[track_caller]
    fn reduced_axes<O: Element>(
        &self,
        reduction: &'static Reduction<T, O>,
        axes: &[isize],
        correction: usize,
        keepdims: bool,
    ) -> Result<DynTensor<O>, ShapeError> {
        let axes = self.axis_indices(axes)?;
        let mut sizes = self.sizes.clone();
        for &axis in &axes {
            sizes[axis] = 1;
        }
        fits_into_memory::<O>(&sizes)?;
        let results = num_elements(&sizes);
        if !keepdims {
            let kept = (0..self.rank()).filter(|axis| !axes.contains(axis));
            sizes = kept.map(|axis| self.sizes[axis]).collect();
        }
        Ok(self.reduced_to(reduction, &axes, sizes, results, correction))
    }

    /// The results along axes, with these sizes and this number of elements.
    #[track_caller]
    fn reduced_to<O: Element>(
        &self,
        reduction: &'static Reduction<T, O>,
        axes: &[usize],
        sizes: Sizes,
        results: usize,
        correction: usize,
    ) -> DynTensor<O> {
        let call = AxesCall { sizes: &self.sizes, axes, result: &sizes, results };
        let (storage, layout) = reduction.call_axes(self.array(), &call, correction);
        DynTensor { sizes, storage, layout }
    }

    /// # Errors
    ///
    /// If there is no such axis, an axis is named twice, or one has size 0.
    fn check_axes_not_empty(
        &self,
        operation: &'static str,
        axes: &[isize],
    ) -> Result<(), ShapeError> {
        let axes = self.axis_indices(axes)?;
        match axes.into_iter().find(|&axis| self.sizes[axis] == 0) {
            Some(axis) => Err(ShapeError::Empty { operation, axis: Some(axis) }),
            None => Ok(()),
        }
    }

    /// Runs an operation along an axis that keeps the sizes.
    #[track_caller]
    pub(crate) fn mapped_axis(
        &self,
        map: &'static AxisMap<T, T>,
        axis: isize,
        params: AxisParams,
    ) -> Result<Self, ShapeError> {
        let axis = self.axis_index(axis)?;
        fits_into_memory::<T>(&self.sizes)?;
        let (storage, layout) = map.call(self.array(), &self.sizes, axis, params);
        Ok(Self { sizes: self.sizes.clone(), storage, layout })
    }
}

/// Generates the documentation of a method from that of `Tensor`, with an example.
macro_rules! documented {
    (
        $name:ident $shapes:literal
        $example:tt, [$($call:tt),*] => $result:expr;
        $(#[$attribute:meta])*
        fn $($function:tt)*
    ) => {
        #[doc = concat!(
            typed!($name), ", ", $shapes, "."
        )]
        $(#[$attribute])*
        ///
        /// ```
        /// use tensor_core::DynTensor;
        ///
        #[doc = concat!("let x = DynTensor::from_vec(&[2, 2], vec!", stringify!($example), ")?;")]
        #[doc = concat!(
            "assert_eq!(x.", stringify!($name), $($call,)* ".to_vec(), ", stringify!($result), ");"
        )]
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[tensor_array_macros::bounds_without_source]
        #[track_caller]
        pub fn $($function)*
    };
}

/// Generates the methods of one row, for elements that satisfy a bound.
macro_rules! methods {
    (reduce $Bound:ident $ROW:ident $Result:ident {
        example: $example:tt => $all:expr, $along:expr;
        $(#[$doc:meta])* $w:ident.$name:ident(),
        $(#[$axis_doc:meta])* $x:ident.$name_axis:ident::<$axis:literal>(),
        $(#[$keepdims_doc:meta])* $y:ident.$name_axis_keepdims:ident::<$axis_kept:literal>()
    }) => {
        documented! {
            $name "`[..] → []`"
            $example, ["()"] => [$all];
            fn $name(&self) -> DynTensor<$Result>
            where
                T: $Bound,
            {
                self.reduced(T::$ROW, 0)
            }
        }

        methods! { @along $Bound $ROW $Result $example $along; $name_axis, $name_axis_keepdims }
    };
    (choose $Bound:ident $ROW:ident $Result:ident {
        example: $example:tt => $all:expr, $along:expr;
        $(#[$doc:meta])* $w:ident.$name:ident(),
        $(#[$axis_doc:meta])* $x:ident.$name_axis:ident::<$axis:literal>(),
        $(#[$keepdims_doc:meta])* $y:ident.$name_axis_keepdims:ident::<$axis_kept:literal>()
    }) => {
        documented! {
            $name "`[..] → []`"
            $example, ["()?"] => [$all];
            ///
            /// # Errors
            ///
            /// [`ShapeError::Empty`] if there is no element.
            fn $name(&self) -> Result<DynTensor<$Result>, ShapeError>
            where
                T: $Bound,
            {
                self.check_not_empty(stringify!($name))?;
                Ok(self.reduced(T::$ROW, 0))
            }
        }

        documented! {
            $name_axis "`[..a, n, ..b] → [..a, ..b]`; a negative axis counts from the end"
            $example, ["(-1)?"] => $along;
            ///
            /// # Errors
            ///
            /// [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::Empty`] if it has size 0.
            fn $name_axis(&self, axis: isize) -> Result<DynTensor<$Result>, ShapeError>
            where
                T: $Bound,
            {
                self.check_axis_not_empty(stringify!($name_axis), axis)?;
                self.reduced_axis(T::$ROW, axis, 0, false)
            }
        }

        documented! {
            $name_axis_keepdims "`[..a, n, ..b] → [..a, 1, ..b]`; a negative axis counts from the end"
            $example, ["(-1)?"] => $along;
            ///
            /// # Errors
            ///
            /// [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::Empty`] if it has size 0.
            fn $name_axis_keepdims(&self, axis: isize) -> Result<DynTensor<$Result>, ShapeError>
            where
                T: $Bound,
            {
                self.check_axis_not_empty(stringify!($name_axis_keepdims), axis)?;
                self.reduced_axis(T::$ROW, axis, 0, true)
            }
        }
    };
    (spread $Bound:ident $ROW:ident $Result:ident {
        example: $example:tt => $all:expr, $along:expr;
        $(#[$doc:meta])* $w:ident.$name:ident(),
        $(#[$with_doc:meta])* $v:ident.$name_with:ident($one:literal),
        $(#[$axis_doc:meta])* $x:ident.$name_axis:ident::<$axis:literal>(),
        $(#[$axis_with_doc:meta])* $z:ident.$name_axis_with:ident::<$axis_with:literal>($two:literal),
        $(#[$keepdims_doc:meta])* $y:ident.$name_axis_keepdims:ident::<$axis_kept:literal>(),
        $(#[$keepdims_with_doc:meta])* $u:ident.$name_axis_keepdims_with:ident::<$axis_kept_with:literal>($three:literal)
    }) => {
        methods! { reduce $Bound $ROW $Result {
            example: $example => $all, $along;
            $w.$name(), $x.$name_axis::<$axis>(), $y.$name_axis_keepdims::<$axis_kept>()
        } }

        documented! {
            $name_with "`[..] → []`"
            $example, ["(0)"] => [$all];
            fn $name_with(&self, correction: usize) -> DynTensor<$Result>
            where
                T: $Bound,
            {
                self.reduced(T::$ROW, correction)
            }
        }

        documented! {
            $name_axis_with "`[..a, n, ..b] → [..a, ..b]`; a negative axis counts from the end"
            $example, ["(-1, 0)?"] => $along;
            ///
            /// # Errors
            ///
            /// [`ShapeError::AxisOutOfRange`] if there is no such axis.
            fn $name_axis_with(
                &self,
                axis: isize,
                correction: usize,
            ) -> Result<DynTensor<$Result>, ShapeError>
            where
                T: $Bound,
            {
                self.reduced_axis(T::$ROW, axis, correction, false)
            }
        }

        documented! {
            $name_axis_keepdims_with "`[..a, n, ..b] → [..a, 1, ..b]`; a negative axis counts from the end"
            $example, ["(-1, 0)?"] => $along;
            ///
            /// # Errors
            ///
            /// [`ShapeError::AxisOutOfRange`] if there is no such axis.
            fn $name_axis_keepdims_with(
                &self,
                axis: isize,
                correction: usize,
            ) -> Result<DynTensor<$Result>, ShapeError>
            where
                T: $Bound,
            {
                self.reduced_axis(T::$ROW, axis, correction, true)
            }
        }
    };
    (map $Bound:ident $ROW:ident $Result:ident {$(
        example: $example:tt => $result:expr $(, with $argument:literal)?;
        $(#[$doc:meta])* $x:ident.$name:ident::<-$axis:literal>($($param:ident: $Param:ty)?) => $params:expr
    ),+}) => {$(
        documented! {
            $name "`[..a, n, ..b] → [..a, n, ..b]`; a negative axis counts from the end"
            $example, ["(-1" $(, ", ", $argument)?, ")?"] => $result;
            ///
            /// # Errors
            ///
            /// [`ShapeError::AxisOutOfRange`] if there is no such axis.
            fn $name(
                &self,
                axis: isize
                $(, $param: $Param)?
            ) -> Result<DynTensor<$Result>, ShapeError>
            where
                T: $Bound,
            {
                self.mapped_axis(T::$ROW, axis, $params)
            }
        }
    )+};
    (@along $Bound:ident $ROW:ident $Result:ident $example:tt $along:expr;
        $name_axis:ident, $name_axis_keepdims:ident) => {
        documented! {
            $name_axis "`[..a, n, ..b] → [..a, ..b]`; a negative axis counts from the end"
            $example, ["(-1)?"] => $along;
            ///
            /// # Errors
            ///
            /// [`ShapeError::AxisOutOfRange`] if there is no such axis.
            fn $name_axis(&self, axis: isize) -> Result<DynTensor<$Result>, ShapeError>
            where
                T: $Bound,
            {
                self.reduced_axis(T::$ROW, axis, 0, false)
            }
        }

        documented! {
            $name_axis_keepdims "`[..a, n, ..b] → [..a, 1, ..b]`; a negative axis counts from the end"
            $example, ["(-1)?"] => $along;
            ///
            /// # Errors
            ///
            /// [`ShapeError::AxisOutOfRange`] if there is no such axis.
            fn $name_axis_keepdims(&self, axis: isize) -> Result<DynTensor<$Result>, ShapeError>
            where
                T: $Bound,
            {
                self.reduced_axis(T::$ROW, axis, 0, true)
            }
        }
    };
}

/// Generates a method along several axes.
macro_rules! axes_method {
    (
        $Bound:ident $example:tt $along:expr;
        $name:ident($($param:ident: $Param:ty = $argument:literal)?) -> $Result:ident,
        $shapes:literal, errors $errors:literal;
        |$self:ident, $axes:ident| $body:expr
    ) => {
        documented! {
            $name $shapes
            $example, ["(&[-1]" $(, ", ", $argument)?, ")?"] => $along;
            ///
            /// # Errors
            ///
            #[doc = $errors]
            fn $name(
                &$self,
                $axes: &[isize]
                $(, $param: $Param)?
            ) -> Result<DynTensor<$Result>, ShapeError>
            where
                T: $Bound,
            {
                $body
            }
        }
    };
}

/// Generates the methods of one row along several axes, for elements that satisfy a bound.
macro_rules! axes_methods {
    ($kind:ident $Bound:ident $ROW:ident $Result:ident $methods:tt) => {};
    (choose $Bound:ident $ROW:ident $Result:ident {
        example: $example:tt => $all:expr, $along:expr; $($names:tt)*
    } $name:ident, $name_keepdims:ident) => {
        axes_method! {
            $Bound $example $along;
            $name() -> $Result,
            "`[..a, m, ..b, n, ..c] → [..a, ..b, ..c]`; negative axes count from the end",
            errors "[`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::AxisTwice`] if one is \
                named twice, [`ShapeError::Empty`] if one has size 0.";
            |self, axes| {
                self.check_axes_not_empty(stringify!($name), axes)?;
                self.reduced_axes(T::$ROW, axes, 0, false)
            }
        }

        axes_method! {
            $Bound $example $along;
            $name_keepdims() -> $Result,
            "`[..a, m, ..b, n, ..c] → [..a, 1, ..b, 1, ..c]`; negative axes count from the end",
            errors "[`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::AxisTwice`] if one is \
                named twice, [`ShapeError::Empty`] if one has size 0.";
            |self, axes| {
                self.check_axes_not_empty(stringify!($name_keepdims), axes)?;
                self.reduced_axes(T::$ROW, axes, 0, true)
            }
        }
    };
    ($kind:ident $Bound:ident $ROW:ident $Result:ident {
        example: $example:tt => $all:expr, $along:expr; $($names:tt)*
    } $name:ident, $name_keepdims:ident $(, $name_corrected:ident, $name_keepdims_corrected:ident)?) => {
        axes_method! {
            $Bound $example $along;
            $name() -> $Result,
            "`[..a, m, ..b, n, ..c] → [..a, ..b, ..c]`; negative axes count from the end",
            errors "[`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::AxisTwice`] if one is \
                named twice.";
            |self, axes| self.reduced_axes(T::$ROW, axes, 0, false)
        }

        axes_method! {
            $Bound $example $along;
            $name_keepdims() -> $Result,
            "`[..a, m, ..b, n, ..c] → [..a, 1, ..b, 1, ..c]`; negative axes count from the end",
            errors "[`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::AxisTwice`] if one is \
                named twice.";
            |self, axes| self.reduced_axes(T::$ROW, axes, 0, true)
        }

        $(axes_method! {
            $Bound $example $along;
            $name_corrected(correction: usize = 0) -> $Result,
            "`[..a, m, ..b, n, ..c] → [..a, ..b, ..c]`; negative axes count from the end",
            errors "[`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::AxisTwice`] if one is \
                named twice.";
            |self, axes| self.reduced_axes(T::$ROW, axes, correction, false)
        }

        axes_method! {
            $Bound $example $along;
            $name_keepdims_corrected(correction: usize = 0) -> $Result,
            "`[..a, m, ..b, n, ..c] → [..a, 1, ..b, 1, ..c]`; negative axes count from the end",
            errors "[`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::AxisTwice`] if one is \
                named twice.";
            |self, axes| self.reduced_axes(T::$ROW, axes, correction, true)
        })?
    };
}

/// Generates the methods of all rows.
macro_rules! dynamic_methods {
    ($(
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
        impl<T: Element> DynTensor<T> {
            $(
                methods! { $kind $Bound $ROW $Result $methods }
                axes_methods! { $kind $Bound $ROW $Result $methods $($($axes),*)? }
            )*
        }
    )*};
}

for_each_reduction!(dynamic_methods);
