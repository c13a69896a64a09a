//! Slices, indices, parts and views with other axes, compared with nested loops, and other operations on
//! negative strides.

use crate::random_views::Random;
use tensor_core::slicing::{
    Diagonal, HasSlice, MoveAxis, MovedAxis, Sliceable, Sliced, SwapAxes, WindowsAlong,
};
use tensor_core::splitting::{ChunkAxis, SplitParts};
use tensor_core::{
    Axis, DynTensor, Shape, ShapeError, StaticAxis, StaticShape, Tensor, axes, axis, dim, shape,
    slice, tensor,
};

axis!(Batch, Rows, Seq, Kernel = 3);

const FOUR: usize = 4;

/// 0, 1, 2 … in any shape.
fn counting<S: StaticShape>() -> Tensor<S, i64> {
    counting_with(S::VALUE)
}

fn counting_with<S: Shape>(shape: S) -> Tensor<S, i64> {
    Tensor::from_vec_shaped(shape, (0..shape.num_elements() as i64).collect()).unwrap()
}

/// The elements of the rows and columns of a tensor of 10 rows and 6 columns.
fn expected(
    rows: impl IntoIterator<Item = i64>,
    columns: impl IntoIterator<Item = i64> + Clone,
) -> Vec<i64> {
    let row = |row: i64| columns.clone().into_iter().map(move |column| 6 * row + column);
    rows.into_iter().flat_map(row).collect()
}

#[test]
fn each_kind_of_part_has_its_shape_and_its_elements() {
    let x = counting::<shape![10, 6]>();
    let part: Tensor<shape![9, 4], _> = x.slice(slice![1.., 1..-1]);
    assert_eq!(part.to_vec(), expected(1..10, 1..5));
    let part: Tensor<shape![6], _> = x.slice(slice![-1]);
    assert_eq!(part.to_vec(), expected([9], 0..6));
    let part: Tensor<shape![6], _> = x.slice(slice![0, ..]);
    assert_eq!(part.to_vec(), expected([0], 0..6));
    let part: Tensor<shape![10], _> = x.slice(slice![..., 2]);
    assert_eq!(part.to_vec(), expected(0..10, [2]));
    let part: Tensor<shape![], _> = x.slice(slice![3, -2]);
    assert_eq!(part.item(), 22);
    let part: Tensor<shape![3, 6], _> = x.slice(slice![..; 4]);
    assert_eq!(part.to_vec(), expected([0, 4, 8], 0..6));
    let part: Tensor<shape![4, 6], _> = x.slice(slice![2..9; -2]);
    assert_eq!(part.to_vec(), expected([8, 6, 4, 2], 0..6));
    let part: Tensor<shape![4, 2], _> = x.slice(slice![..{ FOUR }, ..; -3]);
    assert_eq!(part.to_vec(), expected(0..4, [5, 2]));
    let part: Tensor<shape![3, 6], _> = x.slice(slice![{ FOUR }..-3]);
    assert_eq!(part.to_vec(), expected(4..7, 0..6));
    let part: Tensor<shape![3, 6], _> = x.slice(slice![-{ FOUR - 1 }..]);
    assert_eq!(part.to_vec(), expected(7..10, 0..6));
    let part: Tensor<shape![2, 6], _> = x.slice(slice![-5..-2; 2]);
    assert_eq!(part.to_vec(), expected([5, 7], 0..6));
    let part: Tensor<shape![5, 1], _> = x.slice(slice![2..=6, 5..=-1]);
    assert_eq!(part.to_vec(), expected(2..7, [5]));
    let part: Tensor<shape![0, 6], _> = x.slice(slice![10..]);
    assert!(part.is_empty());
    let part: Tensor<shape![10, 0], _> = x.slice(slice![.., 3..3; -1]);
    assert!(part.is_empty());
    let part: Tensor<shape![10, 3], _> = x.slice(slice![..., 2 * 1..2 + 3]);
    assert_eq!(part.to_vec(), expected(0..10, 2..5));
    let all: Tensor<shape![10, 6], _> = x.slice(slice![]);
    assert_eq!(all, x);
    assert_eq!(x.slice(slice![...]), x);
}

