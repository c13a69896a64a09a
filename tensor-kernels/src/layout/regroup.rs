//! Strides for the same elements with other sizes.

use super::Strides;
use crate::plan::row_major_strides;

/// The strides that visit the elements in the same order with other sizes; `None` if there are none.
///
/// Both lists of sizes have the same product, which is not 0, as layouts of empty tensors are contiguous. They split into groups of equal
/// products, as `[2, 3 | 4, 5]` and `[6 | 20]`; the old axes of a group must be collapsible.
pub fn regroup(old: &[usize], strides: &[isize], new: &[usize]) -> Option<Strides> {
    // The strides of axes of size 1 are not used.
    let mut old = old.iter().zip(strides).filter(|(size, _)| **size != 1).rev().peekable();
    let mut regrouped = row_major_strides(new);
    // Rest of the current group: number of elements and their stride.
    let (mut left, mut step) = (1, 1);
    for (&size, stride) in new.iter().zip(&mut regrouped).rev() {
        if size == 1 {
            continue;
        }
        if left == 1 {
            let (&size, &stride) = old.next()?;
            (left, step) = (size, stride);
        }
        while left % size != 0 {
            let (&size, &stride) = old.next()?;
            if stride != step * left as isize {
                return None;
            }
            left *= size;
        }
        *stride = step;
        step *= size as isize;
        left /= size;
    }
    Some(regrouped)
}

#[cfg(test)]
mod tests {
    use super::regroup;
    use crate::plan::row_major_strides;

    /// Offsets of the elements in row-major order.
    fn walk(sizes: &[usize], strides: &[isize]) -> Vec<isize> {
        let Some((&size, sizes)) = sizes.split_first() else { return vec![0] };
        let (stride, inner) = (strides[0], walk(sizes, &strides[1..]));
        let step = |index: usize| inner.iter().map(move |at| index as isize * stride + at);
        (0..size).flat_map(step).collect()
    }

    /// All lists of up to four sizes from 1 to 6 with product `count`.
    fn shapes_of(count: usize) -> Vec<Vec<usize>> {
        let mut lists = vec![vec![]];
        let mut all = Vec::new();
        for _ in 0..=4 {
            all.extend(
                lists.iter().filter(|sizes| sizes.iter().product::<usize>() == count).cloned(),
            );
            let longer = |sizes: &Vec<usize>| {
                let sizes = sizes.clone();
                (1..=6).map(move |size| [&sizes[..], &[size]].concat())
            };
            lists = lists.iter().flat_map(longer).collect();
        }
        all
    }

    #[test]
    fn strides_are_found_exactly_where_there_are_any() {
        let (mut views, mut copies) = (0, 0);
        for count in [1, 2, 4, 6, 8, 12, 24] {
            let shapes = shapes_of(count);
            for old in &shapes {
                let plain = row_major_strides(old);
                // Row-major, with gaps, reversed, broadcast, and with every two axes swapped.
                let mut layouts = vec![plain.clone(), plain.iter().map(|stride| -stride).collect()];
                for axis in 0..old.len() {
                    for factor in [0, 2, 3] {
                        let mut strides = plain.clone();
                        strides[axis] *= factor;
                        layouts.push(strides);
                    }
                    for other in 0..axis {
                        let mut strides = plain.clone();
                        strides.swap(axis, other);
                        layouts.push(strides);
                    }
                }
                for (strides, new) in
                    layouts.iter().flat_map(|l| shapes.iter().map(move |s| (l, s)))
                {
                    let expected = walk(old, strides);
                    // The only candidate: the offset after the first step along each axis.
                    let candidate = new.iter().zip(row_major_strides(new));
                    let candidate: Vec<isize> = candidate
                        .map(|(&size, step)| if size == 1 { 0 } else { expected[step as usize] })
                        .collect();
                    match regroup(old, strides, new) {
                        Some(strides) => {
                            assert_eq!(walk(new, &strides), expected, "{old:?} to {new:?}");
                            views += 1;
                        }
                        None => {
                            assert_ne!(
                                walk(new, &candidate),
                                expected,
                                "{old:?} {strides:?} {new:?}"
                            );
                            copies += 1;
                        }
                    }
                }
            }
        }
        assert!(views > 10_000 && copies > 10_000, "{views} views, {copies} copies");
    }
}
