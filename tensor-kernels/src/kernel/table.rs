//! The kernels of the [table](crate::ops): an inner loop for each operation and element type, shared
//! by types for which the bits of the results are the same.
//!
//! Every kernel is a static of this crate, so that nothing is compiled in the user's crate, and unused
//! kernels are not linked.

use core::ptr::null;

use super::bits::{bits_of, bits_of_mut};
use super::inner_loop::{block1, block2, block3, contiguous1, contiguous2, contiguous3, copy_rows};
use super::isa_fns::{BASELINE_IS_RARE, IsaFns, LoopTargets, isa_fns};
#[cfg(feature = "half")]
use super::sixteen_bits;
use crate::assign::{AssignAxis, assign};
use crate::element::operation::{BinaryOp, ElementCost, UnaryOp, cast, clamp, select};
use crate::element::{CastTo, Element, Number};
use crate::ops::HasRow;
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;
use crate::ops::gradient_binary;
use crate::ops::{
    self, BinaryKernel, BitsBinary, BitsUnary, Block, CallPolicy, CastKernel, ContiguousLoop,
    ElementBinary, ElementMoves, FloatBinary, FloatUnary, GradientBinary, InnerLoop, IntegerBinary,
    Kernel, MultiplyAddPart, NumberBinary, NumberTernary, NumberUnary, Params, Recording,
    SignedUnary, TernaryKernel, UnaryKernel,
};
use crate::ops::{
    bits_binary, bits_unary, element_binary, float_binary, float_unary, integer_binary,
    number_binary, number_unary, signed_unary,
};

/// The number of elements of this many bytes that an inner loop computes at a time.
///
/// A cache line for operations of a few instructions; for others more than the compiler unrolls before
/// it looks for vectors.
const fn vector(cost: ElementCost, bytes: usize) -> usize {
    match cost {
        ElementCost::Cheap => 64 / bytes,
        ElementCost::Costly => 16,
        ElementCost::Scalar => 1,
    }
}

/// The number of elements at a time for the baseline: one, if that is rare.
const fn baseline_vector(vector: usize) -> usize {
    if BASELINE_IS_RARE { 1 } else { vector }
}

/// Whether AVX-512 pays for the inner loop of an operation with results of type `O`: not for a few instructions that load,
/// compute and store elements of one size, unless they are [contiguous](crate::ops::ContiguousLoops).
const fn avx512_pays<T: LoopTargets, O>(cost: ElementCost) -> bool {
    T::AVX512 && (matches!(cost, ElementCost::Costly) || size_of::<O>() != size_of::<T>())
}

/// A function that takes the number of elements of a vector as its last constant.
macro_rules! of_vector {
    ($function:ident::$isa_fns:ident::<$($G:ty),+>, $vector:expr) => {
        match $vector {
            1 => $function::$isa_fns::<$($G,)+ 1>(),
            2 => $function::$isa_fns::<$($G,)+ 2>(),
            4 => $function::$isa_fns::<$($G,)+ 4>(),
            8 => $function::$isa_fns::<$($G,)+ 8>(),
            16 => $function::$isa_fns::<$($G,)+ 16>(),
            32 => $function::$isa_fns::<$($G,)+ 32>(),
            64 => $function::$isa_fns::<$($G,)+ 64>(),
            _ => panic!("a vector has 1 to 64 elements"),
        }
    };
}

/// A function for the instruction sets that pay for elements of this type.
macro_rules! vectorized {
    ($function:ident::<$($G:ty),+>, $avx512:expr, $vector:expr, $baseline:expr) => {{
        let loops = if $avx512 {
            of_vector!($function::all::<$($G),+>, $vector)
        } else {
            of_vector!($function::up_to_avx2::<$($G),+>, $vector)
        };
        loops.with_baseline(of_vector!($function::baseline_only::<$($G),+>, $baseline))
    }};
}

const fn policy(cost: ElementCost) -> CallPolicy {
    match cost {
        ElementCost::Cheap => CallPolicy::Cheap,
        ElementCost::Costly | ElementCost::Scalar => CallPolicy::Costly,
    }
}

