//! Joins, padding, repeats and triangles, compared with what they are by their definitions, index by
//! index, on random shapes and layouts.

mod layouts;
mod typed;

use layouts::{Random, View, by_index};
use tensor_core::{DynTensor, Element, Padding, ShapeError};

/// How many random cases a test has.
const CASES: usize = 400;

/// Checks a result with the element that it has at each index.
#[track_caller]
fn check<T: Element>(
    result: &DynTensor<T>,
    sizes: &[usize],
    element: impl FnMut(&[usize]) -> T,
    what: &str,
) {
    assert_eq!(result.sizes(), sizes, "{what}");
    assert_eq!(result.to_vec(), by_index(sizes, element), "{what}");
}

/// Calls a generic test with elements of 1, 2, 4 and 8 bytes.
macro_rules! for_all_sizes {
    ($test:ident) => {
        $test(|bits| bits as u8);
        $test(|bits| bits % 3 == 0);
        $test(|bits| bits as i16);
        $test(|bits| bits as f32);
        $test(|bits| bits as f64);
    };
}

#[test]
fn concatenation_has_the_parts_behind_one_another() {
    fn test<T: Element>(element: fn(u64) -> T) {
        let mut random = Random::new(1);
        for _ in 0..CASES {
            let mut sizes = random.sizes(1, 4);
            let axis = random.below(sizes.len());
            let parts: Vec<View<T>> = (0..1 + random.below(4))
                .map(|_| {
                    sizes[axis] = random.below(4);
                    random.view(&sizes, element)
                })
                .collect();
            let negative = axis as isize - sizes.len() as isize;
            let tensors = parts.iter().map(|part| &part.tensor);
            let result = DynTensor::concat_all(tensors, negative).unwrap();
            sizes[axis] = parts.iter().map(|part| part.tensor.sizes()[axis]).sum();
            let expected = |index: &[usize]| {
                let mut index = index.to_vec();
                for part in &parts {
                    let size = part.tensor.sizes()[axis];
                    if index[axis] < size {
                        return part.at(&index);
                    }
                    index[axis] -= size;
                }
                unreachable!("an index within the parts")
            };
            check(&result, &sizes, expected, &format!("{parts:?} along {axis}"));
        }
    }
    for_all_sizes!(test);
}

#[test]
fn a_stack_has_the_parts_along_a_new_axis() {
    fn test<T: Element>(element: fn(u64) -> T) {
        let mut random = Random::new(2);
        for _ in 0..CASES {
            let mut sizes = random.sizes(0, 4);
            let axis = random.below(sizes.len() + 1);
            let parts: Vec<View<T>> =
                (0..1 + random.below(4)).map(|_| random.view(&sizes, element)).collect();
            let tensors = parts.iter().map(|part| &part.tensor);
            let result = DynTensor::stack(tensors, axis as isize).unwrap();
            sizes.insert(axis, parts.len());
            let expected = |index: &[usize]| {
                let mut index = index.to_vec();
                let part = index.remove(axis);
                parts[part].at(&index)
            };
            check(&result, &sizes, expected, &format!("{parts:?} along {axis}"));
        }
    }
    for_all_sizes!(test);
}

/// Maps an index that may be out of range into an axis of `size` elements: by definition, step by
/// step.
fn inside<T>(mut index: isize, size: usize, padding: &Padding<T>) -> Option<usize> {
    let size = size as isize;
    while !(0..size).contains(&index) {
        index = match padding {
            Padding::Constant(_) => return None,
            Padding::Edge => index.clamp(0, size - 1),
            Padding::Reflect if size == 1 => 0,
            Padding::Reflect if index < 0 => -index,
            Padding::Reflect => 2 * (size - 1) - index,
            Padding::Symmetric if index < 0 => -1 - index,
            Padding::Symmetric => 2 * size - 1 - index,
            Padding::Wrap if index < 0 => index + size,
            Padding::Wrap => index - size,
        };
    }
    Some(index as usize)
}

