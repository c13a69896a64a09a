//! A slice of an axis whose size is a parameter.
//!
//! The compiler says: "such as `shape![Lead.., N]: HasSlice<slice![..., 1..], Output = shape![Lead.., M]>`"
//! Lines: 14, as the compiler proposes a bound

use tensor_core::{Shape, StaticAxis, Tensor, shape, slice, tensor};

/// Without the first element of each row.
fn without_first<Lead: Shape, N: StaticAxis, M: StaticAxis>(
    x: &Tensor<shape![Lead.., N]>,
) -> Tensor<shape![Lead.., M]>
{
    x.slice(slice![..., 1..])
}

fn returns(prices: &Tensor<shape![252]>) -> Tensor<shape![251]> {
    let later: Tensor<shape![251]> = without_first(prices);
    later / prices.slice(slice![..-1]) - 1.0
}

fn main() {
    let prices = Tensor::<shape![252]>::linspace(100.0, 130.0);
    println!("{}", returns(&prices).mean());
    let short: Tensor<shape![2]> = without_first(&tensor![1.0, 2.0, 3.0]);
    println!("{}", short);
}
