// relaxed!(x - y)
fn expansion() {
    let _ = { x - y };
}