#[test]
fn padding_goes_on_as_its_name_says() {
    fn test<T: Element>(element: fn(u64) -> T) {
        let mut random = Random::new(3);
        for case in 0..2 * CASES {
            let sizes = random.sizes(0, 3);
            let x = random.view(&sizes, element);
            let constant = element(7);
            let padding = match case % 5 {
                0 => Padding::Constant(constant),
                1 => Padding::Edge,
                2 => Padding::Reflect,
                3 => Padding::Symmetric,
                _ => Padding::Wrap,
            };
            let amounts: Vec<[isize; 2]> = sizes
                .iter()
                .map(|&size| {
                    let mut amount = || random.below(9) as isize - 2;
                    let amounts = [amount(), amount()];
                    let cropped = -(amounts[0].min(0) + amounts[1].min(0));
                    let has_none = size == 0 && case % 5 != 0;
                    if has_none || cropped > size as isize { [0, 0] } else { amounts }
                })
                .collect();
            let result = x.tensor.pad(&amounts, padding).unwrap();
            let padded: Vec<usize> = sizes
                .iter()
                .zip(&amounts)
                .map(|(&size, [before, after])| (size as isize + before + after) as usize)
                .collect();
            let expected = |index: &[usize]| {
                let places = index.iter().zip(&sizes).zip(&amounts);
                let index: Option<Vec<usize>> = places
                    .map(|((&index, &size), amounts)| {
                        inside(index as isize - amounts[0], size, &padding)
                    })
                    .collect();
                index.map_or(constant, |index| x.at(&index))
            };
            check(&result, &padded, expected, &format!("{x:?} {amounts:?} {padding:?}"));
        }
    }
    for_all_sizes!(test);
}

/// More than what is filled at once.
#[test]
fn padding_of_large_tensors() {
    let x = DynTensor::from_fn(&[3, 50, 70], |index| {
        (index[0] * 10_000 + index[1] * 100 + index[2]) as i32 + 1
    });
    for amounts in
        [[[1_isize, 2], [3, 1], [2, 5]], [[0, 0], [2, 0], [0, 1]], [[2, 1], [0, 0], [0, 0]]]
    {
        let sizes: Vec<usize> = x
            .sizes()
            .iter()
            .zip(&amounts)
            .map(|(&size, [before, after])| size + (before + after) as usize)
            .collect();
        let expected = |index: &[usize]| {
            let index: Option<Vec<usize>> = index
                .iter()
                .zip(&amounts)
                .map(|(&index, amounts)| index.checked_sub(amounts[0] as usize))
                .collect();
            index.and_then(|index| x.get(&index)).unwrap_or(-1)
        };
        let padded = x.pad(&amounts, Padding::Constant(-1)).unwrap();
        check(&padded, &sizes, expected, &format!("{amounts:?}"));
    }
}

#[test]
fn rolls_repeats_and_tiles_lead_back_to_the_source() {
    fn test<T: Element>(element: fn(u64) -> T) {
        let mut random = Random::new(4);
        for _ in 0..CASES {
            let sizes = random.sizes(1, 4);
            let axis = random.below(sizes.len());
            let x = random.view(&sizes, element);
            let at = |index: &[usize], along: usize| {
                let mut index = index.to_vec();
                index[axis] = along;
                x.at(&index)
            };

            let shift = random.below(13) as isize - 6;
            let result = x.tensor.roll(axis as isize, shift).unwrap();
            let rolled = |index: &[usize]| {
                let from = (index[axis] as isize - shift).rem_euclid(sizes[axis] as isize);
                at(index, from as usize)
            };
            check(&result, &sizes, rolled, &format!("{x:?} rolled by {shift} along {axis}"));

            let count = random.below(4);
            let result = x.tensor.repeat(axis as isize, count).unwrap();
            let mut longer = sizes.clone();
            longer[axis] *= count;
            let repeated = |index: &[usize]| at(index, index[axis] / count);
            check(&result, &longer, repeated, &format!("{x:?} repeated {count} along {axis}"));

            let counts: Vec<usize> = (0..sizes[axis]).map(|_| random.below(4)).collect();
            let result = x.tensor.repeat_each(axis as isize, &counts).unwrap();
            longer[axis] = counts.iter().sum();
            let from: Vec<usize> =
                (0..).zip(&counts).flat_map(|(index, &count)| vec![index; count]).collect();
            let repeated = |index: &[usize]| at(index, from[index[axis]]);
            check(&result, &longer, repeated, &format!("{x:?} repeated {counts:?} along {axis}"));

            let counts: Vec<usize> = (0..random.below(5)).map(|_| random.below(3)).collect();
            let result = x.tensor.tile(&counts).unwrap();
            let rank = sizes.len().max(counts.len());
            let aligned = |list: &[usize]| [&vec![1; rank - list.len()], list].concat();
            let (old, times) = (aligned(&sizes), aligned(&counts));
            let longer: Vec<usize> = old.iter().zip(&times).map(|(a, b)| a * b).collect();
            let tiled = |index: &[usize]| {
                let index: Vec<usize> = index.iter().zip(&old).map(|(a, b)| a % b).collect();
                x.at(&index[rank - sizes.len()..])
            };
            check(&result, &longer, tiled, &format!("{x:?} tiled {counts:?}"));
        }
    }
    for_all_sizes!(test);
}

