//! Sizes as numbers, and the shapes that are computed from them: sums, differences and products of
//! axes, `reshape`, `flatten`, `unflatten` and concatenation, as types.
//!
//! The expected types are computed by `dim!` and `shape!` from the same literals, by ordinary
//! arithmetic.

use core::any::{TypeId, type_name};

use tensor_core::arithmetic::{
    AddSizes, CountElements, MulSizes, SizeDifference, SizeProduct, SizeSum, SubSizes,
};
use tensor_core::reshape::{
    ConcatAxis, Concatenated, FlattenAll, FlattenAxes, Flattened, FlattenedAxes, ReshapeTo,
    Unflatten, Unflattened,
};
use tensor_core::{Axis, Dim, One, Shape, ShapeError, StaticAxis, axis, dim, shape};

/// The axis of size `M + T + U`, as macros name that of a constant.
type Constant<const M: usize, const T: usize, const U: usize> =
    <tensor_core::__private::Table<true> as tensor_core::__private::Constant<M, T, U>>::Size;

axis!(Batch);
axis!(Hidden = 8);

fn same<A: 'static, B: 'static>() {
    assert_eq!(TypeId::of::<A>(), TypeId::of::<B>(), "{} {}", type_name::<A>(), type_name::<B>());
}

/// Whether a type has a trait: an associated constant of the type goes before one of a trait, where
/// the bound holds.
macro_rules! holds {
    ($type:ty: $($bound:tt)+) => {{
        struct Asked<T>(core::marker::PhantomData<T>);

        #[allow(dead_code)]
        trait Otherwise {
            const HOLDS: bool = false;
        }

        impl<T> Otherwise for Asked<T> {}

        #[allow(dead_code)]
        impl<T: $($bound)+> Asked<T> {
            const HOLDS: bool = true;
        }

        Asked::<$type>::HOLDS
    }};
}

#[test]
fn a_size_has_one_spelling() {
    assert!(holds!(One: StaticAxis));
    assert!(holds!(Dim<0>: StaticAxis));
    assert!(holds!(Dim<2>: StaticAxis));
    assert!(holds!(Dim<999>: StaticAxis));
    assert!(holds!(Dim<1000>: StaticAxis));
    assert!(holds!(Dim<1001>: StaticAxis));
    assert!(holds!(Dim<2048>: StaticAxis));
    assert!(holds!(Dim<9999>: StaticAxis));
    assert!(holds!(Dim<10000>: StaticAxis));
    assert!(holds!(Dim<10000, 1>: StaticAxis));
    assert!(holds!(Dim<50000, 257>: StaticAxis));
    assert!(holds!(Dim<999000, 999>: StaticAxis));
    assert!(holds!(Dim<1000000>: StaticAxis));
    assert!(holds!(Dim<1000000, 1>: StaticAxis));
    assert!(holds!(Dim<1000000, 1000>: StaticAxis));
    assert!(holds!(Dim<1000000, 1000, 1>: StaticAxis));
    assert!(holds!(Dim<1000000, 10000, 999>: StaticAxis));
    assert!(holds!(Dim<999000000, 999000, 999>: StaticAxis));
}