isa_fns! {
    /// The inner loop of a unary operation.
    unsafe fn unary[Op: UnaryOp<T>, T: Element; const L: usize](
        isa, _kernel: &Kernel<1>, _params: Params, block: &Block<1>
    ) as InnerLoop<1> {
        // SAFETY: as the caller promises.
        unsafe {
            block1::<T, Op::Output, L>(
                block,
                matches!(Op::COST, ElementCost::Cheap),
                #[inline(always)]
                |x| Op::apply(isa, x),
            )
        }
    }
    /// The inner loop of a binary operation.
    unsafe fn binary[Op: BinaryOp<T>, T: Element; const L: usize](
        isa, _kernel: &Kernel<2>, _params: Params, block: &Block<2>
    ) as InnerLoop<2> {
        // SAFETY: as the caller promises.
        unsafe {
            block2::<T, T, Op::Output, L>(
                block,
                // Three variants of a row, if they pay.
                T::IS_FLOAT && matches!(Op::COST, ElementCost::Cheap),
                #[inline(always)]
                |x, y| Op::apply(isa, x, y),
            )
        }
    }
    /// The inner loop of [`clamp`].
    unsafe fn clamp_elements[T: Number; const L: usize](
        _isa, _kernel: &Kernel<3>, _params: Params, block: &Block<3>
    ) as InnerLoop<3> {
        // SAFETY: as the caller promises.
        unsafe {
            block3::<T, T, T, T, L>(
                block,
                false,
                #[inline(always)]
                |x, low, high| clamp(x, low, high),
            )
        }
    }
    /// The inner loop of `a * b + c`, rounded after each operation.
    unsafe fn multiply_add[T: Number; const L: usize](
        _isa, _kernel: &Kernel<3>, _params: Params, block: &Block<3>
    ) as InnerLoop<3> {
        // SAFETY: as the caller promises.
        unsafe {
            block3::<T, T, T, T, L>(
                block,
                false,
                #[inline(always)]
                |a: T, b: T, c: T| a.mul(b).add(c),
            )
        }
    }
    /// The inner loop of [`select`], by the bits of the elements.
    unsafe fn select_elements[B: Element; const L: usize](
        _isa, _kernel: &Kernel<3>, _params: Params, block: &Block<3>
    ) as InnerLoop<3> {
        // SAFETY: as the caller promises; a `bool` is a byte, 0 or 1.
        unsafe {
            block3::<u8, B, B, B, L>(
                block,
                false,
                #[inline(always)]
                |mask, then, otherwise| select(mask != 0, then, otherwise),
            )
        }
    }
    /// The inner loop of [`Number::powi`], whose parameter is the exponent, an `i32`.
    unsafe fn powi[T: Number](
        _isa, _kernel: &Kernel<1>, params: Params, block: &Block<1>
    ) as InnerLoop<1> {
        // SAFETY: as the caller promises.
        let power = unsafe { *params.cast::<i32>() };
        // SAFETY: as the caller promises.
        unsafe { block1::<T, T, 1>(block, false, |x: T| x.powi(power)) }
    }
    /// The inner loop of [`cast`].
    unsafe fn cast_elements[T: CastTo<U>, U: Element; const L: usize](
        _isa, _kernel: &Kernel<1>, _params: Params, block: &Block<1>
    ) as InnerLoop<1> {
        // SAFETY: as the caller promises.
        unsafe {
            block1::<T, U, L>(
                block,
                true,
                #[inline(always)]
                |x| cast::<T, U>(x),
            )
        }
    }
}

