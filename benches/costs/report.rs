//! How rows are printed.

/// The head of the table.
pub fn head() {
    println!("{:<52}{:>10}{:>10}{:>12}  reached", "cost", "ours", "ndarray", "limit");
}

/// A row: ours and ndarray's figure, and what ours is to be at most, all in `unit`.
pub fn row(name: &str, unit: &str, ours: f64, peer: Option<f64>, limit: Option<f64>) {
    let reached = limit.map_or("", |limit| verdict(ours <= limit));
    let peer = peer.map_or(String::new(), |peer| format!("{peer:.2}"));
    let limit = limit.map_or(String::new(), |limit| format!("{limit:.2} {unit}"));
    println!("{name:<52}{ours:>10.2}{peer:>10}{limit:>12}  {reached}");
}

/// Whether a figure is reached.
pub fn verdict(reached: bool) -> &'static str {
    if reached { "yes" } else { "NO" }
}
