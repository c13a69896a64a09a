//! The same mistakes as in the sibling folders, one program each, in `examples/`.
