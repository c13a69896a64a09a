//! Losses: how wrong predictions are, as a tensor of rank 0.
