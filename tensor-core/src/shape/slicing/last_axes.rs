//! Permutations of the last axes: `axes![..., -1, -2]` keeps the axes before them.

use crate::shape::axis_index::{AxisIndex, FromEnd};
use crate::shape::reshape::{Append, SplitAtAxis};
use crate::shape::views::{Permute, Permuted};
use crate::shape::{Shape, Sizes};

/// All axes that a list does not name: `...` in [`axes!`](crate::axes!).
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct UnlistedAxes;

/// A list of axis indices, as a type: `((UnlistedAxes, AxisIndex<-1>), AxisIndex<-2>)`.
macro_rules! list_of_axes {
    ($list:ty;) => { $list };
    ($list:ty; $I:ident $($more:ident)*) => { list_of_axes!(($list, AxisIndex<$I>); $($more)*) };
}

/// `[..lead, a, b, c] → [..lead, c, a, b]`. One impl for each number of axes.
macro_rules! permute_last {
    ($($count:literal $negative:literal: $($I:ident)*;)*) => {$(
        impl<S, Lead, Last, $(const $I: isize),*> Permute<list_of_axes!(UnlistedAxes; $($I)*)> for S
        where
            S: Shape + SplitAtAxis<FromEnd<$count>, $negative, -1, Leading = Lead, From = Last>,
            Lead: Shape,
            Last: Permute<list_of_axes!((); $($I)*)>,
            Lead: Append<Permuted<Last, list_of_axes!((); $($I)*)>, Output: Shape>,
        {
            type Output = <Lead as Append<Permuted<Last, list_of_axes!((); $($I)*)>>>::Output;

            fn permute(self) -> Permuted<Self, list_of_axes!(UnlistedAxes; $($I)*)> {
                let (lead, last) = self.split_before();
                lead.append(last.permute())
            }

            fn order(order: &mut Sizes) {
                let mut of_last = Sizes::new();
                <Last as Permute<list_of_axes!((); $($I)*)>>::order(&mut of_last);
                order.extend(0..Lead::RANK);
                order.extend(of_last.into_iter().map(|axis| axis + Lead::RANK));
            }
        }
    )*};
}

permute_last! {
    1 -1: I0;
    2 -2: I0 I1;
    3 -3: I0 I1 I2;
    4 -4: I0 I1 I2 I3;
    5 -5: I0 I1 I2 I3 I4;
    6 -6: I0 I1 I2 I3 I4 I5;
    7 -7: I0 I1 I2 I3 I4 I5 I6;
    8 -8: I0 I1 I2 I3 I4 I5 I6 I7;
}
