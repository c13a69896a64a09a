// fuse!((x * self.weight + b).gelu_tanh())
fn expansion() {
    let _ = {
        match (&x, &self.weight, &b) {
            (__x0, __x1, __x2) => {
                if false {
                    let (__x0, __x1, __x2) = (
                        ::tensor_core::__private::probe(__x0).typed(),
                        ::tensor_core::__private::probe(__x1).typed(),
                        ::tensor_core::__private::probe(__x2).typed(),
                    );
                    (__x0 * __x1 + __x2).gelu_tanh()
                } else {
                    ::tensor_core::__private::run_fused(
                        (
                            ::tensor_core::__private::probe(__x0).operand(),
                            (
                                ::tensor_core::__private::probe(__x1).operand(),
                                (::tensor_core::__private::probe(__x2).operand(), ()),
                            ),
                        ),
                        (),
                        #[inline(always)]
                        |(__x0, (__x1, (__x2, ())))| (__x0 * __x1 + __x2).gelu_tanh(),
                        unsafe { ::tensor_core::__private::ReadOnce::new() },
                    )
                }
            }
        }
    };
}

// fuse!(2.0 * &x - x.mean_axis_keepdims::<0>())
fn expansion() {
    let _ = {
        match (&x, &x.mean_axis_keepdims::<0>(), 2.0) {
            (__x0, __x1, __k0) => {
                if false {
                    let (__x0, __x1) = (
                        ::tensor_core::__private::probe(__x0).typed(),
                        ::tensor_core::__private::probe(__x1).typed(),
                    );
                    __k0 * __x0 - __x1
                } else {
                    ::tensor_core::__private::run_fused(
                        (
                            ::tensor_core::__private::probe(__x0).operand(),
                            (::tensor_core::__private::probe(__x1).operand(), ()),
                        ),
                        (),
                        #[inline(always)]
                        |(__x0, (__x1, ()))| {
                            ::tensor_core::__private::constant(__k0, 2.0) * __x0 - __x1
                        },
                        unsafe { ::tensor_core::__private::ReadOnce::new() },
                    )
                }
            }
        }
    };
}

// fuse!(select(x.greater(0.0), &x, -1.0))
fn expansion() {
    let _ = {
        match (&x, 0.0, -1.0) {
            (__x0, __k0, __k1) => {
                if false {
                    let (__x0,) = (::tensor_core::__private::probe(__x0).typed(),);
                    select(__x0.greater(__k0), __x0, __k1)
                } else {
                    ::tensor_core::__private::run_fused(
                        (::tensor_core::__private::probe(__x0).operand(), ()),
                        (),
                        #[inline(always)]
                        |(__x0, ())| ::tensor_core::__private::select(
                            __x0.greater(::tensor_core::__private::constant(__k0, 0.0)),
                            __x0,
                            ::tensor_core::__private::constant(__k1, -1.0),
                        ),
                        unsafe { ::tensor_core::__private::ReadOnce::new() },
                    )
                }
            }
        }
    };
}

// fuse!(strict: x - f(x + y))
fn expansion() {
    let _ = {
        match (
            &x,
            &f(
                (if true {
                    x + y
                } else {
                    ::tensor_core::__private::one_side2(&x, &y)
                        .check()
                        .proof(::tensor_core::__private::never());
                    loop {}
                }),
            ),
        ) {
            (__x0, __x1) => {
                if false {
                    let (__x0, __x1) = (
                        ::tensor_core::__private::probe(__x0).typed(),
                        ::tensor_core::__private::probe(__x1).typed(),
                    );
                    (if true {
                        __x0 - __x1
                    } else {
                        ::tensor_core::__private::one_side2(&__x0, &__x1)
                            .check()
                            .proof(::tensor_core::__private::never());
                        loop {}
                    })
                } else {
                    ::tensor_core::__private::run_fused(
                        (
                            ::tensor_core::__private::probe(__x0).operand(),
                            (::tensor_core::__private::probe(__x1).operand(), ()),
                        ),
                        (),
                        #[inline(always)]
                        |(__x0, (__x1, ()))| __x0 - __x1,
                        unsafe { ::tensor_core::__private::ReadOnce::new() },
                    )
                }
            }
        }
    };
}
