//! Heads and channels that fill the width of a model.

use tensor_core::arithmetic::CountElements;
use tensor_core::{StaticAxis, shape};

/// `H` heads of `C` channels, written `(H, C)`, whose product is the width `D` of a model: `h · c = d`.
///
/// ```
/// use tensor_core::{StaticAxis, dim, random::Generator};
/// use tensor_nn::layers::{HeadsFill, MultiHeadAttention};
///
/// fn twelve_heads<C: StaticAxis>(rng: &mut Generator) -> MultiHeadAttention<dim!(768), dim!(12), C>
/// where
///     (dim!(12), C): HeadsFill<dim!(768)>,
/// {
///     MultiHeadAttention::new(rng)
/// }
///
/// let layer = twelve_heads::<dim!(64)>(&mut Generator::seed(42));
/// # let _ = layer;
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not known to be the heads and the channels of a model of width `{D}`",
    label = "heads times channels are the width",
    note = "in generic code, add the bound `{Self}: HeadsFill<{D}>` [N102]"
)]
pub trait HeadsFill<D> {}

impl<D, Heads: HeadsOf<D>> HeadsFill<D> for Heads {}

/// The implementation of [`HeadsFill`], whose single blanket impl keeps messages from listing
/// impls.
#[cfg_attr(doc, doc(hidden))]
pub trait HeadsOf<D> {}

impl<D, H, C> HeadsOf<D> for (H, C)
where
    D: StaticAxis,
    shape![H, C]: CountElements,
    <shape![H, C] as CountElements>::Count: SameWidth<D::Size, H, C>,
{
}

/// The total width of all heads, which must be the width of the model.
#[diagnostic::on_unimplemented(
    message = "`{H}` heads of `{C}` channels are `{Self}` channels, and the model has `{D}`",
    label = "`{Self}` and `{D}` differ",
    note = "the heads share the channels of the model: 768 channels are 12 heads of 64; in generic code the bound is `(H, C): HeadsFill<D>` [N102]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SameWidth<D, H, C> {}

#[diagnostic::do_not_recommend]
impl<D: StaticAxis, H, C> SameWidth<D, H, C> for D {}

/// A second impl, so that the compiler does not explain the first one.
#[diagnostic::do_not_recommend]
impl<D: StaticAxis, H, C> SameWidth<NoWidth, H, C> for D {}

/// No width: a type without values.
#[cfg_attr(doc, doc(hidden))]
#[derive(Debug)]
pub enum NoWidth {}
