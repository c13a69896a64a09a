//! Strokes as an image of 8 by 8 pixels, as the digits of the data set were made: a bitmap of 32 by 32, which the digit
//! fills, of which each pixel counts a block of 4 by 4.

/// The number of pixels of an image.
pub const PIXELS: usize = 64;
/// The rows and columns of the bitmap.
const BITMAP: usize = 32;
/// The rows and columns of a block.
const BLOCK: usize = 4;
/// Half of the width of a stroke.
const RADIUS: f32 = 2.2;
/// A drawing is enlarged as if it were at least this large, so that a dot stays one; the page is 1 wide.
const LEAST: f32 = 0.2;

/// A point of a stroke; NaN where a stroke ends.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

impl Point {
    fn is_end(self) -> bool {
        !(self.x.is_finite() && self.y.is_finite())
    }
}

/// The ink of each pixel, from 0 to 16.
pub fn pixels(points: &[Point]) -> [f32; PIXELS] {
    let mut pixels = [0.0; PIXELS];
    let inked: Vec<Point> = points.iter().copied().filter(|point| !point.is_end()).collect();
    if inked.is_empty() {
        return pixels;
    }
    let range = |of: fn(&Point) -> f32| {
        let values = || inked.iter().map(of);
        (values().fold(f32::INFINITY, f32::min), values().fold(f32::NEG_INFINITY, f32::max))
    };
    let ((left, right), (top, bottom)) = (range(|point| point.x), range(|point| point.y));
    let scale = (BITMAP as f32 - 2.0 * RADIUS) / (right - left).max(bottom - top).max(LEAST);
    // The middle of the drawing is the middle of the bitmap.
    let place = |point: Point| {
        let middle = BITMAP as f32 / 2.0;
        let (x, y) = (point.x - (left + right) / 2.0, point.y - (top + bottom) / 2.0);
        Point { x: middle + x * scale, y: middle + y * scale }
    };
    let strokes = points.split(|point| point.is_end()).filter(|stroke| !stroke.is_empty());
    let strokes: Vec<Vec<Point>> =
        strokes.map(|stroke| stroke.iter().copied().map(place).collect()).collect();
    for row in 0..BITMAP {
        for column in 0..BITMAP {
            let centre = Point { x: column as f32 + 0.5, y: row as f32 + 0.5 };
            if strokes.iter().any(|stroke| is_inked(stroke, centre)) {
                pixels[row / BLOCK * (BITMAP / BLOCK) + column / BLOCK] += 1.0;
            }
        }
    }
    pixels
}

/// Whether a stroke covers the point.
fn is_inked(stroke: &[Point], point: Point) -> bool {
    let last = &stroke[stroke.len() - 1..];
    let lines = stroke.windows(2).chain([last]);
    lines
        .into_iter()
        .any(|line| distance_squared(line[0], line[line.len() - 1], point) <= RADIUS * RADIUS)
}

/// The square of the distance of a point to a line between two others.
fn distance_squared(from: Point, to: Point, point: Point) -> f32 {
    let (x, y) = (to.x - from.x, to.y - from.y);
    let (dx, dy) = (point.x - from.x, point.y - from.y);
    let length = x * x + y * y;
    let along = if length > 0.0 { ((dx * x + dy * y) / length).clamp(0.0, 1.0) } else { 0.0 };
    let (dx, dy) = (dx - along * x, dy - along * y);
    dx * dx + dy * dy
}
