//! Concatenation of tensors along an axis.

use super::MoveSource;
use super::writer::Writer;

/// Writes the parts concatenated along `axis`; their sizes differ along this axis alone.
pub(super) fn write<B: Copy>(writer: &mut Writer<'_, B>, parts: &[MoveSource<'_, B>], axis: usize) {
    let Some(first) = parts.first() else { return };
    // Each part has a single element at a time.
    let single = parts.iter().all(|part| part.sizes[axis..].iter().product::<usize>() == 1);
    let offset_of = |part: &MoveSource<'_, B>, index: &[usize]| {
        let steps = index.iter().zip(&part.strides);
        part.offset + steps.map(|(&index, stride)| index as isize * stride).sum::<isize>()
    };
    if single && axis > 0 {
        return interleave(writer, parts, axis);
    }
    first.for_each_outer(axis, |index, _| {
        for part in parts {
            part.write(writer, axis, offset_of(part, index));
        }
    });
}

/// Interleaves parts that have one element for each index of the axes before `axis`.
fn interleave<B: Copy>(writer: &mut Writer<'_, B>, parts: &[MoveSource<'_, B>], axis: usize) {
    let row = axis - 1;
    let (columns, first) = (parts[0].sizes[row], &parts[0]);
    first.for_each_outer(row, |index, _| {
        let starts: Vec<(&[B], isize, isize)> = parts
            .iter()
            .map(|part| {
                let steps = index.iter().zip(&part.strides);
                let moved = steps.map(|(&index, stride)| index as isize * stride).sum::<isize>();
                (part.elements, part.offset + moved, part.strides[row])
            })
            .collect();
        writer.interleave(&starts, columns);
    });
}
