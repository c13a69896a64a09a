//! Views of a part of a tensor, and moves of elements along axes.

use super::operation::operation_rows;

operation_rows! {
    topic "Slices" {
        slice: 1 "Element" "ndarray.__getitem__" "Tensor.__getitem__" "slice";
        slice_axis: 1 "Element" "ndarray.__getitem__" "narrow" "dynamic_slice";
        index: 1 "Element" "ndarray.__getitem__" "select" "dynamic_slice";
        assign_slice: 2 "Element" "ndarray.__setitem__" "Tensor.__setitem__" "dynamic_update_slice";
        iter_axis: 1 "Element" "unstack" "unbind" "slice";
        chunks_axis: 1 "Element" "array_split" "Tensor.split" "slice";
        split: 1 "Element" "split" "split" "slice";
        chunk: 1 "Element" "split" "chunk" "slice";
    }
    topic "Views with other axes" {
        flip: 1 "Element" "flip" "flip" "reverse";
        swap_axes: 1 "Element" "swapaxes" "swapaxes" "transpose";
        move_axis: 1 "Element" "moveaxis" "movedim" "transpose";
        diagonal: 1 "Element" "diagonal" "diagonal" "gather";
        windows: 1 "Element" "lib.stride_tricks.sliding_window_view" "Tensor.unfold" "gather";
    }
}
