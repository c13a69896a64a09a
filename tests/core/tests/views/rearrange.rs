//! `rearrange!` and `DynTensor::rearrange`, against the index of each element.

use tensor_core::{
    Axis, DynTensor, RearrangeError, Shape, StaticAxis, Tensor, arithmetic::CountElements, axis,
    rearrange, shape, tensor,
};

axis!(Batch);
axis!(Seq);
axis!(Tokens);
axis!(Model = 24);

/// Elements that differ from each other.
fn counted(sizes: &[usize]) -> DynTensor<i64> {
    let count: usize = sizes.iter().product();
    DynTensor::from_vec(sizes, (0..count as i64).collect()).expect("as many elements")
}

/// The element at this index of the axes `names` of `x`, whose axes are the groups `from`.
fn at(x: &DynTensor<i64>, from: &[&[(char, usize)]], index: &dyn Fn(char) -> usize) -> i64 {
    let index: Vec<usize> = from
        .iter()
        .map(|group| group.iter().fold(0, |place, &(name, size)| place * size + index(name)))
        .collect();
    x.get(&index).expect("an element")
}

/// All indices of axes of these sizes, in order.
fn places(axes: &[(char, usize)]) -> Vec<Vec<(char, usize)>> {
    axes.iter().fold(vec![Vec::new()], |places, &(name, size)| {
        let more = |place: Vec<(char, usize)>| {
            (0..size).map(move |index| [&place[..], &[(name, index)]].concat())
        };
        places.into_iter().flat_map(more).collect()
    })
}

/// Checks the result of a pattern, whose sides are these groups of names with their sizes.
fn check(pattern: &str, from: &[&[(char, usize)]], to: &[&[(char, usize)]]) {
    let size = |group: &&[(char, usize)]| group.iter().map(|&(_, size)| size).product();
    let sizes: Vec<usize> = from.iter().map(size).collect();
    let contiguous = counted(&sizes);
    let order: Vec<isize> = (0..sizes.len() as isize).rev().collect();
    let strided = contiguous.permute(&order).unwrap().contiguous().permute(&order).unwrap();
    let names: Vec<String> = from.concat().iter().map(|(name, _)| name.to_string()).collect();
    let given: Vec<(&str, usize)> = from
        .iter()
        .enumerate()
        .filter(|(place, group)| pattern_has_group(pattern, *place) && !group.is_empty())
        .flat_map(|(_, group)| &group[1..])
        .map(|&(name, size)| {
            let name = names.iter().find(|other| other.starts_with(name)).expect("a name");
            (name.as_str(), size)
        })
        .collect();
    for x in [contiguous, strided] {
        let result = x.rearrange(pattern, &given).expect(pattern);
        let expected: Vec<usize> = to.iter().map(size).collect();
        assert_eq!(result.sizes(), &expected[..], "{pattern}");
        let elements: Vec<i64> = places(&to.concat())
            .iter()
            .map(|place| {
                let index = |name| place.iter().find(|&&(other, _)| other == name).unwrap().1;
                at(&x, from, &index)
            })
            .collect();
        assert_eq!(result.iter().copied().collect::<Vec<_>>(), elements, "{pattern}");
    }
}

/// Whether the axis at this position of the left side is in parentheses.
fn pattern_has_group(pattern: &str, place: usize) -> bool {
    let mut rest = pattern.split("->").next().expect("a side").trim();
    for skipped in 0.. {
        let is_group = rest.starts_with('(');
        if skipped == place {
            return is_group;
        }
        let end = if is_group { rest.find(')').map(|end| end + 1) } else { rest.find(' ') };
        rest = rest[end.unwrap_or(rest.len())..].trim_start();
    }
    unreachable!()
}

#[test]
fn patterns_are_the_elements_that_they_name() {
    let (a, b, c, d) = (('a', 2), ('b', 3), ('c', 4), ('d', 5));
    check("a b c -> a b c", &[&[a], &[b], &[c]], &[&[a], &[b], &[c]]);
    check("a b c -> c a b", &[&[a], &[b], &[c]], &[&[c], &[a], &[b]]);
    check("a b c -> (a b c)", &[&[a], &[b], &[c]], &[&[a, b, c]]);
    check("a b c -> b (c a)", &[&[a], &[b], &[c]], &[&[b], &[c, a]]);
    check("(a b) (c d) -> a c b d", &[&[a, b], &[c, d]], &[&[a], &[c], &[b], &[d]]);
    check("(a b) (c d) -> (a c) (b d)", &[&[a, b], &[c, d]], &[&[a, c], &[b, d]]);
    check("(a b c d) -> d c b a", &[&[a, b, c, d]], &[&[d], &[c], &[b], &[a]]);
    check("a (b) -> b () a 1", &[&[a], &[b]], &[&[b], &[], &[a], &[]]);
    check("a 1 b () -> b a", &[&[a], &[], &[b], &[]], &[&[b], &[a]]);
    check("a b -> (b a)", &[&[('a', 0)], &[b]], &[&[b, ('a', 0)]]);
    check("(a b) c -> b (a c)", &[&[('a', 0), b], &[c]], &[&[b], &[('a', 0), c]]);
    check("a -> a", &[&[('a', 1)]], &[&[('a', 1)]]);
    check("->", &[], &[]);
    check("-> 1 1", &[], &[&[], &[]]);
}

