//! The element-wise operations of [`DynTensor`], generated from the [table](tensor_kernels::ops).

use tensor_kernels::element::operation::{BinaryOp, UnaryOp};
use tensor_kernels::element::{Bits, Element, Float, Number, Signed};
use tensor_kernels::instances::instances;
use tensor_kernels::kernel::closure::{of_four, of_one, of_three, of_two};
use tensor_kernels::kernel::closure::{ordered1, ordered2, ordered3, ordered4};
use tensor_kernels::kernel::division::check_divisor;
use tensor_kernels::kernel::function::{Function, Row};
use tensor_kernels::layout::{ErasedView, checked_len, num_elements};
use tensor_kernels::ops;
use tensor_kernels::ops::{
    bits_unary, element_binary, float_binary, float_unary, number_binary, number_unary,
    signed_unary,
};
use tensor_kernels::plan::broadcast_sizes;
use tensor_kernels::sizes::Sizes;
use tensor_kernels::sizes::error::ShapeError;

use super::DynTensor;
use crate::array::recording::refuse_recorded;

impl<T: Element> DynTensor<T> {
    /// A unary operation of the table.
    #[track_caller]
    fn unary<Op: UnaryOp<T>>(&self) -> DynTensor<Op::Output> {
        self.call_unary(Row::unary::<Op>())
    }

    /// The results of a row for every element.
    #[inline(never)]
    #[track_caller]
    fn call_unary<O: Element>(&self, row: Row<T, O, 1>) -> DynTensor<O> {
        let sizes = self.sizes.clone();
        let (storage, layout) = row.call(&sizes, [&sizes], [self.array()]);
        DynTensor { sizes, layout, storage }
    }

    /// The results of a function for every pair of elements.
    #[track_caller]
    fn zip<B: Element, O: Element>(
        &self,
        function: Function<'_, (T, B), O, 2>,
        other: &DynTensor<B>,
    ) -> Result<DynTensor<O>, ShapeError> {
        let sizes = broadcast_sizes(&self.sizes, &other.sizes)?;
        fits_into_memory::<O>(&sizes)?;
        let storage = function.evaluate(&sizes, (self.as_view(), other.as_view()));
        Ok(DynTensor::from_storage(sizes, storage))
    }

    /// A binary operation of the table.
    #[track_caller]
    #[doc(hidden)]
    pub fn binary<Op: BinaryOp<T>>(
        &self,
        other: &Self,
    ) -> Result<DynTensor<Op::Output>, ShapeError> {
        self.call_binary(Row::binary::<Op>(), other)
    }

    /// The results of a row for every pair of elements.
    #[inline(never)]
    #[track_caller]
    fn call_binary<O: Element>(
        &self,
        row: Row<T, O, 2>,
        other: &Self,
    ) -> Result<DynTensor<O>, ShapeError> {
        let sizes = broadcast_sizes(&self.sizes, &other.sizes)?;
        if let Some(element) = row.get().divides
            && !self.is_traced()
            && !other.is_traced()
        {
            check_divisor(element, &self.sizes, other.as_view());
        }
        fits_into_memory::<O>(&sizes)?;
        let of = [&self.sizes[..], &other.sizes];
        let (storage, layout) = row.call(&sizes, of, [self.array(), other.array()]);
        Ok(DynTensor { sizes, layout, storage })
    }

    /// A binary operation of the table with a scalar as operand number `position`.
    #[track_caller]
    pub(crate) fn with_scalar<Op: BinaryOp<T>>(
        &self,
        scalar: T,
        position: usize,
    ) -> DynTensor<Op::Output> {
        self.call_with_scalar(Row::binary::<Op>(), scalar, position)
    }

