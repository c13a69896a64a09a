//! The same mistakes as beside this folder, one program each, in `examples/`.
