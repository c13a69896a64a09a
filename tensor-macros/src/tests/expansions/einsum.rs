// einsum!(i k, k j -> i j; &a, b)
fn expansion() {
    let _ = {
        match (
            ::tensor_core::__private::operand(&(&a)),
            ::tensor_core::__private::operand(&(b)),
        ) {
            (__x0, __x1) => {
                #[allow(unused_variables)]
                let (((), __axis_0), __axis_1) = ::tensor_core::__private::NamedAxes::<
                    2usize,
                    _,
                >::axes(__x0.shape());
                #[allow(unused_variables)]
                let (((), __again_1_0), __axis_2) = ::tensor_core::__private::NamedAxes::<
                    2usize,
                    _,
                >::axes(__x1.shape());
                let __axis_1 = ::tensor_core::__private::StretchedName::stretched(
                    (__again_1_0,),
                    __again_1_0,
                    __axis_1,
                );
                let __result = ::tensor_core::__private::einsum(
                    [
                        ::tensor_core::__private::untyped(__x0),
                        ::tensor_core::__private::UntypedAs::untyped_as(__x1, __x0),
                    ],
                    [&[0usize, 1usize], &[1usize, 2usize]],
                    &[0usize, 2usize],
                    ::tensor_core::__private::after(__axis_1, (((), __axis_0), __axis_2)),
                );
                __result
            }
        }
    };
}

// einsum!(.. i i -> ..; x)
fn expansion() {
    let _ = {
        match (::tensor_core::__private::operand(&(x)),) {
            (__x0,) => {
                #[allow(unused_variables)]
                let ((__leading_again, __axis_0), __again_0_1) = ::tensor_core::__private::NamedLastAxes::<
                    2usize,
                    _,
                >::last_axes(__x0.shape());
                let __leading = __leading_again;
                let __axis_0 = ::tensor_core::__private::SameName::same(
                    (__again_0_1,),
                    __again_0_1,
                    __axis_0,
                );
                let __result = ::tensor_core::__private::einsum(
                    [::tensor_core::__private::untyped(__x0)],
                    [&[::core::primitive::usize::MAX, 0usize, 0usize]],
                    &[::core::primitive::usize::MAX],
                    ::tensor_core::__private::after(__axis_0, __leading),
                );
                __result
            }
        }
    };
}

// einsum!(.. i, .. i -> ..; x, y)
fn expansion() {
    let _ = {
        match (
            ::tensor_core::__private::operand(&(x)),
            ::tensor_core::__private::operand(&(y)),
        ) {
            (__x0, __x1) => {
                #[allow(unused_variables)]
                let (__leading_again, __axis_0) = ::tensor_core::__private::NamedLastAxes::<
                    1usize,
                    _,
                >::last_axes(__x0.shape());
                let __leading = __leading_again;
                #[allow(unused_variables)]
                let (__leading_again, __again_1_0) = ::tensor_core::__private::NamedLastAxes::<
                    1usize,
                    _,
                >::last_axes(__x1.shape());
                let __leading = ::tensor_core::__private::leading(
                    __leading,
                    __leading_again,
                );
                let __axis_0 = ::tensor_core::__private::StretchedName::stretched(
                    (__again_1_0,),
                    __again_1_0,
                    __axis_0,
                );
                let __result = ::tensor_core::__private::einsum(
                    [
                        ::tensor_core::__private::untyped(__x0),
                        ::tensor_core::__private::UntypedAs::untyped_as(__x1, __x0),
                    ],
                    [
                        &[::core::primitive::usize::MAX, 0usize],
                        &[::core::primitive::usize::MAX, 0usize],
                    ],
                    &[::core::primitive::usize::MAX],
                    ::tensor_core::__private::after(__axis_0, __leading),
                );
                __result
            }
        }
    };
}