#[test]
fn other_spellings_are_no_axes() {
    assert!(!holds!(Dim<1>: Axis));
    // Two parts that are written as one, or a part that is too large.
    assert!(!holds!(Dim<10001>: Axis));
    assert!(!holds!(Dim<12345>: Axis));
    assert!(!holds!(Dim<1500000>: Axis));
    assert!(!holds!(Dim<1000000000>: Axis));
    assert!(!holds!(Dim<{ usize::MAX }>: Axis));
    assert!(!holds!(Dim<50000, 1048>: Axis));
    assert!(!holds!(Dim<1000000, 2048>: Axis));
    assert!(!holds!(Dim<1000000, 1000, 2048>: Axis));
    // One part that is written as two.
    assert!(!holds!(Dim<1000, 1>: Axis));
    assert!(!holds!(Dim<1000, 24>: Axis));
    assert!(!holds!(Dim<9000, 999>: Axis));
    assert!(!holds!(Dim<1024, 1>: Axis));
    assert!(!holds!(Dim<1024, 24>: Axis));
    // Parts that are not in order, or occur twice.
    assert!(!holds!(Dim<48, 2000>: Axis));
    assert!(!holds!(Dim<1, 2000>: Axis));
    assert!(!holds!(Dim<1, 2048>: Axis));
    assert!(!holds!(Dim<20000, 1000000>: Axis));
    assert!(!holds!(Dim<48, 48>: Axis));
    assert!(!holds!(Dim<1, 1>: Axis));
    assert!(!holds!(Dim<2000, 2000>: Axis));
    assert!(!holds!(Dim<20000, 2000>: Axis));
    assert!(!holds!(Dim<20000, 20000>: Axis));
    assert!(!holds!(Dim<20000, 48, 48>: Axis));
    assert!(!holds!(Dim<1000000, 48, 48>: Axis));
    assert!(!holds!(Dim<1000000, 1000000>: Axis));
    // Zeros that are not at the end.
    assert!(!holds!(Dim<0, 48>: Axis));
    assert!(!holds!(Dim<0, 0, 48>: Axis));
    assert!(!holds!(Dim<0, 1>: Axis));
    assert!(!holds!(Dim<20000, 0, 48>: Axis));
    assert!(!holds!(Dim<0, 2000, 48>: Axis));
}

/// `n - 1000 k`, and back.
#[test]
fn sizes_below_10_000_have_the_digits_of_thousands_and_units() {
    macro_rules! each {
        ($($thousands:literal: $($sum:literal)*;)*) => {$(
            $(same::<SizeSum<Dim<$thousands>, SizeDifference<Dim<$sum>, Dim<$thousands>>>, Dim<$sum>>();)*
        )*};
    }
    each! {
        1000: 1000 1001 1002 1010 1023 1024 1025 1100 1280 1536 1999;
        2000: 2000 2001 2047 2048 2049 2560 2999;
        3000: 3000 3001 3072 3999;
        4000: 4000 4001 4095 4096 4097 4999;
        5000: 5000 5001 5120 5999;
        6000: 6000 6001 6144 6999;
        7000: 7000 7001 7168 7999;
        8000: 8000 8001 8192 8999;
        9000: 9000 9001 9216 9999;
    }
}

#[test]
fn constants_are_assembled_from_their_parts() {
    same::<Constant<0, 0, 0>, Dim<0>>();
    same::<Constant<0, 0, 1>, One>();
    same::<Constant<0, 0, 768>, Dim<768>>();
    same::<Constant<0, 1000, 0>, Dim<1000>>();
    same::<Constant<0, 1000, 1>, Dim<1001>>();
    same::<Constant<0, 2000, 48>, Dim<2048>>();
    same::<Constant<0, 9000, 999>, Dim<9999>>();
    same::<Constant<0, 10000, 0>, Dim<10000>>();
    same::<Constant<0, 10000, 1>, Dim<10000, 1>>();
    same::<Constant<0, 50000, 257>, Dim<50000, 257>>();
    same::<Constant<1000000, 0, 0>, Dim<1000000>>();
    same::<Constant<1000000, 0, 1>, Dim<1000000, 1>>();
    same::<Constant<1000000, 0, 48>, Dim<1000000, 48>>();
    same::<Constant<1000000, 2000, 0>, Dim<1000000, 2000>>();
    same::<Constant<1000000, 2000, 1>, Dim<1000000, 2000, 1>>();
    same::<Constant<999000000, 999000, 999>, Dim<999000000, 999000, 999>>();
}

/// Checks that an operation on sizes gives the size that the same operation on numbers gives.
macro_rules! calculate {
    ($($a:literal $operator:tt $b:literal = $alias:ident<A, B>;)*) => {$(
        same::<$alias<dim!($a), dim!($b)>, dim!($a $operator $b)>();
        assert_eq!(<$alias<dim!($a), dim!($b)>>::VALUE.size(), $a $operator $b);
    )*};
}

/// The sizes at which a part ends and another begins, each with each.
macro_rules! each_with_each {
    ($operator:tt $alias:ident: $($a:literal)* with $all:tt) => {
        $( each_with_each!(@ $operator $alias: $a with $all); )*
    };
    (@ $operator:tt $alias:ident: $a:literal with [$($b:literal)*]) => {
        calculate! { $($a $operator $b = $alias<A, B>;)* }
    };
}