    /// [`call_binary`](Self::call_binary) with a scalar as operand number `position`.
    #[inline(never)]
    #[track_caller]
    fn call_with_scalar<O: Element>(
        &self,
        row: Row<T, O, 2>,
        scalar: T,
        position: usize,
    ) -> DynTensor<O> {
        if let Some(element) = row.get().divides
            && !self.is_traced()
        {
            let number = ErasedView::new(&[], None, core::slice::from_ref(&scalar));
            let x = self.as_view();
            let [dividend, divisor] = if position == 0 { [number, x] } else { [x, number] };
            check_divisor(element, dividend.sizes, divisor);
        }
        let sizes = self.sizes.clone();
        let (storage, layout) = row.call_with_scalar(&sizes, self.array(), &scalar, position);
        DynTensor { sizes, layout, storage }
    }

    /// Checks that an operand of these sizes broadcasts to this tensor.
    fn fits(&self, other: &[usize]) -> Result<(), ShapeError> {
        let result = broadcast_sizes(&self.sizes, other)?;
        if result == self.sizes {
            return Ok(());
        }
        Err(ShapeError::Grows { target: self.sizes.to_vec(), result: result.to_vec() })
    }

    /// Replaces the elements by the results of a function of them and those of another tensor.
    #[track_caller]
    pub(crate) fn update<B: Element>(
        &mut self,
        function: Function<'_, (T, B), T, 2>,
        other: &DynTensor<B>,
    ) -> Result<(), ShapeError> {
        self.fits(&other.sizes)?;
        if self.layout.is_none()
            && let Some(elements) = self.storage.get_mut()
        {
            function.replace(&self.sizes, elements, other.as_view());
            return Ok(());
        }
        *self = self.zip(function, other)?;
        Ok(())
    }
}

/// Refuses a result that does not fit into memory.
pub(crate) fn fits_into_memory<T>(sizes: &[usize]) -> Result<(), ShapeError> {
    match checked_len(sizes, size_of::<T>()) {
        Some(_) => Ok(()),
        None => Err(ShapeError::TooLarge { sizes: sizes.to_vec() }),
    }
}

/// The sizes of the broadcast of three lists of sizes.
pub(crate) fn broadcast_three(a: &[usize], b: &[usize], c: &[usize]) -> Result<Sizes, ShapeError> {
    broadcast_sizes(&broadcast_sizes(a, b)?, c)
}

/// The element type of a result.
macro_rules! output {
    (T) => {
        T
    };
    ($Other:ident) => {
        $Other
    };
}

/// Generates the methods of a group of unary operations, for the elements that support them.
macro_rules! unary_methods {
    ([$Bound:ident $elements:literal] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt
    )+})+) => {$(
        #[doc = concat!("# ", $topic)]
        impl<T: Element> DynTensor<T> {$(
            #[doc = concat!(
                "As ", typed!($name), ", `[..s] → [..s]`.",
                "\n\n# Panics\n\nIf the result has more than `isize::MAX` bytes.",
                "\n\n```\nuse tensor_core::{DynTensor, tensor};\n\n",
                "let x = tensor![", $elements, "];\n",
                "assert_eq!(DynTensor::from(x.clone()).", stringify!($name), "(), ",
                "DynTensor::from(x.", stringify!($name), "()));\n```",
            )]
            #[track_caller]
            pub fn $name(&self) -> DynTensor<output!($Out)>
            where
                T: $Bound,
            {
                self.unary::<ops::$Op>()
            }
        )+}
    )+};
}

number_unary!(unary_methods! [Number "1.0, -2.0"]);
signed_unary!(unary_methods! [Signed "1, -2"]);
bits_unary!(unary_methods! [Bits "true, false"]);
float_unary!(unary_methods! [Float "1.0, 1.0"]);

