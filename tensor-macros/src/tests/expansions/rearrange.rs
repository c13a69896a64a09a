// rearrange!(b s (h d) -> b h s d; &x, h = 12)
fn expansion() {
    let _ = {
        match ::tensor_core::__private::operand(&(&x)) {
            __x => {
                #[allow(unused_variables)]
                let ((((), __axis_0), __axis_1), __whole_2) = ::tensor_core::__private::NamedAxes::<
                    3usize,
                    _,
                >::axes(__x.shape());
                let __axis_2 = ::tensor_core::Dim::<12>;
                let __axis_3 = ::tensor_core::__private::RestOfAxis::rest(
                    ::tensor_core::__private::AxisToSplit::split(((__whole_2,),)),
                    ((), ::tensor_core::__private::StaticPart::part(((__axis_2,),))),
                );
                let __sizes = [
                    ::tensor_core::__private::size(__axis_0),
                    ::tensor_core::__private::size(__axis_1),
                    ::tensor_core::__private::size(__axis_2),
                    ::tensor_core::__private::size(__axis_3),
                ];
                let __result = ::tensor_core::__private::rearrange(
                    __x,
                    3usize,
                    &__sizes,
                    &[0usize, 2usize, 1usize, 3usize],
                    ::tensor_core::__private::after(
                        __axis_3,
                        (((((), __axis_0), __axis_2), __axis_1), __axis_3),
                    ),
                );
                __result
            }
        }
    };
}

// rearrange!(.. 1 (h d) -> .. 1 (d h); x, h = 2, d = {D})
fn expansion() {
    let _ = {
        match ::tensor_core::__private::operand(&(x)) {
            __x => {
                #[allow(unused_variables)]
                let ((__leading, __whole_0), __whole_1) = ::tensor_core::__private::NamedLastAxes::<
                    2usize,
                    _,
                >::last_axes(__x.shape());
                let __whole_0 = ::tensor_core::__private::AxisOfOne::check(__whole_0);
                let __axis_0 = ::tensor_core::Dim::<2>;
                let __axis_1 = <::tensor_core::__private::Table<
                    {
                        let __size: usize = D;
                        ::core::assert!(
                            __size <= 999999999, "an axis has at most 999999999 elements"
                        );
                        true
                    },
                > as ::tensor_core::__private::Constant<
                    {
                        let __size: usize = D;
                        __size / 1_000_000 * 1_000_000
                    },
                    {
                        let __size: usize = D;
                        __size / 1_000 % 1_000 * 1_000
                    },
                    {
                        let __size: usize = D;
                        __size % 1_000
                    },
                >>::Size;
                let __whole_1 = ::tensor_core::__private::AllOfAxis::check(
                    ::tensor_core::__private::AxisToSplit::split(((__whole_1,),)),
                    (
                        ((), ::tensor_core::__private::StaticPart::part(((__axis_0,),))),
                        ::tensor_core::__private::StaticPart::part(((__axis_1,),)),
                    ),
                );
                let __merged_1 = ::tensor_core::__private::MergedParts::merged((
                    (
                        ((), ::tensor_core::__private::MergedAxis::part(((__axis_1,),))),
                        ::tensor_core::__private::MergedAxis::part(((__axis_0,),)),
                    ),
                ));
                let __sizes = [
                    ::tensor_core::__private::size(__axis_0),
                    ::tensor_core::__private::size(__axis_1),
                ];
                let __result = ::tensor_core::__private::rearrange(
                    __x,
                    2usize,
                    &__sizes,
                    &[1usize, 0usize],
                    ::tensor_core::__private::after(
                        __whole_1,
                        ::tensor_core::__private::after(
                            __whole_0,
                            ((__leading, ::tensor_core::One), __merged_1),
                        ),
                    ),
                );
                __result
            }
        }
    };
}

// rearrange!(b s -> (b s as Tokens); x)
fn expansion() {
    let _ = {
        match ::tensor_core::__private::operand(&(x)) {
            __x => {
                #[allow(unused_variables)]
                let (((), __axis_0), __axis_1) = ::tensor_core::__private::NamedAxes::<
                    2usize,
                    _,
                >::axes(__x.shape());
                let __merged_0 = ::tensor_core::__private::merged_as::<
                    Tokens,
                    _,
                >((((), __axis_0), __axis_1));
                let __sizes = [
                    ::tensor_core::__private::size(__axis_0),
                    ::tensor_core::__private::size(__axis_1),
                ];
                let __result = ::tensor_core::__private::rearrange(
                    __x,
                    2usize,
                    &__sizes,
                    &[0usize, 1usize],
                    ((), __merged_0),
                );
                __result
            }
        }
    };
}

// rearrange!((b s) -> b s; x, b = Batch(2), s = Seq(_))
fn expansion() {
    let _ = {
        match ::tensor_core::__private::operand(&(x)) {
            __x => {
                #[allow(unused_variables)]
                let ((), __whole_0) = ::tensor_core::__private::NamedAxes::<
                    1usize,
                    _,
                >::axes(__x.shape());
                let __axis_0 = Batch(2);
                let __axis_1 = ::tensor_core::__private::left_out::<
                    Seq,
                    _,
                    _,
                >(__whole_0, ((), __axis_0));
                let __sizes = [
                    ::tensor_core::__private::size(__axis_0),
                    ::tensor_core::__private::size(__axis_1),
                ];
                let __result = ::tensor_core::__private::rearrange(
                    __x,
                    1usize,
                    &__sizes,
                    &[0usize, 1usize],
                    (((), __axis_0), __axis_1),
                );
                __result
            }
        }
    };
}