#[test]
fn sums_around_the_edges() {
    each_with_each! {
        + SizeSum: 0 1 2 998 999 1000 1001 1023 1024 2048 9000 9999 10_000 999_999 1_000_000 499_999_999
        with [0 1 2 998 999 1000 1001 1023 1024 2048 9000 9999 10_000 999_999 1_000_000 499_999_999]
    }
    calculate! {
        999_999_999 + 0 = SizeSum<A, B>;
        0 + 999_999_999 = SizeSum<A, B>;
        999_999_998 + 1 = SizeSum<A, B>;
        999_000_000 + 999_999 = SizeSum<A, B>;
    }
}

#[test]
fn products_around_the_edges() {
    each_with_each! {
        * SizeProduct: 0 1 2 999 1000 1001 1023 1024 31_622
        with [0 1 2 999 1000 1001 1023 1024 2048 31_622]
    }
    calculate! {
        99 * 101 = SizeProduct<A, B>;
        100 * 100 = SizeProduct<A, B>;
        9999 * 1 = SizeProduct<A, B>;
        9999 * 9999 = SizeProduct<A, B>;
        999_999_999 * 0 = SizeProduct<A, B>;
        0 * 999_999_999 = SizeProduct<A, B>;
        999_999_999 * 1 = SizeProduct<A, B>;
        1 * 999_999_999 = SizeProduct<A, B>;
        333_333_333 * 3 = SizeProduct<A, B>;
        3 * 333_333_333 = SizeProduct<A, B>;
        1_000_000 * 999 = SizeProduct<A, B>;
        999 * 1_000_000 = SizeProduct<A, B>;
        999_999 * 1000 = SizeProduct<A, B>;
    }
}

#[test]
fn differences_around_the_edges() {
    calculate! {
        0 - 0 = SizeDifference<A, B>;
        1 - 1 = SizeDifference<A, B>;
        2 - 1 = SizeDifference<A, B>;
        1000 - 1 = SizeDifference<A, B>;
        1000 - 999 = SizeDifference<A, B>;
        1001 - 1000 = SizeDifference<A, B>;
        1_000_000 - 1 = SizeDifference<A, B>;
        1_000_000 - 999_999 = SizeDifference<A, B>;
        10_000 - 1 = SizeDifference<A, B>;
        10_001 - 1 = SizeDifference<A, B>;
        10_001 - 2 = SizeDifference<A, B>;
        12_345 - 2346 = SizeDifference<A, B>;
        12_345 - 2345 = SizeDifference<A, B>;
        9999 - 8999 = SizeDifference<A, B>;
        999_999_999 - 0 = SizeDifference<A, B>;
        999_999_999 - 1 = SizeDifference<A, B>;
        999_999_999 - 999_999_999 = SizeDifference<A, B>;
    }
}

/// Sizes drawn at random, once, with three, six or nine digits.
macro_rules! random {
    (
        sums { $($a:literal, $b:literal;)* }
        products { $($c:literal, $d:literal;)* }
        differences { $($e:literal, $f:literal;)* }
    ) => {
        calculate! { $($a + $b = SizeSum<A, B>; $b + $a = SizeSum<A, B>;)* }
        calculate! { $($c * $d = SizeProduct<A, B>;)* }
        calculate! { $($e - $f = SizeDifference<A, B>;)* }
    };
}