isa_fns! {
    /// The contiguous loop of a unary operation.
    unsafe fn contiguous_unary[Op: UnaryOp<T>, T: Element; const L: usize](
        isa, out: *mut u8, len: usize, a: *const u8, _b: *const u8, _c: *const u8, _splats: u8
    ) as ContiguousLoop {
        // SAFETY: as the caller promises.
        unsafe {
            contiguous1::<T, Op::Output, L>(
                (out, len),
                (a.cast(),),
                0,
                #[inline(always)]
                |x| Op::apply(isa, x),
            )
        }
    }
    /// The contiguous loop of [`cast`].
    unsafe fn contiguous_cast[T: CastTo<U>, U: Element; const L: usize](
        _isa, out: *mut u8, len: usize, a: *const u8, _b: *const u8, _c: *const u8, _splats: u8
    ) as ContiguousLoop {
        // SAFETY: as the caller promises.
        unsafe {
            contiguous1::<T, U, L>(
                (out, len),
                (a.cast(),),
                0,
                #[inline(always)]
                |x| cast::<T, U>(x),
            )
        }
    }
    /// The contiguous loop of a binary operation, one of whose operands may be one repeated element.
    unsafe fn contiguous_binary[Op: BinaryOp<T>, T: Element; const L: usize](
        isa, out: *mut u8, len: usize, a: *const u8, b: *const u8, _c: *const u8, splats: u8
    ) as ContiguousLoop {
        // SAFETY: as the caller promises; an operand that is repeated has one element.
        unsafe {
            // Loops of their own for floats, whose time is that of the fewest instructions.
            if Op::Output::IS_FLOAT && splats == RIGHT {
                let y = *b.cast::<T>();
                return contiguous1::<T, Op::Output, L>(
                    (out, len),
                    (a.cast(),),
                    0,
                    #[inline(always)]
                    |x| Op::apply(isa, x, y),
                );
            }
            if Op::Output::IS_FLOAT && splats == LEFT {
                let x = *a.cast::<T>();
                return contiguous1::<T, Op::Output, L>(
                    (out, len),
                    (b.cast(),),
                    0,
                    #[inline(always)]
                    |y| Op::apply(isa, x, y),
                );
            }
            contiguous2::<T, T, Op::Output, L>(
                (out, len),
                (a.cast(), b.cast()),
                splats,
                #[inline(always)]
                |x, y| Op::apply(isa, x, y),
            )
        }
    }
    /// The contiguous loop of `a * b + c`, rounded after each operation.
    unsafe fn contiguous_multiply_add[T: Number; const L: usize](
        _isa, out: *mut u8, len: usize, a: *const u8, b: *const u8, c: *const u8, _splats: u8
    ) as ContiguousLoop {
        // SAFETY: as the caller promises.
        unsafe {
            contiguous3::<T, T, T, T, L>(
                (out, len),
                (a.cast(), b.cast(), c.cast()),
                0,
                #[inline(always)]
                |a: T, b: T, c: T| a.mul(b).add(c),
            )
        }
    }
    /// The contiguous loop of [`select`], by the bits of the elements.
    unsafe fn contiguous_select[B: Element; const L: usize](
        _isa, out: *mut u8, len: usize, a: *const u8, b: *const u8, c: *const u8, _splats: u8
    ) as ContiguousLoop {
        // SAFETY: as the caller promises; a `bool` is a byte, 0 or 1.
        unsafe {
            contiguous3::<u8, B, B, B, L>(
                (out, len),
                (a.cast(), b.cast(), c.cast()),
                0,
                #[inline(always)]
                |mask, then, otherwise| select(mask != 0, then, otherwise),
            )
        }
    }
}

/// The mask of the left operand of a binary operation.
const LEFT: u8 = 1;
/// The mask of the right operand.
const RIGHT: u8 = 1 << 1;

/// The inner loop of operations with [`ContiguousLoops`](crate::ops::ContiguousLoops), row by row; of rows shorter than a
/// vector the loop of the baseline, one element at a time. Compiled once: where operands are rarely short rows, a loop for
/// each operation does not pay.
///
/// # Safety
///
/// As [`InnerLoop`] requires.
unsafe fn by_rows<const N: usize>(kernel: &Kernel<N>, params: Params, block: &Block<N>) {
    let (run, contiguous) = kernel.contiguous().expect("loops over contiguous operands");
    let [planes, rows, columns] = block.sizes;
    let mut splats = 0;
    for (k, operand) in block.operands.iter().enumerate() {
        splats |= u8::from(operand.is_splat) << k;
    }
    if columns < contiguous.vector || splats.count_ones() as usize == N {
        // SAFETY: as the caller promises.
        return unsafe { kernel.inner.baseline()(kernel, params, block) };
    }
    let mut out = block.out;
    for (plane, row) in (0..planes).flat_map(|plane| (0..rows).map(move |row| (plane, row))) {
        let mut firsts = [null(); 3];
        for (k, operand) in block.operands.iter().enumerate() {
            let [row_stride, plane_stride] = operand.strides;
            let offset = plane * plane_stride + row * row_stride;
            firsts[k] = operand.first.wrapping_add(offset * kernel.operand_bytes[k]);
        }
        // SAFETY: as the caller promises, for the operands and results of a row, at least one vector, and for one splat,
        // which the loops take.
        unsafe { run(out, columns, firsts[0], firsts[1], firsts[2], splats) };
        out = out.wrapping_add(columns * kernel.result_bytes);
    }
}

