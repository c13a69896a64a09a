// show_shape!(x.relu())
fn expansion() {
    let _ = {
        match (x.relu()) {
            __shown => {
                if true {
                    __shown
                } else {
                    ::tensor_core::__private::type_of_value(&__shown)
                        .show()
                        .proof(::tensor_core::__private::never());
                    loop {}
                }
            }
        }
    };
}

// show_shape!(type Logits<Lead>)
fn expansion() {
    let _ = {
        if false {
            ::tensor_core::__private::type_to_show::<Logits<Lead>>()
                .show()
                .proof(::tensor_core::__private::never());
        }
    };
}