#[test]
fn dots_stand_for_any_axes() {
    let x = counted(&[2, 3, 4, 5]);
    let merged = x.rearrange("a ... d -> ... (d a)", &[]).unwrap();
    assert_eq!(merged, x.permute(&[1, 2, 3, 0]).unwrap().reshape(&[3, 4, 10]).unwrap());
    let first = x.rearrange("... (d e) -> e ... d", &[("e", 5)]).unwrap();
    assert_eq!(first.sizes(), [5, 2, 3, 4, 1]);
    let none = counted(&[4]).rearrange("a ... -> ... a", &[]).unwrap();
    assert_eq!(none, counted(&[4]));
}

#[test]
fn dots_in_parentheses_are_one_axis() {
    let x = counted(&[2, 3, 4, 5]);
    let merged = x.rearrange("... c -> (...) c", &[]).unwrap();
    assert_eq!(merged, x.reshape(&[24, 5]).unwrap());
    let last = x.rearrange("a ... d -> d (...) a", &[]).unwrap();
    assert_eq!(last, x.permute(&[3, 1, 2, 0]).unwrap().reshape(&[5, 12, 2]).unwrap());
    let with_names = x.rearrange("a ... d -> (d ... a)", &[]).unwrap();
    assert_eq!(with_names, x.permute(&[3, 1, 2, 0]).unwrap().flatten());
    // No axis is one of size 1, as in einops.
    assert_eq!(counted(&[5]).rearrange("... c -> (...) c", &[]).unwrap().sizes(), [1, 5]);
    assert_eq!(counted(&[]).rearrange("... -> (...)", &[]).unwrap().sizes(), [1]);
    assert_eq!(counted(&[5]).rearrange("c ... -> (... c)", &[]).unwrap().sizes(), [5]);
}

#[test]
fn leading_axes_are_merged_in_the_macro() {
    let dynamic = counted(&[2, 3, 4, 5]);
    let x: Tensor<shape![2, 3, 4, 5], i64> = dynamic.clone().try_into().unwrap();
    let merged: Tensor<shape![24, 5], i64> = rearrange!(.. c -> (..) c; &x);
    assert_eq!(merged, x.reshape::<shape![24, 5]>());
    let last: Tensor<shape![5, 6, 4], i64> = rearrange!(.. b c -> c (..) b; &x);
    assert_eq!(DynTensor::from(last), dynamic.rearrange("... b c -> c (...) b", &[]).unwrap());
    let with_names: Tensor<shape![30, 4], i64> = rearrange!(.. b c -> (c ..) b; &x);
    assert_eq!(
        DynTensor::from(with_names),
        dynamic.rearrange("... b c -> (c ...) b", &[]).unwrap()
    );
    let one: Tensor<shape![1, 3], i32> = rearrange!(.. c -> (..) c; tensor![1, 2, 3]);
    assert_eq!(one, tensor![[1, 2, 3]]);
    let named = Tensor::<shape![Batch, Seq, 2]>::ones_shaped(shape![Batch(3), Seq(4), 2]);
    let tokens: Tensor<shape![Tokens, 2]> = rearrange!(.. c -> (.. as Tokens) c; named);
    assert_eq!(tokens.shape(), shape![Tokens(12), 2]);
}

