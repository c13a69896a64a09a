//! Operations by indices, orders, counts.

use tensor_core::{Float, Tensor, dim, shape, slice, tensor};

use super::check::Check;
use super::{Found, Rows, cases, integers, methods, numbers, numbers_shaped};

pub fn cases<T: Float>(check: &mut Check) {
    let (x, rows) = (numbers::<shape![4, 3], T>(), tensor![[1_i64, -1], [0, 1]]);
    cases! { check, (rows, x.clone());
        "embedding", |(rows, x)| x.embedding(rows).unwrap();
        "take", |(rows, x)| (x.take::<0, _>(rows).unwrap(), x.take::<-1, _>(tensor![2, 0, 2]).unwrap());
        "take one", |(rows, x)| x.take::<0, _>(rows.index::<0>(0).index::<0>(1)).unwrap();
        "one_hot", |(rows, _)| rows.abs().one_hot::<dim!(3), T>().unwrap();
        "one_hot_shaped", |(rows, _)| rows.abs().one_hot_shaped::<Rows, bool>(Rows(4)).unwrap();
    }
    let (columns, values) =
        (tensor![[0_i64, 1], [-1, 1], [2, 2], [0, -3]], numbers::<shape![4, 2], T>());
    macro_rules! changes {
        ($($name:ident)*) => {
            cases! { check, (columns.clone(), x.clone(), values.clone()); $(
                stringify!($name), |(columns, x, values)| x.$name::<-1, _>(columns, values).unwrap();
            )* }
        };
    }
    changes! { scatter scatter_add scatter_max scatter_min scatter_mul }
    cases! { check, (columns, x.clone(), values);
        "take_along_axis", |(columns, x, _)| x.take_along_axis::<-1, _>(columns).unwrap();
        "index_add", |(columns, x, values)| x.index_add::<1, _>(&columns.index::<0>(0), values).unwrap();
        "index_copy", |(columns, x, values)| x.index_copy::<1, _>(&columns.index::<0>(0), values).unwrap();
        "index_add repeated", |(columns, x, values)| x.index_add::<1, _>(&columns.index::<0>(2), values).unwrap();
    }
    cases! { check, x.clone();
        "histogram", |x| x.histogram::<dim!(5)>(-1.0..=1.0);
        "histogram_shaped", |x| x.histogram_shaped(Rows(3), -1.0..=1.0);
        "isin", |x| x.isin(&x.slice(slice![1..3, 1]));
        "kthvalue", |x| (x.kthvalue::<0>(2), x.kthvalue::<-1>(2));
        "topk", |x| (x.topk::<-1, dim!(2)>(), x.topk::<0, dim!(4)>());
        "topk_shaped", |x| x.topk_shaped::<0, _>(Found(3));
        "topk_smallest", |x| (x.topk_smallest::<-1, dim!(2)>(), x.topk_smallest::<0, dim!(1)>());
        "topk_smallest_shaped", |x| x.topk_smallest_shaped::<-1, _>(Found(1));
    }
    let sorted: Tensor<shape![5], T> = Tensor::linspace(T::from_f64(-1.0), T::from_f64(1.0));
    cases! { check, (sorted, x);
        "searchsorted", |(sorted, x)| sorted.searchsorted(x);
        "searchsorted_right", |(sorted, x)| sorted.searchsorted_right(x);
    }
    cases! { check, integers::<shape![3, 4]>();
        "bincount", |x| x.abs().bincount::<dim!(4)>().unwrap();
        "bincount_shaped", |x| x.abs().bincount_shaped(Rows(5)).unwrap();
        "isin integers", |x| (x.isin(&tensor![1, -3]), x.histogram::<dim!(3)>(-3.0..=3.0));
        "topk integers", |x| (x.topk::<-1, dim!(2)>(), x.kthvalue::<0>(1));
        "take integers", |x| x.take::<1, _>(tensor![1, -1]).unwrap();
        "scatter_add integers", |x| {
            x.scatter_add::<0, _>(tensor![[1, 2, 1, 0]], &x.slice(slice![..1])).unwrap()
        };
    }
    let named = numbers_shaped::<shape![Rows, 3], T>(shape![Rows(4), 3]);
    methods! { check, named.clone(); argsort 0; argmax_axis 0; sort 0; }
    cases! { check, named;
        "take named", |x| x.take::<0, _>(tensor![3, -1, 0]).unwrap();
        "topk named", |x| x.topk::<1, dim!(2)>();
    }
}