/// The inner loop of an operation that is `Op` with exchanged operands.
///
/// # Safety
///
/// As [`InnerLoop`] requires, for operands of type `T`.
unsafe fn exchanged<Op: BinaryOp<T>, T: Element>(_: &Kernel<2>, params: Params, block: &Block<2>) {
    let [left, right] = block.operands;
    let block = Block { operands: [right, left], ..*block };
    // SAFETY: as the caller promises.
    unsafe { Op::KERNEL.inner()(Op::KERNEL, params, &block) }
}

/// The loop over contiguous operands of an operation that is `Op` with exchanged operands.
///
/// # Safety
///
/// As [`ContiguousLoop`] requires, for operands of type `T`.
unsafe fn contiguous_exchanged<Op: BinaryOp<T>, T: Element>(
    out: *mut u8,
    len: usize,
    a: *const u8,
    b: *const u8,
    c: *const u8,
    _splats: u8,
) {
    let (run, _) = Op::KERNEL.contiguous().expect("a comparison has these loops");
    // SAFETY: as the caller promises; the vector has the size of that of the other operation.
    unsafe { run(out, len, b, a, c, 0) }
}

/// Generates the kernel of a row for one element type, with separate loops for each type.
macro_rules! own_loops {
    ($n:literal $inner:ident by rows $by_rows:expr, $contiguous:ident $Op:ident $T:ident $cost:expr) => {{
        let cost = $cost;
        let vector = vector(cost, size_of::<$T>());
        let avx512 = avx512_pays::<$T, $Op::Output>(cost);
        let inner = match cost {
            ElementCost::Scalar => $inner::baseline_only::<$Op, $T, 1>(),
            ElementCost::Cheap if BASELINE_IS_RARE && $by_rows => {
                IsaFns::baseline_only(by_rows as InnerLoop<$n>)
                    .with_baseline($inner::baseline_only::<$Op, $T, 1>())
            }
            ElementCost::Cheap | ElementCost::Costly => {
                vectorized!($inner::<$Op, $T>, avx512, vector, baseline_vector(vector))
            }
        };
        let kernel = Kernel::new::<$Op::Output>(inner, [size_of::<$T>(); $n], policy(cost));
        let kernel = match cost {
            ElementCost::Cheap => kernel.with_contiguous(
                vectorized!($contiguous::<$Op, $T>, $T::AVX512, vector, vector),
                vector,
            ),
            ElementCost::Costly | ElementCost::Scalar => kernel,
        };
        kernel.recorded_as(Recording::of_row::<$Op, $T, $Op::Output>())
    }};
}

const fn unary_kernel<Op: UnaryOp<T> + HasRow, T: Element + LoopTargets>() -> UnaryKernel {
    own_loops!(1 unary by rows true, contiguous_unary Op T Op::COST)
}

const fn binary_kernel<Op: BinaryOp<T> + HasRow, T: Element + LoopTargets>() -> BinaryKernel {
    // There is no instruction that divides a vector of integers.
    let cost = if Op::DIVIDES.is_some() { ElementCost::Scalar } else { Op::COST };
    own_loops!(2 binary by rows !T::IS_FLOAT, contiguous_binary Op T cost)
        .taking_splats(LEFT | RIGHT)
        .dividing_by(Op::DIVIDES)
}

/// [`binary_kernel`] for comparisons and operations of gradients: their operands are rarely short rows that stretch.
const fn plain_binary_kernel<Op: BinaryOp<T> + HasRow, T: Element + LoopTargets>() -> BinaryKernel {
    own_loops!(2 binary by rows true, contiguous_binary Op T Op::COST).taking_splats(LEFT | RIGHT)
}