#[test]
fn parts_in_front_and_behind_the_rest() {
    let x = counting::<shape![3, 4, 5, 6]>();
    let part: Tensor<shape![2, 4, 5], _> = x.slice(slice![1.., ..., 0]);
    assert_eq!(part, x.slice(slice![1.., .., .., 0]));
    let part: Tensor<shape![4, 5, 3], _> = x.slice(slice![-1, ..., ..; 2]);
    assert_eq!(part, x.slice(slice![2]).slice(slice![.., .., ..; 2]));
    let part: Tensor<shape![3, 4, 2, 6], _> = x.slice(slice![..., 1..3, ..]);
    assert_eq!(part.to_vec(), x.slice(slice![.., .., 1..3]).to_vec());
}

#[test]
fn the_run_decides_indices_and_named_ranges() {
    let x = counting::<shape![10, 6]>();
    let (row, end) = (3, 7);
    let part: Tensor<shape![6], _> = x.slice(slice![row]);
    assert_eq!(part.to_vec(), expected([3], 0..6));
    let part: Tensor<shape![], _> = x.slice(slice![row + 1, x.sizes()[1] - 1]);
    assert_eq!(part.item(), 29);
    let part: Tensor<shape![Rows, 6], _> = x.slice(slice![Rows(row..end)]);
    assert_eq!(part.shape(), shape![Rows(4), 6]);
    assert_eq!(part.to_vec(), expected(3..7, 0..6));
    let part: Tensor<shape![Rows, 2], _> = x.slice(slice![Rows(row..; 3), 1..3]);
    assert_eq!(part.to_vec(), expected([3, 6, 9], 1..3));
    let part = x.slice(slice![Rows(..; -1)]);
    assert_eq!(part.to_vec(), expected((0..10).rev(), 0..6));
    let part = x.slice(slice![Rows(..=end)]);
    assert_eq!(part.to_vec(), expected(0..8, 0..6));
    // A named static axis has to have that size.
    let part: Tensor<shape![Kernel, 6], _> = x.slice(slice![Kernel(row..row + 3)]);
    assert_eq!(part.to_vec(), expected(3..6, 0..6));
}

#[test]
fn run_time_axes_are_kept_indexed_and_renamed() {
    let x = counting_with(shape![Batch(3), 4]);
    let part: Tensor<shape![Batch, 2], _> = x.slice(slice![.., 1..3]);
    assert_eq!(part.to_vec(), [1, 2, 5, 6, 9, 10]);
    let part: Tensor<shape![4], _> = x.slice(slice![1]);
    assert_eq!(part.to_vec(), [4, 5, 6, 7]);
    let part: Tensor<shape![4], _> = x.slice(slice![-1]);
    assert_eq!(part.to_vec(), [8, 9, 10, 11]);
    let part: Tensor<shape![Rows, 4], _> = x.slice(slice![Rows(..)]);
    assert_eq!(part.to_vec(), x.to_vec());
    let part: Tensor<shape![Batch, 4], _> = x.slice(slice![Batch(1..2)]);
    assert_eq!(part.to_vec(), [4, 5, 6, 7]);
    let part: Tensor<shape![Rows, 4], _> = x.slice_axis::<0, Rows>(1..);
    assert_eq!(part.to_vec(), [4, 5, 6, 7, 8, 9, 10, 11]);
}

/// The message of a panic.
fn message<R>(f: impl FnOnce() -> R + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(f).err().expect("a panic");
    panic.downcast_ref::<String>().expect("a message").clone()
}

#[test]
fn what_the_run_finds_out_of_range_panics_in_the_numbers_of_the_user() {
    let x = || counting_with(shape![Batch(3), 4]);
    let one = |index: usize| move || x().slice(slice![index]);
    assert_eq!(message(one(3)), "index 3 is out of range for axis 0 of size 3");
    let said = message(|| x().slice(slice![-4]));
    assert_eq!(said, "index -4 is out of range for axis 0 of size 3");
    let said = message(|| x().slice(slice![Rows(2..5)]));
    assert_eq!(said, "slice 2..5 is out of range for axis 0 of size 3");
    let said = message(|| x().slice(slice![.., Rows(5..)]));
    assert_eq!(said, "slice 5.. is out of range for axis 1 of size 4");
    #[expect(clippy::reversed_empty_ranges, reason = "the mistake")]
    let said = message(|| x().slice_axis::<0, Rows>(2..1));
    assert_eq!(said, "slice 2..1 is out of range for axis 0 of size 3");
    assert_eq!(message(|| x().index::<1>(4)), "index 4 is out of range for axis 1 of size 4");
    assert_eq!(x().get_index::<1>(4), None);
    assert!(message(|| x().slice(slice![Kernel(0..2)])).contains("has size 3 in the type, 2 in"));
    let both = || counting_with(shape![Batch(3), Seq(4)]);
    let said = message(|| both().slice(slice![.., Batch(2..)]));
    assert!(said.starts_with("`Batch` has size 3 and, at dimension 1, size 2"), "{said}");
}