#[test]
fn random_sizes() {
    random! {
        sums {
            523_774, 410_104_461; 780_746, 336; 822, 631; 133, 664; 224_225_623, 856; 616, 709_994;
            302_517_240, 871_776; 649_751, 116; 477, 6; 338_496_669, 334_816; 212, 172_510_551;
            112_849, 935; 19, 516; 711, 646; 17, 270_227_620; 517_613_534, 58; 15_075, 969;
            534_766_078, 659; 996, 791_239_344; 445, 718_751; 791_718, 668; 514, 658_706;
            549_457_303, 322; 850_974, 203_761; 470, 208; 853, 502_969; 703_085_051, 15_046_738;
            390, 89_802_816; 984_521_135, 161; 946_771, 332_123; 350, 343_825; 393, 876_843_420;
            524, 440_595; 168_584_655, 787_579_956; 129_314, 305_681_701; 389, 650_088_109; 208, 926;
            935_837, 592_857; 477_151_268, 118; 147_155, 18_589;
        }
        products {
            979, 116_097; 904, 598_193; 861, 764; 497, 199_735; 292_724, 777; 364, 805_208; 398, 818;
            756, 174_657; 95_188, 408; 959, 455; 186, 414; 772_744, 324; 743_125, 23; 956, 938_808;
            17, 461_099; 107, 724; 176_918, 105; 78, 200_118; 846, 549_995; 71, 679; 689, 321;
            993_385, 602; 740, 640; 993, 796; 24, 821; 253, 676_283; 410, 845_213; 739, 185_090;
            660_611, 750; 268_596, 598; 481_739, 577; 565, 287_898; 750, 829_558; 280, 498_779;
            69, 891; 93, 697; 89_481, 37; 316_111, 773; 679, 519_732; 225, 682;
        }
        differences {
            639_693, 595_703; 705_193, 697_029; 994, 311; 899_325_860, 298_890_985; 83_024, 559;
            764_209_307, 942; 935_658_225, 495_207; 738_110, 172; 160_077_755, 100_436;
            293_363_437, 844_040; 251_003_072, 190; 339, 69; 4_964_527, 616; 572_294_718, 529_909;
            840, 165; 143_511_252, 985; 735_772_537, 345_599; 428_721, 852; 994_681, 525;
            588_655, 944; 707_831_893, 437; 885_491_982, 873_424; 440_931_842, 97; 382_065_287, 116;
        }
    }
}

#[test]
fn a_result_that_is_no_size_is_refused() {
    assert!(holds!(dim!(999_999_998): AddSizes<One>));
    assert!(!holds!(dim!(999_999_999): AddSizes<One>));
    assert!(!holds!(One: AddSizes<dim!(999_999_999)>));
    assert!(!holds!(dim!(999_999_999): AddSizes<dim!(999_999_999)>));

    assert!(holds!(dim!(31_622): MulSizes<dim!(31_622)>));
    assert!(!holds!(dim!(31_623): MulSizes<dim!(31_623)>));
    assert!(!holds!(dim!(1_000_000): MulSizes<dim!(1000)>));
    assert!(!holds!(dim!(1000): MulSizes<dim!(1_000_000)>));
    assert!(!holds!(dim!(1_000_000): MulSizes<dim!(1_000_000)>));
    assert!(!holds!(dim!(999_999_999): MulSizes<dim!(999_999_999)>));

    assert!(!holds!(dim!(0): SubSizes<One>));
    assert!(!holds!(dim!(999): SubSizes<dim!(1000)>));
    assert!(!holds!(dim!(999_999_998): SubSizes<dim!(999_999_999)>));
    assert!(!holds!(dim!(0): SubSizes<dim!(999_999_999)>));
}

#[test]
fn a_named_size_counts_as_its_size() {
    same::<SizeSum<Hidden, One>, dim!(9)>();
    same::<SizeProduct<One, Hidden>, dim!(8)>();
    same::<SizeDifference<Hidden, Hidden>, dim!(0)>();
    assert!(!holds!(Batch: AddSizes<One>));
    assert!(!holds!(One: MulSizes<Batch>));
}

#[test]
fn the_elements_of_a_shape_are_counted() {
    same::<<shape![] as CountElements>::Count, One>();
    same::<<shape![1, 1] as CountElements>::Count, One>();
    same::<<shape![2, 3, 4] as CountElements>::Count, dim!(24)>();
    same::<<shape![Hidden, 3] as CountElements>::Count, dim!(24)>();
    same::<<shape![64, 3, 224, 224] as CountElements>::Count, dim!(64 * 3 * 224 * 224)>();
    same::<<shape![999_999_999] as CountElements>::Count, dim!(999_999_999)>();
    same::<
        <shape![2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2] as CountElements>::Count,
        dim!(65_536),
    >();
    assert!(!holds!(shape![1000, 1000, 1000]: CountElements));
    type Cube = (shape![999_999_999, 999_999_999], dim!(999_999_999));
    assert!(!holds!(Cube: CountElements));
    assert!(!holds!(shape![2, Batch]: CountElements));
    assert!(!holds!(shape![Batch, 0]: CountElements));
}

