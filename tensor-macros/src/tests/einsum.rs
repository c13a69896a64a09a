//! `einsum!`.

use super::refuses;
use crate::pipeline::einsum;

#[test]
fn what_is_no_equation_is_one_error() {
    let example = "`einsum!(b i d, b j d -> b i j; &q, &k)`";
    let behind = format!("the operands come after a semicolon, as in {example}");
    refuses(einsum, "i j -> j i", "i", &behind);
    refuses(einsum, "x", "x", &behind);
    let arrow = format!("the axes of the result come after `->`, as in {example}");
    refuses(einsum, "i j; x", ";", &arrow);
    let quotes = format!("write the names without quotes, as in {example}");
    refuses(einsum, "\"ij\" -> i; x", "\"ij\"", &quotes);
    let number = "an axis has a name here: `reshape` or `expand` change sizes";
    refuses(einsum, "i 2 -> i; x", "2", number);
    let name = format!("expected the name of an axis, as in {example}");
    refuses(einsum, "i + j -> i; x", "+", &name);
    let dots = "any leading axes are two dots, `..`, in front of the names";
    refuses(einsum, "i .. -> i; x", ".", dots);
}

#[test]
fn names_and_operands_that_do_not_fit_are_errors() {
    let missing = "2 lists of names, and 1 operand after the semicolon";
    refuses(einsum, "i, j -> i j; x", "j", missing);
    let more = "1 list of names, and 2 operands after the semicolon";
    refuses(einsum, "i -> i; x, y", "y", more);
    refuses(einsum, "i -> i k; x", "k", "no operand has an axis `k`");
    refuses(einsum, "i j -> j j; x", "j", "the result has the axis `j` twice");
    refuses(einsum, ".. i -> i; x", "i", "the result begins with `..`, as an operand does");
    refuses(einsum, "i -> .. i; x", ".", "no operand has `..` for leading axes");
}
