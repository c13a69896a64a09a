//! The laws of broadcasting, over types and over values: identity, commutes, associates,
//! idempotent, and size 0 with size 1 gives size 0.

mod table;

use std::collections::BTreeMap;

use table::{Broadcasts, Refused, sizes};
use tensor_core::broadcast::{Broadcast, Broadcasted};
use tensor_core::{Axis, One, Shape, ShapeError, StaticShape, axis, shape};

axis!(Batch);
axis!(Seq);
axis!(Hidden = 2);

/// Takes a value of type `L` for one of type `R`: compiles only where the two are the same type.
fn same<L, R>(_: fn(L) -> R) {}

/// `A ⊕ B = R`.
const fn gives<A, B, R>()
where
    A: Shape + Broadcast<B, Output = R>,
    R: Shape,
{
}

/// `A ⊕ B = R` and `B ⊕ A = R`.
const fn commutes<A, B, R>()
where
    A: StaticShape + Broadcast<B, Output = R>,
    B: StaticShape + Broadcast<A, Output = R>,
{
}

/// `(A ⊕ B) ⊕ C = R` and `A ⊕ (B ⊕ C) = R`.
const fn associates<A, B, C, R>()
where
    A: StaticShape + Broadcast<B, Output: Broadcast<C, Output = R>>,
    A: Broadcast<Broadcasted<B, C>, Output = R>,
    B: StaticShape + Broadcast<C>,
{
}

macro_rules! shapes {
    ($([$($size:tt)*];)*) => {
        // `S ⊕ S = S` and `S ⊕ [] = [] ⊕ S = S`.
        $(const _: () = {
            commutes::<shape![$($size)*], shape![$($size)*], shape![$($size)*]>();
            commutes::<shape![$($size)*], (), shape![$($size)*]>();
        };)*

        /// The sizes of each shape, as its type has them and as they are written.
        pub const SHAPES: &[[&[usize]; 2]] = &[$([sizes::<shape![$($size)*]>(), &[$($size)*]]),*];
    };
}

macro_rules! triples {
    ($([$($a:tt)*], [$($b:tt)*], [$($c:tt)*] = [$($result:tt)*];)*) => {
        // `(A ⊕ B) ⊕ C = A ⊕ (B ⊕ C)`.
        $(const _: () = {
            associates::<shape![$($a)*], shape![$($b)*], shape![$($c)*], shape![$($result)*]>();
            associates::<shape![$($c)*], shape![$($b)*], shape![$($a)*], shape![$($result)*]>();
            associates::<shape![$($b)*], shape![$($a)*], shape![$($c)*], shape![$($result)*]>();
        };)*
    };
}

macro_rules! accepted_pairs {
    ($([$($a:tt)*] + [$($b:tt)*] = [$($result:tt)*];)*) => {
        $(const _: () = gives::<shape![$($a)*], shape![$($b)*], shape![$($result)*]>();)*

        /// All pairs of the grid that broadcast, each with the result that the compiler finds.
        pub const ACCEPTED: &[[&str; 3]] = &[$([
            stringify!([$($a)*]),
            stringify!([$($b)*]),
            stringify!([$($result)*]),
        ]),*];
    };
}

macro_rules! refused_pairs {
    ($([$($a:tt)*] + [$($b:tt)*];)*) => {
        $(const _: () = assert!(!Broadcasts::<shape![$($a)*], shape![$($b)*]>::HOLDS);)*

        /// All pairs of the grid for which the compiler finds no result.
        pub const REFUSED: &[[&str; 2]] = &[$([stringify!([$($a)*]), stringify!([$($b)*])]),*];
    };
}

/// A pair that broadcasts: the shapes as they are written, and the rule on values.
struct NamedPair {
    a: &'static str,
    b: &'static str,
    result: &'static str,
    broadcast: fn(&[usize], &[usize]) -> Result<Vec<usize>, ShapeError>,
}

/// The sizes of `A ⊕ B = R` for these sizes of `A` and `B`.
fn broadcast<A, B, R>(a: &[usize], b: &[usize]) -> Result<Vec<usize>, ShapeError>
where
    A: Shape + Broadcast<B, Output = R>,
    B: Shape,
    R: Shape,
{
    A::from_sizes(a)?.broadcast(B::from_sizes(b)?).map(|shape| shape.sizes().to_vec())
}

