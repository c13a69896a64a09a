//! The items of this crate that `tensor-core` uses, in their modules. Not for other crates: it changes with every
//! version.
//!
//! Functions and traits that can break memory safety are `unsafe`. Sizes, strides and storage are not trusted to fit
//! each other: kernels compare them with the memory of their operands, and panic.

/// Whether there are 16-bit floats.
pub const HALF: bool = cfg!(feature = "half");

pub mod array {
    pub mod array_ref {
        pub use crate::array::array_ref::*;
    }
    pub mod dynamic {
        pub use crate::array::dynamic::*;
        pub mod einsum {
            pub mod contraction {
                pub use crate::array::dynamic::einsum::contraction::*;
            }
        }
        pub mod length_error {
            pub use crate::array::dynamic::length_error::*;
        }
        pub mod ranges {
            pub use crate::array::dynamic::ranges::*;
        }
        pub mod rearrange {
            pub use crate::array::dynamic::rearrange::*;
        }
        pub mod slicing {
            pub use crate::array::dynamic::slicing::*;
        }
    }
    pub mod equality {
        pub use crate::array::equality::*;
    }
    pub mod evaluate {
        pub use crate::array::evaluate::*;
    }
    pub mod gradients {
        pub use crate::array::gradients::*;
    }
    pub mod history {
        pub use crate::array::history::*;
        pub mod parts {
            pub use crate::array::history::parts::*;
        }
    }
    pub mod iter {
        pub use crate::array::iter::*;
    }
    pub mod kernel {
        pub mod caches {
            pub use crate::array::kernel::caches::{bypass_from, set_sizes, sizes};
        }
        pub mod parallel {
            pub use crate::array::kernel::parallel::for_each_part_weighted;
        }
        pub mod chunk {
            pub use crate::array::kernel::chunk::*;
        }
        pub mod closure {
            pub use crate::array::kernel::closure::*;
        }
        pub mod division {
            pub use crate::array::kernel::division::*;
        }
        pub mod elementwise {
            pub use crate::array::kernel::elementwise::*;
        }
        pub mod isa_fns {
            pub use crate::array::kernel::isa_fns::*;
        }
        pub mod matmul {
            pub use crate::array::kernel::matmul::*;
        }
    }
    pub mod layout {
        pub use crate::array::layout::*;
        pub mod graph {
            pub use crate::array::layout::graph::*;
        }
    }
    pub mod plan {
        pub use crate::array::plan::*;
    }
    pub mod recording {
        pub use crate::array::recording::*;
    }
    pub mod rows {
        pub use crate::array::rows::*;
    }
    pub mod static_calls {
        pub use crate::array::static_calls::call_product;
    }
    pub mod storage {
        pub use crate::array::storage::*;
    }
    pub mod trace {
        pub use crate::array::trace::*;
        pub mod program {
            pub use crate::array::trace::program::*;
        }
        pub mod stablehlo {
            pub use crate::array::trace::stablehlo::*;
        }
    }
}
pub mod display {
    pub use crate::display::*;
}
pub mod element {
    pub use crate::element::*;
    pub mod functions {
        pub use crate::element::functions::*;
    }
    pub mod number {
        pub use crate::element::number::*;
    }
    pub mod operation {
        pub use crate::element::operation::*;
    }
    pub mod scalar {
        pub use crate::element::scalar::*;
    }
}
#[cfg(any(feature = "nalgebra", feature = "ndarray"))]
pub mod interop {
    #[cfg(feature = "nalgebra")]
    pub mod nalgebra {
        pub use crate::interop::nalgebra::*;
    }
    #[cfg(feature = "ndarray")]
    pub mod ndarray {
        pub use crate::interop::ndarray::*;
    }
}
#[cfg(feature = "files")]
pub mod io {
    pub use crate::io::*;
    pub mod bytes {
        pub use crate::io::bytes::*;
    }
    pub mod new_file {
        pub use crate::io::new_file::*;
    }
}
pub mod ops {
    pub use crate::ops::*;
    pub mod elements {
        pub use crate::ops::elements::*;
        #[cfg(feature = "half")]
        pub mod types {
            pub use crate::ops::elements::types::*;
        }
    }
    pub mod matmul {
        pub use crate::ops::matmul::*;
    }
    pub mod reductions {
        pub use crate::ops::reductions::*;
    }
}
pub mod sizes {
    pub use crate::sizes::*;
    pub mod count {
        pub use crate::sizes::count::*;
    }
    pub mod error {
        pub use crate::sizes::error::*;
    }
    pub mod index_error {
        pub use crate::sizes::index_error::*;
    }
    pub mod inferred {
        pub use crate::sizes::inferred::*;
    }
    pub mod slicing {
        pub use crate::sizes::slicing::*;
    }
    pub mod window_options {
        pub use crate::sizes::window_options::*;
    }
}