/// The kernel of `Op` with the loops of `Other`, which is the same operation with exchanged
/// operands.
const fn exchanged_kernel<Op, Other, T>() -> BinaryKernel
where
    Op: BinaryOp<T> + HasRow,
    Other: BinaryOp<T>,
    T: Element,
{
    Kernel::new::<Op::Output>(
        IsaFns::baseline_only(exchanged::<Other, T>),
        [size_of::<T>(); 2],
        CallPolicy::Cheap,
    )
    .with_contiguous(
        IsaFns::baseline_only(contiguous_exchanged::<Other, T>),
        vector(ElementCost::Cheap, size_of::<T>()),
    )
    .recorded_as(Recording::of_row::<Op, T, Op::Output>())
}

const fn clamp_kernel<T: Number + LoopTargets>() -> TernaryKernel {
    let vector = vector(ElementCost::Cheap, size_of::<T>());
    let baseline = baseline_vector(vector);
    Kernel::new::<T>(
        vectorized!(clamp_elements::<T>, T::AVX512, vector, baseline),
        [size_of::<T>(); 3],
        CallPolicy::Cheap,
    )
}

const fn powi_kernel<T: Number>() -> UnaryKernel {
    Kernel::new::<T>(powi::baseline_only::<T>(), [size_of::<T>()], CallPolicy::Costly)
        .dividing_by(T::INTEGER)
        .recorded_as(Recording::new::<T, T>())
}

/// The kernel of `a * b + c`, which [chunks](super::chunk) run instead of two operations.
const fn multiply_add_kernel<T: Number + LoopTargets>() -> TernaryKernel {
    let vector = vector(ElementCost::Cheap, size_of::<T>());
    Kernel::new::<T>(
        vectorized!(multiply_add::<T>, false, vector, baseline_vector(vector)),
        [size_of::<T>(); 3],
        CallPolicy::Cheap,
    )
    .with_contiguous(vectorized!(contiguous_multiply_add::<T>, T::AVX512, vector, vector), vector)
}

static MULTIPLY_ADD_F32: TernaryKernel = multiply_add_kernel::<f32>();
static MULTIPLY_ADD_F64: TernaryKernel = multiply_add_kernel::<f64>();

/// The kernel of a cast, with separate loops.
const fn cast_kernel<T: CastTo<U> + LoopTargets, U: Element + LoopTargets>(
    cost: ElementCost,
) -> UnaryKernel {
    cast_kernel_by::<T, U, T, U>(cost)
}

/// The kernel of a cast by the loops between two other types of the same bits, `From` and `To`.
const fn shared_cast_kernel<T, U, From, To>() -> UnaryKernel
where
    T: Element,
    U: Element,
    From: CastTo<To> + LoopTargets,
    To: Element + LoopTargets,
{
    cast_kernel_by::<T, U, From, To>(ElementCost::Cheap)
}

/// The kernel of an integer cast. A cast to the same or a smaller size keeps the low bits, signed or not,
/// and the signedness of the results never matters: `Bits` and `To` are the unsigned types.
const fn integer_cast_kernel<T, U, Bits, To>() -> UnaryKernel
where
    T: CastTo<To> + LoopTargets,
    U: Element,
    Bits: CastTo<To> + LoopTargets,
    To: Element + LoopTargets,
{
    if size_of::<T>() < size_of::<U>() {
        shared_cast_kernel::<T, U, T, To>()
    } else {
        shared_cast_kernel::<T, U, Bits, To>()
    }
}

