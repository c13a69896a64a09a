//! SVG elements as text. Attributes are on the elements, so that several pictures on one page do not
//! share styles.

use core::fmt::Write;

/// Every character of these fonts is about 0.6 of its height wide, so that widths can be computed here.
const FONT: &str =
    "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace";

/// The maximal width of a character of this font size.
pub(crate) fn letter(size: f64) -> f64 {
    size * 0.61
}

/// The width of a text.
#[doc(hidden)]
pub fn width(text: &str, size: f64) -> f64 {
    super::super::table::width(text) as f64 * letter(size)
}

/// A point of the picture, in pixels from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Pixels from the left.
    pub x: f64,
    /// Pixels from the top.
    pub y: f64,
}

impl Point {
    /// The point with these coordinates.
    #[doc(hidden)]
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The point to the right and below by these distances.
    #[doc(hidden)]
    pub fn plus(self, x: f64, y: f64) -> Self {
        Self::new(self.x + x, self.y + y)
    }

    /// The midpoint of two points.
    pub(crate) fn between(self, other: Self) -> Self {
        Self::new((self.x + other.x) / 2.0, (self.y + other.y) / 2.0)
    }

    fn written(self) -> String {
        format!("{},{}", number(self.x), number(self.y))
    }
}

/// The point of a text that its position refers to.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    /// The left end of the baseline.
    Start,
    /// The middle of the baseline.
    Middle,
    /// The right end of the baseline.
    End,
}

impl Anchor {
    fn written(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// The elements drawn so far.
#[derive(Default)]
pub struct Canvas {
    body: String,
}

impl Canvas {
    fn line_of_text(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    /// Draws elements with these attributes in common.
    #[doc(hidden)]
    pub fn group(&mut self, attributes: &str, draw: impl FnOnce(&mut Self)) {
        self.line_of_text(&format!("<g {attributes}>"));
        draw(self);
        self.line_of_text("</g>");
    }

    /// Draws a filled polygon with these corners.
    #[doc(hidden)]
    pub fn polygon(&mut self, corners: &[Point]) {
        let points: Vec<_> = corners.iter().map(|corner| corner.written()).collect();
        self.line_of_text(&format!("<polygon points=\"{}\"/>", points.join(" ")));
    }

    /// Draws a line through these points.
    pub(crate) fn line(&mut self, places: &[Point]) {
        let points: Vec<_> = places.iter().map(|place| place.written()).collect();
        self.line_of_text(&format!("<polyline points=\"{}\"/>", points.join(" ")));
    }

    /// Draws a line with an arrowhead at its end.
    pub(crate) fn arrow(&mut self, from: Point, to: Point, colour: &str) {
        let (x, y) = (to.x - from.x, to.y - from.y);
        let length = x.hypot(y).max(1.0);
        let (x, y) = (x / length, y / length);
        let neck = to.plus(-9.0 * x, -9.0 * y);
        self.group(&format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\""), |canvas| {
            canvas.line(&[from, neck]);
        });
        let side = |sign: f64| neck.plus(-5.0 * sign * y, 5.0 * sign * x);
        self.group(&format!("fill=\"{colour}\""), |canvas| {
            canvas.polygon(&[to, side(1.0), side(-1.0)]);
        });
    }

    /// Draws a text whose baseline starts, is centred or ends at `place`.
    #[doc(hidden)]
    pub fn text(&mut self, place: Point, anchor: Anchor, size: f64, colour: &str, text: &str) {
        self.spans(place, anchor, size, "", &[(text, colour)]);
    }

    /// Draws a text of several colours.
    pub(crate) fn spans(
        &mut self,
        Point { x, y }: Point,
        anchor: Anchor,
        size: f64,
        attributes: &str,
        spans: &[(&str, &str)],
    ) {
        let mut element = format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{size}\" text-anchor=\"{}\"{attributes}",
            number(x),
            number(y),
            anchor.written()
        );
        match spans {
            [(text, colour)] => {
                let _ = write!(element, " fill=\"{colour}\">{}", escaped(text));
            }
            _ => {
                element.push('>');
                for (text, colour) in spans {
                    let text = escaped(text);
                    let _ = write!(element, "<tspan fill=\"{colour}\">{text}</tspan>");
                }
            }
        }
        self.line_of_text(&(element + "</text>"));
    }

    /// The whole picture, with its own background, which suits light and dark pages.
    #[doc(hidden)]
    pub fn finish(self, size: Point, title: &str, description: &str) -> String {
        let (width, height) = (number(size.x.ceil()), number(size.y.ceil()));
        let (inner_width, inner_height) =
            (number(size.x.ceil() - 2.0), number(size.y.ceil() - 2.0));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONT}\">\n\
             <title>{}</title>\n<desc>{}</desc>\n\
             <rect x=\"1\" y=\"1\" width=\"{inner_width}\" height=\"{inner_height}\" rx=\"8\" \
             fill=\"#FFFFFF\" stroke=\"#D1D9E0\" stroke-width=\"2\"/>\n{}</svg>\n",
            escaped(title),
            escaped(description),
            self.body
        )
    }
}

/// Formats at most one digit after the decimal point, and none if it would be 0.
fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    format!("{rounded}")
}

/// The text escaped for XML; characters that XML does not allow become `�`.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for sign in text.chars() {
        match sign {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}