#[test]
fn triangles_and_diagonals_are_0_elsewhere() {
    fn test<T: Element>(element: fn(u64) -> T) {
        let mut random = Random::new(5);
        for _ in 0..CASES {
            let sizes = random.sizes(2, 4);
            let x = random.view(&sizes, element);
            let k = random.below(11) as isize - 5;
            let below = |index: &[usize]| {
                let [.., row, column] = index else { unreachable!("two axes") };
                *column as isize - *row as isize
            };
            let keep = |kept: bool, index: &[usize]| if kept { x.at(index) } else { T::ZERO };
            let lower = |index: &[usize]| keep(below(index) <= k, index);
            check(&x.tensor.tril(k).unwrap(), &sizes, lower, &format!("{x:?} tril {k}"));
            let upper = |index: &[usize]| keep(below(index) >= k, index);
            check(&x.tensor.triu(k).unwrap(), &sizes, upper, &format!("{x:?} triu {k}"));

            let mut square = sizes.clone();
            square.push(sizes[sizes.len() - 1]);
            let diagonal = |index: &[usize]| match index {
                [index @ .., last] if index.last() == Some(last) => x.at(index),
                _ => T::ZERO,
            };
            let result = x.tensor.diag_embed().unwrap();
            check(&result, &square, diagonal, &format!("{x:?} diag_embed"));
        }
    }
    for_all_sizes!(test);
    let mut random = Random::new(6);
    for _ in 0..CASES {
        let sizes = random.sizes(2, 4);
        let x = random.view(&sizes, |bits| bits as i64);
        let (lead, [rows, columns]) = sizes.split_last_chunk::<2>().unwrap();
        let trace = |index: &[usize]| {
            let diagonal = 0..*rows.min(columns);
            diagonal.map(|i| x.at(&[index, &[i, i]].concat())).fold(0, i64::wrapping_add)
        };
        check(&x.tensor.trace().unwrap(), lead, trace, &format!("{x:?} trace"));
    }
}

#[test]
fn extreme_diagonals_and_shifts_are_no_overflow() {
    let x = DynTensor::from_fn(&[2, 3], |index| (index[0] * 3 + index[1]) as i32);
    assert_eq!(x.tril(isize::MAX).unwrap(), x);
    assert_eq!(x.triu(isize::MIN).unwrap(), x);
    assert_eq!(x.tril(isize::MIN).unwrap().to_vec(), [0; 6]);
    assert_eq!(x.triu(isize::MAX).unwrap().to_vec(), [0; 6]);
    assert_eq!(x.roll(1, isize::MIN).unwrap(), x.roll(1, isize::MIN.rem_euclid(3)).unwrap());
    assert_eq!(x.roll(1, isize::MAX).unwrap(), x.roll(1, isize::MAX.rem_euclid(3)).unwrap());
}

