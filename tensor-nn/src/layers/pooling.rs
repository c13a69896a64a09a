//! Pooling, and flattening. In your own code, call the methods of tensors.

use core::marker::PhantomData;

use tensor_core::reshape::{FlattenAxes, FlattenedAxes};
use tensor_core::windows::{
    Pool, Pool1dOptions, Pool2dOptions, PoolOptions, PoolSettings, Pooled, Resize, Resized,
};
use tensor_core::{
    Axis, DynTensor, Element, Float, IntoTensor, Module, Shape, StaticShape, Tensor, shape,
};

use super::{Layer, Pass};

/// Generates pooling layers, each of which calls a method of tensors with its options.
macro_rules! pooling {
    ($(
        $(#[$doc:meta])*
        $Name:ident: $method:ident, $Options:ident<$($P:ident),*>, $size:literal;
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Module, PartialEq)]
        #[module(bound(Options: Default))]
        pub struct $Name<Options>(
            #[module(skip, value = Options::default())]
            /// The size of the window, its stride, padding and rounding.
            pub Options,
        );

        #[tensor_core::diagnostics::bounds_without_source]
        impl<$($P),*> $Name<$Options<$($P),*>> {
            /// The pooled input; see the type for an example.
            ///
            /// ```
            /// # use tensor_core::{Tensor, shape, windows::*};
            /// # use tensor_nn::layers::*;
            #[doc = concat!("let layer = ", stringify!($Name), "(", stringify!($Options), "::new::<2>());")]
            #[doc = concat!("assert_eq!(layer.forward(&Tensor::<shape![8, 6, 6]>::ones()).len(), ", $size, ");")]
            /// ```
            pub fn forward<S, T>(
                &self,
                x: &Tensor<S, T>,
            ) -> Tensor<Pooled<S, $Options<$($P),*>>, T>
            where
                S: Shape + Pool<$Options<$($P),*>>,
                $Options<$($P),*>: PoolSettings + Copy,
                T: Float,
            {
                x.$method(self.0)
            }
        }

        impl<S, T, $($P),*> Layer<Tensor<S, T>> for $Name<$Options<$($P),*>>
        where
            S: Shape + Pool<$Options<$($P),*>>,
            $Options<$($P),*>: PoolSettings + Copy,
            T: Float,
        {
            type Output = Tensor<Pooled<S, $Options<$($P),*>>, T>;

            fn apply(&self, input: &Tensor<S, T>, _: &mut Pass) -> Self::Output {
                self.forward(input)
            }
        }
    )*};
}

pooling! {
    /// The largest element of each window along the last axis, `[..lead, n] → [..lead, m]`.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    /// use tensor_nn::layers::MaxPool1d;
    ///
    /// let layer = MaxPool1d(Pool1dOptions::new::<2>());
    /// assert_eq!(layer.forward(&tensor![1.0, 5.0, 2.0, 3.0]), tensor![5.0, 3.0]);
    /// ```
    MaxPool1d: max_pool1d, Pool1dOptions<K, X, Rounding>, 144;
    /// The largest element of each window along the last two axes, `[..lead, h, w] → [..lead, y, x]`.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool2dOptions};
    /// use tensor_nn::layers::MaxPool2d;
    ///
    /// let layer = MaxPool2d(Pool2dOptions::new::<3>().stride::<2>().padding::<1>());
    /// assert_eq!(layer.forward(&Tensor::<shape![64, 112, 112]>::ones()).shape(), shape![64, 56, 56]);
    /// ```
    MaxPool2d: max_pool2d, Pool2dOptions<KH, KW, Y, X, Rounding>, 72;
    /// The mean of each window along the last axis, `[..lead, n] → [..lead, m]`.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    /// use tensor_nn::layers::AvgPool1d;
    ///
    /// let layer = AvgPool1d(Pool1dOptions::new::<2>());
    /// assert_eq!(layer.forward(&tensor![1.0, 5.0, 2.0, 3.0]), tensor![3.0, 2.5]);
    /// ```
    AvgPool1d: avg_pool1d, Pool1dOptions<K, X, Rounding>, 144;
    /// The mean of each window along the last two axes, `[..lead, h, w] → [..lead, y, x]`.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool2dOptions};
    /// use tensor_nn::layers::AvgPool2d;
    ///
    /// let layer = AvgPool2d(Pool2dOptions::new::<2>());
    /// assert_eq!(layer.forward(&Tensor::<shape![64, 28, 28]>::ones()), Tensor::<shape![64, 14, 14]>::ones());
    /// ```
    AvgPool2d: avg_pool2d, Pool2dOptions<KH, KW, Y, X, Rounding>, 72;
}