#[test]
fn typed_results_are_those_of_the_pattern() {
    let dynamic = counted(&[2, 3, 24]);
    let x: Tensor<shape![2, 3, 24], i64> = dynamic.clone().try_into().unwrap();
    let heads: Tensor<shape![2, 4, 3, 6], i64> = rearrange!(b s (h d) -> b h s d; &x, h = 4);
    assert_eq!(
        DynTensor::from(heads.clone()),
        dynamic.rearrange("b s (h d) -> b h s d", &[("h", 4)]).unwrap()
    );
    let back: Tensor<shape![2, 3, 24], i64> = rearrange!(b h s d -> b s (h d); heads);
    assert_eq!(back, x);

    // All sizes given; constants, named axes and expressions.
    const HEADS: usize = 4;
    let all: Tensor<shape![6, 2, 3, 4], i64> =
        rearrange!(b s (h d) -> d b s h; x, d = 6, h = {HEADS});
    assert_eq!(all, heads.permute::<axes_of_all>());
    let six: Tensor<shape![2, 3, 4, 1, 6], i64> =
        rearrange!(b s (h i d) -> b s h i d; x, d = 2 * 3, i = 1);
    assert_eq!(six.reshape::<shape![2, 3, 24]>(), x);
    let wide: Tensor<shape![2, 72], i64> = rearrange!(b s m -> b (s m); x);
    let narrow: Tensor<shape![2, 3, Model], i64> =
        rearrange!(b (s m) -> b s m; wide, s = 3, m = Model);
    assert_eq!(narrow.rename_axis::<2, tensor_core::dim!(24)>(), x);
    let named: Tensor<shape![3, 2, Model], i64> = rearrange!(b h s d -> s b (h d as Model); heads);
    assert_eq!(named.shape().sizes()[..], [3, 2, 24]);

    // New axes, axes of size 1, leading axes, rank 0.
    let ones: Tensor<shape![1, 2, 1, 3], i64> =
        rearrange!(a b -> 1 a 1 b; tensor![[1, 2, 3], [4, 5, 6]]);
    assert_eq!(rearrange!(1 a 1 b -> a b; ones), tensor![[1, 2, 3], [4, 5, 6]]);
    let leading: Tensor<shape![2, 3, 2, 12], i64> = rearrange!(.. (h d) -> .. h d; x, h = 2);
    assert_eq!(leading.reshape::<shape![2, 3, 24]>(), x);
    assert_eq!(rearrange!(.. -> ..; &x), x);
    assert_eq!(rearrange!(-> 1; Tensor::scalar(7)), tensor![7]);
    let empty = Tensor::<shape![0, 4]>::zeros();
    let empty: Tensor<shape![2, 0, 2]> = rearrange!(e (a b) -> a e b; empty, a = 2);
    assert!(empty.is_empty());
}

#[allow(non_camel_case_types)]
type axes_of_all = tensor_core::axes![3, 0, 2, 1];

#[test]
fn run_time_axes_have_names() {
    let x: Tensor<shape![Batch, Seq, 6], i64> =
        Tensor::arange_shaped_of(counted(&[2, 5, 6]), shape![Batch(2), Seq(5), 6]);
    let tokens: Tensor<shape![Tokens, 6], i64> = rearrange!(b s d -> (b s as Tokens) d; &x);
    assert_eq!(tokens.shape(), shape![Tokens(10), 6]);
    let batch = 2;
    let back: Tensor<shape![Batch, Seq, 6], i64> =
        rearrange!((b s) d -> b s d; tokens, b = Batch(batch), s = Seq(_));
    assert_eq!(back, x);
    let all: Tensor<shape![Seq, Batch, 6], i64> =
        rearrange!((b s) d -> s b d; tokens, b = Batch(2), s = Seq(5));
    assert_eq!(all, x.permute::<tensor_core::axes![1, 0, 2]>());
    let moved: Tensor<shape![2, Batch, Seq, 3], i64> = rearrange!(b s (h d) -> h b s d; x, h = 2);
    assert_eq!(moved.shape(), shape![2, Batch(2), Seq(5), 3]);
    // A static axis whose parts are known at run time.
    let wide = Tensor::<shape![10]>::ones();
    let split = rearrange!((b s) -> b s; wide, b = Batch(5), s = Seq(_));
    assert_eq!(split.shape(), shape![Batch(5), Seq(2)]);
}

trait Typed<S> {
    fn arange_shaped_of(x: DynTensor<i64>, shape: S) -> Self;
}

impl<S: Shape> Typed<S> for Tensor<S, i64> {
    fn arange_shaped_of(x: DynTensor<i64>, shape: S) -> Self {
        Tensor::from_vec_shaped(shape, x.iter().copied().collect()).expect("as many elements")
    }
}

