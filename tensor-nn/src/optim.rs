//! Optimisers: how the parameters of a model follow its gradient.
