//! A mode that there is not.
//!
//! The compiler says: "expected `#[strict]`: one side may stretch, `#[strict(same)]`: none may, or `#[strict(off)]`: both may"

use tensor_core::strict;

#[strict(both)]
fn main() {}
