//! Data: examples in batches, shuffled and prefetched.
