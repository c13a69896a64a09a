// show_shape!(x.relu())
fn expansion() {
    let _ = {
        match (x.relu()) {
            __shown => {
                if true {
                    __shown
                } else {
                    ::tensor_core::__private::asked_of(&__shown)
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
            ::tensor_core::__private::asked::<Logits<Lead>>()
                .show()
                .proof(::tensor_core::__private::never());
        }
    };
}
