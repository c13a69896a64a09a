//! The layout of the panels: side by side, with `+` and `=` between them.

use super::canvas::{Anchor, Canvas, Point};
use super::panel::{CAPTION, Panel};
use super::{PADDING, TEXT_COLOUR};
use crate::palette::{Colours, FAILS};

/// The maximal width of a row of panels before they wrap.
const MOST_WIDTH: f64 = 820.0;
/// The space between rows of panels.
const BETWEEN_LINES: f64 = 18.0;
/// The space for `+` and `=`.
const SIGN: f64 = 44.0;
const SIGN_TEXT: f64 = 26.0;
/// The space for the cross that replaces a result.
const NO_RESULT: Point = Point { x: 110.0, y: 90.0 };

/// A panel, or the cross that replaces one, after `+` or `=`.
struct Item<'a> {
    sign: &'static str,
    panel: Option<&'a Panel>,
}

impl Item<'_> {
    fn width(&self) -> f64 {
        let sign = if self.sign.is_empty() { 0.0 } else { SIGN };
        sign + self.panel.map_or(NO_RESULT.x, |panel| panel.size().x)
    }

    /// The space above, and below, the middle of the cells.
    fn above(&self) -> f64 {
        self.panel.map_or(NO_RESULT.y / 2.0, Panel::middle)
    }

    fn below(&self) -> f64 {
        self.panel.map_or(NO_RESULT.y / 2.0, |panel| panel.size().y - panel.middle())
    }

    /// Draws the item with the middle of its cells at the height of `place`.
    fn draw(&self, canvas: &mut Canvas, mut place: Point) {
        if !self.sign.is_empty() {
            let centre = place.plus(SIGN / 2.0, 9.0);
            canvas.text(centre, Anchor::Middle, SIGN_TEXT, TEXT_COLOUR, self.sign);
            place.x += SIGN;
        }
        match self.panel {
            Some(panel) => panel.draw(canvas, place.plus(0.0, -panel.middle())),
            None => draw_cross(canvas, place.plus(NO_RESULT.x / 2.0, 0.0)),
        }
    }
}

/// Draws the panels in the rows that they need; returns the lower right corner.
pub(super) fn lay_out(canvas: &mut Canvas, panels: &[Panel], result: Option<&Panel>) -> Point {
    let operand =
        |(number, panel)| Item { sign: if number == 0 { "" } else { "+" }, panel: Some(panel) };
    let mut items: Vec<_> = panels.iter().enumerate().map(operand).collect();
    items.push(Item { sign: "=", panel: result });

    let mut end = Point::new(0.0, PADDING - BETWEEN_LINES);
    let mut rest = &items[..];
    while !rest.is_empty() {
        let mut used = 0.0;
        let fits = |item: &&Item<'_>| {
            used += item.width();
            used <= MOST_WIDTH
        };
        let count = rest.iter().take_while(fits).count().max(1);
        let (line, others) = rest.split_at(count);
        let above = line.iter().map(Item::above).fold(0.0, f64::max);
        let below = line.iter().map(Item::below).fold(0.0, f64::max);
        let mut place = Point::new(PADDING, end.y + BETWEEN_LINES + above);
        for item in line {
            item.draw(canvas, place);
            place.x += item.width();
        }
        end = Point::new(end.x.max(place.x + PADDING), place.y + below);
        rest = others;
    }
    end
}

fn draw_cross(canvas: &mut Canvas, centre: Point) {
    let Colours { line, text, .. } = FAILS;
    let attributes = format!(
        "class=\"cross\" fill=\"none\" stroke=\"{line}\" stroke-width=\"5\" stroke-linecap=\"round\""
    );
    canvas.group(&attributes, |canvas| {
        canvas.line(&[centre.plus(-13.0, -13.0), centre.plus(13.0, 13.0)]);
        canvas.line(&[centre.plus(-13.0, 13.0), centre.plus(13.0, -13.0)]);
    });
    canvas.text(centre.plus(0.0, 38.0), Anchor::Middle, CAPTION, text, "no result");
}