fn trimmed<Lead: Shape>(x: &Tensor<shape![Lead.., 10], i64>) -> Tensor<shape![Lead.., 8], i64> {
    x.slice(slice![..., 1..-1])
}

fn row<A: Axis, B: Axis>(x: &Tensor<shape![A, B], i64>, index: usize) -> Tensor<shape![B], i64> {
    x.slice(slice![index])
}

type Tail = slice![..., 1..];

fn tail<S: Sliceable<Tail>>(x: &Tensor<S, i64>) -> Tensor<Sliced<S, Tail>, i64> {
    x.slice(slice![..., 1..])
}

fn differences<Lead: Shape, N: StaticAxis, M: StaticAxis>(
    x: &Tensor<shape![Lead.., N], i64>,
) -> Tensor<shape![Lead.., M], i64>
where
    shape![Lead.., N]: HasSlice<slice![..., 1..], Output = shape![Lead.., M]>
        + HasSlice<slice![..., ..-1], Output = shape![Lead.., M]>,
{
    x.slice(slice![..., 1..]) - x.slice(slice![..., ..-1])
}

fn swapped<Lead: Shape, A: Axis, B: Axis, C: Axis>(
    x: &Tensor<shape![Lead.., A, B, C], i64>,
) -> Tensor<shape![Lead.., C, B, A], i64> {
    x.swap_axes::<-1, -3>()
}

fn last_to_second<S: MoveAxis<-1, 1>>(x: &Tensor<S, i64>) -> Tensor<MovedAxis<S, -1, 1>, i64> {
    x.move_axis::<-1, 1>()
}

#[test]
fn generic_code_slices_behind_any_leading_axes() {
    let x = counting::<shape![2, 10]>();
    assert_eq!(trimmed(&x), x.slice(slice![.., 1..9]));
    assert_eq!(trimmed(&x.index::<0>(1)).to_vec(), (11..19).collect::<Vec<_>>());
    assert_eq!(row(&x, 1), x.index::<0>(1));
    let rest: Tensor<shape![2, 9], _> = tail(&x);
    assert_eq!(rest, x.slice(slice![.., 1..]));
    let steps: Tensor<shape![2, 9], _> = differences(&x);
    assert!(steps.iter().all(|&step| step == 1));
    let x = counting_with(shape![Batch(2), 3, Seq(4), 5]);
    assert_eq!(swapped(&x), x.permute::<axes![0, 3, 2, 1]>());
    assert_eq!(last_to_second(&x), x.permute::<axes![0, 3, 1, 2]>());
}

fn heads_in_front<Lead: Shape, A: Axis, B: Axis, C: Axis>(
    x: &Tensor<shape![Lead.., A, B, C], i64>,
) -> Tensor<shape![Lead.., B, C, A], i64> {
    x.permute::<axes![..., -2, -1, -3]>()
}

#[test]
fn the_last_axes_are_permuted_behind_any_leading_ones() {
    let x = counting_with(shape![Batch(2), 3, Seq(4), 5]);
    assert_eq!(heads_in_front(&x), x.permute::<axes![0, 2, 3, 1]>());
    let x = counting::<shape![3, 4, 5]>();
    assert_eq!(heads_in_front(&x), x.permute::<axes![1, 2, 0]>());
    assert_eq!(x.permute::<axes![..., -1]>(), x);
}

