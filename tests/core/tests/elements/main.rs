//! Operations on elements, products and random numbers.

mod accuracy;
mod accuracy_of_sets;
mod divisions;
mod einsum;
mod in_place;
mod products;
mod random;
