//! The methods of [`Tensor`] that reduce all elements or along one axis, and those along an axis
//! that keep the sizes. The table has their names and definitions:
//! [`reductions`](tensor_kernels::ops::reductions).

use core::marker::PhantomData;

use crate::shape::axis::Axis;
use crate::shape::axis_index::HasAxis;
use crate::shape::results::{KeepDims, Kept, WithoutAxis};
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
use crate::tensor::construct::static_len;
#[cfg(not(doc))]
use crate::tensor::operand::floats::named;
use crate::tensor::operations::dispatch::is_static;
use crate::tensor::typed_view::SizesOf;
use tensor_array_macros::usage;
use tensor_kernels::array_ref::ArrayRef;
use tensor_kernels::element::number::BoolElement;
use tensor_kernels::element::{Element, Float, FloatResult, Number};
use tensor_kernels::layout::{Layout, len_in_memory};
use tensor_kernels::ops::AxisParams;
use tensor_kernels::ops::reductions::for_each_reduction;
use tensor_kernels::rows::{AxesCall, AxisMap, Reduction};
use tensor_kernels::storage::Storage;

/// # Panics
///
/// If there is no element to choose from.
#[track_caller]
fn assert_not_empty(method: &str, elements: usize) {
    if elements == 0 {
        panic!("`{method}` of a tensor without elements: some axis has size 0");
    }
}

/// # Panics
///
/// If the axis has size 0.
#[track_caller]
fn assert_axis_not_empty<const AXIS: isize, S: HasAxis<AXIS>>(method: &str, shape: S) {
    if shape.axis().size() == 0 {
        axis_is_empty(method, S::INDEX, <S::Axis as Axis>::NAME);
    }
}

#[track_caller]
#[cold]
fn axis_is_empty(method: &str, axis: usize, name: Option<&str>) -> ! {
    let name = name.map(|name| format!(" (`{name}`)")).unwrap_or_default();
    panic!("`{method}` along axis {axis}{name}, which has size 0: no element to choose");
}

/// The constants of a reduction along an axis of a static shape.
struct AxisConstants<S, O, const AXIS: isize>(PhantomData<(S, O)>);

impl<S: HasAxis<AXIS>, O: Element, const AXIS: isize> AxisConstants<S, O, AXIS> {
    const CALL: &'static AxesCall<'static> = &AxesCall {
        sizes: SizesOf::<S>::STATIC,
        axes: &[<S as HasAxis<AXIS>>::INDEX],
        result: SizesOf::<WithoutAxis<S, AXIS>>::STATIC,
        // May exceed the number of elements of the operand, if the axis is empty.
        results: static_len::<WithoutAxis<S, AXIS>, O>(),
    };
}

/// The results of a reduction along axes of run-time sizes, and their layout. Compiled once for each
/// element type.
///
/// # Panics
///
/// If the results have more than `isize::MAX` bytes.
#[inline(never)]
#[track_caller]
pub(super) fn reduce_axes<T: Element, O: Element>(
    reduction: &'static Reduction<T, O>,
    x: ArrayRef<'_, T>,
    [sizes, axes, result]: [&[usize]; 3],
    correction: usize,
) -> (Storage<O>, Layout) {
    let results = len_in_memory(result, size_of::<O>());
    reduction.call_axes(x, &AxesCall { sizes, axes, result, results }, correction)
}