macro_rules! named_pairs {
    ($([$($a:tt)*] + [$($b:tt)*] = [$($result:tt)*];)*) => {
        /// The pairs of the grid that broadcast, where both have axes whose size is known at run time.
        pub const NAMED: &[NamedPair] = &[$(NamedPair {
            a: stringify!([$($a)*]),
            b: stringify!([$($b)*]),
            result: stringify!([$($result)*]),
            broadcast: broadcast::<shape![$($a)*], shape![$($b)*], shape![$($result)*]>,
        }),*];
    };
}

// After the macros that give its tables their meaning.
mod laws {
    include!(concat!(env!("OUT_DIR"), "/laws.rs"));
}

/// The axes of a shape of the grid as they are written, and their sizes where `Batch` and `Seq`
/// have the size `named`.
fn parse(written: &str, named: usize) -> Vec<(&str, usize)> {
    let axes = written.trim_matches(['[', ']']).split(',').map(str::trim);
    let axes = axes.filter(|axis| !axis.is_empty());
    let size = |axis: &str| match axis {
        "Batch" | "Seq" => named,
        "Hidden" => 2,
        size => size.parse().unwrap(),
    };
    axes.map(|axis| (axis, size(axis))).collect()
}

/// The axes of an operand along those of a result of `rank` axes, `None` where it has none.
fn along<'a>(axes: &[(&'a str, usize)], rank: usize) -> Vec<Option<(&'a str, usize)>> {
    let missing = std::iter::repeat_n(None, rank - axes.len());
    missing.chain(axes.iter().copied().map(Some)).collect()
}

/// As types a name broadcasts with itself; as values it is refused exactly where it has two sizes.
#[test]
fn names_with_two_sizes_are_refused_when_the_program_runs() {
    let sizes = |axes: &[(&str, usize)]| axes.iter().map(|axis| axis.1).collect::<Vec<_>>();
    for NamedPair { a, b, result, broadcast } in laws::NAMED {
        for (left, right) in [(0, 0), (1, 1), (3, 3), (2, 3), (3, 1), (1, 0)] {
            let (a, b) = (parse(a, left), parse(b, right));
            let outcome = broadcast(&sizes(&a), &sizes(&b));
            let rank = parse(result, 0).len();
            let aligned: Vec<_> = along(&a, rank).into_iter().zip(along(&b, rank)).collect();
            let differs = aligned.iter().rposition(|axes| match axes {
                (Some((a, left)), Some((b, right))) => a == b && left != right,
                _ => false,
            });
            let Some(axis) = differs else {
                // Size 1 is the one that gives way, and it is written, not a name.
                let chosen = aligned.iter().map(|axes| match axes {
                    (Some(("1", _)) | None, Some(axis)) => *axis,
                    (Some(axis), _) => *axis,
                    (None, None) => unreachable!("an axis of neither operand"),
                });
                let chosen: Vec<_> = chosen.collect();
                let has_two_sizes = |&(name, size): &(&str, usize)| {
                    let named = |other: &&(&str, usize)| other.0 == name && other.1 != size;
                    name.starts_with(char::is_alphabetic)
                        && chosen.iter().any(|other| named(&other))
                };
                match chosen.iter().find(|axis| has_two_sizes(axis)) {
                    Some((name, _)) => {
                        let message = outcome.unwrap_err().to_string();
                        assert!(message.contains(&format!("`{name}`")), "{a:?} + {b:?}: {message}");
                    }
                    None => assert_eq!(outcome.unwrap(), sizes(&chosen), "{a:?} + {b:?}"),
                }
                continue;
            };
            let name = aligned[axis].0.unwrap().0;
            let message = outcome.unwrap_err().to_string();
            let expected = format!(
                "The size of tensor a ({left}) must match the size of tensor b ({right}) \
                 at non-singleton dimension {axis} (`{name}`)"
            );
            assert!(message.starts_with(&expected), "{a:?} + {b:?}: {message}");
        }
    }
}

#[test]
fn the_shapes_of_the_corpus_have_their_sizes() {
    assert!(laws::SHAPES.len() > 400);
    for [of_the_type, written] in laws::SHAPES {
        assert_eq!(of_the_type, written);
    }
}