#[test]
fn no_elements_are_none_however_many_there_would_be() {
    same::<<shape![0] as CountElements>::Count, dim!(0)>();
    same::<<shape![0, 999_999_999, 999_999_999] as CountElements>::Count, dim!(0)>();
    same::<<shape![999_999_999, 999_999_999, 0] as CountElements>::Count, dim!(0)>();
    same::<<shape![999_999_999, 999_999_999, 3, 1000, 0, 7] as CountElements>::Count, dim!(0)>();
    assert!(!holds!(shape![1000, 1000, 1000, 1]: CountElements));
    assert!(!holds!(shape![1000, 1000, 1000, 2000]: CountElements));
    assert!(!holds!(shape![1000, 1000, 1000, 2_000_000]: CountElements));
}

#[test]
fn reshape_keeps_the_number_of_elements() {
    assert!(holds!(shape![2, 3]: ReshapeTo<shape![6]>));
    assert!(holds!(shape![2, 3]: ReshapeTo<shape![3, 1, 2]>));
    assert!(holds!(shape![]: ReshapeTo<shape![1, 1]>));
    assert!(holds!(shape![1]: ReshapeTo<shape![]>));
    assert!(holds!(shape![0, 3]: ReshapeTo<shape![5, 0]>));
    assert!(holds!(shape![Hidden, 2]: ReshapeTo<shape![4, 4]>));
    assert!(holds!(shape![4, 4]: ReshapeTo<shape![2, Hidden]>));
    assert!(!holds!(shape![2, 3]: ReshapeTo<shape![8]>));
    assert!(!holds!(shape![]: ReshapeTo<shape![0]>));
    assert!(!holds!(shape![Batch, 3]: ReshapeTo<shape![6]>));
    assert!(!holds!(shape![6]: ReshapeTo<shape![Batch, 3]>));
    assert!(!holds!(shape![Batch, 3]: ReshapeTo<shape![Batch, 3]>));
    let target: shape![3, 2] = shape![2, 3].reshape();
    assert_eq!(target.sizes()[..], [3, 2]);
}

#[test]
fn flatten_makes_one_axis() {
    same::<Flattened<shape![]>, shape![1]>();
    same::<Flattened<shape![7]>, shape![7]>();
    same::<Flattened<shape![2, 3, 4]>, shape![24]>();
    same::<Flattened<shape![2, 0, 4]>, shape![0]>();
    assert!(!holds!(shape![Batch, 3]: FlattenAll));
}

#[test]
fn flatten_axes_leaves_the_others_alone() {
    same::<FlattenedAxes<shape![2, 3, 4, 5], 0, -1>, shape![120]>();
    same::<FlattenedAxes<shape![2, 3, 4, 5], 1, 2>, shape![2, 12, 5]>();
    same::<FlattenedAxes<shape![2, 3, 4, 5], -3, -2>, shape![2, 12, 5]>();
    same::<FlattenedAxes<shape![2, 3, 4, 5], 1, -2>, shape![2, 12, 5]>();
    same::<FlattenedAxes<shape![2, 3, 4, 5], 0, 1>, shape![6, 4, 5]>();
    same::<FlattenedAxes<shape![2, 3, 4, 5], 2, 2>, shape![2, 3, 4, 5]>();
    same::<FlattenedAxes<shape![Batch, 8, 8], 1, -1>, shape![Batch, 64]>();
    same::<FlattenedAxes<shape![2, 3, Batch, 5], 0, 1>, shape![6, Batch, 5]>();
    assert!(!holds!(shape![2, 3, 4]: FlattenAxes<2, 1>));
    assert!(!holds!(shape![2, 3, 4]: FlattenAxes<-1, 0>));
    assert!(!holds!(shape![2, 3, 4]: FlattenAxes<1, 3>));
    assert!(!holds!(shape![2, 3, 4]: FlattenAxes<-4, 1>));
    assert!(!holds!(shape![]: FlattenAxes<0, 0>));
    assert!(!holds!(shape![Batch, 8, 8]: FlattenAxes<0, 1>));
    let flat = FlattenAxes::<1, 2>::flatten_axes(shape![Batch(7), 3, 4, Batch(9), 5]);
    assert_eq!(flat, shape![Batch(7), 12, Batch(9), 5]);
}

