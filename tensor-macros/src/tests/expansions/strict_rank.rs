// #[strict(rank)] fn step(x: &mut X, y: Y) { *x -= fuse!(y * y); x.less(&y); }
fn step(x: &mut X, y: Y) {
    (match (fuse!(rank : y * y)) {
        __right => {
            if true {
                *x -= __right;
            } else {
                ::tensor_core::__private::rank_in_place2(&*x, &__right)
                    .check()
                    .proof(::tensor_core::__private::never());
                loop {}
            }
        }
    });
    (if true {
        x.less(&y)
    } else {
        ::tensor_core::__private::rank2(&x, &&y)
            .check()
            .proof(::tensor_core::__private::never());
        loop {}
    });
}
