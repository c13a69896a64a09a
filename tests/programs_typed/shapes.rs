//! Views, joins, and axes that are known at run time.

use tensor_core::{Float, Padding, Tensor, axes, dim, rearrange, shape, slice};

use super::check::Check;
use super::{Columns, Rows, cases, integers, mask, methods, number, numbers, numbers_shaped};

tensor_core::axis!(Merged, Parts);

pub fn cases<T: Float>(check: &mut Check) {
    views::<T>(check);
    joins::<T>(check);
    named::<T>(check);
}

fn views<T: Float>(check: &mut Check) {
    let x = numbers::<shape![3, 4], T>();
    let times = number::<T>(2.0);
    methods! { check, x.clone(); contiguous; flatten; flatten_axes 0 1; transpose; unsqueeze 1; }
    // A view that is an output, and one that is read.
    macro_rules! views {
        ($x:expr; $($name:literal, |$y:ident| $view:expr;)*) => {
            cases! { check, $x; $($name, |$y| ($view, $view * times);)* }
        };
    }
    views! { x.clone();
        "contiguous", |x| x.transpose().contiguous();
        "diagonal", |x| x.diagonal::<0, 1>();
        "expand", |x| x.expand::<shape![2, 3, 4]>();
        "flatten", |x| x.transpose().flatten();
        "flip", |x| x.flip::<axes![0]>();
        "flip both", |x| x.flip::<axes![0, -1]>();
        "index", |x| x.index::<1>(2);
        "get_index", |x| x.get_index::<0>(1).unwrap();
        "move_axis", |x| x.move_axis::<-1, 0>();
        "permute", |x| x.permute::<axes![1, 0]>();
        "rearrange", |x| rearrange!(a (b c) -> c a b; x, b = 2);
        "reshape", |x| x.reshape::<shape![2, 6]>();
        "reshape of a view", |x| x.transpose().reshape::<shape![2, 6]>();
        "slice", |x| x.slice(slice![1.., ..; 2]);
        "slice one", |x| x.slice(slice![-1, 1..3]);
        "slice_axis", |x| x.slice_axis::<0, Rows>(1..3);
        "squeeze", |x| x.unsqueeze::<0>().squeeze::<0>();
        "swap_axes", |x| x.swap_axes::<0, 1>();
        "unflatten", |x| x.unflatten::<-1, shape![2, 2]>();
        "unsqueeze", |x| x.transpose().unsqueeze::<-1>();
        "windows", |x| x.windows::<-1, dim!(3)>();
    }
    cases! { check, x;
        "chunk", |x| { let [a, b] = x.chunk::<-1, 2>(); (b.exp(), a) };
        "chunks_axis", |x| x.chunks_axis::<0, Rows>(2).map(|part| part.exp()).collect::<Vec<_>>();
        "iter_axis", |x| x.iter_axis::<1>().rev().map(|part| part.exp()).collect::<Vec<_>>();
        "split", |x| { let (a, b) = x.split::<-1, shape![1, 3]>(); (b.exp(), a) };
    }
    let y = numbers::<shape![2, 3, 3], T>();
    cases! { check, y;
        "diag_embed", |x| x.diag_embed();
        "trace", |x| x.trace();
        "tril", |x| (x.tril(0), x.tril(-1), x.tril(1));
        "tril_or", |x| x.tril_or(0, number::<T>(-5.0));
        "triu", |x| (x.triu(0), x.triu(-1), x.triu(1));
    }
    cases! { check, (integers::<shape![3, 4]>(), mask::<shape![3, 4]>());
        "reshape integers", |(x, y)| (x.transpose().reshape::<shape![2, 6]>(), y.flip::<axes![1]>());
        "tril integers", |(x, y)| (x.tril(0), x.triu(1), y.tril(0), x.diag_embed());
    }
    cases! { check, numbers::<shape![2], T>();
        "transpose tiny", |x| (x.unsqueeze::<0>().transpose(), x.flip::<axes![0]>(), x.expand::<shape![2, 2]>());
    }
}

