//! Convolution, pooling, resampling, normalisation.

use tensor_core::windows::{
    Conv1dOptions, Conv2dOptions, Conv3dOptions, Interpolation, Pool1dOptions, Pool2dOptions,
    Pool3dOptions,
};
use tensor_core::{Float, shape, slice};

use super::check::Check;
use super::{Rows, cases, integers, numbers, numbers_shaped};

pub fn cases<T: Float>(check: &mut Check) {
    cases! { check, (numbers::<shape![2, 4, 7], T>(), numbers::<shape![6, 4, 3], T>());
        "conv1d", |(x, w)| x.conv1d(w, Conv1dOptions::new());
        "conv1d options", |(x, w)| x.conv1d(w, Conv1dOptions::new().stride::<2>().padding::<1>().dilation::<2>());
        "conv_transpose1d", |(x, w)| x.conv_transpose1d(&w.slice(slice![..4]), Conv1dOptions::new().stride::<2>());
    }
    cases! { check, (numbers::<shape![2, 4, 5, 6], T>(), numbers::<shape![4, 2, 3, 2], T>());
        "conv2d", |(x, w)| x.conv2d(w, Conv2dOptions::new().padding::<1>().groups::<2>());
        "conv_transpose2d", |(x, w)| x.conv_transpose2d(w, Conv2dOptions::new().stride::<2>().padding::<1>());
    }
    cases! { check, (numbers::<shape![2, 3, 4, 3], T>(), numbers::<shape![2, 2, 2, 2, 2], T>());
        "conv3d", |(x, w)| x.conv3d(w, Conv3dOptions::new());
        "conv_transpose3d", |(x, w)| x.conv_transpose3d(w, Conv3dOptions::new());
        "avg_pool3d", |(x, _)| x.avg_pool3d(Pool3dOptions::new::<2>().stride::<1>());
        "max_pool3d", |(x, _)| x.max_pool3d(Pool3dOptions::new::<2>().stride::<1>());
    }
    cases! { check, numbers::<shape![2, 4, 6], T>();
        "adaptive_avg_pool", |x| x.adaptive_avg_pool::<shape![3, 4]>();
        "avg_pool1d", |x| x.avg_pool1d(Pool1dOptions::new::<3>().stride::<2>().padding::<1>());
        "avg_pool2d", |x| x.avg_pool2d(Pool2dOptions::new::<2>().padding::<1>().count_include_pad(false));
        "batch_norm_training", |x| x.batch_norm_training::<1>(1e-5);
        "group_norm", |x| x.group_norm::<-2, 2>(1e-5);
        "instance_norm", |x| x.instance_norm::<-2>(1e-5);
        "interpolate", |x| x.interpolate::<shape![5, 9]>(Interpolation::Bilinear);
        "interpolate corners", |x| x.interpolate::<shape![7]>(Interpolation::BilinearAlignCorners);
        "interpolate nearest", |x| x.interpolate::<shape![3, 9]>(Interpolation::Nearest);
        "max_pool1d", |x| x.max_pool1d(Pool1dOptions::new::<3>().stride::<2>().padding::<1>());
        "max_pool2d", |x| x.max_pool2d(Pool2dOptions::new::<2>().stride::<1>());
    }
    cases! { check, (numbers::<shape![4], T>().square(), numbers::<shape![2, 4, 6], T>(), numbers::<shape![4], T>());
        "batch_norm", |(variance, x, mean)| x.batch_norm::<1>(mean, variance, 1e-5);
    }
    cases! { check, numbers_shaped::<shape![Rows, 4, 6], T>(shape![Rows(2), 4, 6]);
        "max_pool1d named", |x| x.max_pool1d(Pool1dOptions::new::<3>());
        "group_norm named", |x| x.group_norm::<1, 2>(1e-5);
    }
    cases! { check, (integers::<shape![2, 7]>(), integers::<shape![3, 2, 3]>());
        "conv1d integers", |(x, w)| x.conv1d(w, Conv1dOptions::new().same());
        "max_pool1d integers", |(x, _)| x.max_pool1d(Pool1dOptions::new::<2>());
    }
}