#[test]
fn views_with_other_axes_are_permutations_and_copies_of_nothing() {
    let x = counting::<shape![2, 3, 4]>();
    let swapped: Tensor<shape![4, 3, 2], _> = x.swap_axes::<0, -1>();
    assert_eq!(swapped, x.permute::<axes![2, 1, 0]>());
    assert_eq!(x.swap_axes::<1, 1>(), x);
    let moved: Tensor<shape![4, 2, 3], _> = x.move_axis::<-1, 0>();
    assert_eq!(moved, x.permute::<axes![2, 0, 1]>());
    let moved: Tensor<shape![3, 4, 2], _> = x.move_axis::<0, -1>();
    assert_eq!(moved, x.permute::<axes![1, 2, 0]>());
    let moved: Tensor<shape![3, 2, 4], _> = x.move_axis::<0, 1>();
    assert_eq!(moved, x.permute::<axes![1, 0, 2]>());
    let diagonal: Tensor<shape![3, 2], _> = x.diagonal::<0, 2>();
    assert_eq!(diagonal.to_vec(), [0, 13, 4, 17, 8, 21]);
    let square = counting_with(shape![Batch(2), 3, 3]);
    let diagonal: Tensor<shape![Batch, 3], _> = square.diagonal::<-2, -1>();
    assert_eq!(diagonal.to_vec(), [0, 4, 8, 9, 13, 17]);
    let windows: Tensor<shape![2, 2, 4, 2], _> = x.windows::<1, dim!(2)>();
    for (index, element) in windows.iter().enumerate() {
        let (i, j, k, w) = (index / 16, index / 8 % 2, index / 2 % 4, index % 2);
        assert_eq!(*element, x[[i, j + w, k]]);
    }
    let named: Tensor<shape![2, 3, 2, Kernel], _> = x.windows::<-1, Kernel>();
    assert_eq!(named.sum_axis::<-1>(), {
        let [first, second, third] =
            [x.slice(slice![..., ..2]), x.slice(slice![..., 1..3]), x.slice(slice![..., 2..])];
        first + second + third
    });
}

#[test]
fn parts_and_iteration_go_along_any_axis() {
    let x = counting::<shape![4, 6]>();
    let (a, b, c) = x.split::<1, shape![1, 2, 3]>();
    let (a, b, c): (Tensor<shape![4, 1], _>, Tensor<shape![4, 2], _>, Tensor<shape![4, 3], _>) =
        (a, b, c);
    assert_eq!(a, x.slice(slice![.., ..1]));
    assert_eq!(b, x.slice(slice![.., 1..3]));
    assert_eq!(c, x.slice(slice![.., 3..]));
    let (named, rest) = x.split::<-1, shape![Kernel, 3]>();
    let (named, _): (Tensor<shape![4, Kernel], _>, Tensor<shape![4, 3], _>) = (named, rest);
    assert_eq!(named.to_vec(), x.slice(slice![.., ..3]).to_vec());
    let halves: [Tensor<shape![4, 3], _>; 2] = x.chunk::<-1, 2>();
    assert_eq!(halves[1], c);
    let [whole] = x.chunk::<0, 1>();
    assert_eq!(whole, x);
    let columns = x.chunk::<1, 6>();
    assert_eq!(columns[5], x.slice(slice![.., 5..]));

    let mut rows = x.iter_axis::<0>();
    assert_eq!(rows.len(), 4);
    assert_eq!(rows.nth(1), Some(x.index::<0>(1)));
    assert_eq!(rows.next_back(), Some(x.index::<0>(3)));
    assert_eq!(rows.len(), 1);
    assert_eq!(rows.next(), Some(x.index::<0>(2)));
    assert_eq!((rows.next(), rows.next_back()), (None, None));
    let columns: Vec<i64> = x.iter_axis::<-1>().flat_map(Tensor::into_vec).collect();
    assert_eq!(columns, x.transpose().to_vec());

    let batches = x.chunks_axis::<1, Batch>(4);
    assert_eq!(batches.len(), 2);
    let sizes: Vec<_> = batches.clone().map(|batch| batch.shape()).collect();
    assert_eq!(sizes, [shape![4, Batch(4)], shape![4, Batch(2)]]);
    let mut backwards = batches.clone().rev();
    assert_eq!(backwards.next().unwrap().to_vec(), x.slice(slice![.., 4..]).to_vec());
    assert_eq!(backwards.next().unwrap().to_vec(), x.slice(slice![.., ..4]).to_vec());
    assert!(backwards.next().is_none());
    assert_eq!(x.chunks_axis::<0, Batch>(usize::MAX).len(), 1);
    let mut one = x.chunks_axis::<0, Batch>(usize::MAX);
    assert_eq!(one.next().unwrap().to_vec(), x.to_vec());
    assert!(one.next().is_none() && one.next_back().is_none());
}