/// Like [`reduce_axes`], for an operation along an axis that keeps the sizes.
#[inline(never)]
#[track_caller]
fn map_axis<T: Element>(
    map: &'static AxisMap<T, T>,
    x: ArrayRef<'_, T>,
    sizes: &[usize],
    axis: usize,
    params: AxisParams,
) -> (Storage<T>, Layout) {
    len_in_memory(sizes, size_of::<T>());
    map.call(x, sizes, axis, params)
}

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The reduction of all elements.
    #[inline]
    #[track_caller]
    fn reduced<O: Element>(
        &self,
        reduction: &'static Reduction<T, O>,
        correction: usize,
    ) -> Tensor<(), O> {
        let sizes = &mut Sizes::new();
        let sizes = SizesOf::of(self.axes, sizes);
        let (result, layout) = reduction.call_all(self.as_view().array, sizes, correction);
        let Tensor { axes: shape, storage, .. } = Tensor::scalar(result);
        Tensor { axes: shape, storage, layout }
    }

    /// The reduction along an axis.
    #[inline]
    #[track_caller]
    fn reduced_axis<const AXIS: isize, O: Element>(
        &self,
        reduction: &'static Reduction<T, O>,
        correction: usize,
    ) -> Tensor<WithoutAxis<S, AXIS>, O>
    where
        S: HasAxis<AXIS>,
    {
        let (x, shape) = (self.as_view().array, <S as HasAxis<AXIS>>::remove(self.axes));
        let (storage, layout) = if const { is_static::<S>() } {
            reduction.call_axes(x, AxisConstants::<S, O, AXIS>::CALL, correction)
        } else {
            let (sizes, axis, result) = (self.sizes(), <S as HasAxis<AXIS>>::INDEX, shape.sizes());
            reduce_axes(reduction, x, [&sizes, &[axis], &result], correction)
        };
        Tensor { axes: shape, storage, layout }
    }

    /// The reduction along an axis that is kept with size 1.
    #[inline]
    #[track_caller]
    fn reduced_axis_keepdims<const AXIS: isize, O: Element>(
        &self,
        reduction: &'static Reduction<T, O>,
        correction: usize,
    ) -> Tensor<KeepDims<S, AXIS>, O>
    where
        S: HasAxis<AXIS>,
    {
        let result = self.reduced_axis::<AXIS, O>(reduction, correction);
        let shape = <S as HasAxis<AXIS>>::keep(self.axes);
        if result.layout.is_none() {
            Tensor::from_storage(shape, result.storage)
        } else {
            result.reshaped(shape)
        }
    }

    /// The result of an operation along an axis that keeps the sizes.
    #[inline]
    #[track_caller]
    fn mapped_axis<const AXIS: isize>(
        &self,
        map: &'static AxisMap<T, T>,
        params: AxisParams,
    ) -> Self
    where
        S: HasAxis<AXIS>,
    {
        let (x, axis) = (self.as_view().array, <S as HasAxis<AXIS>>::INDEX);
        let (storage, layout) = if const { is_static::<S>() } {
            let _ = const { static_len::<S, T>() };
            map.call(x, SizesOf::<S>::STATIC, axis, params)
        } else {
            map_axis(map, x, &self.sizes(), axis, params)
        };
        Tensor { axes: self.axes, storage, layout }
    }
}