/// The results of the compiler for all pairs of the grid.
fn grid() -> BTreeMap<[&'static str; 2], Option<&'static str>> {
    let accepted = laws::ACCEPTED.iter().map(|&[a, b, result]| ([a, b], Some(result)));
    let refused = laws::REFUSED.iter().map(|&pair| (pair, None));
    accepted.chain(refused).collect()
}

/// As the compiler answers for every pair, the laws of three shapes follow for all of the grid, the
/// refusals included.
#[test]
fn the_laws_hold_on_the_grid() {
    let grid = grid();
    let shapes: Vec<_> = grid.keys().filter(|[a, b]| a == b).map(|[a, _]| *a).collect();
    assert_eq!(shapes.len(), 43, "shapes of at most two of six axes");
    assert_eq!(grid.len(), shapes.len().pow(2), "a row for every pair");
    let broadcast = |a, b| grid[&[a, b]];
    for &a in &shapes {
        assert_eq!(broadcast(a, "[]"), Some(a), "identity of {a}");
        assert_eq!(broadcast(a, a), Some(a), "{a} is idempotent");
        for &b in &shapes {
            let ab = broadcast(a, b);
            assert_eq!(ab, broadcast(b, a), "{a} and {b} commute");
            for &c in &shapes {
                let left = ab.and_then(|ab| broadcast(ab, c));
                let right = broadcast(b, c).and_then(|bc| broadcast(a, bc));
                assert_eq!(left, right, "{a}, {b} and {c} associate");
            }
        }
    }
}

/// The result is not the larger size: 0 with 1 gives 0.
#[test]
fn size_0_with_size_1_gives_size_0() {
    const {
        commutes::<shape![0], shape![1], shape![0]>();
        commutes::<shape![3, 0], shape![3, 1], shape![3, 0]>();
        commutes::<shape![1, 3], shape![0, 1], shape![0, 3]>();
        assert!(!Broadcasts::<shape![0], shape![2]>::HOLDS);
    }
    assert_eq!(shape![0].broadcast(shape![1]).unwrap().sizes()[..], [0]);
}

/// A name keeps axes apart, also where the sizes would fit.
#[test]
fn named_axes_are_equal_only_to_themselves() {
    const {
        assert!(Broadcasts::<shape![Hidden], shape![Hidden]>::HOLDS);
        assert!(!Broadcasts::<shape![Hidden], shape![2]>::HOLDS);
        assert!(!Broadcasts::<shape![Batch], shape![Seq]>::HOLDS);
        assert!(!Broadcasts::<shape![Batch], shape![32]>::HOLDS);
        assert!(!Broadcasts::<shape![32], shape![Batch]>::HOLDS);
    }
}

/// The laws hold for all shapes, not only those of a table: they are supertraits.
#[test]
fn the_laws_need_no_bounds_in_generic_code() {
    fn laws<Lead: Shape, A: Axis>() {
        same::<Broadcasted<Lead, Lead>, Lead>(|shape| shape);
        same::<Broadcasted<Lead, ()>, Lead>(|shape| shape);
        same::<Broadcasted<(), Lead>, Lead>(|shape| shape);
        same::<Broadcasted<(Lead, A), (Lead, A)>, (Lead, A)>(|shape| shape);
        same::<Broadcasted<(Lead, A), ((), A)>, (Lead, A)>(|shape| shape);
        same::<Broadcasted<((), A), (Lead, A)>, (Lead, A)>(|shape| shape);
        same::<Broadcasted<(Lead, A), (Lead, One)>, (Lead, A)>(|shape| shape);
        same::<Broadcasted<(Lead, One), (Lead, A)>, (Lead, A)>(|shape| shape);
    }
    laws::<shape![2, 3], Batch>();
}

/// A column of 16 and a row of 16 axes, and what they give.
type Rows = shape![
    2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1
];
type Columns = shape![
    1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2
];
type Both = shape![
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2
];

#[test]
fn rank_32_compiles() {
    commutes::<Rows, Columns, Both>();
    commutes::<Both, shape![2], Both>();
    associates::<Rows, (), Columns, Both>();
    assert_eq!(Both::RANK, 32);
    assert_eq!(Rows::VALUE.broadcast(Columns::VALUE), Ok(Both::VALUE));
    assert_eq!(Rows::VALUE.num_elements(), 1 << 16);
    const {
        assert!(!Broadcasts::<Both, shape![3]>::HOLDS);
        assert!(!Broadcasts::<shape![3, 1, 1], Both>::HOLDS);
    }
}

#[test]
fn rank_64_compiles() {
    type Twice = shape![
        Both..,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2,
        2
    ];
    commutes::<Twice, Rows, Twice>();
    commutes::<Twice, Twice, Twice>();
    assert_eq!(Twice::RANK, 64);
}