/// Generates the methods of a group of binary operations, for the elements that support them; operators have
/// none.
macro_rules! binary_methods {
    ([$Bound:ident $elements:literal] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt
    )+})+) => {$(
        #[doc = concat!("# ", $topic)]
        impl<T: Element> DynTensor<T> {$(
            binary_methods!(@$kind $Bound $elements $name $Op $Out);
        )+}
    )+};
    (@operator $Bound:ident $elements:literal $name:ident $Op:ident $Out:tt) => {};
    (@method $Bound:ident $elements:literal $name:ident $Op:ident $Out:tt) => {
        #[doc = concat!(
            "As ", typed!($name), ", `[..l], [..r] → [..(l ⊕ r)]`.",
            "\n\n# Errors\n\nIf the shapes do not broadcast, or the result does not fit into memory.",
            "\n\n# Panics\n\nIf the operation divides integers, and one of them by zero.",
            "\n\n```\nuse tensor_core::{DynTensor, tensor};\n\n",
            "let (x, y) = (tensor![", $elements, "], tensor![[", $elements, "]]);\n",
            "let result = DynTensor::from(x.clone()).", stringify!($name),
            "(&DynTensor::from(y.clone()))?;\n",
            "assert_eq!(result, DynTensor::from(x.", stringify!($name), "(&y)));\n",
            "# Ok::<(), tensor_core::ShapeError>(())\n```",
        )]
        #[track_caller]
        pub fn $name(&self, other: &Self) -> Result<DynTensor<output!($Out)>, ShapeError>
        where
            T: $Bound,
        {
            self.binary::<ops::$Op>(other)
        }
    };
}

element_binary!(binary_methods! [Element "1.0, 2.0"]);
number_binary!(binary_methods! [Number "1.0, 2.0"]);
float_binary!(binary_methods! [Float "1.0, 2.0"]);