/// Generates the method of a row that reduces all elements. If its results are floats because its
/// elements are, their type is a parameter: see [`floats`](crate::tensor::operand::floats).
macro_rules! all {
    (@as_is $here:ident $Bound:ident $ROW:ident $Result:ident $(#[$doc:meta])* $x:ident.$name:ident($($example:literal: $param:ident)?)) => {
        $(#[$doc])*
        #[tensor_array_macros::bounds_without_source]
        #[usage($x.$name($($example)?); $here)]
        #[track_caller]
        pub fn $name(&self $(, $param: usize)?) -> Tensor<(), $Result>
        where
            T: $Bound,
        {
            self.reduced(T::$ROW, 0 $(+ $param)?)
        }
    };
    (@$here:ident Float $ROW:ident T $(#[$doc:meta])* $x:ident.$name:ident($($example:literal: $param:ident)?)) => {
        $(#[$doc])*
        #[cfg(not(doc))]
        #[tensor_array_macros::bounds_without_source]
        #[usage($x.$name($($example)?); $here)]
        #[track_caller]
        pub fn $name<O: Element>(&self $(, $param: usize)?) -> Tensor<(), O>
        where
            T: Float + FloatResult<O>,
        {
            named(self.reduced(T::$ROW, 0 $(+ $param)?))
        }

        // The documentation shows the bound that generic code writes.
        #[cfg(doc)]
        all! { @as_is $here Float $ROW T $(#[$doc])* $x.$name($($example: $param)?) }
    };
    (@$here:ident $($row:tt)+) => {
        all! { @as_is $here $($row)+ }
    };
}

/// Generates the methods of one row, for elements that satisfy a bound.
macro_rules! methods {
    (@$here:ident reduce $Bound:ident $ROW:ident $Result:ident {
        example: $example:tt => $all:expr, $along:expr;
        $(#[$doc:meta])* $w:ident.$name:ident(),
        $(#[$axis_doc:meta])* $x:ident.$name_axis:ident::<$axis:literal>(),
        $(#[$keepdims_doc:meta])* $y:ident.$name_axis_keepdims:ident::<$axis_kept:literal>()
    }) => {
        all! { @$here $Bound $ROW $Result $(#[$doc])* $w.$name() }

        $(#[$axis_doc])*
        #[tensor_array_macros::bounds_without_source]
        #[usage($x.$name_axis::<$axis>(); $here)]
        #[track_caller]
        pub fn $name_axis<const AXIS: isize>(&self) -> Tensor<WithoutAxis<S, AXIS>, $Result>
        where
            S: HasAxis<AXIS>,
            T: $Bound,
        {
            self.reduced_axis::<AXIS, $Result>(T::$ROW, 0)
        }

        $(#[$keepdims_doc])*
        #[tensor_array_macros::bounds_without_source]
        #[usage($y.$name_axis_keepdims::<$axis_kept>(); $here)]
        #[track_caller]
        pub fn $name_axis_keepdims<const AXIS: isize>(&self) -> Tensor<KeepDims<S, AXIS>, $Result>
        where
            S: HasAxis<AXIS>,
            T: $Bound,
        {
            self.reduced_axis_keepdims::<AXIS, $Result>(T::$ROW, 0)
        }
    };
    (@$here:ident choose $Bound:ident $ROW:ident $Result:ident {
        example: $example:tt => $all:expr, $along:expr;
        $(#[$doc:meta])* $w:ident.$name:ident(),
        $(#[$axis_doc:meta])* $x:ident.$name_axis:ident::<$axis:literal>(),
        $(#[$keepdims_doc:meta])* $y:ident.$name_axis_keepdims:ident::<$axis_kept:literal>()
    }) => {
        $(#[$doc])*
        ///
        /// # Panics
        ///
        /// If there is no element.
        #[tensor_array_macros::bounds_without_source]
        #[track_caller]
        #[usage($w.$name(); $here)]
        pub fn $name(&self) -> Tensor<(), $Result>
        where
            T: $Bound,
        {
            assert_not_empty(stringify!($name), self.len());
            self.reduced(T::$ROW, 0)
        }

        $(#[$axis_doc])*
        ///
        /// # Panics
        ///
        /// If the axis has size 0.
        #[tensor_array_macros::bounds_without_source]
        #[track_caller]
        #[usage($x.$name_axis::<$axis>(); $here)]
        pub fn $name_axis<const AXIS: isize>(&self) -> Tensor<WithoutAxis<S, AXIS>, $Result>
        where
            S: HasAxis<AXIS>,
            T: $Bound,
        {
            assert_axis_not_empty::<AXIS, S>(stringify!($name_axis), self.axes);
            self.reduced_axis::<AXIS, $Result>(T::$ROW, 0)
        }

        $(#[$keepdims_doc])*
        ///
        /// # Panics
        ///
        /// If the axis has size 0.
        #[tensor_array_macros::bounds_without_source]
        #[track_caller]
        #[usage($y.$name_axis_keepdims::<$axis_kept>(); $here)]
        pub fn $name_axis_keepdims<const AXIS: isize>(&self) -> Tensor<KeepDims<S, AXIS>, $Result>
        where
            S: HasAxis<AXIS>,
            T: $Bound,
        {
            assert_axis_not_empty::<AXIS, S>(stringify!($name_axis_keepdims), self.axes);
            self.reduced_axis_keepdims::<AXIS, $Result>(T::$ROW, 0)
        }
    };
    (@$here:ident spread $Bound:ident $ROW:ident $Result:ident {
        example: $example:tt => $all:expr, $along:expr;
        $(#[$doc:meta])* $w:ident.$name:ident(),
        $(#[$with_doc:meta])* $v:ident.$name_with:ident($one:literal),
        $(#[$axis_doc:meta])* $x:ident.$name_axis:ident::<$axis:literal>(),
        $(#[$axis_with_doc:meta])* $z:ident.$name_axis_with:ident::<$axis_with:literal>($two:literal),
        $(#[$keepdims_doc:meta])* $y:ident.$name_axis_keepdims:ident::<$axis_kept:literal>(),
        $(#[$keepdims_with_doc:meta])* $u:ident.$name_axis_keepdims_with:ident::<$axis_kept_with:literal>($three:literal)
    }) => {
        methods! { @$here reduce $Bound $ROW $Result {
            example: $example => $all, $along;
            $(#[$doc])* $w.$name(),
            $(#[$axis_doc])* $x.$name_axis::<$axis>(),
            $(#[$keepdims_doc])* $y.$name_axis_keepdims::<$axis_kept>()
        } }

        all! { @$here $Bound $ROW $Result $(#[$with_doc])* $v.$name_with($one: correction) }

        $(#[$axis_with_doc])*
        #[tensor_array_macros::bounds_without_source]
        #[usage($z.$name_axis_with::<$axis_with>($two); $here)]
        #[track_caller]
        pub fn $name_axis_with<const AXIS: isize>(
            &self,
            correction: usize,
        ) -> Tensor<WithoutAxis<S, AXIS>, $Result>
        where
            S: HasAxis<AXIS>,
            T: $Bound,
        {
            self.reduced_axis::<AXIS, $Result>(T::$ROW, correction)
        }

        $(#[$keepdims_with_doc])*
        #[tensor_array_macros::bounds_without_source]
        #[usage($u.$name_axis_keepdims_with::<$axis_kept_with>($three); $here)]
        #[track_caller]
        pub fn $name_axis_keepdims_with<const AXIS: isize>(
            &self,
            correction: usize,
        ) -> Tensor<KeepDims<S, AXIS>, $Result>
        where
            S: HasAxis<AXIS>,
            T: $Bound,
        {
            self.reduced_axis_keepdims::<AXIS, $Result>(T::$ROW, correction)
        }
    };
    (@$here:ident map $Bound:ident $ROW:ident $Result:ident {$(
        example: $example:tt => $result:expr $(, with $argument:expr)?;
        $(#[$doc:meta])* $x:ident.$name:ident::<-$axis:literal>($($param:ident: $Param:ty)?) => $params:expr
    ),+}) => {$(
        $(#[$doc])*
        #[tensor_array_macros::bounds_without_source]
        #[usage($x.$name::<-$axis>($($param)?); $here)]
        #[track_caller]
        pub fn $name<const AXIS: isize>(&self $(, $param: $Param)?) -> Tensor<Kept<S, AXIS>, $Result>
        where
            S: HasAxis<AXIS>,
            T: $Bound,
        {
            self.mapped_axis::<AXIS>(T::$ROW, $params)
        }
    )+};
}

/// Generates the methods of all rows.
macro_rules! tensor_methods {
    (@$here:ident $(
        $(#[$doc:meta])*
        $Bound:ident $Trait:ident $types:tt {$(
            $Op:ident $ROW:ident: $Row:ident -> $Result:ident $row:tt $kind:ident $methods:tt
        )*}
    )*) => {$(
        $(#[$doc])*
        impl<S: Shape, T: Element> Tensor<S, T> {
            $(methods! { @$here $kind $Bound $ROW $Result $methods })*
        }
    )*};
}

for_each_reduction!(tensor_methods @here);
