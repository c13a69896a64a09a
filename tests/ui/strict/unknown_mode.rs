//! A mode that there is not.
//!
//! The compiler says: "expected `#[strict]`: one side may stretch, `#[strict(rank)]`: only axes of size `One` may, `#[strict(same)]`: none may, or `#[strict(off)]`: both may"

use tensor_core::strict;

#[strict(both)]
fn main() {}