/// # Functions of your own
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// Applies `f` to every element, in row-major order: `[..s] → [..s]`.
    /// Panics: If the result has more than `isize::MAX` bytes.
    /// ```
    /// let x = DynTensor::from(tensor![1, 2]);
    /// assert_eq!(x.map(|x| x > 1).to_vec(), [false, true]);
    /// ```
    pub fn map<O: Element>(&self, f: impl Fn(T) -> O) -> DynTensor<O> {
        refuse_recorded::<O>(self);
        let f = ordered1(f);
        let storage = of_one::sequential::<T, O, _>(&f).function().map(self.as_view());
        DynTensor::from_storage(self.sizes.clone(), storage)
    }

    /// Replaces every element `x` by `f(x)`, in row-major order: `[..s] → [..s]`.
    /// ```
    /// let mut x = DynTensor::from(tensor![1, 2, 3]);
    /// x.map_assign(|x| x * x);
    /// assert_eq!(x.to_vec(), [1, 4, 9]);
    /// ```
    pub fn map_assign(&mut self, f: impl Fn(T) -> T) {
        refuse_recorded::<T>(self);
        let f = ordered1(f);
        let closure = of_one::sequential::<T, T, _>(&f);
        if self.layout.is_none()
            && let Some(elements) = self.storage.get_mut()
        {
            return closure.function().replace_all(&mut elements[..num_elements(&self.sizes)]);
        }
        let storage = closure.function().map(self.as_view());
        *self = Self::from_storage(self.sizes.clone(), storage);
    }

    /// Applies `f` to every pair of elements, in one pass, in row-major order: `[..l], [..r] → [..(l ⊕ r)]`.
    /// Errors: If the shapes do not broadcast, or the result does not fit into memory.
    /// ```
    /// let (x, y) = (DynTensor::from(tensor![[1], [2]]), DynTensor::from(tensor![10, 20]));
    /// assert_eq!(x.zip_with(&y, |x, y| x + y)?.to_vec(), [11, 21, 12, 22]);
    /// ```
    #[twin(fn)]
    pub fn zip_with<B: Element, O: Element>(
        &self,
        other: &DynTensor<B>,
        f: impl Fn(T, B) -> O,
    ) -> Result<DynTensor<O>, ShapeError> {
        refuse_recorded::<O>(self);
        refuse_recorded::<O>(other);
        let f = ordered2(f);
        self.zip(of_two::sequential::<T, B, O, _>(&f).function(), other)
    }

    /// Applies `f` to the elements of three tensors that broadcast, in one pass, in row-major order:
    /// `[..a], [..b], [..c] → [..(a ⊕ b ⊕ c)]`.
    /// Errors: If the shapes do not broadcast.
    /// ```
    /// let (x, y, z) = (DynTensor::from(tensor![1, 2]), DynTensor::scalar(3), DynTensor::scalar(4));
    /// assert_eq!(x.zip_with3(&y, &z, |x, y, z| x * y + z)?.to_vec(), [7, 10]);
    /// ```
    #[twin(fn)]
    pub fn zip_with3<B: Element, C: Element, O: Element>(
        &self,
        b: &DynTensor<B>,
        c: &DynTensor<C>,
        f: impl Fn(T, B, C) -> O,
    ) -> Result<DynTensor<O>, ShapeError> {
        refuse_recorded::<O>(self);
        refuse_recorded::<O>(b);
        refuse_recorded::<O>(c);
        let f = ordered3(f);
        let sizes = broadcast_three(&self.sizes, &b.sizes, &c.sizes)?;
        let operands = (self.as_view(), b.as_view(), c.as_view());
        let closure = of_three::sequential::<T, B, C, O, _>(&f);
        let storage = closure.function().evaluate(&sizes, operands);
        Ok(DynTensor::from_storage(sizes, storage))
    }

    /// Applies `f` to the elements of four tensors that broadcast, in one pass, in row-major order:
    /// `[..a], [..b], [..c], [..d] → [..(a ⊕ b ⊕ c ⊕ d)]`.
    /// Errors: If the shapes do not broadcast.
    /// ```
    /// let (x, y) = (DynTensor::from(tensor![1, 2]), DynTensor::scalar(10));
    /// let result = x.zip_with4(&y, &x, &y, |a, b, c, d| a * b + c * d)?;
    /// assert_eq!(result.to_vec(), [20, 40]);
    /// ```
    #[twin(fn)]
    pub fn zip_with4<B: Element, C: Element, D: Element, O: Element>(
        &self,
        b: &DynTensor<B>,
        c: &DynTensor<C>,
        d: &DynTensor<D>,
        f: impl Fn(T, B, C, D) -> O,
    ) -> Result<DynTensor<O>, ShapeError> {
        refuse_recorded::<O>(self);
        refuse_recorded::<O>(b);
        refuse_recorded::<O>(c);
        refuse_recorded::<O>(d);
        let f = ordered4(f);
        let sizes = broadcast_three(&self.sizes, &b.sizes, &c.sizes)?;
        let sizes = broadcast_sizes(&sizes, &d.sizes)?;
        let operands = (self.as_view(), b.as_view(), c.as_view(), d.as_view());
        let closure = of_four::sequential::<T, B, C, D, O, _>(&f);
        let storage = closure.function().evaluate(&sizes, operands);
        Ok(DynTensor::from_storage(sizes, storage))
    }

    /// Replaces every element by `f` of it and the element of `other` that broadcasts to it:
    /// `[..s], [..r] → [..s]`.
    /// Errors: If the shapes do not broadcast, or the result would have another shape than this tensor, which then
    /// stays as it is.
    /// ```
    /// let mut x = DynTensor::from(tensor![[1, 2], [3, 4]]);
    /// x.zip_assign(&DynTensor::from(tensor![10, 20]), |x, y| x * y)?;
    /// assert_eq!(x.to_vec(), [10, 40, 30, 80]);
    /// ```
    pub fn zip_assign<B: Element>(
        &mut self,
        other: &DynTensor<B>,
        f: impl Fn(T, B) -> T,
    ) -> Result<(), ShapeError> {
        refuse_recorded::<T>(self);
        refuse_recorded::<T>(other);
        let f = ordered2(f);
        self.update(of_two::sequential::<T, B, T, _>(&f).function(), other)
    }
}

/// Instantiates what depends on the element types of operands and results.
macro_rules! instances_of {
    ($($T:ty),+) => {
        instances!($(
            DynTensor::<$T>::call_unary::<$T>,
            DynTensor::<$T>::call_unary::<bool>,
            DynTensor::<$T>::call_binary::<$T>,
            DynTensor::<$T>::call_binary::<bool>,
            DynTensor::<$T>::call_with_scalar::<$T>,
            DynTensor::<$T>::call_with_scalar::<bool>,
        )+);
    };
}

instances_of!(f32, f64, i64, bool);