#[test]
fn unflatten_makes_axes_of_one() {
    same::<Unflattened<shape![Batch, 64, 3], 1, shape![8, 8]>, shape![Batch, 8, 8, 3]>();
    same::<Unflattened<shape![Batch, 64, 3], -2, shape![8, 8]>, shape![Batch, 8, 8, 3]>();
    same::<Unflattened<shape![6], 0, shape![2, 3]>, shape![2, 3]>();
    same::<Unflattened<shape![2, 1, 3], 1, shape![]>, shape![2, 3]>();
    same::<Unflattened<shape![2, 8], 1, shape![Hidden]>, shape![2, Hidden]>();
    assert!(!holds!(shape![2, 7]: Unflatten<1, shape![2, 3]>));
    assert!(!holds!(shape![2, Batch]: Unflatten<1, shape![2, 3]>));
    assert!(!holds!(shape![2, 6]: Unflatten<1, shape![Batch, 3]>));
    assert!(!holds!(shape![2, 6]: Unflatten<2, shape![2, 3]>));
    let whole = Unflatten::<1, shape![2, 3]>::unflatten(shape![Batch(7), 6, Batch(9)]);
    assert_eq!(whole, shape![Batch(7), 2, 3, Batch(9)]);
}

#[test]
fn concatenation_adds_the_sizes_of_one_axis() {
    same::<Concatenated<shape![2], 0, shape![3]>, shape![5]>();
    same::<Concatenated<shape![2, 7, 4], 1, shape![2, 8, 4]>, shape![2, 15, 4]>();
    same::<Concatenated<shape![2, 7, 4], -2, shape![2, 1, 4]>, shape![2, 8, 4]>();
    same::<Concatenated<shape![Batch, 7], 1, shape![Batch, 0]>, shape![Batch, 7]>();
    same::<Concatenated<shape![Hidden, 7], 0, shape![Hidden, 7]>, shape![16, 7]>();
    assert!(!holds!(shape![2, 7, 4]: ConcatAxis<1, shape![3, 8, 4]>));
    assert!(!holds!(shape![2, 7, 4]: ConcatAxis<1, shape![2, 8]>));
    assert!(!holds!(shape![2, 7, 4]: ConcatAxis<3, shape![2, 8, 4]>));
    assert!(!holds!(shape![2, 7, 4]: ConcatAxis<1, shape![1, 7, 4]>));
    assert!(!holds!(shape![Batch, 7]: ConcatAxis<0, shape![Batch, 7]>));
    assert!(!holds!(shape![]: ConcatAxis<0, shape![]>));
}

#[test]
fn concatenation_compares_the_sizes_that_only_the_run_knows() {
    let both = ConcatAxis::<1, _>::concat_axis(shape![2, 7, Batch(3)], shape![2, 8, Batch(3)]);
    assert_eq!(both, Ok(shape![2, 15, Batch(3)]));

    let error = ConcatAxis::<1, _>::concat_axis(shape![2, 7, Batch(3)], shape![2, 8, Batch(4)]);
    let name = Some("Batch");
    assert_eq!(error, Err(ShapeError::Sizes { left: 3, right: 4, axis: 2, name }));

    let error = ConcatAxis::<-1, _>::concat_axis(shape![Batch(3), 7], shape![Batch(4), 8]);
    assert_eq!(error, Err(ShapeError::Sizes { left: 3, right: 4, axis: 0, name }));
}

/// Leading axes that stay need no bound.
fn over_any_leading_axes<L: Shape>(lead: L) {
    same::<FlattenedAxes<shape![L.., 8, 8], -2, -1>, shape![L.., 64]>();
    same::<FlattenedAxes<shape![L.., 8, 8, Batch], -3, -2>, shape![L.., 64, Batch]>();
    same::<Unflattened<shape![L.., 64, 3], -2, shape![8, 8]>, shape![L.., 8, 8, 3]>();
    same::<Concatenated<shape![L.., 64, 3], -2, shape![L.., 8, 3]>, shape![L.., 72, 3]>();

    let pair = ((lead, <dim!(2)>::VALUE), <dim!(3)>::VALUE);
    assert_eq!(FlattenAxes::<-2, -1>::flatten_axes(pair), (lead, <dim!(6)>::VALUE));
}

#[test]
fn leading_axes() {
    over_any_leading_axes(shape![]);
    over_any_leading_axes(shape![5]);
    over_any_leading_axes(shape![Batch(3), 1, Hidden]);
}
