//! Methods with the names of other libraries, whose message is the name here: `x.t()` is `x.transpose()`.
//!
//! They are generated from the tables of the chapter `coming_from`, and belong to the type that a tensor dereferences to:
//! a method of any trait in scope, such as one of a user's `t`, comes first.

use core::marker::PhantomData;
use core::ops::{Deref, Index};

use crate::shape::Shape;
use crate::tensor::Tensor;
#[doc(hidden)]
pub use tensor_array::array::other_names::*;
use tensor_kernels::element::Element;

/// Has the methods with names of other libraries. None of them can be called.
///
/// Its name is for the message about `*x`, which is this type and not an element.
pub struct NotAReference<X> {
    /// For `x.shape[0]`.
    #[doc(hidden)]
    pub shape: ShapeIsAMethod<X>,
}

/// The field `shape` that tensors have in Python.
#[cfg_attr(doc, doc(hidden))]
pub struct ShapeIsAMethod<X> {
    _of: PhantomData<fn() -> X>,
}

/// A tensor whose sizes a field `shape` has: none.
#[diagnostic::on_unimplemented(
    message = "NumPy's `x.shape[0]` is `x.sizes()[0]`",
    label = "write `x.sizes()[0]`",
    note = "`x.sizes()` has the numbers, and `x.shape()` is a value of the shape, such as `shape![2, 3]` [T920]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SizesByField<I> {
    /// A size, known only if there is one.
    type Size;
}

impl<X, I> Index<I> for ShapeIsAMethod<X>
where
    X: SizesByField<I>,
{
    type Output = X::Size;

    fn index(&self, _: I) -> &X::Size {
        never()
    }
}

/// For the methods of [`NotAReference`] alone. Not for use by hand.
#[doc(hidden)]
impl<S: Shape, T: Element> Deref for Tensor<S, T> {
    type Target = NotAReference<Self>;

    fn deref(&self) -> &NotAReference<Self> {
        &NotAReference { shape: ShapeIsAMethod { _of: PhantomData } }
    }
}

fn never<R>() -> R {
    unreachable!("no type satisfies the bound of the method")
}

// The numbers of arguments of those that take any.
tensor_macros::other_names! {
    "guide/coming_from.md";
    1: adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d add add_ add_scalar allclose amax amin append
       apply_ arctan2 argmax argmin argpartition average axis_iter binary_cross_entropy
       binary_cross_entropy_with_logits bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift
       bitwise_xor bmm broadcast_add broadcast_as broadcast_div broadcast_left broadcast_matmul broadcast_mul
       broadcast_sub broadcast_tensors broadcast_to bucketize cdist celu chain_matmul channel_shuffle clamp_max
       clamp_min column column_stack component_div component_mul concatenate convolve copy_ copysign correlate
       cosine_similarity cross cross_entropy cumulative_prod cumulative_sum delete digitize dist div div_
       div_scalar divide dropout dsplit dstack elu embedding_bag equal_elem expand_as expand_dims fill
       fill_ float_power fmax fmin fmod gcd ger glu greater_elem grid_sample heaviside hsplit hstack huber_loss
       i igamma igammac inner insert_axis into_shape into_shape_with_order invert_axis isclose kl_div kron
       l1_loss lanes lcm ldexp leaky_relu len_of logaddexp2 logical_and logical_or logical_xor logsumexp lower
       lower_elem lower_equal lstsq map_ map_inplace mapv mapv_inplace mapv_into matrix_power max_dim
       max_keepdim mean_dim mean_keepdim min_dim min_keepdim mm mse_loss mul mul_ mul_scalar multiply mv
       new_ones new_zeros nextafter nll_loss pairwise_distance partition percentile permute_dims permuted_axes
       pixel_shuffle pixel_unshuffle power powf powf_scalar prelu remove_axis reshape_as row row_stack rsub size
       slice_collapse slice_mut smooth_l1_loss softmin solve sub sub_ sub_scalar subtract sum_dim sum_keepdim
       sum_to_size to to_device to_dtype to_shape true_divide type_as unbind unstack vdot vecdot view view_as
       vsplit vstack xlogy;
    2: abs_diff_eq addbmm addcdiv addcmul addmm addmv addr affine apply_along_axis axis_chunks_iter baddbmm
       bilinear cat clamp_ clip gather index_axis index_fill_ index_put index_select insert lerp linear lu_solve
       mask_fill mask_where masked_fill masked_fill_ masked_scatter merge_axes moveaxis movedim new_full normal_
       put quantile repeat_interleave scaled_add scaled_dot_product_attention select split_at split_with_sizes
       swap_dims swapaxes swapdims take_along_dim tensor_split threshold uniform_ where_cond zip_mut_with;
    3: index_fill narrow pad_with_zeros renorm select_scatter unfold;
    4: index_reduce scatter_reduce slice_scatter;
    fn 0: empty rand randn;
    fn 1: array as_tensor asarray block_diag column_stack dstack empty_like from_data from_floats from_numpy
          from_slice frombuffer full_like hstack new ones_like rand_like randn_like random randperm row_stack
          scalar_tensor vstack zeros_like;
    fn 2: append cat concatenate from_elem from_shape_fn from_shape_vec;
    fn 3: logspace randint;
}
