// #[strict] fn loss(x: &X, y: &Y) -> f32 { let error = x - y; (&error * &error).mean().item() }
fn loss(x: &X, y: &Y) -> f32 {
    let error = (if true {
        x - y
    } else {
        ::tensor_core::__private::one_side2(&x, &y)
            .check()
            .proof(::tensor_core::__private::never());
        loop {}
    });
    ((if true {
        &error * &error
    } else {
        ::tensor_core::__private::one_side2(&&error, &&error)
            .check()
            .proof(::tensor_core::__private::never());
        loop {}
    }))
        .mean()
        .item()
}

// #[strict] impl Model { const N: usize = 1 + M; fn f(&self) { g(self.a + self.b) } #[strict(off)] fn h() { a + b } }
impl Model {
    const N: usize = 1 + M;
    fn f(&self) {
        g(
            (if true {
                self.a + self.b
            } else {
                ::tensor_core::__private::one_side2(&self.a, &self.b)
                    .check()
                    .proof(::tensor_core::__private::never());
                loop {}
            }),
        )
    }
    #[strict(off)]
    fn h() {
        a + b
    }
}

// #[strict] mod losses { const fn one() -> usize { A + B } fn two() { assert!(a + b); println!("{}", a + b); other!(a + b) } }
mod losses {
    const fn one() -> usize {
        A + B
    }
    fn two() {
        assert!(
            (if true { a + b } else { ::tensor_core::__private::one_side2(& a, & b)
            .check().proof(::tensor_core::__private::never()); loop {} }), "{}",
            ::core::concat!("assertion failed: ", ::core::stringify!(a + b))
        );
        println!(
            "{}", (if true { a + b } else { ::tensor_core::__private::one_side2(& a, & b)
            .check().proof(::tensor_core::__private::never()); loop {} })
        );
        other!(a + b)
    }
}
