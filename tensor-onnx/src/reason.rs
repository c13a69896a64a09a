//! Why a node cannot be written.

/// Why a node cannot be written, and what would do.
#[derive(Clone, Debug)]
pub struct Reason {
    pub why: String,
    pub instead: String,
    /// The inputs of the model that have to be constants.
    pub constants: Vec<String>,
}

/// What a node is written as, or why it cannot be.
pub type Reasoned<T> = Result<T, Reason>;

impl Reason {
    pub fn new(why: impl Into<String>, instead: impl Into<String>) -> Self {
        Self { why: why.into(), instead: instead.into(), constants: Vec::new() }
    }

    /// The reason of what is known only at run time, because it depends on these inputs of the model.
    pub fn at_run_time<'a>(
        why: impl Into<String>,
        sources: impl IntoIterator<Item = &'a str>,
        instead: &str,
    ) -> Self {
        let constants: Vec<String> = sources.into_iter().map(str::to_owned).collect();
        let instead = match constants.first() {
            Some(name) => format!("`--constant {name}=VALUE` makes it a constant"),
            None => instead.to_owned(),
        };
        Self { why: why.into(), instead, constants }
    }
}

impl From<String> for Reason {
    fn from(why: String) -> Self {
        Self::new(why, "export the model without it, or write its result by hand")
    }
}

impl From<&str> for Reason {
    fn from(why: &str) -> Self {
        Self::from(why.to_owned())
    }
}

/// An error with this reason.
pub fn reason<T>(why: impl Into<String>) -> Reasoned<T> {
    Err(Reason::from(why.into()))
}