#[test]
fn assignment_broadcasts_and_changes_no_other_tensor() {
    let mut x = counting::<shape![4, 6]>();
    let before = x.clone();
    let view = x.slice(slice![1..3]);
    x.assign_slice(slice![1.., ..; 2], tensor![100, 200, 300]);
    for ([i, j], new) in (0..4).flat_map(|i| (0..6).map(move |j| [i, j])).zip(x.iter()) {
        let old = before[[i, j]];
        let written = i > 0 && j % 2 == 0;
        assert_eq!(*new, if written { 100 * (j as i64 / 2 + 1) } else { old });
    }
    assert_eq!(before, counting());
    assert_eq!(view, before.slice(slice![1..3]));

    x.assign_slice(slice![...], 7);
    assert!(x.iter().all(|&element| element == 7));
    // Within a view, from a view that is turned around.
    let mut turned = counting::<shape![4, 6]>().transpose();
    turned.assign_slice(slice![2..5, 0], tensor![1, 2, 3].flip::<axes![0]>());
    assert_eq!(turned.index::<1>(0).to_vec(), [0, 1, 3, 2, 1, 5]);
    assert_eq!(turned.index::<1>(1).to_vec(), [6, 7, 8, 9, 10, 11]);
    // Backwards, an index, and nothing.
    turned.assign_slice(slice![..; -1, 3], tensor![10, 11, 12, 13, 14, 15]);
    assert_eq!(turned.index::<1>(3).to_vec(), [15, 14, 13, 12, 11, 10]);
    turned.assign_slice(slice![6.., 0], 99);
    turned.assign_slice(slice![0, 0], 42);
    assert_eq!(turned[[0, 0]], 42);
    // Named axes are compared.
    let mut rows = counting_with(shape![Batch(3), 2]);
    rows.assign_slice(slice![Rows(1..)], Tensor::full_shaped(shape![Rows(2), 2], 5));
    assert_eq!(rows.to_vec(), [0, 1, 5, 5, 5, 5]);
    let said = message(move || {
        let mut rows = rows;
        rows.assign_slice(slice![Rows(1..)], Tensor::full_shaped(shape![Rows(3), 2], 5));
    });
    assert!(said.contains("must match") && said.contains("Rows"), "{said}");
}

/// Elements in row-major order, and views of them by nested loops.
#[derive(Clone, Debug)]
struct Naive {
    sizes: Vec<usize>,
    elements: Vec<i64>,
}

impl Naive {
    /// The tensor of these sizes whose element at an index is the element here at another one.
    fn of(&self, sizes: Vec<usize>, from: impl Fn(&[usize]) -> Vec<usize>) -> Self {
        let count = sizes.iter().product();
        let elements = (0..count).map(|number: usize| {
            let (mut rest, mut index) = (number, vec![0; sizes.len()]);
            for axis in (0..sizes.len()).rev() {
                (index[axis], rest) = (rest % sizes[axis], rest / sizes[axis]);
            }
            let place = from(&index).iter().zip(&self.sizes).fold(0, |place, (i, n)| place * n + i);
            self.elements[place]
        });
        Self { elements: elements.collect(), sizes: sizes.clone() }
    }
}

fn check(x: &DynTensor<i64>, naive: &Naive, history: &[String]) {
    assert_eq!(x.sizes(), naive.sizes, "{history:?}");
    assert_eq!(x.to_vec(), naive.elements, "{history:?}");
    assert!(x.iter().eq(&naive.elements), "{history:?}");
    assert!(x.iter().rev().eq(naive.elements.iter().rev()), "{history:?}");
}