#[test]
fn refusals_say_what_is_wrong() {
    let x = DynTensor::full(&[2, 3], 1);
    let said = |result: Result<DynTensor<i32>, ShapeError>| result.unwrap_err().to_string();
    assert_eq!(
        said(x.concat(&DynTensor::full(&[3, 4], 1), 0)),
        "`concat`: tensor 1 has shape [3, 4], tensor 0 [2, 3]: all axes but axis 0 must be equal"
    );
    assert_eq!(
        said(x.concat(&DynTensor::full(&[2], 1), 0)),
        "`concat`: tensor 1 has shape [2], tensor 0 [2, 3]: all axes but axis 0 must be equal"
    );
    assert_eq!(said(x.concat(&x, 2)), "axis 2 is out of range for a tensor of rank 2");
    assert_eq!(
        said(DynTensor::concat_all(&[], 0)),
        "`concat` of no tensors: the sizes of the result come from the first one"
    );
    assert_eq!(
        said(DynTensor::stack([&x, &x, &DynTensor::full(&[3, 2], 1)], 0)),
        "`stack`: tensor 2 has shape [3, 2], tensor 0 [2, 3]: all axes must be equal"
    );
    assert_eq!(said(DynTensor::stack([&x], 3)), "axis 3 is out of range for a tensor of rank 3");
    assert_eq!(
        said(x.pad(&[[1, 1]], Padding::Edge)),
        "1 pairs of amounts were given where 2 are needed"
    );
    assert_eq!(
        said(x.pad(&[[0, 0], [-2, -2]], Padding::Edge)),
        "padding of -2 and -2 leaves less than nothing of axis 1, which has size 3"
    );
    assert_eq!(
        said(DynTensor::full(&[0], 1).pad(&[[1, 0]], Padding::Wrap)),
        "axis 0 has size 0: no element to pad with; `Padding::Constant` needs none"
    );
    assert_eq!(said(x.repeat_each(1, &[1, 2])), "2 counts were given where 3 are needed");
    assert_eq!(
        said(DynTensor::scalar(1).tril(0)),
        "`tril` takes a tensor of rank 2 or more, not of rank 0"
    );
    assert_eq!(
        said(DynTensor::scalar(1).diag_embed()),
        "`diag_embed` takes a tensor of rank 1 or more, not of rank 0"
    );
}

/// Sizes whose products and sums are no numbers of this machine.
#[test]
fn results_that_no_memory_holds_are_errors() {
    const HALF: usize = 1 << (usize::BITS / 2);
    let long = DynTensor::full(&[1], 1_u8).expand(&[isize::MAX as usize]).unwrap();
    let too_large = |result: Result<DynTensor<u8>, ShapeError>| {
        assert!(matches!(result, Err(ShapeError::TooLarge { .. })), "{:?}", result.map(|_| ()));
    };
    // The error has the sizes of the result.
    let sizes = |result: Result<DynTensor<u8>, ShapeError>| match result.map(|_| ()) {
        Err(ShapeError::TooLarge { sizes }) => sizes,
        other => panic!("{other:?}"),
    };
    let twice = vec![2 * isize::MAX as usize];
    assert_eq!(sizes(long.concat(&long, 0)), twice);
    assert_eq!(sizes(long.repeat(0, 2)), twice);
    assert_eq!(sizes(long.tile(&[2])), twice);
    too_large(DynTensor::stack([&long, &long], 0));
    too_large(long.tile(&[HALF, HALF]));
    too_large(long.diag_embed());
    too_large(long.pad(&[[1, 0]], Padding::Constant(0)));
    too_large(long.pad(&[[isize::MAX, isize::MAX]], Padding::Edge));
    too_large(DynTensor::full(&[2], 1).repeat_each(0, &[usize::MAX, 2]));
    // And there is nothing to hold where a size is 0.
    let empty = DynTensor::full(&[0, HALF], 1_u8);
    assert_eq!(empty.tile(&[HALF, 1]).unwrap().sizes(), [0, HALF]);
    let padded = empty.pad(&[[0, 0], [HALF as isize, 0]], Padding::Wrap);
    assert_eq!(padded.unwrap().sizes(), [0, 2 * HALF]);
}
