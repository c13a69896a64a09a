// #[strict(same)] fn step(x: &mut X, y: Y) { *x -= y; x.zip_assign(&y, f); }
fn step(x: &mut X, y: Y) {
    (if true {
        *x -= y;
    } else {
        ::tensor_core::__private::same_in_place2(&*x, &y)
            .check()
            .proof(::tensor_core::__private::never());
        loop {}
    });
    (if true {
        x.zip_assign(&y, f)
    } else {
        ::tensor_core::__private::same_in_place2(&x, &&y)
            .check()
            .proof(::tensor_core::__private::never());
        loop {}
    });
}