/// The kernel of a cast, one vector of the larger type at a time.
const fn cast_kernel_by<T, U, From, To>(cost: ElementCost) -> UnaryKernel
where
    T: Element,
    U: Element,
    From: CastTo<To> + LoopTargets,
    To: Element + LoopTargets,
{
    assert!(size_of::<T>() == size_of::<From>() && size_of::<U>() == size_of::<To>());
    let larger = if size_of::<T>() > size_of::<U>() { size_of::<T>() } else { size_of::<U>() };
    let vector = vector(cost, larger);
    let scalar = cast_elements::baseline_only::<From, To, 1>();
    let inner = match cost {
        ElementCost::Scalar => scalar,
        _ if BASELINE_IS_RARE => {
            IsaFns::baseline_only(by_rows as InnerLoop<1>).with_baseline(scalar)
        }
        _ => of_vector!(cast_elements::baseline_only::<From, To>, vector),
    };
    let kernel = Kernel::new::<U>(inner, [size_of::<T>()], CallPolicy::Cheap)
        .recorded_as(Recording::of_cast::<T, U>());
    if matches!(cost, ElementCost::Scalar) {
        return kernel;
    }
    let pays = pays_avx512::<From>() && To::AVX512 || From::AVX512 && pays_avx512::<To>();
    kernel.with_contiguous(vectorized!(contiguous_cast::<From, To>, pays, vector, vector), vector)
}

/// Whether AVX-512 pays for casts between this type and floats: AVX2 has instructions for `i32`, to which smaller ones
/// are widened.
const fn pays_avx512<T: Element>() -> bool {
    !T::IS_FLOAT && size_of::<T>() >= 4
}

/// Implements the traits of one group of operations for one element type.
///
/// The last word states how the type gets its kernels: `own` kernels; those of the integer `of` the same
/// bits, if the row states that results wrap and so have the same bits; or `half`, by way of `f32`. A row
/// expands to no more than a static, whose value is computed by a function of the row and the type: there are
/// hundreds.
macro_rules! kernels {
    ([$Kernels:ident $Kernel:ident $kernel:ident for $T:ident: $class:tt] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt {
            $cost:ident $bits:ident $numpy:literal $pytorch:literal $stablehlo:tt
            $($function:tt)+
        }
    )+})+) => {
        impl $Kernels for $T {$($(
            const $Op: &'static $Kernel = kernels!(@$bits $class $Kernels $Kernel $kernel $Op $T);
        )+)+}
    };
    (@wraps [of $U:ident] $Kernels:ident $Kernel:ident $kernel:ident $Op:ident $T:ident) => {
        <$U as $Kernels>::$Op
    };
    (@$bits:ident [half] $Kernels:ident $Kernel:ident $kernel:ident $Op:ident $T:ident) => {
        kernels!(@static $Kernel sixteen_bits::$kernel::<ops::$Op, $T>())
    };
    (@own $class:tt ElementBinary $Kernel:ident $kernel:ident Greater $T:ident) => {
        kernels!(@static $Kernel exchanged_kernel::<ops::Greater, ops::Less, $T>())
    };
    (@own $class:tt ElementBinary $Kernel:ident $kernel:ident GreaterEqual $T:ident) => {
        kernels!(@static $Kernel exchanged_kernel::<ops::GreaterEqual, ops::LessEqual, $T>())
    };
    (@wraps [own] NumberBinary $Kernel:ident $kernel:ident Mul f32) => {
        kernels!(@static $Kernel $kernel::<ops::Mul, f32>().part_of(MultiplyAddPart::Product))
    };
    (@wraps [own] NumberBinary $Kernel:ident $kernel:ident Mul f64) => {
        kernels!(@static $Kernel $kernel::<ops::Mul, f64>().part_of(MultiplyAddPart::Product))
    };
    (@wraps [own] NumberBinary $Kernel:ident $kernel:ident Add f32) => {
        kernels!(@static $Kernel $kernel::<ops::Add, f32>().part_of(MultiplyAddPart::Sum(&MULTIPLY_ADD_F32)))
    };
    (@wraps [own] NumberBinary $Kernel:ident $kernel:ident Add f64) => {
        kernels!(@static $Kernel $kernel::<ops::Add, f64>().part_of(MultiplyAddPart::Sum(&MULTIPLY_ADD_F64)))
    };
    (@$bits:ident $class:tt $Kernels:ident $Kernel:ident $kernel:ident $Op:ident $T:ident) => {
        kernels!(@static $Kernel $kernel::<ops::$Op, $T>())
    };
    (@static $Kernel:ident $($kernel:tt)+) => {{
        static KERNEL: $Kernel = $($kernel)+;
        &KERNEL
    }};
}