/// Views of views, each compared with nested loops.
#[test]
fn views_of_views_are_those_of_nested_loops() {
    let mut numbers = Random::new(7);
    for _ in 0..600 {
        let rank = numbers.below(4);
        let sizes: Vec<usize> = (0..rank).map(|_| numbers.below(6)).collect();
        let elements: Vec<i64> = (0..sizes.iter().product::<usize>() as i64).collect();
        let mut x = DynTensor::from_vec(&sizes, elements.clone()).unwrap();
        let mut naive = Naive { sizes, elements };
        let mut history = Vec::new();
        for _ in 0..4 {
            let sizes = naive.sizes.clone();
            if sizes.is_empty() {
                break;
            }
            let axis = numbers.below(sizes.len());
            let size = sizes[axis];
            let number = axis as isize;
            match numbers.below(6) {
                0 => {
                    let start = numbers.below(size + 1);
                    let end = start + numbers.below(size + 1 - start);
                    let step = [1, 2, 3, -1, -2, -4][numbers.below(6)];
                    let len = (end - start).div_ceil(isize::unsigned_abs(step));
                    // Bounds of either sign.
                    let signed = |bound: usize, flip: bool| match bound {
                        bound if flip && bound < size => bound as isize - size as isize,
                        bound => bound as isize,
                    };
                    let written = signed(start, numbers.below(2) == 0);
                    let end_written = match end == size && numbers.below(2) == 0 {
                        true => None,
                        false => Some(signed(end, numbers.below(2) == 0)),
                    };
                    history.push(format!("{axis}: {written}..{end_written:?}; {step}"));
                    x = x.slice_axis_step(number, written, end_written, step).unwrap();
                    let mut new = sizes.clone();
                    new[axis] = len;
                    naive = naive.of(new, |index| {
                        let mut index = index.to_vec();
                        let first = if step > 0 { start as isize } else { end as isize - 1 };
                        index[axis] = (first + index[axis] as isize * step) as usize;
                        index
                    });
                }
                1 => {
                    history.push(format!("flip {axis}"));
                    x = x.flip(&[number]).unwrap();
                    naive = naive.of(sizes, |index| {
                        let mut index = index.to_vec();
                        index[axis] = size - 1 - index[axis];
                        index
                    });
                }
                2 if size > 0 => {
                    let at = numbers.below(size);
                    history.push(format!("{axis} at {at}"));
                    x = x.index(number, at).unwrap();
                    let mut new = sizes;
                    new.remove(axis);
                    naive = naive.of(new, |index| {
                        let mut index = index.to_vec();
                        index.insert(axis, at);
                        index
                    });
                }
                3 => {
                    let other = numbers.below(sizes.len());
                    history.push(format!("swap {axis} {other}"));
                    x = x.swap_axes(number, other as isize).unwrap();
                    let mut new = sizes;
                    new.swap(axis, other);
                    naive = naive.of(new, |index| {
                        let mut index = index.to_vec();
                        index.swap(axis, other);
                        index
                    });
                }
                4 => {
                    let window = numbers.below(size + 1);
                    history.push(format!("windows {axis} of {window}"));
                    x = x.windows(number, window).unwrap();
                    let mut new = sizes;
                    new[axis] = size - window + 1;
                    new.push(window);
                    naive = naive.of(new, |index| {
                        let (last, index) = index.split_last().unwrap();
                        let mut index = index.to_vec();
                        index[axis] += last;
                        index
                    });
                }
                5 if sizes.len() > 1 => {
                    let other = (axis + 1) % sizes.len();
                    let offset = numbers.below(7) as isize - 3;
                    history.push(format!("diagonal {offset} of {axis} {other}"));
                    x = x.diagonal(offset, number, other as isize).unwrap();
                    let (up, down) = (offset.max(0) as usize, (-offset).max(0) as usize);
                    let (rows, columns) = (size, sizes[other]);
                    let mut new: Vec<usize> = (0..sizes.len())
                        .filter(|&place| place != axis && place != other)
                        .map(|place| sizes[place])
                        .collect();
                    new.push(rows.saturating_sub(down).min(columns.saturating_sub(up)));
                    naive = naive.of(new, |index| {
                        let (along, rest) = index.split_last().unwrap();
                        let mut rest = rest.iter();
                        let at = |place| match place {
                            place if place == axis => along + down,
                            place if place == other => along + up,
                            _ => *rest.next().unwrap(),
                        };
                        (0..sizes.len()).map(at).collect()
                    });
                }
                _ => {}
            }
            check(&x, &naive, &history);
        }
        // Results of other operations on it.
        let copy = DynTensor::from_vec(&naive.sizes, naive.elements.clone()).unwrap();
        assert_eq!(&x + &copy, &copy + &copy, "{history:?}");
        assert_eq!(x.sum(), copy.sum(), "{history:?}");
        assert_eq!(x.map(|x| 3 * x), copy.map(|x| 3 * x), "{history:?}");
        for axis in 0..x.rank() as isize {
            assert_eq!(x.sum_axis(axis), copy.sum_axis(axis), "{history:?}");
            assert_eq!(x.cumsum(axis), copy.cumsum(axis), "{history:?}");
        }
        if x.rank() >= 2 {
            let product = copy.matmul(&copy.transpose().unwrap());
            assert_eq!(x.matmul(&x.transpose().unwrap()), product, "{history:?}");
        }
        assert_eq!(x.flatten(), copy.flatten(), "{history:?}");
    }
}