fn joins<T: Float>(check: &mut Check) {
    cases! { check, (numbers::<shape![3, 4], T>(), numbers::<shape![2, 4], T>());
        "assign_slice", |(x, y)| {
            let (mut a, mut b, mut c) = (x.clone(), x.clone(), y * number::<T>(2.0));
            a.assign_slice(slice![1..], y);
            b.assign_slice(slice![.., 1..3], number::<T>(7.0));
            c.assign_slice(slice![0], x.slice(slice![2]));
            (a, b, c)
        };
        "concat", |(x, y)| (x.concat::<0, _>(y), x.concat::<1, _>(x).exp());
        "concat_all", |(x, y)| {
            (Tensor::concat_all::<0, Rows>([x, x]), Tensor::concat_all::<1, Columns>(&vec![y.exp(); 3]))
        };
        "concat_array", |(x, _)| Tensor::concat_array::<-1, _>([x, &x.exp(), x]);
        "concat_tuple", |(x, y)| x.concat_tuple::<0, _>((y, x, &y.exp()));
        "meshgrid", |(x, y)| x.index::<0>(1).meshgrid(&y.index::<1>(0));
        "meshgrid_xy", |(x, y)| x.index::<0>(1).meshgrid_xy(&y.index::<1>(0));
        "repeat", |(x, _)| (x.repeat::<0, 2>(), x.repeat::<-1, 3>());
        "repeat_each", |(x, _)| x.repeat_each::<0, Rows>(&[2, 0, 3]);
        "roll", |(x, _)| (x.roll::<0>(1), x.roll::<-1>(-2));
        "stack", |(x, _)| (Tensor::stack::<0, _>([x, &x.exp()]), Tensor::stack::<-1, _>([x, x, x]));
        "stack_all", |(x, _)| Tensor::stack_all::<1, Rows>(&[x.clone(), x.exp()]);
        "tile", |(x, _)| (x.tile::<shape![2, 3]>(), x.tile::<shape![2, 1, 1]>());
    }
    check.case("diff", numbers::<shape![3, 4], T>(), |x| (x.diff::<0>(), x.diff::<-1>()));
    cases! { check, (integers::<shape![3, 4]>(), mask::<shape![2, 4]>());
        "concat integers", |(x, y)| (x.concat::<0, _>(x), y.concat::<1, _>(y), x.diff::<0>(), y.roll::<0>(1));
        "pad integers", |(x, y)| {
            let y = y.pad::<shape![0, 1], shape![1, 0]>(Padding::Edge);
            (x.pad::<shape![1, 1], shape![0, 0]>(Padding::Constant(9)), y)
        };
    }
    cases! { check, numbers::<shape![2], T>();
        "stack tiny", |x| (Tensor::stack::<0, _>([x, x]), x.concat::<0, _>(x), x.roll::<0>(1), x.repeat::<0, 2>());
    }
}

fn named<T: Float>(check: &mut Check) {
    let x = numbers_shaped::<shape![Rows, Columns], T>(shape![Rows(6), Columns(4)]);
    check.case("diff_as", x.clone(), |x| x.diff_as::<0, Parts>());
    cases! { check, x;
        "align_to", |x| x.align_to::<shape![Columns, Parts, Rows]>() * number::<T>(2.0);
        "concat_all named", |x| Tensor::concat_all::<0, Merged>([x, &x.exp()]);
        "expand_shaped", |x| x.expand_shaped(shape![Parts(2), Rows(6), Columns(4)]).exp();
        "flatten_axes_as", |x| (x.flatten_axes_as::<0, 1, Merged>(), x.transpose().flatten_axes_as::<0, 1, Merged>());
        "pad_as", |x| x.pad_as::<1, Merged>([2, 1], Padding::Reflect);
        "pad_as removes", |x| x.pad_as::<0, Merged>([-2, 3], Padding::Constant(number(9.0)));
        "rename_axis", |x| x.rename_axis::<1, Parts>().exp();
        "repeat_as", |x| x.repeat_as::<0, Merged>(3);
        "reshape_infer", |x| x.reshape_infer::<shape![Parts, 3]>().exp();
        "reshape_shaped", |x| x.reshape_shaped(shape![Parts(2), 12]).exp();
        "tile_as", |x| x.tile_as::<0, Merged>(2);
        "unflatten_as", |x| x.unflatten_as::<0, shape![Parts, 3]>().exp();
        "unflatten_shaped", |x| x.unflatten_shaped::<1, _>(shape![Parts(2), Merged(2)]).exp();
        "windows_as", |x| x.windows_as::<0, Parts, dim!(3)>(2);
        "windows named", |x| x.windows_as::<0, Parts, dim!(2)>(3).exp();
    }
}
