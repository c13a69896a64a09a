//! The loss curve, as SVG.

use std::fmt::Write;

/// Over how many steps the smooth line is a mean.
pub const WINDOW: usize = 25;

const WIDTH: f32 = 720.0;
const HEIGHT: f32 = 360.0;
const LEFT: f32 = 60.0;
const BELOW: f32 = 40.0;

/// The loss of each step in grey, and above it the mean of the last steps.
pub fn svg(first: usize, losses: &[f32]) -> String {
    let highest = losses.iter().copied().filter(|loss| loss.is_finite()).fold(1e-6, f32::max);
    // Four lines across, at round numbers.
    let unit = 10_f32.powf((highest / 4.0).log10().floor());
    let step =
        unit * [1.0, 2.0, 5.0, 10.0].into_iter().find(|n| n * unit * 4.5 > highest).unwrap_or(10.0);
    let top = highest.max(step) * 1.05;
    let count = losses.len().max(2) - 1;
    let x = |index: usize| LEFT + index as f32 / count as f32 * (WIDTH - LEFT - 20.0);
    let y = |loss: f32| (HEIGHT - BELOW) * (1.0 - loss / top) + 5.0;
    let line = |points: &[f32]| {
        // A loss that is NaN is not drawn.
        let points = points.iter().enumerate().filter(|(_, loss)| loss.is_finite());
        points.fold(String::new(), |mut line, (index, &loss)| {
            let _ = write!(line, "{:.1},{:.1} ", x(index), y(loss));
            line
        })
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"13\" fill=\"none\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let mut tick = 0.0;
    while tick <= top {
        let (y, right) = (y(tick), WIDTH - 20.0);
        let digits = (-step.log10().floor()).max(0.0) as usize;
        let _ = writeln!(
            text,
            "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#ddd\"/>\n\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#444\">{tick:.digits$}</text>",
            LEFT - 8.0,
            y + 4.0,
        );
        tick += step;
    }
    for index in [0, losses.len() / 2, losses.len().saturating_sub(1)] {
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.0}\" text-anchor=\"middle\" fill=\"#444\">step {}</text>",
            x(index).min(WIDTH - 45.0),
            HEIGHT - 12.0,
            first + index + 1,
        );
    }
    let smooth: Vec<f32> = (1..=losses.len())
        .map(|end| &losses[end.saturating_sub(WINDOW)..end])
        .map(|last| last.iter().sum::<f32>() / last.len() as f32)
        .collect();
    let _ = writeln!(text, "<polyline points=\"{}\" stroke=\"#bbb\"/>", line(losses).trim_end());
    let _ = writeln!(
        text,
        "<polyline points=\"{}\" stroke=\"#06c\" stroke-width=\"2\"/>\n</svg>",
        line(&smooth).trim_end()
    );
    text
}