/// Generates the layers that pool to the sizes of a target.
macro_rules! adaptive_pooling {
    ($($(#[$doc:meta])* $Name:ident: $pool:path, $example:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Module, PartialEq, Eq)]
        pub struct $Name<Target>(PhantomData<Target>);

        #[tensor_core::diagnostics::bounds_without_source]
        impl<Target: StaticShape> $Name<Target> {
            /// A layer whose output has the sizes of `Target`.
            ///
            /// ```
            /// # use tensor_core::{Tensor, shape};
            /// # use tensor_nn::layers::*;
            #[doc = concat!("let one = ", stringify!($Name), "::<shape![1, 1]>::new();")]
            /// let y = one.forward(&Tensor::<shape![8, 6, 6]>::ones());
            /// assert_eq!(y, Tensor::<shape![8, 1, 1]>::ones());
            /// ```
            pub fn new() -> Self {
                Self(PhantomData)
            }

            /// One element for each output position, `[..lead, h, w] → [..lead, y, x]`.
            ///
            /// # Panics
            ///
            /// If an axis has no element.
            ///
            /// ```
            /// # use tensor_core::{shape, tensor};
            /// # use tensor_nn::layers::*;
            #[doc = concat!("let thirds = ", stringify!($Name), "::<shape![3]>::new();")]
            #[doc = concat!("assert_eq!(thirds.forward(&tensor![1.0, 3.0, 5.0, 7.0]), ", $example, ");")]
            /// ```
            #[track_caller]
            pub fn forward<S, T: Float>(&self, x: &Tensor<S, T>) -> Tensor<Resized<S, Target>, T>
            where
                S: Shape + Resize<Target>,
            {
                $pool(x)
            }
        }

        impl<Target: StaticShape> Default for $Name<Target> {
            fn default() -> Self {
                Self::new()
            }
        }

        impl<S: Shape + Resize<Target>, Target: StaticShape, T: Float> Layer<Tensor<S, T>>
            for $Name<Target>
        {
            type Output = Tensor<Resized<S, Target>, T>;

            fn apply(&self, input: &Tensor<S, T>, _: &mut Pass) -> Self::Output {
                self.forward(input)
            }
        }
    )*};
}

adaptive_pooling! {
    /// The means of one window for each position of the target, `[..lead, h, w] → [..lead, y, x]`; the shape
    /// of the target has one to three axes. PyTorch's `nn.AdaptiveAvgPool2d`.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape};
    /// use tensor_nn::layers::AdaptiveAvgPool;
    ///
    /// let layer = AdaptiveAvgPool::<shape![7, 7]>::new();
    /// let images = Tensor::<shape![64, 15, 20]>::ones();
    /// assert_eq!(layer.forward(&images), Tensor::<shape![64, 7, 7]>::ones());
    /// ```
    AdaptiveAvgPool: Tensor::adaptive_avg_pool::<Target>, "tensor![2.0, 4.0, 6.0]";
    /// The largest element of each of the windows of [`AdaptiveAvgPool`],
    /// `[..lead, h, w] → [..lead, y, x]`: position `i` of `y` covers the elements from `⌊i · h / y⌋` up to
    /// `⌈(i + 1) · h / y⌉`. PyTorch's `nn.AdaptiveMaxPool2d`.
    ///
    /// ```
    /// use tensor_core::{shape, tensor};
    /// use tensor_nn::layers::AdaptiveMaxPool;
    ///
    /// let layer = AdaptiveMaxPool::<shape![1, 2]>::new();
    /// assert_eq!(layer.forward(&tensor![[1.0, 5.0, 2.0], [4.0, 3.0, 0.0]]), tensor![[5.0, 5.0]]);
    /// ```
    AdaptiveMaxPool: adaptive_max_pool::<Target, _, _, _>, "tensor![3.0, 5.0, 7.0]";
}

/// The maxima over windows of one size: shorter windows are filled up with copies of their last element.
#[track_caller]
fn adaptive_max_pool<Target: StaticShape, S: Shape, R: Shape, T: Float>(
    x: &Tensor<S, T>,
) -> Tensor<R, T> {
    let target = Target::VALUE.sizes();
    let mut x = DynTensor::from(x.clone());
    let mut windows = Vec::with_capacity(target.len());
    for (axis, &positions) in (-(target.len() as isize)..0).zip(target.iter()) {
        let size = x.sizes()[x.sizes().len().wrapping_add_signed(axis)];
        assert!(size > 0 || positions == 0, "no largest element: an axis has no element");
        let ends = |position: usize| {
            (position * size / positions, ((position + 1) * size).div_ceil(positions))
        };
        let longest =
            (0..positions).map(|position| ends(position).1 - ends(position).0).max().unwrap_or(1);
        if longest * positions != size {
            let element =
                |position: usize, at: usize| (ends(position).0 + at).min(ends(position).1 - 1);
            let all =
                (0..positions).flat_map(|position| (0..longest).map(move |at| (position, at)));
            let all = all.map(|(position, at)| element(position, at) as i64).collect();
            let all = DynTensor::from_vec(&[longest * positions], all).expect("one axis");
            x = x.take(axis, &all).expect("elements of the axis");
        }
        windows.push(longest);
    }
    let largest = x.max_pool(&PoolOptions::new(&windows)).expect("whole windows");
    largest.into_tensor().expect("the shape of the target")
}

/// Generates the layers that reduce each image to one number.
macro_rules! global_pooling {
    ($($(#[$doc:meta])* $Name:ident: $method:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, Module, PartialEq, Eq)]
        pub struct $Name;

        impl $Name {
            /// One number for each channel, `[..lead, h, w] → [..lead]`; the axes may have names.
            ///
            /// ```
            /// # use tensor_core::{Tensor, shape};
            /// # use tensor_nn::layers::*;
            #[doc = concat!("let y = ", stringify!($Name), ".forward(&Tensor::<shape![8, 6, 6]>::ones());")]
            /// assert_eq!(y, Tensor::<shape![8]>::ones());
            /// ```
            pub fn forward<Lead: Shape, H: Axis, W: Axis, T: Float>(
                &self,
                x: &Tensor<shape![Lead.., H, W], T>,
            ) -> Tensor<Lead, T> {
                x.$method::<-1>().$method::<-1>()
            }
        }

        impl<Lead: Shape, H: Axis, W: Axis, T: Float> Layer<Tensor<shape![Lead.., H, W], T>>
            for $Name
        {
            type Output = Tensor<Lead, T>;

            fn apply(&self, input: &Tensor<shape![Lead.., H, W], T>, _: &mut Pass) -> Tensor<Lead, T> {
                self.forward(input)
            }
        }
    )*};
}

global_pooling! {
    /// The mean of each image, `[..lead, h, w] → [..lead]`.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::layers::GlobalAvgPool2d;
    ///
    /// assert_eq!(GlobalAvgPool2d.forward(&tensor![[[1.0, 2.0], [3.0, 6.0]]]), tensor![3.0]);
    /// ```
    GlobalAvgPool2d: mean_axis;
    /// The largest element of each image, `[..lead, h, w] → [..lead]`.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::layers::GlobalMaxPool2d;
    ///
    /// assert_eq!(GlobalMaxPool2d.forward(&tensor![[[1.0, 2.0], [3.0, 6.0]]]), tensor![6.0]);
    /// ```
    GlobalMaxPool2d: max_axis;
}

/// The axes from `FROM` on, by default the last three, merged into one:
/// `[..lead, c, h, w] → [..lead, c · h · w]`.
///
/// ```
/// use tensor_core::{Tensor, shape};
/// use tensor_nn::layers::Flatten;
///
/// let images = Tensor::<shape![32, 16, 7, 7]>::ones();
/// assert_eq!(<Flatten>::new().forward(&images).shape(), shape![32, 784]);
/// assert_eq!(Flatten::<-2>::new().forward(&images).shape(), shape![32, 16, 49]);
/// ```
#[derive(Clone, Copy, Debug, Default, Module, PartialEq, Eq)]
pub struct Flatten<const FROM: isize = -3>;

#[tensor_core::diagnostics::bounds_without_source]
impl<const FROM: isize> Flatten<FROM> {
    /// Flattens the axes from `FROM` on.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::layers::Flatten;
    ///
    /// assert_eq!(Flatten::<0>::new().forward(&tensor![[1.0], [2.0]]), tensor![1.0, 2.0]);
    /// ```
    pub fn new() -> Self {
        Self
    }

    /// The input with these axes merged, `[..lead, c, h, w] → [..lead, c · h · w]`.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape};
    /// use tensor_nn::layers::Flatten;
    ///
    /// assert_eq!(<Flatten>::new().forward(&Tensor::<shape![2, 3, 4]>::ones()).shape(), shape![24]);
    /// ```
    pub fn forward<S, T: Element>(&self, x: &Tensor<S, T>) -> Tensor<FlattenedAxes<S, FROM, -1>, T>
    where
        S: FlattenAxes<FROM, -1>,
    {
        x.flatten_axes::<FROM, -1>()
    }
}

impl<S: FlattenAxes<FROM, -1>, T: Element, const FROM: isize> Layer<Tensor<S, T>>
    for Flatten<FROM>
{
    type Output = Tensor<FlattenedAxes<S, FROM, -1>, T>;

    fn apply(&self, input: &Tensor<S, T>, _: &mut Pass) -> Self::Output {
        self.forward(input)
    }
}
