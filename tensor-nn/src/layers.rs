//! Layers: structs of parameters with a method `forward`.
