//! [`Summary`]: a model as a table.

use core::fmt;

use super::{Module, Path, Role};

/// A model as a table: name, shape, element type, parameters, share. [`Module::summary`] creates it.
///
/// ```
/// use tensor_core::module::{Frozen, Module};
/// use tensor_core::{Tensor, shape};
///
/// let words = Frozen(Tensor::<shape![50257, 768]>::zeros());
/// let model = (words, Tensor::<shape![768]>::zeros(), Tensor::<shape![768], i64>::zeros());
/// let summary = model.summary();
/// assert_eq!(summary.num_parameters(), 38_598_144);
/// assert_eq!(summary.to_string(), "\
/// name  shape         type  parameters    share
/// 0     [50257, 768]  f32   38,597,376  100.0 %  frozen
/// 1     [768]         f32          768    0.0 %
/// 2     [768]         i64                        buffer
/// 38,598,144 parameters, 768 of them trained, 154.4 MB");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    rows: Vec<SummaryRow>,
}

/// A tensor in a [`Summary`].
///
/// ```
/// use tensor_core::module::Module;
/// use tensor_core::tensor;
///
/// let summary = (tensor![1.0, 2.0], tensor![3]).summary();
/// assert_eq!(summary.rows()[0].name, "0");
/// assert_eq!(summary.rows()[0].elements, 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SummaryRow {
    /// Its name in the model.
    pub name: String,
    /// Its role in the model.
    pub role: Role,
    /// Its axes, as in messages: `128`, `Batch=32`.
    pub axes: Vec<String>,
    /// Its element type, as Rust writes it.
    pub element_name: &'static str,
    /// The number of its elements.
    pub elements: usize,
    /// Their size in bytes.
    pub bytes: usize,
}

impl Summary {
    pub(super) fn of(module: &dyn Module) -> Self {
        let mut rows = Vec::new();
        module.visit(&Path::ROOT, &mut |path, role, tensor| {
            rows.push(SummaryRow {
                name: path.to_string(),
                role,
                axes: tensor.axis_names(),
                element_name: tensor.element_name(),
                elements: tensor.num_elements(),
                bytes: tensor.num_bytes(),
            });
        });
        Self { rows }
    }

    /// The tensors, in the order of the model.
    ///
    /// ```
    /// use tensor_core::module::Module;
    /// use tensor_core::tensor;
    ///
    /// assert_eq!((tensor![1.0], tensor![2.0]).summary().rows().len(), 2);
    /// ```
    pub fn rows(&self) -> &[SummaryRow] {
        &self.rows
    }

    /// The number of parameters, frozen ones included.
    ///
    /// ```
    /// use tensor_core::module::Module;
    /// use tensor_core::tensor;
    ///
    /// assert_eq!((tensor![1.0], tensor![2.0]).summary().num_parameters(), 2);
    /// ```
    pub fn num_parameters(&self) -> usize {
        self.count(|role| role != Role::Buffer)
    }

    /// The number of elements of tensors with these roles.
    fn count(&self, counts: impl Fn(Role) -> bool) -> usize {
        self.rows.iter().filter(|row| counts(row.role)).map(|row| row.elements).sum()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.num_parameters();
        let mut cells =
            vec![["name", "shape", "type", "parameters", "share", ""].map(String::from)];
        for row in &self.rows {
            let (parameters, share, note) = match row.role {
                Role::Buffer => (String::new(), String::new(), "buffer"),
                role => {
                    let share = 100.0 * row.elements as f64 / all.max(1) as f64;
                    let note = if role == Role::Frozen { "frozen" } else { "" };
                    (grouped(row.elements), format!("{share:.1} %"), note)
                }
            };
            let shape = format!("[{}]", row.axes.join(", "));
            let element = row.element_name.to_owned();
            cells.push([row.name.clone(), shape, element, parameters, share, note.to_owned()]);
        }
        let widths: [usize; 5] = core::array::from_fn(|column| {
            cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
        });
        for [name, shape, element, parameters, share, note] in &cells {
            let [a, b, c, d, e] = widths;
            let line = format!(
                "{name:a$}  {shape:b$}  {element:c$}  {parameters:>d$}  {share:>e$}  {note}"
            );
            writeln!(f, "{}", line.trim_end())?;
        }
        write!(f, "{} parameters", grouped(all))?;
        let trained = self.count(|role| role == Role::Parameter);
        if trained != all {
            write!(f, ", {} of them trained", grouped(trained))?;
        }
        write!(f, ", {}", Bytes(self.rows.iter().map(|row| row.bytes).sum()))
    }
}

/// Formats digits in groups of three.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number of bytes, displayed in a suitable unit.
struct Bytes(usize);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
        match units.iter().find(|(unit, _)| self.0 as f64 >= *unit) {
            Some((unit, name)) => write!(f, "{:.1} {name}", self.0 as f64 / unit),
            None => write!(f, "{} bytes", self.0),
        }
    }
}
