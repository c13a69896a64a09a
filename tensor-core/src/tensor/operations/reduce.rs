//! The methods of [`Tensor`] that reduce, over everything or along one axis, and those along an axis
//! that keep the sizes. The table has what they are called and what they do:
//! [`reductions`](crate::ops::reductions).

use crate::array::axis_ops::{AxisMap, Reduction};
use crate::array::kernel::axis_map::AxisParams;
use crate::element::number::BoolElement;
use crate::element::{Element, Float, Number};
use crate::ops::reductions::for_each_reduction;
use crate::shape::axis::Axis;
use crate::shape::axis_index::{HasAxis, KeepDims, WithoutAxis};
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;

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
fn assert_axis_not_empty<const I: isize, S: HasAxis<I>>(method: &str, shape: S) {
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

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The result of all elements.
    #[inline]
    fn reduced<O: Element>(
        &self,
        reduction: &'static Reduction<T, O>,
        correction: usize,
    ) -> Tensor<(), O> {
        let view = self.view();
        Tensor::scalar(reduction.all(view.erase(&mut Sizes::new()), correction))
    }

    /// The results along an axis.
    #[inline]
    fn reduced_axis<const I: isize, O: Element>(
        &self,
        reduction: &'static Reduction<T, O>,
        correction: usize,
    ) -> Tensor<WithoutAxis<S, I>, O>
    where
        S: HasAxis<I>,
    {
        let shape = <S as HasAxis<I>>::remove(self.shape);
        let (axis, results) = (<S as HasAxis<I>>::INDEX, shape.num_elements());
        let view = self.view();
        let storage = reduction.axis(view.erase(&mut Sizes::new()), axis, results, correction);
        Tensor::from_storage(shape, storage)
    }

    /// The results along an axis that stays with size 1.
    #[inline]
    fn reduced_axis_keepdims<const I: isize, O: Element>(
        &self,
        reduction: &'static Reduction<T, O>,
        correction: usize,
    ) -> Tensor<KeepDims<S, I>, O>
    where
        S: HasAxis<I>,
    {
        let Tensor { storage, .. } = self.reduced_axis::<I, O>(reduction, correction);
        Tensor::from_storage(<S as HasAxis<I>>::keep(self.shape), storage)
    }

    /// The results of an operation along an axis that keeps the sizes.
    #[inline]
    fn mapped_axis<const I: isize>(&self, map: &'static AxisMap<T, T>, params: AxisParams) -> Self
    where
        S: HasAxis<I>,
    {
        let view = self.view();
        let storage = map.map(view.erase(&mut Sizes::new()), <S as HasAxis<I>>::INDEX, params);
        Tensor::from_storage(self.shape, storage)
    }
}

/// The methods of one row, on elements that meet a bound.
macro_rules! methods {
    (reduce $Bound:ident $ROW:ident $Result:ident {
        example: $example:tt => $all:expr, $along:expr;
        $(#[$doc:meta])* $name:ident,
        $(#[$axis_doc:meta])* $name_axis:ident,
        $(#[$keepdims_doc:meta])* $name_axis_keepdims:ident
    }) => {
        $(#[$doc])*
        #[cfg_attr(doc, tensor_macros::readable_bounds)]
        pub fn $name(&self) -> Tensor<(), $Result>
        where
            <T as $Bound>::Checked: Sized,
            T: $Bound,
        {
            self.reduced(T::$ROW, 0)
        }

        $(#[$axis_doc])*
        #[cfg_attr(doc, tensor_macros::readable_bounds)]
        pub fn $name_axis<const I: isize>(&self) -> Tensor<WithoutAxis<S, I>, $Result>
        where
            <T as $Bound>::Checked: Sized,
            S: HasAxis<I>,
            T: $Bound,
        {
            self.reduced_axis::<I, $Result>(T::$ROW, 0)
        }

        $(#[$keepdims_doc])*
        #[cfg_attr(doc, tensor_macros::readable_bounds)]
        pub fn $name_axis_keepdims<const I: isize>(&self) -> Tensor<KeepDims<S, I>, $Result>
        where
            <T as $Bound>::Checked: Sized,
            S: HasAxis<I>,
            T: $Bound,
        {
            self.reduced_axis_keepdims::<I, $Result>(T::$ROW, 0)
        }
    };
    (choose $Bound:ident $ROW:ident $Result:ident {
        example: $example:tt => $all:expr, $along:expr;
        $(#[$doc:meta])* $name:ident,
        $(#[$axis_doc:meta])* $name_axis:ident,
        $(#[$keepdims_doc:meta])* $name_axis_keepdims:ident
    }) => {
        $(#[$doc])*
        ///
        /// # Panics
        ///
        /// If there is no element.
        #[cfg_attr(doc, tensor_macros::readable_bounds)]
        #[track_caller]
        pub fn $name(&self) -> Tensor<(), $Result>
        where
            <T as $Bound>::Checked: Sized,
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
        #[cfg_attr(doc, tensor_macros::readable_bounds)]
        #[track_caller]
        pub fn $name_axis<const I: isize>(&self) -> Tensor<WithoutAxis<S, I>, $Result>
        where
            <T as $Bound>::Checked: Sized,
            S: HasAxis<I>,
            T: $Bound,
        {
            assert_axis_not_empty::<I, S>(stringify!($name_axis), self.shape);
            self.reduced_axis::<I, $Result>(T::$ROW, 0)
        }

        $(#[$keepdims_doc])*
        ///
        /// # Panics
        ///
        /// If the axis has size 0.
        #[cfg_attr(doc, tensor_macros::readable_bounds)]
        #[track_caller]
        pub fn $name_axis_keepdims<const I: isize>(&self) -> Tensor<KeepDims<S, I>, $Result>
        where
            <T as $Bound>::Checked: Sized,
            S: HasAxis<I>,
            T: $Bound,
        {
            assert_axis_not_empty::<I, S>(stringify!($name_axis_keepdims), self.shape);
            self.reduced_axis_keepdims::<I, $Result>(T::$ROW, 0)
        }
    };
    (spread $Bound:ident $ROW:ident $Result:ident {
        example: $example:tt => $all:expr, $along:expr;
        $(#[$doc:meta])* $name:ident,
        $(#[$with_doc:meta])* $name_with:ident,
        $(#[$axis_doc:meta])* $name_axis:ident,
        $(#[$axis_with_doc:meta])* $name_axis_with:ident,
        $(#[$keepdims_doc:meta])* $name_axis_keepdims:ident
    }) => {
        methods! { reduce $Bound $ROW $Result {
            example: $example => $all, $along;
            $(#[$doc])* $name,
            $(#[$axis_doc])* $name_axis,
            $(#[$keepdims_doc])* $name_axis_keepdims
        } }

        $(#[$with_doc])*
        #[cfg_attr(doc, tensor_macros::readable_bounds)]
        pub fn $name_with(&self, correction: usize) -> Tensor<(), $Result>
        where
            <T as $Bound>::Checked: Sized,
            T: $Bound,
        {
            self.reduced(T::$ROW, correction)
        }

        $(#[$axis_with_doc])*
        #[cfg_attr(doc, tensor_macros::readable_bounds)]
        pub fn $name_axis_with<const I: isize>(
            &self,
            correction: usize,
        ) -> Tensor<WithoutAxis<S, I>, $Result>
        where
            <T as $Bound>::Checked: Sized,
            S: HasAxis<I>,
            T: $Bound,
        {
            self.reduced_axis::<I, $Result>(T::$ROW, correction)
        }
    };
    (map $Bound:ident $ROW:ident $Result:ident {$(
        example: $example:tt => $result:expr $(, with $argument:expr)?;
        $(#[$doc:meta])* $name:ident($($param:ident: $Param:ty)?) => $params:expr
    ),+}) => {$(
        $(#[$doc])*
        #[cfg_attr(doc, tensor_macros::readable_bounds)]
        pub fn $name<const I: isize>(&self $(, $param: $Param)?) -> Tensor<S, $Result>
        where
            WithoutAxis<S, I>: Sized,
            <T as $Bound>::Checked: Sized,
            S: HasAxis<I>,
            T: $Bound,
        {
            self.mapped_axis::<I>(T::$ROW, $params)
        }
    )+};
}

/// The methods of all rows.
macro_rules! tensor_methods {
    ($(
        $(#[$doc:meta])*
        $Bound:ident $Trait:ident $types:tt {$(
            $Op:ident $ROW:ident: $Row:ident -> $Result:ident $row:tt $kind:ident $methods:tt
        )*}
    )*) => {$(
        $(#[$doc])*
        impl<S: Shape, T: Element> Tensor<S, T> {
            $(methods! { $kind $Bound $ROW $Result $methods })*
        }
    )*};
}

for_each_reduction!(tensor_methods);
