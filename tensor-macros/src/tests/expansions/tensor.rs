// tensor!([1, 2, 3], [4, 5, 6])
fn expansion() {
    let _ = {
        ::tensor_core::__private::tensor::<
            (((), ::tensor_core::Dim<2>), ::tensor_core::Dim<3>),
            _,
            6,
        >([1, 2, 3, 4, 5, 6])
    };
}

// tensor!(angle.cos(), -angle.sin())
fn expansion() {
    let _ = {
        ::tensor_core::__private::tensor::<
            ((), ::tensor_core::Dim<2>),
            _,
            2,
        >([angle.cos(), -angle.sin()])
    };
}

// tensor!(0.5; Batch(32), 28)
fn expansion() {
    let _ = {
        ::tensor_core::Tensor::full_shaped(
            (((), Batch(32)), ::tensor_core::Dim::<28>),
            0.5,
        )
    };
}

// tensor!()
fn expansion() {
    let _ = {
        ::tensor_core::__private::tensor::<((), ::tensor_core::Dim<0>), _, 0>([])
    };
}