/// Tensors large enough for tiles, threads and packing, with strides of either sign.
#[test]
fn large_views_with_negative_strides_go_through_every_kernel() {
    let numbers = |count: usize| (0..count).map(|n| (n * 7919 % 1009) as f32).collect::<Vec<_>>();
    let x = Tensor::<shape![300, 517]>::from_vec(numbers(300 * 517)).unwrap();
    let reversed = |rows: bool, columns: bool| {
        Tensor::<shape![300, 517]>::from_fn(|[i, j]| {
            x[[if rows { 299 - i } else { i }, if columns { 516 - j } else { j }]]
        })
    };
    for (view, copy) in [
        (x.flip::<axes![0]>(), reversed(true, false)),
        (x.flip::<axes![1]>(), reversed(false, true)),
        (x.flip::<axes![0, 1]>(), reversed(true, true)),
    ] {
        assert_eq!(view, copy);
        assert_eq!(&view + &x, &copy + &x);
        assert_eq!(view.exp(), copy.exp());
        assert_eq!(view.sum_axis::<0>(), copy.sum_axis::<0>());
        assert_eq!(view.sum_axis::<1>(), copy.sum_axis::<1>());
        assert_eq!(view.max_axis::<1>(), copy.max_axis::<1>());
        assert_eq!(view.argmax_axis::<0>(), copy.argmax_axis::<0>());
        assert_eq!(view.softmax::<-1>(), copy.softmax::<-1>());
        assert_eq!(view.cumsum::<0>(), copy.cumsum::<0>());
        assert_eq!(view.transpose().contiguous(), copy.transpose().contiguous());
        assert_eq!(view.matmul(&view.transpose()), copy.matmul(&copy.transpose()));
        assert_eq!(view.slice(slice![1..; 3, ..; -2]), copy.slice(slice![1..; 3, ..; -2]));
        assert_eq!(view.slice(slice![.., 1..]).contiguous(), copy.slice(slice![.., 1..]));
        assert_eq!(view.flatten(), copy.flatten());
    }
}

#[test]
fn dynamic_slices_take_bounds_of_the_run_and_refuse_what_is_out_of_range() {
    let x = DynTensor::from(counting::<shape![4, 6]>());
    let (start, end) = (1, 3);
    assert_eq!(x.slice(slice![start..end, ..; -2]).unwrap().to_vec(), [11, 9, 7, 17, 15, 13]);
    assert_eq!(x.slice(slice![..., start]).unwrap().to_vec(), [1, 7, 13, 19]);
    assert_eq!(x.slice(slice![Rows(..=end), 0]).unwrap().to_vec(), [0, 6, 12, 18]);
    let error = x.slice(slice![.., ..7]).unwrap_err();
    assert_eq!(error.to_string(), "slice 0..7 is out of range for axis 1 of size 6");
    let error = x.slice(slice![-5]).unwrap_err();
    assert_eq!(error, ShapeError::IndexOutOfRange { index: -5, axis: 0, size: 4 });
    let error = x.slice(slice![0, 0, 0]).unwrap_err();
    assert_eq!(error, ShapeError::TooManyParts { parts: 3, rank: 2 });
    let error = x.slice_axis_step(0, 0, None, 0).unwrap_err();
    assert_eq!(error, ShapeError::StepOfZero { axis: 0 });
    assert!(x.slice_axis_step(0, isize::MIN, None, 1).is_err());
    assert!(x.slice_axis_step(0, 0, Some(isize::MAX), 1).is_err());
    assert_eq!(x.slice_axis_step(0, 0, None, isize::MIN).unwrap().sizes(), [1, 6]);
    assert!(x.slice_axis(0, usize::MAX..).is_err());
    assert!(x.index(0, usize::MAX).is_err());
    let error = x.split(1, &[2, 3]).unwrap_err();
    assert!(error.to_string().contains("are 5 in all, and axis 1 has size 6"), "{error}");
    assert!(x.split(1, &[usize::MAX, 7]).is_err());
    let parts: Vec<_> = x.chunk(-1, 4).unwrap().iter().map(|part| part.sizes()[1]).collect();
    assert_eq!(parts, [2, 2, 2], "as PyTorch, which gives fewer parts");
    assert!(x.chunk(0, 0).is_err() && x.chunks_axis(0, 0).is_err());
    assert!(x.windows(0, 5).is_err());
    assert_eq!(x.windows(0, 4).unwrap().sizes(), [1, 6, 4]);
    assert!(x.diagonal(0, 1, -1).is_err());
    assert!(x.diagonal(9, 0, 1).unwrap().is_empty());
    let rows: Vec<_> = x.iter_axis(0).unwrap().rev().map(|row| row.to_vec()[0]).collect();
    assert_eq!(rows, [18, 12, 6, 0]);
    let mut y = x.clone();
    y.assign_slice(slice![1..3, 0], &tensor![5, 6].into()).unwrap();
    assert_eq!(y.index(1, 0).unwrap().to_vec(), [0, 5, 6, 18]);
    assert_eq!(x.index(1, 0).unwrap().to_vec(), [0, 6, 12, 18]);
    let unchanged = y.clone();
    assert!(y.assign_slice(slice![1..3, 0], &tensor![5, 6, 7].into()).is_err());
    assert!(y.assign_slice(slice![0, 0], &tensor![[5]].into()).is_err());
    assert_eq!(y, unchanged);
}

