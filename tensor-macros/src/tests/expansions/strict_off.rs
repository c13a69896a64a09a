// #[strict(off)] fn outer(x: X, y: Y) { x * y }
fn outer(x: X, y: Y) {
    x * y
}
