//! The macros need no prelude.

#[no_implicit_prelude]
mod model {
    ::tensor_core::axis!(pub Batch, pub Hidden = 64 * 12, pub Width = { N }, Kept);

    const N: usize = 5;

    pub type Sizes = ::tensor_core::shape![2, { N }, Batch, Hidden, 28 * 28, 50257, 1];
    pub type Numbers = ::tensor_core::axes![0, -1];
    pub type Grid = ::tensor_core::broadcast_shapes![[2, 1], [3]];
    pub type Size = ::tensor_core::dim!(2048);

    pub fn with_two<Lead: ::tensor_core::Shape>(lead: Lead) -> ::tensor_core::shape![Lead.., 2] {
        ::tensor_core::shape![lead.., 2]
    }

    #[::tensor_core::strict]
    pub fn sums(a: &::tensor_core::Tensor<::tensor_core::shape![2]>) -> f32 {
        let t = ::tensor_core::tensor![[1.0, 2.0], [3.0, 4.0]];
        let u = ::tensor_core::tensor![0.5; Batch(3), 2];
        let v = ::tensor_core::tensor![1.0; Kept(2), Width];
        let fused = ::tensor_core::fuse!((t * a + 1.0).relu() - ::tensor_core::select(t.greater(1.0), t, -t));
        let strict = ::tensor_core::strictly!(&fused + fused.abs() * 2.0);
        let relaxed = ::tensor_core::relaxed!(&strict + a);
        ::std::assert!((&relaxed - &relaxed).sum().item() == 0.0);
        relaxed.sum().item() + u.sum().item() + (&v - v.mean_axis::<0>()).sum().item()
    }
}

fn main() {
    use tensor_core::{Shape, tensor};

    assert_eq!(<model::Sizes as Shape>::RANK, 7);
    let sizes = <model::Grid as tensor_core::StaticShape>::VALUE.sizes();
    assert_eq!(sizes[..], [2, 3]);
    let size: model::Size = tensor_core::dim!(2048);
    assert_eq!(model::with_two((tensor_core::shape![], size)).sizes()[..], [2048, 2]);
    let square = tensor![[1, 2], [3, 4]];
    assert_eq!(square.permute::<model::Numbers>(), square);
    assert!(model::sums(&tensor![1.0, 2.0]) > 0.0);
}
