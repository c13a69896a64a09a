//! The lessons, and the program that leads through them.

mod exercises;
mod runner;
mod solutions;
