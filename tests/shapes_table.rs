//! The cases of `broadcast_pairs.json`, `broadcast_nary.json` and `inplace.json`, checked as types:
//! what is accepted gives exactly the stated shape, what is refused has no impl.

mod corpus;
mod table;

use std::collections::BTreeMap;
use std::fmt::Debug;

use corpus::{InPlace, Many, Pair};
use table::{
    AddAssigns, Assigns, Broadcasts, Expands, Listed, MulAssigns, Refused, sizes, the_same,
};
use tensor_core::broadcast::{AssignTo, Broadcast};
use tensor_core::{DynTensor, StaticShape, Tensor, broadcast_shapes, shape, tensor};

/// The sizes of a shape type.
type Sizes = &'static [usize];

/// A pair of shapes as types: their sizes, and those of the result if there is one.
type PairRow = (&'static str, [Sizes; 2], Option<Sizes>);

/// `A ⊕ B = R` and `B ⊕ A = R`.
const fn accepted_pair<A, B, R>(id: &'static str) -> PairRow
where
    A: Listed + Broadcast<B, Output = R>,
    B: Listed + Broadcast<A, Output = R>,
    R: Listed,
{
    (id, [sizes::<A>(), sizes::<B>()], Some(sizes::<R>()))
}

macro_rules! accepted_pairs {
    ($($id:ident: [$($a:tt)*] + [$($b:tt)*] = [$($result:tt)*];)*) => {
        $(const _: () = {
            assert!(Broadcasts::<shape![$($a)*], shape![$($b)*]>::HOLDS, stringify!($id));
        };)*

        pub const ACCEPTED: &[PairRow] = &[
            $(accepted_pair::<shape![$($a)*], shape![$($b)*], shape![$($result)*]>(
                stringify!($id),
            )),*
        ];
    };
}

macro_rules! refused_pairs {
    ($($id:ident: [$($a:tt)*] + [$($b:tt)*];)*) => {
        $(const _: () = {
            assert!(!Broadcasts::<shape![$($a)*], shape![$($b)*]>::HOLDS, stringify!($id));
            assert!(!Broadcasts::<shape![$($b)*], shape![$($a)*]>::HOLDS, stringify!($id));
        };)*

        pub const REFUSED: &[PairRow] = &[
            $((stringify!($id), [sizes::<shape![$($a)*]>(), sizes::<shape![$($b)*]>()], None)),*
        ];
    };
}

/// Any number of shapes as types: their sizes, and those of the result if there is one.
type ListRow = (&'static str, &'static [Sizes], Option<Sizes>);

macro_rules! accepted_lists {
    ($($id:ident: $([$($operand:tt)*]),* = [$($result:tt)*];)*) => {
        pub const ACCEPTED: &[ListRow] = &[$((
            stringify!($id),
            &[$(sizes::<shape![$($operand)*]>()),*],
            Some(the_same::<broadcast_shapes![$([$($operand)*]),*], shape![$($result)*]>(|s| s)),
        )),*];
    };
}

macro_rules! refused_lists {
    ($($id:ident: ($([$($lead:tt)*]),*) + [$($next:tt)*], ($([$($rest:tt)*]),*);)*) => {
        $(const _: () = {
            type Lead = broadcast_shapes![$([$($lead)*]),*];
            assert!(!Broadcasts::<Lead, shape![$($next)*]>::HOLDS, stringify!($id));
            assert!(!Broadcasts::<shape![$($next)*], Lead>::HOLDS, stringify!($id));
        };)*

        pub const REFUSED: &[ListRow] = &[$((
            stringify!($id),
            &[
                $(sizes::<shape![$($lead)*]>(),)*
                sizes::<shape![$($next)*]>(),
                $(sizes::<shape![$($rest)*]>(),)*
            ],
            None,
        )),*];
    };
}

/// An in-place operation on shapes as types: the sizes of the target and of its operands.
type InPlaceRow = (&'static str, &'static str, Sizes, &'static [Sizes]);

/// The operand of an in-place operation: the only one, or what two broadcast to.
macro_rules! operand {
    ([$($first:tt)*]) => { shape![$($first)*] };
    ([$($first:tt)*] [$($second:tt)*]) => { broadcast_shapes![[$($first)*], [$($second)*]] };
}

macro_rules! in_place_table {
    (
        $TABLE:ident, $holds:literal,
        $($id:ident: $op:ident [$($target:tt)*], [$($first:tt)*] ($([$($second:tt)*])?);)*
    ) => {
        $(const _: () = {
            type Target = shape![$($target)*];
            type Operand = operand!([$($first)*] $([$($second)*])?);
            assert!(Assigns::<Operand, Target>::HOLDS == $holds, stringify!($id));
            assert!(Expands::<Operand, Target>::HOLDS == $holds, stringify!($id));
            assert!(AddAssigns::<Operand, Target>::HOLDS == $holds, stringify!($id));
        };)*

        pub const $TABLE: &[InPlaceRow] = &[$((
            stringify!($id),
            stringify!($op),
            sizes::<shape![$($target)*]>(),
            &[sizes::<shape![$($first)*]>() $(, sizes::<shape![$($second)*]>())?],
        )),*];
    };
}

macro_rules! accepted_in_place {
    ($($row:tt)*) => { in_place_table! { ACCEPTED, true, $($row)* } };
}

macro_rules! refused_in_place {
    ($($row:tt)*) => { in_place_table! { REFUSED, false, $($row)* } };
}

// After the macros that give their tables their meaning.
mod broadcast_nary {
    include!(concat!(env!("OUT_DIR"), "/broadcast_nary.rs"));
}
mod broadcast_pairs {
    include!(concat!(env!("OUT_DIR"), "/broadcast_pairs.rs"));
}
mod in_place {
    include!(concat!(env!("OUT_DIR"), "/in_place.rs"));
}

/// The in-place cases of the corpus that other libraries decide by more than shapes, and why the
/// table does not have them; the test below has the behaviour here.
const NOT_BY_SHAPE: [(&str, &str); 4] = [
    ("inpl_gen_045", "`x[...] = y` drops leading axes of size 1; an operator in place does not"),
    ("inpl_gen_057", "`x[...] = y` drops leading axes of size 1; an operator in place does not"),
    ("inpl_edge_003", "a product of i64 and f32: element types do not mix"),
    ("inpl_edge_004", "a product of f32 and i64: element types do not mix, PyTorch promotes"),
];

#[test]
fn in_place_cases_that_are_not_by_shape() {
    const {
        assert!(!Assigns::<shape![1, 3], shape![3]>::HOLDS);
        assert!(!Assigns::<shape![1, 1], shape![1]>::HOLDS);
        assert!(MulAssigns::<Tensor<shape![3], i64>, Tensor<shape![2, 3], i64>>::HOLDS);
        assert!(!MulAssigns::<Tensor<shape![3], f32>, Tensor<shape![2, 3], i64>>::HOLDS);
        assert!(MulAssigns::<Tensor<shape![3], f32>, Tensor<shape![2, 3], f32>>::HOLDS);
        assert!(!MulAssigns::<Tensor<shape![3], i64>, Tensor<shape![2, 3], f32>>::HOLDS);
    }
}

/// The operators in place give what they give in new memory.
#[test]
fn in_place_gives_the_same_numbers() {
    fn check<T, O>(target: &Tensor<T>, operand: &Tensor<O>)
    where
        T: StaticShape + Broadcast<O, Output = T>,
        O: StaticShape + AssignTo<T>,
    {
        let changed = |change: fn(&mut Tensor<T>, &Tensor<O>)| {
            let mut changed = target.clone();
            change(&mut changed, operand);
            changed
        };
        assert_eq!(changed(|target, operand| *target += operand), target + operand);
        assert_eq!(changed(|target, operand| *target -= operand), target - operand);
        assert_eq!(changed(|target, operand| *target *= operand), target * operand);
        assert_eq!(changed(|target, operand| *target /= operand), target / operand);
        let copied = changed(|target, operand| target.zip_assign(operand, |_, new| new));
        assert_eq!(copied, target * 0.0 + operand);
    }
    let target = tensor![[[1.0_f32, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]];
    check(&target, &target);
    check(&target, &tensor![10.0, 20.0]);
    check(&target, &tensor![[10.0], [20.0]]);
    check(&target, &tensor![[[10.0]], [[20.0]]]);
    check(&target, &Tensor::scalar(10.0));
    check(&tensor![], &tensor![3.0]);
}

/// `target += x * y` for two operands that only together have the shape of the target.
#[test]
fn two_operands_fit_into_a_target() {
    let mut target = tensor![[1, 2, 3], [4, 5, 6]];
    target += tensor![10, 20, 30] * tensor![[1], [2]];
    assert_eq!(target, tensor![[11, 22, 33], [24, 45, 66]]);
}

#[test]
fn every_pair_is_checked() {
    let rows = broadcast_pairs::ACCEPTED.iter().chain(broadcast_pairs::REFUSED);
    let rows =
        rows.map(|(id, [a, b], result)| (*id, (a.to_vec(), b.to_vec(), result.map(Vec::from))));
    let cases: Vec<Pair> = corpus::read("broadcast_pairs.json");
    assert!(cases.iter().all(|case| case.ok == case.result.is_some()));
    same_rows(rows, cases.into_iter().map(|case| (case.id, (case.a, case.b, case.result))));
}

/// Shapes with run-time sizes obey the same rule, and say what is wrong in PyTorch's words.
#[test]
fn every_pair_is_checked_at_run_time() {
    for Pair { id, a, b, result, .. } in corpus::read("broadcast_pairs.json") {
        for (a, b) in [(&a, &b), (&b, &a)] {
            let sum = twos(a).zip_with(&twos(b), |a, b| a + b);
            match (&result, sum) {
                (Some(result), Ok(sum)) => assert_eq!(sum.sizes(), result, "{id}"),
                (None, Err(error)) => {
                    let message = error.to_string();
                    assert!(message.starts_with("The size of tensor a ("), "{id}: {message}");
                }
                (result, sum) => panic!("{id}: {sum:?} instead of {result:?}"),
            }
        }
    }
}

/// In place too: the target keeps its shape.
#[test]
fn every_in_place_case_is_checked_at_run_time() {
    let mut cases: Vec<InPlace> = corpus::read("inplace.json");
    cases.retain(|case| NOT_BY_SHAPE.iter().all(|(id, _)| *id != case.id));
    for InPlace { id, target, operand, operand2, ok, .. } in cases {
        let mut target = twos(&target);
        let second = twos(&operand2.unwrap_or_default());
        let operand = twos(&operand).zip_with(&second, |a, b| a * b).unwrap();
        let before = target.clone();
        let outcome = target.zip_assign(&operand, |a, b| a + b);
        assert_eq!(outcome.is_ok(), ok, "{id}: {outcome:?}");
        assert_eq!(target.sizes(), before.sizes(), "{id}");
        assert!(ok || target == before, "{id}: a refused operation leaves its target as it is");
    }
}

fn twos(sizes: &[usize]) -> DynTensor {
    DynTensor::full(sizes, 2.0)
}

#[test]
fn every_list_is_checked() {
    let rows = broadcast_nary::ACCEPTED.iter().chain(broadcast_nary::REFUSED);
    let rows = rows.map(|(id, shapes, result)| (*id, (vectors(shapes), result.map(Vec::from))));
    let cases: Vec<Many> = corpus::read("broadcast_nary.json");
    assert!(cases.iter().all(|case| case.ok == case.result.is_some()));
    same_rows(rows, cases.into_iter().map(|case| (case.id, (case.shapes, case.result))));
}

#[test]
fn every_in_place_case_is_checked_or_listed() {
    let accepted = in_place::ACCEPTED.iter().map(|row| (row, true));
    let refused = in_place::REFUSED.iter().map(|row| (row, false));
    let rows = accepted.chain(refused).map(|(&(id, op, target, operands), ok)| {
        (id, (op.to_owned(), target.to_vec(), vectors(operands), ok))
    });
    let mut cases: Vec<InPlace> = corpus::read("inplace.json");
    let all = cases.len();
    cases.retain(|case| NOT_BY_SHAPE.iter().all(|(id, _)| *id != case.id));
    assert_eq!(cases.len() + NOT_BY_SHAPE.len(), all);
    let cases = cases.into_iter().map(|case| {
        let operands = [case.operand].into_iter().chain(case.operand2).collect();
        (case.id, (case.op, case.target, operands, case.ok))
    });
    same_rows(rows, cases);
}

fn vectors(shapes: &[Sizes]) -> Vec<Vec<usize>> {
    shapes.iter().map(|sizes| sizes.to_vec()).collect()
}

/// The table has one row for each case of the corpus, with the same outcome.
#[track_caller]
fn same_rows<T: PartialEq + Debug>(
    rows: impl Iterator<Item = (&'static str, T)>,
    cases: impl Iterator<Item = (String, T)>,
) {
    let (rows, cases): (Vec<_>, Vec<_>) = (rows.collect(), cases.collect());
    assert_eq!(rows.len(), cases.len());
    let rows: BTreeMap<_, _> = rows.into_iter().collect();
    for (id, case) in cases {
        assert_eq!(rows.get(id.as_str()), Some(&case), "{id}");
    }
}
