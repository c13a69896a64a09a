//! The documentation of methods: sections, imports, and what twins share.

use proc_macro2::TokenStream;

use super::expands;
use method_docs::completed;

// The tests of all macros share `expands`.
#[path = "../../../tensor-array-macros/src/method_docs.rs"]
mod method_docs;

fn typed(item: TokenStream) -> TokenStream {
    completed(TokenStream::new(), item)
}

fn dynamic(item: TokenStream) -> TokenStream {
    completed(quote::quote!(twins), item)
}

#[test]
fn sections_and_examples_are_completed() {
    expands(
        typed,
        r#"impl Tensor {
            /// First.
            /// Errors: If `a "b"`.
            /// Panics: If c.
            /// ```
            /// let x = tensor![1].read("shape![2]")?;
            /// ```
            #[doc(alias = "u")]
            pub fn one(&self) { body; }
        }"#,
        r##"impl Tensor {
            #[doc = " First."]
            #[doc = ""]
            #[doc = " # Errors"]
            #[doc = ""]
            #[doc = " If `a \"b\"`."]
            #[doc = ""]
            #[doc = " # Panics"]
            #[doc = ""]
            #[doc = " If c."]
            #[doc = ""]
            #[doc = " ```"]
            #[doc = " use tensor_core::tensor;"]
            #[doc = ""]
            #[doc = " let x = tensor![1].read(\"shape![2]\")?;"]
            #[doc = " # Ok::<(), Box<dyn std::error::Error>>(())"]
            #[doc = " ```"]
            #[doc(alias = "u")]
            pub fn one(&self) { body; }
        }"##,
    );
}

#[test]
fn an_example_keeps_its_own_imports() {
    expands(
        typed,
        r#"impl Tensor {
            /// ```
            /// use tensor_core::windows::Interpolation;
            /// Interpolation::Nearest;
            /// ```
            /// ```text
            /// shape![2]?
            /// ```
            fn one() {}
        }"#,
        r#"impl Tensor {
            #[doc = ""]
            #[doc = " ```"]
            #[doc = " use tensor_core::windows::Interpolation;"]
            #[doc = " Interpolation::Nearest;"]
            #[doc = " ```"]
            #[doc = ""]
            #[doc = " ```text"]
            #[doc = " shape![2]?"]
            #[doc = " ```"]
            fn one() {}
        }"#,
    );
}

#[test]
fn twins_share_the_first_paragraph() {
    expands(
        dynamic,
        r#"impl DynTensor {
            /// First,
            /// second.
            ///
            /// Third.
            pub fn one() {}
            /// Fourth.
            #[twin(macro)]
            pub const fn two() {}
            /// Fifth.
            #[twin(none)]
            pub fn three() {}
            /// Sixth.
            fn four() {}
        }"#,
        r#"impl DynTensor {
            #[doc = " First,"]
            #[doc = " second."]
            #[doc = " [`Tensor::one`](https://docs.rs/tensor-core/latest/tensor_core/struct.Tensor.html#method.one) is the same for shapes that are types."]
            #[doc = ""]
            #[doc = " Third."]
            pub fn one() {}
            #[doc = " Fourth."]
            #[doc = " [`two!`](https://docs.rs/tensor-core/latest/tensor_core/macro.two.html) is the same for shapes that are types."]
            pub const fn two() {}
            #[doc = " Fifth."]
            pub fn three() {}
            #[doc = " Sixth."]
            fn four() {}
        }
        #[doc(hidden)]
        #[macro_export]
        macro_rules! doc_one { () => { " First,\n second." }; }
        #[doc(hidden)]
        #[macro_export]
        macro_rules! doc_two { () => { " Fourth." }; }"#,
    );
}