#[test]
fn a_part_in_one_piece_is_a_slice_of_memory() {
    let x = counting::<shape![8, 5]>();
    let rows = x.slice(slice![Rows(2..5)]);
    assert_eq!(rows.as_slice(), Some(&x.as_slice().unwrap()[10..25]));
    assert!(std::ptr::eq(rows.as_slice().unwrap(), &x.as_slice().unwrap()[10..25]));
    assert_eq!(x.index::<0>(3).as_slice(), Some(&x.as_slice().unwrap()[15..20]));
    assert_eq!(x.slice(slice![.., 1..]).as_slice(), None);
    let mut rows = rows;
    rows.as_mut_slice()[0] = -1;
    assert_eq!(x[[2, 0]], 10);
    assert_eq!(rows.reshape_shaped(shape![15])[[0]], -1);
    let again = x.slice(slice![3..]).slice(slice![1..3]).reshape::<shape![10]>();
    assert!(again.iter().eq(&(20..30).collect::<Vec<i64>>()));
}

/// Programs that must not compile: the macro makes a test of each pair of a type and a bound that
/// it does not satisfy.
mod refused {
    use super::*;

    macro_rules! assert_not {
        ($($S:ty: $bound:path;)*) => {$(
            const _: () = {
                trait Ambiguous<A> { fn item() {} }
                impl<T: ?Sized> Ambiguous<()> for T {}
                #[allow(dead_code)]
                struct Invalid;
                impl<T: ?Sized + $bound> Ambiguous<Invalid> for T {}
                let _ = <$S as Ambiguous<_>>::item;
            };
        )*};
    }

    assert_not! {
        shape![10, 6]: Sliceable<slice![11..]>;
        shape![10, 6]: Sliceable<slice![..11]>;
        shape![10, 6]: Sliceable<slice![..-11]>;
        shape![10, 6]: Sliceable<slice![-11..]>;
        shape![10, 6]: Sliceable<slice![6..-5]>;
        shape![10, 6]: Sliceable<slice![10]>;
        shape![10, 6]: Sliceable<slice![-11]>;
        shape![10, 6]: Sliceable<slice![.., 6]>;
        shape![10, 6]: Sliceable<slice![.., .., ..]>;
        shape![10, 6]: Sliceable<slice![..., .., .., ..]>;
        shape![Batch, 6]: Sliceable<slice![1..]>;
        shape![10, 6]: Sliceable<slice![2..12; 5]>;
        shape![0]: Sliceable<slice![0]>;
        shape![10, 6]: SplitParts<0, shape![3, 6]>;
        shape![10, 6]: SplitParts<0, shape![3, 8]>;
        shape![10, 6]: SplitParts<2, shape![3, 3]>;
        shape![Batch, 6]: SplitParts<0, shape![3, 3]>;
        shape![10, 6]: ChunkAxis<0, 3>;
        shape![10, 6]: ChunkAxis<0, 0>;
        shape![10, 6]: ChunkAxis<1, 4>;
        shape![10, 6]: WindowsAlong<0, dim!(11)>;
        shape![10, 6]: SwapAxes<0, 2>;
        shape![10, 6]: MoveAxis<0, 2>;
        shape![10, 6]: MoveAxis<-3, 0>;
        shape![10, 6]: Diagonal<0, 0>;
        shape![10, 6]: Diagonal<0, -2>;
        shape![10, 6]: Diagonal<0, 10000>;
    }
}