/// Attention's heads, in generic code: one bound.
fn heads<Lead: Shape, S: Axis, H: StaticAxis, D: StaticAxis, M: StaticAxis>(
    x: &Tensor<shape![Lead.., S, M]>,
) -> Tensor<shape![Lead.., S, M]>
where
    shape![H, D]: CountElements<Count = M>,
{
    let heads: Tensor<shape![Lead.., H, S, D]> =
        rearrange!(.. s (h d) -> .. h s d; x, h = H::VALUE, d = D::VALUE);
    rearrange!(.. h s d -> .. s (h d); heads)
}

#[test]
fn generic_code_needs_one_bound() {
    let x = Tensor::<shape![2, 5, 24]>::ones();
    assert_eq!(heads::<_, _, tensor_core::dim!(4), tensor_core::dim!(6), _>(&x), x);
}

#[test]
#[should_panic(expected = "10 elements do not fill shape [3, Seq(_)]")]
fn what_does_not_divide_panics() {
    let x = Tensor::<shape![Tokens]>::zeros_shaped(shape![Tokens(10)]);
    let _ = rearrange!((b s) -> b s; x, b = Batch(3), s = Seq(_));
}

#[test]
#[should_panic(expected = "shape [3, 4] has 12 elements, but 10 were given")]
fn parts_that_are_too_many_panic() {
    let x = Tensor::<shape![Tokens]>::zeros_shaped(shape![Tokens(10)]);
    let _ = rearrange!((b s) -> b s; x, b = Batch(3), s = Seq(4));
}

#[test]
#[should_panic(expected = "10")]
fn a_static_name_of_another_size_panics() {
    let x = Tensor::<shape![Batch, 5]>::zeros_shaped(shape![Batch(2), 5]);
    let _: Tensor<shape![Model]> = rearrange!(b s -> (b s as Model); x);
}

#[test]
fn mistakes_in_patterns_are_errors() {
    let x = counted(&[2, 10]);
    let message = |pattern: &str, sizes: &[(&str, usize)]| {
        x.rearrange(pattern, sizes).expect_err(pattern).to_string()
    };
    for (pattern, problem) in [
        ("a b", "a pattern has `->` between two lists of axes, at position 0"),
        ("a b -> a", "the result does not have an axis, at position 2"),
        ("a b -> a b c", "the tensor does not have this axis, at position 11"),
        ("a a -> a", "a side has one name twice, at position 2"),
        ("a b -> a b b", "a side has one name twice, at position 11"),
        ("a (b -> a b", "this `(` has no `)`, at position 2"),
        ("a b) -> a b", "expected the name of an axis, `1`, `...` or `(`, at position 2"),
        ("a ... -> a", "one side alone has `...`, at position 0"),
        ("... ... -> ...", "`...` occurs twice, at position 4"),
        ("a 2 -> a 2", "expected the name of an axis, `1`, `...` or `(`, at position 2"),
        ("a (b 2) -> a b", "expected the name of an axis or `...`, at position 5"),
        (
            "(...) a -> a",
            "`...` can be in parentheses in the result only, where they merge its axes, at position 1",
        ),
        ("... a -> (...) ... a", "`...` occurs twice, at position 15"),
        ("... a -> (... ...) a", "`...` occurs twice, at position 14"),
        ("a b -> (...) a b", "one side alone has `...`, at position 0"),
    ] {
        let expected = format!("{problem} of the pattern {pattern:?}");
        assert_eq!(message(pattern, &[]), expected);
    }
    assert_eq!(message("a b c -> a b c", &[]), "the pattern has 3 axes, and the tensor has rank 2");
    assert_eq!(message("a 1 -> a", &[]), "`1` matches an axis of size 1, and axis 1 has size 10");
    let given =
        "the size of `a` is given twice, or `a` is not in parentheses in the pattern of the tensor";
    assert_eq!(message("a b -> b a", &[("a", 2)]), given);
    assert_eq!(
        message("a (h d) -> a h d", &[("h", 3)]),
        "`(h d)` is axis 1 of size 10, and 3 does not divide it"
    );
    assert_eq!(
        message("a (h d) -> a h d", &[]),
        "`(h d)` is axis 1 of size 10, and 2 of its parts have no size: give all but one"
    );
    assert_eq!(
        message("a (h d) -> a h d", &[("h", 3), ("d", 4)]),
        "`(h d)` is axis 1 of size 10, and its parts have 12 elements"
    );
    assert_eq!(
        message("a (h d) -> a h d", &[("h", 0)]),
        "`(h d)` is axis 1 of size 10, and 0 does not divide it"
    );
    let too_many = x.rearrange("a (h d) -> a h d", &[("h", usize::MAX), ("d", 2)]);
    assert!(matches!(too_many, Err(RearrangeError::Parts { left_out: 0, .. })));
}
