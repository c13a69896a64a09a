//! `rearrange!`.

use super::refuses;
use crate::pipeline::rearrange;

#[test]
fn what_is_no_pattern_is_one_error() {
    let example = "`rearrange!(b s (h d) -> b h s d; &x, h = 8)`";
    let behind = format!("the operand comes after a semicolon, as in {example}");
    refuses(rearrange, "i j -> j i", "i", &behind);
    let arrow = format!("the axes of the result come after `->`, as in {example}");
    refuses(rearrange, "i j; x", ";", &arrow);
    let operand = format!("the operand is missing after the semicolon, as in {example}");
    refuses(rearrange, "i j -> j i;", ";", &operand);
    let quotes = format!("write the names without quotes, as in {example}");
    refuses(rearrange, "\"i j\" -> i; x", "\"i j\"", &quotes);
    let number = "the size of a name comes after the operand, as `h = 8`";
    refuses(rearrange, "i 2 -> i; x", "2", number);
    let name =
        format!("expected the name of an axis, `1` or names in parentheses, as in {example}");
    refuses(rearrange, "i + j -> i; x", "+", &name);
    let inner = format!("expected the name of an axis or `..`, as in {example}");
    refuses(rearrange, "(i + j) -> i j; x", "+", &inner);
    let dots = "any leading axes are two dots, `..`, in front of the names";
    refuses(rearrange, "i .. -> i; x", ".", dots);
    let commas = "spaces separate the names of axes, without commas";
    refuses(rearrange, "i, j -> j i; x", ",", commas);
    let empty = "names of axes are missing between these parentheses; an axis of size 1 is `1`";
    refuses(rearrange, "i () -> i; x", "()", empty);
    let axis = "the name of the axis is missing after `as`";
    refuses(rearrange, "i j -> (i j as); x", "as", axis);
    let declared = "expected the name of an axis that `axis!` declared, as `Tokens`";
    refuses(rearrange, "i j -> (i j as 12); x", "12", declared);
    let sizes = "expected the size of a name in parentheses, as `h = 8`";
    refuses(rearrange, "(i j) -> i j; x, 8", "8", sizes);
    let comma = "a size is missing before this comma: write it, or remove the comma";
    refuses(rearrange, "(i j) -> i j; x, , i = 2", ",", comma);
}

#[test]
fn names_that_do_not_fit_are_errors() {
    let twice = "the operand has the axis `i` twice: name one otherwise; `einsum!` takes diagonals";
    refuses(rearrange, "i i -> i; x", "i", twice);
    refuses(rearrange, "i j -> i j j; x", "j", "the result has the axis `j` twice");
    let new = "the operand has no axis `k`: a new axis of size 1 is `1`, which `expand` stretches";
    refuses(rearrange, "i -> i k; x", "k", new);
    let lost = "the result has no axis `j`: write it after `->`, or sum over it by `einsum!`";
    refuses(rearrange, "i j -> i; x", "j", lost);
    let begins = "the result begins with `..`, as the operand does, or merges the leading axes into one, as `(..)`";
    refuses(rearrange, ".. i -> i; x", "i", begins);
    refuses(rearrange, ".. i -> .. (.. i); x", ".", "the result has `..` twice");
    refuses(rearrange, ".. i -> (..) (i ..); x", ".", "the result has `..` twice");
    refuses(rearrange, "i -> (..) i; x", ".", "the operand has no `..` for leading axes");
    let merges = "in the operand, `..` comes first, without parentheses; in the result, parentheses merge the leading axes";
    refuses(rearrange, "(.. i) j -> i j; x", ".", merges);
    refuses(rearrange, "i -> .. i; x", ".", "the operand has no `..` for leading axes");
}

#[test]
fn sizes_that_do_not_fit_are_errors() {
    let none = "neither `h` nor `d` has a size: give all but one after the operand, as `h = 8`";
    refuses(rearrange, "(h d) -> h d; x", "d", none);
    refuses(rearrange, "(h d) -> h d; x, k = 2", "k", "the operand has no axis `k`");
    refuses(rearrange, "(h d) -> h d; x, h = 2, h = 3", "h", "`h` has two sizes");
    let whole = "`s` is a whole axis of the operand and has its size: parts of an axis, as in `(s d)`, are given sizes";
    refuses(rearrange, "s -> s; x, s = 2", "s", whole);
    let run =
        "the size of `s` is known at run time: name its axis after the operand, as `s = Seq(_)`";
    refuses(rearrange, "(b s) -> b s; x, b = Batch(2)", "s", run);
    let typed =
        "an axis of the operand has its type already: `as` gives one to an axis of the result";
    refuses(rearrange, "(b s as Tokens) -> b s; x, b = 2", "Tokens", typed);
    let shape = "expected the size of one axis, as `h = 8`";
    refuses(rearrange, "(h d) -> h d; x, h = Lead..", "Lead..", shape);
}