/// Implements the traits of all groups that an element type supports.
macro_rules! element_kernels {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $($(#[$cfg])* element_kernels!(@class $class $T $Other); )*
    };
    (@class float $T:ident $Other:ident) => { element_kernels!(@groups $T [own] number signed float); };
    (@class half $T:ident $Other:ident) => { element_kernels!(@groups $T [half] number signed float); };
    (@class signed $T:ident $Other:ident) => {
        element_kernels!(@groups $T [of $Other] number signed bits integer);
    };
    (@class unsigned $T:ident $Other:ident) => {
        element_kernels!(@groups $T [own] number bits integer);
    };
    (@class boolean $T:ident $Other:ident) => { element_kernels!(@groups $T [own] bits); };
    (@groups $T:ident $class:tt $($group:ident)+) => {
        element_kernels!(@element $T $class);
        $( element_kernels!(@$group $T $class); )+
    };
    (@element $T:ident $class:tt) => {
        element_binary!(kernels! [ElementBinary BinaryKernel plain_binary_kernel for $T: $class]);

        impl ElementMoves for $T {
            const COPY: &'static UnaryKernel = moves::copy(size_of::<$T>());
            const SELECT: &'static TernaryKernel = moves::select(size_of::<$T>());

            fn assign(
                target: &mut [Self],
                first: usize,
                axes: &[AssignAxis],
                source: &[Self],
                start: usize,
            ) {
                // SAFETY: what is written are the bits of elements.
                let target = unsafe { bits_of_mut(target) };
                assign(target, first, axes, bits_of(source), start);
            }
        }
    };
    (@number $T:ident $class:tt) => {
        number_unary!(kernels! [NumberUnary UnaryKernel unary_kernel for $T: $class]);
        number_binary!(kernels! [NumberBinary BinaryKernel binary_kernel for $T: $class]);

        impl NumberTernary for $T {
            const CLAMP: &'static TernaryKernel = kernels!(@static TernaryKernel clamp_kernel::<$T>());
            const POWI: &'static UnaryKernel = kernels!(@static UnaryKernel powi_kernel::<$T>());
        }
    };
    (@signed $T:ident $class:tt) => {
        signed_unary!(kernels! [SignedUnary UnaryKernel unary_kernel for $T: $class]);
    };
    (@bits $T:ident $class:tt) => {
        bits_unary!(kernels! [BitsUnary UnaryKernel unary_kernel for $T: $class]);
        bits_binary!(kernels! [BitsBinary BinaryKernel binary_kernel for $T: $class]);
    };
    (@integer $T:ident $class:tt) => {
        integer_binary!(kernels! [IntegerBinary BinaryKernel binary_kernel for $T: $class]);
    };
    (@float $T:ident $class:tt) => {
        float_unary!(kernels! [FloatUnary UnaryKernel unary_kernel for $T: $class]);
        float_binary!(kernels! [FloatBinary BinaryKernel binary_kernel for $T: $class]);
        gradient_binary!(kernels! [GradientBinary BinaryKernel plain_binary_kernel for $T: $class]);
    };
}

for_each_element!(element_kernels);

pub(super) use moves::copy;

/// The kernels that move elements: one for each element size.
mod moves {
    use super::*;

    macro_rules! moves {
        ($($Bits:ident: $bytes:literal, $COPY:ident, $SELECT:ident;)+) => {
            $(
                static $COPY: UnaryKernel =
                    Kernel::new::<$Bits>(IsaFns::baseline_only(copy_rows::<$bytes>), [$bytes], CallPolicy::Cheap);
                static $SELECT: TernaryKernel = Kernel::new::<$Bits>(
                    select_elements::all::<$Bits, { vector(ElementCost::Cheap, $bytes) }>().with_baseline(
                        select_elements::baseline_only::<
                            $Bits,
                            { baseline_vector(vector(ElementCost::Cheap, $bytes)) },
                        >(),
                    ),
                    [1, $bytes, $bytes],
                    CallPolicy::Cheap,
                )
                .with_contiguous(
                    contiguous_select::all::<$Bits, { vector(ElementCost::Cheap, $bytes) }>(),
                    vector(ElementCost::Cheap, $bytes),
                );
            )+

            /// The kernel that copies elements of this many bytes.
            pub(in super::super) const fn copy(bytes: usize) -> &'static UnaryKernel {
                match bytes {
                    $($bytes => &$COPY,)+
                    _ => panic!("elements have one, two, four or eight bytes"),
                }
            }

            /// The kernel that selects between elements of this many bytes.
            pub(super) const fn select(bytes: usize) -> &'static TernaryKernel {
                match bytes {
                    $($bytes => &$SELECT,)+
                    _ => panic!("elements have one, two, four or eight bytes"),
                }
            }
        };
    }

    moves! {
        u8: 1, COPY_1, SELECT_1;
        u16: 2, COPY_2, SELECT_2;
        u32: 4, COPY_4, SELECT_4;
        u64: 8, COPY_8, SELECT_8;
    }
}

