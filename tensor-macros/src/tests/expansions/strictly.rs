// strictly!(&x - &self.mean)
fn expansion() {
    let _ = {
        (if true {
            &x - &self.mean
        } else {
            ::tensor_core::__private::one_side2(&&x, &&self.mean)
                .check()
                .proof(::tensor_core::__private::never());
            loop {}
        })
    };
}

// strictly!(x - x.mean())
fn expansion() {
    let _ = {
        (match (x) {
            __left => {
                match (x.mean()) {
                    __right => {
                        if true {
                            __left - __right
                        } else {
                            ::tensor_core::__private::one_side2(&__left, &__right)
                                .check()
                                .proof(::tensor_core::__private::never());
                            loop {}
                        }
                    }
                }
            }
        })
    };
}

// strictly!(same: 2.0 * x / y.sum())
fn expansion() {
    let _ = {
        (match (2.0 * x) {
            __left => {
                match (y.sum()) {
                    __right => {
                        if true {
                            __left / __right
                        } else {
                            ::tensor_core::__private::same2(&__left, &__right)
                                .check()
                                .proof(::tensor_core::__private::never());
                            loop {}
                        }
                    }
                }
            }
        })
    };
}

// strictly!(x.maximum(&y))
fn expansion() {
    let _ = {
        (if true {
            x.maximum(&y)
        } else {
            ::tensor_core::__private::one_side2(&x, &&y)
                .check()
                .proof(::tensor_core::__private::never());
            loop {}
        })
    };
}

// strictly!(xs[0].maximum(f()))
fn expansion() {
    let _ = {
        (match (&xs[0]) {
            __left => {
                match (f()) {
                    __first => {
                        if true {
                            (*__left).maximum(__first)
                        } else {
                            ::tensor_core::__private::one_side2(&(*__left), &__first)
                                .check()
                                .proof(::tensor_core::__private::never());
                            loop {}
                        }
                    }
                }
            }
        })
    };
}

// strictly!(f().clamp(0.0, y))
fn expansion() {
    let _ = {
        (match (f()) {
            __left => {
                if true {
                    __left.clamp(0.0, y)
                } else {
                    ::tensor_core::__private::one_side3(
                            ::tensor_core::__private::side(&__left).shape(),
                            ::tensor_core::__private::side(&0.0).shape(),
                            ::tensor_core::__private::side(&y).shape(),
                        )
                        .check()
                        .proof(::tensor_core::__private::never());
                    loop {}
                }
            }
        })
    };
}

// strictly!(select(&mask, x, -f64::MAX))
fn expansion() {
    let _ = {
        (match (-f64::MAX) {
            __third => {
                if true {
                    select(&mask, x, __third)
                } else {
                    ::tensor_core::__private::one_side3(
                            ::tensor_core::__private::side(&&mask).shape(),
                            ::tensor_core::__private::side(&x).shape(),
                            ::tensor_core::__private::side(&__third).shape(),
                        )
                        .check()
                        .proof(::tensor_core::__private::never());
                    loop {}
                }
            }
        })
    };
}

// strictly!(zip_with(x, &y.exp(), |x, y| x * y))
fn expansion() {
    let _ = {
        (match (&y.exp()) {
            __second => {
                if true {
                    zip_with(
                        x,
                        __second,
                        |x, y| {
                            (if true {
                                x * y
                            } else {
                                ::tensor_core::__private::one_side2(&x, &y)
                                    .check()
                                    .proof(::tensor_core::__private::never());
                                loop {}
                            })
                        },
                    )
                } else {
                    ::tensor_core::__private::one_side2(&x, &__second)
                        .check()
                        .proof(::tensor_core::__private::never());
                    loop {}
                }
            }
        })
    };
}

// strictly!(same: *x += y)
fn expansion() {
    let _ = {
        (if true {
            *x += y;
        } else {
            ::tensor_core::__private::same_in_place2(&*x, &y)
                .check()
                .proof(::tensor_core::__private::never());
            loop {}
        })
    };
}

// strictly!(same: xs[0] += f())
fn expansion() {
    let _ = {
        (match (f(), &mut xs[0]) {
            (__right, __left) => {
                if true {
                    *__left += __right;
                } else {
                    ::tensor_core::__private::same_in_place2(&*__left, &__right)
                        .check()
                        .proof(::tensor_core::__private::never());
                    loop {}
                }
            }
        })
    };
}

// strictly!(i + 1)
fn expansion() {
    let _ = { i + 1 };
}

// strictly!(relaxed!(x + y) + strictly!(same: x + y))
fn expansion() {
    let _ = {
        (match (relaxed!(x + y), strictly!(same : x + y)) {
            (__left, __right) => {
                if true {
                    __left + __right
                } else {
                    ::tensor_core::__private::one_side2(&__left, &__right)
                        .check()
                        .proof(::tensor_core::__private::never());
                    loop {}
                }
            }
        })
    };
}