/// Generates the kernels of casts between all element types. An unsigned type is used for the signed type of
/// its size too, if the resulting bits are the same, and `u8` for `bool`, whose bytes are 0 and 1.
macro_rules! casts {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $($(#[$cfg])* for_each_element!(casts @from $T $class $Other); )*
    };
    (@from $T:ident $from:ident $TOther:ident
        $($(#[$cfg:meta])* $U:ident: $class:ident $Other:ident;)*
    ) => {
        $($(#[$cfg])* casts!(@$from $T $TOther to $class $U $Other); )*
    };
    // Calls the conversion function, because there is no instruction for it.
    (@half $T:ident $TOther:ident to $to:ident $U:ident $Other:ident) => {
        casts!(@impl $T to $U: cast_kernel::<$T, $U>(ElementCost::Scalar));
    };
    (@$from:ident $T:ident $TOther:ident to half $U:ident $Other:ident) => {
        casts!(@impl $T to $U: cast_kernel::<$T, $U>(ElementCost::Scalar));
    };
    (@signed $T:ident $Bits:ident to signed $U:ident $To:ident) => {
        casts!(@impl $T to $U: integer_cast_kernel::<$T, $U, $Bits, $To>());
    };
    (@signed $T:ident $Bits:ident to unsigned $U:ident $Other:ident) => {
        casts!(@impl $T to $U: integer_cast_kernel::<$T, $U, $Bits, $U>());
    };
    (@unsigned $T:ident $Other:ident to signed $U:ident $To:ident) => {
        casts!(@impl $T to $U: integer_cast_kernel::<$T, $U, $T, $To>());
    };
    (@signed $T:ident $Bits:ident to boolean $U:ident $Other:ident) => {
        casts!(@impl $T to $U: shared_cast_kernel::<$T, $U, $Bits, $U>());
    };
    (@boolean $T:ident $TOther:ident to signed $U:ident $To:ident) => {
        casts!(@impl $T to $U: shared_cast_kernel::<$T, $U, u8, $To>());
    };
    (@boolean $T:ident $TOther:ident to unsigned $U:ident $Other:ident) => {
        casts!(@impl $T to $U: shared_cast_kernel::<$T, $U, u8, $U>());
    };
    (@boolean $T:ident $TOther:ident to float $U:ident $Other:ident) => {
        casts!(@impl $T to $U: shared_cast_kernel::<$T, $U, u8, $U>());
    };
    (@$from:ident $T:ident $TOther:ident to $to:ident $U:ident $Other:ident) => {
        casts!(@impl $T to $U: cast_kernel::<$T, $U>(ElementCost::Cheap));
    };
    (@impl $T:ident to $U:ident: $kernel:expr) => {
        impl CastKernel<$U> for $T {
            const CAST: &'static UnaryKernel = kernels!(@static UnaryKernel $kernel);
        }
    };
}

for_each_element!(casts);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_sums_of_floats_are_one_kernel() {
        fn parts<T: NumberBinary>() -> [Option<MultiplyAddPart>; 3] {
            [T::Mul.multiply_add, T::Add.multiply_add, T::Sub.multiply_add]
        }
        let is_one_kernel = |parts: [Option<MultiplyAddPart>; 3]| {
            matches!(parts, [Some(MultiplyAddPart::Product), Some(MultiplyAddPart::Sum(_)), None])
        };
        assert!(is_one_kernel(parts::<f32>()));
        assert!(is_one_kernel(parts::<f64>()));
        assert!(parts::<i32>().iter().all(Option::is_none));
    }
}
